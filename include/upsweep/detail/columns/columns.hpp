// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/run/enqueue.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Scans and reductions of columns (launch/segments/columns.cl), for every device.

namespace upsweep::detail {

/// What is done with columns.
enum class columns_result { reduction, inclusive_scan, exclusive_scan };

/// Columns, checked: of an array that has one element at least.
struct columns_request : direct_request {
    columns_result result = columns_result::reduction;
    std::uint64_t height = 0;
    std::uint64_t width = 0;
    std::uint64_t pitch = 0;    ///< elements from the beginning of a row to that of the next
    std::size_t value_size = 0; ///< bytes
    bool is_struct = false;     ///< the values
    bool row_after_row = false; ///< by the simplest code, for devices that do it wrong otherwise
};

constexpr std::uint32_t columns_work_items = 64;

/// Bytes of what a work-item loads together.
constexpr std::size_t columns_run_bytes = 128;

/// Work-items for each compute unit of a GPU, at least, where there are as many elements.
constexpr std::uint64_t columns_unit_items = 1024;

/// Rows of a part on CPUs: what neighbours read stays in a core's cache.
constexpr std::uint64_t columns_cpu_rows = 256;

/// Parts of a column, at most: one work-item combines their sums.
constexpr std::uint64_t most_column_parts = 2048;

UPSWEEP_INLINE tuning columns_tuning(const columns_request& columns, const device_limits& device) {
    tuning t;
    t.ptx = device.has_ptx;
    t.items = static_cast<std::uint32_t>(floor_power_of_two(
        (std::max)(columns_run_bytes / (std::max)(columns.value_size, std::size_t{4}), std::size_t{1})));
    t.work_items =
        floor_power_of_two((std::min)(columns_work_items, static_cast<std::uint32_t>(most_work_items(device))));
    if (columns.row_after_row) t.work_items = t.items = 1;
    // NVIDIA's compiler: see UPSWEEP_READ_AGAIN.
    t.tree_run = columns.is_struct ? t.items : 1;
    return t;
}

/// How columns are divided into parts.
struct columns_layout {
    std::uint32_t part_bits = 0;  ///< log2 of a part's rows
    std::uint64_t parts = 1;      ///< of each column, with one that is not full
    std::uint64_t full_parts = 0; ///< whose sums are made in a launch of its own; none where there is one part
};

UPSWEEP_INLINE columns_layout lay_out_columns(const columns_request& columns, const device_limits& device) {
    const std::uint64_t at_once = columns_unit_items * device.compute_units;
    const std::uint64_t wanted = device.is_cpu ? columns.height / columns_cpu_rows : at_once / columns.width;
    const std::uint64_t most = (std::min)(wanted, most_column_parts);
    const std::uint64_t least_rows = 4 * std::uint64_t{columns_tuning(columns, device).items};
    const std::uint64_t rows = (std::max)(divide_up(columns.height, (std::max)(most, std::uint64_t{1})), least_rows);
    columns_layout layout;
    layout.part_bits = (std::min)(log2_of(ceil_power_of_two(rows)), std::uint32_t{31}); // kernels count in 32 bits
    layout.parts = divide_up(columns.height, std::uint64_t{1} << layout.part_bits);
    layout.full_parts = layout.parts > 1 ? columns.height >> layout.part_bits : 0;
    return layout;
}

/// Scratch memory for the sums of parts.
UPSWEEP_INLINE std::uint64_t columns_bytes(const columns_request& columns, const columns_layout& layout) {
    return layout.full_parts * columns.width * columns.value_size;
}

/// What decides the program.
/// @param text  of the elements, the values and the operator; must outlive the key
UPSWEEP_INLINE program_key columns_key(const columns_request& columns, const device_limits& device,
                                       const program_text_view& text) {
    program_key key;
    key.context = columns.run.queue.context;
    key.device = columns.run.queue.device;
    key.text = text;
    key.kind = family::columns;
    key.wide_index = needs_wide_index((columns.height + 1) * columns.pitch + columns.width);
    key.tuning = columns_tuning(columns, device);
    return key;
}

/// Enqueues the launches of columns.
class columns_run {
public:
    UPSWEEP_INLINE columns_run(const columns_request& columns, built_program& program, const device_limits& device)
        : columns_(columns)
        , program_(program)
        , layout_(lay_out_columns(columns, device))
        , work_items_(columns_tuning(columns, device).work_items)
        , init_(columns.run.function, columns.run.queue.context, columns.run.init, columns.run.init_place)
        , sums_(columns.run.function, columns.run.queue.context, columns.run.queue.queue, columns.run.queue.in_order,
                static_cast<std::size_t>(columns_bytes(columns, layout_)), nullptr)
        , chain_(columns.run, reduces() ? (layout_.full_parts > 0 ? 2 : 1) : (layout_.full_parts > 0 ? 3 : 1)) {}
    columns_run(const columns_run&) = delete;
    columns_run& operator=(const columns_run&) = delete;

