// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdlib>
#include <string>
#include <string_view>

// What the library does otherwise on PoCL.

namespace upsweep::detail {

UPSWEEP_INLINE std::string platform_of(const char* function, cl_device_id device) {
    const auto platform =
        get_info<cl_platform_id>(function, "clGetDeviceInfo", clGetDeviceInfo, device, CL_DEVICE_PLATFORM);
    return get_string(function, "clGetPlatformInfo", clGetPlatformInfo, platform, CL_PLATFORM_NAME);
}

UPSWEEP_INLINE bool is_pocl(std::string_view platform) {
    return platform == "Portable Computing Language";
}

/// Whether PoCL writes a kernel out for each work-item of groups of two, which ends the process for some kernels
/// ("Could not find a dominating alternative variable"). It does before 7.0, unless told to make loops; from 5.0 on,
/// work-groups have one work-item there.
/// @param method  the value of POCL_WORK_GROUP_METHOD
UPSWEEP_INLINE bool replicates_pairs(const std::string& driver, std::string_view method) {
    const int version = std::atoi(driver.c_str());
    const bool continues = method == "cbs" && version >= 4; // versions before do not know it, and do as if not told
    return version < 5 && method != "loops" && method != "loopvec" && !continues;
}

/// Whether PoCL's compiler may give all work-items of a work-group the value that one of them keeps across a barrier,
/// in some builds of a kernel and not in others (tests/reproducers/pocl_lost_context.c). Since 5.0, unless told to make
/// continuations; 7.2 still has the cause.
UPSWEEP_INLINE bool mixes_up_work_items(const std::string& driver, std::string_view method) {
    return std::atoi(driver.c_str()) >= 5 && method != "cbs";
}

} // namespace upsweep::detail
