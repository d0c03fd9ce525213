// SPDX-License-Identifier: MIT
// What a sub-group does with its share of segments by offsets that are merged with their elements
// (launch/segments/reduce_merged.cl).
#ifndef UPSWEEP_MERGED_SHARE
#define UPSWEEP_MERGED_SHARE
#include "segments/offsets.cl"
#include "sub_group/open_sums.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// Elements and ends in a share, of which each lane has a run: a bit for each element of that is a word.
#define UPSWEEP_MERGED_RUN UPSWEEP_LANES
#define UPSWEEP_MERGED_SIZE (UPSWEEP_MERGED_RUN * UPSWEEP_LANES)
// Rows of ends that are loaded at a time; elements are loaded at once.
#define UPSWEEP_END_ROWS 8

// A sub-group's local memory.
typedef struct {
    upsweep_value values[UPSWEEP_MERGED_SIZE + UPSWEEP_LANES]; // of elements, a gap behind each run; later of segments
    uint marks[UPSWEEP_LANES]; // a bit for each element: whether a segment, not empty in the share, ends before it
    ushort listed[UPSWEEP_MERGED_SIZE / 2]; // the numbers of these segments
} upsweep_merged_memory;

// One sub-group's share: the first `elements` of `in`, of which the first has the number `begin`, and as many `ends`. The first
// of these is that of the segment at `first_offset`, whose result goes to the beginning of `out`.
typedef struct {
    upsweep_input in;
    upsweep_output out;
    upsweep_offsets offsets;
    ulong first_offset;
    ulong n;
    ulong begin;
    uint elements;
    uint ends;
    uint has_init;
    upsweep_value init;
} upsweep_merged_share;

// Where end k of a share is, in its elements.
uint upsweep_end_in_share(upsweep_merged_share share, uint k)
{
    const upsweep_index end = upsweep_begin_of(share.offsets, share.first_offset + k + 1, share.n);
    const upsweep_index begin = (upsweep_index)share.begin;
    return UPSWEEP_AT_MOST(end - min(end, begin), share.elements);
}

// Loads the elements of a share, row by row. What a row has behind the last one is any element of the input, and so are
// the rows behind that. Rows that are not needed are loaded as well: with a condition NVIDIA's compiler makes the loads one
// after another, and reductions of segments of 1000 elements took 602 us in place of 318 (H200, 2^28 int32).
void upsweep_load_rows(upsweep_merged_share share, upsweep_value* rows)
{
    const upsweep_input here = UPSWEEP_INPUT_AT(share.in, upsweep_lane());
    if (share.n - share.begin >= UPSWEEP_MERGED_SIZE) {
#pragma unroll
        for (uint i = 0; i < UPSWEEP_MERGED_RUN; ++i) rows[i] = UPSWEEP_LOAD(here, i * UPSWEEP_LANES);
    } else if (share.elements > 0) {
#pragma unroll
        for (uint i = 0; i < UPSWEEP_MERGED_RUN; ++i)
            rows[i] = UPSWEEP_LOAD(share.in, min(i * UPSWEEP_LANES + upsweep_lane(), share.elements - 1));
    }
}

// A share without ends, and with elements.
upsweep_open upsweep_sum_rows(upsweep_merged_share share, const upsweep_value* rows)
{
    const uint lane = upsweep_lane();
    upsweep_value sum = rows[0];
#pragma unroll
    for (uint i = 1; i < UPSWEEP_MERGED_RUN; ++i) {
        const upsweep_value both = upsweep_combine(sum, rows[i]);
        sum = i * UPSWEEP_LANES + lane < share.elements ? both : sum;
    }
    const upsweep_open open = {upsweep_lanes_sum_first(sum, share.elements), UPSWEEP_HAS_ELEMENTS};
    return open;
}

// Loads rows of ends from row `first` on; behind the last one it is loaded again.
void upsweep_load_ends(upsweep_merged_share share, uint first, uint* ends)
{
#pragma unroll
    for (uint i = 0; i < UPSWEEP_END_ROWS; ++i)
        if ((first + i) * UPSWEEP_LANES < share.ends)
            ends[i] = upsweep_end_in_share(share, min((first + i) * UPSWEEP_LANES + upsweep_lane(), share.ends - 1));
}

