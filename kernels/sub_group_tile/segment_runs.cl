// SPDX-License-Identifier: MIT
// The share of a sub-group in a tile of segments (segment_tiles.cl): values in local memory, marks in rows of bits.
#ifndef UPSWEEP_SEGMENT_RUNS
#define UPSWEEP_SEGMENT_RUNS
#include "sub_group_tile/tile_prefix.cl"
#if defined(UPSWEEP_LOAD_INNER) && UPSWEEP_ITEMS <= 2 * UPSWEEP_LANES
#define UPSWEEP_HAS_SEGMENT_TILES

// Whether sums of segments are listed with their places in the share. Those that have numbers need not be.
#if defined(UPSWEEP_STORES_AT) && !defined(UPSWEEP_FIRST_OF_ROW)
#define UPSWEEP_LISTS_PLACES 1
#else
#define UPSWEEP_LISTS_PLACES 0
#endif

// A share is cut into blocks, of which each lane has one run. In local memory a gap follows each run, so that lanes which
// read their runs meet different banks. Sums of segments take the place of values, and behind them are their places in the
// share, or marks of rows. Tiles at the ends of the input use the same memory.
#define UPSWEEP_SEGMENT_RUN (UPSWEEP_ITEMS < UPSWEEP_LANES ? UPSWEEP_ITEMS : UPSWEEP_LANES)
#define UPSWEEP_SEGMENT_BLOCKS (UPSWEEP_ITEMS / UPSWEEP_SEGMENT_RUN)
#define UPSWEEP_SEGMENT_BLOCK (UPSWEEP_SEGMENT_RUN * UPSWEEP_LANES)
#define UPSWEEP_PADDED_RUN (UPSWEEP_SEGMENT_RUN + 1)
#define UPSWEEP_PADDED_BLOCK (UPSWEEP_PADDED_RUN * UPSWEEP_LANES)
#define UPSWEEP_PADDED_SHARE (UPSWEEP_PADDED_BLOCK * UPSWEEP_SEGMENT_BLOCKS)
#define UPSWEEP_BEHIND_SHARE (UPSWEEP_LISTS_PLACES ? 2 * UPSWEEP_SHARE : 4 * UPSWEEP_LANES * UPSWEEP_SEGMENT_BLOCKS)
#define UPSWEEP_SEGMENT_SLOTS ((UPSWEEP_PADDED_SHARE * UPSWEEP_SEGMENT_VALUE_SIZE + UPSWEEP_BEHIND_SHARE + 15) / 16)
#define UPSWEEP_SHARE_SLOTS                                                                                            \
    (UPSWEEP_SEGMENT_SLOTS > UPSWEEP_BLOCK_SLOTS ? UPSWEEP_SEGMENT_SLOTS : UPSWEEP_BLOCK_SLOTS)

// Elements that a lane loads at a time.
#define UPSWEEP_SEGMENT_BATCH (UPSWEEP_SEGMENT_RUN < 16 ? UPSWEEP_SEGMENT_RUN : 16)

// Whether a segment's first element is combined with the initial value here. The load hook does it elsewhere.
#if UPSWEEP_FETCHES_SEGMENTS && defined(UPSWEEP_SEGMENT_INIT)
#define UPSWEEP_ADDS_INIT 1
#else
#define UPSWEEP_ADDS_INIT 0
#endif

// Where element e of a block lies.
uint upsweep_padded(uint e)
{
    return e + e / UPSWEEP_SEGMENT_RUN;
}

void upsweep_read_segments(const __local upsweep_segment_value* block, upsweep_segment_value* run)
{
    block += upsweep_lane() * UPSWEEP_PADDED_RUN;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i) run[i] = block[i];
}

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
upsweep_segment_value upsweep_go_on(upsweep_input in, upsweep_segment_value before, upsweep_segment_value element,
                                    uint begins)
{
#if UPSWEEP_ADDS_INIT
    return upsweep_combine_values(begins ? UPSWEEP_SEGMENT_INIT(in) : before, element);
#else
    const upsweep_segment_value both = upsweep_combine_values(before, element);
    return begins ? element : both;
#endif
}

