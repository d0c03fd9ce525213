// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/selection/marks_check.hpp>
#include <upsweep/detail/selection/select_calls.hpp>
#include <upsweep/detail/selection/selection_scan.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace upsweep::detail {

/// Checks the sizes of a selection's arguments and the text of its columns, besides what every call checks.
UPSWEEP_INLINE void check_columns(const selection_arguments& a) {
    const std::uint64_t n = a.columns[0].source.size;
    const auto check_size = [&](const computed_input& in) {
        if (in.size != n)
            throw error(a.function, in.argument,
                        std::to_string(in.size) + " elements, but " + std::to_string(n) + " of the " +
                            a.columns[0].source.argument);
    };
    check_size(a.marks);
    for (const selected_column& column : a.columns) {
        check_size(column.source);
        if (column.source.is_counted() && &column != &a.columns[0])
            throw error(a.function, column.source.argument,
                        std::string("its number of elements is that of the ") + a.columns[0].source.argument +
                            "; pass it as it is");
        check_stages(a.function, column.source);
    }
    if (a.count.element_size < 8 && (n >> 32) != 0)
        throw error(a.function, "count", std::to_string(n) + " elements need a count of std::uint64_t");
}

/// The types of the reduction that counts marks.
UPSWEEP_INLINE call_types count_types(bool wide, bool wide_count) {
    if (wide) // then so is the count
        return types_of<std::uint64_t, std::uint64_t>(plus{});
    return wide_count ? types_of<std::uint32_t, std::uint64_t>(plus{}) : types_of<std::uint32_t, std::uint32_t>(plus{});
}

/// What a selection's scan needs: kernels that list marks, where they do so rightly.
UPSWEEP_INLINE engine selection_engine(selection_scan& scan, const queue_facts& queue, const options& opts) {
    const selection_arguments& a = scan.of();
    engine e = make_engine(a.function, queue, operation::scan, a.marks.size, scan.types(), opts);
    if (!lists_marks(e.tuning) || are_marks_right(a.function, e, queue, scan.what(), a.wide)) return e;
    scan.list_no_marks();
    return make_engine(a.function, queue, operation::scan, a.marks.size, scan.types(), opts);
}

/// Marks by a user's text on the elements of the first column.
UPSWEEP_INLINE void mark_by_text(selection_arguments& a, computed_input source, transform_stage test) {
    a.marks = std::move(source);
    a.marks.stages.push_back(std::move(test));
    a.marks_source = true;
}

/// Writes 0 to the count: the selection from an empty input.
UPSWEEP_INLINE cl::Event write_no_count(const run_request& request, const untyped_span& count) {
    command_chain chain(request, 1);
    chain.clear(count.buffer, count.element_size, static_cast<std::size_t>(count.byte_offset));
    return chain.take_last();
}

/// The scan of marks that counts them.
UPSWEEP_INLINE cl::Event count_marks(const selection_arguments& a, const computed_input& marks,
                                     const queue_facts& queue, const wait_list& after, const options& opts) {
    call_types types = count_types(a.wide, a.count.element_size == 8);
    call_arguments sum = step_arguments(a, marks, types, after);
    sum.op = operation::reduce;
    sum.out = a.count;
    sum.value_name = a.count_type.name.c_str();
    checked_call call = check_arguments(sum, queue);
    types.text.hooks.load = marks.text;
    types.counter = marks.counter_type.name;
    const engine kernels = make_engine(a.function, queue, operation::reduce, marks.size, types, opts);
    return start(kernels, call);
}

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED void mark_by_choice(selection_arguments& a, computed_input source, const choice& which) {
    if (which.is_text()) return mark_by_text(a, std::move(source), {which.predicate(), {}, true, false, "predicate"});
    a.marks = which.numbers();
    a.marks.argument = "choice";
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
    if (a.marks.size == 0) return give(write_no_count(call.request, a.count));
    const computed_input& marks = scan.marks();
    const engine kernels = selection_engine(scan, queue, opts);
    const bool counts_before = what == selection::partition;
    if (!counts_before && !marks.is_counted()) return give(start(kernels, call));
    cl::Event counted;
    if (counts_before) {
        counted = count_marks(a, marks, queue, a.after->without_event(), opts);
    } else { // the scan may be of no elements
        const wait_list first = a.after->without_event();
        run_request none = call.request;
        none.after = &first;
        counted = write_no_count(none, a.count);
    }
    wait_list then = queue.in_order ? wait_list() : upsweep::after({counted});
    if (!a.after->wants_event()) then = then.without_event();
    call.request.after = &then;
    return give(start(kernels, call));
}

UPSWEEP_DEFINED host_selection_results select_on_host(selection what, selection_arguments& a, const void* elements,
                                                      const options& opts) {
    const queue_facts queue = inspect_queue(a.function, a.queue);
    host_selection_results results;
    selected_column& column = a.columns[0];
    const std::uint64_t n = column.source.size;
    if (n == 0) return results;
    const std::size_t bytes = static_cast<std::size_t>(n) * column.element.size;
    const owned<cl_mem> in = upload(a.function, queue, elements, bytes);
    const owned<cl_mem> count = make_buffer(a.function, queue, sizeof results.count);
    results.kept = make_buffer(a.function, queue, bytes);
    column.source.parts = {{{in(), n, 0, column.element.size}, column.element}};
    if (a.marks_source) a.marks.parts = column.source.parts;
    column.out = {results.kept(), n, 0, column.element.size};
    column.out_type = column.element;
    a.count = {count(), 1, 0, sizeof results.count};
    a.count_type = describe_type<std::uint64_t>();
    if (what == selection::run_length_encode) {
        results.lengths = make_buffer(a.function, queue, static_cast<std::size_t>(n) * sizeof results.count);
        a.lengths = {results.lengths(), n, 0, sizeof results.count};
        a.length_type = describe_type<std::uint64_t>();
    }
    const wait_list after;
    a.after = &after;
    const cl::Event done(call_selection(what, a, opts));
    download(a.function, queue, count(), done, &results.count, sizeof results.count);
    return results;
}

UPSWEEP_DEFINED void read_results(const char* function, cl_command_queue queue, cl_mem buffer, void* to,
                                  std::size_t bytes) {
    if (bytes == 0) return;
    check_status(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, to, 0, nullptr, nullptr), function,
                 "clEnqueueReadBuffer");
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail
