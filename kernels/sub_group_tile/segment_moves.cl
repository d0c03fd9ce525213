// SPDX-License-Identifier: MIT
// How the values of a share lie in local memory (segment_runs.cl), and how they get there and from there: one by one, or as
// words of 4 bytes, where values are no whole words, and input and output are arrays whose elements follow one another as
// those of segments do. A word goes by one load where bytes take four, and values of 3 bytes three each. Then hooks have
//
//   UPSWEEP_INNER_SHIFT(in)                bytes from the beginning of a word to the first element
//   UPSWEEP_LOAD_INNER_WORD(in, k)         word k from that one on
//   UPSWEEP_HAS_HEAD_INNER(in, i)          without UPSWEEP_MARKS_OF_RUN: whether a segment begins at element i
//   UPSWEEP_SEGMENT_SHIFT(out)             as for the input, and
//   UPSWEEP_STORE_SEGMENT_WORD(out, k, word)
//   UPSWEEP_STORE_SEGMENT_BYTES(out, k, word, begin, end)   bytes begin to end - 1 of word k
//
// A gap follows each run, so that lanes which read their runs meet different banks.
#ifndef UPSWEEP_SEGMENT_MOVES
#define UPSWEEP_SEGMENT_MOVES
#include "sub_group_tile/tile_prefix.cl"
#if defined(UPSWEEP_LOAD_INNER) && UPSWEEP_ITEMS <= 2 * UPSWEEP_LANES
#define UPSWEEP_HAS_SEGMENT_TILES
#if defined(UPSWEEP_LOAD_INNER_WORD) && UPSWEEP_ITEMS >= 4
#define UPSWEEP_SEGMENTS_IN_WORDS 1
#else
#define UPSWEEP_SEGMENTS_IN_WORDS 0
#endif
typedef UPSWEEP_SEGMENT_VALUE upsweep_segment_value;

// A share is cut into blocks, of which each lane has one run.
#define UPSWEEP_SEGMENT_RUN (UPSWEEP_ITEMS < UPSWEEP_LANES ? UPSWEEP_ITEMS : UPSWEEP_LANES)
#define UPSWEEP_SEGMENT_BLOCKS (UPSWEEP_ITEMS / UPSWEEP_SEGMENT_RUN)
#define UPSWEEP_SEGMENT_BLOCK (UPSWEEP_SEGMENT_RUN * UPSWEEP_LANES)
#define UPSWEEP_PADDED_BLOCK (UPSWEEP_PADDED_RUN * UPSWEEP_LANES)
#define UPSWEEP_PADDED_SHARE (UPSWEEP_PADDED_BLOCK * UPSWEEP_SEGMENT_BLOCKS)

// Elements or words that a lane loads at a time.
#define UPSWEEP_SEGMENT_BATCH (UPSWEEP_SEGMENT_RUN < 16 ? UPSWEEP_SEGMENT_RUN : 16)

#if UPSWEEP_SEGMENTS_IN_WORDS
typedef uint upsweep_segment_place; // in local memory
#define UPSWEEP_SEGMENT_PLACE_SIZE 4
#define UPSWEEP_RUN_WORDS (UPSWEEP_SEGMENT_RUN * UPSWEEP_SEGMENT_VALUE_SIZE / 4)
#define UPSWEEP_PADDED_RUN (UPSWEEP_RUN_WORDS | 1)

typedef union {
    uint words[UPSWEEP_RUN_WORDS];
    upsweep_segment_value values[UPSWEEP_SEGMENT_RUN];
} upsweep_run_in_words;

// Where word k of a block lies.
uint upsweep_padded_word(uint k)
{
    return k + k / UPSWEEP_RUN_WORDS * (UPSWEEP_PADDED_RUN - UPSWEEP_RUN_WORDS);
}

// Element e of a block.
__local upsweep_segment_value* upsweep_segment_at(__local upsweep_segment_place* block, uint e)
{
    __local upsweep_segment_place* run = block + e / UPSWEEP_SEGMENT_RUN * UPSWEEP_PADDED_RUN;
    return (__local upsweep_segment_value*)run + e % UPSWEEP_SEGMENT_RUN;
}

// The words of a block at `in`, as its lane sees it, from row `first` of words on. Where the block begins within a word, each
// of its words is made of two: a lane's own and the next lane's. The last lane takes the second one from the first lane's next
// row, which is therefore loaded, too.
void upsweep_load_words_of_rows(upsweep_input in, uint shift, uint first, uint* words)
{
    const uint lane = upsweep_lane();
    const upsweep_input all = UPSWEEP_INPUT_AT(in, -(ulong)lane);
    uint loaded[UPSWEEP_SEGMENT_BATCH + 1];
#pragma unroll
    for (uint i = 0; i <= UPSWEEP_SEGMENT_BATCH; ++i) {
        // Behind the block there is no word of its own, unless it begins within one.
        const uint k = min((first + i) * UPSWEEP_LANES + lane, UPSWEEP_RUN_WORDS * UPSWEEP_LANES - (uint)(shift == 0));
        if (first + i <= UPSWEEP_RUN_WORDS) loaded[i] = UPSWEEP_LOAD_INNER_WORD(all, k);
    }
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i)
        if (first + i < UPSWEEP_RUN_WORDS) {
            const uint next = upsweep_word_from_lane(lane == 0 ? loaded[i + 1] : loaded[i], (lane + 1) % UPSWEEP_LANES);
            words[i] = upsweep_shifted_word(loaded[i], next, shift);
        }
}

