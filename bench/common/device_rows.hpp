// SPDX-License-Identifier: MIT
#pragma once

// Rows about the OpenCL device under test.

#include "device.hpp"
#include "rows.hpp"

namespace bench {

/// What runs, for the results file.
inline void describe_target() {
    benchmark::AddCustomContext("opencl_device", target().info.name);
    benchmark::AddCustomContext("opencl_platform", target().info.platform);
    benchmark::AddCustomContext("opencl_driver", target().info.driver);
    benchmark::AddCustomContext("opencl_is_cpu", target().is_cpu ? "1" : "0");
    benchmark::AddCustomContext("upsweep_version", UPSWEEP_BENCH_VERSION);
}

} // namespace bench
