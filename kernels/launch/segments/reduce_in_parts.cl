// SPDX-License-Identifier: MIT
// Reduces segments by offsets, or rows, in parts, as suits those that are long, or few. A part is an aligned block of
// 2^part_bits elements among those of all segments. In the first launch each part is one sub-group's: it sums the elements of
// the segment that reaches behind the part, or ends with it. In the second launch each segment is one sub-group's: it combines
// the sums of the segment's parts and the elements behind the last of them. So no sub-group has more elements than a part,
// whatever the lengths of segments are, and each element is read once.
#ifndef UPSWEEP_REDUCE_IN_PARTS
#define UPSWEEP_REDUCE_IN_PARTS
#include "segments/segment_parts.cl"
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// The first of `count` segments that ends with element `place` or behind it, by a sub-group; `count` if none does.
upsweep_index upsweep_first_reaching(upsweep_offsets offsets, upsweep_index count, ulong n, upsweep_index place)
{
    upsweep_index first = 0, left = count; // it is one of the next `left`, or the one behind them
    while (left > 0) {
        const upsweep_index step = left / UPSWEEP_LANES + 1;
        const upsweep_index further = (upsweep_lane() + 1) * step;
        const uint is_before = further <= left ? upsweep_begin_of(offsets, first + further, n) < place : 0;
        const upsweep_index before = popcount(upsweep_ballot(is_before)) * step;
        first += before;
        left = min(step - 1, left - before);
    }
    return first;
}

// Segment k of `in`, whose segments are `gap` elements apart.
upsweep_row_source upsweep_elements_of(upsweep_input in, upsweep_index k, ulong gap)
{
    const upsweep_row_source from = {upsweep_of_elements, UPSWEEP_INPUT_AT(in, k * (upsweep_index)gap), 0, 0};
    return from;
}

// Sums of `parts` parts of n elements: all that end before element n does.
UPSWEEP_KERNEL upsweep_sum_segment_parts(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, upsweep_offsets offsets,
                                         ulong offsets_begin, ulong segments, ulong n, ulong gap, ulong parts,
                                         uint part_bits, __global upsweep_value* sums, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_index count = (upsweep_index)segments;
    offsets += offsets_begin;
    for (upsweep_index part = upsweep_own_sub_group(); part < parts; part += upsweep_all_sub_groups()) {
        const upsweep_index end = (part + 1) << part_bits;
        const upsweep_index k = upsweep_first_reaching(offsets, count, n, end);
        if (k == count) continue;
        const upsweep_row segment = upsweep_segment_at(offsets, k, n, has_init, init);
        if (segment.begin >= end) continue;
        const upsweep_value sum = upsweep_sum_part(upsweep_elements_of(in, k, gap), segment, part, part_bits);
        if (upsweep_lane() == 0) sums[part] = sum;
    }
}

// Result k is that of segment k.
UPSWEEP_KERNEL upsweep_join_segment_parts(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, upsweep_offsets offsets,
                                          ulong offsets_begin, ulong segments, ulong n, ulong gap, uint part_bits,
                                          const __global upsweep_value* sums, UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset,
                                          uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_output out = UPSWEEP_OUTPUT(out_offset);
    const upsweep_row_source of_sums = {upsweep_of_sums, in, sums, 0};
    offsets += offsets_begin;
    for (upsweep_index k = upsweep_own_sub_group(); k < segments; k += upsweep_all_sub_groups()) {
        const upsweep_row segment = upsweep_segment_at(offsets, k, n, has_init, init);
        uint has_sum = UPSWEEP_CANONICAL ? 0 : has_init;
        upsweep_value sum = init;
        if (segment.begin < segment.end)
            upsweep_append_joined(upsweep_elements_of(in, k, gap), segment, part_bits, of_sums, segment.begin >> part_bits,
                                  &has_sum, &sum);
        if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, sum);
    }
}

#endif
