// SPDX-License-Identifier: MIT
// Sums of elements of which segments' ends stand between some, over the lanes of a sub-group and the sub-groups of a
// work-group. The operator is exact and commutes.
#ifndef UPSWEEP_OPEN_SUMS
#define UPSWEEP_OPEN_SUMS
#include "sub_group/lanes_tree.cl"

// What precedes an end, or the end of what was looked at: the sum of the elements since the last end before it.
typedef struct {
    upsweep_value sum;
    uint state; // UPSWEEP_HAS_ELEMENTS, UPSWEEP_HAS_END
} upsweep_open;
#define UPSWEEP_HAS_ELEMENTS 1u // else the sum is any value
#define UPSWEEP_HAS_END 2u      // of a segment

upsweep_open upsweep_join_open(upsweep_open left, upsweep_open right)
{
    const upsweep_value both = upsweep_combine(left.sum, right.sum);
    const upsweep_value joined = right.state & UPSWEEP_HAS_ELEMENTS ? both : left.sum;
    const uint is_apart = right.state & UPSWEEP_HAS_END || !(left.state & UPSWEEP_HAS_ELEMENTS);
    right.sum = is_apart ? right.sum : joined;
    right.state |= right.state & UPSWEEP_HAS_END ? 0u : left.state;
    return right;
}

upsweep_open upsweep_open_of_lane(upsweep_open open, uint number)
{
    upsweep_open other;
    other.sum = upsweep_from_lane(open.sum, number);
    other.state = upsweep_word_from_lane(open.state, number);
    return other;
}

// Inclusive, over the lanes.
upsweep_open upsweep_scan_open(upsweep_open open)
{
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
        const upsweep_open before = upsweep_open_of_lane(open, (upsweep_lane() - distance) % UPSWEEP_LANES);
        const upsweep_open joined = upsweep_join_open(before, open);
        open.sum = upsweep_lane() >= distance ? joined.sum : open.sum;
        open.state = upsweep_lane() >= distance ? joined.state : open.state;
    }
    return open;
}

// What precedes a lane, of the inclusive scan.
upsweep_open upsweep_open_before(upsweep_open scanned)
{
    upsweep_open before = upsweep_open_of_lane(scanned, (upsweep_lane() - 1) % UPSWEEP_LANES);
    before.state = upsweep_lane() == 0 ? 0u : before.state;
    return before;
}

// The result of a segment whose elements are these.
upsweep_value upsweep_segment_result(upsweep_open open, uint has_init, upsweep_value init)
{
    const upsweep_value sum = has_init ? upsweep_combine(init, open.sum) : open.sum;
    return open.state & UPSWEEP_HAS_ELEMENTS ? sum : init;
}

// Joins what the sub-groups of a work-group have: what precedes this one, and in *total what all make.
upsweep_open upsweep_join_sub_groups(upsweep_open own, __local upsweep_open* shared, upsweep_open* total)
{
    if (upsweep_lane() == 0) {
        shared[upsweep_sub_group()].sum = own.sum;
        shared[upsweep_sub_group()].state = own.state;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_open before = own;
    before.state = 0;
    *total = before;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SUB_GROUPS_PER_GROUP; ++i) {
        upsweep_open other;
        other.sum = shared[i].sum;
        other.state = shared[i].state;
        *total = upsweep_join_open(*total, other);
        if (i + 1 == upsweep_sub_group()) before = *total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return before;
}

#endif
