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
//   UPSWEEP_MARKS_OF_ROW(in, i)       what that says of 32 elements from i on, a bit for each, if that is known at once;
//                                     i is a multiple of 32
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
#include "sub_group_tile/segment_runs.cl"
#include "sub_group_tile/segment_sums.cl"
#ifdef UPSWEEP_HAS_SEGMENT_TILES

#if !UPSWEEP_LISTS_RUNS
#if UPSWEEP_EXACT_SEGMENTS
// From left to right, which takes the fewest instructions.
upsweep_value upsweep_sum_segments(const __local upsweep_segment_value* run, uint marks, upsweep_segment_value* sums)
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
void upsweep_scan_segments(const __local upsweep_segment_value* run, uint marks, upsweep_segment_value* sums,
                           upsweep_value prefix, const upsweep_prefixes* prefixes, upsweep_segment_value* before)
{
    before[0] = upsweep_unflag(prefix);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i) {
        const upsweep_segment_value both = upsweep_combine_values(before[i], run[i]);
        before[i + 1] = marks >> i & 1 ? run[i] : both;
    }
}
#else
// In the canonical order (tile/tree.cl), without marks beside the values: a run's bits say which blocks drop what precedes
// them. `sums` keeps what the up-sweep leaves.
#define UPSWEEP_BEGINS_IN_BLOCK(marks, last, size) ((marks) << (31 - (last)) >> (32 - (size)) != 0)

upsweep_value upsweep_sum_segments(const __local upsweep_segment_value* run, uint marks, upsweep_segment_value* sums)
{
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i) sums[i] = run[i];
#pragma unroll
    for (uint half_size = 1; half_size < UPSWEEP_ITEMS; half_size *= 2)
#pragma unroll
        for (uint last = 2 * half_size - 1; last < UPSWEEP_ITEMS; last += 2 * half_size)
            if (!UPSWEEP_BEGINS_IN_BLOCK(marks, last, half_size))
                sums[last] = upsweep_combine_values(sums[last - half_size], sums[last]);
    return upsweep_flag(sums[UPSWEEP_ITEMS - 1], UPSWEEP_COUNTS_SEGMENTS ? popcount(marks) : (uint)(marks != 0));
}

void upsweep_scan_segments(const __local upsweep_segment_value* run, uint marks, upsweep_segment_value* sums,
                           upsweep_value prefix, const upsweep_prefixes* prefixes, upsweep_segment_value* before)
{
    const upsweep_value of_next_lane = upsweep_from_lane(prefix, (upsweep_lane() + 1) % UPSWEEP_LANES);
    const upsweep_value of_next_share = upsweep_from_lane(prefixes->of_block, 1);
    before[UPSWEEP_ITEMS] = upsweep_unflag(upsweep_lane() + 1 < UPSWEEP_LANES ? of_next_lane : of_next_share);
    sums[UPSWEEP_ITEMS - 1] = upsweep_unflag(prefix);
#pragma unroll
    for (uint half_size = UPSWEEP_ITEMS / 2; half_size > 0; half_size /= 2)
#pragma unroll
        for (uint last = 2 * half_size - 1; last < UPSWEEP_ITEMS; last += 2 * half_size) {
            const upsweep_segment_value before_block = sums[last];
            upsweep_segment_value before_right = sums[last - half_size];
            if (!UPSWEEP_BEGINS_IN_BLOCK(marks, last - half_size, half_size))
                before_right = upsweep_combine_values(before_block, before_right);
            sums[last] = before_right;
            sums[last - half_size] = before_block;
        }
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ITEMS; ++i) before[i] = sums[i];
}
#endif
#endif

#ifndef UPSWEEP_STORES_AT
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
#ifdef UPSWEEP_STORES_AT
    const uint first = upsweep_segments_before(marks);
    const uint count = upsweep_word_from_lane(first + popcount(marks), UPSWEEP_LANES - 1);
#endif
#if UPSWEEP_LISTS_RUNS
    const upsweep_value run_sum = upsweep_list_segments(values, marks, first);
#else
    const __local upsweep_segment_value* run = values + upsweep_lane() * UPSWEEP_PADDED_RUN;
    upsweep_segment_value sums[UPSWEEP_ITEMS];
    const upsweep_value run_sum = upsweep_sum_segments(run, marks, sums);
#endif
    upsweep_value before_lane[UPSWEEP_LANE_BITS];
    const upsweep_value sum = upsweep_lanes_up(run_sum, UPSWEEP_LANES, UPSWEEP_LANES, before_lane);
    uint has_prefix;
    upsweep_prefixes prefixes;
    if (!upsweep_share_prefix(call, in, 0, UPSWEEP_TILE, shared, 1, sum, &has_prefix, &prefixes)) return 0;
    upsweep_value prefix = upsweep_from_lane(prefixes.of_block, 0);
    const upsweep_output own_out = UPSWEEP_OUTPUT_AT(out, begin);
#ifdef UPSWEEP_STORES_AT
    const uint counted = upsweep_has_head(prefix);
    if (count == 0) return 1;
#endif
    upsweep_lanes_down(before_lane, UPSWEEP_LANES, &has_prefix, &prefix);
#if UPSWEEP_LISTS_RUNS
    upsweep_complete_list(values, marks, first, prefix);
#else
    upsweep_segment_value before[UPSWEEP_ITEMS + 1];
    upsweep_scan_segments(run, marks, sums, prefix, &prefixes, before);
#endif
#ifndef UPSWEEP_STORES_AT
    upsweep_store_segments(own_out, exclusive, marks, before, values);
#else
#if !UPSWEEP_LISTS_RUNS
    upsweep_list_segments(values, marks, first, before);
#endif
    upsweep_store_list(own_out, count, counted, values);
#endif
    return 1;
}

#endif
#endif
