// SPDX-License-Identifier: MIT
// Intel's CPU runtime crashes in a kernel that is right: its vectoriser, eight work-items wide, hoists a load out of
// the condition that guards it. With before == 0 the kernel must not read a[before - 1], but the vectorised one reads
// a[0xffffffff], which is 128 GiB away. The condition is the same for all work-items but stands inside one that is not
// (id == 0), after a nested loop.
//
//     cc intel_guarded_load.c -o guarded_load -lOpenCL && ./guarded_load Intel
//
// Right: "1"; so too with CL_CONFIG_CPU_VECTORIZER_MODE=1, which turns the vectoriser off. Wrong: SIGSEGV.
#include "common.h"

static const char* const source = "kernel void run(global uint* x, uint n) {\n"
                                  "    local uint shared[1];\n"
                                  "    const uint id = get_local_id(0);\n"
                                  "    if (id == 0) shared[0] = n;\n"
                                  "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                  "    const uint before = shared[0];\n"
                                  "    if (id == 0) {\n"
                                  "        uint sum = 1, a[32];\n"
                                  "        a[before] = 1;\n"
                                  "        for (uint d = 1; d < before + 1; d *= 2)\n"
                                  "            for (uint i = before; i >= d; --i) a[i] += a[i - d];\n"
                                  "        if (before > 0) sum += a[before - 1];\n"
                                  "        x[0] = sum;\n"
                                  "    }\n"
                                  "}\n";

int main(int argc, char** argv) {
    cl_uint buffer[1] = {0};
    run_kernel(find_device(argc > 1 ? argv[1] : "Intel"), source, 8, 8, buffer, sizeof buffer, 0);
    printf("%u\n", buffer[0]);
    return buffer[0] == 1 ? 0 : 1;
}
