// SPDX-License-Identifier: MIT
// Blocks of a tile on their way from global to local memory (tile_blocks.cl): by packs where the caller's array lies at a
// multiple of 16 bytes, else by lines, by granules, or element by element. Neighbouring lanes touch neighbouring addresses.
#ifndef UPSWEEP_STAGE_BLOCKS
#define UPSWEEP_STAGE_BLOCKS
#include "sub_group/block_slots.cl"

// Where a block begins, in elements from the tile's start.
uint upsweep_block_begin(uint block)
{
    const uint sub_group = upsweep_sub_group();
    return (sub_group * UPSWEEP_BLOCKS + block) * UPSWEEP_BLOCK;
}

// Arrays of whole words lie at a multiple of 16 bytes mostly. So what moves them otherwise has few copies of its code:
// NVIDIA's compiler takes long for it. NVIDIA H100, without and with that, one run: first call, 2^28 int32 2121 and
// 1540 ms, 2^24 float 2522 and 1713; later calls, 2^28 int32, aligned, the input, the output, both one element further 733,
// 769, 753, 787 and 733, 763, 745, 776 us. But bytes got slower, 209, 217, 231, 246 and 216, 225, 259, 284.
//
//   UPSWEEP_LOADS_SINGLY   1: elements are loaded one by one as a rule, and not only in the last tile
#if UPSWEEP_LOADS_PACKS && UPSWEEP_ELEMENT_SIZE % 4 == 0
#define UPSWEEP_GRANULES_LOADED 8
#define UPSWEEP_LOADS_SINGLY UPSWEEP_ONE_TILE
#else
#define UPSWEEP_GRANULES_LOADED 128 // all
#define UPSWEEP_LOADS_SINGLY 1
#endif

// Elements that a lane loads or stores at a time where they go one by one: loads that are under way together.
#define UPSWEEP_MOST_BATCH (UPSWEEP_IS_LARGE(UPSWEEP_ELEMENT_SIZE) && UPSWEEP_IN_PARTS ? 1 : UPSWEEP_LOADS_SINGLY ? 16 : 4)
#define UPSWEEP_BATCH (UPSWEEP_RUN < UPSWEEP_MOST_BATCH ? UPSWEEP_RUN : UPSWEEP_MOST_BATCH)

// Fetches a block, of which `valid` elements are real, into local memory, element by element.
void upsweep_stage_block(upsweep_input block, uint valid, __local upsweep_slot* slots)
{
#pragma unroll 1
    for (uint first = 0; first < UPSWEEP_RUN; first += UPSWEEP_BATCH) {
        upsweep_element elements[UPSWEEP_BATCH];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_BATCH; ++i) {
            // What is missing is filled with the last element: Intel's CPU runtime makes loads that a condition forbids,
            // and NVIDIA's compiler makes them one after another.
            const uint e = min((first + i) * UPSWEEP_LANES + upsweep_lane(), valid - 1);
            elements[i] = UPSWEEP_LOAD(block, e);
        }
#pragma unroll
        for (uint i = 0; i < UPSWEEP_BATCH; ++i) {
            const uint e = (first + i) * UPSWEEP_LANES + upsweep_lane();
            UPSWEEP_PUT_ELEMENT(slots, e, elements[i]);
        }
    }
}

#if UPSWEEP_LOADS_PACKS
// Fetches the pack that begins at element `begin`.
void upsweep_stage_pack(upsweep_input in, uint begin, __local upsweep_slot* slot)
{
#if UPSWEEP_ASYNC_COPY
    upsweep_fetch_pack(in, begin, &slot->in);
#else
    slot->in = upsweep_load_whole_pack(in, begin);
#endif
}

void upsweep_stage_packs(upsweep_input block, __local upsweep_slot* slots)
{
#pragma unroll
    for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row) {
        const uint pack = row * UPSWEEP_LANES + upsweep_lane();
        upsweep_stage_pack(block, pack * UPSWEEP_PACK, slots + upsweep_slot_of_pack(pack));
    }
}
#endif

