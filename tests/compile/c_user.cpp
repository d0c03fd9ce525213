// SPDX-License-Identifier: MIT
// A program in the manner of C, written for OpenCL 1.2, that also uses upsweep.
#if defined(C_HEADER_FIRST)
#include <CL/cl.h>
#endif
#include <upsweep/upsweep.hpp>
#if !defined(C_HEADER_FIRST)
#include <CL/cl.h>
#endif

#include <vector>

#if CL_TARGET_OPENCL_VERSION != 120
#error "upsweep must leave the user's choice as it is"
#endif

int main() {
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    const cl::CommandQueue some = upsweep::default_queue();
    clGetCommandQueueInfo(some(), CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
    clGetCommandQueueInfo(some(), CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr); // deprecated from 2.0 on only
    const std::vector<int> in{3, 1, 7, 0, 4, 1, 6, 3};
    const int sum = upsweep::reduce(queue, in.begin(), in.end());
    clReleaseCommandQueue(queue);
    return sum == 25 ? 0 : 1;
}
