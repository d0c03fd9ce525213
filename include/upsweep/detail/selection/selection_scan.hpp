// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls.hpp>
#include <upsweep/detail/selection/select_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/vector_types.hpp>

#include <cstdint>

namespace upsweep::detail {

/// The types and the operator of a selection's scan.
UPSWEEP_INLINE call_types scan_types(selection what, bool wide) {
    if (what == selection::run_length_encode)
        return wide ? types_of<cl_ulong2, cl_ulong2>(counted_runs_wide{})
                    : types_of<std::uint64_t, std::uint64_t>(counted_runs{});
    return wide ? types_of<std::uint64_t, std::uint64_t>(plus{}) : types_of<std::uint32_t, std::uint32_t>(plus{});
}

/// Zeros as an initial value of any type that is scanned or counted.
UPSWEEP_INLINE const void* zeros() {
    static constexpr std::uint64_t zero[2] = {0, 0};
    return zero;
}

/// The arguments that a selection's scan and its count have in common.
UPSWEEP_INLINE call_arguments step_arguments(const selection_arguments& a, const computed_input& marks,
                                             const call_types& types, const wait_list& after) {
    call_arguments call;
    call.function = a.function;
    call.queue = a.queue;
    call.computed = &marks;
    call.in = {nullptr, marks.size, 0, types.element.size};
    call.out = {nullptr, marks.size, 0, types.value.size};
    call.has_init = true;
    call.init = zeros();
    call.after = &after;
    return call;
}

/// The scan that a selection is made of: its texts, types and arguments.
class selection_scan {
public:
    /// @param a  outlives the object
    UPSWEEP_INLINE selection_scan(selection what, const selection_arguments& a)
        : what_(what)
        , of_(a)
        , marks_(scanned_marks(what, a))
        , out_(selection_output<UPSWEEP_LATER>(what, a).get())
        , types_(scan_types(what, a.wide)) {
        marks_.text = transform_text(marks_);
        types_.text.hooks.load = marks_.text;
        types_.text.scan = scan_kind::exclusive;
        types_.stores_once = true;
        types_.counter = marks_.counter_type.name;
        write_store_text();
    }
    selection_scan(const selection_scan&) = delete;
    selection_scan& operator=(const selection_scan&) = delete;

    selection what() const { return what_; }
    const selection_arguments& of() const { return of_; }
    const computed_input& marks() const { return marks_; }
    const call_types& types() const { return types_; }

    /// For devices whose kernels do that wrong.
    UPSWEEP_INLINE void list_no_marks() {
        out_.marks = {};
        write_store_text();
    }

    UPSWEEP_INLINE call_arguments arguments(const wait_list& after) const {
        call_arguments call = step_arguments(of_, marks_, types_, after);
        call.op = operation::scan;
        call.exclusive = true;
        call.stored = &out_;
        return call;
    }

private:
    UPSWEEP_INLINE void write_store_text() {
        out_.text = store_text(out_, marks_);
        types_.text.hooks.store = out_.text;
        types_.lists_marks = !out_.marks.is_marked.empty();
        types_.listed_size = out_.marks.elements.with_places ? 0 : out_.marks.elements.size;
    }

    const selection what_;
    const selection_arguments& of_;
    computed_input marks_;
    computed_output out_;
    call_types types_; ///< whose text refers to marks_ and out_
};

} // namespace upsweep::detail
