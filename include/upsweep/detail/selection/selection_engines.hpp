// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/selection/marks_check.hpp>
#include <upsweep/detail/selection/selection_scan.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
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
UPSWEEP_INLINE call_types count_types(const selection_arguments& a) {
    const bool has_wide_count = a.count.element_size == sizeof(std::uint64_t);
    if (a.wide) // marks have 64 bits
        return has_wide_count ? types_of<std::uint64_t, std::uint64_t>(plus{})
                              : types_of<std::uint64_t, std::uint32_t>(plus{});
    return has_wide_count ? types_of<std::uint32_t, std::uint64_t>(plus{})
                          : types_of<std::uint32_t, std::uint32_t>(plus{});
}

/// What a selection runs.
struct selection_engines {
    engine scan;
    bool lists_marks = true; ///< where kernels could; not: the device does it wrong
    engine count;            ///< the reduction before the scan, if that counts apart; else not made
};

/// Whether marks are counted by a reduction before their scan: of a partition whose scan does not count.
UPSWEEP_INLINE bool counts_apart(selection what, const engine& scan) {
    return what == selection::partition && !counts_marks_first(scan);
}

/// The engine of the reduction that counts marks.
UPSWEEP_INLINE engine make_count_engine(const selection_scan& scan, const queue_facts& queue, const options& opts) {
    const selection_arguments& a = scan.of();
    call_types types = count_types(a);
    types.text.hooks.load = scan.types().text.hooks.load;
    types.counter = scan.marks().counter_type.name;
    return make_engine(a.function, queue, operation::reduce, a.marks.size, types, opts);
}

/// Kernels list marks where they can and do so rightly.
UPSWEEP_INLINE selection_engines make_selection_engines(selection_scan& scan, const queue_facts& queue,
                                                        const options& opts) {
    const selection_arguments& a = scan.of();
    const auto make = [&] { return make_engine(a.function, queue, operation::scan, a.marks.size, scan.types(), opts); };
    selection_engines engines;
    engines.scan = make();
    const bool has_lists = lists_marks(engines.scan.tuning);
    if (has_lists && !are_marks_right(a.function, engines.scan, queue, scan)) {
        engines.lists_marks = false;
        scan.list_no_marks();
        engines.scan = make();
    }
    if (counts_apart(scan.what(), engines.scan)) engines.count = make_count_engine(scan, queue, opts);
    return engines;
}

/// Checks the options of a selection from nothing. Others are checked where their engine is made.
UPSWEEP_INLINE void check_options_of_none(const char* function, const options& opts, const queue_facts& queue,
                                          const call_types& types) {
    choose_tuning(function, opts, limits_of(function, queue.device), problem_of_no_run(0, types));
    check_build_options(function, opts.build_options);
}

/// Writes 0 to the count: the selection from an empty input.
UPSWEEP_INLINE cl::Event write_no_count(const run_request& request, const untyped_span& count) {
    command_chain chain(request, 1);
    chain.clear(count.buffer, count.element_size, static_cast<std::size_t>(count.byte_offset));
    return chain.take_last();
}

/// Starts the reduction that counts marks.
UPSWEEP_INLINE cl::Event count_marks(const selection_scan& scan, const engine& count, const queue_facts& queue,
                                     const wait_list& after) {
    const selection_arguments& a = scan.of();
    call_arguments sum = step_arguments(a, scan.marks(), count_types(a), after);
    sum.op = operation::reduce;
    sum.out = a.count;
    sum.value_name = a.count_type.name.c_str();
    return run_prepared(count, queue, sum);
}

/// Starts a selection from an input that is not empty.
/// @param call  the scan, checked
UPSWEEP_INLINE cl::Event start_selection(const selection_scan& scan, const selection_engines& engines,
                                         checked_call& call) {
    const selection_arguments& a = scan.of();
    const bool is_apart = counts_apart(scan.what(), engines.scan);
    if (!is_apart && !scan.marks().is_counted()) return start(engines.scan, call);
    check_scratch_of(engines.scan, call); // before anything is enqueued
    const queue_facts queue = call.request.queue;
    const two_runs runs(queue, *a.after);
    cl::Event counted;
    if (is_apart) {
        counted = count_marks(scan, engines.count, queue, runs.first());
    } else { // the scan may be of no elements
        run_request none = call.request;
        none.after = &runs.first();
        counted = write_no_count(none, a.count);
    }
    const wait_list then = runs.second(counted);
    call.request.after = &then;
    return start(engines.scan, call);
}

/// A selection that is prepared once and run often. Safe to use from many threads at once.
class prepared_selection {
public:
    /// @param a  checked; its arrays do not matter yet
    UPSWEEP_INLINE prepared_selection(selection what, const selection_arguments& a, const options& opts)
        : what_(what)
        , n_(a.marks.size)
        , wide_(a.wide) {
        selection_scan scan(what, a);
        texts_ = scan.texts();
        engines_ = make_selection_engines(scan, inspect_queue(a.function, a.queue), opts);
        hooks_ = text_of(scan.types().text.hooks);
    }
    prepared_selection(const prepared_selection&) = delete;
    prepared_selection& operator=(const prepared_selection&) = delete;

    /// @param a  checked, but for what concerns the plan; places get the plan's width
    UPSWEEP_INLINE cl::Event call(selection_arguments& a) const {
        a.wide = wide_;
        const queue_facts queue = inspect_queue(a.function, a.queue);
        check_same_device(a.function, engines_.scan, queue);
        check_capacity(a.function, a.marks.size, n_);
        selection_scan scan(what_, a);
        if (!engines_.lists_marks) scan.list_no_marks();
        if (!has_plan_texts(scan))
            throw error(a.function, "input", "the elements or the choice have another text than the plan was made for");
        checked_call call = check_arguments(scan.arguments(*a.after), queue);
        if (a.marks.size == 0) return write_no_count(call.request, a.count);
        return start_selection(scan, engines_, call);
    }

    const engine& scan() const { return engines_.scan; }
    /// Scratch that is enough for all calls.
    UPSWEEP_INLINE std::uint64_t scratch_bytes() const {
        return (std::max)(engines_.scan.full.scratch_bytes, engines_.count.full.scratch_bytes);
    }

private:
    /// Whether a scan has the texts that the plan was made with. Texts that were made anew since are equal ones.
    UPSWEEP_INLINE bool has_plan_texts(const selection_scan& scan) const {
        if (scan.texts() == texts_) return true;
        const hook_view hooks = scan.types().text.hooks;
        return hooks.load == hooks_.load && hooks.store == hooks_.store;
    }

    selection what_;
    std::uint64_t n_;
    bool wide_;
    std::shared_ptr<const selection_texts> texts_;
    selection_engines engines_;
    hook_text hooks_;
};

} // namespace upsweep::detail
