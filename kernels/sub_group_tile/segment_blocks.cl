// SPDX-License-Identifier: MIT
// What becomes of the blocks of a share in tiles of segments (segment_tiles.cl): their sums, and, once their prefix is known,
// results.
#ifndef UPSWEEP_SEGMENT_BLOCKS_OF_SHARE
#define UPSWEEP_SEGMENT_BLOCKS_OF_SHARE
#include "sub_group_tile/segment_edges.cl"
#include "sub_group_tile/segment_sums.cl"
#ifdef UPSWEEP_HAS_SEGMENT_TILES

// Gives the first values of segments in a run what precedes them. In what follows, `again`, a constant, says that they have
// it: the tile is one of segment_edges.cl.
void upsweep_begin_segments(upsweep_input in, uint again, uint marks, upsweep_segment_value* run)
{
#ifdef UPSWEEP_BEGIN_VALUE
    if (again) return;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i)
        if (marks >> i & 1) run[i] = UPSWEEP_BEGIN_VALUE(in, run[i]);
#endif
}

#if UPSWEEP_EXACT_SEGMENTS
#if !UPSWEEP_LISTS_RUNS
// The sum of what begins last in the run, from left to right, which takes the fewest instructions.
upsweep_segment_value upsweep_sum_segments(upsweep_input in, const __local upsweep_segment_place* block, uint again,
                                           uint marks)
{
    upsweep_segment_value run[UPSWEEP_SEGMENT_RUN];
    upsweep_read_segments(block, run);
    upsweep_begin_segments(in, again, marks, run);
    upsweep_segment_value sum = run[0];
#pragma unroll
    for (uint i = 1; i < UPSWEEP_SEGMENT_RUN; ++i) sum = upsweep_go_on(sum, run[i], marks & 1u << i);
    return sum;
}

// before[i] receives what precedes element i of the run, before[UPSWEEP_SEGMENT_RUN] what follows it. before[0] is known.
void upsweep_scan_segments(upsweep_input in, const __local upsweep_segment_place* block, uint again, uint marks,
                           upsweep_segment_value* before)
{
    upsweep_segment_value run[UPSWEEP_SEGMENT_RUN];
    upsweep_read_segments(block, run);
    upsweep_begin_segments(in, again, marks, run);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i) before[i + 1] = upsweep_go_on(before[i], run[i], marks & 1u << i);
}
#endif

// What is kept of a block until its prefix is known.
typedef struct {
    upsweep_segment_value scanned; // see upsweep_scan_lanes
    uint begins;                   // a bit for each lane in whose run a segment begins
} upsweep_segment_block;

// Returns the block's sum, with a mark.
upsweep_value upsweep_sum_block(upsweep_input in, __local upsweep_segment_place* values, uint block, uint again, uint marks,
                                uint first, upsweep_segment_block* kept)
{
    kept->begins = upsweep_ballot(marks != 0);
#if UPSWEEP_LISTS_RUNS
    const upsweep_segment_value sum = upsweep_list_segments(values, block, marks, first);
#else
    const upsweep_segment_value sum = upsweep_sum_segments(in, values + block * UPSWEEP_PADDED_BLOCK, again, marks);
#endif
    kept->scanned = upsweep_scan_lanes(sum, kept->begins);
    return upsweep_flag(upsweep_segment_from_lane(kept->scanned, UPSWEEP_LANES - 1), kept->begins != 0);
}

#else
// In the canonical order (tile/tree.cl), without marks beside the values: a run's bits say which blocks of it drop what
// precedes them.
#define UPSWEEP_BEGINS_IN_BLOCK(marks, last, size) ((marks) << (31 - (last)) >> (32 - (size)) != 0)

// Where what an up-sweep leaves waits: 1 in registers, 64 of them at most, 0 in the place of the block's values. Where tiles
// wait for one another it pays to have many of them under way (choose_segments_config has the figures). Where they do not,
// H100, 256 MiB, us, 1 and 0: float4 in rows of 7 219 and 243, of 1000 250 and 255.
#define UPSWEEP_SUMS_IN_REGISTERS (UPSWEEP_SUMS_ROW_BEFORE && UPSWEEP_SEGMENT_RUN * UPSWEEP_SEGMENT_VALUE_SIZE <= 256)

// What is kept of a block until its prefix is known.
typedef struct {
#if UPSWEEP_SUMS_IN_REGISTERS
    upsweep_segment_value sums[UPSWEEP_SEGMENT_RUN];
#endif
    upsweep_value before_lane[UPSWEEP_LANE_BITS];
} upsweep_segment_block;

// Returns the block's sum, with a mark.
upsweep_value upsweep_sum_block(upsweep_input in, __local upsweep_segment_place* values, uint block, uint again, uint marks,
                                uint first, upsweep_segment_block* kept)
{
    __local upsweep_segment_place* own = values + block * UPSWEEP_PADDED_BLOCK;
    upsweep_segment_value sums[UPSWEEP_SEGMENT_RUN];
    upsweep_read_segments(own, sums);
    upsweep_begin_segments(in, again, marks, sums);
#pragma unroll
    for (uint half_size = 1; half_size < UPSWEEP_SEGMENT_RUN; half_size *= 2)
#pragma unroll
        for (uint last = 2 * half_size - 1; last < UPSWEEP_SEGMENT_RUN; last += 2 * half_size)
            if (!UPSWEEP_BEGINS_IN_BLOCK(marks, last, half_size))
                sums[last] = upsweep_combine_values(sums[last - half_size], sums[last]);
#if UPSWEEP_SUMS_IN_REGISTERS
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i) kept->sums[i] = sums[i];
#else
    upsweep_write_segments(own, sums);
