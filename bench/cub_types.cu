// SPDX-License-Identifier: MIT
// The rows of NVIDIA's CUB beside those of bench_types.

#include "common/cub_calls.cuh"
#include "common/type_rows.hpp"

int main(int argc, char** argv) {
    if (!bench::describe_cuda_device("bench_cub_types")) return 1;
    bench::add_types<bench::cub_calls>();
    return bench::run_rows(argc, argv);
}
