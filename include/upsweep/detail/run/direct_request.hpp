// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>

#include <cstddef>
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
    location offsets; ///< of rows: no buffer, and the width
    std::uint64_t segments = 0;
    std::size_t value_size = 0;
};

/// Offsets as kernels take them, or the width of rows in place of them.
class offsets_argument {
public:
    UPSWEEP_INLINE explicit offsets_argument(const location& offsets)
        : width_{offsets}
        , begin(offsets.buffer ? offsets.offset : 0)
        , view{offsets.buffer, offsets.buffer ? nullptr : &width_} {}
    offsets_argument(const offsets_argument&) = delete;
    offsets_argument& operator=(const offsets_argument&) = delete;

private:
    const view_buffers width_;

public:
    const cl_ulong begin;
    const view_argument view;
};

/// What the choice of a way to reduce segments by offsets depends on.
struct segments_facts {
    std::size_t value_size = 0;
    std::uint64_t n = 0;
    std::uint64_t segments = 0;
    bool any_order = false;       ///< the operator is exact and commutative
    bool costly = false;          ///< as operator_cost
    bool has_differences = false; ///< a sum less the sum of its first elements is that of the others
};

/// Smaller inputs are left to scans, which take fewer launches. Guess.
constexpr std::uint64_t least_direct_size = std::uint64_t{1} << 18;

/// Whether options leave it open that a device reduces segments by offsets by several launches without a scan. CPUs do
/// so only where the caller asks for sub-groups.
/// @param size  elements and segments
UPSWEEP_INLINE bool may_reduce_offsets(const device_limits& device, const options& opts, std::uint64_t size) {
    if (!leaves_division_open(opts) || opts.run_packs != 0 || opts.registers != 0) return false;
    if (opts.algorithm == tile_algorithm::sub_group) return device.lanes != lanes_backend::none;
    return opts.algorithm == tile_algorithm::automatic && !device.is_cpu && size >= least_direct_size;
}

/// What decides the program, but for the tuning.
/// @param text  of the elements, the values and the operator, which has `upsweep_offset`; must outlive the key
UPSWEEP_INLINE program_key offsets_key(const offsets_request& r, const program_text_view& text, family kind) {
    program_key key;
    key.context = r.run.queue.context;
    key.device = r.run.queue.device;
    key.text = text;
    key.kind = kind;
    key.wide_index = needs_wide_index(r.n + r.segments);
    return key;
}

/// What kernels need to read offsets (segments/offsets.cl), for the operator's helpers.
UPSWEEP_INLINE std::string offset_helpers(const type_text& offset) {
    return "typedef " + offset.name + " upsweep_offset;\ntypedef __global const upsweep_offset* upsweep_offsets;\n" +
           "upsweep_offset upsweep_offset_at(upsweep_offsets offsets, ulong k)\n{\nreturn offsets[k];\n}\n";
}

/// The same of rows, whose offsets among the elements of all rows are computed: `offsets` is the width.
UPSWEEP_INLINE std::string row_offset_helpers(bool wide_index) {
    const std::string index = wide_index ? "ulong" : "uint";
    return "typedef " + index + " upsweep_offset;\ntypedef ulong upsweep_offsets;\n" +
           "upsweep_offset upsweep_offset_at(upsweep_offsets width, ulong k)\n{\nreturn (" + index + ")k * (" + index +
           ")width;\n}\n";
}

/// Lets kernels take sums of integers apart (segments/tile_prefixes.cl).
UPSWEEP_INLINE void allow_differences(operator_text& op, const std::string& type) {
    op.traits.has_difference = true;
    op.helpers += type + " upsweep_difference(" + type + " sum, " + type + " before)\n{\nreturn sum - before;\n}\n";
}

} // namespace upsweep::detail
