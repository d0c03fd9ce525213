// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::detail {

/// Whether a device's sub-groups of so many work-items can be cut into groups of 32 lanes (lanes.cl).
constexpr bool holds_lanes(std::size_t sub_group_size) {
    return sub_group_size == 32 || sub_group_size == 64 || sub_group_size == 128;
}

/// What a device says of its sub-groups.
struct sub_group_facts {
    std::string extensions;
    std::string version;            ///< CL_DEVICE_VERSION: "OpenCL 3.0 ..."
    std::vector<std::size_t> sizes; ///< that kernels may ask for; empty: they may not
};

/// Fills in by which interface kernels may use the device's sub-groups, if by any. Pure.
/// @param only  narrows the choice to "khr", "intel" or, any other text, nothing; empty: to what is sound
UPSWEEP_INLINE void choose_sub_groups(device_limits& limits, const sub_group_facts& facts, std::string_view only = {}) {
    const auto has = [&](const char* extension) { return facts.extensions.find(extension) != std::string::npos; };
    const auto may_be = [&](std::string_view name) { return only.empty() || only == name; };
    const auto offers = [&](std::size_t size) {
        return std::find(facts.sizes.begin(), facts.sizes.end(), size) != facts.sizes.end();
    };
    const char generation =
        facts.version.compare(0, 7, "OpenCL ") == 0 && facts.version.size() > 7 ? facts.version[7] : '1';
    // PoCL 4 to 7 turn all these functions into barriers of the work-group, which sub-groups would not reach together.
    if (only.empty() && facts.version.find("PoCL") != std::string::npos) return;
    const std::uint32_t size = offers(32) ? 32 : offers(64) ? 64 : 0;
    // Kernels that may ask, but not for such a size, would be given a narrower one.
    if (size == 0 && !facts.sizes.empty()) return;
    if (may_be("khr") && has("cl_khr_subgroup_shuffle") && has("cl_khr_subgroup_ballot") && generation >= '2') {
        limits.lanes = lanes_backend::khr;
        limits.opencl_c = generation == '2' ? 20 : 30;
        limits.sub_group_size = size;
    } else if (may_be("intel") && has("cl_intel_subgroups") && size == sub_group_lanes) {
        limits.lanes = lanes_backend::intel;
        limits.sub_group_size = size;
    }
}

/// Asks the device. Nothing of it is an error: a device that cannot say has no lanes.
UPSWEEP_INLINE sub_group_facts ask_sub_groups(const char* function, cl_device_id device, std::string extensions) {
    constexpr cl_device_info sub_group_sizes_intel = 0x4108; // CL_DEVICE_SUB_GROUP_SIZES_INTEL
    sub_group_facts facts;
    facts.version = get_string(function, "clGetDeviceInfo", clGetDeviceInfo, device, CL_DEVICE_VERSION);
    std::size_t bytes = 0;
    if (extensions.find("cl_intel_required_subgroup_size") != std::string::npos &&
        clGetDeviceInfo(device, sub_group_sizes_intel, 0, nullptr, &bytes) == CL_SUCCESS) {
        facts.sizes.resize(bytes / sizeof(std::size_t));
        if (clGetDeviceInfo(device, sub_group_sizes_intel, bytes, facts.sizes.data(), nullptr) != CL_SUCCESS)
            facts.sizes.clear();
    }
    facts.extensions = std::move(extensions);
    return facts;
}

/// Work-items per sub-group of a built kernel, for work-groups of `work_items`; 0 if the driver cannot report it.
/// Kernels may get another size than the device's other kernels, so it is asked of each.
UPSWEEP_INLINE std::size_t sub_group_size_of(cl_kernel kernel, cl_device_id device, std::size_t work_items) {
    // The OpenCL 2.1 call under its older name, since the user's headers and loader may not have it.
    using query = cl_int(CL_API_CALL*)(cl_kernel, cl_device_id, cl_uint, std::size_t, const void*, std::size_t, void*,
                                       std::size_t*);
    constexpr cl_uint max_sub_group_size_for_ndrange = 0x2033; // CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE
    cl_platform_id platform = nullptr;
    if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr) != CL_SUCCESS) return 0;
    for (const char* name : {"clGetKernelSubGroupInfoKHR", "clGetKernelSubGroupInfo"}) {
        const auto ask = reinterpret_cast<query>(clGetExtensionFunctionAddressForPlatform(platform, name));
        std::size_t size = 0;
        if (ask && ask(kernel, device, max_sub_group_size_for_ndrange, sizeof work_items, &work_items, sizeof size,
                       &size, nullptr) == CL_SUCCESS)
            return size;
    }
    return 0;
}

} // namespace upsweep::detail
