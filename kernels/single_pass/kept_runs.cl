// SPDX-License-Identifier: MIT
// One tile in the canonical order for operators that cost more than the memory: each run, with the sums of its blocks, stays
// in local memory between up-sweep and down-sweep. So each element is read once, and the operator is applied about twice
// per element. The sums of the runs are swept likewise (blelloch.cl): over 256 work-items both sweeps together take the
// time of 24 applications by a sub-group, where exchanges in each of their 8 sub-groups would take that of 80.
//
// The sweeps are loops that apply the operator in one place each. Where they are unrolled, so that a run is in registers, a
// scan of floats by log(exp(a) + exp(b)) is 450 KB of machine code, and an NVIDIA H200 waits for instructions.
#ifndef UPSWEEP_KEPT_RUNS
#define UPSWEEP_KEPT_RUNS
#include "tile/io.cl"
#include "textbook/blelloch.cl"
#if (UPSWEEP_ITEMS & (UPSWEEP_ITEMS - 1)) != 0
#error "UPSWEEP_ITEMS must be a power of two"
#endif

// Where element i of a tile lies in local memory: an unused slot after every run, so that neighbouring work-items access
// different banks when all of them access their runs.
#if UPSWEEP_BANK_BITS > 0
#define UPSWEEP_KEPT_SLOT(i) ((i) + (i) / UPSWEEP_ITEMS)
#else
#define UPSWEEP_KEPT_SLOT(i) (i)
#endif
#define UPSWEEP_KEPT_SLOTS (UPSWEEP_KEPT_SLOT(UPSWEEP_TILE - 1) + 1)

// A work-group's local memory.
typedef struct {
    upsweep_value elements[UPSWEEP_KEPT_SLOTS];
    upsweep_value sums[UPSWEEP_SCAN_SLOTS]; // of runs
} upsweep_kept_tile;

// Neighbours that both sweeps take from local memory and back at once, so that applications need not wait for one another.
// NVIDIA H200, us: log(exp(a) + exp(b)), 2^27 float, 128 x 64: 1 about 857, 4 728, 8 703; 2 x 2 matrices modulo a prime,
// 2^24 of 16 bytes: 1 480, 4 441.
#if UPSWEEP_ITEMS < 8
#define UPSWEEP_KEPT_BLOCK 1
#elif UPSWEEP_VALUE_SIZE > 4
#define UPSWEEP_KEPT_BLOCK 4
#else
#define UPSWEEP_KEPT_BLOCK 8
#endif

// Up-sweep over a block: each sum that later steps ask for is in its last element.
void upsweep_kept_block_up(__local upsweep_value* block)
{
#if UPSWEEP_KEPT_BLOCK == 4
    const upsweep_value left = upsweep_combine_inline(block[0], block[1]);
    const upsweep_value right = upsweep_combine_inline(block[2], block[3]);
    block[1] = left;
    block[3] = upsweep_combine_inline(left, right);
#elif UPSWEEP_KEPT_BLOCK == 8
    upsweep_value values[8];
    UPSWEEP_UNROLL for (uint i = 0; i < 8; ++i) values[i] = block[i];
    UPSWEEP_UNROLL for (uint i = 1; i < 8; i += 2) values[i] = upsweep_combine_inline(values[i - 1], values[i]);
    UPSWEEP_UNROLL for (uint i = 3; i < 8; i += 4) values[i] = upsweep_combine_inline(values[i - 2], values[i]);
    values[7] = upsweep_combine_inline(values[3], values[7]);
    UPSWEEP_UNROLL for (uint i = 1; i < 8; i += 2) block[i] = values[i];
#endif
}

// Down-sweep over a block, from the prefix in its last element.
void upsweep_kept_block_down(__local upsweep_value* block)
{
#if UPSWEEP_KEPT_BLOCK == 4
    const upsweep_value before = block[3];
    const upsweep_value first = block[0];
    const upsweep_value middle = upsweep_combine_inline(before, block[1]);
    block[3] = upsweep_combine_inline(middle, block[2]);
    block[1] = upsweep_combine_inline(before, first);
    block[0] = before;
    block[2] = middle;
#elif UPSWEEP_KEPT_BLOCK == 8
    upsweep_value values[8];
    UPSWEEP_UNROLL for (uint i = 0; i < 8; ++i) values[i] = block[i];
    const upsweep_value middle = upsweep_combine_inline(values[7], values[3]);
    upsweep_value prefixes[8];
    prefixes[0] = values[7];
    prefixes[4] = middle;
    UPSWEEP_UNROLL for (uint i = 0; i < 8; i += 4)
        prefixes[i + 2] = upsweep_combine_inline(prefixes[i], values[i + 1]);
    UPSWEEP_UNROLL for (uint i = 0; i < 8; i += 2) prefixes[i + 1] = upsweep_combine_inline(prefixes[i], values[i]);
    UPSWEEP_UNROLL for (uint i = 0; i < 8; ++i) block[i] = prefixes[i];
#endif
}

// The steps of an up-sweep that combine blocks of `size` elements and larger ones, over the first `length` elements of a
// run: the last element of each full block becomes its sum.
void upsweep_kept_steps_up(__local upsweep_value* run, uint size, uint length)
{
#pragma unroll 1
    for (uint half_size = size; half_size < UPSWEEP_ITEMS; half_size *= 2)
#pragma unroll 1
        for (uint last = 2 * half_size - 1; last < length; last += 2 * half_size)
            run[last] = upsweep_combine_inline(run[last - half_size], run[last]);
}

