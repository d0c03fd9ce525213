// SPDX-License-Identifier: MIT
// Mesa's llvmpipe ends the loops of a kernel after 65535 iterations in all and goes on as if they were done, without an
// error. It is a limit of its code generator (LP_MAX_TGSI_LOOP_ITERATIONS), meant for graphics shaders.
//
//     cc llvmpipe_long_loop.c -o long_loop -lOpenCL && RUSTICL_ENABLE=llvmpipe ./long_loop rusticl
//
// Right: 65535, 65536, 100000 in every row. Exit status 1 where a count is wrong.
#include "common.h"

static const char* const one_loop =
    "kernel void run(global uint* out, uint n) { uint s = 0; for (uint i = 0; i < n; ++i) s += out[1 + i % 2];"
    " out[0] = s; }";
static const char* const nested =
    "kernel void run(global uint* out, uint n) { uint s = 0; for (uint i = 0; i < n; i += 1000)"
    " for (uint j = i; j < n && j < i + 1000; ++j) s += out[1 + j % 2]; out[0] = s; }";
static const char* const one_after_another =
    "kernel void run(global uint* out, uint n) { uint s = 0; for (uint i = 0; i < n / 2; ++i) s += out[1 + i % 2];"
    " for (uint i = n / 2; i < n; ++i) s += out[1 + i % 2]; out[0] = s; }";

static int count(cl_device_id device, const char* name, const char* source) {
    const cl_uint sizes[] = {65535, 65536, 100000};
    int wrong = 0;
    printf("%-20s", name);
    for (int i = 0; i < 3; ++i) {
        cl_uint buffer[3] = {0, 1, 1};
        run_kernel(device, source, 1, 1, buffer, sizeof buffer, sizes[i]);
        printf(" %6u", buffer[0]);
        wrong += buffer[0] != sizes[i];
    }
    puts(wrong ? "   wrong" : "");
    return wrong;
}

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "rusticl");
    int wrong = count(device, "one loop", one_loop);
    wrong += count(device, "two nested loops", nested);
    wrong += count(device, "one after another", one_after_another);
    return wrong ? 1 : 0;
}
