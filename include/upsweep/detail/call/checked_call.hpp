// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/call/check_computed.hpp>
#include <upsweep/detail/engine/engine.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace upsweep::detail {

/// A call whose arguments were checked. Refers to the wait list and to the initial value.
struct checked_call {
    run_request request;
    view_facts in; ///< of a computed input, the array that the output is
    view_facts out;
    std::vector<view_facts> parts; ///< the arrays of a computed input and output, and those that are parameters
    view_facts init;               ///< an initial value on the device
    view_facts counter;            ///< what has the number of elements, where that is read on the device
    untyped_span workspace;
    view_buffers in_view;  ///< of a computed input; else empty
    view_buffers out_view; ///< of a computed output, or one with a total; else empty
    std::uint64_t n = 0;
};

/// Whether memory lies in an array of the input or the output, or in one that is a parameter.
UPSWEEP_INLINE bool overlaps_arrays(const view_facts& memory, const checked_call& call) {
    const auto is_in = [&](const view_facts& array) { return overlap(memory, array); };
    return is_in(call.in) || is_in(call.out) || std::any_of(call.parts.begin(), call.parts.end(), is_in);
}

/// Checks the place of a scan's total, and sets what its output is to kernels.
UPSWEEP_INLINE void add_total(const call_arguments& a, const queue_facts& queue, checked_call& call) {
    if (a.total.size < 1) throw error(a.function, "total", "must have room for one element");
    const view_facts total = check_span(a.function, "total", queue, a.total, 1, access::output);
    if (overlap(total, call.init)) throw error(a.function, "total", "overlaps the initial value");
    if (overlap(total, call.counter)) throw error(a.function, "total", "overlaps the number of elements");
    if (overlaps_arrays(total, call)) throw error(a.function, "total", "overlaps the input or the output");
    run_request& r = call.request;
    call.out_view = {r.out, location_of(a.total), {nullptr, a.in.size == 0 ? 0 : a.in.size - 1}};
    r.out.offset = 0;
}

/// Checks an initial value on the device.
UPSWEEP_INLINE view_facts check_init(const call_arguments& a, const queue_facts& queue) {
    if (!a.init_on_device) return {};
    if (a.init_place.size < 1) throw error(a.function, "initial value", "must have one element");
    return check_span(a.function, "initial value", queue, a.init_place, 1, access::input);
}

/// Nothing is written to what the call reads of a number of elements and of an initial value on the device.
/// @param stored  the arrays of a computed output
UPSWEEP_INLINE void check_numbers_apart(const call_arguments& a, const checked_call& call,
                                        const std::vector<view_facts>& stored) {
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const computed_output::part& part = a.stored->parts[i];
        if (part.use != access::output) continue;
        if (overlap(call.init, stored[i])) throw error(a.function, part.argument, "overlaps the initial value");
        if (overlap(call.counter, stored[i])) throw error(a.function, part.argument, "overlaps the number of elements");
    }
}

/// Checks the arrays of a call's input and output.
UPSWEEP_INLINE void check_arrays(const call_arguments& a, const queue_facts& queue, checked_call& call) {
    const bool reduces = record_of(a.op).results == result_count::one;
    const char* output = record_of(a.op).output;
    const std::uint64_t values = results_of(a.op, a.in.size);
    std::vector<view_facts> parameters;
    if (a.computed) {
        call.parts = check_computed(a.function, queue, *a.computed);
        parameters = check_parameter_arrays(a.function, queue, *a.computed);
        call.counter = check_counter(a.function, queue, *a.computed);
    } else {
        call.in = check_span(a.function, "input", queue, a.in, a.in.size, access::input);
    }
    call.init = check_init(a, queue);
    if (a.stored) {
        std::vector<view_facts> stored;
        call.in = call.out = check_stored(a, queue, call.parts, parameters, stored);
        check_numbers_apart(a, call, stored);
        for (const auto* more : {&parameters, &stored}) append_all(call.parts, *more);
        return;
    }
    if (reduces && a.out.size < 1) throw error(a.function, output, "must have room for one element");
    if (a.out.size < values)
        throw error(a.function, output,
                    std::to_string(a.out.size) + " elements are fewer than the input's " + std::to_string(a.in.size));
    call.out = check_span(a.function, output, queue, a.out, values, access::output);
    if (a.computed) call.in = check_overlaps(a, call.parts, call.out);
    if (overlap(call.init, call.out)) throw error(a.function, output, "overlaps the initial value");
    if (overlap(call.counter, call.out)) throw error(a.function, output, "overlaps the number of elements");
    check_apart(a.function, output, call.out, parameters);
    append_all(call.parts, parameters);
    if (reduces && overlap(call.in, call.out)) throw error(a.function, output, "overlaps the input");
    if (!a.computed) check_overlap(a.function, call.in, call.out, a.same_type);
}

