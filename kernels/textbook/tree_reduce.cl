// SPDX-License-Identifier: MIT
// Tile reduce: the ladder of textbook trees (after M. Harris, Optimizing Parallel Reduction in CUDA, 2007), each step
// keeping the order of operands, so that the operator need not commute.
//
//   UPSWEEP_RUNG 0  interleaved: every 2s-th work-item adds its neighbour at distance s; found by modulo, divergent
//   UPSWEEP_RUNG 1  compacted: the same additions done by the first work-items; strided, so banks conflict
//   UPSWEEP_RUNG 2  sequential addressing: slot i adds slot i + s, s halving. Partials are stored in bit-reversed
//                   order, which makes those two slots neighbours in the input: order is kept without conflicts
// The fourth rung, folding a long run per work-item first, is UPSWEEP_ITEMS > 1 on top of 2.
//
// Contract: partial of work-items 0 .. count-1 (count >= 1, uniform) in; combination of all, in every work-item, out.
// Needs UPSWEEP_REDUCE_SLOTS slots of local memory, free again after the caller's next barrier.
#ifndef UPSWEEP_TILE_TREE_REDUCE
#define UPSWEEP_TILE_TREE_REDUCE
#include "prelude.cl"

#if !defined(UPSWEEP_RUNG) || UPSWEEP_RUNG < 0 || UPSWEEP_RUNG > 2
#error "UPSWEEP_RUNG must be 0, 1 or 2"
#endif

#define UPSWEEP_REDUCE_SLOTS UPSWEEP_WORK_ITEMS

// The log2(UPSWEEP_WORK_ITEMS) bits of i in reverse.
uint upsweep_reverse_bits(uint i)
{
    uint reversed = 0;
    for (uint bit = 1; bit < UPSWEEP_WORK_ITEMS; bit *= 2) {
        reversed = 2 * reversed + (i & 1u);
        i /= 2;
    }
    return reversed;
}

upsweep_value upsweep_tile_reduce(uint local_id, upsweep_value partial, uint count,
                                  __local upsweep_value* slots UPSWEEP_TRACE_PARAMETER)
{
#if UPSWEEP_RUNG == 2
    const uint first = upsweep_reverse_bits(local_id); // the first partial in this slot's block
    if (local_id < count) slots[first] = partial;
#else
    if (local_id < count) slots[local_id] = partial;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    UPSWEEP_TRACE(0, slots, UPSWEEP_WORK_ITEMS)

    for (uint stride = 1; stride < UPSWEEP_WORK_ITEMS; stride *= 2) {
#if UPSWEEP_RUNG == 0
        if (local_id % (2 * stride) == 0 && local_id + stride < count)
            slots[local_id] = upsweep_combine(slots[local_id], slots[local_id + stride]);
#elif UPSWEEP_RUNG == 1
        const uint slot = 2 * stride * local_id;
        if (slot + stride < count) slots[slot] = upsweep_combine(slots[slot], slots[slot + stride]);
#else
        const uint distance = UPSWEEP_WORK_ITEMS / 2 / stride;
        if (local_id < distance && first + stride < count)
            slots[local_id] = upsweep_combine(slots[local_id], slots[local_id + distance]);
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        UPSWEEP_TRACE(1, slots, UPSWEEP_WORK_ITEMS)
    }
    return slots[0];
}

#endif
