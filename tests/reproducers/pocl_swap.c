// SPDX-License-Identifier: MIT
// PoCL 5.0 with LLVM 16, on a CPU with AVX-512 for 16-bit numbers, swaps the neighbours of an array of ushort wrongly
// where only some of the right ones are to be written: the left one is read after it was overwritten. Alone, clang 16
// -O3 compiles the same loop rightly; PoCL goes on with passes of its own. With uint, and where the left one is written
// last, it is right.
//
//     cc pocl_swap.c -o pocl_swap -lOpenCL && ./pocl_swap Portable
//
// Right: "0 elements wrong", and the exit status is 0.
#include "common.h"

enum { count = 16 };

static const char* const source = "kernel void run(global uint* buffer, uint used) {\n"
                                  "    ushort v[16];\n"
                                  "    global ushort* in = (global ushort*)buffer;\n"
                                  "    for (uint i = 0; i < 16; ++i) v[i] = in[i];\n"
                                  "    for (uint last = 1; last < 16; last += 2) {\n"
                                  "        const ushort left = v[last - 1];\n"
                                  "        v[last - 1] = v[last];\n"
                                  "        if (last < used) v[last] = left;\n"
                                  "    }\n"
                                  "    for (uint i = 0; i < 16; ++i) in[16 + i] = v[i];\n"
                                  "}\n";

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Portable");
    int wrong = 0;
    for (cl_uint used = 0; used <= count; ++used) {
        cl_ushort buffer[2 * count];
        for (cl_uint i = 0; i < 2 * count; ++i) buffer[i] = (cl_ushort)(i < count ? 10 + i : 0);
        run_kernel(device, source, 1, 1, buffer, sizeof buffer, used);
        for (cl_uint i = 0; i < count; ++i) {
            const cl_uint from = i % 2 == 0 ? i + 1 : i < used ? i - 1 : i;
            wrong += buffer[count + i] != buffer[from];
        }
    }
    printf("%d elements wrong\n", wrong);
    return wrong != 0;
}