/// Checks all arguments that are known without an engine.
UPSWEEP_INLINE checked_call check_arguments(const call_arguments& a, const queue_facts& queue) {
    checked_call call;
    call.n = a.in.size;
    check_arrays(a, queue, call);
    check_wait_list(a.function, queue, *a.after);
    call.workspace = a.workspace;
    run_request& r = call.request;
    r.function = a.function;
    r.queue = queue;
    r.out = location_of(a.out);
    r.in = location_of(a.in);
    // An empty input may come without a buffer; a reduction's kernel wants a valid one, and does not look at it.
    if (record_of(a.op).results == result_count::one && a.in.size == 0) r.in = {a.out.buffer, 0};
    if (a.computed) call.in_view = buffers_of(*a.computed, a.out.buffer);
    if (a.computed) r.operands = operands_of(*a.computed, a.out.buffer);
    if (a.computed && a.computed->is_counted()) r.count = location_of(a.computed->counter);
    if (a.stored) call.out_view = buffers_of(*a.stored, any_buffer(a));
    if (a.wants_total) add_total(a, queue, call);
    r.exclusive = kind_of(a) == scan_kind::exclusive;
    r.has_init = a.has_init;
    r.init = {a.init, a.out.element_size};
    if (a.init_on_device) r.init_place = location_of(a.init_place);
    r.after = a.after;
    const auto is_of_host = [](const view_facts& array) { return array.is_of_host; };
    r.begins_anywhere =
        is_of_host(call.in) || is_of_host(call.out) || std::any_of(call.parts.begin(), call.parts.end(), is_of_host);
    return call;
}

/// Whether what kernels read as an array begins at a multiple of 16 bytes; true where elements are computed.
UPSWEEP_INLINE bool is_input_aligned(const call_arguments& a, const checked_call& call) {
    if (!a.computed) return call.in.is_aligned;
    return !a.computed->is_read_as_array() || call.parts.front().is_aligned;
}

/// Whether the arrays that kernels read or write as they are begin at multiples of 16 bytes.
UPSWEEP_INLINE bool is_aligned(const call_arguments& a, const checked_call& call) {
    const bool is_result = record_of(a.op).results == result_count::one;
    return is_input_aligned(a, call) && (is_result || a.stored || a.wants_total || call.out.is_aligned);
}

/// Whether a scan's total takes a reduction of its own before it: where there is nothing to scan, and of an exclusive
/// scan in place, which cannot store its results shifted; and where the last element is known on the device only.
UPSWEEP_INLINE bool needs_reduction(const call_arguments& a, const checked_call& call) {
    const bool is_counted = a.computed && a.computed->is_counted();
    return a.wants_total && (call.n == 0 || is_counted || (a.exclusive && overlap(call.in, call.out)));
}

/// The caller's scratch memory, if any, checked against what the run needs and against the other views.
UPSWEEP_INLINE cl_mem check_workspace(const checked_call& call, const launch_plan& s) {
    const char* function = call.request.function;
    const untyped_span& workspace = call.workspace;
    if (!workspace.buffer) return nullptr;
    const view_facts facts =
        check_span(function, "workspace", call.request.queue, workspace, workspace.size, access::both);
    if (workspace.byte_offset != 0) throw error(function, "workspace", "must begin at the start of its buffer");
    if (workspace.size < s.scratch_bytes)
        throw error(function, "workspace",
                    std::to_string(workspace.size) + " bytes are less than the " + std::to_string(s.scratch_bytes) +
                        " that this plan needs");
    if (overlaps_arrays(facts, call)) throw error(function, "workspace", "overlaps the input or the output");
    if (overlap(facts, call.counter)) throw error(function, "workspace", "overlaps the number of elements");
    return workspace.buffer;
}

/// Strategy scan_then_propagate reads its output again, where there is more than one tile.
UPSWEEP_INLINE void check_output_again(const char* function, const view_facts& out, const launch_plan& s) {
    const auto reads = [](const pass& p) { return p.what == pass::kind::propagate_tiles; };
    if (out.is_write_only && std::any_of(s.passes.begin(), s.passes.end(), reads))
        throw error(function, "output",
                    "the buffer is write-only for kernels, but strategy scan_then_propagate reads it again");
}

/// Checks the scratch memory of a call that has something else to enqueue before it starts, and an output that is read
/// again.
UPSWEEP_INLINE void check_scratch_of(const engine& e, const checked_call& call) {
    const launch_plan s = launches_of(e, call.n);
    check_scratch(call.request.function, s, *e.limits);
    check_output_again(call.request.function, call.out, s);
    check_workspace(call, s);
}

/// The last step of every asynchronous call: plans the passes for the actual count and launches them.
UPSWEEP_INLINE cl::Event start(const engine& e, checked_call& call) {
    run_request& r = call.request;
    const bool is_full = call.n == e.full.n;
    const launch_plan own = is_full ? launch_plan() : launches_of(e, call.n);
    const launch_plan& s = is_full ? e.full : own;
    if (!is_full) check_scratch(r.function, s, *e.limits);
    check_output_again(r.function, call.out, s);
    r.workspace = check_workspace(call, s);
    r.in_place = overlap(call.in, call.out);
    if (!call.in_view.empty()) r.in_view = &call.in_view;
    if (!call.out_view.empty()) r.out_view = &call.out_view;
    return run(s, e.programs, r);
}

/// One call with a prepared engine.
UPSWEEP_INLINE cl::Event run_prepared(const engine& e, const queue_facts& queue, const call_arguments& a) {
    checked_call call = check_arguments(a, queue);
    return start(e, call);
}

} // namespace upsweep::detail
