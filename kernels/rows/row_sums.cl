// SPDX-License-Identifier: MIT
// What a sub-group makes of a row, or of a part of one, by itself: its elements are read once and combined.
//
// The order is that of the flagged operator over all elements (segment_text.hpp): blocks of powers of two elements lie at
// multiples of their size from the beginning of the first row, not of each row, and what stands before a row's first
// element is absent. UPSWEEP_ORDERED_ROWS 0: the operator is exact and commutative, so lanes combine what they read.
#ifndef UPSWEEP_ROW_SUMS
#define UPSWEEP_ROW_SUMS
#include "rows/row_packs.cl"

#ifdef UPSWEEP_PLACE_IN_ROW // a scan (sub_group_tile/row_before.cl), whose exact operators need not commute
#define UPSWEEP_ORDERED_ROWS 1
#else
#define UPSWEEP_ORDERED_ROWS UPSWEEP_CANONICAL
#endif

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

// The sum of a lane's elements but the first `absent`, fewer than all.
upsweep_value upsweep_row_pack_end(upsweep_row_pack pack, uint absent)
{
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_ROW_PACK_BITS; ++bit)
#pragma unroll
        for (uint e = 0; e < UPSWEEP_ROW_PACK; e += 2u << bit) {
            const uint right = e + (1u << bit);
            pack.of[e] = right > absent ? upsweep_combine(pack.of[e], pack.of[right]) : pack.of[right];
        }
    return pack.of[0];
}
upsweep_value upsweep_row_pack_sum(upsweep_row_pack pack) { return upsweep_row_pack_end(pack, 0); }

// Sums of this lane's packs of lines `first` to `last` - 1, one at least, of UPSWEEP_LINES whose elements begin with element
// i. Other lines are read where these are, because no load should wait behind a condition.
void upsweep_sum_lines(upsweep_row_source from, upsweep_row row, upsweep_index i, uint first, uint last,
                       uint are_aligned, upsweep_value* sums)
{
    i += upsweep_lane() * UPSWEEP_ROW_PACK;
    upsweep_row_pack values[UPSWEEP_LINES];
    if (are_aligned) {
        upsweep_row_access packs[UPSWEEP_LINES];
#pragma unroll
        for (uint k = 0; k < UPSWEEP_LINES; ++k)
            packs[k] = upsweep_load_row_pack(from, i + min(max(k, first), last - 1) * UPSWEEP_LINE);
        upsweep_await_row_packs(packs);
#pragma unroll
        for (uint k = 0; k < UPSWEEP_LINES; ++k) values[k] = upsweep_values_of_pack(packs[k]);
    } else {
#pragma unroll
        for (uint k = 0; k < UPSWEEP_LINES; ++k)
            values[k] = upsweep_row_values(from, i + min(max(k, first), last - 1) * UPSWEEP_LINE);
    }
    if (row.has_init && upsweep_lane() == 0) {
#pragma unroll
        for (uint k = 0; k < UPSWEEP_LINES; ++k)
            if (i + k * UPSWEEP_LINE == row.begin) values[k].of[0] = upsweep_combine(row.init, values[k].of[0]);
    }
#pragma unroll
    for (uint k = 0; k < UPSWEEP_LINES; ++k) sums[k] = upsweep_row_pack_sum(values[k]);
}

#if UPSWEEP_ORDERED_ROWS
// Sums of blocks, kept until they are combined with what follows: lane b has that of 2^b lines, where bit b is set.
typedef struct {
    upsweep_value sums;
    uint present;
} upsweep_row_blocks;

// The elements of a lane from element i on that are in the row; others are what is next to them.
upsweep_row_pack upsweep_row_edge(upsweep_row_source from, upsweep_row row, upsweep_index i)
{
    upsweep_row_pack pack;
#pragma unroll
    for (uint e = 0; e < UPSWEEP_ROW_PACK; ++e)
        pack.of[e] = upsweep_row_value(from, min(max(i + e, row.begin), row.end - 1));
    return pack;
}

