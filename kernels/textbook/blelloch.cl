// SPDX-License-Identifier: MIT
// Tile scan, work-efficient: up-sweep, clear the root, down-sweep (G. Blelloch, Prefix Sums and Their Applications,
// 1990). 2(w - 1) operations in 2 log2 w steps for w work-items.
//
// Contract shared by all tile scans, one partial per work-item:
//   in   partial  of work-items 0 .. count-1 (count >= 1, the same in all work-items; the others' is ignored)
//   out  return   combination of the partials before this work-item; meaningless for work-item 0 and from count on
//        *total   combination of all partials, in every work-item
// Needs UPSWEEP_SCAN_SLOTS slots of local memory, free again after the caller's next barrier.
//
// No identity is needed: which slots hold nothing follows from the indices, so the operator meets real partials only.
#ifndef UPSWEEP_TILE_BLELLOCH
#define UPSWEEP_TILE_BLELLOCH
#define UPSWEEP_HAS_TILE_ALGORITHM
#include "prelude.cl"

#define UPSWEEP_ROOT UPSWEEP_PAD(UPSWEEP_WORK_ITEMS - 1)
#define UPSWEEP_SCAN_SLOTS (UPSWEEP_ROOT + 1)

// Up-sweep, over the first `count` slots, which their work-items have just written: the last slot of each full block of
// 2 * stride slots receives the block's sum.
void upsweep_tile_up(uint local_id, uint count, __local upsweep_value* slots UPSWEEP_TRACE_PARAMETER)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    UPSWEEP_TRACE(0, slots, UPSWEEP_WORK_ITEMS)
    for (uint stride = 1; stride < UPSWEEP_WORK_ITEMS; stride *= 2) {
        const uint right = 2 * stride * (local_id + 1) - 1;
        const uint left = right - stride;
        if (right < count)
            slots[UPSWEEP_PAD(right)] = upsweep_combine(slots[UPSWEEP_PAD(left)], slots[UPSWEEP_PAD(right)]);
        barrier(CLK_LOCAL_MEM_FENCE);
        UPSWEEP_TRACE(1, slots, UPSWEEP_WORK_ITEMS)
    }
}

// Down-sweep: what precedes a block goes to its left half; combined with the left half's sum, to its right half. In the
// end each of the first `count` slots has what precedes it. All slots before the last of these took part in the up-sweep.
// Where the textbook clears the root, it receives what precedes the tile: `prefix`, or with has_prefix 0 any value.
void upsweep_tile_down(uint local_id, uint count, uint has_prefix, upsweep_value prefix,
                       __local upsweep_value* slots UPSWEEP_TRACE_PARAMETER)
{
    UPSWEEP_TRACE(2, slots, UPSWEEP_WORK_ITEMS - 1)
    if (local_id == 0) slots[UPSWEEP_ROOT] = prefix; // no barrier: the first step is this work-item's alone
    for (uint stride = UPSWEEP_WORK_ITEMS / 2; stride > 0; stride /= 2) {
        const uint begin = 2 * stride * local_id;
        const uint left = begin + stride - 1;
        const uint right = left + stride;
        if (begin < count && right < UPSWEEP_WORK_ITEMS) {
            const upsweep_value before = slots[UPSWEEP_PAD(right)];
            if (left + 1 < count) {
                const upsweep_value left_sum = slots[UPSWEEP_PAD(left)];
                slots[UPSWEEP_PAD(right)] = begin > 0 || has_prefix ? upsweep_combine(before, left_sum) : left_sum;
            }
            slots[UPSWEEP_PAD(left)] = before;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UPSWEEP_TRACE(3, slots, stride - 1)
    }
}

// What precedes the slot behind the last is the sum of all. Only a full tile has no such slot: there it is in the root.
upsweep_value upsweep_tile_scan(uint local_id, upsweep_value partial, uint count, __local upsweep_value* slots,
                                upsweep_value* total UPSWEEP_TRACE_PARAMETER)
{
    if (local_id < count) slots[UPSWEEP_PAD(local_id)] = partial;
    upsweep_tile_up(local_id, count, slots UPSWEEP_TRACE_ARGUMENT);
    if (count == UPSWEEP_WORK_ITEMS) *total = slots[UPSWEEP_ROOT];
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_tile_down(local_id, min(count + 1, (uint)UPSWEEP_WORK_ITEMS), 0, partial, slots UPSWEEP_TRACE_ARGUMENT);
    if (count < UPSWEEP_WORK_ITEMS) *total = slots[UPSWEEP_PAD(count)];
    return local_id > 0 && local_id < count ? slots[UPSWEEP_PAD(local_id)] : partial;
}

#endif
