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
// Rows of segments that are looked at at a time for those with elements.
#define UPSWEEP_SEGMENT_ROWS 8

// Where a lane goes on listing.
typedef struct {
    __local upsweep_segment_value* sums;
    uint next; // entry
#if UPSWEEP_LISTS_PLACES
    __local upsweep_listed* place;
    uint run; // the place of the lane's run
#endif
} upsweep_list;

// Where a lane begins to list, in a block: at entry `next`.
upsweep_list upsweep_list_from(__local upsweep_segment_value* values, uint block, uint next)
{
    upsweep_list list;
    list.sums = values;
    list.next = next;
#if UPSWEEP_LISTS_PLACES
    list.place = upsweep_listed_with(values) + next;
    list.run = block * UPSWEEP_SEGMENT_BLOCK + upsweep_lane() * UPSWEEP_SEGMENT_RUN;
#endif
    return list;
}

// Lists the sum of the segment that ends before element i of the lane's run.
void upsweep_list_sum(upsweep_list* list, uint i, upsweep_segment_value sum)
{
    list->sums[upsweep_padded(list->next++)] = sum;
#if UPSWEEP_LISTS_PLACES
    *list->place++ = (upsweep_listed)(list->run + i);
#endif
}

#if UPSWEEP_LISTS_RUNS
// Lists what precedes each segment that begins in the lane's run of a block, from entry `next` on, as far as the run goes:
// what precedes the run is not known yet. Returns the sum of what begins last in the run, of all of it where no segment
// begins.
upsweep_segment_value upsweep_list_segments(__local upsweep_segment_value* values, uint block, uint marks, uint next)
{
    upsweep_segment_value run[UPSWEEP_SEGMENT_RUN];
    upsweep_read_segments(values + block * UPSWEEP_PADDED_BLOCK, run);
    upsweep_sync_lanes(); // all have read their values
    upsweep_segment_value sum = run[0];
    if (upsweep_ballot(marks != 0) == 0) {
#pragma unroll
        for (uint i = 1; i < UPSWEEP_SEGMENT_RUN; ++i) sum = upsweep_combine_values(sum, run[i]);
    } else {
        upsweep_list list = upsweep_list_from(values, block, next);
        if (marks & 1) upsweep_list_sum(&list, 0, sum);
#pragma unroll
        for (uint i = 1; i < UPSWEEP_SEGMENT_RUN; ++i) {
            const uint begins = marks & 1u << i;
            if (begins) upsweep_list_sum(&list, i, sum);
            sum = upsweep_go_on(sum, run[i], begins);
        }
    }
    return sum;
}

// Completes the list: what precedes a lane's run is part of what precedes its first segment, and of no other.
void upsweep_complete_list(__local upsweep_segment_value* values, uint marks, uint first, upsweep_segment_value before)
{
    if (marks & 1)
        values[upsweep_padded(first)] = before;
    else if (marks != 0)
        values[upsweep_padded(first)] = upsweep_combine_values(before, values[upsweep_padded(first)]);
}
#else
// Lists what precedes each segment that begins in the lane's run of a block, from entry `next` on. All values were read.
void upsweep_list_segments(__local upsweep_segment_value* values, uint block, uint marks, uint next,
                           const upsweep_segment_value* before)
{
    upsweep_list list = upsweep_list_from(values, block, next);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i)
        if (marks & 1u << i) upsweep_list_sum(&list, i, before[i]);
}
#endif

#ifdef UPSWEEP_FIRST_OF_ROW
// The first row of the share in which a segment begins, if one does.
uint upsweep_first_row(const uint* marks)
{
    uint row = 0;
#pragma unroll
    for (uint b = UPSWEEP_SEGMENT_BLOCKS; b-- > 0;) {
        const uint begins = upsweep_ballot(marks[b] != 0);
        const uint lane = popcount((begins & -begins) - 1);
        if (begins != 0) row = b * UPSWEEP_SEGMENT_RUN + lane * UPSWEEP_SEGMENT_RUN / UPSWEEP_LANES;
    }
    return row;
}

// Whether there is an empty segment in the share.
uint upsweep_has_gaps(upsweep_output out)
{
    uint has_gaps = 0;
#pragma unroll
    for (uint row = 0; row < UPSWEEP_ITEMS; row += UPSWEEP_LANES)
        if (row + upsweep_lane() < UPSWEEP_ITEMS)
            has_gaps |= UPSWEEP_ROW_HAS_GAPS(out, (row + upsweep_lane()) * UPSWEEP_LANES);
    return upsweep_ballot(has_gaps != 0);
}

// Stores the first `count` sums that are listed, where there is an empty segment in the share: of segments with elements
// from `number` on. Segments are looked at row by row, which are many rows at a time because each waits for memory. Where
// none has elements, the next one is searched for.
void upsweep_store_with_gaps(upsweep_output out, ulong number, uint count, const __local upsweep_segment_value* values)
{
    const uint lane = upsweep_lane();
    for (uint entry = 0; entry < count && number < UPSWEEP_END_OF_SEGMENTS(out);) {
        uint has_elements[UPSWEEP_SEGMENT_ROWS];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENT_ROWS; ++i)
            has_elements[i] = UPSWEEP_SEGMENT_HAS_ELEMENTS(out, number + i * UPSWEEP_LANES + lane);
        const uint before = entry;
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENT_ROWS; ++i) {
            const uint row = upsweep_ballot(has_elements[i]);
            const uint own = entry + popcount(row & ((1u << lane) - 1));
            if (has_elements[i] && own < count)
                UPSWEEP_STORE_RESULT(out, number + i * UPSWEEP_LANES + lane, values[upsweep_padded(own)]);
            entry += popcount(row);
        }
        number += UPSWEEP_SEGMENT_ROWS * UPSWEEP_LANES;
        if (entry == before) number = UPSWEEP_NEXT_WITH_ELEMENTS(out, number);
    }
}
#endif

#ifdef UPSWEEP_STORE_RESULT
// Stores the `count` sums that are listed, of segments whose numbers follow one another from `number` on, and the keys of
// those that begin behind each.
void upsweep_store_list(upsweep_output out, ulong number, uint count, __local upsweep_segment_value* values)
{
#pragma unroll UPSWEEP_SEGMENTS_STORED
    for (uint k = upsweep_lane(); k < count; k += UPSWEEP_LANES) {
        UPSWEEP_STORE_RESULT(out, number + k, values[upsweep_padded(k)]);
#ifdef UPSWEEP_SEGMENT_KEY
        UPSWEEP_STORE_KEY(out, number + k + 1, upsweep_listed_with(values)[k]);
#endif
    }
}
#else
// Stores the `count` sums that are listed; `counted` is the mark of the share's prefix.
void upsweep_store_list(upsweep_output out, uint count, uint counted, __local upsweep_segment_value* values)
{
    const uint lane = upsweep_lane();
    const __local upsweep_listed* places = upsweep_listed_with(values);
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
            const upsweep_value value = upsweep_flag(values[upsweep_padded(k)], counted + k);
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
