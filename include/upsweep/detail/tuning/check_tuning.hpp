// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/tuning/memory.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>
#include <upsweep/tuning.hpp>

#include <cstdint>
#include <string>

namespace upsweep::detail {

[[noreturn]] inline void reject(const char* function, const std::string& what) {
    throw error(function, "options", what);
}

/// What a tuning is chosen for; made once for each choice. Valid as long as what it refers to.
struct tuning_request {
    const char* function; ///< that errors name
    const options& opts;
    const device_limits& device;
    const problem_size& problem;

    [[noreturn]] void refuse(const std::string& what) const { reject(function, what); }
};

/// Makes kernels use a device's sub-groups.
UPSWEEP_INLINE void use_lanes(tuning& t, const device_limits& device) {
    t.lanes = device.lanes;
    t.ptx = device.lanes == lanes_backend::ptx;
    t.struct_words = t.ptx;
    t.sub_group_size = device.sub_group_size;
    t.opencl_c = device.opencl_c;
}

/// Whether a caller leaves open how the launches of a reduction are divided, but for what sub-groups alone have.
UPSWEEP_INLINE bool leaves_division_open(const options& opts) {
    return opts.strategy == strategy::automatic && opts.reduction == tree_reduce::automatic &&
           opts.loading == tile_loading::automatic && opts.work_items == 0 && opts.items == 0 && opts.work_groups == 0;
}

UPSWEEP_INLINE void check_work_group(const char* function, const tuning& t, const device_limits& device) {
    const auto refuse = [&](const std::string& cause) {
        reject(function, std::to_string(t.work_items) + " work-items per work-group" + cause);
    };
    if (!is_power_of_two(t.work_items)) refuse(": must be a power of two");
    if (t.work_items > device.max_work_group_size)
        refuse(", but device " + device.name + " allows " + std::to_string(device.max_work_group_size));
    if (t.work_items == 2 && device.aborts_on_pairs)
        refuse(": PoCL's compiler may end the process; POCL_WORK_GROUP_METHOD=loopvec avoids it");
}

/// Rejects what a device cannot run.
UPSWEEP_INLINE void check_tuning(const char* function, const tuning& t, const device_limits& device,
                                 const problem_size& problem) {
    const auto number = [](std::uint64_t x) { return std::to_string(x); };
    check_work_group(function, t, device);
    if ((t.items > 4096 && t.work_items > 1) || std::uint64_t{t.work_items} * t.items > (1U << 24))
        reject(function, "tiles of " + number(t.work_items) + " x " + number(t.items) +
                             " elements: at most 4096 elements per work-item and 2^24 per tile");
    const std::uint64_t local = local_bytes(t, problem.value_size, problem);
    const bool in_lanes = t.algorithm == tile_algorithm::sub_group;
    const std::uint64_t available = in_lanes ? device.tile_memory_bytes : device.local_memory_bytes;
    if (local > available)
        reject(function, number(t.work_items) + " work-items x " + number(t.items) + " elements need " + number(local) +
                             " bytes of local memory, but device " + device.name + " has " + number(available));
    const std::uint64_t own = private_bytes(t, device, problem.value_size);
    if (own > most_private_bytes)
        reject(function, "values of " + number(problem.value_size) + " bytes take about " + number(own) +
                             " bytes of private memory with " + number(t.work_items) + " work-items x " +
                             number(t.items) + " elements: at most " + number(most_private_bytes));
    if (t.strategy == strategy::single_tile && problem.n > t.tile())
        reject(function, "strategy single_tile: " + number(problem.n) + " elements do not fit one tile of " +
                             number(t.work_items) + " work-items x " + number(t.items) + " elements");
    if (problem.stores_once && !stores_once(t.strategy))
        reject(function, std::string("strategy ") + to_string(t.strategy) +
                             " stores results twice, but here they decide where something is written");
    if (problem.is_counted && !has_input(t.strategy))
        reject(function, std::string("strategy ") + to_string(t.strategy) +
                             " is none for elements whose number is read on the device");
    if (problem.has_operands && !has_input(t.strategy))
        reject(function, std::string("strategy ") + to_string(t.strategy) + " is none for operators with parameters");
    if (t.strategy == strategy::look_back && !device.has_atomics64)
        reject(function, "strategy look_back needs cl_khr_int64_base_atomics, which device " + device.name + " lacks");
    if (t.strategy != strategy::single_tile && t.strategy != strategy::look_back && t.strategy != strategy::chunked &&
        t.tile() < 2)
        reject(function, "tiles of one element: sums would never get fewer");
}

} // namespace upsweep::detail
