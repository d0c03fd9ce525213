// SPDX-License-Identifier: MIT
// Blocks of a tile on their way between global and local memory (tile_blocks.cl): by packs where the caller's array lies
// at a multiple of 16 bytes, else by granules, else element by element. Neighbouring lanes touch neighbouring addresses.
#ifndef UPSWEEP_MOVE_BLOCKS
#define UPSWEEP_MOVE_BLOCKS
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
#if UPSWEEP_STORES_PACKS && UPSWEEP_VALUE_SIZE % 4 == 0
#define UPSWEEP_GRANULES_STORED 8
#else
#define UPSWEEP_GRANULES_STORED 128
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
void upsweep_stage_packs(upsweep_input block, __local upsweep_slot* slots)
{
#pragma unroll
    for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row) {
        const uint pack = row * UPSWEEP_LANES + upsweep_lane();
        __local upsweep_slot* slot = slots + upsweep_slot_of_pack(pack);
#if UPSWEEP_ASYNC_COPY
        upsweep_fetch_pack(block, pack * UPSWEEP_PACK, &slot->in);
#else
        slot->in = upsweep_load_whole_pack(block, pack * UPSWEEP_PACK);
#endif
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
#if UPSWEEP_ASYNC_COPY && UPSWEEP_ALIGNED && UPSWEEP_LOADS_PACKS && UPSWEEP_ELEMENT_SIZE == 1 && UPSWEEP_BLOCKS <= 8
#define UPSWEEP_BLOCKS_AWAITED 2
#else
#define UPSWEEP_BLOCKS_AWAITED 0
#endif

// Fetches the full blocks of this sub-group from the tile at `in` into local memory.
void upsweep_stage_full_blocks(upsweep_input in, __local upsweep_slot* slots)
{
#if UPSWEEP_LOADS_PACKS
    if (UPSWEEP_INPUT_IS_ALIGNED(in)) {
#pragma unroll 1 // copies are under way together all the same
        for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
            upsweep_stage_packs(UPSWEEP_INPUT_AT(in, upsweep_block_begin(block)), slots + block * UPSWEEP_BLOCK_SLOTS);
#if UPSWEEP_BLOCKS_AWAITED > 0
            __asm__ volatile("cp.async.commit_group;" ::: "memory");
#endif
        }
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

#ifdef UPSWEEP_STORES_AT
// Stores those of `size` elements of a block in local memory for which the hook does anything. Each lane goes through its
// own, so that the hook's text is there once, and lanes that have none wait for few.
void upsweep_store_block(const __local upsweep_slot* slots, upsweep_output out, uint size)
{
#pragma unroll 1
    for (uint first = 0; first < UPSWEEP_RUN; first += UPSWEEP_BATCH) {
        uint chosen = 0;
#pragma unroll
        for (uint i = 0; i < UPSWEEP_BATCH; ++i) {
            const uint e = (first + i) * UPSWEEP_LANES + upsweep_lane();
            chosen |= (UPSWEEP_STORES_AT(out, min(e, size - 1)) & (e < size)) << i;
        }
        while (chosen != 0) {
            const uint i = 31 - clz(chosen);
            const uint e = (first + i) * UPSWEEP_LANES + upsweep_lane();
            UPSWEEP_STORE_CHOSEN(out, e, UPSWEEP_GET_VALUE(slots, e));
            chosen ^= 1u << i;
        }
    }
}
#else
// Stores `size` elements of a block from local memory, element by element.
void upsweep_store_block(const __local upsweep_slot* slots, upsweep_output out, uint size)
{
#pragma unroll 1
    for (uint first = 0; first < UPSWEEP_RUN; first += UPSWEEP_BATCH) {
#ifdef UPSWEEP_READ_FOR_STORE
        upsweep_read_values read[UPSWEEP_BATCH];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_BATCH; ++i)
            read[i] = UPSWEEP_READ_FOR_STORE(out, min((first + i) * UPSWEEP_LANES + upsweep_lane(), size - 1));
#endif
#pragma unroll
        for (uint i = 0; i < UPSWEEP_BATCH; ++i) {
            const uint e = (first + i) * UPSWEEP_LANES + upsweep_lane();
            if (e >= size) continue;
            const upsweep_value value = UPSWEEP_GET_VALUE(slots, e);
#ifdef UPSWEEP_READ_FOR_STORE
            UPSWEEP_STORE_WITH(out, e, value, read[i]);
#else
            UPSWEEP_STORE(out, e, value);
#endif
        }
    }
}
#endif

#if UPSWEEP_STORES_GRANULES
upsweep_out_granule upsweep_local_granule(const __local upsweep_slot* slots, uint index)
{
#if UPSWEEP_IN_PARTS
    return slots[upsweep_slot_of_granule(index)];
#else
    return slots[upsweep_slot_of_pack(index / UPSWEEP_OUT_GRANULES)].out_granules[index % UPSWEEP_OUT_GRANULES];
#endif
}

#if UPSWEEP_SHIFTS_OUTPUT
// Stores a full block that begins `shift` bytes behind the beginning of a granule, 1 to 3.
void upsweep_store_shifted(const __local upsweep_slot* slots, upsweep_output out, uint shift)
{
    const uint granules = UPSWEEP_RUN_PACKS * UPSWEEP_LANES * UPSWEEP_OUT_GRANULES;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_RUN_PACKS * UPSWEEP_OUT_GRANULES; ++i) {
        const uint index = i * UPSWEEP_LANES + upsweep_lane();
        const uint own = upsweep_local_granule(slots, index);
        const uint before = upsweep_local_granule(slots, max(index, 1u) - 1);
        if (index > 0)
            upsweep_store_granule(out, index, upsweep_shifted_word(before, own, 4 - shift));
        else
            upsweep_store_bytes(out, index, own << shift * 8, shift, 4);
    }
    if (upsweep_lane() == 0)
        upsweep_store_bytes(out, granules, upsweep_local_granule(slots, granules - 1) >> (4 - shift) * 8, 0, shift);
}
#endif
#endif

// Stores a full block from local memory.
void upsweep_store_full_block(const __local upsweep_slot* slots, upsweep_output out)
{
#if UPSWEEP_STORES_PACKS
    if (UPSWEEP_OUTPUT_IS_ALIGNED(out)) {
#pragma unroll
        for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row) {
            const uint pack = row * UPSWEEP_LANES + upsweep_lane();
            upsweep_store_whole_pack(out, pack * UPSWEEP_PACK, slots[upsweep_slot_of_pack(pack)].out);
        }
        return;
    }
#endif
#if UPSWEEP_SHIFTS_OUTPUT
    if (UPSWEEP_OUTPUT_SHIFT(out) != 0) {
        upsweep_store_shifted(slots, out, UPSWEEP_OUTPUT_SHIFT(out));
        return;
    }
#endif
#if UPSWEEP_STORES_GRANULES
#pragma unroll UPSWEEP_GRANULES_STORED
    for (uint i = 0; i < UPSWEEP_RUN_PACKS * UPSWEEP_OUT_GRANULES; ++i) {
        const uint index = i * UPSWEEP_LANES + upsweep_lane();
        upsweep_store_granule(out, index, upsweep_local_granule(slots, index));
    }
#else
    upsweep_store_block(slots, out, UPSWEEP_BLOCK);
#endif
}

#endif
