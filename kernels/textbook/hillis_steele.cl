// SPDX-License-Identifier: MIT
// Tile scan with the fewest steps: in step k every slot adds the slot 2^k before it (W. D. Hillis and G. L. Steele,
// Data Parallel Algorithms, 1986). log2 w steps of w operations. Inclusive; double-buffered, since a slot is read by
// one work-item while another replaces it.
//
// The contract is the one in blelloch.cl.
#ifndef UPSWEEP_TILE_HILLIS_STEELE
#define UPSWEEP_TILE_HILLIS_STEELE
#define UPSWEEP_HAS_TILE_ALGORITHM
#include "prelude.cl"

// Neighbouring work-items touch neighbouring slots: no padding is needed.
#define UPSWEEP_SCAN_SLOTS (2 * UPSWEEP_WORK_ITEMS)

upsweep_value upsweep_tile_scan(uint local_id, upsweep_value partial, uint count, __local upsweep_value* slots,
                                upsweep_value* total UPSWEEP_TRACE_PARAMETER)
{
    uint from = 0;
    uint to = UPSWEEP_WORK_ITEMS;
    if (local_id < count) slots[from + local_id] = partial;
    barrier(CLK_LOCAL_MEM_FENCE);
    UPSWEEP_TRACE(0, slots + from, UPSWEEP_WORK_ITEMS)

    for (uint distance = 1; distance < UPSWEEP_WORK_ITEMS; distance *= 2) {
        if (local_id < count) {
            const upsweep_value own = slots[from + local_id];
            slots[to + local_id] =
                local_id >= distance ? upsweep_combine(slots[from + local_id - distance], own) : own;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint swap = from;
        from = to;
        to = swap;
        UPSWEEP_TRACE(1, slots + from, UPSWEEP_WORK_ITEMS)
    }
    *total = slots[from + count - 1];
    return local_id > 0 && local_id < count ? slots[from + local_id - 1] : partial;
}

#endif