#if UPSWEEP_LOADS_GRANULES
void upsweep_stage_granules(upsweep_input block, __local upsweep_slot* slots)
{
#pragma unroll UPSWEEP_GRANULES_LOADED
    for (uint i = 0; i < UPSWEEP_RUN_PACKS * UPSWEEP_IN_GRANULES; ++i) {
        const uint index = i * UPSWEEP_LANES + upsweep_lane();
#if UPSWEEP_IN_PARTS
        upsweep_fetch_granule(block, index, slots + upsweep_slot_of_granule(index));
#else
        __local upsweep_slot* slot = slots + upsweep_slot_of_pack(index / UPSWEEP_IN_GRANULES);
        upsweep_fetch_granule(block, index, slot->in_granules + index % UPSWEEP_IN_GRANULES);
#endif
    }
}
#endif

// Blocks that are awaited together, and summed while the others are on their way; 0: all are awaited at once. H200, scans
// of 2^28 uint8, us, 0 and 2: 166 and 163; 4 163. Of 2^28 uint16 284 and 286, int32 551 and 553, of 2^27 int64 and double
// within 1 %.
#if UPSWEEP_ASYNC_COPY && (UPSWEEP_ALIGNED || UPSWEEP_LOADS_LINES) && UPSWEEP_LOADS_PACKS &&                                \
    UPSWEEP_ELEMENT_SIZE == 1 && UPSWEEP_BLOCKS <= 8
#define UPSWEEP_BLOCKS_AWAITED 2
// The last of them ends in the next one's first line.
#define UPSWEEP_BLOCKS_READ (UPSWEEP_BLOCKS_AWAITED + UPSWEEP_LOADS_LINES)
#else
#define UPSWEEP_BLOCKS_AWAITED 0
#endif

#if UPSWEEP_LOADS_PACKS
// Fetches the full blocks of this sub-group by packs, from `in`, which begins at a multiple of 16 bytes.
void upsweep_stage_blocks_of_packs(upsweep_input in, __local upsweep_slot* slots)
{
#pragma unroll 1 // copies are under way together all the same
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        upsweep_stage_packs(UPSWEEP_INPUT_AT(in, upsweep_block_begin(block)), slots + block * UPSWEEP_BLOCK_SLOTS);
#if UPSWEEP_BLOCKS_AWAITED > 0
        __asm__ volatile("cp.async.commit_group;" ::: "memory");
#endif
    }
}
#endif

// Whether the last tile, which is not full, goes by packs too, where it can. A single tile has all of its elements under way
// at once as it is. H200, scans of n - 1 elements of n, us, element by element and like this: 2^20, 2^23 and 2^25 int32 9.4,
// 33.0, 85.2 and 9.2, 29.1, 81.0 (n elements 7.0, 27.5, 79.2), 2^22 and 2^25 uint8 15.1, 41.3 and 11.2, 33.5 (8.8, 31.8).
#define UPSWEEP_LAST_BY_PACKS (UPSWEEP_LOADS_PACKS && !UPSWEEP_ONE_TILE)
#if UPSWEEP_LAST_BY_PACKS
// The same of a tile of which `valid` elements are real, a pack at least. In the place of a pack that is not full, the last
// full one is repeated.
void upsweep_stage_full_packs(upsweep_input in, uint valid, __local upsweep_slot* slots)
{
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block)
#pragma unroll
        for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row) {
            const uint pack = row * UPSWEEP_LANES + upsweep_lane();
            const uint begin = min(upsweep_block_begin(block) + pack * UPSWEEP_PACK, valid - UPSWEEP_PACK);
            upsweep_stage_pack(in, begin & ~(UPSWEEP_PACK - 1u),
                               slots + block * UPSWEEP_BLOCK_SLOTS + upsweep_slot_of_pack(pack));
        }
}
#endif

