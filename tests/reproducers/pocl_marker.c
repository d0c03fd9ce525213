// SPDX-License-Identifier: MIT
// PoCL 3.1: in an out-of-order queue, a marker with a wait list waits for other commands of the queue, too. Here for
// one that waits until the marker is complete, or until some time is over.
//
//     cc pocl_marker.c -o marker -lOpenCL && ./marker Portable
//
// Right: "marker: complete". Exit status 1 where it is not.
#include "common.h"
#include <time.h>

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Portable");
    cl_int status = CL_SUCCESS;
    cl_context context;
    cl_command_queue queue = create_queue(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &context);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, NULL, &status);
    require(status, "clCreateBuffer");
    cl_event gate = clCreateUserEvent(context, &status), before = clCreateUserEvent(context, &status), marker = NULL;
    require(status, "clCreateUserEvent");
    require(clSetUserEventStatus(before, CL_COMPLETE), "clSetUserEventStatus");

    const cl_uint zero = 0;
    require(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 4, 1, &gate, NULL), "clEnqueueFillBuffer");
    require(clEnqueueMarkerWithWaitList(queue, 1, &before, &marker), "clEnqueueMarkerWithWaitList");
    require(clFlush(queue), "clFlush");
    cl_int state = CL_QUEUED;
    for (int i = 0; i < 1000 && state != CL_COMPLETE; ++i) {
        const struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
        require(clGetEventInfo(marker, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL),
                "clGetEventInfo");
    }
    printf("marker: %s\n", state == CL_COMPLETE ? "complete" : "waits");
    require(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    clFinish(queue);
    clReleaseEvent(marker);
    clReleaseEvent(before);
    clReleaseEvent(gate);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return state == CL_COMPLETE ? 0 : 1;
}
