// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/segments/reduce_in_parts.hpp>
#include <upsweep/detail/segments/small_check.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// The self-check of reductions of segments by offsets in parts. A device that fails it reduces them in another way.

namespace upsweep::detail {

/// Whether the kernels reduce these segments to these answers. True where the device's compiler does not build them:
/// they are not used then.
/// @param gap        elements between rows
/// @param part_bits  log2 of the elements of a part
UPSWEEP_INLINE bool gives_in_parts(const check_bench& bench, const device_limits& limits, bool any_order,
                                   offsets_bench<std::uint32_t>& segments, const small_answers& answers,
                                   std::uint64_t gap, std::uint32_t part_bits) {
    segments.text.op.body = answers.op.body();
    segments.text.op.traits.commutative = any_order;
    parts_request request;
    segments.fill_in(request);
    request.any_order = any_order;
    request.gap = gap;
    request.part_bits = part_bits;
    const auto program = find_program(bench.function(), limits, parts_key(request, limits, view_of(segments.text)));
    if (!program) return true;
    const cl::Event done = reduce_in_parts(request, *program, limits);
    return segments.results() == answers.out;
}

/// The same of segments of these lengths.
UPSWEEP_INLINE bool gives_parted_answers(const check_bench& bench, const device_limits& limits, bool any_order,
                                         const std::vector<std::uint32_t>& lengths, std::uint32_t part_bits) {
    const small_answers answers(any_order, lengths);
    offsets_bench<std::uint32_t> segments(bench, "uint", answers.in, answers.offsets, answers.init);
    return gives_in_parts(bench, limits, any_order, segments, answers, 0, part_bits);
}

/// The same of rows with gaps.
UPSWEEP_INLINE bool gives_parted_row_answers(const check_bench& bench, const device_limits& limits, bool any_order,
                                             std::uint32_t height, std::uint32_t width, std::uint32_t gap,
                                             std::uint32_t part_bits) {
    const small_answers answers(any_order, std::vector<std::uint32_t>(height, width));
    std::vector<std::uint32_t> elements;
    for (std::uint32_t row = 0; row < height; ++row) {
        const auto begin = answers.in.begin() + std::ptrdiff_t{row} * width;
        elements.insert(elements.end(), begin, begin + width);
        elements.insert(elements.end(), gap, row);
    }
    offsets_bench<std::uint32_t> rows(bench, "uint", elements, answers.offsets, answers.init);
    rows.use_width(width);
    return gives_in_parts(bench, limits, any_order, rows, answers, gap, part_bits);
}

/// Whether segments, or rows, may be reduced so on a device: checked at the first use, once for each order.
UPSWEEP_INLINE bool are_parted_right(const char* function, const device_limits& limits, const queue_facts& queue,
                                     bool any_order, bool are_rows) {
    if (!self_check_wanted()) return true;
    constexpr const char* names[2][2] = {{"segments in parts", "segments in parts in any order"},
                                         {"rows in parts", "rows in parts in any order"}};
    const own_check way{names[are_rows][any_order],
                        are_rows ? "reductions of rows in parts" : "reductions of segments in parts", "other launches"};
    const auto is_right = [&](const check_bench& bench) {
        device_limits one_unit = limits; // whose sub-groups take several segments, and several parts
        one_unit.compute_units = 1;
        constexpr std::uint32_t bits = log2_of(least_segment_part);
        if (are_rows) return gives_parted_row_answers(bench, one_unit, any_order, 9, 5003, 3, bits);
        // Segments within a part, of a few parts, of more parts than a line has elements, and up to the end of a part.
        std::vector<std::uint32_t> lengths{3, 0, 1300, 5000, 0, 200001, 7, 2048};
        for (std::uint32_t k = 0; k < 400; ++k) lengths.push_back(k % 50 == 0 ? 20 * k : k % 7);
        std::uint32_t all = 0;
        for (const std::uint32_t length : lengths) all += length;
        lengths.push_back((std::uint32_t{2} << bits) - all % (std::uint32_t{1} << bits));
        lengths.push_back(70);
        return gives_parted_answers(bench, one_unit, any_order, lengths, bits);
    };
    return own_verdict(function, limits, queue, way, is_right).as_chosen;
}

} // namespace upsweep::detail
