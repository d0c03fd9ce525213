// SPDX-License-Identifier: MIT
// Reduces segments by offsets in time that depends on how many elements and segments there are, and hardly on anything else.
// The elements and the ends of segments are merged into one list, where an end stands before the element of its number, and
// every sub-group takes a share of equally many: D. Merrill, M. Garland, Merge-Based Parallel Sparse Matrix-Vector
// Multiplication (2016). The operator is exact and commutes. Three launches: where shares begin; shares, of which each
// work-group stores the results but for that of the first segment that ends in it; these results.
#ifndef UPSWEEP_REDUCE_MERGED
#define UPSWEEP_REDUCE_MERGED
#include "segments/merged_share.cl"

// What a work-group hands to the third launch.
typedef struct {
    upsweep_value sum;   // after its last end
    upsweep_value first; // before its first end
    uint state;          // of `sum`
    uint first_state;
} upsweep_carry;

// Where end k is in the list.
upsweep_index upsweep_place_of_end(upsweep_offsets offsets, ulong begin, ulong k, ulong n)
{
    return (upsweep_index)k + upsweep_begin_of(offsets, begin + k + 1, n);
}

// Number of the first share that begins behind end k.
uint upsweep_share_behind(upsweep_offsets offsets, ulong begin, ulong k, ulong n)
{
    return (uint)(upsweep_place_of_end(offsets, begin, k, n) / UPSWEEP_MERGED_SIZE) + 1;
}

// starts[k] receives how many segments end before share k, for k up to `shares`, by a search for each share.
UPSWEEP_KERNEL upsweep_find_shares(upsweep_offsets offsets, ulong offsets_begin, ulong segments, ulong n,
                                   ulong shares, __global upsweep_index* starts, ulong starts_begin)
{
    const ulong k = get_global_id(0);
    if (k > shares) return;
    const ulong elements = min((ulong)upsweep_offset_at(offsets, offsets_begin + segments), n);
    const ulong place = min(k * UPSWEEP_MERGED_SIZE, elements + segments);
    const ulong first = place > elements ? place - elements : 0;
    starts[starts_begin + k] = // ends are where the next segments begin
        (upsweep_index)upsweep_first_from(offsets + offsets_begin + 1, 1, first, min(place, segments), n, place);
}

// Neighbouring shares that a work-item notes alone, that its sub-group notes, and that its work-group notes, if there is
// room for more of its ends.
#define UPSWEEP_SHARES_ALONE 4
#define UPSWEEP_SHARES_OF_LANES 512
#define UPSWEEP_LONG_ROOM 16

// Shares that begin behind equally many ends.
typedef struct {
    ulong ends;
    uint first;
    uint count;
} upsweep_long_gap;

// Notes that `count` shares from `first` on begin behind `ends` ends, or leaves that to the work-group, in `gaps`. All
// lanes call this together, each with its own.
void upsweep_note_starts(__global upsweep_index* starts, uint first, uint count, ulong ends,
                         __local upsweep_long_gap* gaps, volatile __local uint* used)
{
    uint is_open = count > UPSWEEP_SHARES_ALONE;
    if (!is_open)
        for (uint s = 0; s < count; ++s) starts[first + s] = (upsweep_index)ends;
    if (count > UPSWEEP_SHARES_OF_LANES) {
        const uint at = atomic_inc(used);
        is_open = at >= UPSWEEP_LONG_ROOM;
        if (!is_open) {
            gaps[at].ends = ends;
            gaps[at].first = first;
            gaps[at].count = count;
        }
    }
    for (uint open = upsweep_ballot(is_open); open != 0; open &= open - 1) {
        const uint lane = popcount((open & -open) - 1);
        const uint begin = upsweep_word_from_lane(first, lane);
        const uint size = upsweep_word_from_lane(count, lane);
        const ulong high = upsweep_word_from_lane((uint)(ends >> 32), lane);
        const ulong others = high << 32 | upsweep_word_from_lane((uint)ends, lane);
        for (uint s = upsweep_lane(); s < size; s += UPSWEEP_LANES) starts[begin + s] = (upsweep_index)others;
    }
}

// The same as upsweep_find_shares where there are more ends than shares: each work-item searches for the shares that
// begin among its own ends, of which it has `own`. There are less than 2^32 shares.
UPSWEEP_KERNEL upsweep_list_shares(upsweep_offsets offsets, ulong offsets_begin, ulong segments, ulong n,
                                   ulong shares, __global upsweep_index* starts, ulong starts_begin, uint own)
{
    __local upsweep_long_gap gaps[UPSWEEP_LONG_ROOM];
    __local uint used;
    if (get_local_id(0) == 0) used = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong elements = min((ulong)upsweep_offset_at(offsets, offsets_begin + segments), n);
    const ulong all = elements + segments;
    const ulong own_end = (ulong)get_global_id(0) * own;
    const ulong first_end = min(own_end, segments - 1);
    const ulong next_end = min(first_end + own, segments);
    uint share = upsweep_share_behind(offsets, offsets_begin, first_end, n);
    uint end = upsweep_share_behind(offsets, offsets_begin, min(next_end, segments - 1), n);
    if (own_end == 0) share = 0;
    if (next_end == segments) end = (uint)shares + 1;
    end = own_end < segments ? min(end, (uint)shares + 1) : 0u;
    while (upsweep_ballot(share < end) != 0) {
        uint count = 0;
        ulong ends = 0;
        if (share < end) {
            const ulong place = min((ulong)share * UPSWEEP_MERGED_SIZE, all);
            ends = upsweep_first_from(offsets + offsets_begin + 1, 1, first_end, next_end, n, place);
            const uint next = ends == segments ? end : upsweep_share_behind(offsets, offsets_begin, ends, n);
            count = max(min(next, end), share + 1) - share;
        }
        upsweep_note_starts(starts + starts_begin, share, count, ends, gaps, &used);
        share += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < min(used, (uint)UPSWEEP_LONG_ROOM); ++i)
        for (uint s = (uint)get_local_id(0); s < gaps[i].count; s += UPSWEEP_WORK_ITEMS)
            starts[starts_begin + gaps[i].first + s] = (upsweep_index)gaps[i].ends;
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
    const uint size = UPSWEEP_AT_MOST(all - place, UPSWEEP_MERGED_SIZE);
    // Within the arrays, whatever the offsets are.
    const ulong first_end = min((ulong)starts[starts_begin + number], segments);
    const ulong next_end = min(max((ulong)starts[starts_begin + number + 1], first_end), segments);
    const uint ends = UPSWEEP_AT_MOST(next_end - first_end, size);
    const ulong begin = min(place - min(place, first_end), n);
    const uint elements = UPSWEEP_AT_MOST(n - begin, size - ends);
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
#define UPSWEEP_CARRIES 32

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
    if (begin > 0) { // mostly the carry before is enough
        --begin;
        carry.sum = carries[begin].sum;
        carry.state = carries[begin].state;
    }
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
