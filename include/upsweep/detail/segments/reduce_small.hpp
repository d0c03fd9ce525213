// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/plan/state_bytes.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/segments/reduce_rows.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

// Reductions of segments by offsets, and of long rows without gaps, in one launch (launch/segments/reduce_small.cl),
// for small arrays.

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

/// Packs of up to 16 bytes that each lane has under way. H200, 2^22 float in segments of 300, 1000, 5000, 20000 and
/// with one of half, us, 8 loads of one element each, 4 packs and
/// 8: 27.4, 17.6, 19.6, 21.7, 18.9; 22.1, 12.8, 16.7, 15.3, 15.3; 23.7, 15.3, 18.6, 17.6, 15.4.
constexpr std::uint32_t small_run_packs = 4;

/// Registers of a work-item on NVIDIA devices, at most, for values of up to 8 bytes, so that a compute unit has two
/// work-groups at a time. double, likewise, without this limit, where the compiler takes 100, and with it: 41.5, 23.4,
/// 33.0, 28.5, 28.5; 30.3, 18.8, 24.3, 26.6, 23.9.
constexpr std::uint32_t small_registers = 64;

/// Work-groups per compute unit, at most: other segments are theirs too. While work-items took 72 to 110 registers and
/// loaded single elements, H200, us, in segments of 1000, with 1, 2 and 4: 2^22 int32 11.3, 10.4, 13.5, float 18.1,
/// 15.2, 20.2, 2^20 double 11.6, 11.7, 18.4. No more than 64 registers, 256 work-items and four of them, and 1024 and
/// one: 12.5, 16.8, 11.0, float 17.6, 22.5, 16.4.
constexpr std::uint64_t small_unit_groups = 2;

/// Elements of a part of a long segment, at least.
constexpr std::uint64_t least_small_part = std::uint64_t{most_run_packs} * sub_group_lanes;
/// Half of the sums of parts that a work-group has room for.
constexpr std::uint64_t small_parts = std::uint64_t{1} << small_parts_bits;

/// Elements, at least and at most, bytes of values of more than 4, and segments, at most, of arrays whose longest
/// segments all work-groups share. They look at all offsets for that, which takes 1 us. H200, us, by a work-group (up
/// to 2^20) or several launches, and so: in segments of 1000 2^20 to 2^23 int32 10.5, 31.9, 29.7, 29.4
/// and 10.4, 10.4, 10.2, 14.2, 2^22 float 31 and 16, double 31 and 21; one segment of half of 2^18 to 2^23
/// int32 16.5, 24.2, 38.9, 31.8, 29.9, 30.8 and 10.9, 10.9, 10.5, 11.0, 12.7, 18.8, of half of 2^17 to 2^22 double 31,
/// 54, 99, 188, 31, 31 and 11, 15, 16, 16, 18, 24. 2^22 in 14000 segments int32 29.6 and 14.9, double 31.6 and 34.4,
/// the worst; 2^23 float in segments of 20000 28.3 and 30.3. 2^24 float in segments of 5000 44 and 50, of 20000 44
/// and 61. In parts (reduce_in_parts.hpp) and so, 1000, 5000, 20000 and with one of half of them: 2^22 and 2^23 float
/// 17, 16, 16, 16 and 15, 17, 16, 13; 21, 17, 17, 17 and 19, 19, 19, 19; 2^22 double 19, 17, 17, 17 and 23, 26, 24, 18.
constexpr std::uint64_t least_sharing_elements = std::uint64_t{1} << 17;
constexpr std::uint64_t most_sharing_elements = std::uint64_t{1} << 23;
/// By costly operators: log-sum-exp of 2^22 and 2^23 in segments of 300 so 60 and 88, of 100 from the sums of blocks 45
/// and 63.
constexpr std::uint64_t most_sharing_elements_of_costly = std::uint64_t{1} << 21;
constexpr std::uint64_t most_sharing_bytes_of_large = std::uint64_t{1} << 24;
constexpr std::uint64_t most_sharing_segments = std::uint64_t{1} << 14;
/// Parts of such an array, at most, and bytes of local memory for their sums. 4096 parts: 2^22 and 2^23 int32 with one
/// segment of half of them 13.8 and 16.6, in one segment 15.0 and 16.7; 2048: 12.7, 18.6, 12.2, 14.0.
constexpr std::uint64_t most_shared_parts = 2048;
constexpr std::uint64_t shared_part_bytes = std::uint64_t{16} << 10;
/// Parts of a shared segment, at least. The same with 16; with 64 2^22 int32 in 40 long ones and short ones 27 instead
/// of 18.
constexpr std::uint64_t least_shared_parts = 32;
/// Shared segments, at most: a state has a counter for each, before its values.
constexpr std::uint64_t most_shared = std::uint64_t{2} * (state_begin - 1);

