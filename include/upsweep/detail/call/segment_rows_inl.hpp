// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/self_check/rows_check.hpp>

#include <optional>
#include <vector>

namespace upsweep::detail {

/// Whether the segments are rows that are reduced without a scan. An operator with parameters is for the scan.
inline bool are_reduced_by_rows(const segment_arguments& a, const call_types& types, const options& opts,
                                const device_limits& limits) {
    return !types.operands && a.in->cut == segment_cut::rows && a.results == segment_results::per_segment &&
           reduces_by_rows(limits, opts, types.value.size, a.in->height, a.in->width);
}

/// A reduction of rows, each by one sub-group, if segments are rows and the device has such sub-groups.
/// @param checked  the arguments of the scan that would do the same
/// @return none, and nothing was enqueued, otherwise
inline std::optional<cl::Event> start_rows(const segment_arguments& a, const call_types& types,
                                           const run_request& checked, const options& opts,
                                           const device_limits& limits) {
    if (!are_reduced_by_rows(a, types, opts, limits)) return std::nullopt;
    const segmented_input& in = *a.in;
    const bool is_plain = in.elements.stages.empty();
    program_text text = text_of(types.text);
    text.element = is_plain ? in.elements.parts[0].type : in.elements.stages.back().result;
    text.hooks = {transform_text(in.elements), {}};
    text.init_on_device = a.init_on_device;
    text.build_options = opts.build_options;
    const std::vector<unsigned char> zeros(text.value.size);
    const view_buffers view = is_plain ? view_buffers() : buffers_of(in.elements, a.out.buffer);
    rows_request rows;
    rows.run = checked;
    rows.run.has_init = a.init != nullptr || a.init_on_device;
    rows.run.init = {a.init ? a.init : zeros.data(), zeros.size()};
    rows.run.init_place = a.init_on_device ? location_of(a.init_place) : location();
    if (is_plain) rows.offset = location_of(in.elements.parts[0].array).offset;
    rows.in = {is_plain ? in.elements.parts[0].array.buffer : nullptr, is_plain ? nullptr : &view};
    rows.height = in.height;
    rows.width = in.width;
    rows.gap = in.pitch - in.width;
    rows.results = location_of(a.out);
    rows.any_order = is_exact(types) && text.op.traits.commutative;
    if (!are_rows_right(a.function, limits, checked.queue, rows.any_order)) return std::nullopt;
    const auto program =
        find_program_or_null(a.function, limits, rows_key(rows, limits, view_of(text), in.extent()), opts);
    if (!program) return std::nullopt;
    return reduce_rows(rows, *program, limits);
}

} // namespace upsweep::detail
