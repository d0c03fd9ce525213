// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Reductions of rows by sub-groups, which need no scan (launch/segments/reduce_rows.cl).

namespace upsweep::detail {

/// NVIDIA H200, 2^28 int32 in rows of 64, 4096 and 65536, us: 458, 253 and 280; with 32 registers 463, 255 and 281,
/// with 40 526, 276 and 294; 512 work-items, 40 registers 510, 260 and 279. float, rows of 1000: 348, 378, 396 and 374.
/// By a scan 1304, 1086 and 1090; the plain reduction 246.
constexpr std::uint32_t rows_work_items = 256;

/// Packs of up to 16 bytes that each lane has under way. NVIDIA H200, 2^26 in rows of 1024, 4099 and 65536, us, 8 loads
/// of one element each, 4 packs and 8: float 73, 80, 79; 69, 74, 74; 67, 71, 74; double 144, 150, 152; 130, 134, 132;
/// 129, 130, 131. 2^22 float 13.0, 23.2, 23.1; 11.9, 19.3, 18.3; 11.1, 22.1, 21.4.
constexpr std::uint32_t rows_run_packs = 8;

/// Work-groups per compute unit, at most: the others' rows are theirs too. The same with 8: 531, 258 and 279.
constexpr std::uint64_t rows_unit_groups = 32;

/// Work-groups for so many rows, or parts of rows.
/// @param side_by_side  those that a sub-group reduces at once
UPSWEEP_INLINE std::uint64_t rows_groups(const device_limits& device, std::uint64_t rows,
                                         std::uint64_t side_by_side = 1) {
    const std::uint64_t group_rows = work_items_up_to(rows_work_items, device) / sub_group_lanes * side_by_side;
    return (std::min)(divide_up(rows, group_rows), rows_unit_groups * device.compute_units);
}

/// @param any_order  the operator is exact and commutative
UPSWEEP_INLINE tuning rows_tuning(const device_limits& device, bool any_order) {
    tuning t;
    t.algorithm = tile_algorithm::sub_group;
    use_lanes(t, device);
    t.work_items = work_items_up_to(rows_work_items, device);
    t.run_packs = rows_run_packs;
    t.canonical = !any_order;
    return t;
}

/// Whether rows are reduced so, or in parts (reduce_in_parts.hpp). Rows shorter than a sub-group would leave lanes
/// without elements. Values are exchanged between lanes, so they are no larger than where scans do that. CPUs do it
/// only where the caller asks for sub-groups.
UPSWEEP_INLINE bool reduces_by_rows(const device_limits& device, const options& opts, std::size_t value_size,
                                    std::uint64_t height, std::uint64_t width) {
    if (device.lanes == lanes_backend::none || device.max_work_group_size < sub_group_lanes || value_size > 32)
        return false;
    if (height == 0 || width < sub_group_lanes || width >= most_elements_of_lines / height) return false;
    if (opts.algorithm == tile_algorithm::sub_group) return true;
    return leaves_division_open(opts) && opts.algorithm == tile_algorithm::automatic && !device.is_cpu;
}

/// Rows of more elements are long, and reduced in parts if they are few.
constexpr std::uint64_t short_row = 4096;

/// Rows for each compute unit from which on each is one sub-group's. H200, 2^28 int32 and float, us, row after row (by
/// a scan up to 1000 rows) and in parts of a 64th of a row at most, before lanes loaded packs: 2 rows 537 and 281, 697
/// and 316; 100 rows 546 and 269, 700 and 297; 1000 rows 544 and 262, 697 and 282; 2048 rows 321 and 255, 427 and 273;
/// 4096 rows 275 and 258, 308 and 290; 7777 rows 266 and 264, 306 and 320. The plain reduction 245.
constexpr std::uint64_t enough_unit_rows = 32;

/// Whether rows are too few to give every sub-group of a device one, and long.
UPSWEEP_INLINE bool are_rows_few(const device_limits& device, std::uint64_t height, std::uint64_t width) {
    return width > short_row && height < enough_unit_rows * device.compute_units;
}

/// Rows that are to be reduced, checked.
struct rows_request : direct_request {
    std::uint64_t height = 0;
    std::uint64_t width = 0;
    std::uint64_t gap = 0;  ///< elements between a row's end and the next row
    bool any_order = false; ///< the operator is exact and commutative
};

/// What decides the program of a reduction of rows.
/// @param text  of the elements, the values and the operator; must outlive the key
/// @param n     elements, with those between rows
UPSWEEP_INLINE program_key rows_key(const rows_request& rows, const device_limits& limits,
                                    const program_text_view& text, std::uint64_t n) {
    program_key key;
    key.context = rows.run.queue.context;
    key.device = rows.run.queue.device;
    key.text = text;
    key.kind = family::rows;
    key.wide_index = needs_wide_index(n);
    key.tuning = rows_tuning(limits, rows.any_order);
    return key;
}

/// How many rows of a width a sub-group reduces side by side; 1: row after row, by the other kernel. Where blocks of
/// the canonical order reach from one row into the next, rows are not narrow. NVIDIA H200, 2^28 elements, us, row after
/// row and side by side: int32 in rows of 32 851 and 274, of 64 455 and 270, of 100 321 and 283, of 128 277 and 263, of
/// 200 281 and 287; float in rows of 32 2487 and 301, of 64 1425 and 302, of 128 878 and 305. The plain reduction 242.
UPSWEEP_INLINE std::uint64_t rows_side_by_side(std::uint64_t width, bool any_order) {
    constexpr std::uint64_t lines = most_run_packs;
    if (any_order) return width < std::uint64_t{6} * sub_group_lanes ? lines : 1;
    return width < lines * sub_group_lanes && is_power_of_two(width) ? lines * sub_group_lanes / width : 1;
}

/// Enqueues the launch.
UPSWEEP_INLINE cl::Event reduce_rows(const rows_request& rows, built_program& program, const device_limits& limits) {
    const run_request& r = rows.run;
    const std::uint64_t side_by_side = rows_side_by_side(rows.width, rows.any_order);
    const built_program::loan kernel(program, side_by_side > 1 ? narrow_rows_kernel : rows_kernel, r.function);
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    set_arguments(r.function, kernel(), rows.in, cl_ulong{rows.offset}, cl_ulong{rows.height}, cl_ulong{rows.width},
                  cl_ulong{rows.gap}, rows.results.buffer, cl_ulong{rows.results.offset}, r.has_init, init);
    command_chain chain(r, 1);
    chain.launch(kernel(), rows_groups(limits, rows.height, side_by_side), work_items_up_to(rows_work_items, limits));
    return chain.take_last();
}

} // namespace upsweep::detail
