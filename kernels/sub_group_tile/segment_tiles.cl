// SPDX-License-Identifier: MIT
// Tiles of segments: scans of scalars that carry a mark where a segment begins, and whose store hook drops the mark. In
// local memory values wait without it, in rows of bits marks do, so nobody looks for the beginning of a segment twice, and
// sums of segments are stored in full rows, however few they are. Hooks that want this define
//
//   UPSWEEP_SEGMENT_VALUE             the type of a value without its mark
//   UPSWEEP_SEGMENT_VALUE_SIZE        its bytes
//   UPSWEEP_COUNTS_SEGMENTS           1: the mark of a sum is the number of segments that begin in it; 0: whether any does
//   UPSWEEP_EXACT_SEGMENTS            1: the operator gives the same bits in any order
//   UPSWEEP_IS_INNER(in, count)       whether elements precede and follow the `count` elements from the first of `in` on
//   UPSWEEP_LOAD_INNER(in, i)         as UPSWEEP_LOAD, for such elements
//   UPSWEEP_BEGINS_INNER(in, i)       whether a segment begins there, 0 or 1
//   UPSWEEP_SEGMENT_POINTER(in, i)    the address of the value of element i, if it lies in memory as it is
//
// and upsweep_flag, upsweep_unflag, upsweep_has_head and upsweep_combine_values (segment_text.hpp). The store hook has
// UPSWEEP_STORE_CHOSEN, which is called for the first element of each segment only, with what precedes it, or
//
//   UPSWEEP_SEGMENT_OF(out, i)                 the number of the segment that ends before element i
//   UPSWEEP_STORE_RESULT(out, segment, value)  stores the result of that segment, a value without its mark
//
// besides, if the number is not the mark, or
//
//   UPSWEEP_STORE_SEGMENT(out, i, value)   stores a value without its mark
//   UPSWEEP_SEGMENT_BEGIN(out, value)      what an exclusive scan stores for the first element of a segment
//
// Tiles at the ends of the input are scanned as other values are (scan_tiles.cl).
#ifndef UPSWEEP_SEGMENT_TILES
#define UPSWEEP_SEGMENT_TILES
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

// Elements that a lane loads at a time, and segments that it stores.
#define UPSWEEP_SEGMENT_BATCH (UPSWEEP_ITEMS < 16 ? UPSWEEP_ITEMS : 16)
#define UPSWEEP_SEGMENTS_STORED 4

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

#if UPSWEEP_EXACT_SEGMENTS
// From left to right, which takes the fewest instructions.
upsweep_value upsweep_sum_segments(const __local upsweep_segment_value* run, uint marks, upsweep_value* sums)
{
    upsweep_segment_value sum = run[0];
#pragma unroll
    for (uint i = 1; i < UPSWEEP_ITEMS; ++i) {
        const upsweep_segment_value both = upsweep_combine_values(sum, run[i]);
        sum = marks >> i & 1 ? run[i] : both;
    }
    return upsweep_flag(sum, UPSWEEP_COUNTS_SEGMENTS ? popcount(marks) : (uint)(marks != 0));
}

// before[i] receives what precedes element i of the run, before[UPSWEEP_ITEMS] what follows it, from the run's prefix.
void upsweep_scan_segments(const __local upsweep_segment_value* run, uint marks, upsweep_value* sums, upsweep_value prefix,
                           const upsweep_prefixes* prefixes, upsweep_segment_value* before)
{
    before[0] = upsweep_unflag(prefix);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i) {
        const upsweep_segment_value both = upsweep_combine_values(before[i], run[i]);
        before[i + 1] = marks >> i & 1 ? run[i] : both;
    }
}
#else
// In the canonical order (tile/tree.cl). `sums` keeps what the up-sweep leaves.
upsweep_value upsweep_sum_segments(const __local upsweep_segment_value* run, uint marks, upsweep_value* sums)
{
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i) sums[i] = upsweep_flag(run[i], marks >> i & 1);
    upsweep_sweep_up(sums, UPSWEEP_ITEMS, UPSWEEP_ITEMS);
    return sums[UPSWEEP_ITEMS - 1];
}

void upsweep_scan_segments(const __local upsweep_segment_value* run, uint marks, upsweep_value* sums, upsweep_value prefix,
                           const upsweep_prefixes* prefixes, upsweep_segment_value* before)
{
    const upsweep_value of_next_lane = upsweep_from_lane(prefix, (upsweep_lane() + 1) % UPSWEEP_LANES);
    const upsweep_value of_next_share = upsweep_from_lane(prefixes->of_block, 1);
    before[UPSWEEP_ITEMS] = upsweep_unflag(upsweep_lane() + 1 < UPSWEEP_LANES ? of_next_lane : of_next_share);
    upsweep_sweep_down(sums, UPSWEEP_ITEMS, UPSWEEP_ITEMS, 1, prefix);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i) before[i] = upsweep_unflag(sums[i]);
}
#endif

