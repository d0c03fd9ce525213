// SPDX-License-Identifier: MIT
// Scan, reduction and broadcast by a sub-group, for kernels of a user's own: work_group_source.hpp has the contract.
#ifndef UPSWEEP_SUB_GROUP_CALLS
#define UPSWEEP_SUB_GROUP_CALLS
#include "sub_group/lanes_tree.cl"

// What precedes this lane; in lane 0 its own value.
upsweep_value upsweep_lanes_scan_with_total(upsweep_value value, upsweep_value* total)
{
    upsweep_value before[UPSWEEP_LANE_BITS];
    *total = upsweep_lanes_up(value, UPSWEEP_LANES, UPSWEEP_LANES, before);
    uint has_prefix = 0;
    upsweep_value prefix = value;
    upsweep_lanes_down(before, UPSWEEP_LANES, &has_prefix, &prefix);
    return prefix;
}

upsweep_value upsweep_lanes_exclusive_scan(upsweep_value value)
{
    upsweep_value total;
    return upsweep_lanes_scan_with_total(value, &total);
}

upsweep_value upsweep_lanes_inclusive_scan(upsweep_value value)
{
    const upsweep_value before = upsweep_lanes_exclusive_scan(value);
    if (upsweep_lane() == 0) return value;
    return upsweep_combine(before, value);
}

upsweep_value upsweep_lanes_reduce(upsweep_value value)
{
    return upsweep_lanes_sum(value);
}

upsweep_value upsweep_lanes_broadcast(upsweep_value value, uint from)
{
    return upsweep_from_lane(value, from);
}

#endif
