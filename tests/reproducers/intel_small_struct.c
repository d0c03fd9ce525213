// SPDX-License-Identifier: MIT
// Intel's CPU runtime passes structs of 3 bytes wrongly to functions that it does not inline. It makes work-items lanes
// of a vector. The caller stores the structs one after another, 3 bytes apart, and the function reads them 4 bytes
// apart, so most lanes get bytes of others. Structs of 5, 6, 7, 11, 13, 14 and 15 bytes suffer alike; those of 4, 9, 10
// and 12 do not, nor does a struct in a union with words.
//
//     cc intel_small_struct.c -o small_struct -lOpenCL && ./small_struct Intel
//
// Right: "0 wrong"; so too with -cl-opt-disable. Wrong: "30 wrong" of 32.
#include "common.h"

static const char* const source = "typedef struct { uchar a, b, c; } triple;\n"
                                  "__attribute__((noinline)) uint join(triple x, local uint* shared) {\n"
                                  "    shared[get_local_id(0)] = x.a | x.b << 8 | x.c << 16;\n"
                                  "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                  "    return shared[get_local_id(0)];\n"
                                  "}\n"
                                  "kernel void run(global uint* out, uint n) {\n"
                                  "    local uint shared[32];\n"
                                  "    const uint id = get_local_id(0), value = out[id];\n"
                                  "    const triple x = {value & 255, value >> 8 & 255, value >> 16};\n"
                                  "    out[id] = join(x, shared);\n"
                                  "}\n";

int main(int argc, char** argv) {
    cl_uint values[32], wrong = 0;
    for (cl_uint i = 0; i < 32; ++i) values[i] = (i * 2654435761U) >> 8;
    run_kernel(find_device(argc > 1 ? argv[1] : "Intel"), source, 32, 32, values, sizeof values, 0);
    for (cl_uint i = 0; i < 32; ++i) wrong += values[i] != (i * 2654435761U) >> 8;
    printf("%u wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
