// SPDX-License-Identifier: MIT
// Runs one kernel, chosen by the first argument, with one deliberate mistake (or none: "clean").
// It proves that the Oclgrind entry of the tests would notice such a mistake in a kernel of the library.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <map>
#include <string>

namespace {

const std::map<std::string, std::string> bodies{
    {"clean", "x[l] = l; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = x[l ^ 1];"},
    {"race", "x[0] = l; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = x[0];"},
    {"uninitialised", "if (l < 3) x[l] = l; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = x[l];"},
    {"out_of_bounds", "x[l] = l; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0) + 1] = x[l];"},
    {"divergence", "x[l] = l; if (l < 3) return; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = x[l];"},
};

int run(const std::string& body) {
    const std::string text =
        "kernel void k(global int* out) { local int x[16]; int l = (int)get_local_id(0); " + body + " }";
    const char* source = text.c_str();

    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_int error = clGetPlatformIDs(1, &platform, nullptr);
    if (error == CL_SUCCESS) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    if (error != CL_SUCCESS) return error;

    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    error = clBuildProgram(program, 1, &device, "", nullptr, nullptr);
    if (error != CL_SUCCESS) return error;
    cl_kernel kernel = clCreateKernel(program, "k", nullptr);

    const std::size_t global = 64, local = 16;
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, global * sizeof(cl_int), nullptr, nullptr);
    clSetKernelArg(kernel, 0, sizeof out, &out);
    error = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    clFinish(queue);

    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return error;
}

} // namespace

int main(int argc, char** argv) {
    const auto body = bodies.find(argc > 1 ? argv[1] : "");
    if (body == bodies.end()) {
        std::puts("usage: oclgrind_alarm clean|race|uninitialised|out_of_bounds|divergence");
        return 2;
    }
    return run(body->second) == CL_SUCCESS ? 0 : 1;
}
