// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

// Scans of columns in one launch (launch/segments/columns_look_back.cl).

namespace upsweep::detail {

constexpr const char* columns_look_back_kernel = "upsweep_scan_columns_once";

/// Bytes of a value, at most: of larger ones, a run has few.
constexpr std::size_t most_look_back_column_bytes = 16;

/// Runs of a column, at most: kernels count them, and twice as many sums, in 32 bits.
constexpr std::uint64_t most_column_runs = std::uint64_t{1} << 30;

/// Work-items of a work-group, and of a run the rows and the bytes, at most. H100, 2^28 int32 in 8, 100, 1000, 8192
/// columns and 2^27 double in as many, us: with 128 work-items and 128 bytes 1310, 1810, 1282, 1174 and 1688, 2284,
/// 1768, 1597; with 256 bytes 1072, 1194, 955, 873 and 864, 1025, 836, 792; with 256 work-items 1133, 1410, 1091, 1038
/// and 872, 919, 824, 785, with 512 1117, 1345, 1107, 1024 and 1694, 2099, 1625, 1494.
constexpr std::uint32_t look_back_column_items = 128;
constexpr std::size_t look_back_run_rows = 64;
constexpr std::size_t look_back_run_bytes = 256;

/// Bytes of a row for each compute unit from which on a launch of one part per column is as fast; of small values
/// columns_unit_bytes. H100, likewise, by
/// looking back and so: int32 in 16384, 30000, 65536 columns 876 and 889, 882 and 843, 870 and 796; double in 8192,
/// 16384, 65536 797 and 959, 791 and 780, 808 and 789.
constexpr std::uint64_t look_back_unit_bytes = 900;

/// Columns of a work-group, at most; and where rows are long and begin anywhere, so that two work-groups seldom write
/// to one piece of what memory moves at once. H100, likewise, with 32 and 64: 1000 columns of int32 955 and 1031, 4097
/// columns 1197 and 975, 300 columns 1040 and 1158; with 128 4097 columns 1180 where 64 took 1009.
constexpr std::uint64_t most_strip_columns = 32;
constexpr std::uint64_t most_odd_strip_columns = 64;
constexpr std::uint64_t least_odd_columns = 2048;
constexpr std::uint64_t moved_bytes = 32;
/// Strips begin at multiples of so many columns, if that makes no more strips.
constexpr std::uint64_t strip_step = 8;

/// Columns that are narrow: where rows follow one another, a tile goes through local memory. H100, 2^28 int32 in 2, 3,
/// 8 columns, us, without and so: 2314, 2023 and 1146, 1173, 1364 and 1143.
constexpr std::uint64_t most_narrow_columns = 16;
/// Values of one or two bytes: in one launch where columns are so few, or, of two bytes, so many. H100, 2^28 of them in
/// 4, 8, 16, 100, 300, 1000 columns, us, so and by several launches: uint8 817, 801, 879, 810, 616, 522 and 1494, 833,
/// 523, 496, 538, 529; uint16 959, 932, 1005, 896, 699, 597 and 1675, 883, 765, 812, 861, 764.
constexpr std::size_t small_column_bytes = 2;
constexpr std::uint64_t most_narrow_small_columns = 7;
constexpr std::uint64_t least_small_columns = 256;

/// How columns are divided.
struct look_back_layout : columns_sizes {
    std::uint32_t strip = 1;     ///< neighbouring columns of a work-group
    std::uint32_t team_bits = 0; ///< log2 of the runs of a tile, which lie one below the other
    std::uint64_t strips = 1;
    std::uint64_t tiles = 1;     ///< of a column
    bool is_narrow = false;      ///< a tile goes through local memory
    std::size_t local_bytes = 1; ///< that it takes there
};

UPSWEEP_INLINE std::uint64_t strip_of_columns(const columns_request& columns, std::uint64_t most) {
    const std::uint64_t strips = divide_up(columns.width, most);
    const std::uint64_t strip = divide_up(columns.width, strips);
    return strips > 1 ? (std::min)(divide_up(strip, strip_step) * strip_step, most) : strip;
}

UPSWEEP_INLINE look_back_layout lay_out_looking_back(const columns_request& columns, const device_limits& device) {
    look_back_layout layout;
    layout.run_rows = run_rows_of(columns.value_size, look_back_run_rows, look_back_run_bytes);
    layout.work_items = work_items_up_to(device.is_cpu ? columns_cpu_work_items : look_back_column_items, device);
    const bool is_odd = columns.width >= least_odd_columns && columns.pitch * columns.value_size % moved_bytes != 0;
    const std::uint64_t most = is_odd ? most_odd_strip_columns : most_strip_columns;
    const std::uint64_t strip = strip_of_columns(columns, (std::min)(most, std::uint64_t{layout.work_items}));
    layout.strip = static_cast<std::uint32_t>(strip);
    layout.strips = divide_up(columns.width, strip);
    layout.team_bits = log2_of(floor_power_of_two(layout.work_items / strip));
    layout.tiles = divide_up(columns.height, std::uint64_t{layout.run_rows} << layout.team_bits);
    const std::uint64_t values = ((layout.run_rows + 1) * strip) << layout.team_bits;
    const std::uint64_t bytes = values * columns.value_size;
    const std::uint64_t own_bytes = 2 * std::uint64_t{layout.work_items} * columns.value_size; // of the kernel's arrays
    layout.is_narrow = columns.width <= most_narrow_columns && columns.width == columns.pitch &&
                       bytes + own_bytes <= device.local_memory_bytes;
    layout.local_bytes = layout.is_narrow ? static_cast<std::size_t>(bytes) : columns.value_size;
    return layout;
}

/// Whether columns are scanned in one launch: on NVIDIA devices, and elsewhere where the caller asks for `look_back`.
UPSWEEP_INLINE bool looks_back_at_columns(const columns_request& columns, const options& opts,
                                          const device_limits& device) {
    if (columns.result == columns_result::reduction || !device.has_atomics64 || columns.row_after_row ||
        columns.value_size > most_look_back_column_bytes)
        return false;
    const std::uint64_t run_rows = run_rows_of(columns.value_size, look_back_run_rows, look_back_run_bytes);
    if (columns.height / run_rows >= most_column_runs) return false;
    if (opts.strategy == strategy::look_back) return true;
    if (!device.has_ptx || opts.strategy != strategy::automatic) return false;
    const bool is_small = columns.value_size <= small_column_bytes;
    if (is_small && columns.width <= most_narrow_small_columns) return columns.width == columns.pitch;
    if (is_small && (columns.value_size == 1 || columns.width < least_small_columns)) return false;
    const std::uint64_t unit_bytes = is_small ? columns_unit_bytes : look_back_unit_bytes;
    return columns.width * columns.value_size < unit_bytes * device.compute_units;
}

/// Scratch memory for what runs publish, in bytes.
UPSWEEP_INLINE std::uint64_t look_back_column_bytes(const columns_request& columns, const look_back_layout& layout) {
    const std::uint64_t words = divide_up(columns.value_size, sizeof(std::uint32_t));
    return (state_begin + 2 * layout.tiles * columns.width * words) * sizeof(std::uint64_t);
}

/// Polls of a self-check, which lets tiles be silent.
constexpr std::uint32_t check_polls = 1;

/// Enqueues the launch.
UPSWEEP_INLINE cl::Event scan_columns_once(const columns_request& columns, const look_back_layout& layout,
                                           built_program& program) {
    const run_request& r = columns.run;
    const built_program::loan kernel(program, columns_look_back_kernel, r.function);
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    // A launch that waits for events fails if they do; state is lent to the next one only once that is known.
    const bool in_order = r.queue.in_order && r.after->events().empty();
    workspace_loan state(r.function, r.queue.context, r.queue.queue, in_order,
                         static_cast<std::size_t>(look_back_column_bytes(columns, layout)), nullptr,
                         scratch_use::look_back_state);
    command_chain chain(r, 1);
    const bool exclusive = columns.result == columns_result::exclusive_scan;
    const cl_uint flags = (r.has_init ? launch_has_init : 0U) | (exclusive ? launch_exclusive : 0U) |
                          (r.last_tile_first ? launch_last_first : 0U);
    const std::array<cl_uint, 4> launch{state.next_launch(0).first, static_cast<cl_uint>(layout.tiles), flags,
                                        r.last_tile_first ? check_polls : tuning().max_polls};
    set_arguments(r.function, kernel(), columns.in, cl_ulong{columns.offset}, cl_ulong{columns.width},
                  cl_ulong{columns.pitch}, cl_ulong{columns.height}, layout.strip, layout.team_bits,
                  local_room{layout.local_bytes}, layout.is_narrow, state.buffer(), columns.results.buffer,
                  cl_ulong{columns.results.offset}, as_bytes(launch), init);
    chain.launch(kernel(), layout.tiles * layout.strips, layout.work_items);
    state.used_until(chain.last());
    return chain.take_last();
}

} // namespace upsweep::detail
