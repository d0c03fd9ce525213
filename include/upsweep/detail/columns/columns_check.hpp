// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/columns/columns_look_back.hpp>
#include <upsweep/detail/columns/join_columns.hpp>
#include <upsweep/detail/self_check/bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/reference.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

// The self-check of columns. On a device that fails it they are taken row after row.

namespace upsweep::detail {

/// The ways to take columns: with work-groups of either size, as full vectors or as smaller ones, or in one launch, of
/// any number or narrow ones.
enum class columns_way { few, many, joined, joined_few, looked_back, narrow };

UPSWEEP_INLINE bool is_one_launch(columns_way way) {
    return way == columns_way::looked_back || way == columns_way::narrow;
}

/// Columns of numbers in parts, and what an operator that is not associative makes of them: any order but the canonical
/// one gives something else.
class columns_answers {
public:
    static constexpr std::uint64_t first = 1;
    static constexpr std::uint32_t init = 77;

    static constexpr const char* body = "return left * 31 + (right ^ 0x55);";

    UPSWEEP_INLINE explicit columns_answers(columns_way way)
        : height(is_one_launch(way) ? 6000 : 1333)
        , width(way == columns_way::many || way == columns_way::looked_back ? 50
                : way == columns_way::joined                                ? 48
                                                                            : 5)
        , pitch(way == columns_way::narrow ? width : width + 4) {
        in.resize(first + height * pitch);
        check_numbers numbers;
        for (std::uint32_t& each : in) each = numbers.next();
    }

    /// With poison where nothing is stored.
    UPSWEEP_INLINE std::vector<std::uint32_t> out(columns_result result, bool has_init) const {
        const auto combine = [](std::uint32_t left, std::uint32_t right) { return left * 31 + (right ^ 0x55U); };
        std::vector<std::uint32_t> results(result == columns_result::reduction ? width : height * pitch, poison);
        std::vector<std::uint32_t> column(height), scanned(height);
        for (std::uint64_t c = 0; c < width; ++c) {
            for (std::uint64_t r = 0; r < height; ++r) column[r] = in[first + r * pitch + c];
            if (result == columns_result::exclusive_scan)
                reference::exclusive_scan(column.begin(), column.end(), scanned.begin(), init, combine);
            else if (has_init)
                reference::inclusive_scan(column.begin(), column.end(), scanned.begin(), combine, init);
            else
                reference::inclusive_scan(column.begin(), column.end(), scanned.begin(), combine);
            if (result == columns_result::reduction) results[c] = scanned.back();
            if (result == columns_result::reduction) continue;
            for (std::uint64_t r = 0; r < height; ++r) results[r * pitch + c] = scanned[r];
        }
        return results;
    }

