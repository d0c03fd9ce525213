// SPDX-License-Identifier: MIT
// share_prefix.cl by the first sub-group of a work-group.
#ifndef UPSWEEP_SHARE_PREFIX_LANES
#define UPSWEEP_SHARE_PREFIX_LANES
#define UPSWEEP_HAS_SHARE_PREFIX
#include "single_pass/run_blocks.cl"
#include "sub_group/lanes_tree.cl"
#include "sub_group_prefix/find_past_silent.cl"

// NVIDIA's devices start work-groups in order; see sub_group_tile/take_tile.cl.
#define UPSWEEP_TAKES_TICKETS (!UPSWEEP_PTX)

void upsweep_find_prefix_for_all(uint local_id, upsweep_call call, upsweep_input all, uint is_full, upsweep_value total,
                                 __local upsweep_found* found)
{
    if (upsweep_sub_group() == 0)
        upsweep_find_and_share(call, all, 0, 1, is_full, upsweep_as_argument(total), found);
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
