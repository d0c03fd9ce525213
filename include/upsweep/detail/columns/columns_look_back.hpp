// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/columns/column_tiles.hpp>
#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// Scans of columns in one launch (launch/segments/columns_look_back.cl).

namespace upsweep::detail {

constexpr const char* columns_look_back_kernel = "upsweep_scan_columns_once";

/// Runs of a column, at most: kernels count them, and twice as many sums, in 32 bits.
constexpr std::uint64_t most_column_runs = std::uint64_t{1} << 30;

/// Rows are prefetched so many bytes ahead, of arrays of thrice as many. H100, 2^28 int32 in 3, 16, 32, 128 columns,
/// us: 0 1246, 1016, 963, 924; 2 MiB 1092, 1016, 930, 861; 4 MiB 1141, 1062, 944, 869; 6 MiB 1252, 1101, 976, 886.
constexpr std::uint64_t look_back_ahead_bytes = 2 << 20;

/// Bytes of a row for each compute unit from which on a launch of one part per column is as fast; of small values
/// columns_unit_bytes. H100, likewise, by looking back and so: int32 in 16384, 30000, 65536 columns 876 and 889, 882
/// and 843, 870 and 796; double in 8192, 16384, 65536 797 and 959, 791 and 780, 808 and 789.
constexpr std::uint64_t look_back_unit_bytes = 900;

/// Values of one byte: in one launch where columns are so few. H100, 2^28 of them in 3, 16, 32, 100, 300, 1000 columns,
/// us, so and by several launches: 978, 741, 537, 667, 553, 513 and 2402, 516, 478, 493, 534, 526; values of two bytes
/// 1028, 790, 640, 841, 730, 672 and 2575, 761, 721, 828, 871, 769.
constexpr std::uint64_t most_narrow_byte_columns = 7;

/// How columns are divided.
struct look_back_layout : columns_sizes {
    std::uint32_t strip = 1;     ///< neighbouring columns of a work-group
    std::uint32_t team_bits = 0; ///< log2 of the runs of a tile, which lie one below the other
    std::uint64_t strips = 1;
    std::uint64_t tiles = 1;     ///< of a column
    std::uint32_t ahead = 0;     ///< work-groups from one to that whose elements it prefetches; 0: it does not
    bool is_narrow = false;      ///< a tile goes through local memory
    std::size_t local_bytes = 1; ///< that it takes there
};

/// Bits of the number of a tile, and of those behind them that make a level full.
UPSWEEP_INLINE std::uint64_t tile_number_bits(std::uint64_t tiles) {
    return divide_up(log2_of(ceil_power_of_two(tiles)) + 1, column_level_bits) * column_level_bits;
}

/// Work-groups from one to that whose elements it prefetches.
UPSWEEP_INLINE std::uint32_t prefetch_distance(const columns_request& columns, const look_back_layout& layout,
                                               const device_limits& device) {
    const std::uint64_t row_bytes = columns.pitch * columns.value_size;
    const bool is_dense = columns.pitch / 2 < columns.width;
    if (!device.has_ptx || !is_dense || columns.height * row_bytes < 3 * look_back_ahead_bytes) return 0;
    const std::uint64_t rows = std::uint64_t{layout.run_rows} << layout.team_bits;
    return static_cast<std::uint32_t>(look_back_ahead_bytes / divide_up(rows * row_bytes, layout.strips) + 1);
}

/// Local memory that the kernel has itself.
UPSWEEP_INLINE std::uint64_t kernel_bytes(const columns_request& columns, const columns_sizes& sizes) {
    return sizes.work_items * columns.value_size + sizeof(cl_uint);
}

/// Local memory that a narrow tile goes through, with room for a row behind each run.
UPSWEEP_INLINE std::uint64_t narrow_bytes(const columns_request& columns, const look_back_layout& layout) {
    const std::uint64_t row_bytes = layout.strip * columns.value_size;
    return (std::uint64_t{layout.run_rows} + 1) * (row_bytes << layout.team_bits);
}

UPSWEEP_INLINE look_back_layout lay_out_looking_back(const columns_request& columns, const device_limits& device) {
    const look_back_tuning& tuning = *look_back_tuning_of(columns.value_size);
    look_back_layout layout;
    layout.run_rows = run_rows_of(columns.value_size, look_back_run_rows, tuning.run_bytes);
    const std::uint32_t most_items = most_tile_items(columns, device);
    layout.strip = static_cast<std::uint32_t>((std::min)(strip_of_columns(columns), std::uint64_t{most_items}));
    layout.strips = divide_up(columns.width, layout.strip);
    layout.team_bits = log2_of(floor_power_of_two(most_items / layout.strip));
    layout.is_narrow = are_narrow(columns) && layout.strips == 1;
    const auto set_items = [&] {
        layout.work_items = tile_items(columns, layout.strip << layout.team_bits, most_items, device);
    };
    const auto fits = [&] {
        return narrow_bytes(columns, layout) + kernel_bytes(columns, layout) <= device.local_memory_bytes;
    };
    set_items();
    for (; layout.is_narrow && layout.team_bits > 0 && !fits(); set_items()) --layout.team_bits;
    layout.is_narrow = layout.is_narrow && fits();
    layout.tiles = divide_up(columns.height, std::uint64_t{layout.run_rows} << layout.team_bits);
    const std::uint64_t block_bytes = tile_number_bits(layout.tiles) * layout.strip * columns.value_size;
    const std::uint64_t bytes = layout.is_narrow ? narrow_bytes(columns, layout) : 0;
    layout.ahead = prefetch_distance(columns, layout, device);
    if (device.has_ptx) layout.registers = tuning.registers;
    layout.local_bytes = static_cast<std::size_t>((std::max)(block_bytes, bytes));
    return layout;
}

/// Whether a scan of columns in one launch is faster.
UPSWEEP_INLINE bool is_faster_looking_back(const columns_request& columns, const device_limits& device) {
    if (!device.has_ptx) return false;
    if (columns.value_size == 1) return columns.width <= most_narrow_byte_columns && are_narrow(columns);
    const bool is_small = columns.value_size == 2;
    const std::uint64_t unit_bytes = is_small ? columns_unit_bytes : look_back_unit_bytes;
    return columns.width * columns.value_size < unit_bytes * device.compute_units;
}

/// Whether columns are scanned in one launch: on NVIDIA devices, and elsewhere where the caller asks for `look_back`.
UPSWEEP_INLINE bool looks_back_at_columns(const columns_request& columns, const options& opts,
                                          const device_limits& device) {
    const bool is_wanted = opts.strategy == strategy::look_back ||
                           (opts.strategy == strategy::automatic && is_faster_looking_back(columns, device));
    if (!is_wanted || columns.result == columns_result::reduction || !device.has_atomics64 || columns.row_after_row ||
        !look_back_tuning_of(columns.value_size))
        return false;
    const look_back_layout layout = lay_out_looking_back(columns, device);
    return columns.height / layout.run_rows < most_column_runs &&
           layout.local_bytes + kernel_bytes(columns, layout) <= device.local_memory_bytes;
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
    workspace_loan state(r.function, r.queue.context, r.queue.queue, r.queue.in_order,
                         static_cast<std::size_t>(look_back_column_bytes(columns, layout)), nullptr,
                         scratch_use::look_back_state);
    command_chain chain(r, 1);
    const bool exclusive = columns.result == columns_result::exclusive_scan;
    const cl_uint flags = (r.has_init ? launch_has_init : 0U) | (exclusive ? launch_exclusive : 0U) |
                          (r.last_tile_first ? launch_last_first : 0U);
    const std::array<cl_uint, 4> launch{state.next_launch(), static_cast<cl_uint>(layout.tiles), flags,
                                        r.last_tile_first ? check_polls : tuning().max_polls};
    set_arguments(r.function, kernel(), columns.in, cl_ulong{columns.offset}, cl_ulong{columns.width},
                  cl_ulong{columns.pitch}, cl_ulong{columns.height}, layout.strip, layout.team_bits, layout.ahead,
                  local_room{layout.local_bytes}, layout.is_narrow, state.buffer(), columns.results.buffer,
                  cl_ulong{columns.results.offset}, as_bytes(launch), init);
    chain.launch(kernel(), layout.tiles * layout.strips, layout.work_items);
    state.used_until(chain.last());
    return chain.take_last();
}

} // namespace upsweep::detail
