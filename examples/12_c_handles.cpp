// SPDX-License-Identifier: MIT
// A program that has handles of OpenCL's C interface, and keeps them: cl_command_queue, cl_mem and cl_event are taken
// as they are. Nothing of the C++ bindings is needed here but what a call returns.
#include <upsweep/upsweep.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

void check(cl_int status, const char* what) {
    if (status == CL_SUCCESS) return;
    std::fprintf(stderr, "%s: OpenCL status %d\n", what, status);
    std::exit(1);
}

} // namespace

int main() try {
    cl_device_id device = upsweep::default_device().device(); // or any other way to get one
    cl_int status = CL_SUCCESS;
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");

    const std::vector<cl_int> in{3, 1, 7, 0, 4, 1, 6, 3};
    const std::size_t n = in.size(), bytes = n * sizeof(cl_int);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
    check(status, "clCreateBuffer");
    cl_event uploaded = nullptr;
    check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, bytes, in.data(), 0, nullptr, &uploaded),
          "clEnqueueWriteBuffer");

    const upsweep::span<cl_int> x(buffer, n);
    const std::vector<cl_event> before{uploaded};
    const cl::Event scanned = upsweep::exclusive_scan(queue, x, x, 0, upsweep::plus{}, upsweep::after(before));

    // `scanned` releases its handle at the end of its scope, as every cl::Event does.
    const cl_event after_scan = scanned();
    std::vector<cl_int> out(n);
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, out.data(), 1, &after_scan, nullptr),
          "clEnqueueReadBuffer");
    for (const cl_int value : out) std::printf("%d ", value);
    std::printf("\n");

    upsweep::release_cached(context); // programs and scratch memory that the library keeps for the context
    clReleaseEvent(uploaded);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return out == std::vector<cl_int>{0, 3, 4, 11, 11, 15, 16, 22} ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
