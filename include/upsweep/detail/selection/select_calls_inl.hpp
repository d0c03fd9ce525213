// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/selection/select_calls.hpp>
#include <upsweep/detail/selection/selection_engines.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace upsweep::detail {

/// Marks by a user's text on the elements of the first column.
UPSWEEP_INLINE void mark_by_text(selection_arguments& a, computed_input source, transform_stage test) {
    a.marks = std::move(source);
    a.marks.stages.push_back(std::move(test));
    a.marks_source = true;
}

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED void mark_by_choice(selection_arguments& a, computed_input source, const choice& which) {
    if (which.is_text()) return mark_by_text(a, std::move(source), {which.predicate(), {}, true, false, "predicate"});
    a.marks = which.numbers();
    a.marks.name_argument("choice");
    if (a.marks.is_counted())
        throw error(a.function, a.marks.argument,
                    "its number of elements is that of the input; pass it without one of its own");
    a.marks.counter = source.counter;
    a.marks.counter_type = source.counter_type;
    a.marks.stages.push_back({"a != 0", {}, true});
}

UPSWEEP_DEFINED void mark_by_equality(selection_arguments& a, computed_input source, const std::string& equal) {
    mark_by_text(a, std::move(source), {equal, {}, false, true, "equality"});
}

UPSWEEP_DEFINED cl_event call_selection(selection what, const selection_arguments& a, const options& opts) {
    const queue_facts queue = inspect_queue(a.function, a.queue);
    check_columns(a);
    selection_scan scan(what, a);
    checked_call call = check_arguments(scan.arguments(*a.after), queue);
    if (a.marks.size == 0) {
        check_options_of_none(a.function, opts, queue, scan.types());
        return give(write_no_count(call.request, a.count));
    }
    return give(start_selection(scan, make_selection_engines(scan, queue, opts), call));
}

UPSWEEP_DEFINED std::shared_ptr<const prepared_selection>
prepare_selection(selection what, const selection_arguments& a, const options& opts) {
    check_columns(a);
    check_stages(a.function, a.marks);
    return std::shared_ptr<const prepared_selection>(new prepared_selection(what, a, opts));
}

UPSWEEP_DEFINED cl_event call_selection(const prepared_selection& plan, selection_arguments& a) {
    check_columns(a);
    return give(plan.call(a));
}

UPSWEEP_DEFINED const tuning& tuning_of(const prepared_selection& plan) {
    return plan.scan().tuning;
}
UPSWEEP_DEFINED const launch_plan& launches_of(const prepared_selection& plan) {
    return plan.scan().full;
}
UPSWEEP_DEFINED launch_plan launches_of(const prepared_selection& plan, std::uint64_t n) {
    return launches_of(plan.scan(), n);
}
UPSWEEP_DEFINED std::uint64_t scratch_bytes_of(const prepared_selection& plan) {
    return plan.scratch_bytes();
}

UPSWEEP_DEFINED host_selection_results select_on_host(selection what, selection_arguments& a, const void* elements,
                                                      const options& opts) {
    const queue_facts queue = inspect_queue(a.function, a.queue);
    host_selection_results results;
    selected_column& column = a.columns[0];
    const std::uint64_t n = column.source.size;
    if (n == 0) {
        check_options_of_none(a.function, opts, queue, scan_types(what, a.wide));
        return results;
    }
    const std::size_t bytes = static_cast<std::size_t>(n) * column.element.size;
    const bool has_lengths = what == selection::run_length_encode;
    column.out_type = column.element;
    a.count_type = describe_type<std::uint64_t>();
    if (has_lengths) a.length_type = describe_type<std::uint64_t>();
    const auto set_arrays = [&](cl_mem in, cl_mem count) {
        column.source.parts = {{{in, n, 0, column.element.size}, column.element}};
        if (a.marks_source) a.marks.parts = column.source.parts;
        column.out = {results.kept(), n, 0, column.element.size};
        a.count = {count, 1, 0, sizeof results.count};
        if (has_lengths) a.lengths = {results.lengths(), n, 0, sizeof results.count};
    };
    set_arrays(nullptr, nullptr);
    const auto plan = prepare_selection(what, a, opts); // finds what is wrong before anything is copied
    const owned<cl_mem> in = upload(a.function, queue, elements, bytes);
    const owned<cl_mem> count = make_buffer(a.function, queue, sizeof results.count);
    results.kept = make_buffer(a.function, queue, bytes);
    if (has_lengths)
        results.lengths = make_buffer(a.function, queue, static_cast<std::size_t>(n) * sizeof results.count);
    set_arrays(in(), count());
    const wait_list after;
    a.after = &after;
    const cl::Event done(call_selection(*plan, a));
    download(a.function, queue, count(), done, &results.count, sizeof results.count);
    return results;
}

UPSWEEP_DEFINED void read_results(const char* function, cl_command_queue queue, cl_mem buffer, void* to,
                                  std::size_t bytes) {
    if (bytes == 0) return;
    read_bytes(function, queue, buffer, 0, to, bytes);
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail
