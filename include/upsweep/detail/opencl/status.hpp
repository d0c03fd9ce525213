// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/detail/opencl/status_name.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>

#include <string>

namespace upsweep::detail {

/// The one place where an OpenCL status becomes an exception.
UPSWEEP_INLINE void check_status(cl_int status, const char* function, const char* call) {
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
