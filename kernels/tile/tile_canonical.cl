// SPDX-License-Identifier: MIT
// One tile in the canonical order by a work-group without sub-groups: each work-item's run by the two sweeps of tree.cl,
// between them the sums of the runs by those of blelloch.cl. What precedes the tile is in the root when the down-sweep
// begins, so it is combined with one block after another, largest first.
//
// Stands in for tile_scan.cl where UPSWEEP_CANONICAL is 1: runs are of a power of two of elements.
#ifndef UPSWEEP_TILE_CANONICAL
#define UPSWEEP_TILE_CANONICAL
#define UPSWEEP_HAS_TILE_SCAN
#include "tile/io.cl"
#include "textbook/blelloch.cl"
#include "tile/tree.cl"
#if (UPSWEEP_ITEMS & (UPSWEEP_ITEMS - 1)) != 0 || UPSWEEP_ITEMS > UPSWEEP_MOST_VALUES
#error "UPSWEEP_ITEMS must be a power of two of at most 128"
#endif

// Slots of local memory for a tile: loading, sweeping and storing take turns in them.
#define UPSWEEP_SCAN_MEMORY (UPSWEEP_IO_SLOTS > UPSWEEP_SCAN_SLOTS ? UPSWEEP_IO_SLOTS : UPSWEEP_SCAN_SLOTS)

// Up-sweep over a tile of `valid` elements, of which `run` are this work-item's: the last entry, or slot, of each
// aligned block whose elements are all real receives the block's sum.
void upsweep_canonical_up(uint local_id, uint valid, upsweep_value* run, __local upsweep_value* slots)
{
    const uint full_runs = valid / UPSWEEP_ITEMS;
    upsweep_sweep_up(run, UPSWEEP_ITEMS, upsweep_run_length(local_id, valid));
    if (local_id < full_runs) slots[UPSWEEP_PAD(local_id)] = run[UPSWEEP_ITEMS - 1];
    upsweep_tile_up(local_id, full_runs, slots UPSWEEP_TRACE_ARGUMENT);
}

// The prefix of what follows a full tile, after its up-sweep: *end if the caller knows it, else there is one tile only.
upsweep_value upsweep_tile_end(__global const upsweep_value* end, uint has_prefix, upsweep_value prefix,
                               const __local upsweep_value* slots)
{
    if (end) return *end;
    const upsweep_value total = slots[UPSWEEP_ROOT];
    return has_prefix ? upsweep_combine(prefix, total) : total;
}

// Scans a tile of `valid` >= 1 elements from its prefix. `end`: where the prefix of the next tile lies, which an inclusive
// scan of a full tile ends with; null for the only tile. With has_prefix 0 an exclusive scan has nothing to put first:
// out[0] is left for the caller to set. `memory` must be free on entry and is free after the caller's next barrier.
void upsweep_scan_canonical_tile(uint local_id, upsweep_input in, upsweep_output out, uint valid, uint exclusive,
                                 uint has_prefix, upsweep_value prefix, __global const upsweep_value* end,
                                 __local upsweep_value* memory)
{
    const uint length = upsweep_run_length(local_id, valid);
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    upsweep_load_run(local_id, in, valid, run, memory);
    upsweep_canonical_up(local_id, valid, run, memory);
    upsweep_value next = prefix;
    if (!exclusive && valid == UPSWEEP_TILE) next = upsweep_tile_end(end, has_prefix, prefix, memory);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint active = exclusive ? upsweep_active_runs(valid)
                                  : min(valid / UPSWEEP_ITEMS + 1, (uint)UPSWEEP_WORK_ITEMS);
    upsweep_tile_down(local_id, active, has_prefix, prefix, memory UPSWEEP_TRACE_ARGUMENT);
    if (local_id + 1 < active) next = memory[UPSWEEP_PAD(local_id + 1)];
    if (length > 0) {
        upsweep_sweep_down(run, UPSWEEP_ITEMS, upsweep_down_entries(UPSWEEP_ITEMS, length, exclusive),
                           has_prefix || local_id > 0, memory[UPSWEEP_PAD(local_id)]);
        if (!exclusive) upsweep_shift(run, UPSWEEP_ITEMS, next);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_store_run(local_id, out, valid, run, memory);
}

#endif
