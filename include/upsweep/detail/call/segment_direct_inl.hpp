// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/call/segment_arrays_inl.hpp>
#include <upsweep/detail/segments/each_check.hpp>
#include <upsweep/detail/segments/merged_check.hpp>
#include <upsweep/detail/segments/parts_check.hpp>
#include <upsweep/detail/segments/rows_check.hpp>
#include <upsweep/detail/segments/segments_check.hpp>
#include <upsweep/detail/segments/small_check.hpp>
#include <upsweep/detail/source/segment_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>

#include <string>
#include <vector>

// Reductions of segments that need no scan: of rows, each by one sub-group or in parts, and of segments by offsets,
// each by one work-item, by one sub-group, in parts, merged with the elements, or from the sums of blocks. An operator
// with parameters is for the scan.

namespace upsweep::detail {

/// What such a reduction is given besides the segments.
class direct_segments {
public:
    /// @param checked     what check_segment_arrays gave
    /// @param sees_array  kernels see an array as it is, and not as computed elements
    UPSWEEP_INLINE direct_segments(const segment_arguments& a, const call_types& types, const run_request& checked,
                                   const options& opts, bool sees_array)
        : text(text_of(types.text))
        , in_(a.in)
        , any_(types.value.size) {
        const computed_input& in = a.in->elements;
        run_request& run = common_.run;
        run = checked;
        common_.results = location_of(a.out);
        const bool is_plain = sees_array && in.is_array();
        text.element = in.stages.back().result;
        text.hooks = {is_plain ? std::string() : transform_text(in), {}};
        text.init_on_device = a.init_on_device;
        text.build_options = opts.build_options;
        run.has_init = a.init != nullptr || a.init_on_device;
        run.init = {a.init_or_empty() ? a.init_or_empty() : any_.data(), any_.size()};
        run.init_place = a.init_on_device ? location_of(a.init_place) : location();
        if (is_plain) common_.offset = location_of(in.parts[0].array).offset;
        if (!is_plain) view_ = buffers_of(in, a.out.buffer);
        common_.in = {is_plain ? in.parts[0].array.buffer : nullptr, is_plain ? nullptr : &view_};
    }
    direct_segments(const direct_segments&) = delete;
    direct_segments& operator=(const direct_segments&) = delete;

    /// The fields that every way has.
    UPSWEEP_INLINE void fill_in(direct_request& request) const { request = common_; }

    UPSWEEP_INLINE void fill_in(offsets_request& request) const {
        fill_in(static_cast<direct_request&>(request));
        request.n = in_->size();
        if (in_->cut == segment_cut::offsets) request.offsets = location_of(in_->array);
        if (in_->cut == segment_cut::rows) request.offsets = {nullptr, in_->width};
        request.segments = in_->count();
        request.value_size = any_.size();
    }