/// Longer segments are a work-group's, where a work-group has several. H200, us, 512, 1024, 2048 and 4096: 2^22 and
/// 2^23 float in segments of 1000 21.5, 21.7, 16.9, 16.1 and 36, 36, 26, 26, of 5000 18.8, 19.1, 19.9, 25.3
/// and 26.0, 26.6, 27.6, 31.6.
constexpr std::uint64_t longest_of_sub_group = 2048;

/// Work-groups, at most.
UPSWEEP_INLINE std::uint64_t most_small_groups(const device_limits& device) {
    return small_unit_groups * device.compute_units;
}

/// Whether all work-groups share the longest segments.
UPSWEEP_INLINE bool shares_small(const segments_facts& s) {
    return s.n >= least_sharing_elements && s.segments <= most_sharing_segments &&
           s.n <= (s.value_size > 4 ? most_sharing_bytes_of_large / s.value_size
                   : s.costly       ? most_sharing_elements_of_costly
                                    : most_sharing_elements);
}

/// Whether segments of so many elements are reduced so.
UPSWEEP_INLINE bool reduces_small(const device_limits& device, const options& opts, const segments_facts& s) {
    const bool is_asked_for = opts.algorithm == tile_algorithm::sub_group;
    if (device.lanes == lanes_backend::none || !(device.has_ptx || device.has_atomics64) ||
        device.max_work_group_size < sub_group_lanes || s.value_size > 32 ||
        device.local_memory_bytes < (std::uint64_t{32} << 10) || s.n == 0 || s.segments == 0)
        return false;
    if (!leaves_division_open(opts) || opts.run_packs != 0 || opts.registers != 0) return false;
    if (is_asked_for) return s.n + s.segments <= most_small_asked_for;
    const bool are_few = s.n <= most_small_elements && s.segments <= most_small_segments;
    const bool are_long = s.n <= most_small_long && s.segments <= s.n / least_long_average;
    return opts.algorithm == tile_algorithm::automatic && !device.is_cpu && (are_few || are_long || shares_small(s));
}

/// Whether rows without gaps are reduced so, which takes one launch and not two (reduce_in_parts.hpp). Not of larger
/// values: 2^19 and 2^20 of 16 bytes in rows of 20000 14, 16 and 18, 19.
UPSWEEP_INLINE bool rows_suit_small(const device_limits& device, const options& opts, const segments_facts& s) {
    return s.value_size <= 8 && shares_small(s) && reduces_small(device, opts, s) &&
           are_rows_few(device, s.segments, s.n / s.segments);
}

/// Segments that are to be reduced, checked.
struct small_request : offsets_request {
    bool any_order = false;  ///< the operator is exact and commutative
    bool shares = false;     ///< all work-groups share the longest segments: see small_helpers
    bool shares_all = false; ///< of a self-check: segments are shared as soon as they may be
};