// The same where nothing is known of what precedes `element`.
upsweep_segment_value upsweep_begin(upsweep_input in, upsweep_segment_value element, uint begins)
{
#if UPSWEEP_ADDS_INIT
    if (begins) return upsweep_combine_values(UPSWEEP_SEGMENT_INIT(in), element);
#endif
    return element;
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

// Fetches the block at `in`, as its lane sees it, where values are not copied asynchronously. Returns the marks of rows.
uint upsweep_load_segments(upsweep_input in, __local upsweep_segment_value* block)
{
    const uint lane = upsweep_lane();
    uint marks = 0;
#pragma unroll
    for (uint first = 0; first < UPSWEEP_SEGMENT_RUN; first += UPSWEEP_SEGMENT_BATCH) {
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
            block[upsweep_padded((first + i) * UPSWEEP_LANES + lane)] = upsweep_unflag(elements[i]);
            const uint row = upsweep_ballot(upsweep_has_head(elements[i]));
#endif
            if (lane == first + i) marks = row;
        }
    }
    return marks;
}

// Fetches the share of a sub-group, as `in` sees it from its lane's first element. marks[b] receives those of this lane's
// run in block b. Marks in memory go by the way of local memory: else NVIDIA's compiler has lanes exchange them as soon as
// they are loaded, and begins to copy values after that.
void upsweep_stage_segments(upsweep_input in, __local upsweep_segment_value* values, uint* marks)
{
#if UPSWEEP_FETCHES_SEGMENTS
    const uint lane = upsweep_lane();
#pragma unroll
    for (uint row = 0; row < UPSWEEP_ITEMS; ++row)
        upsweep_fetch_segment_value(in, row * UPSWEEP_LANES, values + upsweep_padded(row * UPSWEEP_LANES + lane));
#ifdef UPSWEEP_MARKS_POINTER
    __local uint* rows = (__local uint*)(values + UPSWEEP_PADDED_SHARE);
    if (lane < UPSWEEP_SEGMENT_RUN)
#pragma unroll
        for (uint b = 0; b < UPSWEEP_SEGMENT_BLOCKS; ++b)
            upsweep_fetch_marks(in, b * UPSWEEP_SEGMENT_BLOCK + lane * (UPSWEEP_LANES - 1),
                                rows + b * UPSWEEP_LANES + lane);
    upsweep_wait_for_stages();
#endif
#endif
#pragma unroll
    for (uint b = 0; b < UPSWEEP_SEGMENT_BLOCKS; ++b) {
#if UPSWEEP_FETCHES_SEGMENTS && defined(UPSWEEP_MARKS_POINTER)
        marks[b] = upsweep_marks_of_run(lane < UPSWEEP_SEGMENT_RUN ? rows[b * UPSWEEP_LANES + lane] : 0);
#elif UPSWEEP_FETCHES_SEGMENTS && defined(UPSWEEP_MARKS_OF_ROW)
        const uint first = b * UPSWEEP_SEGMENT_BLOCK + lane * (UPSWEEP_LANES - 1);
        marks[b] = upsweep_marks_of_run(lane < UPSWEEP_SEGMENT_RUN ? UPSWEEP_MARKS_OF_ROW(in, first) : 0);
#else
        marks[b] = upsweep_marks_of_run(upsweep_load_segments(UPSWEEP_INPUT_AT(in, b * UPSWEEP_SEGMENT_BLOCK),
                                                              values + b * UPSWEEP_PADDED_BLOCK));
#endif
    }
#if !(UPSWEEP_FETCHES_SEGMENTS && defined(UPSWEEP_MARKS_POINTER))
    upsweep_wait_for_stages();
#endif
}

// Segments that begin in the runs of the lanes before this one.
uint upsweep_segments_before(uint marks)
{
    if (upsweep_ballot((marks & (marks - 1)) != 0) == 0)
        return popcount(upsweep_ballot(marks != 0) & ((1u << upsweep_lane()) - 1));
    const uint own = popcount(marks);
    uint sum = own;
#pragma unroll
    for (uint distance = 1; distance < UPSWEEP_LANES; distance *= 2) {
        const uint other = upsweep_word_from_lane(sum, (upsweep_lane() - distance) % UPSWEEP_LANES);
        if (upsweep_lane() >= distance) sum += other;
    }
    return sum - own;
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
