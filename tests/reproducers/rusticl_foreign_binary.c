// SPDX-License-Identifier: MIT
// Mesa's rusticl ends the process (SIGABRT, "unknown version") when clCreateProgramWithBinary is given bytes that are
// no binary of its own. The specification asks for CL_INVALID_BINARY.
//
//     cc rusticl_foreign_binary.c -o foreign_binary -lOpenCL && RUSTICL_ENABLE=llvmpipe ./foreign_binary rusticl
//
// Right: "status -42 or -30, binary status -42". Wrong: killed by a signal.
#include "common.h"

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "rusticl");
    cl_int status = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    require(status, "clCreateContext");
    unsigned char bytes[4096];
    for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = 0xA5;
    const unsigned char* binaries = bytes;
    const size_t size = sizeof bytes;
    cl_int of_binary = CL_SUCCESS;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &binaries, &of_binary, &status);
    printf("status %d, binary status %d\n", status, of_binary);
    if (status == CL_SUCCESS) clReleaseProgram(program);
    clReleaseContext(context);
    return status != CL_SUCCESS || of_binary != CL_SUCCESS ? 0 : 1;
}
