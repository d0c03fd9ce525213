// SPDX-License-Identifier: MIT
// What every reproducer needs: the first device whose platform's name contains the given text, one kernel, one run.
// Plain OpenCL C API, nothing of upsweep.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void require(cl_int status, const char* what) {
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "%s: error %d\n", what, status);
    exit(2);
}

static inline cl_device_id find_device(const char* platform_part) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    require(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16; ++i) {
        char name[256] = "";
        cl_device_id device = NULL;
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (!strstr(name, platform_part)) continue;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) return device;
    }
    fprintf(stderr, "no device on a platform named like \"%s\"\n", platform_part);
    exit(2);
}

// Kernel `run` of `source`.
static inline cl_kernel build_kernel(cl_context context, cl_device_id device, const char* source) {
    cl_int status = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    require(status, "clCreateProgramWithSource");
    require(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "run", &status);
    require(status, "clCreateKernel");
    clReleaseProgram(program); // the kernel keeps it
    return kernel;
}

// A queue with these properties, in a context of its own.
static inline cl_command_queue create_queue(cl_device_id device, cl_command_queue_properties properties,
                                            cl_context* context) {
    cl_int status = CL_SUCCESS;
    *context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    require(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(*context, device, properties, &status);
    require(status, "clCreateCommandQueue");
    return queue;
}

// Runs kernel `run` of `source` with arguments (buffer, number) and reads the buffer back.
static inline void run_kernel(cl_device_id device, const char* source, size_t global, size_t local, void* buffer,
                              size_t bytes, cl_uint number) {
    cl_int status = CL_SUCCESS;
    cl_context context;
    cl_command_queue queue = create_queue(device, 0, &context);
    cl_kernel kernel = build_kernel(context, device, source);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, buffer, &status);
    require(status, "clCreateBuffer");
    require(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
    require(clSetKernelArg(kernel, 1, sizeof number, &number), "clSetKernelArg");
    require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    require(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, buffer, 0, NULL, NULL), "clEnqueueReadBuffer");
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
