// SPDX-License-Identifier: MIT
// lanes.cl by Khronos' sub-groups: cl_khr_subgroup_shuffle and cl_khr_subgroup_ballot, in OpenCL C 2.0 or 3.0.
#ifndef UPSWEEP_LANES_KHR
#define UPSWEEP_LANES_KHR
#define UPSWEEP_HAS_LANES
#include "sub_group/lanes.cl"

uint upsweep_lane(void)
{
    return get_sub_group_local_id() % UPSWEEP_LANES;
}

uint upsweep_sub_group(void)
{
    return get_sub_group_id() * (get_max_sub_group_size() / UPSWEEP_LANES) + get_sub_group_local_id() / UPSWEEP_LANES;
}

uint upsweep_ballot(uint predicate)
{
    const uint4 bits = sub_group_ballot(predicate != 0);
    const uint part = get_sub_group_local_id() / UPSWEEP_LANES;
    return part == 0 ? bits.x : part == 1 ? bits.y : part == 2 ? bits.z : bits.w;
}

upsweep_value upsweep_from_lane(upsweep_value value, uint number)
{
    UPSWEEP_MOVE(sub_group_shuffle, get_sub_group_local_id() / UPSWEEP_LANES * UPSWEEP_LANES + number)
}

uint upsweep_word_from_lane(uint word, uint number)
{
    return sub_group_shuffle(word, get_sub_group_local_id() / UPSWEEP_LANES * UPSWEEP_LANES + number);
}

upsweep_value upsweep_exchange(upsweep_value value, uint number)
{
    UPSWEEP_MOVE(sub_group_shuffle_xor, number)
}

void upsweep_sync_lanes(void)
{
    if (UPSWEEP_SUB_GROUP_SIZE == UPSWEEP_LANES || get_max_sub_group_size() == UPSWEEP_LANES) {
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        return;
    }
    mem_fence(CLK_LOCAL_MEM_FENCE);
    sub_group_ballot(1);
    mem_fence(CLK_LOCAL_MEM_FENCE);
}

#endif