// Puts the initial value before element `first` of a line, with which the row begins.
void upsweep_add_init(upsweep_row row, uint first, upsweep_row_pack* line)
{
    if (!row.has_init || upsweep_lane() != first / UPSWEEP_ROW_PACK) return;
#pragma unroll
    for (uint e = 0; e < UPSWEEP_ROW_PACK; ++e)
        if (e == first % UPSWEEP_ROW_PACK) line->of[e] = upsweep_combine(row.init, line->of[e]);
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

// What a lane has of a line whose first `skipped` elements are absent.
upsweep_value upsweep_row_lane_sum(upsweep_row_pack pack, uint skipped)
{
    return upsweep_row_pack_end(pack, upsweep_lane() == skipped / UPSWEEP_ROW_PACK ? skipped % UPSWEEP_ROW_PACK : 0);
}

// The sum, in all lanes, of a line whose first `skipped` elements, not all, are absent.
upsweep_value upsweep_sum_line_end(upsweep_row_pack line, uint skipped)
{
    const uint lane = upsweep_lane();
    upsweep_value sum = upsweep_row_lane_sum(line, skipped);
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
        const upsweep_value other = upsweep_exchange(sum, distance);
        const uint left_end = (lane & ~(2 * distance - 1)) + distance;
        if (left_end > skipped / UPSWEEP_ROW_PACK)
            sum = upsweep_join(sum, other, distance);
        else if (!(lane & distance))
            sum = other;
    }
    return sum;
}