    UPSWEEP_INLINE cl::Event start() {
        if (layout_.full_parts > 0) sum_parts();
        if (reduces()) {
            join();
        } else {
            if (layout_.full_parts > 0) scan_sums();
            scan();
        }
        sums_.used_until(chain_.last());
        return chain_.take_last();
    }

private:
    bool reduces() const { return columns_.result == columns_result::reduction; }
    const char* function() const { return columns_.run.function; }
    /// A buffer in any case.
    cl_mem sums() const { return sums_.buffer() ? sums_.buffer() : columns_.results.buffer; }
    UPSWEEP_INLINE void launch(const built_program::loan& kernel, std::uint64_t items) {
        chain_.launch(kernel(), divide_up(items, work_items_), work_items_);
    }

    UPSWEEP_INLINE void sum_parts() {
        const built_program::loan kernel(program_, "upsweep_sum_column_parts", function());
        set_arguments(function(), kernel(), columns_.in, cl_ulong{columns_.offset}, cl_ulong{columns_.width},
                      cl_ulong{columns_.pitch}, cl_ulong{layout_.full_parts}, cl_uint{layout_.part_bits}, sums());
        launch(kernel, columns_.width * layout_.full_parts);
    }
    UPSWEEP_INLINE void join() {
        const built_program::loan kernel(program_, "upsweep_join_columns", function());
        set_arguments(function(), kernel(), columns_.in, cl_ulong{columns_.offset}, cl_ulong{columns_.width},
                      cl_ulong{columns_.pitch}, cl_ulong{columns_.height}, cl_ulong{layout_.full_parts},
                      cl_uint{layout_.part_bits}, sums(), columns_.results.buffer, cl_ulong{columns_.results.offset},
                      columns_.run.has_init, init_);
        launch(kernel, columns_.width);
    }
    UPSWEEP_INLINE void scan_sums() {
        const built_program::loan kernel(program_, "upsweep_scan_column_sums", function());
        set_arguments(function(), kernel(), columns_.in, cl_ulong{columns_.width}, cl_ulong{layout_.full_parts}, sums(),
                      columns_.run.has_init, init_);
        launch(kernel, columns_.width);
    }
    UPSWEEP_INLINE void scan() {
        const built_program::loan kernel(program_, "upsweep_scan_columns", function());
        set_arguments(function(), kernel(), columns_.in, cl_ulong{columns_.offset}, cl_ulong{columns_.width},
                      cl_ulong{columns_.pitch}, cl_ulong{columns_.height}, cl_ulong{layout_.parts},
                      cl_uint{layout_.part_bits}, sums(), columns_.results.buffer, cl_ulong{columns_.results.offset},
                      columns_.result == columns_result::exclusive_scan, columns_.run.has_init, init_);
        launch(kernel, columns_.width * layout_.parts);
    }

    const columns_request& columns_;
    built_program& program_;
    columns_layout layout_;
    std::uint64_t work_items_;
    init_argument init_;
    workspace_loan sums_;
    command_chain chain_;
};

} // namespace upsweep::detail
