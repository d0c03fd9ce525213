// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/plan/plan.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>

#include <cstdint>
#include <string>

/// Numbers of elements that a launch plan is not for.
namespace upsweep::detail {

/// @param bytes  of scratch that `n` elements need
UPSWEEP_INLINE void check_scratch_bytes(const char* function, std::uint64_t n, std::uint64_t bytes,
                                        const device_limits& limits) {
    if (bytes > limits.max_allocation_bytes)
        throw error(function, "n",
                    std::to_string(n) + " elements need " + std::to_string(bytes) + " bytes of scratch, but device " +
                        limits.name + " allocates at most " + std::to_string(limits.max_allocation_bytes));
}

/// Refuses more tiles than their numbers are made for, more parts of a reduction by sub-groups (reduce_lanes.cl), and
/// more scratch than the device allocates.
UPSWEEP_INLINE void check_scratch(const char* function, const launch_plan& s, const device_limits& limits) {
    const auto refuse = [&](const char* what) {
        throw error(function, "n", std::to_string(s.n) + " elements make more than " + what);
    };
    for (const pass& p : s.passes) {
        if (p.what == pass::kind::look_back && p.work_groups >= 0xffffffffU) refuse("2^32 tiles of strategy look_back");
        if (p.what == pass::kind::reduce_once && s.n / s.chunk >= std::uint64_t{1} << 31)
            refuse("2^31 parts of a reduction by sub-groups");
    }
    check_scratch_bytes(function, s.n, s.scratch_bytes, limits);
}

} // namespace upsweep::detail
