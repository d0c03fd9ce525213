// SPDX-License-Identifier: MIT
// PoCL 6.0 with POCL_WORK_GROUP_METHOD=cbs never leaves an inner loop of a constant number of turns that stands between
// two barriers of an outer loop: the kernel runs for ever. Written with the work-item's index as the loop's counter,
// the same loop ends.
//
//     cc pocl_cbs_loop.c -o cbs_loop -lOpenCL && POCL_WORK_GROUP_METHOD=cbs ./cbs_loop Portable
//
// Right: both loops end, and the exit status is 0. Wrong: the second one is ended by an alarm after ten seconds.
#include "common.h"
#include <unistd.h>

#define KERNEL(loop)                                                                                                   \
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void run(global int* out, uint n) {\n"                      \
    "    local int m[24];\n"                                                                                           \
    "    const uint id = (uint)get_local_id(0);\n"                                                                     \
    "    for (uint i = 0; i < n; i += 24) {\n"                                                                         \
    "        const uint rest = n - i < 24 ? n - i : 24;\n"                                                             \
    "        const uint mine = rest > 3 * id ? min(rest - 3 * id, 3u) : 0;\n"                                          \
    "        for (uint k = 0; k < mine; ++k) m[id * 3 + k] = out[i + id * 3 + k];\n"                                   \
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                          \
    "        " loop "\n"                                                                                               \
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                          \
    "    }\n"                                                                                                          \
    "}\n"

static const char* const by_index = KERNEL("for (uint j = id; j < rest; j += 8) out[i + j] = m[j] + 1;");
static const char* const by_turns =
    KERNEL("for (uint k = 0; k < 3; ++k) { const uint j = k * 8 + id; if (j < rest) out[i + j] = m[j] + 1; }");

static int run(cl_device_id device, const char* name, const char* source) {
    int buffer[48] = {0};
    int wrong = 0;
    printf("%s\n", name);
    fflush(stdout);
    run_kernel(device, source, 8, 8, buffer, sizeof buffer, 48);
    for (int i = 0; i < 48; ++i) wrong += buffer[i] != 1;
    printf("    %d elements wrong\n", wrong);
    return wrong;
}

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Portable");
    int wrong = run(device, "a loop over indices", by_index);
    alarm(10);
    wrong += run(device, "the same loop, by a constant number of turns", by_turns);
    return wrong ? 1 : 0;
}
