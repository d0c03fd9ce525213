// SPDX-License-Identifier: MIT
// Sums of rows that may end in the line in which they begin.
#ifndef UPSWEEP_ANY_ROW
#define UPSWEEP_ANY_ROW
#include "rows/row_sums.cl"

#if UPSWEEP_CANONICAL
// Appends elements `skipped` to `end` - 1 of a line to *sum, in all lanes.
void upsweep_append_line_part(upsweep_row_pack line, uint skipped, uint end, uint* has_sum, upsweep_value* sum)
{
    const uint lane = upsweep_lane();
    const uint first_lane = skipped / UPSWEEP_ROW_PACK, end_lane = end / UPSWEEP_ROW_PACK;
    upsweep_value own = upsweep_row_lane_sum(line, skipped);
    upsweep_value blocks[UPSWEEP_LANE_BITS]; // those that make up the lanes before `end_lane`
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
        const uint begin = ~(2 * distance - 1);
        blocks[bit] = upsweep_from_lane(own, end_lane & begin);
        const upsweep_value other = upsweep_exchange(own, distance);
        if ((lane & begin) + distance <= first_lane)
            own = lane & distance ? own : other;
        else if ((lane | ~begin) < end_lane)
            own = upsweep_join(own, other, distance);
    }
#pragma unroll
    for (uint bit = UPSWEEP_LANE_BITS; bit-- > 0;)
        if ((end_lane >> bit & 1u) && end_lane >> bit << bit > first_lane) upsweep_append(has_sum, sum, blocks[bit]);
    const uint absent = first_lane == end_lane ? skipped % UPSWEEP_ROW_PACK : 0;
    upsweep_append_pack_part(line, end_lane, absent, end % UPSWEEP_ROW_PACK, has_sum, sum);
}
#endif

// The same as upsweep_append_row for rows, or parts of rows, of any length.
void upsweep_append_any_row(upsweep_row_source from, upsweep_row row, uint* has_sum, upsweep_value* sum)
{
#if UPSWEEP_CANONICAL
    if (row.begin / UPSWEEP_LINE == row.end / UPSWEEP_LINE) {
        const uint skipped = (uint)(row.begin % UPSWEEP_LINE);
        upsweep_row_pack line =
            upsweep_row_edge(from, row, row.begin - skipped + upsweep_lane() * UPSWEEP_ROW_PACK);
        upsweep_add_init(row, skipped, &line);
        upsweep_append_line_part(line, skipped, (uint)(row.end % UPSWEEP_LINE), has_sum, sum);
        return;
    }
#endif
    upsweep_append_row(from, row, has_sum, sum);
}

#endif