    program_text text;

private:
    const segmented_input* in_;
    direct_request common_;
    std::vector<unsigned char> any_; ///< a value
    view_buffers view_;
};

/// Whether any order of combination gives the same.
UPSWEEP_INLINE bool is_any_order(const call_types& types) {
    return is_exact(types) && types.text.op.traits.commutative;
}

/// Whether a sum less the sum of its first elements is exactly that of the others. (That of none, Out{}, is 0 then.)
UPSWEEP_INLINE bool sums_have_differences(const call_types& types) {
    return types.value.kind == number_kind::integer && !types.own_operator && types.text.op.name == plus::name;
}

UPSWEEP_INLINE segments_facts facts_of(const segmented_input& in, const call_types& types) {
    segments_facts facts;
    facts.value_size = types.value.size;
    facts.n = in.size();
    facts.segments = in.count();
    facts.any_order = is_any_order(types);
    facts.costly = types.text.op.traits.costly;
    facts.has_differences = sums_have_differences(types);
    return facts;
}

/// What kernels need to read where segments by offsets, or rows, begin (segments/offsets.cl).
/// @param wide_index  whether they count in 64 bits
UPSWEEP_INLINE std::string begins_of(const segmented_input& in, bool wide_index) {
    return in.cut == segment_cut::rows ? row_offset_helpers(wide_index) : offset_helpers(in.type);
}

/// Whether lanes load packs of an array (rows/row_packs.cl). A costly operator is to have few copies.
UPSWEEP_INLINE bool loads_packs(const call_types& types) {
    return !types.text.op.traits.costly;
}

/// Finds or builds the program of such a reduction; then, unless that was all, calls reduce(program).
/// @return none where the device's compiler cannot build it
template <class Reduce>
maybe<cl::Event> reduce_with(const program_key& key, const segment_arguments& a, const options& opts,
                             const device_limits& limits, const Reduce& reduce) {
    const auto program = find_program_or_null(a.function, limits, key, opts, a.kept);
    if (!program) return {};
    return a.prepares ? cl::Event() : reduce(*program);
}

/// A reduction of rows, if segments are rows and the device has such sub-groups.
/// @return none, and nothing was enqueued, otherwise
UPSWEEP_INLINE maybe<cl::Event> start_rows(const segment_arguments& a, const call_types& types,
                                           const checked_segments& checked, const options& opts,
                                           const device_limits& limits) {
    const segmented_input& in = *a.in;
    if (in.cut != segment_cut::rows || !reduces_by_rows(limits, opts, types.value.size, in.height, in.width)) return {};
    const direct_segments direct(a, types, checked.request(), opts, loads_packs(types));
    rows_request rows;
    direct.fill_in(rows);
    rows.height = in.height;
    rows.width = in.width;
    rows.gap = in.pitch - in.width;
    rows.any_order = is_any_order(types);
    if (!are_rows_right(a.function, limits, checked.request().queue, rows.any_order)) return {};
    return reduce_with(rows_key(rows, limits, view_of(direct.text), in.extent()), a, opts, limits,
                       [&](built_program& program) { return reduce_rows(rows, program, limits); });
}

/// A reduction of segments by offsets, or of long rows without gaps, in one launch, if there are few elements and the
/// device has such sub-groups.
/// @return none, and nothing was enqueued, otherwise
UPSWEEP_INLINE maybe<cl::Event> start_small(const segment_arguments& a, const call_types& types,
                                            const segments_facts& facts, const checked_segments& checked,
                                            const options& opts, const device_limits& limits) {
    const segmented_input& in = *a.in;
    const bool are_rows = in.cut == segment_cut::rows && in.pitch == in.width && rows_suit_small(limits, opts, facts);
    if (!are_rows && (in.cut != segment_cut::offsets || !reduces_small(limits, opts, facts))) return {};
    direct_segments direct(a, types, checked.request(), opts, loads_packs(types));
    small_request request;
    direct.fill_in(request);
    request.any_order = facts.any_order;
    request.shares = shares_small(facts);
    direct.text.op.helpers += begins_of(in, false) + small_helpers(request.shares);
    if (!are_small_right(a.function, limits, checked.request().queue, request.any_order, request.shares)) return {};
    return reduce_with(small_key(request, limits, view_of(direct.text)), a, opts, limits,
                       [&](built_program& program) { return reduce_small(request, program, limits); });
}

/// A reduction of segments by offsets in parts, if they are long or few, the operator is not costly, and the device has
/// such sub-groups; and of rows that are long and few.
/// @return none, and nothing was enqueued, otherwise
UPSWEEP_INLINE maybe<cl::Event> start_in_parts(const segment_arguments& a, const call_types& types,
                                               const segments_facts& facts, const checked_segments& checked,
                                               const options& opts, const device_limits& limits) {
    const segmented_input& in = *a.in;
    const bool are_rows = in.cut == segment_cut::rows && are_rows_few(limits, in.height, in.width) &&
                          reduces_by_rows(limits, opts, facts.value_size, in.height, in.width);
    if (!are_rows && (in.cut != segment_cut::offsets || !reduces_in_parts(limits, opts, facts))) return {};
    direct_segments direct(a, types, checked.request(), opts, loads_packs(types));
    parts_request request;
    direct.fill_in(request);
    request.any_order = facts.any_order;
    request.gap = are_rows ? in.pitch - in.width : 0;
    request.extent = in.extent();
    request.part_bits = segment_part_bits(limits, request.n, request.segments);
    direct.text.op.helpers += begins_of(in, counts_wide(request));
    check_scratch_bytes(a.function, request.n, segment_parts_bytes(request), limits);
    if (!are_parted_right(a.function, limits, checked.request().queue, request.any_order, are_rows)) return {};
    return reduce_with(parts_key(request, limits, view_of(direct.text)), a, opts, limits,
                       [&](built_program& program) { return reduce_in_parts(request, program, limits); });
}

/// A reduction of segments by offsets, if any order of combination gives the same and the device has such sub-groups.
/// Not of sums with differences, which are faster from these.
/// @return none, and nothing was enqueued, otherwise
UPSWEEP_INLINE maybe<cl::Event> start_merged(const segment_arguments& a, const call_types& types,
                                             const segments_facts& facts, const checked_segments& checked,
                                             const options& opts, const device_limits& limits) {
    const segmented_input& in = *a.in;
    const bool fits = facts.any_order && types.packed.empty() && are_segment_numbers(text_of(types.text.value));
    if (in.cut != segment_cut::offsets || !fits || facts.has_differences ||
        !reduces_by_merging(limits, opts, facts.value_size, facts.n, facts.segments))
        return {};
    direct_segments direct(a, types, checked.request(), opts, true);
    direct.text.op.helpers += offset_helpers(in.type);
    merged_request merged;
    direct.fill_in(merged);
    merged.work_items = merged_group_size(limits, merged.value_size);
    check_scratch_bytes(a.function, merged.n, lay_out_merged(merged).bytes, limits);
    if (!are_merged_right(a.function, limits, checked.request().queue)) return {};
    return reduce_with(merged_key(merged, limits, view_of(direct.text)), a, opts, limits,
                       [&](built_program& program) { return reduce_merged(merged, program); });
}

/// Whether rows are reduced from the sums of the blocks of tiles.
UPSWEEP_INLINE bool rows_suit_blocks(const segmented_input& in, const segments_facts& facts) {
    return in.pitch == in.width && rows_suit_blocks(in.height, in.width, facts.value_size, facts.any_order);
}

/// A reduction of segments by offsets, or of rows without gaps, from the sums of the blocks of tiles.
/// @return none, and nothing was enqueued, otherwise
UPSWEEP_INLINE maybe<cl::Event> start_segments(const segment_arguments& a, const call_types& types,
                                               const segments_facts& facts, const checked_segments& checked,
                                               const options& opts, const device_limits& limits) {
    const segmented_input& in = *a.in;
    const bool are_rows = in.cut == segment_cut::rows;
    if ((in.cut != segment_cut::offsets && !(are_rows && rows_suit_blocks(in, facts))) ||
        !reduces_by_blocks(limits, opts, facts.value_size, facts.n, facts.segments))
        return {};
    direct_segments direct(a, types, checked.request(), opts, true);
    direct.text.op.helpers += begins_of(in, needs_wide_index(facts.n + facts.segments));
    segments_request segments;
    direct.fill_in(segments);
    segments.tuning = segments_tuning(limits, segments.value_size, facts.has_differences);
    if (facts.has_differences) allow_differences(direct.text.op, direct.text.value.name);
    segments.per_team = tiles_per_team(limits, segments.tuning, segments.n);
    const std::uint64_t scratch = lay_out_segments(segments).bytes;
    if (are_rows && scratch > limits.max_allocation_bytes) return {}; // other ways need less
    check_scratch_bytes(a.function, segments.n, scratch, limits);
    if (!are_segments_right(a.function, limits, checked.request().queue, facts.has_differences, are_rows)) return {};
    return reduce_with(segments_key(segments, view_of(direct.text)), a, opts, limits,
                       [&](built_program& program) { return reduce_segments(segments, program); });
}

/// A reduction of rows or of segments by offsets, each by one work-item, if the device is a CPU.
/// @return none, and nothing was enqueued, otherwise
UPSWEEP_INLINE maybe<cl::Event> start_each(const segment_arguments& a, const call_types& types,
                                           const checked_segments& checked, const options& opts,
                                           const device_limits& limits) {
    const segmented_input& in = *a.in;
    const bool has_offsets = in.cut == segment_cut::offsets;
    const std::size_t size = types.value.size;
    if (!(has_offsets && reduces_each(limits, opts, size, in.count())) &&
        !(in.cut == segment_cut::rows && reduces_each_row(limits, opts, size, in.height, in.width)))
        return {};
    direct_segments direct(a, types, checked.request(), opts, true);
    direct.text.op.helpers += offset_helpers(has_offsets ? in.type : describe_type<std::uint32_t>());
    each_request each;
    direct.fill_in(each);
    each.width = in.width;
    each.gap = in.pitch - in.width;
    each.has_vectors = loads_vectors(each, view_of(direct.text));
    if (!is_each_right(a.function, limits, checked.request().queue, each.has_vectors, is_exact(direct.text))) return {};
    return reduce_with(each_key(each, view_of(direct.text)), a, opts, limits,
                       [&](built_program& program) { return reduce_each(each, program, limits); });
}

/// The reduction without a scan that suits the segments.
/// @return none, and nothing was enqueued, where there is none
UPSWEEP_INLINE maybe<cl::Event> start_direct(const segment_arguments& a, const call_types& types,
                                             const checked_segments& checked, const options& opts,
                                             const device_limits& limits) {
    if (types.operands || a.results != segment_results::per_segment) return {};
    // For its errors only: reductions without a scan have a tuning of their own. What else is set makes them a scan's.
    check_enumerators(a.function, opts);
    if (opts.registers != 0 || opts.run_packs != 0)
        choose_tuning(a.function, opts, limits, problem_of_no_run(a.in->size(), types));
    const segments_facts facts = facts_of(*a.in, types);
    if (a.in->cut == segment_cut::rows) {
        if (auto done = start_segments(a, types, facts, checked, opts, limits)) return done;
        if (auto done = start_small(a, types, facts, checked, opts, limits)) return done;
        if (auto done = start_in_parts(a, types, facts, checked, opts, limits)) return done;
        if (auto done = start_rows(a, types, checked, opts, limits)) return done;
        return start_each(a, types, checked, opts, limits);
    }
    if (auto done = start_each(a, types, checked, opts, limits)) return done;
    if (auto done = start_small(a, types, facts, checked, opts, limits)) return done;
    if (auto done = start_in_parts(a, types, facts, checked, opts, limits)) return done;
    if (auto done = start_merged(a, types, facts, checked, opts, limits)) return done;
    return start_segments(a, types, facts, checked, opts, limits);
}

} // namespace upsweep::detail
