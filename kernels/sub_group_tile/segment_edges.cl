// SPDX-License-Identifier: MIT
// Tiles of segments (segment_tiles.cl) at the ends of the input: how their elements get to local memory and results from
// there. Behind the input its last element is repeated, each time as a segment of its own, so that nothing is combined with
// it. NVIDIA H200, us, where these tiles were read twice, block after block, and so: reduce_by_key of 2^22 and 2^24 int32 in
// runs of 10 36.6 and 24.0, 74.4 and 66.6, of one element less 51.3 and 25.4, 104.4 and 70.2; inclusive scans by key 25.4 and
// 18.5, 62.5 and 62.4, of rows of 1000 19.8 and 14.2, 50.2 and 43.4.
#ifndef UPSWEEP_SEGMENT_EDGES
#define UPSWEEP_SEGMENT_EDGES
#include "sub_group_tile/segment_runs.cl"
#if defined(UPSWEEP_HAS_SEGMENT_TILES) && !defined(UPSWEEP_FIRST_OF_ROW)
#define UPSWEEP_HAS_SEGMENT_EDGES 1

// Loads this sub-group's share of the tile at `in`, of which `valid` elements are real. The first of a segment has what
// precedes it.
void upsweep_stage_edge(upsweep_input in, uint valid, __local upsweep_segment_place* values, uint* marks)
{
    const uint lane = upsweep_lane();
#ifdef UPSWEEP_SEGMENT_KEY
    uint listed = 0;
#endif
#pragma unroll
    for (uint b = 0; b < UPSWEEP_SEGMENT_BLOCKS; ++b) {
        __local upsweep_segment_place* block = values + b * UPSWEEP_PADDED_BLOCK;
        const uint begin = upsweep_sub_group() * UPSWEEP_SHARE + b * UPSWEEP_SEGMENT_BLOCK;
        uint rows = 0;
#pragma unroll 1
        for (uint first = 0; first < UPSWEEP_SEGMENT_RUN; first += UPSWEEP_SEGMENT_BATCH) {
            upsweep_value elements[UPSWEEP_SEGMENT_BATCH];
#pragma unroll
            for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i) { // see upsweep_stage_block
                const uint e = min(begin + (first + i) * UPSWEEP_LANES + lane, valid - 1);
#ifdef UPSWEEP_BEGIN_VALUE
                elements[i] = UPSWEEP_LOAD_ALONE(in, e);
#else
                elements[i] = UPSWEEP_LOAD(in, e);
#endif
            }
#ifdef UPSWEEP_SEGMENT_KEY
            upsweep_listed keys[UPSWEEP_SEGMENT_BATCH];
#pragma unroll
            for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i)
                keys[i] = UPSWEEP_LOAD_KEY_AT_END(in, begin + (first + i) * UPSWEEP_LANES + lane);
#endif
#pragma unroll
            for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i) {
                const uint e = (first + i) * UPSWEEP_LANES + lane;
                const uint begins = upsweep_has_head(elements[i]) != 0;
                upsweep_segment_value value = upsweep_unflag(elements[i]);
#ifdef UPSWEEP_BEGIN_VALUE
                if (begins) value = UPSWEEP_BEGIN_VALUE(in, value);
#endif
                *upsweep_segment_at(block, e) = value;
                const uint row = upsweep_ballot(begins | (uint)(begin + e >= valid));
                if (lane == first + i) rows = row;
#ifdef UPSWEEP_SEGMENT_KEY
                upsweep_list_key(row, keys[i], upsweep_listed_with(values), &listed);
#endif
            }
        }
        marks[b] = upsweep_marks_of_run(rows);
    }
    upsweep_sync_lanes();
}

#ifndef UPSWEEP_STORES_AT
// Stores the first `size` elements of a block.
void upsweep_store_edge(upsweep_output out, uint size, __local upsweep_segment_place* block)
{
#pragma unroll 1
    for (uint e = upsweep_lane(); e < size; e += UPSWEEP_LANES) UPSWEEP_STORE_SEGMENT(out, e, *upsweep_segment_at(block, e));
}
#endif

#else
#define UPSWEEP_HAS_SEGMENT_EDGES 0
#endif
#endif
