// SPDX-License-Identifier: MIT
// Mesa's rusticl lets a function that writes to a struct parameter change the caller's struct, though parameters are
// passed by value. 22.3.6 does so with any struct; 25.0.7 is right here. 22.3.6 also copies structs of three bytes
// wrongly.
//
//     cc rusticl_struct.c -o rusticl_struct -lOpenCL && RUSTICL_ENABLE=llvmpipe ./rusticl_struct rusticl
//
// Exit status 1 where something is wrong.
#include "common.h"

static const char* const parameter = "typedef struct { uint x, y; } pair;\n"
                                     "pair add(pair left, pair right) { left.x += right.x; return left; }\n"
                                     "kernel void run(global uint* m, uint n) {\n"
                                     "    pair a = {m[0], n}, b = {m[1], n};\n"
                                     "    pair sum = add(a, b);\n"
                                     "    m[2] = a.x;\n"
                                     "    m[3] = sum.x;\n"
                                     "}\n";

static const char* const three_bytes = "typedef struct { uchar x, y, z; } three;\n"
                                       "kernel void run(global uchar* m, uint n) {\n"
                                       "    global three* t = (global three*)m;\n"
                                       "    three a = t[0], b = a;\n"
                                       "    b.x += n;\n"
                                       "    t[1] = b;\n"
                                       "}\n";

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "rusticl");
    cl_uint words[4] = {1, 2, 0, 0};
    run_kernel(device, parameter, 1, 1, words, sizeof words, 5);
    printf("a parameter: the caller's %u, sum %u; right: 1, 3\n", words[2], words[3]);

    cl_uchar bytes[6] = {1, 2, 3, 0, 0, 0};
    run_kernel(device, three_bytes, 1, 1, bytes, sizeof bytes, 5);
    printf("three bytes: %u %u %u; right: 6 2 3\n", bytes[3], bytes[4], bytes[5]);
    return words[2] != 1 || words[3] != 3 || bytes[3] != 6 || bytes[4] != 2 || bytes[5] != 3;
}
