// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/create_queue.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/values/environment.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/print.hpp>
#include <upsweep/device.hpp>
#include <upsweep/error.hpp>

#include <exception>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace upsweep {

namespace detail {

UPSWEEP_INLINE std::string text_of(const device_info& d) {
    const char* kind = d.type & CL_DEVICE_TYPE_GPU ? "GPU" : d.type & CL_DEVICE_TYPE_CPU ? "CPU" : "other";
    return d.name + " (" + kind + ", " + d.platform + ", driver " + d.driver + ')';
}

/// Whether the device takes work, and has a compiler for it.
UPSWEEP_INLINE bool is_ready(const char* function, cl_device_id device) {
    const auto says = [&](cl_uint what) {
        return get_info<cl_bool>(function, "clGetDeviceInfo", clGetDeviceInfo, device, what) != CL_FALSE;
    };
    return says(CL_DEVICE_AVAILABLE) && says(CL_DEVICE_COMPILER_AVAILABLE);
}

} // namespace detail

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED std::ostream& operator<<(std::ostream& out, const device_info& d) {
    return detail::print(out, detail::text_of(d));
}

} // namespace UPSWEEP_VERSION_NAMESPACE

namespace detail {

UPSWEEP_INLINE std::vector<cl_platform_id> platforms(const char* function) {
    cl_uint count = 0;
    const cl_int status = clGetPlatformIDs(0, nullptr, &count);
    // The loader reports "none installed" as an error of its own; for a listing that is an empty one.
    constexpr cl_int platform_not_found = -1001;
    if (status == platform_not_found) return {};
    check_status(status, function, "clGetPlatformIDs");
    if (count == 0) return {};
    std::vector<cl_platform_id> all(count);
    check_status(clGetPlatformIDs(count, all.data(), nullptr), function, "clGetPlatformIDs");
    return all;
}

} // namespace detail

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED std::vector<device_info> devices() {
    const char* function = "devices";
    std::vector<device_info> found;
    for (cl_platform_id platform : detail::platforms(function)) {
        cl_uint count = 0;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
        std::vector<cl_device_id> ids(count);
        detail::check_status(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr), function,
                             "clGetDeviceIDs");
        for (cl_device_id id : ids) {
            const auto text = [&](cl_uint what) {
                return detail::get_string(function, "clGetDeviceInfo", clGetDeviceInfo, id, what);
            };
            device_info info;
            try {
                info.device = cl::Device(id, true);
            } catch (const std::exception& e) { // the bindings' own, where the user enabled them
                throw error(function, "clRetainDevice", e.what());
            }
            info.name = text(CL_DEVICE_NAME);
            info.driver = text(CL_DRIVER_VERSION);
            info.platform =
                detail::get_string(function, "clGetPlatformInfo", clGetPlatformInfo, platform, CL_PLATFORM_NAME);
            info.type =
                detail::get_info<cl_device_type>(function, "clGetDeviceInfo", clGetDeviceInfo, id, CL_DEVICE_TYPE);
            found.push_back(std::move(info));
        }
    }
    return found;
}

UPSWEEP_DEFINED device_info default_device() {
    const std::string part(detail::environment("UPSWEEP_DEVICE"));
    const auto rank = [](const device_info& d) {
        return d.type & CL_DEVICE_TYPE_GPU ? 3 : d.type & CL_DEVICE_TYPE_ACCELERATOR ? 2 : 1;
    };
    device_info best;
    int best_rank = 0;
    std::string others;
    for (device_info& d : devices()) {
        const bool is_ready = detail::is_ready("default_device", d.device());
        others += "\n  " + detail::text_of(d) + (is_ready ? "" : ", not available");
        const bool matches = d.name.find(part) != std::string::npos || d.platform.find(part) != std::string::npos;
        if (!is_ready || !matches || rank(d) <= best_rank) continue;
        best_rank = rank(d);
        best = std::move(d);
    }
    if (best_rank == 0)
        throw error("default_device", "OpenCL devices",
                    others.empty() ? "none found; install a driver, such as PoCL for the CPU"
                    : part.empty() ? "none is available; there are:" + others
                                   : "none whose name or platform contains UPSWEEP_DEVICE=\"" + part +
                                         "\" is available; there are:" + others);
    return best;
}

UPSWEEP_DEFINED cl::CommandQueue default_queue(cl_command_queue_properties properties) {
    struct shared {
        cl_device_id device = nullptr;
        cl_context context = nullptr;
    };
    // Not destroyed at exit, when the driver may be gone already.
    static const shared* const common = [] {
        shared made;
        made.device = default_device().device();
        cl_int status = CL_SUCCESS;
        made.context = clCreateContext(nullptr, 1, &made.device, nullptr, nullptr, &status);
        detail::check_status(status, "default_queue", "clCreateContext");
        return new shared(made);
    }();
    return cl::CommandQueue(detail::create_queue("default_queue", common->context, common->device, properties));
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep
