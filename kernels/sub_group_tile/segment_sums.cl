// SPDX-License-Identifier: MIT
// Reductions of segments in tiles of their own (segment_tiles.cl): sums are listed in local memory, in the place of values,
// and then stored in full rows, however few they are.
#ifndef UPSWEEP_SEGMENT_SUMS
#define UPSWEEP_SEGMENT_SUMS
#include "sub_group_tile/segment_runs.cl"
#if defined(UPSWEEP_HAS_SEGMENT_TILES) && defined(UPSWEEP_STORES_AT)
// Whether sums are listed while runs are summed, once and for all. In the canonical order they wait for the prefix.
#define UPSWEEP_LISTS_RUNS UPSWEEP_EXACT_SEGMENTS

// Segments that a lane stores at a time.
#define UPSWEEP_SEGMENTS_STORED 4

// Where in the share the listed segments begin.
__local ushort* upsweep_listed_places(__local upsweep_segment_value* values)
{
    return (__local ushort*)(values + UPSWEEP_PADDED_SHARE);
}

#if UPSWEEP_LISTS_RUNS
// Lists what precedes each segment that begins in the lane's run, from entry `next` on, as far as the run goes: what
// precedes the run is not known yet. Returns the run's sum, with its mark. From left to right, which takes the fewest
// instructions.
upsweep_value upsweep_list_segments(__local upsweep_segment_value* values, uint marks, uint next)
{
    const uint first = upsweep_lane() * UPSWEEP_ITEMS;
    upsweep_segment_value run[UPSWEEP_ITEMS];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i) run[i] = values[upsweep_lane() * UPSWEEP_PADDED_RUN + i];
    upsweep_segment_value sum = run[0];
    if (upsweep_ballot(marks != 0) == 0) {
#pragma unroll
        for (uint i = 1; i < UPSWEEP_ITEMS; ++i) sum = upsweep_combine_values(sum, run[i]);
        return upsweep_flag(sum, 0);
    }
    const uint number = popcount(marks);
    __local ushort* places = upsweep_listed_places(values);
    upsweep_sync_lanes(); // all have read their values
    if (marks & 1) places[next++] = (ushort)first;
#pragma unroll
    for (uint i = 1; i < UPSWEEP_ITEMS; ++i) {
        const uint begins = marks >> i & 1;
        const upsweep_segment_value both = upsweep_combine_values(sum, run[i]);
        if (begins) {
            values[next] = sum;
            places[next] = (ushort)(first + i);
        }
        next += begins;
        sum = begins ? run[i] : both;
    }
    return upsweep_flag(sum, UPSWEEP_COUNTS_SEGMENTS ? number : (uint)(number != 0));
}

// Completes the list: what precedes a lane's run is part of what precedes its first segment, and of no other.
void upsweep_complete_list(__local upsweep_segment_value* values, uint marks, uint first, upsweep_value prefix)
{
    const upsweep_segment_value before = upsweep_unflag(prefix);
    if (marks & 1)
        values[first] = before;
    else if (marks != 0)
        values[first] = upsweep_combine_values(before, values[first]);
    upsweep_sync_lanes();
}
#else
// Lists what precedes each segment that begins in the lane's run, from entry `next` on.
void upsweep_list_segments(__local upsweep_segment_value* values, uint marks, uint next,
                           const upsweep_segment_value* before)
{
    __local ushort* places = upsweep_listed_places(values);
    upsweep_sync_lanes(); // all have read their values
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i)
        if (marks >> i & 1) {
            values[next] = before[i];
            places[next] = (ushort)(upsweep_lane() * UPSWEEP_ITEMS + i);
            ++next;
        }
    upsweep_sync_lanes();
}
#endif

#ifdef UPSWEEP_SEGMENT_OF
// Stores the `count` sums that are listed. If none of the segments between the first and the last is empty, their numbers
// follow one another, and nobody has to search for them.
void upsweep_store_list(upsweep_output out, uint count, uint counted, __local upsweep_segment_value* values)
{
    if (count == 0) return;
    const uint lane = upsweep_lane();
    const __local ushort* places = upsweep_listed_places(values);
    const ulong number = UPSWEEP_SEGMENT_OF(out, places[lane == 0 ? 0 : count - 1]);
    const ulong high = upsweep_word_from_lane((uint)(number >> 32), 0);
    const ulong first = high << 32 | upsweep_word_from_lane((uint)number, 0);
    const uint has_gaps = upsweep_ballot(lane > 0 && number - first != count - 1);
    if (has_gaps == 0) {
        for (uint k = lane; k < count; k += UPSWEEP_LANES) UPSWEEP_STORE_RESULT(out, first + k, values[k]);
    } else {
#pragma unroll 1
        for (uint k = lane; k < count; k += UPSWEEP_LANES)
            UPSWEEP_STORE_RESULT(out, UPSWEEP_SEGMENT_OF(out, places[k]), values[k]);
    }
}
#else
// Stores the `count` sums that are listed; `counted` is the mark of the share's prefix.
void upsweep_store_list(upsweep_output out, uint count, uint counted, __local upsweep_segment_value* values)
{
    const uint lane = upsweep_lane();
    const __local ushort* places = upsweep_listed_places(values);
#pragma unroll 1
    for (uint first = lane; first < count; first += UPSWEEP_SEGMENTS_STORED * UPSWEEP_LANES) {
#ifdef UPSWEEP_READ_FOR_STORE
        upsweep_read_values read[UPSWEEP_SEGMENTS_STORED];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENTS_STORED; ++i)
            read[i] = UPSWEEP_READ_FOR_STORE(out, places[min(first + i * UPSWEEP_LANES, count - 1)]);
#endif
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENTS_STORED; ++i) {
            const uint k = first + i * UPSWEEP_LANES;
            if (k >= count) continue;
            const upsweep_value value = upsweep_flag(values[k], counted + k);
#ifdef UPSWEEP_READ_FOR_STORE
            UPSWEEP_STORE_WITH(out, places[k], value, read[i]);
#else
            UPSWEEP_STORE_CHOSEN(out, places[k], value);
#endif
        }
    }
}
#endif

#else
#define UPSWEEP_LISTS_RUNS 0
#endif
#endif
