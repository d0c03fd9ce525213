// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/call/segment_direct_inl.hpp>
#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/columns/columns_check.hpp>
#include <upsweep/detail/columns/columns_look_back.hpp>
#include <upsweep/detail/columns/join_columns.hpp>
#include <upsweep/detail/columns/joined_rows.hpp>
#include <upsweep/detail/columns/regroup_columns.hpp>
#include <upsweep/detail/columns/split_columns.hpp>
#include <upsweep/detail/engine/rusticl.hpp>
#include <upsweep/detail/tuning/loaded_tuning.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// What is asked of columns.
UPSWEEP_INLINE columns_request request_of_columns(const segment_arguments& a, const call_types& types,
                                                  const direct_segments& direct) {
    const segmented_input& in = *a.in;
    columns_request columns;
    direct.fill_in(columns);
    columns.result = reduces(a.results)                        ? columns_result::reduction
                     : a.results == segment_results::exclusive ? columns_result::exclusive_scan
                                                               : columns_result::inclusive_scan;
    columns.height = in.height;
    columns.width = in.width;
    columns.pitch = in.pitch;
    columns.value_size = types.value.size;
    columns.is_struct = !direct.text.value.definition.empty();
    return columns;
}

/// Runs parts of columns, one behind the other. Nothing is enqueued if one of them does not compile.
/// @param run  makes the program of a part and, unless that was all, starts it
template <class Run>
cl::Event run_in_turn(const segment_arguments& a, std::vector<columns_request> parts, const Run& run) {
    if (parts.size() == 1) return run(a, parts[0]);
    segment_arguments own = a;
    own.prepares = true;
    for (std::size_t i = a.prepares ? 0 : 1; i < parts.size(); ++i) run(own, parts[i]);
    if (a.prepares) return {};
    own.prepares = false;
    const two_runs runs(parts[0].run.queue, *a.after);
    cl::Event done;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool is_last = i + 1 == parts.size();
        const wait_list then = i == 0 ? runs.first() : is_last ? runs.second(done) : runs.between(done);
        own.after = parts[i].run.after = &then;
        done = run(own, parts[i]);
    }
    return done;
}

/// Makes the program of columns and, unless that was all, starts it.
UPSWEEP_INLINE cl::Event run_columns(const segment_arguments& a, const columns_request& columns,
                                     const program_text& text, const device_limits& limits) {
    const columns_layout layout = lay_out_columns(columns, limits);
    check_scratch_bytes(a.function, a.in->size(), columns_bytes(columns, layout), limits);
    const program_key key = columns_key(columns, layout, limits, view_of(text), family_of_columns(columns.result));
    const auto program = find_program(a.function, limits, key, a.kept);
    if (a.prepares) return {};
    return columns_run(columns, layout, *program).start();
}

/// The same of scans in one launch.
UPSWEEP_INLINE cl::Event look_back_at_columns(const segment_arguments& a, const columns_request& columns,
                                              const program_text& text, const device_limits& limits) {
    const look_back_layout layout = lay_out_looking_back(columns, limits);
    check_scratch_bytes(a.function, a.in->size(), look_back_column_bytes(columns, layout), limits);
    const program_key key = columns_key(columns, layout, limits, view_of(text), family::columns_look_back);
    const auto program = find_program(a.function, limits, key, a.kept);
    if (a.prepares) return {};
    return scan_columns_once(columns, layout, *program);
}

/// Columns that a device takes one by one, in a way that it does rightly.
UPSWEEP_INLINE columns_request each_column(const char* function, columns_request columns, const device_limits& limits) {
    const bool are_many = lay_out_columns(columns, limits).work_items == columns_work_items;
    const columns_way way = are_many ? columns_way::many : columns_way::few;
    columns.row_after_row = !are_columns_right(function, limits, columns.run.queue, columns.result, way);
    return columns;
}

/// The same of columns that a device takes one by one.
UPSWEEP_INLINE cl::Event run_each_column(const segment_arguments& a, const columns_request& columns,
                                         const program_text& text, const device_limits& limits) {
    return run_columns(a, each_column(a.function, columns, limits), text, limits);
}

