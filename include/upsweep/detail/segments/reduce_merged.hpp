// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Reductions of segments by offsets, merged with the elements (launch/segments/reduce_merged.cl), in any order of
// combination.

namespace upsweep::detail {

/// Work-items of a work-group, at most. H200, 2^28 int32 in segments of 10 and 1000 elements, the second launch alone,
/// us: with 32 416 and 291, with 64 386 and 270, with 128 394 and 278, with 256 429 and 305. The third launch takes
/// longer the more work-groups there are: of one segment of half the elements, with 64 and 128, 127 and 54.
constexpr std::uint32_t merged_work_items = 128;

/// Elements and ends of segments that a work-item takes.
constexpr std::uint32_t merged_items = 32;

/// Registers of a work-item, at most, on NVIDIA devices. H200, 2^28 int32 in segments of 10 elements, the second launch
/// alone in work-groups of 256, us: with 48 515, with 56 439, with 60 436, with 64 427, with 72 488.
constexpr std::uint32_t merged_registers = 64;

/// Local memory of a sub-group: upsweep_merged_memory.
constexpr std::uint64_t merged_memory_bytes(std::size_t value_size) {
    constexpr std::uint64_t share = std::uint64_t{merged_items} * sub_group_lanes;
    return (share + sub_group_lanes) * value_size + std::uint64_t{4} * sub_group_lanes + share;
}

/// Work-items of a work-group: as many as local memory lets.
UPSWEEP_INLINE std::uint32_t merged_group_size(const device_limits& device, std::size_t value_size) {
    std::uint32_t size = merged_work_items;
    while (size > sub_group_lanes &&
           (size > device.max_work_group_size ||
            size / sub_group_lanes * merged_memory_bytes(value_size) + 1024 > device.local_memory_bytes))
        size /= 2;
    return size;
}

/// Shorter segments on average are left to sums of blocks (reduce_segments.hpp). H200, 2^28 int32, us, merged and from
/// blocks: segments of 10 and of 1000 elements on average, at random, 431 and 486, 292 and 313; of exactly 10 and 1000
/// 460 and 453, 328 and 317; many empty ones 442 and 490. Of exactly 1 and 2, merged 2745 and 1061, because lanes that
/// list equally many sums meet the same banks; from blocks 1262 and 703, by a scan 1144 and 782.
constexpr std::uint64_t least_merged_length = 4;

/// Larger values are left to sums of blocks. H100, maximum, segments of 10, 64, 1000 elements on average, one of half
/// the elements, a million empty ones, us, merged and from blocks: 2^27 int32 269, 217, 199, 264, 217 and 318, 253,
/// 230, 258, 250; 2^26 int64 456, 395, 355, 329, 394 and 281, 243, 222, 243, 251. Other devices' are a guess, as is a
/// caller's who asks for sub-groups.
constexpr std::size_t most_merged_bytes = 8;
constexpr std::size_t most_merged_bytes_ptx = 4;

/// Ends on average for each share from which on shares are listed from the ends, and not searched for. H200, 2^28 int32
/// in segments of 10 elements, 93 ends for each share, us: 30 by lists, 54 by searches.
constexpr std::uint64_t least_ends_of_share = 16;

/// What a work-group of the second launch hands to the third: upsweep_carry, at most.
constexpr std::uint64_t merged_carry_bytes = 24;

UPSWEEP_INLINE tuning merged_tuning(const device_limits& device, std::size_t value_size) {
    tuning t;
    t.algorithm = tile_algorithm::sub_group;
    use_lanes(t, device);
    t.work_items = merged_group_size(device, value_size);
    t.items = merged_items;
    t.registers = t.ptx ? merged_registers : 0;
    return t;
}

/// Whether segments of so many elements are reduced so, if the operator is exact and commutes. Where the caller asks
/// for sub-groups, short ones too.
UPSWEEP_INLINE bool reduces_by_merging(const device_limits& device, const options& opts, std::size_t value_size,
                                       std::uint64_t n, std::uint64_t segments) {
    constexpr std::uint64_t least_bytes = 16 << 10;
    const bool is_asked = opts.algorithm == tile_algorithm::sub_group;
    const std::size_t most_bytes = device.has_ptx && !is_asked ? most_merged_bytes_ptx : most_merged_bytes;
    if (device.lanes == lanes_backend::none || device.max_work_group_size < sub_group_lanes ||
        device.local_memory_bytes < least_bytes || value_size > most_bytes || n == 0 || segments == 0)
        return false;
    return may_reduce_offsets(device, opts, n + segments) && (is_asked || segments <= n / least_merged_length);
}

/// Segments that are to be reduced, checked.
struct merged_request : offsets_request {
    std::uint64_t work_items = 0; ///< of a work-group
    std::uint64_t least_ends = least_ends_of_share;
};

/// How the list of elements and ends is divided, and what lies where in scratch memory.
struct merged_layout {
    std::uint64_t groups = 0; ///< work-groups of the second launch
    std::uint64_t shares = 0; ///< of sub-groups
    std::uint64_t starts = 0; ///< where their beginnings lie, in numbers of `index_size` bytes
    std::uint64_t bytes = 0;
    std::uint64_t own_ends = 0; ///< of each work-item of the first launch; 0: it searches for a share
};

UPSWEEP_INLINE merged_layout lay_out_merged(const merged_request& r) {
    const std::uint64_t size = r.n + r.segments;
    merged_layout layout;
    layout.groups = divide_up(size, r.work_items * merged_items);
    layout.shares = layout.groups * (r.work_items / sub_group_lanes);
    const std::uint64_t index_size = needs_wide_index(size) ? 8 : 4;
    layout.starts = layout.groups * (merged_carry_bytes / index_size);
    layout.bytes = divide_up((layout.starts + layout.shares + 1) * index_size, 8) * 8;
    const std::uint64_t ends = r.segments / layout.shares;
    if (ends >= r.least_ends) layout.own_ends = (std::max)(std::uint64_t{1}, ends / 3);
    return layout;
}

UPSWEEP_INLINE program_key merged_key(const merged_request& r, const device_limits& limits,
                                      const program_text_view& text) {
    program_key key = offsets_key(r, text, family::merged);
    key.tuning = merged_tuning(limits, r.value_size);
    return key;
}

/// Enqueues the launches.
UPSWEEP_INLINE cl::Event reduce_merged(const merged_request& m, built_program& program) {
    const run_request& r = m.run;
    const merged_layout layout = lay_out_merged(m);
    const built_program::loan find(program, layout.own_ends > 0 ? "upsweep_list_shares" : "upsweep_find_shares",
                                   r.function);
    const built_program::loan reduce(program, merged_kernel, r.function);
    const built_program::loan close(program, "upsweep_close_segments", r.function);
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    workspace_loan scratch(r.function, r.queue.context, r.queue.queue, r.queue.in_order,
                           static_cast<std::size_t>(layout.bytes), nullptr);
    const auto set_find = [&](auto... own) {
        set_arguments(r.function, find(), m.offsets.buffer, cl_ulong{m.offsets.offset}, cl_ulong{m.segments},
                      cl_ulong{m.n}, cl_ulong{layout.shares}, scratch.buffer(), cl_ulong{layout.starts}, own...);
    };
    if (layout.own_ends > 0)
        set_find(static_cast<cl_uint>(layout.own_ends));
    else
        set_find();
    set_arguments(r.function, reduce(), m.in, cl_ulong{m.offset}, m.offsets.buffer, cl_ulong{m.offsets.offset},
                  cl_ulong{m.segments}, cl_ulong{m.n}, scratch.buffer(), cl_ulong{layout.starts}, scratch.buffer(),
                  m.results.buffer, cl_ulong{m.results.offset}, r.has_init, init);
    set_arguments(r.function, close(), scratch.buffer(), cl_ulong{layout.starts}, scratch.buffer(),
                  static_cast<cl_uint>(layout.groups), cl_ulong{m.segments}, m.results.buffer,
                  cl_ulong{m.results.offset}, r.has_init, init);
    command_chain chain(r, 3);
    const std::uint64_t finding = layout.own_ends > 0 ? divide_up(m.segments, layout.own_ends) : layout.shares + 1;
    chain.launch(find(), divide_up(finding, m.work_items), m.work_items);
    chain.launch(reduce(), layout.groups, m.work_items);
    chain.launch(close(), divide_up(layout.groups, m.work_items), m.work_items);
    scratch.used_until(chain.last());
    return chain.take_last();
}

} // namespace upsweep::detail
