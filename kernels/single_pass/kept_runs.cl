// SPDX-License-Identifier: MIT
// One tile in the canonical order for operators that cost more than the memory: each work-item keeps its run, with the sums
// of the run's blocks, between up-sweep and down-sweep. So each element is read once, and the operator is applied about
// twice per element. The sums of the runs are swept in local memory (blelloch.cl): over 256 work-items both sweeps
// together take the time of 24 applications by a sub-group, where exchanges in each of their 8 sub-groups would take that
// of 80.
#ifndef UPSWEEP_KEPT_RUNS
#define UPSWEEP_KEPT_RUNS
#include "tile/io.cl"
#include "textbook/blelloch.cl"
#include "tile/tree.cl"
#if (UPSWEEP_ITEMS & (UPSWEEP_ITEMS - 1)) != 0 || UPSWEEP_ITEMS > UPSWEEP_MOST_VALUES
#error "UPSWEEP_ITEMS must be a power of two of at most 128"
#endif

// Where element i of a tile lies in local memory: an unused slot after every run, so that neighbouring work-items access
// different banks when all of them access their runs.
#if UPSWEEP_BANK_BITS > 0
#define UPSWEEP_KEPT_SLOT(i) ((i) + (i) / UPSWEEP_ITEMS)
#else
#define UPSWEEP_KEPT_SLOT(i) (i)
#endif
// Slots of local memory for a tile: loading, sweeping and storing take turns in them.
#define UPSWEEP_KEPT_SLOTS (UPSWEEP_KEPT_SLOT(UPSWEEP_TILE - 1) + 1)
#define UPSWEEP_KEPT_MEMORY (UPSWEEP_KEPT_SLOTS > UPSWEEP_SCAN_SLOTS ? UPSWEEP_KEPT_SLOTS : UPSWEEP_SCAN_SLOTS)

// Elements of this work-item's run. Of a full tile that is a constant: then arrays are registers, and no branch stands
// between applications.
uint upsweep_kept_length(uint local_id, uint is_full, uint valid)
{
    return is_full ? (uint)UPSWEEP_ITEMS : upsweep_run_length(local_id, valid);
}

// First half: loads a tile of `valid` >= 1 elements and leaves the sums of its blocks in runs and slots: of a full tile its
// own in slots[UPSWEEP_ROOT], for all work-items. `slots` must be free on entry.
void upsweep_begin_kept_tile(uint local_id, upsweep_input in, uint is_full, uint valid, upsweep_value* run,
                             __local upsweep_value* slots)
{
    const uint length = upsweep_kept_length(local_id, is_full, valid);
    const uint full_runs = is_full ? (uint)UPSWEEP_WORK_ITEMS : valid / UPSWEEP_ITEMS;
    UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_ITEMS; ++k) {
        const uint i = k * UPSWEEP_WORK_ITEMS + local_id;
        if (is_full || i < valid) slots[UPSWEEP_KEPT_SLOT(i)] = UPSWEEP_LOAD(in, i);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_ITEMS; ++k)
        if (k < length) run[k] = slots[UPSWEEP_KEPT_SLOT(local_id * UPSWEEP_ITEMS + k)];
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_sweep_up(run, UPSWEEP_ITEMS, length);
    if (local_id < full_runs) slots[UPSWEEP_PAD(local_id)] = run[UPSWEEP_ITEMS - 1];
    upsweep_tile_up(local_id, full_runs, slots UPSWEEP_TRACE_ARGUMENT);
}

// Second half: writes the scan of the tile from its prefix. `end` is the prefix of what follows a full tile, which an
// inclusive scan ends with. All work-items have read the root that they need; `slots` is free after the caller's next
// barrier.
void upsweep_finish_kept_tile(uint local_id, upsweep_output out, uint is_full, uint valid, uint exclusive,
                              uint has_prefix, upsweep_value prefix, upsweep_value end, upsweep_value* run,
                              __local upsweep_value* slots)
{
    const uint length = upsweep_kept_length(local_id, is_full, valid);
    const uint active = is_full     ? (uint)UPSWEEP_WORK_ITEMS
                        : exclusive ? upsweep_active_runs(valid)
                                    : min(valid / UPSWEEP_ITEMS + 1, (uint)UPSWEEP_WORK_ITEMS);
    upsweep_tile_down(local_id, active, has_prefix, prefix, slots UPSWEEP_TRACE_ARGUMENT);
    upsweep_value next = end;
    if (local_id + 1 < active) next = slots[UPSWEEP_PAD(local_id + 1)];
    if (length > 0)
        upsweep_sweep_down(run, UPSWEEP_ITEMS,
                           is_full ? (uint)UPSWEEP_ITEMS : upsweep_down_entries(UPSWEEP_ITEMS, length, exclusive),
                           has_prefix || local_id > 0, slots[UPSWEEP_PAD(local_id)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    // An inclusive scan's results are the prefixes of the elements that follow.
    UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_ITEMS; ++k) {
        const uint i = local_id * UPSWEEP_ITEMS + k;
        if (k >= length) continue;
        if (exclusive)
            slots[UPSWEEP_KEPT_SLOT(i)] = run[k];
        else
            slots[UPSWEEP_KEPT_SLOT(i)] = k + 1 < UPSWEEP_ITEMS ? run[min(k + 1, UPSWEEP_ITEMS - 1u)] : next;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_ITEMS; ++k) {
        const uint i = k * UPSWEEP_WORK_ITEMS + local_id;
        if (is_full || i < valid) UPSWEEP_STORE(out, i, slots[UPSWEEP_KEPT_SLOT(i)]);
    }
}

#endif
