// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/run/reduce_rows.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstdint>

// Reductions of segments by offsets in one launch (launch/segments/reduce_small.cl), for small arrays.

namespace upsweep::detail {

/// Elements and segments, at most. H100, int32 and float, us, one call behind the other, by several launches and so:
/// 2^10 elements in any segments 20 and 12; 2^14 21 to 37 and 12; 2^16 and 2^18 in segments of 10 elements 27 and 12,
/// 26 and 12, 30 and 13, 36 and 18; one segment of half of 2^18 elements 26 and 18, 26 and 30; 2^18 in segments of 2,
/// which are too many, 26 and 26, 31 and 38. CUB 13.0: 2^10 to 2^20 5 to 7, and 110 to 530 with one segment of half of
/// them.
constexpr std::uint64_t most_small_elements = std::uint64_t{1} << 18;
constexpr std::uint64_t most_small_segments = std::uint64_t{1} << 16;

/// Of segments that are long on average, elements at most. H100, likewise, 2^20 elements in segments of 100 and 1000:
/// 27 and 12, 26 and 12; with one segment of half of them 27 and 46, 25 and 91.
constexpr std::uint64_t most_small_long = std::uint64_t{1} << 20;
constexpr std::uint64_t least_long_average = 64;

/// Elements and segments where the caller asks for sub-groups, so that other ways are in reach as well.
constexpr std::uint64_t most_small_asked_for = std::uint64_t{1} << 13;

/// Work-items of a work-group. H100, likewise, one segment of half of 2^18 elements: with 128 47 and 90, 256 29 and 53,
/// 512 18 and 30, 1024, half as many work-groups, 16 and 27; of half of 2^16 27 and 36, 17 and 22, 12 and 15, 12
/// and 13. Of others the same but for segments of 2: of 2^18 float 37, 39, 38 and 41.
constexpr std::uint32_t small_work_items = 512;

/// Work-groups per compute unit, at most: other segments are theirs too. The same with 2.
constexpr std::uint64_t small_unit_groups = 4;

/// Elements of a part of a long segment, at least: lines whose loads are under way together.
constexpr std::uint64_t least_small_part = std::uint64_t{most_run_packs} * sub_group_lanes;
/// Parts of an array, at most: local memory has room for their sums.
constexpr std::uint64_t most_small_parts = 256;

/// Longer segments are a work-group's, where a work-group has several. The same with 512 and 1024.
constexpr std::uint64_t longest_of_sub_group = 2048;

/// Work-groups, at most.
UPSWEEP_INLINE std::uint64_t most_small_groups(const device_limits& device) {
    return small_unit_groups * device.compute_units;
}

/// Whether segments of so many elements are reduced so.
UPSWEEP_INLINE bool reduces_small(const device_limits& device, const options& opts, std::size_t value_size,
                                  std::uint64_t n, std::uint64_t segments) {
    const bool is_asked_for = opts.algorithm == tile_algorithm::sub_group;
    if (device.lanes == lanes_backend::none || device.max_work_group_size < sub_group_lanes || value_size > 32 ||
        device.local_memory_bytes < (std::uint64_t{16} << 10) || n == 0 || segments == 0)
        return false;
    if (!leaves_division_open(opts) || opts.run_packs != 0 || opts.registers != 0) return false;
    if (is_asked_for) return n + segments <= most_small_asked_for;
    const bool are_few = n <= most_small_elements && segments <= most_small_segments;
    const bool are_long = n <= most_small_long && segments <= n / least_long_average;
    return opts.algorithm == tile_algorithm::automatic && !device.is_cpu && (are_few || are_long);
}

/// Segments that are to be reduced, checked.
struct small_request : offsets_request {
    bool any_order = false; ///< the operator is exact and commutative
};

/// How the segments of a small array are divided.
struct small_layout {
    std::uint64_t groups = 0;
    std::uint32_t part_bits = 0; ///< log2 of the elements of a part
    std::uint64_t longest = 0;   ///< elements of a segment that is one sub-group's
};

UPSWEEP_INLINE small_layout lay_out_small(const small_request& r, const device_limits& limits) {
    small_layout layout;
    layout.groups = (std::min)(r.segments, most_small_groups(limits));
    layout.part_bits = log2_of(least_small_part);
    while (r.n >> layout.part_bits > most_small_parts) ++layout.part_bits;
    const std::uint64_t part = std::uint64_t{1} << layout.part_bits;
    layout.longest = r.segments <= layout.groups ? part : (std::max)(part, longest_of_sub_group);
    return layout;
}

/// What decides the program.
/// @param text  of the elements, the values and the operator, which has `upsweep_offset`; must outlive the key
UPSWEEP_INLINE program_key small_key(const small_request& r, const device_limits& limits,
                                     const program_text_view& text) {
    program_key key = offsets_key(r, text, family::small_segments);
    key.tuning = rows_tuning(limits, r.any_order);
    key.tuning.work_items = work_items_up_to(small_work_items, limits);
    return key;
}

/// Enqueues the launch.
UPSWEEP_INLINE cl::Event reduce_small(const small_request& s, built_program& program, const device_limits& limits) {
    const run_request& r = s.run;
    const small_layout layout = lay_out_small(s, limits);
    const built_program::loan kernel(program, small_segments_kernel, r.function);
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    const std::uint64_t parts = (std::max)(s.n >> layout.part_bits, std::uint64_t{1});
    const local_room sums{static_cast<std::size_t>(parts) * s.value_size};
    set_arguments(r.function, kernel(), s.in, cl_ulong{s.offset}, s.offsets.buffer, cl_ulong{s.offsets.offset},
                  cl_ulong{s.segments}, cl_ulong{s.n}, cl_uint{layout.part_bits}, static_cast<cl_uint>(layout.longest),
                  sums, s.results.buffer, cl_ulong{s.results.offset}, r.has_init, init);
    command_chain chain(r, 1);
    chain.launch(kernel(), layout.groups, work_items_up_to(small_work_items, limits));
    return chain.take_last();
}

} // namespace upsweep::detail
