// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls.hpp>
#include <upsweep/detail/selection/select_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/text_memo.hpp>
#include <upsweep/vector_types.hpp>

#include <cstdint>
#include <utility>

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
    call.workspace = a.workspace;
    return call;
}

/// What the text of a computed input is made of, and what its arrays are called in errors.
UPSWEEP_INLINE void add_source(text_key& key, const computed_input& in) {
    key.add(in.part_types(), in.stages, in.counter_type, in.argument);
}

/// What a selection's text is made of, all of it.
UPSWEEP_INLINE text_key text_key_of(selection what, const selection_arguments& a) {
    text_key key("selection", what, a.wide, a.marks_source, a.count_type, a.length_type);
    add_source(key, a.marks);
    for (const selected_column& column : a.columns) {
        add_source(key, column.source);
        key.add(column.element, column.out_type, column.argument);
    }
    return key;
}

/// The store hook of a selection, with its arrays.
/// @param marks  what is scanned
UPSWEEP_INLINE computed_output output_of(selection what, const selection_arguments& a, const computed_input& marks) {
    const auto make = [&] {
        computed_output out = selection_output<UPSWEEP_LATER>(what, a).get();
        out.text = store_text(out, marks);
        return out;
    };
    const auto known = made_once<computed_output>(text_key_of(what, a), make);
    return std::move(selection_arrays<UPSWEEP_LATER>(what, a, known.get()).out);
}

/// The scan that a selection is made of: its texts, types and arguments.
class selection_scan {
public:
    /// @param a  outlives the object
    UPSWEEP_INLINE selection_scan(selection what, const selection_arguments& a)
        : what_(what)
        , of_(a)
        , marks_(scanned_marks(what, a))
        , out_(output_of(what, a, marks_))
        , types_(scan_types(what, a.wide)) {
        marks_.text = transform_text(marks_);
        types_.text.hooks.load = marks_.text;
        types_.text.scan = scan_kind::exclusive;
        types_.stores_once = true;
        types_.counter = marks_.counter_type.name;
        use_store_text();
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
        out_.text = store_text(out_, marks_);
        use_store_text();
    }

    UPSWEEP_INLINE call_arguments arguments(const wait_list& after) const {
        call_arguments call = step_arguments(of_, marks_, types_, after);
        call.op = operation::scan;
        call.exclusive = true;
        call.stored = &out_;
        return call;
    }

private:
    UPSWEEP_INLINE void use_store_text() {
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
