// SPDX-License-Identifier: MIT
// Reduces segments by offsets in time that depends on how many elements and segments there are, and hardly on anything else.
// The elements and the ends of segments are merged into one list, where an end stands before the element of its number, and
// every sub-group takes a share of equally many: D. Merrill, M. Garland, Merge-Based Parallel Sparse Matrix-Vector
// Multiplication (2016). The operator is exact and commutes. Three launches: where shares begin; shares, of which each
// work-group stores the results but for that of the first segment that ends in it; these results.
#ifndef UPSWEEP_REDUCE_MERGED
#define UPSWEEP_REDUCE_MERGED
#include "sub_group_tile/merged_share.cl"

// What a work-group hands to the third launch.
typedef struct {
    upsweep_value sum;   // after its last end
    upsweep_value first; // before its first end
    uint state;          // of `sum`
    uint first_state;
} upsweep_carry;

// starts[k] receives how many segments end before share k, for k up to `shares`.
UPSWEEP_KERNEL upsweep_find_shares(upsweep_offsets offsets, ulong offsets_begin, ulong segments, ulong n,
                                   ulong shares, __global upsweep_index* starts, ulong starts_begin)
{
    const ulong k = get_global_id(0);
    if (k > shares) return;
    const ulong elements = min((ulong)upsweep_offset_at(offsets, offsets_begin + segments), n);
    const ulong place = min(k * UPSWEEP_MERGED_SIZE, elements + segments);
    ulong first = place > elements ? place - elements : 0;
    ulong last = min(place, segments);
    while (first < last) {
        const ulong middle = first + (last - first) / 2;
        if (middle + upsweep_end_of(offsets, offsets_begin, middle, n) < place)
            first = middle + 1;
        else
            last = middle;
    }
    starts[starts_begin + k] = (upsweep_index)first;
}

UPSWEEP_KERNEL upsweep_reduce_merged(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, upsweep_offsets offsets,
                                     ulong offsets_begin, ulong segments, ulong n,
                                     __global const upsweep_index* starts, ulong starts_begin,
                                     __global upsweep_carry* carries, UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset,
                                     uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_merged_memory memory[UPSWEEP_SUB_GROUPS_PER_GROUP];
    __local upsweep_open shared[UPSWEEP_SUB_GROUPS_PER_GROUP];
    const ulong number = (ulong)get_group_id(0) * UPSWEEP_SUB_GROUPS_PER_GROUP + upsweep_sub_group();
    const ulong all = min((ulong)upsweep_offset_at(offsets, offsets_begin + segments), n) + segments;
    const ulong place = min(number * UPSWEEP_MERGED_SIZE, all);
    const uint size = (uint)min(all - place, (ulong)UPSWEEP_MERGED_SIZE);
    const ulong first_end = starts[starts_begin + number];
    // Within the arrays, whatever the offsets are.
    const ulong next_end = min(max((ulong)starts[starts_begin + number + 1], first_end), segments);
    const uint ends = (uint)min(next_end - first_end, (ulong)size);
    const ulong begin = min(place - min(place, first_end), n);
    const uint elements = (uint)min((ulong)(size - ends), n - begin);
    const upsweep_merged_share share = {
        UPSWEEP_INPUT_AT(UPSWEEP_INPUT(in_offset), begin), UPSWEEP_OUTPUT_AT(UPSWEEP_OUTPUT(out_offset), first_end),
        offsets, offsets_begin + first_end, n, begin, elements, ends, has_init, init};
    upsweep_open first = {init, 0};
    upsweep_open open = first;
    upsweep_value rows[UPSWEEP_MERGED_RUN];
    uint end_rows[UPSWEEP_END_ROWS];
    upsweep_load_ends(share, 0, end_rows);
    upsweep_load_rows(share, rows);
    if (ends > 0)
        open = upsweep_sum_segments(share, rows, end_rows, memory + upsweep_sub_group(), &first);
    else if (elements > 0)
        open = upsweep_sum_rows(share, rows);
    upsweep_open total;
    const upsweep_open before = upsweep_join_sub_groups(open, shared, &total);
    const upsweep_open whole = upsweep_join_open(before, first);
    if (upsweep_lane() == 0) {
        if (ends > 0 && before.state & UPSWEEP_HAS_END)
            UPSWEEP_STORE(share.out, 0, upsweep_segment_result(whole, has_init, init));
        else if (ends > 0) {
            carries[get_group_id(0)].first = whole.sum;
            carries[get_group_id(0)].first_state = whole.state;
        }
        if (upsweep_sub_group() == 0) {
            carries[get_group_id(0)].sum = total.sum;
            carries[get_group_id(0)].state = total.state;
        }
    }
}

