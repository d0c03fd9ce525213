// SPDX-License-Identifier: MIT
// Segments that all sub-groups of a work-group reduce, several of them at once.
#ifndef UPSWEEP_LONG_SEGMENTS
#define UPSWEEP_LONG_SEGMENTS
#include "segments/segment_parts.cl"
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

#if !defined(UPSWEEP_SMALL_PARTS_BITS)
#error "UPSWEEP_SMALL_PARTS_BITS must be log2 of half of the sums of parts that a work-group has room for"
#endif
#define UPSWEEP_SMALL_PARTS (1u << UPSWEEP_SMALL_PARTS_BITS)

// The sum of what the lanes have, in all of them.
uint upsweep_words_sum(uint word)
{
#pragma unroll
    for (uint distance = 1; distance < UPSWEEP_LANES; distance *= 2)
        word += upsweep_word_from_lane(word, upsweep_lane() ^ distance);
    return word;
}

// The sum of what the lanes up to this one have.
uint upsweep_words_up_to(uint word)
{
#pragma unroll
    for (uint distance = 1; distance < UPSWEEP_LANES; distance *= 2) {
        const uint before = upsweep_word_from_lane(word, (upsweep_lane() - distance) % UPSWEEP_LANES);
        if (upsweep_lane() >= distance) word += before;
    }
    return word;
}

// How the segments of a work-group are divided: lane j has what belongs to segment j.
typedef struct {
    uint begin; // its elements
    uint end;
    uint bits;      // log2 of the elements of a part, of all segments
    uint parts_end; // parts of the segments up to this one
    uint place;     // where its sums of parts lie
} upsweep_long_segments;

// Those of bits of `left`, `stride` segments apart from segment `first` on.
upsweep_long_segments upsweep_divide_long(upsweep_offsets offsets, ulong n, upsweep_index first, upsweep_index stride,
                                          uint left)
{
    upsweep_long_segments all = {0, 0, UPSWEEP_LANE_BITS + UPSWEEP_ROW_BITS, 0, 0};
    if (left >> upsweep_lane() & 1u) {
        const upsweep_index k = first + upsweep_lane() * stride;
        all.begin = (uint)upsweep_begin_of(offsets, k, n);
        all.end = max((uint)upsweep_begin_of(offsets, k + 1, n), all.begin);
    }
    // Sums of `parts` take less than four times as much room, because they begin where the canonical order wants them.
    for (uint total = upsweep_words_sum(all.end - all.begin); total >> all.bits > UPSWEEP_SMALL_PARTS / 4;) ++all.bits;
    const uint parts = (all.end >> all.bits) - (all.begin >> all.bits);
    const uint most = parts > 0 ? 1u << (32 - clz(parts)) : 0;
    const uint ends = upsweep_words_up_to(parts | 2 * most << 16);
    all.parts_end = ends & 0xffffu;
    all.place = (ends >> 16) - 2 * most;
    return all;
}

// Segment j, in all lanes.
upsweep_row upsweep_long_segment(upsweep_long_segments all, uint j, uint has_init, upsweep_value init)
{
    const upsweep_row segment = {upsweep_word_from_lane(all.begin, j), upsweep_word_from_lane(all.end, j), has_init, init};
    return segment;
}

// The place of the first sum of a segment's parts behind that of its sums.
uint upsweep_first_place(upsweep_row segment, uint bits)
{
    const uint parts = (uint)upsweep_parts_of(segment, bits);
    return parts > 0 ? (uint)(segment.begin >> bits) & ((1u << (32 - clz(parts))) - 1) : 0;
}

// Reduces segments of bits of `left`, `stride` apart from segment `first` on, by all sub-groups of a work-group: each sums
// as many parts as the others, whichever segments they are of. `sums` has room for 2 * UPSWEEP_SMALL_PARTS values. H200, us,
// 2^23 and 2^24 in segments of 5000, one segment after another, each by some of the sub-groups, and so: int32 24.5, 23, 15.5
// and -, 48, 35, float -, 40, 27.5 and -, 67, 50. Others take up to 1.5 more: 2^22 double in segments of 1000 18.9 and 20.4.
UPSWEEP_SELDOM
void upsweep_reduce_long(upsweep_input in, upsweep_offsets offsets, ulong n, upsweep_index first, upsweep_index stride,
                         uint left, __local upsweep_value* sums, upsweep_output out, uint has_init, upsweep_value init)
{
    const upsweep_row_source from = {upsweep_of_elements, in, 0, 0};
    const upsweep_long_segments all = upsweep_divide_long(offsets, n, first, stride, left);
    const uint count = upsweep_word_from_lane(all.parts_end, UPSWEEP_LANES - 1);
    for (uint q = upsweep_sub_group(); q < count; q += UPSWEEP_SUB_GROUPS_PER_GROUP) {
        const uint j = upsweep_words_sum(all.parts_end <= q ? 1 : 0);
        const upsweep_row segment = upsweep_long_segment(all, j, has_init, init);
        const uint number = (uint)(segment.end >> all.bits) - (upsweep_word_from_lane(all.parts_end, j) - q);
        const uint place = upsweep_word_from_lane(all.place, j) + upsweep_first_place(segment, all.bits) + number -
                           (uint)(segment.begin >> all.bits);
        const upsweep_value part = upsweep_sum_part(from, segment, number, all.bits);
        if (upsweep_lane() == 0) sums[place] = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint j = upsweep_sub_group();
    if (!(left >> j & 1u)) return;
    const upsweep_row segment = upsweep_long_segment(all, j, has_init, init);
    const upsweep_row_source of_sums = {upsweep_of_local_sums, in, 0, sums + upsweep_word_from_lane(all.place, j)};
    uint has_sum = UPSWEEP_CANONICAL ? 0 : has_init;
    upsweep_value sum = init;
    upsweep_append_joined(from, segment, all.bits, of_sums, upsweep_first_place(segment, all.bits), &has_sum, &sum);
    if (upsweep_lane() == 0) UPSWEEP_STORE(out, first + j * stride, sum);
}

#endif
