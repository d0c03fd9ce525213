// SPDX-License-Identifier: MIT
// A tile laid out in blocks for sub-groups. A pack is 16 bytes of elements where their size divides 16, else one
// element; a run is UPSWEEP_RUN_PACKS neighbouring packs; a block is one run per lane. The blocks of a work-group's first
// sub-group come first, then those of the next.
//
// Packs are loaded and stored in rows: all lanes together touch 32 neighbouring packs. Rows become runs in local memory,
// where the packs of a run change places (upsweep_slot_of) so that neither view meets bank conflicts, and where the tile
// waits for its prefix. What precedes each element is formed in the canonical order (tree.cl).
//
//   UPSWEEP_PACK          elements per pack
//   UPSWEEP_RUN_PACKS     packs per run: 1, 2, 4 or 8
//   UPSWEEP_ASYNC_COPY    1: rows go to local memory by cp.async (NVIDIA, compute capability 8.0 and up)
#ifndef UPSWEEP_TILE_BLOCKS
#define UPSWEEP_TILE_BLOCKS
#define UPSWEEP_HAS_BLOCKS
#include "sub_group/lanes_tree.cl"
#include "tile/load_packs.cl"
#include "tile/store_packs.cl"
#if UPSWEEP_ITEMS % (UPSWEEP_PACK * UPSWEEP_RUN_PACKS) != 0 || (UPSWEEP_ITEMS & (UPSWEEP_ITEMS - 1)) != 0
#error "UPSWEEP_ITEMS must be a power of two and hold whole runs"
#endif

#if UPSWEEP_ITEMS > 32 * UPSWEEP_PACK * UPSWEEP_RUN_PACKS
#error "UPSWEEP_ITEMS must be 32 runs at most: each lane keeps the sum of one block"
#endif

#if UPSWEEP_PACK * UPSWEEP_RUN_PACKS > UPSWEEP_MOST_VALUES
#error "UPSWEEP_RUN_PACKS must make runs of at most 128 elements"
#endif

#define UPSWEEP_RUN (UPSWEEP_PACK * UPSWEEP_RUN_PACKS)
#define UPSWEEP_BLOCK (UPSWEEP_RUN * UPSWEEP_LANES)
#define UPSWEEP_BLOCKS (UPSWEEP_ITEMS / UPSWEEP_RUN)
// Blocks that a sub-group works on side by side, so that the exchanges of one do not wait for those of another. Bytes
// make long runs: with 4, an NVIDIA H200 brought 2^28 uint8 to 0.716 of a copy instead of 0.741.
#define UPSWEEP_BLOCKS_SUMMED 4
#define UPSWEEP_BLOCKS_SCANNED (UPSWEEP_ELEMENT_SIZE == 1 ? 2 : 4)

// Places for one block's packs.
#define UPSWEEP_BLOCK_SLOTS (UPSWEEP_RUN_PACKS * UPSWEEP_LANES)
#define UPSWEEP_IN_GRANULES (UPSWEEP_PACK * UPSWEEP_ELEMENT_SIZE / UPSWEEP_IN_GRANULE)
#define UPSWEEP_OUT_GRANULES (UPSWEEP_PACK * UPSWEEP_VALUE_SIZE / UPSWEEP_OUT_GRANULE)
// One place in local memory: a pack as it was read, then as it will be written.
typedef union {
    upsweep_pack in;
    upsweep_out_pack out;
#if UPSWEEP_LOADS_GRANULES
    upsweep_in_granule in_granules[UPSWEEP_IN_GRANULES];
#endif
#if UPSWEEP_STORES_GRANULES
    upsweep_out_granule out_granules[UPSWEEP_OUT_GRANULES];
#endif
} upsweep_slot;

// Elements smaller than a granule may begin within one: then a run ends in the first granule of what follows it. Behind
// the last block of a sub-group that takes a place of its own.
#define UPSWEEP_SHIFTS_INPUT (UPSWEEP_LOADS_GRANULES && UPSWEEP_ELEMENT_SIZE % 4 != 0)
#define UPSWEEP_SHIFTS_OUTPUT (UPSWEEP_STORES_GRANULES && UPSWEEP_VALUE_SIZE % 4 != 0)
#define UPSWEEP_SUB_GROUP_SLOTS (UPSWEEP_BLOCKS * UPSWEEP_BLOCK_SLOTS + UPSWEEP_SHIFTS_INPUT)

// Where pack `pack` of the run of `lane` lies. Eight neighbouring lanes access 16 bytes each at a time: their packs of
// one number, and any eight neighbouring packs, fall on different banks.
uint upsweep_slot_of(uint lane, uint pack)
{
    return lane * UPSWEEP_RUN_PACKS + (pack ^ (lane * UPSWEEP_RUN_PACKS / 8 & (UPSWEEP_RUN_PACKS - 1)));
}

