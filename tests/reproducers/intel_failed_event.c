// SPDX-License-Identifier: MIT
// Intel's CPU runtime (2026.22.10) ends the process when a kernel in an out-of-order queue waits for a user event that
// then fails. In an in-order queue the kernel's event fails, too, as it should.
//
//     cc intel_failed_event.c -o intel_failed_event -lOpenCL && ./intel_failed_event Intel
//
// Right: a negative status, and the exit status is 0.
#include "common.h"

int main(int argc, char** argv) {
    const size_t count = 64;
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Intel");
    cl_int status = CL_SUCCESS;
    cl_context context;
    cl_command_queue queue = create_queue(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &context);
    cl_kernel kernel = build_kernel(context, device, "kernel void run(global uint* x) { ++x[get_global_id(0)]; }");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof(cl_uint), NULL, &status);
    require(status, "clCreateBuffer");
    require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");

    cl_event gate = clCreateUserEvent(context, &status), done = NULL;
    require(status, "clCreateUserEvent");
    require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 1, &gate, &done), "clEnqueueNDRangeKernel");
    require(clFlush(queue), "clFlush");
    require(clSetUserEventStatus(gate, -5), "clSetUserEventStatus");
    clWaitForEvents(1, &done);
    cl_int found = 0;
    require(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof found, &found, NULL), "clGetEventInfo");
    printf("status %d\n", found);
    return found >= 0;
}
