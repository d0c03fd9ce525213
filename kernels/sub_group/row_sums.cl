// SPDX-License-Identifier: MIT
// What a sub-group makes of a row, or of a part of one, by itself: its elements are read once and combined.
//
// The order is that of the flagged operator over all elements (segment_text.hpp): blocks of powers of two elements lie at
// multiples of their size from the beginning of the first row, not of each row, and what stands before a row's first
// element is absent. UPSWEEP_ORDERED_ROWS 0: the operator is exact and commutative, so lanes combine what they read.
//
// A line is as many neighbouring elements as a sub-group has lanes, the first of them at a multiple of their number.
#ifndef UPSWEEP_ROW_SUMS
#define UPSWEEP_ROW_SUMS
#include "sub_group/lanes_tree.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif

#ifdef UPSWEEP_PLACE_IN_ROW // a scan (sub_group_tile/row_before.cl), whose exact operators need not commute
#define UPSWEEP_ORDERED_ROWS 1
#else
#define UPSWEEP_ORDERED_ROWS UPSWEEP_CANONICAL
#endif

// Lines whose loads are under way together.
#define UPSWEEP_LINES UPSWEEP_MOST_ROWS
#define UPSWEEP_LINES_BITS UPSWEEP_ROW_BITS

// The number of this sub-group among those of the launch, and how many these are: rows go to them in turn.
upsweep_index upsweep_own_sub_group(void)
{
    return (upsweep_index)get_group_id(0) * UPSWEEP_SUB_GROUPS_PER_GROUP + upsweep_sub_group();
}
upsweep_index upsweep_all_sub_groups(void)
{
    return (upsweep_index)(get_num_groups(0) * UPSWEEP_SUB_GROUPS_PER_GROUP);
}

// A row, or a part of one: where its elements begin and end among those of all rows.
typedef struct {
    upsweep_index begin;
    upsweep_index end;
    uint has_init;
    upsweep_value init; // to the left of the first element
} upsweep_row;

// Where they are read: element i is UPSWEEP_LOAD(in, i), or sums[i], or local_sums[i].
typedef enum { upsweep_of_elements, upsweep_of_sums, upsweep_of_local_sums } upsweep_row_kind;
typedef struct {
    upsweep_row_kind kind; // a constant after inlining
    upsweep_input in;
    const __global upsweep_value* sums;
    const __local upsweep_value* local_sums;
} upsweep_row_source;

upsweep_value upsweep_row_value(upsweep_row_source from, upsweep_index i)
{
    if (from.kind == upsweep_of_sums) return from.sums[i];
    if (from.kind == upsweep_of_local_sums) return from.local_sums[i];
    return UPSWEEP_LOAD(from.in, i);
}

#if UPSWEEP_ORDERED_ROWS
// Sums of blocks, kept until they are combined with what follows: lane b has that of 2^b lines, where bit b is set.
typedef struct {
    upsweep_value sums;
    uint present;
} upsweep_row_blocks;

upsweep_value upsweep_row_element(upsweep_row_source from, upsweep_row row, upsweep_index i)
{
    const upsweep_value element = upsweep_row_value(from, i);
    return row.has_init && i == row.begin ? upsweep_combine(row.init, element) : element;
}

// Adds the sum of block number `index` of 2^bit lines, behind all blocks that were added before.
void upsweep_add_block(upsweep_row_blocks* blocks, upsweep_index index, uint bit, upsweep_value sum)
{
#pragma unroll 1
    for (; index & 1; index >>= 1, ++bit)
        if (blocks->present >> bit & 1u) sum = upsweep_combine(upsweep_from_lane(blocks->sums, bit), sum);
    if (upsweep_lane() == bit) blocks->sums = sum;
    blocks->present = (blocks->present >> bit | 1u) << bit;
}

// The sum, in all lanes, of a line whose first `skipped` elements, 1 or more, are absent.
upsweep_value upsweep_sum_line_end(upsweep_value element, uint skipped)
{
    const uint lane = upsweep_lane();
    upsweep_value sum = element;
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
        const upsweep_value other = upsweep_exchange(sum, distance);
        const uint left_end = (lane & ~(2 * distance - 1)) + distance;
        if (left_end > skipped)
            sum = upsweep_join(sum, other, distance);
        else if (!(lane & distance))
            sum = other;
    }
    return sum;
}

