// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/tuning/memory.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Scans and reductions of columns (launch/segments/scan_columns.cl, reduce_columns.cl), for every device.

namespace upsweep::detail {

/// What is done with columns.
enum class columns_result { reduction, inclusive_scan, exclusive_scan };

/// Columns, checked: one at least, and of a scan of one row at least.
struct columns_request : direct_request {
    columns_result result = columns_result::reduction;
    std::uint64_t height = 0;
    std::uint64_t width = 0;
    std::uint64_t pitch = 0;    ///< elements from the beginning of a row to that of the next
    std::size_t value_size = 0; ///< bytes
    bool is_struct = false;     ///< the values
    bool row_after_row = false; ///< by the simplest code, for devices that do it wrong otherwise
};

/// Work-items of a work-group. Large ones keep their sub-groups in step (scan_columns.cl), where they are enough for
/// all compute units of a GPU and rows are no shorter than the least number.
constexpr std::uint32_t columns_work_items = 256;
constexpr std::uint32_t few_columns_work_items = 64;
constexpr std::uint32_t columns_cpu_work_items = 32;
constexpr std::uint64_t least_columns_in_step = 8;

/// Rows that a work-item loads together, at most, and bytes.
constexpr std::size_t columns_run_rows = 64;
constexpr std::size_t columns_run_bytes = 256;

/// Work-items for each compute unit of a GPU, at least, where there are as many elements.
constexpr std::uint64_t columns_unit_items = 512;

/// Bytes of a row for each compute unit from which on columns are scanned in one launch, in one part.
constexpr std::uint64_t columns_unit_bytes = 448;

/// Rows of a part on CPUs: what neighbours read stays in a core's cache.
constexpr std::uint64_t columns_cpu_rows = 256;

/// Values of a work-item's private memory, about: two stacks, two runs, and what combining takes. Follows the kernels.
constexpr std::uint64_t columns_private_values(std::uint32_t run_rows) {
    return 2 * std::uint64_t{stack_entries} + 2 * std::uint64_t{run_rows} + 12;
}

/// The most private memory of a work-item on a GPU, in bytes.
constexpr std::uint64_t most_columns_private_bytes = 256 << 10;

/// Refuses values that are too large for a work-item's stacks.
UPSWEEP_INLINE void check_columns_size(const char* function, const type_text& value, const device_limits& device) {
    const std::uint64_t most =
        (device.is_cpu ? most_private_bytes : most_columns_private_bytes) / columns_private_values(1);
    if (value.size > most)
        throw error(function, "type " + users_name(value.name),
                    "values of " + std::to_string(value.size) + " bytes: columns take at most " + std::to_string(most) +
                        " on device " + device.name + ", because of a work-item's private memory");
}

/// What of a division decides the program.
struct columns_sizes {
    std::uint32_t run_rows = 1;   ///< rows that a work-item loads together
    std::uint32_t work_items = 1; ///< of a work-group
    std::uint32_t registers = 0;  ///< of a work-item, at most, on NVIDIA devices; 0: the compiler chooses
};

/// How columns are divided.
struct columns_layout : columns_sizes {
    std::uint32_t part_bits = 0;  ///< log2 of a part's rows
    std::uint64_t parts = 1;      ///< of each column, with one that is not full
    std::uint64_t full_parts = 0; ///< whose sums are made in a launch of its own; none where there is one part
};

/// Parts of a column that its height allows. A work-item goes through a part, and one through the sums of all parts:
/// together that is shortest where both are about the root of the height.
UPSWEEP_INLINE std::uint64_t most_column_parts(std::uint64_t height) {
    return std::uint64_t{1} << (log2_of((std::max)(height, std::uint64_t{1}) * 2) / 2);
}

/// Parts of a column that give a device enough to do.
UPSWEEP_INLINE std::uint64_t wanted_column_parts(const columns_request& columns, const device_limits& device) {
    if (device.is_cpu) return columns.height / columns_cpu_rows;
    const std::uint64_t units = device.compute_units;
    const bool scans = columns.result != columns_result::reduction;
    if (scans && columns.width * columns.value_size >= columns_unit_bytes * units) return 1;
    return columns_unit_items * units / (std::max)(columns.width, std::uint64_t{1});
}

/// Rows of a run of values of so many bytes.
UPSWEEP_INLINE std::uint32_t run_rows_of(std::size_t value_size, std::size_t most_rows, std::size_t most_bytes) {
    const std::size_t rows = most_bytes / (std::max)(value_size, std::size_t{1});
    return floor_power_of_two((std::min)(rows, most_rows));
}

UPSWEEP_INLINE columns_layout lay_out_columns(const columns_request& columns, const device_limits& device) {
    columns_layout layout;
    layout.run_rows = run_rows_of(columns.value_size, columns_run_rows, columns_run_bytes);
    const std::uint64_t wanted = (std::min)(wanted_column_parts(columns, device), most_column_parts(columns.height));
    const std::uint64_t rows =
        (std::max)(divide_up(columns.height, (std::max)(wanted, std::uint64_t{1})), 4 * std::uint64_t{layout.run_rows});
    layout.part_bits = (std::min)(log2_of(ceil_power_of_two(rows)), std::uint32_t{31}); // kernels count in 32 bits
    layout.parts = divide_up(columns.height, std::uint64_t{1} << layout.part_bits);
    layout.full_parts = layout.parts > 1 ? columns.height >> layout.part_bits : 0;
    const bool fill_device = columns.width * layout.parts >= std::uint64_t{columns_work_items} * device.compute_units;
    const std::uint32_t work_items = device.is_cpu                                           ? columns_cpu_work_items
                                     : fill_device && columns.width >= least_columns_in_step ? columns_work_items
                                                                                             : few_columns_work_items;
    layout.work_items = floor_power_of_two((std::min)(work_items, static_cast<std::uint32_t>(most_work_items(device))));
    if (columns.row_after_row) layout.work_items = layout.run_rows = 1;
    // A CPU has the private memory of a work-group on one stack.
    const std::uint64_t own = columns_private_values(layout.run_rows) * columns.value_size;
    while (device.is_cpu && layout.work_items > 1 && columns.value_size > small_value_bytes &&
           own * layout.work_items > wanted_private_bytes)
        layout.work_items /= 2;
    return layout;
}

UPSWEEP_INLINE tuning columns_tuning(const columns_sizes& sizes, const device_limits& device) {
    tuning t;
    t.ptx = device.has_ptx;
    t.items = sizes.run_rows;
    t.work_items = sizes.work_items;
    t.registers = sizes.registers;
    return t;
}

/// Scratch memory for the sums of parts.
UPSWEEP_INLINE std::uint64_t columns_bytes(const columns_request& columns, const columns_layout& layout) {
    return layout.full_parts * columns.width * columns.value_size;
}

/// Whether values of an array may be taken together, or vectors apart, as numbers.
UPSWEEP_INLINE bool may_regroup(const program_text& text) {
    return text.op.traits.combines_vectors && text.hooks.load.empty() && !text.init_on_device &&
           text.element.name == text.value.name;
}

/// Makes values of `bytes` bytes of those that columns have: their initial value is repeated, or cut off.
/// @param init  receives it, for as long as the request lives
UPSWEEP_INLINE void repeat_init(columns_request& columns, std::size_t bytes, std::vector<unsigned char>& init) {
    const auto* value = static_cast<const unsigned char*>(columns.run.init.data); // of `init`, perhaps
    std::vector<unsigned char> all;
    for (std::size_t i = 0; i < bytes; ++i) all.push_back(value[i % columns.value_size]);
    init.swap(all);
    columns.run.init = {init.data(), init.size()};
    columns.value_size = bytes;
}

/// What decides the program.
/// @param text  of the elements, the values and the operator; must outlive the key
UPSWEEP_INLINE program_key columns_key(const columns_request& columns, const columns_sizes& sizes,
                                       const device_limits& device, const program_text_view& text, family kind) {
    program_key key;
    key.context = columns.run.queue.context;
    key.device = columns.run.queue.device;
    key.text = text;
    key.kind = kind;
    key.wide_index = needs_wide_index(columns.height + 1, columns.pitch);
    key.tuning = columns_tuning(sizes, device);
    // H100, us, structs of 8, 12 and 16 bytes in 3, 33, 1000 columns, 1, 0.75 and 1 GiB, as they are, in memory, and as
    // words: scans in one launch 2875, 3133, 2361, 1996, 2473, 1570, 2645, 3207, 2051 and 1112, 1232, 857, 1092, 1489,
    // 946, 1816, 2227, 1081, reductions 2097, 1401, 1059, 3460, 1210, 810, 4553, 1631, 1024 and 897, 677, 515, 1796,
    // 738, 424, 1327, 641, 471.
    key.tuning.struct_words = device.has_ptx;
    const bool is_in_memory = columns.is_struct && !moves_words(text, key.tuning);
    key.tuning.tree_run = is_in_memory ? key.tuning.items : 1; // NVIDIA's compiler: see UPSWEEP_READ_AGAIN
    return key;
}

/// The family of those kernels.
constexpr family family_of_columns(columns_result result) {
    return result == columns_result::reduction ? family::reduced_columns : family::columns;
}

/// Enqueues the launches of columns.
class columns_run {
public:
    UPSWEEP_INLINE columns_run(const columns_request& columns, const columns_layout& layout, built_program& program)
        : columns_(columns)
        , program_(program)
        , layout_(layout)
        , init_(columns.run.function, columns.run.queue.context, columns.run.init, columns.run.init_place)
        , sums_(columns.run.function, columns.run.queue.context, columns.run.queue.queue, columns.run.queue.in_order,
                static_cast<std::size_t>(columns_bytes(columns, layout_)), nullptr)
        , chain_(columns.run, 1 + (has_sums() ? (reduces() ? 1 : 2) : 0)) {}
    columns_run(const columns_run&) = delete;
    columns_run& operator=(const columns_run&) = delete;

