// SPDX-License-Identifier: MIT
// A tile laid out in blocks for sub-groups. A pack (packs.cl) is a few elements; a run is UPSWEEP_RUN_PACKS
// neighbouring packs; a block is one run per lane. The blocks of a work-group's first sub-group come first, then those of
// the next.
//
// Packs are loaded and stored in rows: all lanes together touch 32 neighbouring packs. Rows become runs in local memory,
// where the packs of a run change places (upsweep_slot_of) or a gap follows it, so that neither view meets bank conflicts,
// and where the tile waits for its prefix. What precedes each element is formed in the canonical order (tree.cl).
//
//   UPSWEEP_PACK          elements per pack
//   UPSWEEP_RUN_PACKS     packs per run: 1, 2, 4 or 8
//   UPSWEEP_ASYNC_COPY    1: rows go to local memory by cp.async (NVIDIA, compute capability 8.0 and up)
#ifndef UPSWEEP_TILE_BLOCKS
#define UPSWEEP_TILE_BLOCKS
#define UPSWEEP_HAS_BLOCKS
#include "sub_group/store_blocks.cl"
#if UPSWEEP_ITEMS % (UPSWEEP_PACK * UPSWEEP_RUN_PACKS) != 0 || (UPSWEEP_ITEMS & (UPSWEEP_ITEMS - 1)) != 0
#error "UPSWEEP_ITEMS must be a power of two and hold whole runs"
#endif

#if UPSWEEP_ITEMS > 32 * UPSWEEP_PACK * UPSWEEP_RUN_PACKS
#error "UPSWEEP_ITEMS must be 32 runs at most: each lane keeps the sum of one block"
#endif

#if UPSWEEP_PACK * UPSWEEP_RUN_PACKS > UPSWEEP_MOST_VALUES
#error "UPSWEEP_RUN_PACKS must make runs of at most 128 elements"
#endif

// Blocks that a sub-group works on side by side, so that the exchanges of one do not wait for those of another. With 4 there
// is a tenth to a fifth more to compile, and nothing is faster (NVIDIA H100) but values of 8 bytes. H200, 2^27, us, 2 summed
// and 2 scanned, 4 and 2, 4 and 4: exclusive scans of double 590, 575, 587, inclusive 609, 604, 598, of pairs of uint by an
// operator of one's own 616, 604, 594, of int64 575, 570, 572.
// One after another where a hook computes elements or decides what is stored: its text, many times over, is more than
// fits in an instruction cache. (2^28 int32: with 4, sums by key took 5141 us, with 1 4310; copy_if 970 and 856.) Large
// values take the registers that several blocks would. Bytes that are shifted into place too: H200, scans of 2^28, us,
// input, output, both one element further, 2 and 1 scanned: 194, 179, 211 and 189, 178, 204.
// Where blocks are awaited, the sums of all are written out, because the instruction takes constants.
#define UPSWEEP_SCANS_FOUR (UPSWEEP_USERS_OPERATOR || !UPSWEEP_IS_EXCLUSIVE(UPSWEEP_EXCLUSIVE))
#if defined(UPSWEEP_INPUT_IS_ARRAY) && defined(UPSWEEP_OUTPUT_IS_ARRAY) && UPSWEEP_VALUE_SIZE <= 16
#define UPSWEEP_BLOCKS_SUMMED (UPSWEEP_BLOCKS_AWAITED > 0 ? UPSWEEP_BLOCKS : UPSWEEP_VALUE_SIZE == 8 ? 4 : 2)
#define UPSWEEP_BLOCKS_SCANNED                                                                                         \
    (UPSWEEP_VALUE_SIZE == 8 && UPSWEEP_SCANS_FOUR ? 4 : UPSWEEP_VALUE_SIZE == 1 && UPSWEEP_STORES_LINES ? 1 : 2)
#else
#define UPSWEEP_BLOCKS_SUMMED 1
#define UPSWEEP_BLOCKS_SCANNED 1
#endif

// This lane's run of a block in local memory, which begins `shift` bytes behind its first granule's beginning.
void upsweep_read_run(const __local upsweep_slot* slots, uint shift, upsweep_value* run)
{
    upsweep_pack packs[UPSWEEP_RUN_PACKS];
#pragma unroll
    for (uint k = 0; k < UPSWEEP_RUN_PACKS; ++k) packs[k] = UPSWEEP_GET_PACK(slots, upsweep_lane(), k);
#if UPSWEEP_LOADS_LINES
    if (shift != 0) {
        uint words[UPSWEEP_RUN_PACKS * 4 + 4];
        const uint4 next = UPSWEEP_GET_PACK(slots, upsweep_lane() + 1, 0).wide;
#pragma unroll
        for (uint i = 0; i < UPSWEEP_RUN_PACKS * 4; ++i) words[i] = packs[i / 4].parts[i % 4];
        words[UPSWEEP_RUN_PACKS * 4] = next.x;
        words[UPSWEEP_RUN_PACKS * 4 + 1] = next.y;
        words[UPSWEEP_RUN_PACKS * 4 + 2] = next.z;
        words[UPSWEEP_RUN_PACKS * 4 + 3] = next.w;
        upsweep_drop_bytes(words, UPSWEEP_RUN_PACKS * 4 + 4, shift, UPSWEEP_BEGINS_AT_WORDS(UPSWEEP_ELEMENT_SIZE));
#pragma unroll
        for (uint i = 0; i < UPSWEEP_RUN_PACKS * 4; ++i) packs[i / 4].parts[i % 4] = words[i];
        upsweep_sync_lanes(); // before the next lane writes its results over what was read here
    }
#elif UPSWEEP_SHIFTS_INPUT
    if (shift != 0) {
        const uint end = UPSWEEP_FIRST_GRANULE(slots, upsweep_lane() + 1);
#pragma unroll
        for (uint k = 0; k < UPSWEEP_RUN_PACKS; ++k)
#pragma unroll
            for (uint i = 0; i < UPSWEEP_IN_GRANULES; ++i) {
                const uint next = k * UPSWEEP_IN_GRANULES + i + 1;
                const uint high = next < UPSWEEP_RUN_PACKS * UPSWEEP_IN_GRANULES
                                      ? packs[next / UPSWEEP_IN_GRANULES].parts[next % UPSWEEP_IN_GRANULES]
                                      : end;
                packs[k].parts[i] = upsweep_shifted_word(packs[k].parts[i], high, shift);
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
        UPSWEEP_PUT_PACK(slots, upsweep_lane(), k, pack);
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