// Adds lines `first` to `last` - 1 of UPSWEEP_LINES that begin at line `begin`, a multiple of that.
void upsweep_add_lines(upsweep_row_blocks* blocks, upsweep_row_source from, upsweep_row row, upsweep_index begin,
                       uint first, uint last)
{
    upsweep_value lines[UPSWEEP_LINES];
#pragma unroll
    for (uint k = 0; k < UPSWEEP_LINES; ++k) {
        // Other lines are read where the row has elements, because no load should wait behind a condition.
        const upsweep_index i = (begin + k) * UPSWEEP_LANES + upsweep_lane();
        lines[k] = upsweep_row_element(from, row, min(max(i, row.begin), row.end - 1));
    }
    const uint real = (1u << last) - (1u << first);
    const upsweep_value sums = upsweep_lanes_line_sums(lines, UPSWEEP_LINES, real);
    if (last - first == UPSWEEP_LINES) {
        upsweep_add_block(blocks, begin / UPSWEEP_LINES, UPSWEEP_LINES_BITS,
                          upsweep_lanes_join_lines(sums, UPSWEEP_LINES));
        return;
    }
#pragma unroll 1
    for (uint k = first; k < last; ++k)
        upsweep_add_block(blocks, begin + k, 0, upsweep_from_lane(sums, upsweep_lane_of_line(k, UPSWEEP_LINES)));
}

// Appends the elements of a row, or of a part of one, to *sum, in all lanes. What begins within a line does not end in it.
void upsweep_append_row(upsweep_row_source from, upsweep_row row, uint* has_sum, upsweep_value* sum)
{
    const uint skipped = (uint)(row.begin % UPSWEEP_LANES);
    const uint rest = (uint)(row.end % UPSWEEP_LANES);
    const upsweep_index end = row.end / UPSWEEP_LANES; // of whole lines
    upsweep_index line = row.begin / UPSWEEP_LANES;
    const upsweep_value before =
        upsweep_row_element(from, row, min(max(line * UPSWEEP_LANES + upsweep_lane(), row.begin), row.end - 1));
    const upsweep_value behind = upsweep_row_value(from, min(end * UPSWEEP_LANES + upsweep_lane(), row.end - 1));
    upsweep_row_blocks blocks = {before, 0};
    if (skipped > 0) {
        upsweep_add_block(&blocks, line, 0, upsweep_sum_line_end(before, skipped));
        ++line;
    }
    while (line < end) {
        const uint first = (uint)(line % UPSWEEP_LINES);
        const upsweep_index begin = line - first;
        const uint last = UPSWEEP_AT_MOST(end - begin, UPSWEEP_LINES);
        upsweep_add_lines(&blocks, from, row, begin, first, last);
        line = begin + last;
    }
#pragma unroll 1
    while (blocks.present != 0) {
        const uint bit = 31 - clz(blocks.present);
        upsweep_append(has_sum, sum, upsweep_from_lane(blocks.sums, bit));
        blocks.present ^= 1u << bit;
    }
    if (rest > 0) upsweep_append_lanes(upsweep_as_argument(behind), rest, has_sum, sum);
}
#else
// Combines *sum with `count` elements (constant after inlining) that a lane has from element i on, UPSWEEP_LANES apart.
void upsweep_add_strided(upsweep_value* sum, upsweep_row_source from, upsweep_index i, uint count)
{
    upsweep_value elements[UPSWEEP_LINES];
#pragma unroll
    for (uint k = 0; k < count; ++k) elements[k] = upsweep_row_value(from, i + k * UPSWEEP_LANES);
#pragma unroll
    for (uint k = 0; k < count; ++k) *sum = upsweep_combine(*sum, elements[k]);
}

// Appends the elements of a row, or of a part of one, to *sum, in all lanes.
void upsweep_append_row(upsweep_row_source from, upsweep_row row, uint* has_sum, upsweep_value* sum)
{
    const uint count = UPSWEEP_AT_MOST(row.end - row.begin, UPSWEEP_LANES);
    upsweep_index i = row.begin + min(upsweep_lane(), count - 1);
    upsweep_value own = upsweep_row_value(from, i);
    if (count < UPSWEEP_LANES) {
        upsweep_append_lanes(upsweep_as_argument(own), count, has_sum, sum);
        return;
    }
    upsweep_index lines = (row.end - row.begin) / UPSWEEP_LANES - 1;
    i += UPSWEEP_LANES;
#pragma unroll 1
    for (; lines >= UPSWEEP_LINES; lines -= UPSWEEP_LINES, i += UPSWEEP_LINES * UPSWEEP_LANES)
        upsweep_add_strided(&own, from, i, UPSWEEP_LINES);
#pragma unroll
    for (uint bit = UPSWEEP_LINES_BITS; bit-- > 0;)
        if (lines >> bit & 1u) {
            upsweep_add_strided(&own, from, i, 1u << bit);
            i += (1u << bit) * UPSWEEP_LANES;
        }
    if (i < row.end) upsweep_add_strided(&own, from, i, 1);
    upsweep_append(has_sum, sum, upsweep_lanes_sum(own));
}
#endif

#endif
