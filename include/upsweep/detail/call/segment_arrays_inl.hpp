// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/source/segment_form.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>

#include <cstdint>
#include <string>

/// The arrays of a call on segments.
namespace upsweep::detail {

/// The first array of a call's output.
UPSWEEP_INLINE computed_output::part part_of_results(const segment_arguments& a, const call_types& types,
                                                     const type_text& value) {
    const bool one_each = !reduces(a.results);
    const std::uint64_t needed = one_each ? a.in->extent() : a.in->count();
    return {"out",    one_each ? "output" : "results", a.out, needed, value, access::output,
            one_each, std::string(types.packed)};
}

/// Checks the arrays of a call on rows, columns or segments by offsets that no scan does.
UPSWEEP_INLINE run_request check_segment_arrays(const segment_arguments& a, const call_types& types,
                                                const queue_facts& queue) {
    const segmented_input& in = *a.in;
    const type_text value = text_of(types.text.value);
    computed_output output;
    output.parts.reserve(3);
    output.parts.push_back(part_of_results(a, types, value));
    if (in.cut == segment_cut::offsets)
        output.parts.push_back({"offsets", name_of(in.cut), in.array, 0, in.type, access::input, false});
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

/// What that gives, checked when it is first asked for: where a scan makes the call, its arrays are checked with its
/// own.
class checked_segments {
public:
    /// Refers to the arguments.
    UPSWEEP_INLINE checked_segments(const segment_arguments& a, const call_types& types, const queue_facts& queue)
        : a_(&a)
        , types_(&types)
        , queue_(&queue) {}
    /// Of a call that is prepared, whose arrays do not matter.
    UPSWEEP_INLINE explicit checked_segments(const run_request& request)
        : request_(request) {}

    UPSWEEP_INLINE const run_request& request() const {
        if (!request_) request_ = check_segment_arrays(*a_, *types_, *queue_);
        return *request_;
    }

private:
    const segment_arguments* a_ = nullptr;
    const call_types* types_ = nullptr;
    const queue_facts* queue_ = nullptr;
    mutable maybe<run_request> request_;
};

} // namespace upsweep::detail
