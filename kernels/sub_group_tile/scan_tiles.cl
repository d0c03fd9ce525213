// SPDX-License-Identifier: MIT
// Tiles of any values, which wait in local memory until what precedes them is known.
#ifndef UPSWEEP_SCAN_TILES
#define UPSWEEP_SCAN_TILES
#include "sub_group_tile/segment_tiles.cl"
#include "sub_group_tile/tile_prefix.cl"
#ifndef UPSWEEP_LISTS_MARKS

#ifndef UPSWEEP_HAS_SEGMENT_TILES
#define UPSWEEP_SHARE_SLOTS UPSWEEP_SUB_GROUP_SLOTS
#endif
typedef upsweep_slot upsweep_tile_slot;

#ifndef UPSWEEP_HAS_SEGMENT_TILES
// Fetches the blocks of this sub-group from a tile of which `valid` elements are real. Behind them some are repeated.
UPSWEEP_ONE_COPY
void upsweep_stage_any_blocks(upsweep_input in, uint valid, __local upsweep_slot* slots)
{
#if UPSWEEP_LAST_BY_PACKS
    if (UPSWEEP_INPUT_IS_ALIGNED(in) && valid >= UPSWEEP_PACK) {
        upsweep_stage_full_packs(in, valid, slots);
        // One element per lane of the last pack, if that is not full, replaces what was repeated.
        const uint begin = upsweep_block_begin(0);
        const uint e = (valid & ~(UPSWEEP_PACK - 1u)) + upsweep_lane();
        const upsweep_element element = UPSWEEP_LOAD(in, min(e, valid - 1));
        upsweep_wait_for_stages();
        if (e >= begin && e < min(valid, begin + UPSWEEP_SHARE))
            UPSWEEP_PUT_ELEMENT(slots + (e - begin) / UPSWEEP_BLOCK * UPSWEEP_BLOCK_SLOTS, (e - begin) % UPSWEEP_BLOCK,
                                element);
        return;
    }
#endif
#if UPSWEEP_LAST_BY_WORDS
    upsweep_stage_words(in, valid, slots);
#else
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        const uint begin = min(upsweep_block_begin(block), valid - 1);
        upsweep_stage_block(UPSWEEP_INPUT_AT(in, begin), min(valid - begin, (uint)UPSWEEP_BLOCK),
                            slots + block * UPSWEEP_BLOCK_SLOTS);
    }
#endif
}

// The sum of full block b in lane b, of a tile that is not full; in other lanes `filler`.
UPSWEEP_ONE_COPY
upsweep_value upsweep_sum_any_blocks(const __local upsweep_slot* slots, uint valid, upsweep_value filler)
{
    upsweep_value sum = filler;
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        if (upsweep_block_begin(block) + UPSWEEP_BLOCK > valid) continue;
        const upsweep_value block_sum = upsweep_sum_local_block(slots + block * UPSWEEP_BLOCK_SLOTS, 0);
        if (upsweep_lane() == block) sum = block_sum;
    }
    return sum;
}

// Scans the real elements of this sub-group's blocks. `prefixes` is a copy, so that the caller keeps its own in registers.
UPSWEEP_ONE_COPY
void upsweep_scan_any_blocks(__local upsweep_slot* slots, uint valid, uint exclusive, uint has_prefix,
                             upsweep_prefixes prefixes)
{
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        const uint begin = upsweep_block_begin(block);
        if (begin < valid)
            upsweep_scan_block(slots + block * UPSWEEP_BLOCK_SLOTS, 0, block, min(valid - begin, (uint)UPSWEEP_BLOCK), 0,
                               exclusive, has_prefix || block > 0, &prefixes);
    }
}

// Stores the real elements of this sub-group's blocks.
UPSWEEP_ONE_COPY
void upsweep_store_any_blocks(const __local upsweep_slot* slots, upsweep_output out, uint valid)
{
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        const uint begin = upsweep_block_begin(block);
        if (begin < valid)
            upsweep_store_some(slots + block * UPSWEEP_BLOCK_SLOTS, UPSWEEP_OUTPUT_AT(out, begin),
                               min(valid - begin, (uint)UPSWEEP_BLOCK));
    }
}