// The steps of a down-sweep from the prefix in the last entry of a run down to blocks of `size` elements: each of them that
// begins before entry `used` receives its prefix, in its last entry. See upsweep_sweep_down in tile/tree.cl.
void upsweep_kept_steps_down(__local upsweep_value* run, uint size, uint used, uint has_prefix)
{
#pragma unroll 1
    for (uint half_size = UPSWEEP_ITEMS / 2; half_size >= size; half_size /= 2) {
        const uint end = min(used + 2 * half_size - 1, (uint)UPSWEEP_ITEMS); // of blocks that begin before it
#pragma unroll 1
        for (uint last = 2 * half_size - 1; last < end; last += 2 * half_size) {
            const upsweep_value before = run[last];
            if (last - half_size + 1 < used) {
                const upsweep_value left = run[last - half_size];
                run[last] = has_prefix || last != 2 * half_size - 1 ? upsweep_combine_inline(before, left) : left;
            }
            run[last - half_size] = before;
        }
    }
}

// Up-sweep over the first `length` elements of a run.
void upsweep_kept_up(__local upsweep_value* run, uint length)
{
    const uint in_blocks = UPSWEEP_KEPT_BLOCK > 1 && length == UPSWEEP_ITEMS;
#pragma unroll 1
    for (uint first = 0; in_blocks && first < UPSWEEP_ITEMS; first += UPSWEEP_KEPT_BLOCK)
        upsweep_kept_block_up(run + first);
    upsweep_kept_steps_up(run, in_blocks ? UPSWEEP_KEPT_BLOCK : 1, length);
}

// Down-sweep over a run: each of the first `used` entries receives its prefix.
void upsweep_kept_down(__local upsweep_value* run, uint used, uint has_prefix, upsweep_value prefix)
{
    const uint in_blocks = UPSWEEP_KEPT_BLOCK > 1 && used == UPSWEEP_ITEMS && has_prefix;
    run[UPSWEEP_ITEMS - 1] = prefix;
    upsweep_kept_steps_down(run, in_blocks ? UPSWEEP_KEPT_BLOCK : 1, used, has_prefix);
#pragma unroll 1
    for (uint first = 0; in_blocks && first < UPSWEEP_ITEMS; first += UPSWEEP_KEPT_BLOCK)
        upsweep_kept_block_down(run + first);
}

// First half: loads a tile of `valid` >= 1 elements and leaves the sums of its blocks: of a full tile its own in
// tile->sums[UPSWEEP_ROOT], for all work-items.
void upsweep_begin_kept_tile(uint local_id, upsweep_input in, uint is_full, uint valid, __local upsweep_kept_tile* tile)
{
    __local upsweep_value* run = tile->elements + UPSWEEP_KEPT_SLOT(local_id * UPSWEEP_ITEMS);
    if (is_full) { // no condition before a load: loads are under way together
        UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_ITEMS; ++k) {
            const uint i = k * UPSWEEP_WORK_ITEMS + local_id;
            tile->elements[UPSWEEP_KEPT_SLOT(i)] = UPSWEEP_LOAD(in, i);
        }
    } else {
        for (uint i = local_id; i < valid; i += UPSWEEP_WORK_ITEMS)
            tile->elements[UPSWEEP_KEPT_SLOT(i)] = UPSWEEP_LOAD(in, i);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_kept_up(run, upsweep_run_length(local_id, valid));
    const uint full_runs = valid / UPSWEEP_ITEMS;
    if (local_id < full_runs) tile->sums[UPSWEEP_PAD(local_id)] = run[UPSWEEP_ITEMS - 1];
    upsweep_tile_up(local_id, full_runs, tile->sums UPSWEEP_TRACE_ARGUMENT);
}

// Second half: writes the scan of the tile from its prefix. `end` is the prefix of what follows a full tile, which an
// inclusive scan ends with. All work-items have read the root that they need.
void upsweep_finish_kept_tile(uint local_id, upsweep_output out, uint is_full, uint valid, uint exclusive,
                              uint has_prefix, upsweep_value prefix, upsweep_value end,
                              __local upsweep_kept_tile* tile)
{
    // An inclusive scan's results are the prefixes of the elements that follow.
    const uint used = exclusive ? valid : min(valid + 1, (uint)UPSWEEP_TILE);
    upsweep_tile_down(local_id, upsweep_active_runs(used), has_prefix, prefix, tile->sums UPSWEEP_TRACE_ARGUMENT);
    const uint length = upsweep_run_length(local_id, used);
    if (length > 0)
        upsweep_kept_down(tile->elements + UPSWEEP_KEPT_SLOT(local_id * UPSWEEP_ITEMS), length,
                          has_prefix || local_id > 0, tile->sums[UPSWEEP_PAD(local_id)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint shift = exclusive ? 0 : 1;
    if (is_full) {
        UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_ITEMS; ++k) {
            const uint i = k * UPSWEEP_WORK_ITEMS + local_id;
            const upsweep_value found = tile->elements[UPSWEEP_KEPT_SLOT(min(i + shift, UPSWEEP_TILE - 1u))];
            UPSWEEP_STORE(out, i, i + shift < UPSWEEP_TILE ? found : end);
        }
    } else {
        for (uint i = local_id; i < valid; i += UPSWEEP_WORK_ITEMS)
            UPSWEEP_STORE(out, i, tile->elements[UPSWEEP_KEPT_SLOT(i + shift)]);
    }
}

#endif
