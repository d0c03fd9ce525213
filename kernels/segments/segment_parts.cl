// SPDX-License-Identifier: MIT
// Sums of segments by offsets: by a sub-group, and in parts by a work-group. Nothing is marked or scanned.
#ifndef UPSWEEP_SEGMENT_PARTS
#define UPSWEEP_SEGMENT_PARTS
#include "segments/offsets.cl"
#include "rows/any_row.cl"

upsweep_row upsweep_segment_at(upsweep_offsets offsets, upsweep_index k, ulong n, uint has_init, upsweep_value init)
{
    const upsweep_row segment = {upsweep_begin_of(offsets, k, n), upsweep_begin_of(offsets, k + 1, n), has_init, init};
    return segment;
}

// Parts of a segment, aligned blocks of 2^part_bits elements, that end before it does.
upsweep_index upsweep_parts_of(upsweep_row segment, uint part_bits)
{
    return (segment.end >> part_bits) - (segment.begin >> part_bits);
}

// Part number `p` of a segment: its elements in an aligned block of 2^part_bits.
upsweep_row upsweep_part_of_segment(upsweep_row segment, upsweep_index p, uint part_bits)
{
    upsweep_row part = segment;
    part.begin = max(p << part_bits, segment.begin);
    part.end = (p + 1) << part_bits;
    part.has_init = segment.has_init && p == segment.begin >> part_bits;
    return part;
}

// What is behind the last part that ends before the segment does.
upsweep_row upsweep_rest_of_segment(upsweep_row segment, uint part_bits)
{
    upsweep_row rest = segment;
    rest.begin = max(segment.end >> part_bits << part_bits, segment.begin);
    rest.has_init = segment.has_init && rest.begin == segment.begin;
    return rest;
}

// The sum of such a part of a segment that reaches behind it, by a sub-group.
upsweep_value upsweep_sum_part(upsweep_row_source from, upsweep_row segment, upsweep_index p, uint part_bits)
{
    uint has_sum = 0;
    upsweep_value sum = segment.init;
    upsweep_append_any_row(from, upsweep_part_of_segment(segment, p, part_bits), &has_sum, &sum);
    return sum;
}

// Appends a segment to *sum, in all lanes: the sums of its parts, from number `first` of `sums` on, and what is behind them.
// `first` is the number of its first part, but for a multiple of a power of two that is not less than they are many.
void upsweep_append_joined(upsweep_row_source from, upsweep_row segment, uint part_bits, upsweep_row_source sums,
                           upsweep_index first, uint* has_sum, upsweep_value* sum)
{
    const upsweep_index count = upsweep_parts_of(segment, part_bits);
    const upsweep_row parts = {first, first + count, 0, segment.init};
    const upsweep_row rest = upsweep_rest_of_segment(segment, part_bits);
    if (count > 0) upsweep_append_any_row(sums, parts, has_sum, sum);
    if (rest.begin < rest.end) upsweep_append_any_row(from, rest, has_sum, sum);
}

#endif
