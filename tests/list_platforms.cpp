// SPDX-License-Identifier: MIT
// Prints the name and version of every OpenCL platform that has a device. The build runs it to see what there is to
// test on.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <vector>

int main() {
    cl_uint count = 0;
    if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return 0;
    std::vector<cl_platform_id> platforms(count);
    clGetPlatformIDs(count, platforms.data(), nullptr);
    for (cl_platform_id platform : platforms) {
        cl_uint devices = 0;
        char name[256] = "";
        char version[256] = "";
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices) != CL_SUCCESS || devices == 0) continue;
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
        clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, nullptr);
        std::printf("%s (%u), %s\n", name, devices, version);
    }
}