// Loads the block at `in`.
void upsweep_load_values(upsweep_input in, __local upsweep_segment_place* block)
{
    const uint lane = upsweep_lane();
    const uint shift = UPSWEEP_INNER_SHIFT(UPSWEEP_INPUT_AT(in, -(ulong)lane));
#pragma unroll
    for (uint first = 0; first < UPSWEEP_RUN_WORDS; first += UPSWEEP_SEGMENT_BATCH) {
        uint words[UPSWEEP_SEGMENT_BATCH];
        upsweep_load_words_of_rows(in, shift, first, words);
#pragma unroll
        for (uint i = 0; i < UPSWEEP_SEGMENT_BATCH; ++i)
            if (first + i < UPSWEEP_RUN_WORDS) block[upsweep_padded_word((first + i) * UPSWEEP_LANES + lane)] = words[i];
    }
}

void upsweep_read_segments(const __local upsweep_segment_place* block, upsweep_segment_value* run)
{
    upsweep_run_in_words read;
    block += upsweep_lane() * UPSWEEP_PADDED_RUN;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_RUN_WORDS; ++i) read.words[i] = block[i];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i) run[i] = read.values[i];
}

void upsweep_write_segments(__local upsweep_segment_place* block, const upsweep_segment_value* run)
{
    upsweep_run_in_words written;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i) written.values[i] = run[i];
    block += upsweep_lane() * UPSWEEP_PADDED_RUN;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_RUN_WORDS; ++i) block[i] = written.words[i];
}

// Stores a block. Of the words at its ends, others have some bytes where it begins within a word.
void upsweep_store_values(upsweep_output out, const __local upsweep_segment_place* block)
{
    const uint lane = upsweep_lane(), end = UPSWEEP_RUN_WORDS * UPSWEEP_LANES;
    const uint shift = UPSWEEP_SAME_IN_ALL(UPSWEEP_SEGMENT_SHIFT(out));
    if (shift == 0) {
#pragma unroll
        for (uint k = lane; k < UPSWEEP_RUN_WORDS * UPSWEEP_LANES; k += UPSWEEP_LANES)
            UPSWEEP_STORE_SEGMENT_WORD(out, k, block[upsweep_padded_word(k)]);
        return;
    }
#pragma unroll
    for (uint k = lane; k < UPSWEEP_RUN_WORDS * UPSWEEP_LANES; k += UPSWEEP_LANES) {
        const uint own = block[upsweep_padded_word(k)];
        if (k > 0)
            UPSWEEP_STORE_SEGMENT_WORD(out, k, upsweep_shifted_word(block[upsweep_padded_word(k - 1)], own, 4 - shift));
        else
            UPSWEEP_STORE_SEGMENT_BYTES(out, 0, own << shift * 8, shift, 4);
    }
    if (lane == 0)
        UPSWEEP_STORE_SEGMENT_BYTES(out, end, block[upsweep_padded_word(end - 1)] >> (4 - shift) * 8, 0, shift);
}
#else
typedef upsweep_segment_value upsweep_segment_place;
#define UPSWEEP_SEGMENT_PLACE_SIZE UPSWEEP_SEGMENT_VALUE_SIZE
#define UPSWEEP_PADDED_RUN (UPSWEEP_SEGMENT_RUN + 1)

// Where element e of a block lies.
uint upsweep_padded(uint e)
{
    return e + e / UPSWEEP_SEGMENT_RUN;
}

__local upsweep_segment_value* upsweep_segment_at(__local upsweep_segment_place* block, uint e)
{
    return block + upsweep_padded(e);
}

void upsweep_read_segments(const __local upsweep_segment_place* block, upsweep_segment_value* run)
{
    block += upsweep_lane() * UPSWEEP_PADDED_RUN;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i) run[i] = block[i];
}

void upsweep_write_segments(__local upsweep_segment_place* block, const upsweep_segment_value* run)
{
    block += upsweep_lane() * UPSWEEP_PADDED_RUN;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SEGMENT_RUN; ++i) block[i] = run[i];
}

#ifndef UPSWEEP_STORES_AT
// Stores a block, row by row.
void upsweep_store_values(upsweep_output out, const __local upsweep_segment_place* block)
{
#pragma unroll
    for (uint row = 0; row < UPSWEEP_SEGMENT_RUN; ++row) {
        const uint e = row * UPSWEEP_LANES + upsweep_lane();
        UPSWEEP_STORE_SEGMENT(out, e, block[upsweep_padded(e)]);
    }
}
#endif
#endif
#endif
#endif
