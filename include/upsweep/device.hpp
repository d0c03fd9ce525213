#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/opencl/sub_groups.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace upsweep {

/// A device as listed by `devices()`.
struct device_info {
    cl::Device device;
    std::string name;
    std::string platform;
    std::string driver;
    cl_device_type type = 0;

    friend std::ostream& operator<<(std::ostream& out, const device_info& d) {
        const char* kind = d.type & CL_DEVICE_TYPE_GPU ? "GPU" : d.type & CL_DEVICE_TYPE_CPU ? "CPU" : "other";
        return out << d.name << " (" << kind << ", " << d.platform << ", driver " << d.driver << ')';
    }
};

namespace detail {

inline std::vector<cl_platform_id> platforms(const char* function) {
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

inline device_limits read_limits(const char* function, cl_device_id device) {
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
    limits.has_ptx = extensions.find("cl_nv_device_attribute_query") != std::string::npos;
    // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, ..._MINOR_NV
    const cl_uint capability = limits.has_ptx ? 10 * number(cl_uint{}, 0x4000) + number(cl_uint{}, 0x4001) : cl_uint{0};
    limits.has_async_copy = capability >= 80;
    if (limits.has_ptx)
        limits.lanes = lanes_backend::ptx;
    else
        choose_sub_groups(limits, ask_sub_groups(function, device, extensions), std::getenv("UPSWEEP_SUB_GROUPS"));
    limits.compute_units = number(cl_uint{}, CL_DEVICE_MAX_COMPUTE_UNITS);
    limits.max_work_group_size = number(std::size_t{}, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    limits.local_memory_bytes = number(cl_ulong{}, CL_DEVICE_LOCAL_MEM_SIZE);
    // NVIDIA's compiler accepts as much local memory as CUDA offers a block, though the device reports 48 KiB. Tested
    // with compute capability 9.0 and driver 580 only.
    const std::string driver = get_string(function, call, clGetDeviceInfo, device, CL_DRIVER_VERSION);
    limits.tile_memory_bytes = capability == 90 && std::atoi(driver.c_str()) >= 580
                                   ? std::max<std::uint64_t>(limits.local_memory_bytes, 227 << 10)
                                   : limits.local_memory_bytes;
    limits.max_allocation_bytes = number(cl_ulong{}, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    const std::string platform = get_string(function, "clGetPlatformInfo", clGetPlatformInfo,
                                            number(cl_platform_id{}, CL_DEVICE_PLATFORM), CL_PLATFORM_NAME);
    if (platform.find("rusticl") != std::string::npos) limits.rusticl = driver;
    return limits;
}

/// The snapshot of a device's limits, taken once per process. The table is never destroyed: code that runs at exit may
/// still use it.
inline const device_limits& limits_of(const char* function, cl_device_id device) {
    static std::mutex* const lock = new std::mutex;
    static auto* const known = new std::map<cl_device_id, std::unique_ptr<device_limits>>;
    const std::lock_guard<std::mutex> guard(*lock);
    std::unique_ptr<device_limits>& entry = (*known)[device];
    if (!entry) entry = std::make_unique<device_limits>(read_limits(function, device));
    return *entry;
}

} // namespace detail

/// Every OpenCL device of the machine; empty when there is none. A platform that cannot list its devices is left out.
inline std::vector<device_info> devices() {
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

/// The device `default_queue` uses: the first GPU, else the first accelerator, else the first CPU. The environment
/// variable `UPSWEEP_DEVICE`, when set, narrows the choice to devices whose name or platform contains its text.
/// @throws upsweep::error when there is none; the error lists the devices that there are
inline device_info default_device() {
    const char* text = std::getenv("UPSWEEP_DEVICE");
    const std::string part = text ? text : "";
    const auto rank = [](const device_info& d) {
        return d.type & CL_DEVICE_TYPE_GPU ? 3 : d.type & CL_DEVICE_TYPE_ACCELERATOR ? 2 : 1;
    };
    device_info best;
    int best_rank = 0;
    std::ostringstream others;
    for (device_info& d : devices()) {
        others << "\n  " << d;
        const bool matches = d.name.find(part) != std::string::npos || d.platform.find(part) != std::string::npos;
        if (!matches || rank(d) <= best_rank) continue;
        best_rank = rank(d);
        best = std::move(d);
    }
    if (best_rank == 0)
        throw error("default_device", "OpenCL devices",
                    part.empty() ? "none found; install a driver, such as PoCL for the CPU"
                                 : "none whose name or platform contains UPSWEEP_DEVICE=\"" + part +
                                       "\"; there are:" + (others.str().empty() ? " none" : others.str()));
    return best;
}

namespace detail {

inline cl_command_queue create_queue(const char* function, cl_context context, cl_device_id device,
                                     cl_command_queue_properties properties) {
    cl_int status = CL_SUCCESS;
    // The 1.0 call: every implementation has it, deprecated or not, whatever version the user compiles for.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#elif defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4996)
#endif
    cl_command_queue queue = clCreateCommandQueue(context, device, properties, &status);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
    check_status(status, function, "clCreateCommandQueue");
    return queue;
}

} // namespace detail

/// A new in-order queue on the default device. All such queues share one context, which lives as long as the process.
/// @param properties  OpenCL queue properties, such as CL_QUEUE_PROFILING_ENABLE
/// @throws upsweep::error when there is no device
inline cl::CommandQueue default_queue(cl_command_queue_properties properties = 0) {
    struct shared {
        cl_device_id device = nullptr;
        cl_context context = nullptr;
    };
    // Not destroyed at exit, when the driver may be gone already.
    static const shared* const common = [] {
        auto made = std::make_unique<shared>();
        made->device = default_device().device();
        cl_int status = CL_SUCCESS;
        made->context = clCreateContext(nullptr, 1, &made->device, nullptr, nullptr, &status);
        detail::check_status(status, "default_queue", "clCreateContext");
        return made.release();
    }();
    return cl::CommandQueue(detail::create_queue("default_queue", common->context, common->device, properties));
}

} // namespace upsweep
