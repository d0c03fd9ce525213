// SPDX-License-Identifier: MIT
// PoCL 6.0 with POCL_WORK_GROUP_METHOD=cbs puts the private arrays of a work-group's work-items one after another, with
// no space between them, whatever their alignment. Its compiler takes each array of 16 bytes or more to begin at a
// multiple of 16, whether the text asks for that or not, so an aligned vector store may go to an address that is not
// aligned, and the process dies of SIGSEGV. Here the alignment is asked for, and the addresses are looked at.
//
//     cc pocl_cbs_array.c -o cbs_array -lOpenCL && POCL_WORK_GROUP_METHOD=cbs ./cbs_array Portable
//
// Right: "0 of 8 arrays are not aligned", and the exit status is 0.
#include "common.h"

static const char* const source =
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void run(global ulong* out, uint n) {\n"
    "    const uint id = (uint)get_local_id(0);\n"
    "    local ulong m[8];\n"
    "    ulong array[3] __attribute__((aligned(16)));\n"
    "    for (uint k = 0; k < n; ++k) array[k] = out[k] + id;\n"
    "    m[id] = array[n - 1];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[id] = (ulong)&array[0];\n"
    "    for (uint k = 0; k < n; ++k) out[8 + id] += array[k] + m[7 - id];\n"
    "}\n";

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Portable");
    cl_ulong buffer[16] = {0};
    int wrong = 0;
    run_kernel(device, source, 8, 8, buffer, sizeof buffer, 3);
    for (int i = 0; i < 8; ++i) wrong += buffer[i] % 16 != 0;
    printf("%d of 8 arrays are not aligned\n", wrong);
    return wrong ? 1 : 0;
}
