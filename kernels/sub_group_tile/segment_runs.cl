// SPDX-License-Identifier: MIT
// The share of a sub-group in a tile of segments (segment_tiles.cl): values in local memory, marks in rows of bits.
#ifndef UPSWEEP_SEGMENT_RUNS
#define UPSWEEP_SEGMENT_RUNS
#include "sub_group_tile/tile_prefix.cl"
#if defined(UPSWEEP_LOAD_INNER) && UPSWEEP_ITEMS <= UPSWEEP_LANES
#define UPSWEEP_HAS_SEGMENT_TILES

// Each lane has one run of the share. In local memory a gap follows each run, so that lanes which read their runs meet
// different banks. Sums of segments take the place of values, and behind them are the places of these segments in the
// share. Tiles at the ends of the input use the same memory, a block at a time.
#define UPSWEEP_PADDED_RUN (UPSWEEP_ITEMS + 1)
#define UPSWEEP_PADDED_SHARE (UPSWEEP_PADDED_RUN * UPSWEEP_LANES)
#define UPSWEEP_SEGMENT_SLOTS ((UPSWEEP_PADDED_SHARE * UPSWEEP_SEGMENT_VALUE_SIZE + 2 * UPSWEEP_SHARE + 15) / 16)
#define UPSWEEP_SHARE_SLOTS                                                                                            \
    (UPSWEEP_SEGMENT_SLOTS > UPSWEEP_BLOCK_SLOTS ? UPSWEEP_SEGMENT_SLOTS : UPSWEEP_BLOCK_SLOTS)

// Elements that a lane loads at a time.
#define UPSWEEP_SEGMENT_BATCH (UPSWEEP_ITEMS < 16 ? UPSWEEP_ITEMS : 16)

uint upsweep_padded(uint e)
{
    return e + e / UPSWEEP_ITEMS;
}

// Fetches the share of a sub-group, as `in` sees it from its lane's first element. Returns the marks of a row in the lane
// of the row's number.
uint upsweep_stage_segments(upsweep_input in, __local upsweep_segment_value* values)
{
    const uint lane = upsweep_lane();
    uint marks = 0;
#if UPSWEEP_FETCHES_SEGMENTS
#pragma unroll
    for (uint row = 0; row < UPSWEEP_ITEMS; ++row)
        upsweep_fetch_segment_value(in, row * UPSWEEP_LANES, values + upsweep_padded(row * UPSWEEP_LANES + lane));
#endif
#if UPSWEEP_FETCHES_SEGMENTS && defined(UPSWEEP_MARKS_OF_ROW)
    if (lane < UPSWEEP_ITEMS) marks = UPSWEEP_MARKS_OF_ROW(in, lane * (UPSWEEP_LANES - 1));
#else
#pragma unroll
    for (uint first = 0; first < UPSWEEP_ITEMS; first += UPSWEEP_SEGMENT_BATCH) {
#if UPSWEEP_FETCHES_SEGMENTS
        uint begins[UPSWEEP_SEGMENT_BATCH];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i)
            begins[i] = UPSWEEP_BEGINS_INNER(in, (first + i) * UPSWEEP_LANES);
#else
        upsweep_value elements[UPSWEEP_SEGMENT_BATCH];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i)
            elements[i] = UPSWEEP_LOAD_INNER(in, (first + i) * UPSWEEP_LANES);
#endif
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i) {
#if UPSWEEP_FETCHES_SEGMENTS
            const uint row = upsweep_ballot(begins[i]);
#else
            values[upsweep_padded((first + i) * UPSWEEP_LANES + lane)] = upsweep_unflag(elements[i]);
            const uint row = upsweep_ballot(upsweep_has_head(elements[i]));
#endif
            if (lane == first + i) marks = row;
        }
    }
#endif
    upsweep_wait_for_stages();
    return marks;
}

// The marks of this lane's run, of those of rows.
uint upsweep_marks_of_run(uint rows)
{
    const uint begin = upsweep_lane() * UPSWEEP_ITEMS;
    const uint row = upsweep_word_from_lane(rows, begin / UPSWEEP_LANES);
    return row >> begin % UPSWEEP_LANES & (uint)((1ul << UPSWEEP_ITEMS) - 1);
}

// Segments that begin in the runs of the lanes before this one.
uint upsweep_segments_before(uint marks)
{
    const uint own = popcount(marks);
    uint sum = own;
#pragma unroll
    for (uint distance = 1; distance < UPSWEEP_LANES; distance *= 2) {
        const uint other = upsweep_word_from_lane(sum, (upsweep_lane() - distance) % UPSWEEP_LANES);
        if (upsweep_lane() >= distance) sum += other;
    }
    return sum - own;
}

#endif
#endif
