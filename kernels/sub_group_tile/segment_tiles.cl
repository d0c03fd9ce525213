// SPDX-License-Identifier: MIT
// Tiles of segments: scans of values that carry a mark where a segment begins, and whose store hook drops the mark. In
// local memory values wait without it, and marks are bits of a lane's own, so nobody looks for the beginning of a segment twice, and
// sums of segments are stored in full rows, however few they are. Hooks that want this define
//
//   UPSWEEP_SEGMENT_VALUE             the type of a value without its mark
//   UPSWEEP_SEGMENT_VALUE_SIZE        its bytes
//   UPSWEEP_COUNTS_SEGMENTS           1: the mark of a sum is the number of segments that begin in it; 0: whether any does
//   UPSWEEP_EXACT_SEGMENTS            1: the operator gives the same bits in any order
//   UPSWEEP_IS_INNER(in, count)       whether elements precede and follow the `count` elements from the first of `in` on
//   UPSWEEP_LOAD_INNER(in, i)         as UPSWEEP_LOAD, for such elements
//   UPSWEEP_BEGIN_VALUE(in, value)    what the first value of a segment becomes, if UPSWEEP_LOAD_INNER does not do that;
//                                     UPSWEEP_LOAD does
//   UPSWEEP_LOAD_ALONE(in, i)         with that: as UPSWEEP_LOAD, without
//   UPSWEEP_MARKS_OF_RUN(in, i, count)  perhaps: bit k says whether a segment begins at element i + k < i + count, count <= 32
//
// and upsweep_flag, upsweep_unflag, upsweep_has_head and upsweep_combine_values (segment_text.hpp). The store hook has
// UPSWEEP_STORE_CHOSEN, which is called for the first element of each segment only, with what precedes it, or
//
//   UPSWEEP_END_OF_SEGMENTS(out)               how many segments there are
//   UPSWEEP_SEGMENT_HAS_ELEMENTS(out, k)       1 if segment k has elements, 0 if not or if there is none
//   UPSWEEP_NEXT_WITH_ELEMENTS(out, k)         the number of the first segment with elements from k on
//   UPSWEEP_FIRST_OF_ROW(out, i)               the number of the first segment that ends before one of the 32 elements
//                                              from i on, if one does; i is a multiple of 32
//   UPSWEEP_ROW_HAS_GAPS(out, i)               1 if an empty segment is where one of these elements is, else 0. Without
//                                              that, numbers of segments with elements follow one another
//   UPSWEEP_STORE_RESULT(out, segment, value)  stores the result of that segment, a value without its mark
//
// besides, if the number is not the mark. If it is, and keys are none or small, it may have
//
//   UPSWEEP_STORE_RESULT(out, segment, value)  as above
//   UPSWEEP_IS_END_OF_SEGMENTS(in, i)          whether element i is what stands behind the last one
//   UPSWEEP_SEGMENT_KEY                        if there are keys: their type, of up to 4 bytes
//   UPSWEEP_LOAD_SEGMENT_KEY(in, i)            the key of element i
//   UPSWEEP_LOAD_KEY_AT_END(in, i)             the same, or the last key if element i is behind it
//   UPSWEEP_STORE_KEY(out, segment, key)       stores the key of that segment
//
// besides. A scan has
//
//   UPSWEEP_PLACE_IN_ROW(in, i)            perhaps: see row_before.cl
//   UPSWEEP_STORE_SEGMENT(out, i, value)   stores a value without its mark
//   UPSWEEP_SEGMENT_BEGIN(out, value)      what an exclusive scan stores for the first element of a segment
//
// The first and the last tile get to local memory and from there otherwise (segment_edges.cl). Where segments have numbers
// that are not counted, these tiles are scanned as other values are (scan_tiles.cl).
#ifndef UPSWEEP_SEGMENT_TILES
#define UPSWEEP_SEGMENT_TILES
#include "sub_group_tile/segment_blocks.cl"
#ifdef UPSWEEP_HAS_SEGMENT_TILES

