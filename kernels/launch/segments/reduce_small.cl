// SPDX-License-Identifier: MIT
// Reduces segments by offsets in one launch, as suits arrays that are small: each segment by one sub-group, a long one by
// all sub-groups of a work-group, one that is longer still by those of all work-groups. Nothing is marked or scanned, and
// each element is read once.
#ifndef UPSWEEP_REDUCE_SMALL
#define UPSWEEP_REDUCE_SMALL
#include "segments/shared_segments.cl"

// Result k is that of segment k of n elements. Segments longer than `longest` are a work-group's. Where the host says so, by
// upsweep_shares_segments(), those of `least_shared` or more parts of 2^shared_bits elements are shared by all: no more parts
// are in the array than the launch has sub-groups, and 62 * least_shared at most. `sums` has room for 2 * UPSWEEP_SMALL_PARTS
// values, and where segments are shared for n >> shared_bits and, behind these, for one of each UPSWEEP_SMALL_PARTS of them.
// state: see state.cl, with an entry for each part; any buffer where no segment is shared.
UPSWEEP_KERNEL upsweep_reduce_small(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, upsweep_offsets offsets,
                                    ulong offsets_begin, ulong segments, ulong n, uint longest,
                                    uint shared_bits, uint least_shared, __local upsweep_value* sums,
                                    volatile __global ulong* state, uint epoch, UPSWEEP_OUTPUT_PARAMETERS,
                                    ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    __local uint long_ones; // a bit for each sub-group
    __local upsweep_shared_segments shared;
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_output out = UPSWEEP_OUTPUT(out_offset);
    const upsweep_row_source from = {upsweep_of_elements, in, 0, 0};
    const upsweep_index count = (upsweep_index)segments;
    const upsweep_index groups = (upsweep_index)get_num_groups(0);
    const uint sub_group = upsweep_sub_group();
    offsets += offsets_begin;
    const upsweep_entries entries = {state + UPSWEEP_STATE_BEGIN, sums, epoch, 0};
    if (get_local_id(0) == 0) long_ones = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint shares = 0;
    if (upsweep_shares_segments()) {
        upsweep_find_shared(offsets, count, n, shared_bits, least_shared, &shared);
        shares = shared.some && !shared.broken;
        if (shares)
            upsweep_share(in, offsets, n, shared_bits, least_shared, entries, &shared, out, has_init, init);
    }
    // A work-group's segments are far apart: neighbours are often alike, and no work-group should have all long ones.
    for (upsweep_index first = (upsweep_index)get_group_id(0); first < count;
         first += groups * UPSWEEP_SUB_GROUPS_PER_GROUP) {
        const upsweep_index k = first + sub_group * groups;
        if (k < count) {
            const upsweep_row segment = upsweep_segment_at(offsets, k, n, has_init, init);
            if (segment.begin >= segment.end) {
                if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, init);
            } else if (upsweep_shares_segments() && upsweep_parts_of(segment, shared_bits) >= least_shared) {
                if (upsweep_lane() == 0 && shared.broken) UPSWEEP_STORE(out, k, init);
            } else if (segment.end - segment.begin > longest) {
                if (upsweep_lane() == 0) atomic_or(&long_ones, 1u << sub_group);
            } else {
                uint has_sum = UPSWEEP_CANONICAL ? 0 : has_init;
                upsweep_value sum = init;
                upsweep_append_any_row(from, segment, &has_sum, &sum);
                if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, sum);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint left = long_ones;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (left != 0 && get_local_id(0) == 0) long_ones = 0;
        if (left == 0) continue;
        upsweep_reduce_long(in, offsets, n, first, groups, left, sums, out, has_init, init);
    }
    if (!upsweep_shares_segments() || !shares) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint left = shared.joins; left != 0; left ^= 1u << (31 - clz(left))) {
        const upsweep_index k = shared.owned[31 - clz(left)] - 1;
        upsweep_join_many(in, upsweep_segment_at(offsets, k, n, has_init, init), shared_bits, entries,
                          sums + (n >> shared_bits), out, k);
    }
}

#endif
