// SPDX-License-Identifier: MIT
// Reduces segments by offsets in one launch, as suits arrays that are small: each segment by one sub-group, a long one by
// all sub-groups of a work-group. Nothing is marked or scanned, each element is read once, and no work-group waits for
// another.
#ifndef UPSWEEP_REDUCE_SMALL
#define UPSWEEP_REDUCE_SMALL
#include "segments/offsets.cl"
#include "sub_group/row_sums.cl"
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

#if UPSWEEP_CANONICAL
// Appends the elements that lanes `skipped` to `end` - 1 have of a line to *sum, in all lanes.
void upsweep_append_line_part(upsweep_value element, uint skipped, uint end, uint* has_sum, upsweep_value* sum)
{
    const uint lane = upsweep_lane();
    upsweep_value blocks[UPSWEEP_LANE_BITS]; // those that make up the lanes before `end`
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
        const uint begin = ~(2 * distance - 1);
        blocks[bit] = upsweep_from_lane(element, end & begin);
        const upsweep_value other = upsweep_exchange(element, distance);
        if ((lane & begin) + distance <= skipped)
            element = lane & distance ? element : other;
        else if ((lane | ~begin) < end)
            element = upsweep_join(element, other, distance);
    }
#pragma unroll
    for (uint bit = UPSWEEP_LANE_BITS; bit-- > 0;)
        if ((end >> bit & 1u) && end >> bit << bit > skipped) upsweep_append(has_sum, sum, blocks[bit]);
}
#endif

// Appends the elements of a segment, or of a part of one, to *sum, in all lanes.
void upsweep_append_segment(upsweep_row_source from, upsweep_row part, uint* has_sum, upsweep_value* sum)
{
#if UPSWEEP_CANONICAL
    const uint skipped = (uint)(part.begin % UPSWEEP_LANES);
    if (part.begin / UPSWEEP_LANES == part.end / UPSWEEP_LANES) {
        const upsweep_index i = min(max(part.begin - skipped + upsweep_lane(), part.begin), part.end - 1);
        upsweep_append_line_part(upsweep_row_element(from, part, i), skipped, (uint)(part.end % UPSWEEP_LANES), has_sum,
                                 sum);
        return;
    }
#endif
    upsweep_append_row(from, part, has_sum, sum);
}

// What all sub-groups of a work-group make of a segment of more than 2^part_bits elements, in the first of them. A part is
// an aligned block of so many elements; of the one in which the segment begins, the elements from there on. `sums` has room
// for each part of the array.
upsweep_value upsweep_sum_in_parts(upsweep_input in, upsweep_row segment, uint part_bits, __local upsweep_value* sums)
{
    const upsweep_row_source of_elements = {upsweep_of_elements, in, 0, 0};
    const upsweep_row_source of_sums = {upsweep_of_local_sums, in, 0, sums};
    const upsweep_row parts = {segment.begin >> part_bits, segment.end >> part_bits, 0, segment.init};
    for (upsweep_index p = parts.begin + upsweep_sub_group(); p < parts.end; p += UPSWEEP_SUB_GROUPS_PER_GROUP) {
        upsweep_row part = segment;
        part.begin = max(p << part_bits, segment.begin);
        part.end = (p + 1) << part_bits;
        part.has_init = segment.has_init && p == parts.begin;
        uint has_sum = 0;
        upsweep_value sum = segment.init;
        upsweep_append_segment(of_elements, part, &has_sum, &sum);
        if (upsweep_lane() == 0) sums[p] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint has_sum = UPSWEEP_CANONICAL ? 0 : segment.has_init;
    upsweep_value sum = segment.init;
    if (upsweep_sub_group() == 0) {
        const upsweep_row last = {parts.end << part_bits, segment.end, 0, segment.init};
        upsweep_append_segment(of_sums, parts, &has_sum, &sum);
        if (last.begin < last.end) upsweep_append_segment(of_elements, last, &has_sum, &sum);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // before other sums replace these
    return sum;
}

// Result k is that of segment k of n elements. Segments longer than `longest` are a work-group's; `longest` is 2^part_bits
// or more. `sums` has room for n >> part_bits values.
UPSWEEP_KERNEL upsweep_reduce_small(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, upsweep_offsets offsets,
                                    ulong offsets_begin, ulong segments, ulong n, uint part_bits, uint longest,
                                    __local upsweep_value* sums, UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset,
                                    uint has_init, UPSWEEP_INIT_PARAMETER)
{
    __local uint long_ones; // a bit for each sub-group
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_output out = UPSWEEP_OUTPUT(out_offset);
    const upsweep_index count = (upsweep_index)segments;
    const upsweep_index groups = (upsweep_index)get_num_groups(0);
    const uint sub_group = upsweep_sub_group();
    offsets += offsets_begin;
    // A work-group's segments are far apart: neighbours are often alike, and no work-group should have all long ones.
    for (upsweep_index first = (upsweep_index)get_group_id(0); first < count;
         first += groups * UPSWEEP_SUB_GROUPS_PER_GROUP) {
        if (get_local_id(0) == 0) long_ones = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        const upsweep_index k = first + sub_group * groups;
        upsweep_row segment = {0, 0, has_init, init};
        if (k < count) {
            segment.begin = upsweep_begin_of(offsets, k, n);
            segment.end = upsweep_begin_of(offsets, k + 1, n);
            if (segment.begin >= segment.end) {
                if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, init);
            } else if (segment.end - segment.begin > longest) {
                if (upsweep_lane() == 0) atomic_or(&long_ones, 1u << sub_group);
            } else {
                const upsweep_row_source from = {upsweep_of_elements, in, 0, 0};
                uint has_sum = UPSWEEP_CANONICAL ? 0 : has_init;
                upsweep_value sum = init;
                upsweep_append_segment(from, segment, &has_sum, &sum);
                if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, sum);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint left = long_ones;
        barrier(CLK_LOCAL_MEM_FENCE);
        while (left != 0) {
            const uint owner = 31 - clz(left);
            const upsweep_index at = first + owner * groups;
            segment.begin = upsweep_begin_of(offsets, at, n);
            segment.end = upsweep_begin_of(offsets, at + 1, n);
            const upsweep_value sum = upsweep_sum_in_parts(in, segment, part_bits, sums);
            if (get_local_id(0) == 0) UPSWEEP_STORE(out, at, sum);
            left ^= 1u << owner;
        }
    }
}

#endif