// One tile from end to end: read once, written once. Lane b keeps the sum, then the prefix, of block b. `valid` elements
// are real; all, if UPSWEEP_STARTS_AGAIN is 1. Then it returns 0, with nothing written, if a tile is silent.
//
// On NVIDIA devices `exclusive` is a constant, so that neither kind of scan pays for the other. One code for both made
// exclusive scans of 2^24 int32 2 % slower on an H200, and left the results of inclusive ones to be chosen element by
// element.
#if UPSWEEP_PTX && !UPSWEEP_STARTS_AGAIN // the kernel's only large function, which the compiler would leave one for its size
__attribute__((always_inline))
#endif
uint upsweep_scan_blocks(upsweep_call call, uint exclusive, upsweep_input all, upsweep_input in, upsweep_output out,
                         uint valid, __local upsweep_shared* shared, __local upsweep_slot* slots)
{
    call.exclusive = exclusive;
#if UPSWEEP_STARTS_AGAIN
    const uint is_whole = 1;
    const uint is_masked = 0;
#else
    valid = UPSWEEP_SAME_IN_ALL(valid);
    const uint is_whole = UPSWEEP_SAME_IN_ALL(valid == UPSWEEP_TILE && UPSWEEP_INPUT_HAS_GRANULES(in) &&
                                              UPSWEEP_OUTPUT_HAS_GRANULES(out));
    const uint is_masked = UPSWEEP_REPEATS_LAST ? 0u : UPSWEEP_SAME_IN_ALL(valid < UPSWEEP_TILE);
#endif
    const uint shift = is_whole ? UPSWEEP_INPUT_SHIFT(in) : 0;
    if (is_whole)
        upsweep_stage_full_blocks(in, slots);
    else
        upsweep_stage_any_blocks(in, valid, slots);
#if UPSWEEP_BLOCKS_AWAITED > 0
    if (!is_whole)
#endif
        upsweep_wait_for_stages();
    upsweep_value sum = call.init;
    if (is_masked)
        sum = upsweep_sum_any_blocks(slots, valid, sum);
    else
#pragma unroll UPSWEEP_BLOCKS_SUMMED
        for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
#if UPSWEEP_BLOCKS_AWAITED > 0
            if (block % UPSWEEP_BLOCKS_AWAITED == 0)
                upsweep_wait_for_blocks(UPSWEEP_BLOCKS - min(block + UPSWEEP_BLOCKS_READ, (uint)UPSWEEP_BLOCKS));
#endif
            const upsweep_value block_sum = upsweep_sum_local_block(slots + block * UPSWEEP_BLOCK_SLOTS, shift);
            if (upsweep_lane() == block) sum = block_sum;
        }
    uint has_prefix;
    upsweep_prefixes prefixes;
    if (!upsweep_share_prefix(call, all, 0, valid, shared, UPSWEEP_BLOCKS, upsweep_as_argument(sum), &has_prefix,
                              &prefixes))
        return 0;
    if (is_masked)
        upsweep_scan_any_blocks(slots, valid, call.exclusive, has_prefix, prefixes);
    else
#pragma unroll UPSWEEP_BLOCKS_SCANNED
        for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
            __local upsweep_slot* own = slots + block * UPSWEEP_BLOCK_SLOTS;
            upsweep_scan_block(own, shift, block, UPSWEEP_BLOCK, 1, call.exclusive, has_prefix || block > 0, &prefixes);
            if (is_whole) upsweep_store_full_block(own, block, UPSWEEP_OUTPUT_AT(out, upsweep_block_begin(block)));
        }
    if (!is_whole) upsweep_store_any_blocks(slots, out, valid);
    return 1;
}

#if UPSWEEP_STARTS_AGAIN
// One full tile.
uint upsweep_scan_full_tile(upsweep_call call, uint exclusive, upsweep_input in, upsweep_output out,
                            __local upsweep_shared* shared, __local upsweep_slot* slots)
{
    return upsweep_scan_blocks(call, exclusive, in, in, out, UPSWEEP_TILE, shared, slots);
}
#endif
#endif

#if UPSWEEP_STARTS_AGAIN && !UPSWEEP_HAS_SEGMENT_EDGES
// One tile that is not full, or that needs the fallback: block after block, each read twice. Out of line,
// so that full tiles keep their registers; inline where a function that is called may have no barrier.
UPSWEEP_ONE_COPY
void upsweep_scan_any_tile(upsweep_call call, upsweep_input all, upsweep_input in, upsweep_output out, uint valid,
                           __local upsweep_shared* shared, __local upsweep_slot* slots)
{
    call.exclusive = UPSWEEP_IS_EXCLUSIVE(call.flags); // a constant, perhaps, which does not come along with a call
    upsweep_value sum = call.init;
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        const uint begin = upsweep_block_begin(block);
        if (begin + UPSWEEP_BLOCK > valid) continue;
        upsweep_stage_block(UPSWEEP_INPUT_AT(in, begin), UPSWEEP_BLOCK, slots);
        upsweep_sync_lanes();
        const upsweep_value block_sum = upsweep_sum_local_block(slots, 0);
        if (upsweep_lane() == block) sum = block_sum;
        upsweep_sync_lanes();
    }
    uint has_prefix;
    upsweep_prefixes prefixes;
    upsweep_share_prefix(call, all, 1, valid, shared, UPSWEEP_BLOCKS, upsweep_as_argument(sum), &has_prefix, &prefixes);
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        const uint begin = upsweep_block_begin(block);
        if (begin >= valid) continue;
        const uint size = min(valid - begin, (uint)UPSWEEP_BLOCK);
        upsweep_stage_block(UPSWEEP_INPUT_AT(in, begin), size, slots);
        upsweep_sync_lanes();
        upsweep_scan_block(slots, 0, block, size, 0, call.exclusive, has_prefix || block > 0, &prefixes);
        upsweep_store_block(slots, UPSWEEP_OUTPUT_AT(out, begin), size);
        upsweep_sync_lanes();
    }
}
#endif

#endif
#endif
