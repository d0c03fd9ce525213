// SPDX-License-Identifier: MIT
// Tracing, second half: kernels that run one tile algorithm in one work-group, one partial per work-item, with every
// step recorded. trace_hooks.cl, which must come before prelude.cl, does the recording.
//
//   in          partial of work-items 0 .. count-1
//   blank       what every slot holds before the algorithm begins
//   slots       UPSWEEP_WORK_ITEMS values per recorded step
//   steps       two numbers per recorded step: its phase, and the slot that counts as empty (UPSWEEP_WORK_ITEMS: none)
//   step_count  receives the number of recorded steps
// Phases: 0 loaded, 1 up-sweep or step, 2 root cleared, 3 down-sweep or distribute.
#ifndef UPSWEEP_TRACE_KERNELS
#define UPSWEEP_TRACE_KERNELS
#include "trace_hooks.cl"
#ifndef UPSWEEP_HAS_TILE_ALGORITHM
#include "textbook/blelloch.cl"
#endif
#include "textbook/tree_reduce.cl"

// The work-item's own slots, of those that the algorithm uses.
void upsweep_blank_slots(uint local_id, __local upsweep_value* slots, uint size, upsweep_value blank)
{
    for (uint i = local_id; i < size; i += UPSWEEP_WORK_ITEMS) slots[i] = blank;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// out[i]: what the scan returns to work-item i, 0 < i < count; out[0]: the total.
UPSWEEP_KERNEL upsweep_trace_scan(__global const upsweep_value* in, uint count, upsweep_value blank,
                                  __global upsweep_value* out, __global upsweep_value* slots, __global uint* steps,
                                  __global uint* step_count)
{
    __local upsweep_value memory[UPSWEEP_SCAN_SLOTS];
    const uint local_id = (uint)get_local_id(0);
    upsweep_blank_slots(local_id, memory, UPSWEEP_SCAN_SLOTS, blank);
    upsweep_trace trace = {slots, steps, 0};
    upsweep_value partial = blank;
    if (local_id < count) partial = in[local_id];
    upsweep_value total;
    const upsweep_value before = upsweep_tile_scan(local_id, partial, count, memory, &total, &trace);
    if (local_id < count) out[local_id] = local_id == 0 ? total : before;
    if (local_id == 0) *step_count = trace.count;
}

// out[0]: the total.
UPSWEEP_KERNEL upsweep_trace_reduce(__global const upsweep_value* in, uint count, upsweep_value blank,
                                    __global upsweep_value* out, __global upsweep_value* slots, __global uint* steps,
                                    __global uint* step_count)
{
    __local upsweep_value memory[UPSWEEP_REDUCE_SLOTS];
    const uint local_id = (uint)get_local_id(0);
    upsweep_blank_slots(local_id, memory, UPSWEEP_REDUCE_SLOTS, blank);
    upsweep_trace trace = {slots, steps, 0};
    upsweep_value partial = blank;
    if (local_id < count) partial = in[local_id];
    const upsweep_value total = upsweep_tile_reduce(local_id, partial, count, memory, &trace);
    if (local_id == 0) {
        out[0] = total;
        *step_count = trace.count;
    }
}

#endif
