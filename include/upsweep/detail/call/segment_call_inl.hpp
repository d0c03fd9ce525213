// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/segment_call.hpp>
#include <upsweep/detail/call/segment_check_inl.hpp>
#include <upsweep/detail/call/segment_columns_inl.hpp>
#include <upsweep/detail/call/segment_direct_inl.hpp>
#include <upsweep/detail/call/segment_packed_inl.hpp>
#include <upsweep/detail/call/segment_scan_inl.hpp>
#include <upsweep/detail/source/read_text.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace upsweep::detail {

/// Checks that rows are within the input, so that their extent can be computed.
UPSWEEP_INLINE void check_rows(const char* function, const segmented_input& in) {
    const std::uint64_t room = in.elements.size;
    const auto refuse = [&](const std::string& cause) { throw error(function, "input", cause); };
    if (in.pitch < in.width)
        refuse("pitch " + std::to_string(in.pitch) + " is less than the width " + std::to_string(in.width));
    if (in.width == 0 || in.height == 0) return;
    // Without overflow: of the rows before the last, each takes `pitch` of the elements that the last leaves.
    if (in.width > room || in.height - 1 > (room - in.width) / in.pitch)
        refuse(std::to_string(in.height) + " rows of " + std::to_string(in.width) + " elements, " +
               std::to_string(in.pitch) + " from one to the next, are more than the input's " + std::to_string(room) +
               " elements");
}

/// Checks what can be known of segments without their arrays.
UPSWEEP_INLINE void check_texts_and_rows(const char* function, const segmented_input& in) {
    if (in.elements.is_counted())
        throw error(function, "input", "elements whose number is read on the device cannot be cut into segments");
    if (are_of_one_length(in.cut)) check_rows(function, in);
    // Ends of segments are numbered together with elements.
    if (in.size() >> 63 != 0) throw error(function, "input", "2^63 elements and more cannot be cut into segments");
    if (are_of_one_length(in.cut)) return;
    const std::string name = name_of(in.cut);
    const auto check_texts = [&] {
        check_whole(function, "type " + users_name(in.type.name), "type", in.type.definition);
        if (in.cut != segment_cut::keys) return;
        if (says_nothing(in.equality)) throw error(function, name, "keys: the text is empty");
        check_whole(function, name, "keys", in.equality);
    };
    if (in.cut == segment_cut::keys || !in.type.definition.empty())
        check_once(check_texts, "heads", in.cut, in.type, in.equality);
}

/// Checks what is known of segments without their arrays, and the array of keys, flags or offsets.
UPSWEEP_INLINE void check_heads(const char* function, const queue_facts& queue, const segmented_input& in) {
    check_texts_and_rows(function, in);
    if (are_of_one_length(in.cut)) return;
    const std::string name = name_of(in.cut);
    if (in.cut == segment_cut::offsets && in.array.size == 0)
        throw error(function, name, "no elements; there is one more than there are segments");
    if (in.cut != segment_cut::offsets && in.array.size != in.size())
        throw error(function, name,
                    std::to_string(in.array.size) + " elements, but the input has " + std::to_string(in.size()));
    check_span(function, name.c_str(), queue, in.array, in.array.size, access::input);
}

/// Checks the number of elements of a reduction.
UPSWEEP_INLINE void check_number(const char* function, const segmented_input& in, segment_results results) {
    if (reduces(results) && must_count(in.cut) && in.size() >= std::uint64_t{0xffffffff})
        throw error(function, "input", "reductions of 2^32 - 1 and more elements need segments of known places");
}

/// Checks what is known of a reduction's results.
UPSWEEP_INLINE void check_results(const segment_arguments& a) {
    const segmented_input& in = *a.in;
    check_number(a.function, in, a.results);
    if (!reduces(a.results)) return;
    if (a.out.size < in.count())
        throw error(a.function, "results",
                    std::to_string(a.out.size) + " elements are fewer than the " + std::to_string(in.count()) +
                        " segments");
    if (a.results == segment_results::per_key && a.total.size < 1)
        throw error(a.function, "count", "must have room for one element");
}

/// Of which tiles a scan should be instead: what an engine's tuning has no room for, or the device does wrong, is not.
UPSWEEP_INLINE segment_tiling usable_tiling(const segment_scan& scan, const engine& e, const segment_arguments& a,
                                            const call_types& types, const queue_facts& queue, segment_tiling tiling) {
    if (!scan.is_in_tiles() || !cuts_segments(e.tuning)) return tiling;
    if (scan.reads_row() && !hold_rows(e.tuning, a.in->width)) return segment_tiling::waiting;
    return are_segments_right(a.function, e, queue, scan, a.results, types) ? tiling : segment_tiling::none;
}

/// A call whose arguments were checked.
/// @param make    makes or finds the engine of an operation on such types and so many elements
/// @param tiling  of tiles of segments, where sizes allow and the device does that rightly
template <class Make>
cl_event scan_segments(const segment_arguments& a, const call_types& types, const queue_facts& queue,
                       const options& opts, const Make& make, segment_tiling tiling = segment_tiling::any) {
    if (a.in->cut == segment_cut::columns) return give(call_columns(a, types, queue, opts, make));
    if (const packed_segments packed{a, types, limits_of(a.function, queue.device)})
        return scan_segments(packed.arguments(), packed.types(), queue, opts, make, tiling);
    const checked_segments arrays(a, types, queue);
    if (auto done = start_direct(a, types, arrays, opts, limits_of(a.function, queue.device)))
        return give(std::move(*done));
    const segment_scan scan(a, types, queue, tiling);
    const call_arguments arguments = scan.arguments();
    checked_call call = check_arguments(arguments, queue);
    call.in_view = scan.input();
    const bool has_marks = a.in->cut == segment_cut::offsets && arguments.in.size > 0;
    const std::uint64_t mark_bytes = lay_out_marks(a.in->size(), reduces(a.results)).bytes;
    if (has_marks) check_scratch_bytes(a.function, a.in->size(), mark_bytes, limits_of(a.function, queue.device));
    const auto& e = make(operation::scan, scan.types(), arguments.in.size);
    const segment_tiling usable = usable_tiling(scan, e, a, types, queue, tiling);
    if (usable != tiling) return scan_segments(a, types, queue, opts, make, usable);
    if (!has_marks) return give(start(e, call));
    return give(start_marked(scan, queue, opts, e.tuning.work_items, call,
                             [&e](checked_call& marked) { return start(e, marked); }));
}

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED cl_event call_segments(const segment_arguments& a, const call_types& types, const options& opts) {
    if (types.text.op.parameters)
        return with_operands(a, types, [&](const auto& own, const auto& in) { return call_segments(own, in, opts); });
    const queue_facts queue = inspect_queue(a.function, a.queue);
    check_heads(a.function, queue, *a.in);
    check_results(a);
    check_own_text(a.function, types, limits_of(a.function, queue.device), opts);
    return scan_segments(a, types, queue, opts, [&](operation what, const call_types& own, std::uint64_t n) {
        return make_engine(a.function, queue, what, n, own, opts);
    });
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail
