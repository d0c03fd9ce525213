// SPDX-License-Identifier: MIT
// Tile scan by reduce and distribute: Brent and Kung's adder network (A Regular Layout for Parallel Adders, 1982).
// About 2w operations in 2 log2 w - 1 steps, inclusive, in place, and no root to clear.
//
// The contract is the one in blelloch.cl.
#ifndef UPSWEEP_TILE_BRENT_KUNG
#define UPSWEEP_TILE_BRENT_KUNG
#define UPSWEEP_HAS_TILE_ALGORITHM
#include "prelude.cl"

#define UPSWEEP_SCAN_SLOTS (UPSWEEP_PAD(UPSWEEP_WORK_ITEMS - 1) + 1)

upsweep_value upsweep_tile_scan(uint local_id, upsweep_value partial, uint count, __local upsweep_value* slots,
                                upsweep_value* total UPSWEEP_TRACE_PARAMETER)
{
    if (local_id < count) slots[UPSWEEP_PAD(local_id)] = partial;
    barrier(CLK_LOCAL_MEM_FENCE);
    UPSWEEP_TRACE(0, slots, UPSWEEP_WORK_ITEMS)

    // Reduce: slot 2 * stride * (i + 1) - 1 receives the sum of its block. Slots only ever depend on earlier ones, so
    // those past the end are left alone.
    for (uint stride = 1; stride < UPSWEEP_WORK_ITEMS; stride *= 2) {
        const uint slot = 2 * stride * (local_id + 1) - 1;
        if (slot < count) {
            slots[UPSWEEP_PAD(slot)] =
                upsweep_combine(slots[UPSWEEP_PAD(slot - stride)], slots[UPSWEEP_PAD(slot)]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UPSWEEP_TRACE(1, slots, UPSWEEP_WORK_ITEMS)
    }
    // Distribute: finished prefixes reach the middle of the block that follows them.
    for (uint stride = UPSWEEP_WORK_ITEMS / 4; stride > 0; stride /= 2) {
        const uint slot = 2 * stride * (local_id + 1) - 1 + stride;
        if (slot < count) {
            slots[UPSWEEP_PAD(slot)] =
                upsweep_combine(slots[UPSWEEP_PAD(slot - stride)], slots[UPSWEEP_PAD(slot)]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UPSWEEP_TRACE(3, slots, UPSWEEP_WORK_ITEMS)
    }
    *total = slots[UPSWEEP_PAD(count - 1)];
    return local_id > 0 && local_id < count ? slots[UPSWEEP_PAD(local_id - 1)] : partial;
}

#endif
