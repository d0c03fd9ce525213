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

#define UPSWEEP_SCAN_SLOTS (UPSWEEP_PAD(UPSWEEP_WORK_ITEMS - 1) + 1)

upsweep_value upsweep_tile_scan(uint local_id, upsweep_value partial, uint count, __local upsweep_value* slots,
                                upsweep_value* total UPSWEEP_TRACE_PARAMETER)
{
    if (local_id < count) slots[UPSWEEP_PAD(local_id)] = partial;
    barrier(CLK_LOCAL_MEM_FENCE);
    UPSWEEP_TRACE(0, slots, UPSWEEP_WORK_ITEMS)

    // Up-sweep: the last slot of each block of 2 * stride receives the block's sum. A block whose right half lies
    // wholly past the end passes its left half on.
    for (uint stride = 1; stride < UPSWEEP_WORK_ITEMS; stride *= 2) {
        const uint begin = 2 * stride * local_id;
        if (begin < count && begin + 2 * stride <= UPSWEEP_WORK_ITEMS) {
            const uint left = UPSWEEP_PAD(begin + stride - 1);
            const uint right = UPSWEEP_PAD(begin + 2 * stride - 1);
            slots[right] = begin + stride < count ? upsweep_combine(slots[left], slots[right]) : slots[left];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UPSWEEP_TRACE(1, slots, UPSWEEP_WORK_ITEMS)
    }
    *total = slots[UPSWEEP_PAD(UPSWEEP_WORK_ITEMS - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    // From here the root slot counts as empty: nothing precedes the tile.
    UPSWEEP_TRACE(2, slots, UPSWEEP_WORK_ITEMS - 1)

    // Down-sweep: a block's prefix goes to its left half; combined with the left half's sum, to its right half. The
    // first block's prefix is empty.
    for (uint stride = UPSWEEP_WORK_ITEMS / 2; stride > 0; stride /= 2) {
        const uint begin = 2 * stride * local_id;
        if (begin < count && begin + 2 * stride <= UPSWEEP_WORK_ITEMS) {
            const uint left = UPSWEEP_PAD(begin + stride - 1);
            const uint right = UPSWEEP_PAD(begin + 2 * stride - 1);
            const upsweep_value left_sum = slots[left];
            if (begin == 0) {
                slots[right] = left_sum;
            } else {
                const upsweep_value prefix = slots[right];
                slots[left] = prefix;
                if (begin + stride < count) slots[right] = upsweep_combine(prefix, left_sum);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UPSWEEP_TRACE(3, slots, stride - 1)
    }
    return local_id > 0 && local_id < count ? slots[UPSWEEP_PAD(local_id)] : partial;
}

#endif
