// SPDX-License-Identifier: MIT
// The share of a sub-group in a tile of segments (segment_tiles.cl): values in local memory, marks as bits.
#ifndef UPSWEEP_SEGMENT_RUNS
#define UPSWEEP_SEGMENT_RUNS
#include "sub_group_tile/segment_moves.cl"
#ifdef UPSWEEP_HAS_SEGMENT_TILES

// What is listed with the sums of segments: the places in the share where the next ones begin, their keys, or nothing
// where results are stored by their number and there are no keys.
#if defined(UPSWEEP_STORES_AT) && !defined(UPSWEEP_STORE_RESULT)
#define UPSWEEP_LISTS_PLACES 1
#else
#define UPSWEEP_LISTS_PLACES 0
#endif
#ifdef UPSWEEP_SEGMENT_KEY
typedef UPSWEEP_SEGMENT_KEY upsweep_listed;
#else
typedef ushort upsweep_listed;
#endif

// Sums of segments take the place of values, and behind them is what is listed with them. Tiles at the ends of the input use
// the same memory.
#ifdef UPSWEEP_SEGMENT_KEY
#define UPSWEEP_BEHIND_SHARE (4 * UPSWEEP_SHARE)
#else
#define UPSWEEP_BEHIND_SHARE (UPSWEEP_LISTS_PLACES ? 2 * UPSWEEP_SHARE : 0)
#endif
#define UPSWEEP_SEGMENT_SLOTS                                                                                          \
    ((UPSWEEP_PADDED_SHARE * UPSWEEP_SEGMENT_PLACE_SIZE + UPSWEEP_BEHIND_SHARE + UPSWEEP_SLOT_SIZE - 1) /              \
     UPSWEEP_SLOT_SIZE)
#define UPSWEEP_SHARE_SLOTS                                                                                            \
    (UPSWEEP_SEGMENT_SLOTS > UPSWEEP_BLOCK_SLOTS ? UPSWEEP_SEGMENT_SLOTS : UPSWEEP_BLOCK_SLOTS)

// The value of the lane of that number.
upsweep_segment_value upsweep_segment_from_lane(upsweep_segment_value value, uint number)
{
    union {
        upsweep_segment_value value;
        uint words[(UPSWEEP_SEGMENT_VALUE_SIZE + 3) / 4];
    } moved;
    moved.words[(UPSWEEP_SEGMENT_VALUE_SIZE + 3) / 4 - 1] = 0;
    moved.value = value;
#pragma unroll
    for (uint i = 0; i < (UPSWEEP_SEGMENT_VALUE_SIZE + 3) / 4; ++i)
        moved.words[i] = upsweep_word_from_lane(moved.words[i], number);
    return moved.value;
}

#if UPSWEEP_EXACT_SEGMENTS
// What precedes the element that follows `element`, where `before` precedes that. It begins a segment if `begins` is not 0.
upsweep_segment_value upsweep_go_on(upsweep_segment_value before, upsweep_segment_value element, uint begins)
{
    const upsweep_segment_value both = upsweep_combine_values(before, element);
    return begins ? element : both;
}

// A segmented scan over the lanes, of sums of what begins last in their runs. `begins` has a bit for each lane in whose run
// a segment begins.
upsweep_segment_value upsweep_scan_lanes(upsweep_segment_value sum, uint begins)
{
    const uint lane = upsweep_lane();
    const uint up_to_lane = begins & ((2u << lane) - 1);
    const uint first = up_to_lane != 0 ? 31 - clz(up_to_lane) : 0;
#pragma unroll
    for (uint distance = 1; distance < UPSWEEP_LANES; distance *= 2) {
        const upsweep_segment_value before = upsweep_segment_from_lane(sum, (lane - distance) % UPSWEEP_LANES);
        const upsweep_segment_value both = upsweep_combine_values(before, sum);
        if (lane >= first + distance) sum = both;
    }
    return sum;
}

// What precedes the lane's run, of what such a scan gave and of what precedes the share.
upsweep_segment_value upsweep_before_run(upsweep_segment_value scanned, uint begins, upsweep_segment_value before_share)
{
    const uint lane = upsweep_lane();
    const upsweep_segment_value before = upsweep_segment_from_lane(scanned, (lane - 1) % UPSWEEP_LANES);
    if (begins & ((1u << lane) - 1)) return before;
    return lane == 0 ? before_share : upsweep_combine_values(before_share, before);
}
#endif

// The marks of this lane's run, of those of a block's rows, which lane k has of row k.
uint upsweep_marks_of_run(uint rows)
{
#if UPSWEEP_SEGMENT_RUN == UPSWEEP_LANES
    return rows;
#else
    const uint begin = upsweep_lane() * UPSWEEP_SEGMENT_RUN;
    const uint row = upsweep_word_from_lane(rows, begin / UPSWEEP_LANES);
    return row >> begin % UPSWEEP_LANES & (uint)((1ul << UPSWEEP_SEGMENT_RUN) - 1);
#endif
}

// An element with its mark, as it is loaded; or the mark alone.
#if UPSWEEP_SEGMENTS_IN_WORDS
typedef uint upsweep_with_head;
#define UPSWEEP_LOADED_HEAD(head) (head)
#else
typedef upsweep_value upsweep_with_head;
#define UPSWEEP_LOADED_HEAD(element) upsweep_has_head(element)
#endif

