// SPDX-License-Identifier: MIT
// PoCL 6.0 with LLVM 18 ends the process while it compiles a valid kernel:
//     LLVM ERROR: Instruction Combining did not reach a fixpoint after 1 iterations
// Before it makes loops of work-items, it turns the values that loops carry into variables in memory, and then runs the
// pass `instcombine` by that name. So named, the pass verifies that a second turn finds nothing to do, which LLVM means
// for its tests only. It does find something where a condition decides whether a carried value is used, and the use is
// more than one instruction: the merge of the two outcomes lets the value's load move into the branch, one turn later.
// Functions that a kernel calls are not changed in that way, so the same text in a function of its own is compiled.
//
//     cc pocl_instcombine.c -o instcombine -lOpenCL && POCL_WORK_GROUP_METHOD=loopvec ./instcombine Portable
//
// The same happens without the variable for work-groups of more than two work-items, and when the program's binary is
// asked for. Right: two lines, and the exit status is 0. Known as https://github.com/pocl/pocl/issues/1608.
#include "common.h"

#define FOLD                                                                                                           \
    "    int sum = (int)n;\n"                                                                                          \
    "    uint has_sum = n & 1;\n"                                                                                      \
    "    ulong rest = n / 2;\n"                                                                                        \
    "    while (rest != 0) {\n"                                                                                        \
    "        const uint bit = 63 - (uint)clz(rest);\n"                                                                 \
    "        sum = has_sum ? combine(sum, values[bit]) : values[bit];\n"                                               \
    "        has_sum = 1;\n"                                                                                           \
    "        rest ^= 1ul << bit;\n"                                                                                    \
    "    }\n"

#define COMBINE "int combine(int left, int right) { return ((left & 0xffff) * (right & 0xffff)) | (left >> 16); }\n"

static const char* const in_a_function =
    COMBINE "__attribute__((noinline)) int fold(global const int* values, uint n) {\n" FOLD "    return sum;\n}\n"
            "kernel void run(global int* values, uint n) { values[8] = fold(values, n); }\n";
static const char* const in_the_kernel =
    COMBINE "kernel void run(global int* values, uint n) {\n" FOLD "    values[8] = sum;\n}\n";

static int run(cl_device_id device, const char* name, const char* source) {
    int values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 0};
    run_kernel(device, source, 1, 1, values, sizeof values, 200);
    printf("%s: %d\n", name, values[8]);
    fflush(stdout);
    return values[8];
}

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Portable");
    const int function = run(device, "in a function", in_a_function);
    return run(device, "in the kernel", in_the_kernel) == function ? 0 : 1;
}