#endif
    const upsweep_value sum = upsweep_flag(sums[UPSWEEP_SEGMENT_RUN - 1], marks != 0);
    return upsweep_lanes_up(sum, UPSWEEP_LANES, UPSWEEP_LANES, kept->before_lane);
}

// before[i] receives what precedes element i of the run, before[UPSWEEP_SEGMENT_RUN] what follows it.
// @param prefix  of the block
// @param next    of the block behind it
void upsweep_scan_segments(const __local upsweep_segment_place* block, uint marks, const upsweep_segment_block* kept,
                           upsweep_value prefix, upsweep_value next, upsweep_segment_value* before)
{
    uint has_prefix = 1;
#if UPSWEEP_SUMS_IN_REGISTERS
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i) before[i] = kept->sums[i];
#else
    upsweep_read_segments(block, before);
#endif
    upsweep_lanes_down(kept->before_lane, UPSWEEP_LANES, &has_prefix, &prefix);
    const upsweep_value of_next_lane = upsweep_from_lane(prefix, (upsweep_lane() + 1) % UPSWEEP_LANES);
    before[UPSWEEP_SEGMENT_RUN] = upsweep_unflag(upsweep_lane() + 1 < UPSWEEP_LANES ? of_next_lane : next);
    before[UPSWEEP_SEGMENT_RUN - 1] = upsweep_unflag(prefix);
#pragma unroll
    for (uint half_size = UPSWEEP_SEGMENT_RUN / 2; half_size > 0; half_size /= 2)
#pragma unroll
        for (uint last = 2 * half_size - 1; last < UPSWEEP_SEGMENT_RUN; last += 2 * half_size) {
            const upsweep_segment_value before_block = before[last];
            upsweep_segment_value before_right = before[last - half_size];
            if (!UPSWEEP_BEGINS_IN_BLOCK(marks, last - half_size, half_size))
                before_right = upsweep_combine_values(before_block, before_right);
            before[last] = before_right;
            before[last - half_size] = before_block;
        }
}
#endif

#ifndef UPSWEEP_STORES_AT
// Stores what precedes each element of a block, of the first `size` where `again` is 1; or what there is with it.
void upsweep_store_segments(upsweep_output out, uint again, uint size, uint exclusive, uint marks,
                            const upsweep_segment_value* before, __local upsweep_segment_place* block)
{
    upsweep_segment_value run[UPSWEEP_SEGMENT_RUN];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i)
        run[i] = exclusive ? (marks >> i & 1 ? UPSWEEP_SEGMENT_BEGIN(out, before[i]) : before[i]) : before[i + 1];
    upsweep_write_segments(block, run);
    upsweep_sync_lanes();
#if UPSWEEP_HAS_SEGMENT_EDGES
    if (again) {
        upsweep_store_edge(out, size, block);
        return;
    }
#endif
    upsweep_store_values(out, block);
}
#endif

// What follows a block's prefix. A scan's results are stored; sums of segments are listed. `size`: the share's real elements.
void upsweep_finish_block(upsweep_input in, upsweep_output out, uint exclusive, __local upsweep_segment_place* values,
                          uint block, uint again, uint size, uint marks, uint first, upsweep_segment_block* kept,
                          upsweep_value prefix, upsweep_value next)
{
    upsweep_segment_value before[UPSWEEP_SEGMENT_RUN + 1];
#if !UPSWEEP_LISTS_RUNS
    __local upsweep_segment_place* own = values + block * UPSWEEP_PADDED_BLOCK;
#endif
#if UPSWEEP_EXACT_SEGMENTS
    before[0] = upsweep_before_run(kept->scanned, kept->begins, upsweep_unflag(prefix));
#else
    upsweep_scan_segments(own, marks, kept, prefix, next, before);
#endif
#if UPSWEEP_LISTS_RUNS
    upsweep_complete_list(values, marks, first, before[0]);
#elif defined(UPSWEEP_STORES_AT)
    upsweep_sync_lanes(); // all have read what the list replaces, which is no later block
    upsweep_list_segments(values, block, marks, first, before);
#else
#if UPSWEEP_EXACT_SEGMENTS
    upsweep_scan_segments(in, own, again, marks, before);
#endif
    const uint begin = block * UPSWEEP_SEGMENT_BLOCK;
    const uint left = size > begin ? min(size - begin, (uint)UPSWEEP_SEGMENT_BLOCK) : 0u;
    upsweep_store_segments(UPSWEEP_OUTPUT_AT(out, begin), again, left, exclusive, marks, before, own);
#endif
}

// The sum of block b in lane b, with the number of segments that begin in it where these are counted. first, count: see
// upsweep_count_marks.
upsweep_value upsweep_sum_blocks(upsweep_input in, __local upsweep_segment_place* values, uint again, const uint* marks,
                                 const uint* first, uint count, upsweep_segment_block* blocks)
{
    upsweep_value sum;
#pragma unroll
    for (uint b = 0; b < UPSWEEP_SEGMENT_BLOCKS; ++b) {
        upsweep_value of_block = upsweep_sum_block(in, values, b, again, marks[b], first[b], blocks + b);
#if UPSWEEP_COUNTS_SEGMENTS
        const uint end = b + 1 < UPSWEEP_SEGMENT_BLOCKS ? upsweep_word_from_lane(first[b + 1], 0) : count;
        of_block = upsweep_flag(upsweep_unflag(of_block), end - upsweep_word_from_lane(first[b], 0));
#endif
        if (b == 0 || upsweep_lane() == b) sum = of_block;
    }
    return sum;
}

#endif
#endif
