// SPDX-License-Identifier: MIT
// What precedes a tile of segments in its row, where rows are no wider than a tile: the elements before it, read again.
// So no tile waits for another, and nothing is published. Input and output must have no memory in common.
//
// H100, 512 MiB in rows of 1000, us, by waiting and so: float 433 and 375, double 446 and 396, float4 524 and 456. Wider
// rows gain less, because more is read again: float in rows of 3000 437 and 399, of 5000 441 and 449.
//
//   UPSWEEP_SUMS_ROW_BEFORE       whether this is done; the load hook has
//   UPSWEEP_PLACE_IN_ROW(in, i)   how many elements of its row precede element i
#ifndef UPSWEEP_ROW_BEFORE
#define UPSWEEP_ROW_BEFORE
#include "rows/row_sums.cl"
#if defined(UPSWEEP_PLACE_IN_ROW) && defined(UPSWEEP_SEGMENT_VALUE) && !UPSWEEP_ONE_TILE
#define UPSWEEP_SUMS_ROW_BEFORE 1

// The sum of this sub-group's part of what precedes a tile in its row; with a mark where the row begins in that part, or
// ends before it. Parts are of a power of two of elements, so that a tree of them is in the canonical order.
upsweep_value upsweep_sum_part_before(upsweep_input all, uint tile, upsweep_value init)
{
    const upsweep_index end = (upsweep_index)tile * UPSWEEP_TILE;
    const upsweep_index before = UPSWEEP_PLACE_IN_ROW(all, end);
    upsweep_index part = UPSWEEP_LANES;
    while (part * UPSWEEP_SUB_GROUPS_PER_GROUP < before) part *= 2;
    const upsweep_index behind = (UPSWEEP_SUB_GROUPS_PER_GROUP - 1 - upsweep_sub_group()) * part; // elements of parts
    upsweep_value sum = upsweep_flag(upsweep_unflag(init), 1);
    uint has_sum = 0;
    if (before > behind) {
        const upsweep_row own = {end - min(before, behind + part), end - behind, 0, init};
        const upsweep_row_source from = {upsweep_of_elements, all, 0, 0};
        upsweep_append_row(from, own, &has_sum, &sum);
    }
    return sum;
}
#else
#define UPSWEEP_SUMS_ROW_BEFORE 0
#endif
#endif
