// SPDX-License-Identifier: MIT
// PoCL 3.1 and 6.0 lose the last element of an odd number: an array that is filled by one loop, changed by name and
// stored by another gets a value that was never there. LLVM 15's licm and then gvn, run after its -O3 as PoCL does,
// change the program so. Where the condition `1 < min(rest + 1, 2)`, which always holds, is left out, it is right.
//
//     cc pocl_rest.c -o pocl_rest -lOpenCL && POCL_WORK_GROUP_METHOD=loopvec ./pocl_rest Portable
//
// By loops both are right, by cbs only 3.1 is. upsweep met it in scans by one work-item in runs of 2
// (choose_tiles.hpp). Right: "0 elements wrong" for each size, and the exit status is 0.
#include "common.h"

enum { most = 8 };

// Copies the n elements of the buffer's first half into its second: pairs at once, the last one of an odd number by
// way of an array.
static const char* const source = "kernel void run(global uint* in, uint n) {\n"
                                  "    global uint* out = in + 8;\n"
                                  "    uint array[2];\n"
                                  "    uint i = 0;\n"
                                  "    for (; i + 2 <= n; i += 2) { out[i] = in[i]; out[i + 1] = in[i + 1]; }\n"
                                  "    const uint rest = n - i;\n"
                                  "    if (rest == 0) return;\n"
                                  "    for (uint k = 0; k < rest; ++k) array[k] = in[i + k];\n"
                                  "    const uint last = array[rest - 1];\n"
                                  "    array[1] = 0;\n"
                                  "    const uint first = array[0];\n"
                                  "    array[0] = array[1];\n"
                                  "    if (1 < min(rest + 1, 2u)) array[1] = first;\n"
                                  "    array[0] = array[1];\n"
                                  "    array[1] = last;\n"
                                  "    for (uint k = 0; k < rest; ++k) out[i + k] = array[k];\n"
                                  "}\n";

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Portable");
    int all_wrong = 0;
    for (cl_uint n = 1; n <= 5; ++n) {
        cl_uint buffer[2 * most];
        int wrong = 0;
        for (cl_uint i = 0; i < 2 * most; ++i) buffer[i] = i < most ? 10 + i : 0;
        run_kernel(device, source, 1, 1, buffer, sizeof buffer, n);
        for (cl_uint i = 0; i < n; ++i) wrong += buffer[most + i] != 10 + i;
        printf("%u elements: %d elements wrong\n", n, wrong);
        all_wrong += wrong;
    }
    return all_wrong != 0;
}
