// SPDX-License-Identifier: MIT
// NVIDIA's compiler (NVVM of CUDA 13.0) takes the first word of an array's second struct for an older one. The array
// lies in memory, because one entry is chosen by index. The entry is copied from elsewhere, then written member by
// member, then copied whole. Its first word is stored together with the last word of the entry before, and the copy
// takes the word that was stored alone before that. Structs of three or five ulong and of six uint show it; those of 16
// bytes do not. Seen in the PTX of this kernel, and on an H200 (driver 580.159.04): "2 words wrong".
//
//     cc nvidia_struct_array.c -o nvidia_struct_array -lOpenCL && ./nvidia_struct_array NVIDIA
//
// Right: "0 words wrong", and the exit status is 0.
#include "common.h"

enum { structs = 5, words = 3 };

static const char* const source = "typedef struct { ulong a, b, c; } three;\n"
                                  "three add(three l, three r) {\n"
                                  "    three sum;\n"
                                  "    sum.a = l.a + r.a;\n"
                                  "    sum.b = l.b + r.b;\n"
                                  "    sum.c = l.c + r.c;\n"
                                  "    return sum;\n"
                                  "}\n"
                                  "kernel void run(global uint* buffer, uint at) {\n"
                                  "    global three* all = (global three*)buffer;\n"
                                  "    three v[2];\n"
                                  "    v[0] = all[0];\n"
                                  "    v[1] = all[1];\n"
                                  "    all[3] = v[at];\n"
                                  "    v[1] = all[2];\n"
                                  "    v[1] = add(v[1], v[0]);\n"
                                  "    all[4] = v[1];\n"
                                  "}\n";

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "NVIDIA");
    int wrong = 0;
    for (cl_uint at = 0; at < 2; ++at) {
        cl_ulong buffer[structs][words];
        for (cl_uint i = 0; i < structs * words; ++i) buffer[i / words][i % words] = 100 * (i / words + 1) + i % words;
        run_kernel(device, source, 1, 1, buffer, sizeof buffer, at);
        for (cl_uint i = 0; i < words; ++i) {
            wrong += buffer[3][i] != buffer[at][i];
            wrong += buffer[4][i] != buffer[2][i] + buffer[0][i];
        }
    }
    printf("%d words wrong\n", wrong);
    return wrong != 0;
}