// Marks the ends of a share, of which the first rows are in `ends`, and lists the segments that end there and are not empty
// in the share; results of those that are, but for the first, are stored. Returns how many there are, and where the last one
// ends in *last.
uint upsweep_mark_share(upsweep_merged_share share, uint* ends, __local upsweep_merged_memory* memory, uint* last)
{
    const uint lane = upsweep_lane();
    uint count = 0;
    *last = 0; // where the segment before the row ends
#pragma unroll 1
    for (uint first = 0; first * UPSWEEP_LANES < share.ends; first += UPSWEEP_END_ROWS) {
        if (first > 0) upsweep_load_ends(share, first, ends);
#pragma unroll
        for (uint i = 0; i < UPSWEEP_END_ROWS; ++i) {
            if ((first + i) * UPSWEEP_LANES >= share.ends) continue;
            const uint k = (first + i) * UPSWEEP_LANES + lane;
            const uint end = ends[i];
            const uint left = upsweep_word_from_lane(end, (lane - 1) % UPSWEEP_LANES);
            const uint is_real = k < share.ends;
            const uint is_listed = is_real & (end > (lane == 0 ? *last : left));
            const uint row = upsweep_ballot(is_listed);
            const uint place = count + popcount(row & ((1u << lane) - 1));
            if (is_listed) {
                if (place < UPSWEEP_MERGED_SIZE / 2) memory->listed[place] = (ushort)k; // more where offsets are wrong
                if (end < share.elements)
                    atomic_or(&memory->marks[end / UPSWEEP_MERGED_RUN], 1u << end % UPSWEEP_MERGED_RUN);
            } else if (is_real & (k > 0)) {
                UPSWEEP_STORE(share.out, k, share.init);
            }
            count += popcount(row);
            *last = upsweep_word_from_lane(end, UPSWEEP_LANES - 1);
        }
    }
    upsweep_sync_lanes();
    return min(count, (uint)(UPSWEEP_MERGED_SIZE / 2));
}

// Sums the segments that end in a share, of which each lane has a run of elements: their sums are listed in the places of
// the elements, and behind them that of the elements after the last end.
void upsweep_sum_runs(__local upsweep_merged_memory* memory, uint elements)
{
    const uint lane = upsweep_lane();
    upsweep_value run[UPSWEEP_MERGED_RUN];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_MERGED_RUN; ++i) run[i] = memory->values[lane * (UPSWEEP_MERGED_RUN + 1) + i];
    uint marks = memory->marks[lane];
    // What follows the last end is summed as if a segment ended behind the last element.
    if (elements / UPSWEEP_MERGED_RUN == lane) marks |= 1u << elements % UPSWEEP_MERGED_RUN;
    const uint place = upsweep_count_before(popcount(marks)); // how many ends precede this lane's elements
    upsweep_sync_lanes(); // elements were read before sums are written
    const uint with_end = upsweep_ballot(marks != 0);
    upsweep_value sum = run[0];
    uint next = place + (marks & 1u);
#pragma unroll
    for (uint i = 1; i < UPSWEEP_MERGED_RUN; ++i) {
        const uint is_end = marks >> i & 1u;
        const upsweep_value both = upsweep_combine(sum, run[i]);
        if (is_end) memory->values[next] = sum;
        next += is_end;
        sum = is_end ? run[i] : both;
    }
    // Over the lanes, up to the last one with an end.
    const uint head = 31 - clz((with_end & (2u << lane) - 1) | 1u);
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
        const upsweep_value left = upsweep_from_lane(sum, (lane - distance) % UPSWEEP_LANES);
        const upsweep_value both = upsweep_combine(left, sum);
        sum = lane >= head + distance ? both : sum;
    }
    const upsweep_value before = upsweep_from_lane(sum, (lane - 1) % UPSWEEP_LANES);
    upsweep_sync_lanes();
    if (lane > 0 && marks & 1u)
        memory->values[place] = before;
    else if (lane > 0 && marks != 0)
        memory->values[place] = upsweep_combine(before, memory->values[place]);
    upsweep_sync_lanes();
}

// A share with ends. Stores all results but the first. *first receives what precedes the first end; the result is what
// follows the last one.
upsweep_open upsweep_sum_segments(upsweep_merged_share share, const upsweep_value* rows, uint* ends,
                                  __local upsweep_merged_memory* memory, upsweep_open* first)
{
    const uint lane = upsweep_lane();
    memory->marks[lane] = 0;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_MERGED_RUN; ++i) // a row of elements is a lane's run later
        if (i * UPSWEEP_LANES < share.elements) memory->values[i * (UPSWEEP_MERGED_RUN + 1) + lane] = rows[i];
    upsweep_sync_lanes();
    uint last;
    const uint count = upsweep_mark_share(share, ends, memory, &last);
    upsweep_sum_runs(memory, share.elements);
    const uint has_first = count > 0 && memory->listed[0] == 0;
    first->sum = has_first ? memory->values[0] : share.init;
    first->state = has_first ? UPSWEEP_HAS_ELEMENTS : 0u;
    for (uint k = has_first + lane; k < count; k += UPSWEEP_LANES) {
        const upsweep_value sum = memory->values[k];
        UPSWEEP_STORE(share.out, memory->listed[k], share.has_init ? upsweep_combine(share.init, sum) : sum);
    }
    const uint has_more = last < share.elements;
    upsweep_open open;
    open.sum = has_more ? memory->values[count] : share.init;
    open.state = UPSWEEP_HAS_END | (has_more ? UPSWEEP_HAS_ELEMENTS : 0u);
    return open;
}

#endif
