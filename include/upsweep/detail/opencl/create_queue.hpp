// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/values/inline.hpp>

namespace upsweep::detail {

UPSWEEP_INLINE cl_command_queue create_queue(const char* function, cl_context context, cl_device_id device,
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

} // namespace upsweep::detail