// Carries that each work-item reads where work-groups look for what precedes theirs.
#define UPSWEEP_CARRIES 8

// What `count` carries make, by a work-group.
upsweep_open upsweep_sum_carries(__global const upsweep_carry* carries, uint count, __local upsweep_open* shared)
{
    upsweep_open own;
    own.sum = carries[0].sum;
    own.state = 0;
    for (uint i = 0; i < UPSWEEP_CARRIES; ++i) {
        const uint k = (uint)get_local_id(0) * UPSWEEP_CARRIES + i;
        upsweep_open next;
        next.sum = carries[min(k, count - 1)].sum;
        next.state = k < count ? carries[min(k, count - 1)].state : 0u;
        own = upsweep_join_open(own, next);
    }
    upsweep_open total;
    upsweep_join_sub_groups(upsweep_open_of_lane(upsweep_scan_open(own), UPSWEEP_LANES - 1), shared, &total);
    return total;
}

// The result of the first segment that ends in each work-group of the launch before, of which there were `groups`.
UPSWEEP_KERNEL upsweep_close_segments(__global const upsweep_index* starts, ulong starts_begin,
                                      __global const upsweep_carry* carries, uint groups, ulong segments,
                                      UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint has_init,
                                      UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_open shared[UPSWEEP_SUB_GROUPS_PER_GROUP];
    const uint k = (uint)get_global_id(0);
    const uint at = min(k, groups - 1);
    upsweep_open own, first;
    own.sum = carries[at].sum;
    own.state = k < groups ? carries[at].state : 0u;
    const uint has_end = own.state & UPSWEEP_HAS_END;
    first.sum = has_end ? carries[at].first : own.sum;
    first.state = has_end ? carries[at].first_state : 0u;
    const upsweep_open scanned = upsweep_scan_open(own);
    upsweep_open total;
    const upsweep_open before_sub_group =
        upsweep_join_sub_groups(upsweep_open_of_lane(scanned, UPSWEEP_LANES - 1), shared, &total);
    const upsweep_open before = upsweep_join_open(before_sub_group, upsweep_open_before(scanned));
    upsweep_open carry = own;
    carry.state = 0;
    uint begin = (uint)get_group_id(0) * UPSWEEP_WORK_ITEMS;
    if (total.state & UPSWEEP_HAS_END)
        while (begin > 0 && !(carry.state & UPSWEEP_HAS_END)) {
            const uint count = min(begin, (uint)(UPSWEEP_WORK_ITEMS * UPSWEEP_CARRIES));
            begin -= count;
            carry = upsweep_join_open(upsweep_sum_carries(carries + begin, count, shared), carry);
        }
    const ulong segment = starts[starts_begin + (ulong)at * UPSWEEP_SUB_GROUPS_PER_GROUP];
    if (!has_end || segment >= segments) return;
    const upsweep_open whole = upsweep_join_open(upsweep_join_open(carry, before), first);
    UPSWEEP_STORE(UPSWEEP_OUTPUT(out_offset), segment, upsweep_segment_result(whole, has_init, init));
}

#endif
