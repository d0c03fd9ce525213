// SPDX-License-Identifier: MIT
// PoCL 6.0 with POCL_WORK_GROUP_METHOD=loopvec may give all work-items of a work-group the last one's value of a
// private variable that is kept across a barrier. Its compiler notes by address which values are the same for all
// work-items (lib/llvmopencl/VariableUniformityAnalysis.cc), as a loop's counter from 0 is, and keeps the note when
// that value is freed. LLVM's instcombine then makes a new phi of what both branches of an `if` assign; at the address
// of such a counter it counts as the same for all. Which address it gets depends on the heap. Here malloc takes blocks
// of 65 to 80 bytes from a place of their own, so that nothing but phis (88 bytes) has their addresses. With glibc's
// malloc alone it is rare. With 88 in place of 80 no phi gets an old one's address, and all is right. glibc only.
//
//     cc pocl_lost_context.c -o lost_context -lOpenCL
//     POCL_WORK_GROUP_METHOD=loopvec ./lost_context Portable     (./lost_context Portable 88, 0: glibc's malloc alone)
//
// Right: "0 of 10 builds were wrong", and the exit status is 0.
#include "common.h"
#include <time.h>

static const char* const source =
    "#define BUILD %ld%d\n"
    "#define LOOP __attribute__((opencl_unroll_hint(1))) for (ulong k = 0; k < id; ++k) out[k] = n\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void run(global volatile uint* out, uint n) {\n"
    "    const uint id = (uint)get_local_id(0);\n"
    "    uint kept;\n"
    "    if (id < n) kept = out[8 + id];\n"
    "    else { atomic_inc(out); kept = 0; }\n"
    "    LOOP; LOOP; LOOP;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[8 + id] = kept;\n"
    "}\n";

extern void* __libc_malloc(size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void __libc_free(void* block);
static char blocks[1 << 30] __attribute__((aligned(16)));
static size_t used, most;

void* malloc(size_t size) {
    if (size <= 64 || size > most) return __libc_malloc(size);
    return blocks + __atomic_fetch_add(&used, 96, __ATOMIC_RELAXED);
}
static int is_mine(void* block) {
    return (char*)block >= blocks && (char*)block < blocks + sizeof blocks;
}
void free(void* block) {
    if (!is_mine(block)) __libc_free(block);
}
void* realloc(void* old, size_t size) {
    if (!is_mine(old)) return __libc_realloc(old, size);
    return memcpy(malloc(size), old, size < 96 ? size : 96);
}

int main(int argc, char** argv) {
    enum { builds = 10 };
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Portable");
    int wrong = 0;
    most = argc > 2 ? (size_t)atoi(argv[2]) : 80;
    for (int build = 0; build < builds; ++build) {
        char text[2000]; // of its own, so that it is compiled
        cl_uint buffer[16], differ = 0;
        for (cl_uint i = 0; i < 16; ++i) buffer[i] = i;
        snprintf(text, sizeof text, source, (long)time(NULL), build);
        run_kernel(device, text, 8, 8, buffer, sizeof buffer, 4);
        for (cl_uint i = 0; i < 8; ++i) differ |= buffer[8 + i] != (i < 4 ? 8 + i : 0);
        wrong += differ != 0;
    }
    printf("%d of %d builds were wrong\n", wrong, builds);
    return wrong != 0;
}
