// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep::detail {

/// Divides n elements by the speeds of those that take them. Parts begin at multiples of the largest power of two that
/// is at most n / 256 for each part, so that a part is few aligned blocks (blocks.hpp). Speeds are not negative, and
/// one at least is not zero.
UPSWEEP_INLINE std::vector<std::uint64_t> split_by_speed(std::uint64_t n, const std::vector<double>& speeds) {
    double all = 0;
    for (double speed : speeds) all += speed;
    std::uint64_t step = 1;
    while (step < n / 256 / speeds.size()) step *= 2;
    std::vector<std::uint64_t> counts;
    double before = 0;
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < speeds.size(); ++i) {
        before += speeds[i];
        const double steps = before / all * static_cast<double>(n) / static_cast<double>(step) + 0.5;
        const bool is_last = i + 1 == speeds.size();
        const std::uint64_t end = is_last ? n : (std::min)(n, static_cast<std::uint64_t>(steps) * step);
        counts.push_back((std::max)(begin, end) - begin);
        begin = (std::max)(begin, end);
    }
    return counts;
}

} // namespace upsweep::detail