    UPSWEEP_INLINE cl::Event start() {
        if (has_sums()) sum_parts();
        if (has_sums() && !reduces()) scan_sums();
        reduces() ? join(sums(), layout_.full_parts, layout_.part_bits) : scan();
        sums_.used_until(chain_.last());
        return chain_.take_last();
    }

    /// Of a reduction in one part, whose first `rows` rows are not those of the input but others, without gaps.
    UPSWEEP_INLINE cl::Event start_behind(cl_mem first_rows, std::uint64_t rows) {
        join(first_rows, rows, 0);
        return chain_.take_last();
    }

private:
    bool has_sums() const { return layout_.full_parts > 0; }
    bool reduces() const { return columns_.result == columns_result::reduction; }
    const char* function() const { return columns_.run.function; }
    /// A buffer in any case.
    cl_mem sums() const { return sums_.buffer() ? sums_.buffer() : columns_.results.buffer; }
    UPSWEEP_INLINE void launch(const built_program::loan& kernel, std::uint64_t items) {
        chain_.launch(kernel(), divide_up(items, layout_.work_items), layout_.work_items);
    }

    UPSWEEP_INLINE void sum_parts() {
        const built_program::loan kernel(program_, "upsweep_sum_column_parts", function());
        set_arguments(function(), kernel(), columns_.in, cl_ulong{columns_.offset}, cl_ulong{columns_.width},
                      cl_ulong{columns_.pitch}, cl_ulong{layout_.full_parts}, cl_uint{layout_.part_bits}, sums());
        launch(kernel, columns_.width * layout_.full_parts);
    }
    UPSWEEP_INLINE void join(cl_mem sums_of_parts, std::uint64_t parts, std::uint32_t part_bits) {
        const built_program::loan kernel(program_, "upsweep_join_columns", function());
        set_arguments(function(), kernel(), columns_.in, cl_ulong{columns_.offset}, cl_ulong{columns_.width},
                      cl_ulong{columns_.pitch}, cl_ulong{columns_.height}, cl_ulong{parts}, cl_uint{part_bits},
                      sums_of_parts, columns_.results.buffer, cl_ulong{columns_.results.offset}, columns_.run.has_init,
                      init_);
        launch(kernel, columns_.width);
    }
    UPSWEEP_INLINE void scan_sums() {
        const built_program::loan kernel(program_, "upsweep_scan_column_sums", function());
        set_arguments(function(), kernel(), columns_.in, cl_ulong{columns_.offset}, columns_.results.buffer,
                      cl_ulong{columns_.width}, cl_ulong{layout_.full_parts}, sums(), columns_.run.has_init, init_);
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
    init_argument init_;
    workspace_loan sums_;
    command_chain chain_;
};

} // namespace upsweep::detail
