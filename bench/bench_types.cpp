// SPDX-License-Identifier: MIT
// Selections, runs, keys, segments and rows of types other than int32, and what they are compared with: the plain scan
// and the device's copy. cub_types.cu has the same rows of CUB.

#include "common/device_rows.hpp"
#include "common/type_rows.hpp"
#include "common/upsweep_calls.hpp"

int main(int argc, char** argv) {
    bench::describe_target();
    bench::add_types<bench::upsweep_calls>();
    return bench::run_rows(argc, argv);
}
