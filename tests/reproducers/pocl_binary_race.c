// SPDX-License-Identifier: MIT
// PoCL 3.1 ends the process (SIGSEGV in readdir) when clGetProgramInfo is asked for a binary while another process
// builds the same program: it reads all files of the program's cache folder, where those of the other appear and
// vanish. Processes begin from an empty cache folder, round after round. POSIX only.
//
//     cc pocl_binary_race.c -o binary_race -lOpenCL && ./binary_race Portable
//
// Right: "0 of 240 processes failed". Wrong: more (1 with 4 cores).
#include "common.h"
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* const source =
    "__kernel void a(__global int* x) { __local int y[64]; const size_t i = get_local_id(0);\n"
    "  y[i] = x[i]; barrier(CLK_LOCAL_MEM_FENCE); x[i] = y[63 - i]; }\n"
    "__kernel void b(__global int* x) { x[get_global_id(0)] *= 3; }\n"
    "__kernel void c(__global float* x) { x[get_global_id(0)] = sqrt(x[get_global_id(0)]); }\n";

static void enqueue(cl_command_queue queue, cl_program program, cl_mem buffer, const char* name) {
    cl_int status = CL_SUCCESS;
    const size_t size = 64;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    require(status, "clCreateKernel");
    require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    require(clFinish(queue), "clFinish");
}

/// Builds, asks for the binary, runs.
static void use_program(const char* platform) {
    cl_device_id device = find_device(platform);
    cl_int status = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    require(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    require(status, "clCreateCommandQueue");
    const char* text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    require(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    size_t size = 0;
    require(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "CL_PROGRAM_BINARY_SIZES");
    unsigned char* binary = malloc(size);
    require(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), "CL_PROGRAM_BINARIES");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * sizeof(int), NULL, &status);
    require(status, "clCreateBuffer");
    enqueue(queue, program, buffer, "a");
    enqueue(queue, program, buffer, "b");
    enqueue(queue, program, buffer, "c");
}

int main(int argc, char** argv) {
    enum { rounds = 40, processes = 6 };
    int failed = 0;
    for (int round = 0; round < rounds; ++round) {
        char folder[64];
        snprintf(folder, sizeof folder, ".binary_race_%ld_%d", (long)getpid(), round);
        if (mkdir(folder, 0700) != 0) return 2;
        setenv("POCL_CACHE_DIR", folder, 1);
        for (int i = 0; i < processes; ++i)
            if (fork() == 0) {
                use_program(argc > 1 ? argv[1] : "Portable");
                _exit(0);
            }
        for (int status = 0; wait(&status) > 0;) failed += status != 0;
        char command[96];
        snprintf(command, sizeof command, "rm -rf %s", folder);
        if (system(command) != 0) return 2;
    }
    printf("%d of %d processes failed\n", failed, rounds * processes);
    return failed != 0;
}
