// SPDX-License-Identifier: MIT
// lanes.cl by Intel's sub-groups: cl_intel_subgroups, which OpenCL C 1.2 may use too, with kernels that ask for 32
// work-items per sub-group (cl_intel_required_subgroup_size). There is no ballot: the lanes add up a bit each.
#ifndef UPSWEEP_LANES_INTEL
#define UPSWEEP_LANES_INTEL
#define UPSWEEP_HAS_LANES
#include "sub_group/lanes.cl"
#if UPSWEEP_SUB_GROUP_SIZE != UPSWEEP_LANES
#error "UPSWEEP_SUB_GROUP_SIZE must be 32: a sum meets all work-items of a sub-group"
#endif

#pragma OPENCL EXTENSION cl_intel_subgroups : enable

uint upsweep_lane(void)
{
    return get_sub_group_local_id();
}

uint upsweep_sub_group(void)
{
    return get_sub_group_id();
}

uint upsweep_ballot(uint predicate)
{
    return sub_group_reduce_add(predicate != 0 ? 1u << get_sub_group_local_id() : 0u);
}

upsweep_value upsweep_from_lane(upsweep_value value, uint number)
{
    UPSWEEP_MOVE(intel_sub_group_shuffle, number)
}

uint upsweep_word_from_lane(uint word, uint number)
{
    return intel_sub_group_shuffle(word, number);
}

upsweep_value upsweep_exchange(upsweep_value value, uint number)
{
    UPSWEEP_MOVE(intel_sub_group_shuffle_xor, number)
}

void upsweep_sync_lanes(void)
{
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
