// SPDX-License-Identifier: MIT
// PoCL 6.0 with POCL_WORK_GROUP_METHOD=cbs does not run the end of a kernel in which a loop without barriers stands
// twice, each time before a loop with a barrier: nothing is written. The same with the loop written out is right.
//
//     cc pocl_cbs_two_loops.c -o cbs_two_loops -lOpenCL && POCL_WORK_GROUP_METHOD=cbs ./cbs_two_loops Portable
//
// Right: "0 elements wrong" twice, and the exit status is 0.
#include "common.h"

#define KERNEL(reverse)                                                                                                \
    "uint reversed(uint i) { uint r = 0; " reverse " return r; }\n"                                                    \
    "uint sum(uint i, uint value, local uint* m) {\n"                                                                  \
    "    const uint first = reversed(i);\n"                                                                            \
    "    m[first] = value;\n"                                                                                          \
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                              \
    "    for (uint s = 1; s < 8; s *= 2) {\n"                                                                          \
    "        if (i < 4 / s && first + s < 8) m[i] += m[i + 4 / s];\n"                                                  \
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                          \
    "    }\n"                                                                                                          \
    "    return m[0];\n"                                                                                               \
    "}\n"                                                                                                              \
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void run(global uint* out, uint n) {\n"                     \
    "    local uint one[8], two[8];\n"                                                                                 \
    "    const uint i = (uint)get_local_id(0);\n"                                                                      \
    "    const uint x = sum(i, i, one);\n"                                                                             \
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                              \
    "    out[i] = x + 100 * sum(i, n, two);\n"                                                                         \
    "}\n"

static const char* const written_out = KERNEL("r = (i & 1) << 2 | (i & 2) | i >> 2;");
static const char* const by_loop = KERNEL("for (uint bit = 1; bit < 8; bit *= 2) { r = 2 * r + (i & 1); i /= 2; }");

static int run(cl_device_id device, const char* name, const char* source) {
    cl_uint buffer[8] = {0};
    int wrong = 0;
    run_kernel(device, source, 8, 8, buffer, sizeof buffer, 2);
    for (int i = 0; i < 8; ++i) wrong += buffer[i] != 28 + 100 * 16;
    printf("%s: %d elements wrong\n", name, wrong);
    return wrong;
}

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Portable");
    int wrong = run(device, "written out", written_out);
    wrong += run(device, "by a loop", by_loop);
    return wrong != 0;
}
