// SPDX-License-Identifier: MIT
// PoCL 3.1 without optimisation: a function with a barrier returns a struct of 8 bytes, and the caller stores it
// through a pointer to a private variable. The pointer is read before the call, and not kept for each work-item: all
// store to the variable of one. With optimisation, for structs of 12 bytes, and where the result is kept in a variable
// before, it is right.
//
//     cc pocl_private_pointer.c -o pocl_private_pointer -lOpenCL
//     POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable ./pocl_private_pointer Portable
//
// Right: "0 elements wrong", and the exit status is 0.
#include "common.h"

enum { count = 8 };

static const char* const source =
    "typedef struct { ulong a; } value;\n"
    "value neighbour(uint id, value own, local value* slots) {\n"
    "    slots[id] = own;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    return slots[id > 0 ? id - 1 : 0];\n"
    "}\n"
    "void find(uint id, global const value* in, value* own, value* before, local value* slots) {\n"
    "    *own = in[id];\n"
    "    *before = neighbour(id, *own, slots);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "}\n"
    "void both(uint id, global value* buffer, local value* slots) {\n"
    "    value own, before;\n"
    "    find(id, buffer, &own, &before, slots);\n"
    "    buffer[id].a = own.a + before.a;\n"
    "}\n"
    "kernel void run(global value* buffer, uint number) {\n"
    "    local value slots[8];\n"
    "    both((uint)get_local_id(0), buffer, slots);\n"
    "}\n";

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "Portable");
    cl_ulong buffer[count];
    for (cl_ulong i = 0; i < count; ++i) buffer[i] = 10 + i;
    run_kernel(device, source, count, count, buffer, sizeof buffer, 0);
    int wrong = 0;
    for (cl_ulong i = 0; i < count; ++i) wrong += buffer[i] != 10 + i + 10 + (i > 0 ? i - 1 : 0);
    printf("%d elements wrong\n", wrong);
    return wrong != 0;
}
