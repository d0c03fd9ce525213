// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/opencl/pocl.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/opencl/sub_groups.hpp>
#include <upsweep/detail/values/environment.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>

namespace upsweep::detail {

/// Whether the device's memory is the host's.
UPSWEEP_INLINE bool has_unified_memory(const char* function, cl_device_id device) {
    constexpr cl_uint host_unified_memory = 0x1035; // CL_DEVICE_HOST_UNIFIED_MEMORY, of OpenCL 1.1
    return get_info<cl_bool>(function, "clGetDeviceInfo", clGetDeviceInfo, device, host_unified_memory) != CL_FALSE;
}

/// From which on NVIDIA devices take the PTX of kernels: Volta's, for relaxed accesses and fences of device scope (PTX
/// ISA, sections of ld, st and fence: "requires sm_70 or higher"). Addresses are of 64 bits there.
constexpr cl_uint least_ptx_capability = 70;

UPSWEEP_INLINE device_limits read_limits(const char* function, cl_device_id device) {
    const char* call = "clGetDeviceInfo";
    const auto number = [&](auto zero, cl_uint what) {
        return get_info<decltype(zero)>(function, call, clGetDeviceInfo, device, what);
    };
    const std::string extensions = get_string(function, call, clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS);
    device_limits limits;
    limits.name = get_string(function, call, clGetDeviceInfo, device, CL_DEVICE_NAME);
    limits.is_cpu = (number(cl_device_type{}, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    limits.has_double = extensions.find("cl_khr_fp64") != std::string::npos;
    limits.has_half = extensions.find("cl_khr_fp16") != std::string::npos;
    limits.has_atomics64 = extensions.find("cl_khr_int64_base_atomics") != std::string::npos;
    const bool has_capability = extensions.find("cl_nv_device_attribute_query") != std::string::npos;
    // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, ..._MINOR_NV
    const cl_uint capability = has_capability ? 10 * number(cl_uint{}, 0x4000) + number(cl_uint{}, 0x4001) : cl_uint{0};
    limits.has_ptx = capability >= least_ptx_capability && number(cl_uint{}, CL_DEVICE_ADDRESS_BITS) == 64;
    limits.has_async_copy = capability >= 80;
    if (limits.has_ptx)
        limits.lanes = lanes_backend::ptx;
    else
        choose_sub_groups(limits, ask_sub_groups(function, device, extensions), environment("UPSWEEP_SUB_GROUPS"));
    limits.compute_units = (std::max)(number(cl_uint{}, CL_DEVICE_MAX_COMPUTE_UNITS), cl_uint{1});
    limits.max_work_group_size = number(std::size_t{}, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    limits.local_memory_bytes = number(cl_ulong{}, CL_DEVICE_LOCAL_MEM_SIZE);
    // NVIDIA's compiler accepts as much local memory as CUDA offers a block, though the device reports 48 KiB. Tested
    // with compute capability 9.0 and driver 580 only.
    const std::string driver = get_string(function, call, clGetDeviceInfo, device, CL_DRIVER_VERSION);
    limits.tile_memory_bytes = capability == 90 && std::atoi(driver.c_str()) >= 580
                                   ? std::max<std::uint64_t>(limits.local_memory_bytes, 227 << 10)
                                   : limits.local_memory_bytes;
    limits.max_allocation_bytes = number(cl_ulong{}, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    const std::string platform = platform_of(function, device);
    if (platform.find("rusticl") != std::string::npos) limits.rusticl = driver;
    limits.ends_loops = limits.is_cpu && !limits.rusticl.empty(); // llvmpipe
    if (limits.is_cpu && is_pocl(platform)) {
        const std::string_view method = environment("POCL_WORK_GROUP_METHOD");
        limits.aborts_on_pairs = replicates_pairs(driver, method);
        limits.mixes_up_work_items = mixes_up_work_items(driver, method);
        if (limits.mixes_up_work_items) limits.lanes = lanes_backend::none;
    }
    limits.base_alignment = (std::max)(number(cl_uint{}, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8, 1U);
    // Mesa's rusticl copies host memory.
    limits.uses_host_memory = limits.rusticl.empty() && (limits.is_cpu || has_unified_memory(function, device));
    return limits;
}

/// The snapshot of a device's limits, taken once per process. The table is never destroyed: code that runs at exit may
/// still use it.
UPSWEEP_INLINE const device_limits& limits_of(const char* function, cl_device_id device) {
    struct known_device {
        cl_device_id id;
        device_limits limits;
        const known_device* next;
    };
    static std::mutex* const lock = new std::mutex;
    static const known_device* known = nullptr;
    const std::lock_guard<std::mutex> guard(*lock);
    for (const known_device* each = known; each; each = each->next)
        if (each->id == device) return each->limits;
    known = new known_device{device, read_limits(function, device), known};
    return known->limits;
}

} // namespace upsweep::detail
