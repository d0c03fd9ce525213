// SPDX-License-Identifier: MIT
// Intel's CPU runtime forgets a context whose creator has released it although a command queue still belongs to it:
// what clGetCommandQueueInfo answers is refused as CL_INVALID_CONTEXT (-34). The specification of clReleaseContext
// keeps a context alive until all objects attached to it, command queues included, are released.
//
//     cc intel_released_context.c -o released_context -lOpenCL && ./released_context Intel
//
// Right: "buffer in the context of the queue: 0". Exit status 1 where it is refused.
#include "common.h"

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Intel");
    cl_int status = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    require(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    require(status, "clCreateCommandQueue");
    require(clReleaseContext(context), "clReleaseContext");

    cl_context known = NULL;
    require(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof known, &known, NULL), "clGetCommandQueueInfo");
    cl_mem buffer = clCreateBuffer(known, CL_MEM_READ_WRITE, 64, NULL, &status);
    printf("buffer in the context of the queue: %d\n", status);
    if (status == CL_SUCCESS) clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    return status == CL_SUCCESS ? 0 : 1;
}
