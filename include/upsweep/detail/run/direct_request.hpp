// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/run/enqueue.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <string>

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

/// What kernels need to read offsets (segments/offsets.cl), for the operator's helpers.
UPSWEEP_INLINE std::string offset_helpers(const type_text& offset) {
    return "typedef " + offset.name + " upsweep_offset;\ntypedef __global const upsweep_offset* upsweep_offsets;\n" +
           "upsweep_offset upsweep_offset_at(upsweep_offsets offsets, ulong k)\n{\nreturn offsets[k];\n}\n";
}

} // namespace upsweep::detail