/// How the segments of a small array are divided.
struct small_layout {
    std::uint64_t groups = 0;
    std::uint64_t longest = 0;      ///< elements of a segment that is one sub-group's
    std::uint32_t shared_bits = 0;  ///< log2 of the elements of a part of a segment that is shared by all
    std::uint64_t least_shared = 0; ///< parts of such a segment; 0: no segment is shared
    std::uint64_t local_values = 1; ///< in local memory
};

/// Adds what sharing needs.
UPSWEEP_INLINE void lay_out_shared(small_layout& layout, const small_request& r, const device_limits& limits) {
    layout.groups = most_small_groups(limits);
    const std::uint64_t sub_groups = layout.groups * (work_items_up_to(small_work_items, limits) / sub_group_lanes);
    const std::uint64_t most_parts = (std::min)({most_shared_parts, shared_part_bytes / r.value_size, sub_groups});
    layout.shared_bits = log2_of(least_small_part);
    while (r.n >> layout.shared_bits > most_parts) ++layout.shared_bits;
    const std::uint64_t parts = r.n >> layout.shared_bits;
    layout.least_shared = (std::max)(r.shares_all ? 1 : least_shared_parts, divide_up(parts, most_shared));
    layout.local_values = parts + (parts >> small_parts_bits) + 1;
}

UPSWEEP_INLINE small_layout lay_out_small(const small_request& r, const device_limits& limits) {
    small_layout layout;
    layout.groups = (std::min)(r.segments, most_small_groups(limits));
    if (r.shares) lay_out_shared(layout, r, limits);
    layout.longest = r.segments <= layout.groups ? least_small_part : longest_of_sub_group;
    layout.local_values = (std::max)(layout.local_values, 2 * small_parts);
    return layout;
}

/// What the kernel needs besides offsets, for the operator's helpers. Sharing takes three times as much code, which a
/// first call waits for.
UPSWEEP_INLINE std::string small_helpers(bool shares) {
    return std::string("uint upsweep_shares_segments(void)\n{\nreturn ") + (shares ? "1" : "0") + ";\n}\n";
}

/// What decides the program.
/// @param text  of the elements, the values and the operator, which has `small_helpers`; must outlive the key
UPSWEEP_INLINE program_key small_key(const small_request& r, const device_limits& limits,
                                     const program_text_view& text) {
    program_key key = offsets_key(r, text, family::small_segments);
    key.tuning = rows_tuning(limits, r.any_order);
    key.tuning.work_items = work_items_up_to(small_work_items, limits);
    key.tuning.run_packs = small_run_packs;
    if (limits.has_ptx && r.value_size <= 8) key.tuning.registers = small_registers;
    return key;
}

/// Enqueues the launch.
UPSWEEP_INLINE cl::Event reduce_small(const small_request& s, built_program& program, const device_limits& limits) {
    const run_request& r = s.run;
    const small_layout layout = lay_out_small(s, limits);
    const offsets_argument offsets(s.offsets);
    const built_program::loan kernel(program, small_segments_kernel, r.function);
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    const local_room sums{static_cast<std::size_t>(layout.local_values) * s.value_size};
    const std::uint64_t bytes = s.shares ? state_bytes(s.n >> layout.shared_bits, s.value_size) : 0;
    workspace_loan state(r.function, r.queue.context, r.queue.queue, r.queue.in_order, static_cast<std::size_t>(bytes),
                         nullptr, scratch_use::look_back_state);
    set_arguments(r.function, kernel(), s.in, cl_ulong{s.offset}, offsets.view, offsets.begin, cl_ulong{s.segments},
                  cl_ulong{s.n}, static_cast<cl_uint>(layout.longest), cl_uint{layout.shared_bits},
                  static_cast<cl_uint>(layout.least_shared), sums, s.shares ? state.buffer() : s.results.buffer,
                  state.next_launch(), s.results.buffer, cl_ulong{s.results.offset}, r.has_init, init);
    command_chain chain(r, 1);
    chain.launch(kernel(), layout.groups, work_items_up_to(small_work_items, limits));
    state.used_until(chain.last());
    return chain.take_last();
}

} // namespace upsweep::detail