// What is listed with the sums, behind the values of a share.
__local upsweep_listed* upsweep_listed_with(__local upsweep_segment_place* values)
{
    return (__local upsweep_listed*)(values + UPSWEEP_PADDED_SHARE);
}

#ifdef UPSWEEP_SEGMENT_KEY
// Lists this lane's key of a row, if a segment begins there. *listed: the row's first entry, which becomes the next row's.
void upsweep_list_key(uint row, upsweep_listed own, __local upsweep_listed* list, uint* listed)
{
    if (row >> upsweep_lane() & 1) list[*listed + popcount(row & ((1u << upsweep_lane()) - 1))] = own;
    *listed += popcount(row);
}
#endif

// Loads the block at `in`, as its lane sees it. Returns the marks of rows, unless the hook tells those of runs. Keys of
// segments that begin in it are listed from entry *listed on, which becomes the next one: each is read once.
uint upsweep_load_segments(upsweep_input in, __local upsweep_segment_place* block, __local upsweep_listed* list,
                           uint* listed)
{
    uint marks = 0;
#if UPSWEEP_SEGMENTS_IN_WORDS
    upsweep_load_values(in, block);
#endif
#if !UPSWEEP_SEGMENTS_IN_WORDS || !defined(UPSWEEP_MARKS_OF_RUN)
    const uint lane = upsweep_lane();
#pragma unroll
    for (uint first = 0; first < UPSWEEP_SEGMENT_RUN; first += UPSWEEP_SEGMENT_BATCH) {
        upsweep_with_head elements[UPSWEEP_SEGMENT_BATCH];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i)
#if UPSWEEP_SEGMENTS_IN_WORDS
            elements[i] = UPSWEEP_HAS_HEAD_INNER(in, (first + i) * UPSWEEP_LANES);
#else
            elements[i] = UPSWEEP_LOAD_INNER(in, (first + i) * UPSWEEP_LANES);
#endif
#ifdef UPSWEEP_SEGMENT_KEY
        upsweep_listed keys[UPSWEEP_SEGMENT_BATCH];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i)
            keys[i] = UPSWEEP_LOAD_SEGMENT_KEY(in, (first + i) * UPSWEEP_LANES);
#endif
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i) {
#if !UPSWEEP_SEGMENTS_IN_WORDS
            block[upsweep_padded((first + i) * UPSWEEP_LANES + lane)] = upsweep_unflag(elements[i]);
#endif
#ifndef UPSWEEP_MARKS_OF_RUN
            const uint row = upsweep_ballot(UPSWEEP_LOADED_HEAD(elements[i]));
            if (lane == first + i) marks = row;
#ifdef UPSWEEP_SEGMENT_KEY
            upsweep_list_key(row, keys[i], list, listed);
#endif
#endif
        }
    }
#endif
    return marks;
}

// Loads the share of a sub-group, as `in` sees it from its lane's first element. marks[b] receives those of this lane's run
// in block b.
void upsweep_stage_segments(upsweep_input in, __local upsweep_segment_place* values, uint* marks)
{
    uint listed = 0;
#ifdef UPSWEEP_MARKS_OF_RUN
    // First: no load should wait behind a branch.
#pragma unroll
    for (uint b = 0; b < UPSWEEP_SEGMENT_BLOCKS; ++b)
        marks[b] = UPSWEEP_MARKS_OF_RUN(in, b * UPSWEEP_SEGMENT_BLOCK + (ulong)upsweep_lane() * (UPSWEEP_SEGMENT_RUN - 1),
                                        UPSWEEP_SEGMENT_RUN);
#endif
#pragma unroll
    for (uint b = 0; b < UPSWEEP_SEGMENT_BLOCKS; ++b) {
        const uint rows = upsweep_load_segments(UPSWEEP_INPUT_AT(in, b * UPSWEEP_SEGMENT_BLOCK),
                                                values + b * UPSWEEP_PADDED_BLOCK, upsweep_listed_with(values), &listed);
#ifdef UPSWEEP_MARKS_OF_RUN
        (void)rows;
#else
        marks[b] = upsweep_marks_of_run(rows);
#endif
    }
    upsweep_sync_lanes();
}

// Segments that begin in the runs of the lanes before this one.
uint upsweep_segments_before(uint marks)
{
    if (upsweep_ballot((marks & (marks - 1)) != 0) == 0)
        return popcount(upsweep_ballot(marks != 0) & ((1u << upsweep_lane()) - 1));
    return upsweep_count_before(popcount(marks));
}

// Segments that begin in the share. first[b] receives how many of them precede this lane's run in block b. Zeros for scans,
// which need not know.
uint upsweep_count_marks(const uint* marks, uint* first)
{
    uint count = 0;
#pragma unroll
    for (uint b = 0; b < UPSWEEP_SEGMENT_BLOCKS; ++b) {
        first[b] = 0;
#ifdef UPSWEEP_STORES_AT
        first[b] = count + upsweep_segments_before(marks[b]);
        count = upsweep_word_from_lane(first[b] + popcount(marks[b]), UPSWEEP_LANES - 1);
#endif
    }
    return count;
}

#endif
#endif
