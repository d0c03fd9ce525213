// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Reductions of segments by offsets and of rows on CPUs, each segment by one work-item
// (launch/segments/reduce_each.cl).

namespace upsweep::detail {

/// Elements that are combined as a tree at once, where a segment has them. PoCL 3.1 on 2 cores, 2^24 float in segments
/// of 10, 100 and 1000 on average, ms: with 4 19.1, 6.8 and 5.0; with 8 23.2, 17.5 and 7.6; with 16 26.1, 9.8 and 7.4;
/// with 32 24.4, 11.0 and 8.2. By marks and a scan 67.6, 52.7 and 51.4.
constexpr std::uint32_t each_tree_run = 4;

/// Work-items per core, so that one that takes longer does not leave others without work.
constexpr std::uint64_t each_core_items = 8;

/// Elements and segments of a work-item, at least, so that it is worth it. Guess.
constexpr std::uint64_t least_each_share = 4096;

/// Cores, at most: a segment of nearly all elements is one core's, and takes longer than a scan by this many.
constexpr std::uint32_t most_each_cores = 16;

/// Larger values are left to scans: the stack of a work-item is to stay in the cache.
constexpr std::size_t most_each_bytes = 256;

UPSWEEP_INLINE bool may_reduce_each(const device_limits& device, const options& opts, std::size_t value_size) {
    const bool is_open = leaves_division_open(opts) && opts.algorithm == tile_algorithm::automatic;
    return is_open && device.is_cpu && !device.ends_loops && value_size <= most_each_bytes;
}

/// Whether segments by offsets are reduced so.
UPSWEEP_INLINE bool reduces_each(const device_limits& device, const options& opts, std::size_t value_size,
                                 std::uint64_t segments) {
    return may_reduce_each(device, opts, value_size) && device.compute_units <= most_each_cores && segments > 0;
}

/// Whether rows are. A few long ones leave cores without work, but scans combine more. PoCL 3.1, 2 cores, two rows of
/// 2^19 elements, us, by a scan and so: int32 2370 and 78, float 2360 and 385.
UPSWEEP_INLINE bool reduces_each_row(const device_limits& device, const options& opts, std::size_t value_size,
                                     std::uint64_t height, std::uint64_t width) {
    return may_reduce_each(device, opts, value_size) && width > 0 && height >= divide_up(device.compute_units, 8);
}

/// Segments that are to be reduced, checked.
/// Rows have no offsets; `segments` is their number.
struct each_request : offsets_request {
    std::uint64_t width = 0;  ///< of rows
    std::uint64_t gap = 0;    ///< elements between a row's end and the next row
    bool has_vectors = false; ///< whole runs are loaded as vectors

    bool are_rows() const { return !offsets.buffer; }
};

/// Elements of a segment on average from which on whole runs of floats in an array are loaded as vectors. PoCL 3.1, 2
/// cores, 2^22 float, ms, without and with: segments of 100, 1000, 10000 on average 1.67 and 1.83, 1.25 and 0.49, 1.2
/// and 0.26, rows of 16, 128, 200, 524 1.39 and 1.66, 1.19 and 1.28, 1.19 and 1.00, 1.18 and 0.57.
constexpr std::uint64_t least_vector_length = 256;

/// The same of integers, which are summed in vectors from so many on (tile/sum_vectors.cl).
constexpr std::uint64_t least_exact_vector_length = 64;

/// Whether elements are loaded as vectors: of an array, in long segments.
UPSWEEP_INLINE bool loads_vectors(const each_request& each, const program_text_view& text) {
    const std::uint64_t least = is_floating(text.value.name) ? least_vector_length : least_exact_vector_length;
    return text.op.traits.combines_vectors && text.hooks.load.empty() &&
           each.n / (std::max)(each.segments, std::uint64_t{1}) >= least &&
           converts_vectors(text_of(text.element), text_of(text.value));
}

UPSWEEP_INLINE program_key each_key(const each_request& each, const program_text_view& text) {
    program_key key = offsets_key(each, text, family::each);
    if (each.are_rows()) key.wide_index = needs_wide_index(each.segments, each.width + each.gap);
    key.tuning.work_items = 1;
    const std::uint32_t longest = longest_tree_run(each.value_size);
    key.tuning.tree_run = each.has_vectors ? longest : (std::min)(each_tree_run, longest);
    return key;
}

/// Enqueues the launch.
UPSWEEP_INLINE cl::Event reduce_each(const each_request& each, built_program& program, const device_limits& limits) {
    const run_request& r = each.run;
    const bool are_rows = each.are_rows();
    const built_program::loan kernel(program, are_rows ? "upsweep_reduce_each_row" : "upsweep_reduce_each", r.function);
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    const std::uint64_t size = are_rows ? each.segments : each.n + each.segments;
    const std::uint64_t least = are_rows ? divide_up(least_each_share, each.width) : least_each_share;
    const std::uint64_t most = each_core_items * limits.compute_units;
    const std::uint64_t share = (std::max)(least, divide_up(size, most));
    if (are_rows)
        set_arguments(r.function, kernel(), each.in, cl_ulong{each.offset}, cl_ulong{each.segments},
                      cl_ulong{each.width}, cl_ulong{each.gap}, cl_ulong{share}, each.results.buffer,
                      cl_ulong{each.results.offset}, r.has_init, init);
    else
        set_arguments(r.function, kernel(), each.in, cl_ulong{each.offset}, each.offsets.buffer,
                      cl_ulong{each.offsets.offset}, cl_ulong{each.segments}, cl_ulong{each.n}, cl_ulong{share},
                      each.results.buffer, cl_ulong{each.results.offset}, r.has_init, init);
    command_chain chain(r, 1);
    chain.launch(kernel(), divide_up(size, share), 1);
    return chain.take_last();
}

} // namespace upsweep::detail
