// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/launch_plan.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace upsweep::detail {

UPSWEEP_INLINE std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0);
}

/// Tiles of every level, from the elements up to the level that is a single tile.
UPSWEEP_INLINE std::vector<std::uint64_t> count_levels(std::uint64_t n, std::uint64_t tile) {
    std::vector<std::uint64_t> elements{n};
    while (elements.back() > tile) elements.push_back(divide_up(elements.back(), tile));
    return elements;
}

/// Places the sums of each level behind one another, every array beginning at a multiple of 64 values.
class scratch_layout {
public:
    UPSWEEP_INLINE explicit scratch_layout(launch_plan& s)
        : plan_(s) {}
    UPSWEEP_INLINE void add(std::uint64_t values) {
        plan_.sums_offsets.push_back(end_);
        const std::uint64_t blocks = divide_up(values, 64);
        end_ = blocks > (most - end_) / 64 ? most : end_ + blocks * 64;
    }
    void finish(std::size_t value_size) { plan_.scratch_bytes = end_ > most / value_size ? most : end_ * value_size; }

private:
    /// More than any device has, and what sizes beyond 64 bits count as.
    static constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)();

    launch_plan& plan_;
    std::uint64_t end_ = 0;
};

} // namespace upsweep::detail
