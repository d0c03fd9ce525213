// SPDX-License-Identifier: MIT
// Scratch of the caller's for plans.
#pragma once

#include "support.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace test {

/// Scratch of exactly the size that a plan asks for, at the start of a buffer.
class plan_scratch {
public:
    template <class Plan>
    explicit plan_scratch(const Plan& plan)
        : bytes_(plan.workspace_bytes())
        , memory_(bytes_ + behind, 0) {}

    upsweep::span<unsigned char> workspace() const { return memory_.view(bytes_); }
    bool is_intact_behind() const {
        const std::vector<unsigned char> all = memory_.values();
        return std::count(all.end() - behind, all.end(), memory_.poison) == behind;
    }

private:
    static constexpr std::ptrdiff_t behind = 64;
    std::size_t bytes_;
    guarded_array<unsigned char> memory_;
};

} // namespace test
