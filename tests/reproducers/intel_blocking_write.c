// SPDX-License-Identifier: MIT
// Intel's CPU runtime (2026.22.10): in an out-of-order queue, clEnqueueWriteBuffer of less than about 1000 bytes
// returns before it has written, although it is asked to block. Here it writes after the kernel that is enqueued next,
// over what that has written. Waiting for the write's event, or clFinish, helps.
//
//     cc intel_blocking_write.c -o blocking_write -lOpenCL && taskset -c 0 ./blocking_write Intel
//
// Right: "after the kernel: 1". Exit status 1 where it is 7.
#include "common.h"

int main(int argc, char** argv) {
    const char* source = "__kernel void run(__global uint* x) { x[get_global_id(0)] = 1; }";
    const size_t count = 16;
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Intel");
    cl_int status = CL_SUCCESS;
    cl_context context;
    cl_command_queue queue = create_queue(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &context);
    cl_kernel kernel = build_kernel(context, device, source);

    cl_uint x[16], worst = 1;
    for (int round = 0; round < 20; ++round) {
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof x, NULL, &status);
        require(status, "clCreateBuffer");
        for (size_t i = 0; i < count; ++i) x[i] = 7;
        require(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL), "clEnqueueWriteBuffer");
        require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
        cl_event done = NULL;
        require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, &done), "clEnqueueNDRangeKernel");
        require(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof x, x, 1, &done, NULL), "clEnqueueReadBuffer");
        for (size_t i = 0; i < count; ++i)
            if (x[i] != 1) worst = x[i];
        clReleaseEvent(done);
        clReleaseMemObject(buffer);
    }
    printf("after the kernel: %u\n", worst);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return worst == 1 ? 0 : 1;
}