#define UPSWEEP_LAST_BY_WORDS (UPSWEEP_LAST_BY_PACKS && UPSWEEP_ASYNC_COPY && UPSWEEP_BEGINS_AT_WORDS(UPSWEEP_ELEMENT_SIZE))
#if UPSWEEP_LAST_BY_WORDS
// The same by words, from anywhere. The last element is repeated.
void upsweep_stage_words(upsweep_input in, uint valid, __local upsweep_slot* slots)
{
    const uint words = UPSWEEP_ELEMENT_SIZE / 4;
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block)
#pragma unroll 1
        for (uint i = upsweep_lane(); i < UPSWEEP_BLOCK * words; i += UPSWEEP_LANES) {
            const uint e = min(upsweep_block_begin(block) + i / words, valid - 1);
            upsweep_fetch_word(in, e, i % words,
                               (__local uint*)(slots + block * UPSWEEP_BLOCK_SLOTS + upsweep_slot_of_pack(i / 4)) + i % 4);
        }
}
#endif

// Fetches the full blocks of this sub-group from the tile at `in` into local memory.
void upsweep_stage_full_blocks(upsweep_input in, __local upsweep_slot* slots)
{
#if UPSWEEP_LOADS_LINES
    // What the last run has in the line behind the last block, and no more.
    if (upsweep_lane() * 4 < UPSWEEP_INPUT_SHIFT(in))
        upsweep_fetch_granule(UPSWEEP_INPUT_AT(in, upsweep_block_begin(UPSWEEP_BLOCKS)), upsweep_lane(),
                              &slots[UPSWEEP_BLOCKS * UPSWEEP_BLOCK_SLOTS].in_granules[upsweep_lane()]);
    upsweep_stage_blocks_of_packs(UPSWEEP_INPUT_LINES(in), slots);
#else
#if UPSWEEP_LOADS_PACKS
    if (UPSWEEP_INPUT_IS_ALIGNED(in)) {
        upsweep_stage_blocks_of_packs(in, slots);
        return;
    }
#endif
#if defined(UPSWEEP_INPUT_IS_ARRAY) && UPSWEEP_GRANULES_LOADED == 128
#pragma unroll
#else
#pragma unroll 1
#endif
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block)
#if UPSWEEP_LOADS_GRANULES
        upsweep_stage_granules(UPSWEEP_INPUT_AT(in, upsweep_block_begin(block)), slots + block * UPSWEEP_BLOCK_SLOTS);
#else
        upsweep_stage_block(UPSWEEP_INPUT_AT(in, upsweep_block_begin(block)), UPSWEEP_BLOCK,
                            slots + block * UPSWEEP_BLOCK_SLOTS);
#endif
#if UPSWEEP_SHIFTS_INPUT
    if (UPSWEEP_INPUT_SHIFT(in) != 0 && upsweep_lane() == 0)
        upsweep_fetch_granule(UPSWEEP_INPUT_AT(in, upsweep_block_begin(UPSWEEP_BLOCKS)), 0,
                              &UPSWEEP_FIRST_GRANULE(slots + (UPSWEEP_BLOCKS - 1) * UPSWEEP_BLOCK_SLOTS, UPSWEEP_LANES));
#endif
#endif
}

// Until what upsweep_stage_block fetched is there, for all lanes.
void upsweep_wait_for_stages(void)
{
#if UPSWEEP_ASYNC_COPY
    __asm__ volatile("cp.async.wait_all;" ::: "memory");
#endif
    upsweep_sync_lanes();
}

#if UPSWEEP_BLOCKS_AWAITED > 0
// Until all of a full tile's blocks but the last `left` are there, for all lanes. The instruction takes constants only.
void upsweep_wait_for_blocks(uint left)
{
    if (left >= 6)
        __asm__ volatile("cp.async.wait_group 6;" ::: "memory");
    else if (left >= 4)
        __asm__ volatile("cp.async.wait_group 4;" ::: "memory");
    else if (left >= 2)
        __asm__ volatile("cp.async.wait_group 2;" ::: "memory");
    else
        __asm__ volatile("cp.async.wait_group 0;" ::: "memory");
    upsweep_sync_lanes();
}
#endif

#endif
