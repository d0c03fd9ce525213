// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/segments/reduce_rows.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Reductions of long rows in parts (launch/segments/reduce_long_rows.cl), where there are too few of them to give every
// sub-group of a device one. Row after row, a few rows would leave most of the device idle; a scan reads and combines
// more.

namespace upsweep::detail {

/// Longer rows are reduced in parts, if they are too few.
constexpr std::uint64_t short_row = 4096;

/// Rows for each compute unit from which on each is one sub-group's. H200, 2^28 int32 and float, us, row after row (by
/// a scan up to 1000 rows) and in parts of a 64th of a row at most: 2 rows 537 and 281, 697 and 316; 100 rows 546 and
/// 269, 700 and 297; 1000 rows 544 and 262, 697 and 282; 2048 rows 321 and 255, 427 and 273; 4096 rows 275 and 258, 308
/// and 290; 7777 rows 266 and 264, 306 and 320. The plain reduction 245.
constexpr std::uint64_t enough_unit_rows = 32;

/// Parts for each compute unit, at least, if rows are long enough.
constexpr std::uint64_t unit_row_parts = 128;

/// Parts of a row, at least. So many sums are a line, or reach from one line into the next, as the second launch
/// expects.
constexpr std::uint64_t least_row_parts = sub_group_lanes;
constexpr std::uint64_t least_part_elements = std::uint64_t{4} * sub_group_lanes;
constexpr std::uint64_t most_part_elements = 8192;
static_assert(least_row_parts * least_part_elements <= short_row, "a row longer than that has all its parts");

/// log2 of the elements of a part; 0: rows are reduced one after another.
UPSWEEP_INLINE std::uint32_t row_part_bits(const device_limits& device, std::uint64_t height, std::uint64_t width) {
    const std::uint64_t units = device.compute_units;
    if (width <= short_row || height >= enough_unit_rows * units) return 0;
    const std::uint64_t most =
        (std::min)({width / least_row_parts, height * width / (unit_row_parts * units), most_part_elements});
    return log2_of((std::max)(most, least_part_elements));
}

UPSWEEP_INLINE std::uint64_t row_parts(const rows_request& rows) {
    return rows.height * rows.width >> rows.part_bits;
}

/// Scratch memory for the sums of all parts.
UPSWEEP_INLINE std::uint64_t row_parts_bytes(const rows_request& rows) {
    return row_parts(rows) * rows.run.init.size;
}

/// Enqueues the launches.
UPSWEEP_INLINE cl::Event reduce_long_rows(const rows_request& rows, built_program& program,
                                          const device_limits& limits) {
    const run_request& r = rows.run;
    const std::uint64_t parts = row_parts(rows);
    const built_program::loan sum(program, row_parts_kernel, r.function);
    const built_program::loan join(program, "upsweep_join_row_parts", r.function);
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    workspace_loan scratch(r.function, r.queue.context, r.queue.queue, r.queue.in_order,
                           static_cast<std::size_t>(row_parts_bytes(rows)), nullptr);
    set_arguments(r.function, sum(), rows.in, cl_ulong{rows.offset}, cl_ulong{parts}, cl_ulong{rows.width},
                  cl_ulong{rows.gap}, cl_uint{rows.part_bits}, scratch.buffer(), r.has_init, init);
    set_arguments(r.function, join(), rows.in, cl_ulong{rows.offset}, cl_ulong{rows.height}, cl_ulong{rows.width},
                  cl_ulong{rows.gap}, cl_uint{rows.part_bits}, scratch.buffer(), rows.results.buffer,
                  cl_ulong{rows.results.offset}, r.has_init, init);
    command_chain chain(r, 2);
    chain.launch(sum(), rows_groups(limits, parts), work_items_up_to(rows_work_items, limits));
    chain.launch(join(), rows_groups(limits, rows.height), work_items_up_to(rows_work_items, limits));
    scratch.used_until(chain.last());
    return chain.take_last();
}

} // namespace upsweep::detail
