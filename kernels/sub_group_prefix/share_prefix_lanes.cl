// SPDX-License-Identifier: MIT
// share_prefix.cl by the first sub-group of a work-group.
#ifndef UPSWEEP_SHARE_PREFIX_LANES
#define UPSWEEP_SHARE_PREFIX_LANES
#define UPSWEEP_HAS_SHARE_PREFIX
#include "single_pass/run_blocks.cl"
#include "sub_group/lanes_tree.cl"
#include "sub_group_prefix/find_prefix.cl"

// NVIDIA's devices start work-groups in order; see scan_look_back_lanes.cl.
#define UPSWEEP_TAKES_TICKETS (!UPSWEEP_PTX)

// The same with the fallback, out of line because it is rare.
#if UPSWEEP_PTX
__attribute__((noinline))
#endif
void upsweep_find_with_fallback(upsweep_call call, upsweep_input all, uint is_full, upsweep_value total,
                                upsweep_value* prefix, upsweep_value* end)
{
    upsweep_find_prefix(call, all, 1, is_full, total, prefix, end);
}

void upsweep_find_prefix_for_all(uint local_id, upsweep_call call, upsweep_input all, uint is_full, upsweep_value total,
                          __local upsweep_found* found)
{
    if (upsweep_sub_group() == 0) {
        upsweep_value prefix;
        upsweep_value end;
        if (!upsweep_find_prefix(call, all, 0, is_full, total, &prefix, &end))
            upsweep_find_with_fallback(call, all, is_full, total, &prefix, &end);
        if (upsweep_lane() == 0) {
            found->prefix = prefix;
            found->end = end;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
