// SPDX-License-Identifier: MIT
// Moving one tile between global memory and the work-items' registers.
//
// Work-item i owns the run of UPSWEEP_ITEMS consecutive elements that begins at i * UPSWEEP_ITEMS. `valid` elements of
// the tile are real (1 .. UPSWEEP_TILE); nothing past them is read or written.
//
// UPSWEEP_STAGED 1: neighbouring work-items touch neighbouring addresses and the runs are formed in local memory
// (GPUs); 0: every work-item touches its own run (CPUs, short runs).
#ifndef UPSWEEP_TILE_IO
#define UPSWEEP_TILE_IO
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

#if !defined(UPSWEEP_STAGED)
#error "UPSWEEP_STAGED must be 0 or 1"
#endif

// Moves a tile's elements, of which neighbouring work-items take neighbouring ones: `statement` for each index i of the
// work-item. A constant number of turns lets a GPU's compiler unroll the loop. With POCL_WORK_GROUP_METHOD=cbs, PoCL 6.0
// never leaves such a loop between two barriers of an outer loop (tests/reproducers/pocl_cbs_loop.c).
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UPSWEEP_MOVE_STRIPED(i, local_id, valid, statement)                                                            \
    for (uint i = (local_id); i < (valid); i += UPSWEEP_WORK_ITEMS) statement;
#else
#define UPSWEEP_MOVE_STRIPED(i, local_id, valid, statement)                                                            \
    for (uint k = 0; k < UPSWEEP_ITEMS; ++k) {                                                                         \
        const uint i = k * UPSWEEP_WORK_ITEMS + (local_id);                                                            \
        if (i < (valid)) statement;                                                                                    \
    }
#endif

// Slots of local memory that loading and storing need.
#if UPSWEEP_STAGED
#define UPSWEEP_IO_SLOTS (UPSWEEP_PAD(UPSWEEP_TILE - 1) + 1)
#else
#define UPSWEEP_IO_SLOTS 1
#endif

// Real elements in this work-item's run. Not min(max(valid, first) - first, ...): PoCL 6.0 with cbs gives wrong results
// of that, each time, for tiles of 8 x 4 structs of 12 bytes.
uint upsweep_run_length(uint local_id, uint valid)
{
    const uint first = local_id * UPSWEEP_ITEMS;
    return valid > first ? min(valid - first, (uint)UPSWEEP_ITEMS) : 0u;
}

// Work-items whose run is not empty.
uint upsweep_active_runs(uint valid)
{
    return (valid + UPSWEEP_ITEMS - 1u) / UPSWEEP_ITEMS;
}

// Fills run[0 .. length). `memory` may be used again on return.
void upsweep_load_run(uint local_id, upsweep_input tile, uint valid, upsweep_value* run,
                      __local upsweep_value* memory)
{
    const uint length = upsweep_run_length(local_id, valid);
#if UPSWEEP_STAGED
    UPSWEEP_MOVE_STRIPED(i, local_id, valid, memory[UPSWEEP_PAD(i)] = UPSWEEP_LOAD(tile, i))
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < length; ++k) run[k] = memory[UPSWEEP_PAD(local_id * UPSWEEP_ITEMS + k)];
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    for (uint k = 0; k < length; ++k) run[k] = UPSWEEP_LOAD(tile, local_id * UPSWEEP_ITEMS + k);
#endif
}

// Writes run[0 .. length) of every work-item. `memory` must be free on entry.
void upsweep_store_run(uint local_id, upsweep_output tile, uint valid, const upsweep_value* run,
                       __local upsweep_value* memory)
{
    const uint length = upsweep_run_length(local_id, valid);
#if UPSWEEP_STAGED
    for (uint k = 0; k < length; ++k) memory[UPSWEEP_PAD(local_id * UPSWEEP_ITEMS + k)] = run[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    UPSWEEP_MOVE_STRIPED(i, local_id, valid, UPSWEEP_STORE(tile, i, memory[UPSWEEP_PAD(i)]))
#else
    for (uint k = 0; k < length; ++k) UPSWEEP_STORE(tile, local_id * UPSWEEP_ITEMS + k, run[k]);
#endif
}

// Combination of a run that is not empty, left to right.
UPSWEEP_OUTLINE upsweep_value upsweep_fold_run(const upsweep_value* run, uint length)
{
    upsweep_value sum = run[0];
    for (uint k = 1; k < length; ++k) sum = upsweep_combine(sum, run[k]);
    return sum;
}

#endif
