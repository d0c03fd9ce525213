// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/run/enqueue.hpp>

#include <cstdint>

namespace upsweep::detail {

/// A reduction of segments without a scan, checked: what all ways to do it are given.
struct direct_request {
    run_request run;
    view_argument in;         ///< of all elements
    std::uint64_t offset = 0; ///< in elements, of a plain array
    location results;
};

/// The same of segments by offsets.
struct offsets_request : direct_request {
    std::uint64_t n = 0;
    location offsets;
    std::uint64_t segments = 0;
};

} // namespace upsweep::detail