// One tile from end to end, of which `valid` elements are real: all, unless `again`, a constant, is 1. Then it has the
// fallback, too. Else it returns 0, with nothing written, if a tile is silent.
uint upsweep_scan_segment_tile(upsweep_call call, uint again, uint exclusive, upsweep_input all, upsweep_input in,
                               upsweep_output out, uint valid, __local upsweep_shared* shared, __local upsweep_slot* slots)
{
    call.exclusive = exclusive;
    __local upsweep_segment_place* values = (__local upsweep_segment_place*)slots;
    const uint begin = upsweep_sub_group() * UPSWEEP_SHARE;
    const uint size = again ? upsweep_share_size(valid) : UPSWEEP_SHARE;
    const upsweep_output own_out = UPSWEEP_OUTPUT_AT(out, begin);
    uint marks[UPSWEEP_SEGMENT_BLOCKS];
#if UPSWEEP_HAS_SEGMENT_EDGES
    if (again)
        upsweep_stage_edge(in, valid, values, marks);
    else
#endif
        upsweep_stage_segments(UPSWEEP_INPUT_AT(in, begin + upsweep_lane()), values, marks);
    uint first[UPSWEEP_SEGMENT_BLOCKS]; // the lane's first entry of the list
    const uint count = upsweep_count_marks(marks, first);
#ifdef UPSWEEP_FIRST_OF_ROW
    const uint has_gaps = upsweep_has_gaps(own_out);
    const ulong number = UPSWEEP_FIRST_OF_ROW(own_out, upsweep_first_row(marks) * UPSWEEP_LANES); // long before its use
#endif
    upsweep_segment_block blocks[UPSWEEP_SEGMENT_BLOCKS];
    const upsweep_value sum = upsweep_sum_blocks(in, values, again, marks, first, count, blocks);
    uint has_prefix;
    upsweep_prefixes prefixes;
    if (!upsweep_share_prefix(call, all, again, valid, shared, UPSWEEP_SEGMENT_BLOCKS, sum, &has_prefix, &prefixes))
        return 0;
#ifdef UPSWEEP_STORES_AT
    const uint listed = count - (UPSWEEP_SHARE - size);
    if (listed == 0) return 1;
#endif
#pragma unroll
    for (uint b = 0; b < UPSWEEP_SEGMENT_BLOCKS; ++b)
        upsweep_finish_block(in, own_out, exclusive, values, b, again, size, marks[b], first[b], blocks + b,
                             upsweep_from_lane(prefixes.of_block, b), upsweep_from_lane(prefixes.of_block, b + 1));
#ifdef UPSWEEP_STORES_AT
    upsweep_sync_lanes();
#endif
#ifdef UPSWEEP_FIRST_OF_ROW
    if (has_gaps)
        upsweep_store_with_gaps(own_out, number, listed, values);
    else
        upsweep_store_list(own_out, number, listed, values);
#elif defined(UPSWEEP_STORES_AT)
    const uint before = upsweep_has_head(upsweep_from_lane(prefixes.of_block, 0));
#ifdef UPSWEEP_STORE_RESULT
    const uint ends = again && UPSWEEP_IS_END_OF_SEGMENTS(in, begin + size - 1); // with what has neither a number nor a key
    if (ends && upsweep_lane() == 0)
        UPSWEEP_STORE_CHOSEN(own_out, size - 1, upsweep_flag(values[upsweep_padded(listed - 1)], before + listed - 1));
    upsweep_store_list(own_out, (ulong)before - 1, listed - ends, values);
#else
    upsweep_store_list(own_out, listed, before, values);
#endif
#endif
    return 1;
}

// As that of scan_tiles.cl. Returns 0 also for the tiles at the ends of the input.
uint upsweep_scan_full_tile(upsweep_call call, uint exclusive, upsweep_input in, upsweep_output out,
                            __local upsweep_shared* shared, __local upsweep_slot* slots)
{
    if (!UPSWEEP_IS_INNER(in, UPSWEEP_TILE)) return 0;
    const upsweep_input all = UPSWEEP_INPUT_AT(in, -((ulong)call.tile * UPSWEEP_TILE));
    return upsweep_scan_segment_tile(call, 0, exclusive, all, in, out, UPSWEEP_TILE, shared, slots);
}

#if UPSWEEP_HAS_SEGMENT_EDGES
UPSWEEP_ONE_COPY
void upsweep_scan_any_tile(upsweep_call call, upsweep_input all, upsweep_input in, upsweep_output out, uint valid,
                           __local upsweep_shared* shared, __local upsweep_slot* slots)
{
    upsweep_scan_segment_tile(call, 1, UPSWEEP_IS_EXCLUSIVE(call.flags), all, in, out, valid, shared, slots);
}
#endif

#endif
#endif