// Where pack `pack` of a block lies.
uint upsweep_slot_of_pack(uint pack)
{
    return upsweep_slot_of(pack / UPSWEEP_RUN_PACKS, pack % UPSWEEP_RUN_PACKS);
}

// Where a block begins, in elements from the tile's start.
uint upsweep_block_begin(uint block)
{
    const uint sub_group = upsweep_sub_group();
    return (sub_group * UPSWEEP_BLOCKS + block) * UPSWEEP_BLOCK;
}

// Fetches a block, of which `valid` elements are real, into local memory, element by element.
void upsweep_stage_block(upsweep_input block, uint valid, __local upsweep_slot* slots)
{
#pragma unroll 8
    for (uint i = 0; i < UPSWEEP_RUN; ++i) {
        const uint e = i * UPSWEEP_LANES + upsweep_lane();
        __local upsweep_pack* pack = &slots[upsweep_slot_of_pack(e / UPSWEEP_PACK)].in;
#if UPSWEEP_PTX
        if (e < valid) pack->elements[e % UPSWEEP_PACK] = UPSWEEP_LOAD(block, e);
#else
        // What is missing is filled with the last element: Intel's CPU runtime makes loads that a condition forbids.
        pack->elements[e % UPSWEEP_PACK] = UPSWEEP_LOAD(block, min(e, valid - 1));
#endif
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
#pragma unroll
    for (uint i = 0; i < UPSWEEP_RUN_PACKS * UPSWEEP_IN_GRANULES; ++i) {
        const uint index = i * UPSWEEP_LANES + upsweep_lane();
        __local upsweep_slot* slot = slots + upsweep_slot_of_pack(index / UPSWEEP_IN_GRANULES);
        upsweep_fetch_granule(block, index, slot->in_granules + index % UPSWEEP_IN_GRANULES);
    }
}
#endif

// Fetches the full blocks of this sub-group from the tile at `in` into local memory.
void upsweep_stage_full_blocks(upsweep_input in, __local upsweep_slot* slots)
{
#if UPSWEEP_LOADS_PACKS
    if (UPSWEEP_INPUT_IS_ALIGNED(in)) {
#pragma unroll
        for (uint block = 0; block < UPSWEEP_BLOCKS; ++block)
            upsweep_stage_packs(UPSWEEP_INPUT_AT(in, upsweep_block_begin(block)), slots + block * UPSWEEP_BLOCK_SLOTS);
        return;
    }
#endif
#pragma unroll
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
                              slots[UPSWEEP_BLOCKS * UPSWEEP_BLOCK_SLOTS].in_granules);
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

// This lane's run of a block in local memory, which begins `shift` bytes behind its first granule's beginning.
void upsweep_read_run(const __local upsweep_slot* slots, uint shift, upsweep_value* run)
{
    upsweep_pack packs[UPSWEEP_RUN_PACKS];
#pragma unroll
    for (uint k = 0; k < UPSWEEP_RUN_PACKS; ++k) packs[k] = slots[upsweep_slot_of(upsweep_lane(), k)].in;
#if UPSWEEP_SHIFTS_INPUT
    if (shift != 0) {
        const uint end = slots[upsweep_slot_of(upsweep_lane() + 1, 0)].in_granules[0];
#pragma unroll
        for (uint k = 0; k < UPSWEEP_RUN_PACKS; ++k)
#pragma unroll
            for (uint i = 0; i < UPSWEEP_IN_GRANULES; ++i) {
                const uint next = k * UPSWEEP_IN_GRANULES + i + 1;
                const uint high = next < UPSWEEP_RUN_PACKS * UPSWEEP_IN_GRANULES
                                      ? packs[next / UPSWEEP_IN_GRANULES].granules[next % UPSWEEP_IN_GRANULES]
                                      : end;
                packs[k].granules[i] = upsweep_shifted_word(packs[k].granules[i], high, shift);
            }
        upsweep_sync_lanes(); // before the next lane writes its results over what was read here
    }
#endif
#pragma unroll
    for (uint k = 0; k < UPSWEEP_RUN_PACKS; ++k)
#pragma unroll
        for (uint i = 0; i < UPSWEEP_PACK; ++i) run[k * UPSWEEP_PACK + i] = packs[k].elements[i];
}

// The sum of a full block in local memory.
upsweep_value upsweep_sum_local_block(const __local upsweep_slot* slots, uint shift)
{
    upsweep_value run[UPSWEEP_RUN];
    upsweep_read_run(slots, shift, run);
    upsweep_sweep_up(run, UPSWEEP_RUN, UPSWEEP_RUN);
    return upsweep_lanes_sum(run[UPSWEEP_RUN - 1]);
}

// This lane's run back into local memory.
void upsweep_write_run(__local upsweep_slot* slots, const upsweep_value* run)
{
#pragma unroll
    for (uint k = 0; k < UPSWEEP_RUN_PACKS; ++k) {
        upsweep_out_pack pack;
#pragma unroll
        for (uint i = 0; i < UPSWEEP_PACK; ++i) pack.values[i] = run[k * UPSWEEP_PACK + i];
        slots[upsweep_slot_of(upsweep_lane(), k)].out = pack;
    }
}

// The prefixes that one sub-group needs: lane b holds that of block b.
typedef struct {
    upsweep_value of_block;
#if UPSWEEP_BLOCKS == UPSWEEP_LANES
    upsweep_value end; // of what follows the last block; with fewer blocks, the lane behind theirs holds it
#endif
} upsweep_prefixes;

// The prefix of what follows a block.
upsweep_value upsweep_next_prefix(const upsweep_prefixes* prefixes, uint block)
{
#if UPSWEEP_BLOCKS == UPSWEEP_LANES
    if (block + 1 == UPSWEEP_BLOCKS) return prefixes->end;
#endif
    return upsweep_from_lane(prefixes->of_block, block + 1);
}

// Stores `size` elements of a block from local memory, element by element.
void upsweep_store_block(const __local upsweep_slot* slots, upsweep_output out, uint size)
{
#pragma unroll 8
    for (uint i = 0; i < UPSWEEP_RUN; ++i) {
        const uint e = i * UPSWEEP_LANES + upsweep_lane();
        if (e < size)
            UPSWEEP_STORE(out, e, slots[upsweep_slot_of_pack(e / UPSWEEP_PACK)].out.values[e % UPSWEEP_PACK]);
    }
}

#if UPSWEEP_STORES_GRANULES
upsweep_out_granule upsweep_local_granule(const __local upsweep_slot* slots, uint index)
{
    return slots[upsweep_slot_of_pack(index / UPSWEEP_OUT_GRANULES)].out_granules[index % UPSWEEP_OUT_GRANULES];
}

#if UPSWEEP_SHIFTS_OUTPUT
// Stores a full block that begins `shift` bytes behind the beginning of a granule, 1 to 3.
void upsweep_store_shifted(const __local upsweep_slot* slots, upsweep_output out, uint shift)
{
    const uint granules = UPSWEEP_BLOCK_SLOTS * UPSWEEP_OUT_GRANULES;
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
#pragma unroll
    for (uint i = 0; i < UPSWEEP_RUN_PACKS * UPSWEEP_OUT_GRANULES; ++i) {
        const uint index = i * UPSWEEP_LANES + upsweep_lane();
        upsweep_store_granule(out, index, upsweep_local_granule(slots, index));
    }
#else
    upsweep_store_block(slots, out, UPSWEEP_BLOCK);
#endif
}

// Scans block number `block` in local memory, of which `size` elements are real, from its prefix, in place. An inclusive
// scan of a full block ends with the prefix of the next.
void upsweep_scan_block(__local upsweep_slot* slots, uint shift, uint block, uint size, uint full, uint exclusive,
                        uint has_prefix, const upsweep_prefixes* prefixes)
{
    upsweep_value prefix = upsweep_from_lane(prefixes->of_block, block);
    const uint run_begin = upsweep_lane() * UPSWEEP_RUN;
    const uint used = full ? UPSWEEP_RUN : size > run_begin ? min(size - run_begin, (uint)UPSWEEP_RUN) : 0u;

    upsweep_value run[UPSWEEP_RUN];
    upsweep_value before[UPSWEEP_LANE_BITS];
    upsweep_read_run(slots, shift, run);
    upsweep_sweep_up(run, UPSWEEP_RUN, used);
    upsweep_lanes_up(run[UPSWEEP_RUN - 1], UPSWEEP_LANES, full ? UPSWEEP_LANES : size / UPSWEEP_RUN, before);
    // The lane behind the last full run has its prefix too, with or without elements: it is what that run ends with.
    if (full || upsweep_lane() <= size / UPSWEEP_RUN) upsweep_lanes_down(before, UPSWEEP_LANES, &has_prefix, &prefix);
    upsweep_sweep_down(run, UPSWEEP_RUN, full ? UPSWEEP_RUN : upsweep_down_entries(UPSWEEP_RUN, used, exclusive),
                       has_prefix, prefix);
    // Written in each branch: upsweep_scan_any_tile learns `exclusive` only when it runs, and with one write every element
    // would cost a selection there.
    if (exclusive) {
        upsweep_write_run(slots, run);
    } else {
        const upsweep_value of_next_lane = upsweep_from_lane(prefix, (upsweep_lane() + 1) % UPSWEEP_LANES);
        const upsweep_value of_next_block = upsweep_next_prefix(prefixes, block);
        upsweep_shift(run, UPSWEEP_RUN, upsweep_lane() + 1 < UPSWEEP_LANES ? of_next_lane : of_next_block);
        upsweep_write_run(slots, run);
    }
    upsweep_sync_lanes();
}

#endif
