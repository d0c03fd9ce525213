// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/segments/reduce_rows.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Reductions of segments by offsets, and of rows, in parts (launch/segments/reduce_in_parts.cl).

namespace upsweep::detail {

/// Packs of up to 16 bytes that each lane has under way, of segments that are short on average, and of others. NVIDIA
/// H200, us, 2^26 in segments of 300, 500, 1000, 5000 and 20000 at random, from the sums of blocks
/// (reduce_segments.hpp), so with 4, and with 8: int32 100, 99, 98, 94, 92; 83, 77, 75, 80, 78; 104, 81, 74, 75, 74;
/// float 107, 106, 102, 95, 93; 152, 119, 96, 91, 80; 162, 126, 95, 81, 76; double 175, 171, 165, 157, 154; 210, 170,
/// 153, 167, 148; 238, 185, 151, 149, 140; 16 bytes 340, 330, 320, 307, 302; 326, 289, 283, 333, 343; 364, 297, 273,
/// 293, 278. The plain reduction of int32 and float 66, of double 126.
constexpr std::uint32_t parts_run_packs = 8;
constexpr std::uint32_t short_parts_run_packs = 4;
constexpr std::uint64_t least_average_of_many_packs = 768;

/// Elements of a part, at least: a few times what a sub-group has under way.
constexpr std::uint64_t least_segment_part = std::uint64_t{most_run_packs} * 4 * sub_group_lanes;

/// Parts for each compute unit, at most: of segments that are short on average, of long ones, and of long ones of large
/// arrays. H200, us, 2^26 in segments of 1000, 5000 and 20000, with 4096 parts, 8192 and 16384: int32 74, 75, 74; 76,
/// 75, 73; 80, 76, 72; float 94, 81, 78; 98, 81, 76; 106, 83, 76; double 151, 151, 150; 154, 149, 139; 160, 144, 135.
/// 2^24 double with one segment of half of them and others of 20000 48, 48, 58, 2^26 157, 140, 142.
constexpr std::uint64_t unit_parts_of_short = 32;
constexpr std::uint64_t unit_parts_of_long = 64;
constexpr std::uint64_t most_unit_parts = 128;
constexpr std::uint64_t least_of_most_parts = std::uint64_t{1} << 26; ///< elements
constexpr std::uint64_t least_long_segment = 4096;

/// Elements of segments on average, at least, where these are many. H200, 2^28 in segments of 500, 768 and 1000, from
/// the sums of blocks and so: float 320, 312, 309; 407, 340, 312; double 609, 600, 594; 621, 560, 533.
constexpr std::uint64_t least_parted_average = 1024;
constexpr std::uint64_t least_parted_average_of_large = 640; ///< of values of more than 4 bytes
constexpr std::uint64_t least_parted_average_any_order = 256;
/// The same where the caller asks for sub-groups, so that other ways are in reach as well.
constexpr std::uint64_t least_parted_average_asked_for = 2048;

/// Segments that are few enough, whatever their lengths: about one for each sub-group. H200, us, otherwise and so: 2^21
/// in segments of 64 float 38 and 22, double 31 and 29, 2^22 in segments of 100 float 29 and 29, double 31 and 40,
/// int32 30 and 21, its maximum 19 and 22, 2^22 int32 in segments of 32 30 and 35.
UPSWEEP_INLINE std::uint64_t few_segments(const device_limits& device, const segments_facts& s) {
    const std::uint64_t sub_groups = rows_unit_groups * device.compute_units * (rows_work_items / sub_group_lanes);
    if (s.has_differences) return 2 * sub_groups;
    return s.any_order || s.value_size <= 4 ? sub_groups : sub_groups / 2;
}

UPSWEEP_INLINE std::uint64_t least_average_in_parts(const segments_facts& s) {
    if (s.any_order) return least_parted_average_any_order;
    return s.value_size <= 4 ? least_parted_average : least_parted_average_of_large;
}

/// Whether segments are reduced so. Not by costly operators: H200, us, log-sum-exp of 2^25 float in segments of 1000,
/// by parts 199, of 700, from the sums of blocks 142.
UPSWEEP_INLINE bool reduces_in_parts(const device_limits& device, const options& opts, const segments_facts& s) {
    if (device.lanes == lanes_backend::none || device.max_work_group_size < sub_group_lanes || s.value_size > 32 ||
        s.costly || s.n == 0 || s.segments == 0 || s.n >= most_elements_of_lines ||
        !may_reduce_offsets(device, opts, s.n + s.segments))
        return false;
    const std::uint64_t average = s.n / s.segments;
    if (opts.algorithm == tile_algorithm::sub_group) return average >= least_parted_average_asked_for;
    return s.segments <= few_segments(device, s) || average >= least_average_in_parts(s);
}

/// Segments that are to be reduced, checked.
struct parts_request : offsets_request {
    bool any_order = false;      ///< the operator is exact and commutative
    std::uint64_t gap = 0;       ///< of rows: elements between a row's end and the next row
    std::uint64_t extent = 0;    ///< elements, with those between rows
    std::uint32_t part_bits = 0; ///< log2 of the elements of a part
};

/// log2 of the elements of a part.
UPSWEEP_INLINE std::uint32_t segment_part_bits(const device_limits& device, std::uint64_t n, std::uint64_t segments) {
    const std::uint64_t of_unit = n / segments < least_long_segment ? unit_parts_of_short
                                  : n < least_of_most_parts         ? unit_parts_of_long
                                                                    : most_unit_parts;
    const std::uint64_t most = device.compute_units * of_unit;
    std::uint32_t bits = log2_of(least_segment_part);
    while (n >> bits > most) ++bits;
    return bits;
}

/// Scratch memory for the sums of all parts.
UPSWEEP_INLINE std::uint64_t segment_parts_bytes(const parts_request& r) {
    return ((r.n >> r.part_bits) + 1) * r.value_size;
}

/// Whether kernels count in 64 bits, in which the offsets of rows are computed then.
UPSWEEP_INLINE bool counts_wide(const parts_request& r) {
    return needs_wide_index((std::max)(r.n, r.extent) + r.segments);
}

UPSWEEP_INLINE program_key parts_key(const parts_request& r, const device_limits& limits,
                                     const program_text_view& text) {
    program_key key = offsets_key(r, text, family::parted_segments);
    key.wide_index = counts_wide(r);
    key.tuning = rows_tuning(limits, r.any_order);
    key.tuning.run_packs = r.n / r.segments < least_average_of_many_packs ? short_parts_run_packs : parts_run_packs;
    return key;
}

/// Enqueues the launches.
UPSWEEP_INLINE cl::Event reduce_in_parts(const parts_request& p, built_program& program, const device_limits& limits) {
    const run_request& r = p.run;
    const std::uint64_t parts = p.n >> p.part_bits;
    const built_program::loan sum(program, segment_parts_kernel, r.function);
    const built_program::loan join(program, "upsweep_join_segment_parts", r.function);
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    workspace_loan sums(r.function, r.queue.context, r.queue.queue, r.queue.in_order,
                        static_cast<std::size_t>(segment_parts_bytes(p)), nullptr);
    const offsets_argument offsets(p.offsets);
    set_arguments(r.function, sum(), p.in, cl_ulong{p.offset}, offsets.view, offsets.begin, cl_ulong{p.segments},
                  cl_ulong{p.n}, cl_ulong{p.gap}, cl_ulong{parts}, cl_uint{p.part_bits}, sums.buffer(), r.has_init,
                  init);
    set_arguments(r.function, join(), p.in, cl_ulong{p.offset}, offsets.view, offsets.begin, cl_ulong{p.segments},
                  cl_ulong{p.n}, cl_ulong{p.gap}, cl_uint{p.part_bits}, sums.buffer(), p.results.buffer,
                  cl_ulong{p.results.offset}, r.has_init, init);
    command_chain chain(r, parts > 0 ? 2 : 1);
    const std::uint64_t work_items = work_items_up_to(rows_work_items, limits);
    if (parts > 0) chain.launch(sum(), rows_groups(limits, parts), work_items);
    chain.launch(join(), rows_groups(limits, p.segments), work_items);
    sums.used_until(chain.last());
    return chain.take_last();
}

} // namespace upsweep::detail