#ifdef UPSWEEP_SEGMENT_OF
// Stores the results of a share, of segments that end before these places. If none of the segments between the first and
// the last is empty, their numbers follow one another, and nobody has to search for them.
void upsweep_store_results(upsweep_output out, uint count, const __local upsweep_segment_value* values,
                           const __local ushort* places)
{
    if (count == 0) return;
    const uint lane = upsweep_lane();
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
#endif

#ifdef UPSWEEP_STORES_AT
// Stores what precedes each segment that begins in a share, of which `counted` is the mark of the share's prefix.
void upsweep_store_segments(upsweep_output out, uint marks, uint counted, const upsweep_segment_value* before,
                            __local upsweep_segment_value* values)
{
    __local ushort* places = (__local ushort*)(values + UPSWEEP_PADDED_SHARE);
    const uint lane = upsweep_lane();
    uint next = upsweep_segments_before(marks);
    upsweep_sync_lanes(); // all have read their values
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i)
        if (marks >> i & 1) {
            values[next] = before[i];
            places[next] = (ushort)(lane * UPSWEEP_ITEMS + i);
            ++next;
        }
    upsweep_sync_lanes();
    const uint count = upsweep_word_from_lane(next, UPSWEEP_LANES - 1);
#ifdef UPSWEEP_SEGMENT_OF
    upsweep_store_results(out, count, values, places);
#else
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
#endif
}
#else
// Stores what precedes each element of a share, or what there is with it.
void upsweep_store_segments(upsweep_output out, uint exclusive, uint marks, const upsweep_segment_value* before,
                            __local upsweep_segment_value* values)
{
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i)
        values[upsweep_lane() * UPSWEEP_PADDED_RUN + i] =
            exclusive ? (marks >> i & 1 ? UPSWEEP_SEGMENT_BEGIN(out, before[i]) : before[i]) : before[i + 1];
    upsweep_sync_lanes();
#pragma unroll
    for (uint row = 0; row < UPSWEEP_ITEMS; ++row) {
        const uint e = row * UPSWEEP_LANES + upsweep_lane();
        UPSWEEP_STORE_SEGMENT(out, e, values[upsweep_padded(e)]);
    }
}
#endif

// As that of scan_tiles.cl. Returns 0 also for the tiles at the ends of the input.
uint upsweep_scan_full_tile(upsweep_call call, uint exclusive, upsweep_input in, upsweep_output out,
                            __local upsweep_shared* shared, __local upsweep_slot* slots)
{
    if (!UPSWEEP_IS_INNER(in, UPSWEEP_TILE)) return 0;
    call.exclusive = exclusive;
    __local upsweep_segment_value* values = (__local upsweep_segment_value*)slots;
    const uint begin = upsweep_sub_group() * UPSWEEP_SHARE;
    const uint rows = upsweep_stage_segments(UPSWEEP_INPUT_AT(in, begin + upsweep_lane()), values);
    const uint marks = upsweep_marks_of_run(rows);
    const __local upsweep_segment_value* run = values + upsweep_lane() * UPSWEEP_PADDED_RUN;
    upsweep_value sums[UPSWEEP_ITEMS];
    upsweep_value before_lane[UPSWEEP_LANE_BITS];
    const upsweep_value sum =
        upsweep_lanes_up(upsweep_sum_segments(run, marks, sums), UPSWEEP_LANES, UPSWEEP_LANES, before_lane);
    uint has_prefix;
    upsweep_prefixes prefixes;
    if (!upsweep_share_prefix(call, in, 0, UPSWEEP_TILE, shared, 1, sum, &has_prefix, &prefixes)) return 0;
    upsweep_value prefix = upsweep_from_lane(prefixes.of_block, 0);
    const upsweep_output own_out = UPSWEEP_OUTPUT_AT(out, begin);
#ifdef UPSWEEP_STORES_AT
    const uint counted = upsweep_has_head(prefix);
#endif
    upsweep_lanes_down(before_lane, UPSWEEP_LANES, &has_prefix, &prefix);
    upsweep_segment_value before[UPSWEEP_ITEMS + 1];
    upsweep_scan_segments(run, marks, sums, prefix, &prefixes, before);
#ifdef UPSWEEP_STORES_AT
    upsweep_store_segments(own_out, marks, counted, before, values);
#else
    upsweep_store_segments(own_out, exclusive, marks, before, values);
#endif
    return 1;
}

#endif
#endif
