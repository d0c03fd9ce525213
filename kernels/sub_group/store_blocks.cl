// SPDX-License-Identifier: MIT
// Blocks of a tile on their way from local to global memory, as stage_blocks.cl fetches them.
#ifndef UPSWEEP_STORE_BLOCKS
#define UPSWEEP_STORE_BLOCKS
#include "sub_group/stage_blocks.cl"

// As for loads.
#if UPSWEEP_STORES_PACKS && UPSWEEP_VALUE_SIZE % 4 == 0
#define UPSWEEP_GRANULES_STORED 8
#else
#define UPSWEEP_GRANULES_STORED 128
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

// The same by packs, as many as are full, where that can be.
void upsweep_store_some(const __local upsweep_slot* slots, upsweep_output out, uint size)
{
#if UPSWEEP_LAST_BY_PACKS && UPSWEEP_STORES_PACKS
    if (UPSWEEP_OUTPUT_IS_ALIGNED(out)) {
        const uint packs = size / UPSWEEP_PACK;
#pragma unroll 1
        for (uint pack = upsweep_lane(); pack < packs; pack += UPSWEEP_LANES)
            upsweep_store_whole_pack(out, pack * UPSWEEP_PACK, slots[upsweep_slot_of_pack(pack)].out);
        const uint e = packs * UPSWEEP_PACK + upsweep_lane();
        if (e < size) UPSWEEP_STORE(out, e, UPSWEEP_GET_VALUE(slots, e));
        return;
    }
#endif
    upsweep_store_block(slots, out, size);
}

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

#if UPSWEEP_STORES_LINES
// Stores full block number `block` of a sub-group by lines, of which the first begins `shift` bytes before it, 1 to 15. A
// line that two blocks share is stored with the second one. One that two sub-groups share is stored by bytes.
void upsweep_store_lines(const __local upsweep_slot* slots, uint block, upsweep_output out, uint shift)
{
    const uint last = UPSWEEP_RUN_PACKS * UPSWEEP_LANES - 1;
#pragma unroll
    for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row) {
        const uint pack = row * UPSWEEP_LANES + upsweep_lane();
        const uint is_first = pack == 0;
        const __local upsweep_slot* from = slots - (is_first && block > 0 ? UPSWEEP_BLOCK_SLOTS : 0);
        const uint4 before = from[upsweep_slot_of_pack(is_first ? last : pack - 1)].out.wide;
        const uint4 own = slots[upsweep_slot_of_pack(pack)].out.wide;
        upsweep_out_pack line;
        line.wide = upsweep_shifted_pack(before, own, 16 - shift, UPSWEEP_BEGINS_AT_WORDS(UPSWEEP_VALUE_SIZE));
        if (pack + block > 0) upsweep_store_line(out, pack, line);
    }
    const uint lane = upsweep_lane();
    if (block == 0 && lane < 16 - shift)
        upsweep_store_byte(out, lane, ((const __local uchar*)&slots[upsweep_slot_of_pack(0)])[lane]);
    if (block == UPSWEEP_BLOCKS - 1 && lane < shift)
        upsweep_store_byte(out, last * 16 + 16 - shift + lane,
                           ((const __local uchar*)&slots[upsweep_slot_of_pack(last)])[16 - shift + lane]);
}
#endif

// Stores full block number `block` of a sub-group from local memory.
void upsweep_store_full_block(const __local upsweep_slot* slots, uint block, upsweep_output out)
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
#if UPSWEEP_STORES_LINES
    upsweep_store_lines(slots, block, out, UPSWEEP_OUTPUT_SHIFT(out));
#elif UPSWEEP_STORES_GRANULES
#if UPSWEEP_SHIFTS_OUTPUT
    if (UPSWEEP_OUTPUT_SHIFT(out) != 0) {
        upsweep_store_shifted(slots, out, UPSWEEP_OUTPUT_SHIFT(out));
        return;
    }
#endif
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
