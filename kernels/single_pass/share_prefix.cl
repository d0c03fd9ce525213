// SPDX-License-Identifier: MIT
// How a work-group finds the prefix of its tile by one work-item, where there are no sub-groups. share_prefix_lanes.cl takes
// its place where there are.
#ifndef UPSWEEP_SHARE_PREFIX
#define UPSWEEP_SHARE_PREFIX
#define UPSWEEP_HAS_SHARE_PREFIX
#include "single_pass/wait_for_prefix.cl"

// Tiles are numbered as work-groups begin.
#define UPSWEEP_TAKES_TICKETS 1

UPSWEEP_OUTLINE upsweep_value upsweep_sum_full_tile(upsweep_input in, uint size, __local upsweep_value* memory)
{
    (void)size; // a constant
    (void)memory;
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    for (uint i = 0; i < UPSWEEP_WORK_ITEMS; ++i) {
        for (uint k = 0; k < UPSWEEP_ITEMS; ++k) run[k] = UPSWEEP_LOAD(in, i * UPSWEEP_ITEMS + k);
        upsweep_sweep_up(run, UPSWEEP_ITEMS, UPSWEEP_ITEMS);
        upsweep_stack_push(stack, i, run[UPSWEEP_ITEMS - 1]);
    }
    uint has_sum = 0;
    upsweep_value sum = run[0];
    upsweep_stack_append(stack, UPSWEEP_WORK_ITEMS, &has_sum, &sum);
    return sum;
}

// Publishes the tile's sum, if it is full, and gives all work-items the tile's prefix and, for an inclusive scan of a full
// tile, that of the next. `all`: the input from its beginning.
void upsweep_find_prefix_for_all(uint local_id, upsweep_call call, upsweep_input all, uint is_full, upsweep_value total,
                                 __local upsweep_found* found)
{
    if (local_id == 0) {
        const uint wants_end = is_full && !call.exclusive;
        upsweep_value end = call.init;
        found->prefix.value = upsweep_wait_for_prefix(call, all, UPSWEEP_TILE, is_full, wants_end, total, &end, 0);
        if (wants_end) found->end.value = end;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