    static constexpr std::uint32_t poison = 0xa5a5a5a5U;
    const std::uint64_t height;
    const std::uint64_t width;
    const std::uint64_t pitch;
    std::vector<std::uint32_t> in;
};

/// Launches what is to be checked.
UPSWEEP_INLINE cl::Event run_checked_columns(const check_bench& bench, const device_limits& limits,
                                             const columns_request& columns, const program_text& text,
                                             columns_way way) {
    if (is_one_launch(way)) {
        const look_back_layout layout = lay_out_looking_back(columns, limits);
        const program_key key = columns_key(columns, layout, limits, view_of(text), family::columns_look_back);
        return scan_columns_once(columns, layout, *find_program(bench.function(), limits, key));
    }
    const columns_layout layout = lay_out_columns(columns, limits);
    const program_key key = columns_key(columns, layout, limits, view_of(text), family_of_columns(columns.result));
    return columns_run(columns, layout, *find_program(bench.function(), limits, key)).start();
}

/// How a check of columns is run. In one launch, `last_first`: of an even number of tiles the last begins, and is told
/// to wait for none.
struct columns_form {
    bool has_init = true;
    bool row_after_row = false;
    bool last_first = false;
};

/// Whether the kernels give these answers.
/// @param way  `many`: work-groups are large on a GPU of one compute unit
UPSWEEP_INLINE bool gives_columns_answers(const check_bench& bench, const device_limits& limits, columns_result result,
                                          columns_way way, const columns_form& form) {
    const columns_answers answers(way);
    const std::vector<std::uint32_t> expected = answers.out(result, form.has_init);
    program_text text;
    text.element = text.value = {"uint", {}, sizeof(std::uint32_t)};
    text.op = {"columns of the self-check", columns_answers::body, {}};
    const owned<cl_mem> in = bench.upload(answers.in);
    const owned<cl_mem> out =
        bench.upload(std::vector<std::uint32_t>(expected.size(), std::uint32_t{columns_answers::poison}));
    const std::uint32_t init = columns_answers::init;
    const wait_list after;
    columns_request columns;
    columns.run.function = bench.function();
    columns.run.queue = bench.queue();
    columns.run.has_init = form.has_init;
    columns.run.init = {&init, sizeof init};
    columns.run.after = &after;
    columns.in = {in(), nullptr};
    columns.offset = columns_answers::first;
    columns.results = {out(), 0};
    columns.result = result;
    columns.height = answers.height;
    columns.width = answers.width;
    columns.pitch = answers.pitch;
    columns.value_size = sizeof init;
    columns.row_after_row = form.row_after_row;
    columns.run.last_tile_first = form.last_first;
    std::vector<unsigned char> joined_init;
    const bool joins = way == columns_way::joined || way == columns_way::joined_few;
    text.op.traits.combines_vectors = joins;
    const auto most = static_cast<std::uint32_t>((std::min)(columns.width, std::uint64_t{joined_columns}));
    if (joins) join_columns(columns, text, most, joined_init);
    const cl::Event done = run_checked_columns(bench, limits, columns, text, way);
    const std::vector<unsigned char> found = bench.read(out(), expected.size() * sizeof init);
    return std::memcmp(found.data(), expected.data(), found.size()) == 0;
}

UPSWEEP_INLINE bool are_columns_in_one_launch_right(const check_bench& bench, const device_limits& limits,
                                                    columns_way way) {
    for (const columns_result result : {columns_result::inclusive_scan, columns_result::exclusive_scan})
        for (const bool last_first : {false, true}) {
            columns_form form;
            form.has_init = result == columns_result::exclusive_scan || last_first;
            form.last_first = last_first;
            if (!gives_columns_answers(bench, limits, result, way, form)) return false;
        }
    return true;
}

/// The same in several launches, without an initial value as well where a call may have none.
UPSWEEP_INLINE bool are_columns_in_launches_right(const check_bench& bench, const device_limits& limits,
                                                  columns_result result, columns_way way) {
    columns_form without;
    without.has_init = false;
    return gives_columns_answers(bench, limits, result, way, {}) &&
           (result == columns_result::exclusive_scan || gives_columns_answers(bench, limits, result, way, without));
}

/// The check of a way to take columns, in scans or in reductions.
UPSWEEP_INLINE own_check check_of_columns(bool reduces, columns_way way) {
    return {way == columns_way::many          ? "many columns"
            : way == columns_way::joined      ? "columns in vectors"
            : way == columns_way::looked_back ? "columns in one launch"
            : way == columns_way::narrow      ? "narrow columns in one launch"
                                              : "columns",
            reduces ? "reductions of columns" : "scans of columns",
            way == columns_way::joined ? "one by one"
            : is_one_launch(way)       ? "several launches"
                                       : "row after row"};
}

/// The way of scans in one launch.
UPSWEEP_INLINE columns_way way_of_one_launch(const columns_request& columns, const device_limits& limits) {
    return lay_out_looking_back(columns, limits).is_narrow ? columns_way::narrow : columns_way::looked_back;
}

/// Whether a device does such columns rightly: checked at the first use.
UPSWEEP_INLINE bool are_columns_right(const char* function, const device_limits& limits, const queue_facts& queue,
                                      columns_result result, columns_way way) {
    if (!self_check_wanted()) return true;
    const bool reduces = result == columns_result::reduction;
    const auto is_right = [&](const check_bench& bench) {
        if (is_one_launch(way)) return are_columns_in_one_launch_right(bench, limits, way);
        if (way == columns_way::joined && !gives_columns_answers(bench, limits, result, columns_way::joined_few, {}))
            return false;
        device_limits one_unit = limits; // which that many columns fill
        one_unit.compute_units = 1;
        if (reduces) return are_columns_in_launches_right(bench, one_unit, result, way);
        return are_columns_in_launches_right(bench, one_unit, columns_result::inclusive_scan, way) &&
               are_columns_in_launches_right(bench, one_unit, columns_result::exclusive_scan, way);
    };
    return own_verdict(function, limits, queue, check_of_columns(reduces, way), is_right).as_chosen;
}

} // namespace upsweep::detail