/// The same of columns that a CPU takes together, so many at a time.
UPSWEEP_INLINE cl::Event run_joined(const segment_arguments& a, columns_request columns, program_text text,
                                    std::uint32_t count, const device_limits& limits) {
    std::vector<unsigned char> init;
    join_columns(columns, text, count, init);
    return run_columns(a, columns, text, limits);
}

/// The same of all columns that a CPU takes together: by sixteen, and those that are left over.
UPSWEEP_INLINE cl::Event run_joined_columns(const segment_arguments& a, const columns_request& columns,
                                            const program_text& text, const device_limits& limits) {
    const auto others = static_cast<std::uint32_t>(columns.width % joined_columns);
    std::vector<columns_request> parts;
    if (columns.width != others) parts.push_back(neighbouring_columns(columns, 0, columns.width - others));
    if (others != 0) parts.push_back(neighbouring_columns(columns, columns.width - others, others));
    return run_in_turn(a, parts, [&](const segment_arguments& own, const columns_request& part) {
        const std::uint32_t count = part.width == others ? others : joined_columns;
        return count == 1 ? run_each_column(own, part, text, limits) : run_joined(own, part, text, count, limits);
    });
}

/// Whether columns may be an array that is scanned or reduced as a whole, with the same bits.
UPSWEEP_INLINE bool may_be_array(const program_text& text, const options& opts) {
    return text.hooks.load.empty() && leaves_division_open(opts) && opts.algorithm == tile_algorithm::automatic &&
           opts.reproducible;
}

/// Whether the only column is an array.
UPSWEEP_INLINE bool is_array(const columns_request& columns) {
    return columns.width == 1 && columns.height > 0 && (columns.pitch == 1 || columns.height == 1);
}

/// The same of the only column.
template <class Make>
cl::Event run_whole_array(const segment_arguments& a, const call_types& types, const columns_request& columns,
                          const program_text& text, const Make& make) {
    const std::size_t size = columns.value_size;
    call_arguments call;
    call.function = a.function;
    call.queue = a.queue;
    call.in = {columns.in.buffer, columns.height, columns.offset * text.element.size, text.element.size};
    call.op = columns.result == columns_result::reduction ? operation::reduce : operation::scan;
    call.out = {columns.results.buffer, results_of(call.op, columns.height), columns.results.offset * size, size};
    call.same_type = text.element.name == text.value.name;
    call.exclusive = columns.result == columns_result::exclusive_scan;
    call.has_init = columns.run.has_init;
    call.init = columns.run.init.data;
    call.init_on_device = text.init_on_device;
    call.init_place = a.init_place;
    call.after = a.after;
    call_types own = types;
    own.text = view_of(text);
    const bool is_regrouped = types.text.value.name != text.value.name;
    if (is_regrouped) own.element = own.value = {number_kind::other, size};
    if (is_regrouped) own.alignment = alignment_on_device(text.value);
    own.own_operator = own.own_operator || text.op.body != types.text.op.body;
    own.on_host = nullptr;
    own.text.is_aligned = true;
    own.text.scan = kind_of(call);
    if (a.prepares) {
        make(call.op, own, columns.height);
        return {};
    }
    checked_call checked = check_arguments(call, columns.run.queue);
    own.text.is_aligned = is_aligned(call, checked);
    return start(make(call.op, own, columns.height), checked);
}

/// The same of columns whose rows were joined.
/// @param given  the columns as they are, and their text
template <class Make>
cl::Event reduce_joined_rows(const segment_arguments& a, const call_types& types, const columns_request& given,
                             const program_text& text, const regrouped_columns& joined, const Make& make) {
    const device_limits& limits = limits_of(a.function, given.run.queue.device);
    const columns_request rest = each_column(a.function, behind_joined_rows(given, joined.rows), limits);
    const program_key key =
        columns_key(rest, lay_out_columns(rest, limits), limits, view_of(text), family::reduced_columns);
    const auto program = find_program(a.function, limits, key, a.kept);
    const auto reduce_values = [&](cl_mem sums, const wait_list& after) {
        segment_arguments own = a;
        own.after = &after;
        columns_request values = joined.columns;
        values.results = {sums, 0};
        return run_whole_array(own, types, values, joined.text, make);
    };
    if (a.prepares) return reduce_values(nullptr, *a.after);
    return reduce_both(rest, joined.rows, limits, *program, reduce_values);
}

