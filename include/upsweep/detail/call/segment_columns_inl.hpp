// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/call/segment_direct_inl.hpp>
#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/columns/columns_check.hpp>
#include <upsweep/detail/engine/rusticl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <utility>

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

/// Makes the program of a call on columns and, unless that was all, starts it.
/// @param checked  its queue and what it waits for
UPSWEEP_INLINE cl::Event start_columns(const segment_arguments& a, const call_types& types, const run_request& checked,
                                       const options& opts) {
    const segmented_input& in = *a.in;
    const device_limits& limits = limits_of(a.function, checked.queue.device);
    direct_segments direct(a, types, checked, opts, true);
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
    const bool is_doubtful = columns.is_struct && !limits.rusticl.empty();
    direct.text.op.traits.copies_operands = is_doubtful;
    if (is_doubtful && self_check_wanted())
        check_rusticl_struct(a.function, limits, view_of(direct.text), types.alignment);
    const bool has_results = columns.width > 0 && (columns.height > 0 || reduces(a.results));
    const columns_layout layout = lay_out_columns(columns, limits);
    if (has_results)
        columns.row_after_row =
            !are_columns_right(a.function, limits, checked.queue, layout.work_items == columns_work_items);
    check_scratch_bytes(a.function, in.size(), columns_bytes(columns, layout), limits);
    const auto program = find_program(a.function, limits, columns_key(columns, limits, view_of(direct.text)));
    if (a.prepares) return {};
    if (has_results) return columns_run(columns, *program, limits).start();
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
