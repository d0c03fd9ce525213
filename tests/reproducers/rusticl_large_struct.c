// SPDX-License-Identifier: MIT
// Mesa's rusticl (22.3.6 on llvmpipe) compiles structs that go to a function and back in a time that grows faster than
// the square of their size: 256 bytes 0.7 s, 1 KiB 8.8 s, 4 KiB more than 90 s.
//
//     export RUSTICL_ENABLE=llvmpipe MESA_SHADER_CACHE_DISABLE=true
//     cc rusticl_large_struct.c -o rusticl_large_struct -lOpenCL && ./rusticl_large_struct rusticl
//
// Right: 1 KiB takes no more than some 4 times as long as 256 bytes, and the exit status is 0.
#define _POSIX_C_SOURCE 199309L
#include "common.h"
#include <time.h>

static const char* const source = "typedef struct { uint x[%d]; } large;\n"
                                  "large add(large left, large right) {\n"
                                  "    for (uint i = 0; i < %d; ++i) left.x[i] += right.x[i];\n"
                                  "    return left;\n"
                                  "}\n"
                                  "kernel void run(global uint* buffer, uint n) {\n"
                                  "    global large* all = (global large*)buffer;\n"
                                  "    large sum = all[0];\n"
                                  "    for (uint i = 1; i < n; ++i) sum = add(sum, all[i]);\n"
                                  "    all[n] = sum;\n"
                                  "}\n";

enum { most_words = 256 };

static double seconds_for(cl_device_id device, int words) {
    static cl_uint buffer[4 * most_words];
    char text[1024];
    struct timespec begin, end;
    snprintf(text, sizeof text, source, words, words);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    run_kernel(device, text, 1, 1, buffer, sizeof buffer, 3);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

int main(int argc, char** argv) {
    cl_device_id device = find_device(argc > 1 ? argv[1] : "rusticl");
    const double few = seconds_for(device, 64), many = seconds_for(device, most_words);
    printf("256 bytes %.1f s, 1 KiB %.1f s\n", few, many);
    return many > 8 * few;
}
