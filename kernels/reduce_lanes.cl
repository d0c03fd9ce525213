// Reduction in one launch, for lanes in step. Every row of lanes reduces one contiguous part of the input, every work-group
// publishes the combination of its rows, and the work-group that finishes last combines those. Order is kept; where the
// operator commutes (UPSWEEP_COMMUTATIVE), lanes take turns with packs instead of runs, which needs fewer exchanges. Who
// happens to be last changes nothing about the order, so timing does not show in the result.
//
// state: word 0 counts work-groups that are done, from `done_base` on; see state.cl.
#ifndef UPSWEEP_REDUCE_LANES
#define UPSWEEP_REDUCE_LANES
#ifndef UPSWEEP_TILE_ROWS
#include "tile_rows.cl"
#endif
#ifndef UPSWEEP_STATE
#include "state.cl"
#endif
#if !defined(UPSWEEP_COMMUTATIVE)
#error "UPSWEEP_COMMUTATIVE must be 0 or 1"
#endif

// Packs that a lane reads before it combines any.
#define UPSWEEP_AHEAD 4

upsweep_value upsweep_last_lane_sum(upsweep_value value, uint lanes)
{
    return upsweep_from_lane(upsweep_scan_lanes(value, lanes), lanes - 1);
}

// The combination of the `size` >= 1 elements at `part`, by one row of lanes; the same in all of them.
upsweep_value upsweep_reduce_part(__global const upsweep_element* part, ulong size, upsweep_value filler)
{
    const uint lane = upsweep_lane();
    const uint whole = UPSWEEP_IS_ALIGNED(part);
    const uint row = UPSWEEP_LANES * UPSWEEP_PACK;
    upsweep_value sum = filler;
    uint has_sum = 0;
    ulong done = 0;
    for (; size - done >= UPSWEEP_AHEAD * row; done += UPSWEEP_AHEAD * row) {
        upsweep_pack packs[UPSWEEP_AHEAD];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_AHEAD; ++i) {
#if UPSWEEP_COMMUTATIVE
            const uint begin = (i * UPSWEEP_LANES + lane) * UPSWEEP_PACK;
#else
            const uint begin = (lane * UPSWEEP_AHEAD + i) * UPSWEEP_PACK;
#endif
            packs[i] = upsweep_load_pack(part + done, begin, UPSWEEP_AHEAD * row, whole);
        }
        upsweep_value own[UPSWEEP_AHEAD];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_AHEAD; ++i) own[i] = upsweep_fold_pack(packs[i], UPSWEEP_PACK);
        upsweep_value all = upsweep_combine(upsweep_combine(own[0], own[1]), upsweep_combine(own[2], own[3]));
#if !UPSWEEP_COMMUTATIVE
        all = upsweep_last_lane_sum(all, UPSWEEP_LANES);
#endif
        upsweep_append(&has_sum, &sum, all);
    }
#if UPSWEEP_COMMUTATIVE
    if (has_sum) sum = upsweep_last_lane_sum(sum, UPSWEEP_LANES);
#endif
    for (; done < size; done += row) {
        const uint valid = size - done < row ? (uint)(size - done) : row;
        const uint begin = lane * UPSWEEP_PACK;
        const uint count = upsweep_pack_size(begin, valid);
        upsweep_value own = filler;
        if (count > 0) {
            const upsweep_pack pack = upsweep_load_pack(part + done, begin, valid, whole && valid == row);
            own = upsweep_fold_pack(pack, count);
        }
        upsweep_append(&has_sum, &sum, upsweep_last_lane_sum(own, (valid + UPSWEEP_PACK - 1) / UPSWEEP_PACK));
    }
    return sum;
}

// Combines one value of each of the first `count` >= 1 work-items; the result is in all of them.
upsweep_value upsweep_reduce_group(upsweep_value value, uint count, __local upsweep_value* sums)
{
    const uint lane_row = (uint)get_local_id(0) / UPSWEEP_LANES;
    const uint first = lane_row * UPSWEEP_LANES;
    if (count > first) {
        value = upsweep_last_lane_sum(value, min(count - first, (uint)UPSWEEP_LANES));
        if (upsweep_lane() == 0) sums[lane_row] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    value = sums[0];
    for (uint i = 1; i < (count + UPSWEEP_LANES - 1) / UPSWEEP_LANES; ++i) value = upsweep_combine(value, sums[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return value;
}

// `part` elements, a multiple of a row, go to each row of lanes; every work-group has some. n may be 0 for a single
// work-group: then the result is `init`.
UPSWEEP_KERNEL upsweep_reduce_once(__global const upsweep_element* in, ulong in_offset, ulong n, ulong part,
                                   __global upsweep_value* result, ulong result_offset, volatile __global ulong* state,
                                   uint epoch, uint done_base, uint has_init, upsweep_value init)
{
    __local upsweep_value sums[UPSWEEP_LANE_ROWS];
    __local uint shared_last[1];
    const uint local_id = (uint)get_local_id(0);
    const uint groups = (uint)get_num_groups(0);
    const uint group = (uint)get_group_id(0);
    if (n == 0) {
        if (local_id == 0) result[result_offset] = init;
        return;
    }
    // Rows of lanes that have elements, in this work-group: all but, at the end of the input, the last ones.
    const ulong first_part = (ulong)group * UPSWEEP_LANE_ROWS;
    const ulong parts = (n + part - 1) / part - first_part;
    const uint used = parts < UPSWEEP_LANE_ROWS ? (uint)parts : (uint)UPSWEEP_LANE_ROWS;
    const uint lane_row = local_id / UPSWEEP_LANES;
    if (lane_row < used) {
        const ulong begin = (first_part + lane_row) * part;
        const upsweep_value sum = upsweep_reduce_part(in + in_offset + begin, min(n - begin, part), init);
        if (upsweep_lane() == 0) sums[lane_row] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_value total = sums[0];
    for (uint i = 1; i < used; ++i) total = upsweep_combine(total, sums[i]);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (groups > 1) {
        if (local_id == 0) {
            upsweep_publish(state + UPSWEEP_STATE_BEGIN + (ulong)group * UPSWEEP_STATE_WORDS, epoch, total);
            shared_last[0] = atomic_inc((volatile __global uint*)state) - done_base == groups - 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!shared_last[0]) return;
        // All others have published; what they wrote may still be on its way.
        const uint each = (groups + UPSWEEP_WORK_ITEMS - 1) / UPSWEEP_WORK_ITEMS;
        uint has_sum = 0;
        upsweep_value sum = init;
        for (uint i = local_id * each; i < min((local_id + 1) * each, groups); ++i) {
            upsweep_value value;
            while (!upsweep_is_published(state + UPSWEEP_STATE_BEGIN + (ulong)i * UPSWEEP_STATE_WORDS, epoch, &value)) {
            }
            upsweep_append(&has_sum, &sum, value);
        }
        total = upsweep_reduce_group(sum, (groups + each - 1) / each, sums);
    }
    if (local_id == 0) result[result_offset] = has_init ? upsweep_combine(init, total) : total;
}

#endif
