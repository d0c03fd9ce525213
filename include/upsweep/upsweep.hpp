#pragma once

/// @file
/// Scan (prefix sum) and reduce for OpenCL devices. Start with `inclusive_scan`, `exclusive_scan` and `reduce`.

#include <upsweep/cache.hpp>
#include <upsweep/device.hpp>
#include <upsweep/error.hpp>
#include <upsweep/no_init.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/options.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/reference.hpp>
#include <upsweep/release.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/self_check.hpp>
#include <upsweep/span.hpp>
#include <upsweep/tuning.hpp>
#include <upsweep/tuning_file.hpp>
#include <upsweep/type.hpp>
#include <upsweep/vector_types.hpp>
#include <upsweep/views.hpp>
