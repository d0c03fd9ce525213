#pragma once

#include <upsweep/error.hpp>
#include <upsweep/span.hpp>

#include <string>

namespace upsweep::detail {

/// The name of an OpenCL status code; the number itself where it has no name here.
inline std::string status_name(cl_int status) {
    switch (status) {
    case CL_DEVICE_NOT_FOUND:
        return "CL_DEVICE_NOT_FOUND";
    case CL_DEVICE_NOT_AVAILABLE:
        return "CL_DEVICE_NOT_AVAILABLE";
    case CL_COMPILER_NOT_AVAILABLE:
        return "CL_COMPILER_NOT_AVAILABLE";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
    case CL_OUT_OF_RESOURCES:
        return "CL_OUT_OF_RESOURCES";
    case CL_OUT_OF_HOST_MEMORY:
        return "CL_OUT_OF_HOST_MEMORY";
    case CL_BUILD_PROGRAM_FAILURE:
        return "CL_BUILD_PROGRAM_FAILURE";
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
        return "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
    case CL_INVALID_VALUE:
        return "CL_INVALID_VALUE";
    case CL_INVALID_DEVICE:
        return "CL_INVALID_DEVICE";
    case CL_INVALID_CONTEXT:
        return "CL_INVALID_CONTEXT";
    case CL_INVALID_COMMAND_QUEUE:
        return "CL_INVALID_COMMAND_QUEUE";
    case CL_INVALID_MEM_OBJECT:
        return "CL_INVALID_MEM_OBJECT";
    case CL_INVALID_BUFFER_SIZE:
        return "CL_INVALID_BUFFER_SIZE";
    case CL_INVALID_KERNEL_ARGS:
        return "CL_INVALID_KERNEL_ARGS";
    case CL_INVALID_WORK_GROUP_SIZE:
        return "CL_INVALID_WORK_GROUP_SIZE";
    case CL_INVALID_EVENT:
        return "CL_INVALID_EVENT";
    case CL_INVALID_EVENT_WAIT_LIST:
        return "CL_INVALID_EVENT_WAIT_LIST";
    default:
        return "OpenCL status " + std::to_string(status);
    }
}

/// The one place where an OpenCL status becomes an exception.
inline void check_status(cl_int status, const char* function, const char* call) {
    if (status != CL_SUCCESS) throw error(function, call, status_name(status), status);
}

/// Reads a fixed-size property with any clGet*Info function.
template <class T, class Get, class Handle>
T get_info(const char* function, const char* call, Get get, Handle handle, cl_uint what) {
    T value{};
    check_status(get(handle, what, sizeof value, &value, nullptr), function, call);
    return value;
}

/// Reads a string property with any clGet*Info function.
template <class Get, class Handle>
std::string get_string(const char* function, const char* call, Get get, Handle handle, cl_uint what) {
    std::size_t size = 0;
    check_status(get(handle, what, 0, nullptr, &size), function, call);
    std::string text(size, '\0');
    if (size > 0) check_status(get(handle, what, size, &text[0], nullptr), function, call);
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
}

} // namespace upsweep::detail
