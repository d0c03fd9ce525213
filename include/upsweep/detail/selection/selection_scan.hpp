// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls.hpp>
#include <upsweep/detail/selection/select_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/text_memo.hpp>
#include <upsweep/vector_types.hpp>

#include <cstdint>
#include <memory>
#include <string>
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

/// The texts of a selection's scan.
struct selection_texts {
    std::string load;
    computed_output store; ///< without arrays
    std::uint64_t number = new_number_of_hooks();
};

/// @param marks  what is scanned
UPSWEEP_INLINE selection_texts make_selection_texts(selection what, const selection_arguments& a,
                                                    const computed_input& marks) {
    selection_texts texts;
    texts.load = transform_text(marks);
    texts.store = selection_output<UPSWEEP_LATER>(what, a).get();
    texts.store.text = store_text(texts.store, marks);
    for (computed_output::part& part : texts.store.parts) part.array = {};
    return texts;
}

/// The scan that a selection is made of: its texts, types and arguments.
class selection_scan {
public:
    /// @param a  outlives the object
    UPSWEEP_INLINE selection_scan(selection what, const selection_arguments& a)
        : what_(what)
        , of_(a)
        , marks_(scanned_marks(what, a))
        , texts_(
              made_once<selection_texts>(text_key_of(what, a), [&] { return make_selection_texts(what, a, marks_); }))
        , out_(std::move(selection_arrays<UPSWEEP_LATER>(what, a, &texts_->store).out))
        , types_(scan_types(what, a.wide)) {
        const listed_marks& marks = texts_->store.marks;
        types_.text.hooks = {texts_->load, texts_->store.text, texts_->number};
        types_.text.scan = scan_kind::exclusive;
        types_.stores_once = true;
        types_.counter = marks_.counter_type.name;
        types_.lists_marks = !marks.is_marked.empty();
        types_.counts_marks = marks.stores_all;
        types_.listed_size = marks.elements.with_places ? 0 : marks.elements.size;
    }
    selection_scan(const selection_scan&) = delete;
    selection_scan& operator=(const selection_scan&) = delete;

    selection what() const { return what_; }
    const selection_arguments& of() const { return of_; }
    const computed_input& marks() const { return marks_; }
    const call_types& types() const { return types_; }
    /// The same object for selections of one text, unless it was forgotten.
    const std::shared_ptr<const selection_texts>& texts() const { return texts_; }

    /// For devices whose kernels do that wrong.
    UPSWEEP_INLINE void list_no_marks() {
        computed_output store = texts_->store;
        store.marks = {};
        own_store_ = store_text(store, marks_);
        types_.text.hooks = {texts_->load, own_store_, 0};
        types_.lists_marks = types_.counts_marks = false;
        types_.listed_size = 0;
    }

    UPSWEEP_INLINE call_arguments arguments(const wait_list& after) const {
        call_arguments call = step_arguments(of_, marks_, types_, after);
        call.op = operation::scan;
        call.exclusive = true;
        call.stored = &out_;
        return call;
    }

private:
    const selection what_;
    const selection_arguments& of_;
    computed_input marks_;
    std::shared_ptr<const selection_texts> texts_;
    std::string own_store_; ///< in place of theirs, if not empty
    computed_output out_;   ///< arrays and numbers
    call_types types_;      ///< whose text refers to the members before
};

} // namespace upsweep::detail
