// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/call/segment_direct_inl.hpp>
#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/columns/columns_check.hpp>
#include <upsweep/detail/columns/columns_look_back.hpp>
#include <upsweep/detail/engine/rusticl.hpp>
#include <upsweep/detail/tuning/loaded_tuning.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// Checks the arrays of a call on columns.
UPSWEEP_INLINE run_request check_columns(const segment_arguments& a, const call_types& types,
                                         const queue_facts& queue) {
    const segmented_input& in = *a.in;
    const type_text value = text_of(types.text.value);
    const bool one_each = !reduces(a.results);
    computed_output output;
    output.parts.push_back({"out", one_each ? "output" : "results", a.out, one_each ? in.extent() : in.count(), value,
                            access::output, one_each});
    if (a.init_on_device)
        output.parts.push_back({"init", "initial value", a.init_place, 1, value, access::input, false});
    call_arguments call;
    call.function = a.function;
    call.queue = a.queue;
    call.computed = &in.elements;
    call.in = {nullptr, in.size(), 0, types.element.size};
    call.out = {a.out.buffer, in.size(), 0, types.value.size};
    call.stored = &output;
    call.after = a.after;
    return check_arguments(call, queue).request;
}

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

/// The same of columns that a device takes one by one.
UPSWEEP_INLINE cl::Event run_each_column(const segment_arguments& a, columns_request columns, const program_text& text,
                                         const device_limits& limits) {
    const bool are_many = lay_out_columns(columns, limits).work_items == columns_work_items;
    const columns_way way = are_many ? columns_way::many : columns_way::few;
    columns.row_after_row = !are_columns_right(a.function, limits, columns.run.queue, columns.result, way);
    return run_columns(a, columns, text, limits);
}

/// The same of columns that a CPU takes together, and of those that are left over.
UPSWEEP_INLINE cl::Event run_joined_columns(const segment_arguments& a, const columns_request& columns,
                                            const program_text& text, const device_limits& limits) {
    columns_request joined = columns;
    columns_request others = behind_joined_columns(columns);
    program_text joined_text = text;
    std::vector<unsigned char> init;
    join_columns(joined, joined_text, init);
    if (others.width == 0) return run_columns(a, joined, joined_text, limits);
    if (!a.prepares) { // so that nothing is enqueued if one of both does not compile
        segment_arguments both = a;
        both.prepares = true;
        run_each_column(both, others, text, limits);
    }
    const wait_list first = a.after->without_event();
    joined.run.after = &first;
    cl::Event done = run_columns(a, joined, joined_text, limits);
    wait_list then = columns.run.queue.in_order ? wait_list() : upsweep::after({done});
    if (!a.after->wants_event()) then = then.without_event();
    others.run.after = &then;
    return run_each_column(a, others, text, limits);
}

/// Makes the programs of a call on columns and, unless that was all, starts it.
/// @param checked  its queue and what it waits for
UPSWEEP_INLINE cl::Event start_columns(const segment_arguments& a, const call_types& types, const run_request& checked,
                                       const options& opts) {
    const device_limits& limits = limits_of(a.function, checked.queue.device);
    direct_segments direct(a, types, checked, opts, true);
    check_columns_size(a.function, direct.text.value, limits);
    // For its errors only: columns have a tuning of their own, and limits of their own of large values.
    const problem_size problem{operation::scan, a.in->size(),       (std::min)(types.value.size, small_value_bytes),
                               is_exact(types), types.element.size, true};
    choose_tuning(a.function, opts, limits, problem);
    const columns_request columns = request_of_columns(a, types, direct);
    if (!limits.rusticl.empty() && !direct.text.hooks.load.empty() && self_check_wanted())
        refuse_rusticl_columns(a.function, limits);
    const bool is_doubtful = columns.is_struct && !limits.rusticl.empty();
    direct.text.op.traits.copies_operands = is_doubtful;
    if (is_doubtful && self_check_wanted())
        check_rusticl_struct(a.function, limits, view_of(direct.text), types.alignment);
    if (columns.width > 0 && (columns.height > 0 || reduces(a.results))) {
        if (looks_back_at_columns(columns, opts, limits) &&
            are_columns_right(a.function, limits, checked.queue, columns.result, columns_way::looked_back))
            return look_back_at_columns(a, columns, direct.text, limits);
        const bool joins = may_join_columns(columns, direct.text, limits) &&
                           are_columns_right(a.function, limits, checked.queue, columns.result, columns_way::joined);
        return joins ? run_joined_columns(a, columns, direct.text, limits)
                     : run_each_column(a, columns, direct.text, limits);
    }
    if (a.prepares) return {};
    command_chain nothing(columns.run, 1);
    nothing.marker();
    return nothing.take_last();
}

/// A call on columns, of which the shape was checked.
UPSWEEP_INLINE cl::Event call_columns(const segment_arguments& a, const call_types& types, const queue_facts& queue,
                                      const options& opts) {
    return start_columns(a, types, check_columns(a, types, queue), opts);
}

} // namespace upsweep::detail