// Adds lines `first` to `last` - 1 of UPSWEEP_LINES that begin at line `begin`, a multiple of that.
void upsweep_add_lines(upsweep_row_blocks* blocks, upsweep_row_source from, upsweep_row row, upsweep_index begin,
                       uint first, uint last, uint are_aligned)
{
    upsweep_value lines[UPSWEEP_LINES];
    upsweep_sum_lines(from, row, begin * UPSWEEP_LINE, first, last, are_aligned, lines);
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

// Appends elements `absent` to `end` - 1 of a lane to *sum, in all lanes, where `end` < UPSWEEP_ROW_PACK.
void upsweep_append_pack_part(upsweep_row_pack pack, uint lane, uint absent, uint end, uint* has_sum, upsweep_value* sum)
{
#if UPSWEEP_ROW_PACK_BITS == 2
    if ((end & 2) && absent < 2)
        upsweep_append(has_sum, sum,
                       upsweep_from_lane(absent == 1 ? pack.of[1] : upsweep_combine(pack.of[0], pack.of[1]), lane));
    if ((end & 1) && absent < end) upsweep_append(has_sum, sum, upsweep_from_lane(end & 2 ? pack.of[2] : pack.of[0], lane));
#elif UPSWEEP_ROW_PACK_BITS == 1
    if (absent < end) upsweep_append(has_sum, sum, upsweep_from_lane(pack.of[0], lane));
#endif
}

// Appends the elements of a row, or of a part of one, to *sum, in all lanes. What begins within a line does not end in it.
void upsweep_append_row(upsweep_row_source from, upsweep_row row, uint* has_sum, upsweep_value* sum)
{
    const uint skipped = (uint)(row.begin % UPSWEEP_LINE);
    const uint rest = (uint)(row.end % UPSWEEP_LINE);
    const upsweep_index end = row.end / UPSWEEP_LINE; // of whole lines
    upsweep_index line = row.begin / UPSWEEP_LINE;
    const upsweep_index lane_begin = upsweep_lane() * UPSWEEP_ROW_PACK;
    const uint are_aligned = upsweep_row_is_aligned(from, lane_begin);
    const upsweep_row_pack nothing = {{row.init}};
    upsweep_row_pack before = nothing, behind = nothing;
    if (skipped > 0) before = upsweep_row_edge(from, row, line * UPSWEEP_LINE + lane_begin);
    if (rest > 0) behind = upsweep_row_edge(from, row, end * UPSWEEP_LINE + lane_begin);
    upsweep_row_blocks blocks = {row.init, 0};
    if (skipped > 0) {
        upsweep_add_init(row, skipped, &before);
        upsweep_add_block(&blocks, line, 0, upsweep_sum_line_end(before, skipped));
        ++line;
    }
    while (line < end) {
        const uint first = (uint)(line % UPSWEEP_LINES);
        const upsweep_index begin = line - first;
        const uint last = UPSWEEP_AT_MOST(end - begin, UPSWEEP_LINES);
        upsweep_add_lines(&blocks, from, row, begin, first, last, are_aligned);
        line = begin + last;
    }
#pragma unroll 1
    while (blocks.present != 0) {
        const uint bit = 31 - clz(blocks.present);
        upsweep_append(has_sum, sum, upsweep_from_lane(blocks.sums, bit));
        blocks.present ^= 1u << bit;
    }
    if (rest >= UPSWEEP_ROW_PACK)
        upsweep_append_lanes(upsweep_as_argument(upsweep_row_pack_sum(behind)), rest / UPSWEEP_ROW_PACK, has_sum, sum);
    if (UPSWEEP_ROW_PACK > 1 && rest > 0)
        upsweep_append_pack_part(behind, rest / UPSWEEP_ROW_PACK, 0, rest % UPSWEEP_ROW_PACK, has_sum, sum);
}
#else
// Appends the elements of a row, or of a part of one, to *sum, in all lanes.
void upsweep_append_row(upsweep_row_source from, upsweep_row row, uint* has_sum, upsweep_value* sum)
{
    const uint lane = upsweep_lane();
    const uint count = UPSWEEP_AT_MOST(row.end - row.begin, UPSWEEP_LANES);
    upsweep_value own = upsweep_row_value(from, row.begin + min(lane, count - 1));
    if (count < UPSWEEP_LANES) {
        upsweep_append_lanes(upsweep_as_argument(own), count, has_sum, sum);
        return;
    }
    // Behind these elements: those before the first pack, whole lines, packs of a line, and single elements.
    upsweep_index i = row.begin + UPSWEEP_LANES;
    const uint head = from.kind == upsweep_of_elements ? UPSWEEP_AT_MOST(row.end - i, upsweep_row_gap(from, i)) : 0;
    i += head;
    const uint are_aligned = upsweep_row_is_aligned(from, i);
    upsweep_index lines = (row.end - i) / UPSWEEP_LINE;
    const uint packs = (uint)(row.end - i) % UPSWEEP_LINE / UPSWEEP_ROW_PACK;
    const uint tail = (uint)(row.end - i) % UPSWEEP_ROW_PACK;
    const uint is_single = lane < UPSWEEP_ROW_PACK ? lane < head : lane - UPSWEEP_ROW_PACK < tail;
    const upsweep_index single =
        lane < UPSWEEP_ROW_PACK ? i - head + lane : row.end - tail + (lane - UPSWEEP_ROW_PACK);
    const upsweep_value other = upsweep_row_value(from, is_single ? single : row.begin);
    upsweep_row_pack pack;
#pragma unroll
    for (uint e = 0; e < UPSWEEP_ROW_PACK; ++e) pack.of[e] = own;
    if (lane < packs) {
        const upsweep_index begin = i + lines * UPSWEEP_LINE + lane * UPSWEEP_ROW_PACK;
        pack = are_aligned ? upsweep_values_of_pack(upsweep_load_row_pack(from, begin)) : upsweep_row_values(from, begin);
    }
    const upsweep_row no_init = {0, 0, 0, own};
    while (lines > 0) {
        const uint now = (uint)(lines - 1) % UPSWEEP_LINES + 1;
        upsweep_value whole[UPSWEEP_LINES];
        upsweep_sum_lines(from, no_init, i, 0, now, are_aligned, whole);
#pragma unroll
        for (uint k = 0; k < UPSWEEP_LINES; ++k)
            if (k < now) own = upsweep_combine(own, whole[k]);
        i += now * UPSWEEP_LINE;
        lines -= now;
    }
    if (lane < packs) own = upsweep_combine(own, upsweep_row_pack_sum(pack));
    if (is_single) own = upsweep_combine(own, other);
    upsweep_append(has_sum, sum, upsweep_lanes_sum(own));
}
#endif

#endif