/// The same of columns that begin and end where they may be taken together.
/// @param make  makes or finds the engine of an operation on such types and so many elements
template <class Make>
cl::Event run_regrouped_columns(const segment_arguments& a, const call_types& types, const columns_request& given,
                                const program_text& given_text, const device_limits& limits, const options& opts,
                                const Make& make) {
    const bool as_arrays = may_be_array(given_text, opts);
    const regrouped_columns regrouped(given, given_text, limits, as_arrays);
    const columns_request& columns = regrouped.columns;
    const program_text& text = regrouped.text;
    const queue_facts& queue = given.run.queue;
    if (regrouped.is_apart) return reduce_joined_rows(a, types, given, given_text, regrouped, make);
    if (as_arrays && is_array(columns)) return run_whole_array(a, types, columns, text, make);
    if (looks_back_at_columns(columns, opts, limits) &&
        are_columns_right(a.function, limits, queue, columns.result, way_of_one_launch(columns, limits)))
        return look_back_at_columns(a, columns, text, limits);
    const bool joins = may_join_columns(columns, text, limits) &&
                       are_columns_right(a.function, limits, queue, columns.result, columns_way::joined);
    return joins ? run_joined_columns(a, columns, text, limits) : run_each_column(a, columns, text, limits);
}

/// The same of columns that begin and end anywhere.
template <class Make>
cl::Event run_split_columns(const segment_arguments& a, const call_types& types, const columns_request& columns,
                            const program_text& text, const device_limits& limits, const options& opts,
                            const Make& make) {
    const columns_split split = split_columns(columns, text, limits);
    if (!split.is_split()) return run_regrouped_columns(a, types, columns, text, limits, opts, make);
    const std::uint64_t end = columns.width - split.behind;
    std::vector<columns_request> parts{neighbouring_columns(columns, split.before, end - split.before)};
    if (split.before != 0) parts.push_back(neighbouring_columns(columns, 0, split.before));
    if (split.behind != 0) parts.push_back(neighbouring_columns(columns, end, split.behind));
    return run_in_turn(a, parts, [&](const segment_arguments& own, const columns_request& part) {
        return run_regrouped_columns(own, types, part, text, limits, opts, make);
    });
}

/// Makes the programs of a call on columns and, unless that was all, starts it.
/// @param checked  its queue and what it waits for
/// @param make     makes or finds the engine of an operation on such types and so many elements
template <class Make>
cl::Event start_columns(const segment_arguments& a, const call_types& types, const run_request& checked,
                        const options& opts, const Make& make) {
    const device_limits& limits = limits_of(a.function, checked.queue.device);
    direct_segments direct(a, types, checked, opts, true);
    check_columns_size(a.function, direct.text.value, limits);
    // For its errors only: columns have a tuning of their own, and limits of their own of large values.
    problem_size problem = problem_of_no_run(a.in->size(), types);
    problem.value_size = (std::min)(types.value.size, small_value_bytes);
    choose_tuning(a.function, opts, limits, problem);
    const columns_request given = request_of_columns(a, types, direct);
    if (!limits.rusticl.empty() && !direct.text.hooks.load.empty() && self_check_wanted())
        refuse_rusticl_columns(a.function, limits);
    const bool is_doubtful = given.is_struct && !limits.rusticl.empty();
    direct.text.op.traits.copies_operands = is_doubtful;
    if (is_doubtful && self_check_wanted())
        check_rusticl_struct(a.function, limits, view_of(direct.text), types.alignment);
    if (given.width > 0 && (given.height > 0 || reduces(a.results)))
        return run_split_columns(a, types, given, direct.text, limits, opts, make);
    if (a.prepares) return {};
    command_chain chain(given.run, 1);
    chain.nothing();
    return chain.take_last();
}

/// A call on columns, whose height, width and pitch were checked.
template <class Make>
cl::Event call_columns(const segment_arguments& a, const call_types& types, const queue_facts& queue,
                       const options& opts, const Make& make) {
    return start_columns(a, types, check_segment_arrays(a, types, queue), opts, make);
}

} // namespace upsweep::detail
