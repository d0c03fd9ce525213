// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::detail {

/// Work-items in a sub-group, as kernels use it: a device's own may be two or four times as wide (lanes.cl).
constexpr std::uint32_t sub_group_lanes = 32;

/// The interface by which kernels use sub-groups; see lanes.cl.
enum class lanes_backend { none, ptx, khr, intel };

UPSWEEP_INLINE bool are_sub_groups(lanes_backend lanes) {
    return lanes == lanes_backend::khr || lanes == lanes_backend::intel;
}

/// What planning needs to know of a device: one snapshot, plain values.
struct device_limits {
    std::string name;
    bool is_cpu = false;
    bool has_double = false;
    bool has_half = false;
    bool has_atomics64 = false;  ///< cl_khr_int64_base_atomics
    bool has_ptx = false;        ///< takes the inline PTX of kernels: NVIDIA, compute capability 7.0 and up
    bool has_async_copy = false; ///< cp.async: NVIDIA, compute capability 8.0 and up
    lanes_backend lanes = lanes_backend::none;
    std::uint32_t sub_group_size = 0; ///< with `lanes` khr or intel: what kernels ask for; 0: they may not ask
    std::uint32_t opencl_c = 12;      ///< with `lanes`: the OpenCL C that they need, 12, 20 or 30
    std::uint32_t compute_units = 1;  ///< never 0
    std::size_t max_work_group_size = 1;
    std::uint64_t local_memory_bytes = 0;
    std::uint64_t tile_memory_bytes = 0; ///< the same for kernels of sub-groups, which may use more than is reported
    std::uint64_t max_allocation_bytes = 0;
    std::uint32_t base_alignment = 1; ///< of a buffer's first element, in bytes
    bool uses_host_memory = false;    ///< kernels read and write it where it is: no copy is needed
    bool aborts_on_pairs = false;     ///< its compiler may end the process for work-groups of two work-items
    bool mixes_up_work_items = false; ///< its compiler may be wrong for work-groups of several: they have one then
    bool ends_loops = false;          ///< it ends the loops of a work-item too early, silently, where they are long
    std::string
        rusticl; ///< the version of Mesa's rusticl, whose faults with structs rusticl.hpp names; empty elsewhere
};

/// As many work-items as are wanted, or as a work-group may have.
UPSWEEP_INLINE std::uint32_t work_items_up_to(std::uint32_t wanted, const device_limits& device) {
    return device.max_work_group_size < wanted ? static_cast<std::uint32_t>(device.max_work_group_size) : wanted;
}

/// The most work-items that a work-group should have.
UPSWEEP_INLINE std::size_t most_work_items(const device_limits& device) {
    return device.mixes_up_work_items ? 1 : device.max_work_group_size;
}

} // namespace upsweep::detail
