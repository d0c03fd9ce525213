// SPDX-License-Identifier: MIT
// Counts marks before a scan of them, where the scan's store hook needs the number of all (mark_tiles.cl). The last tile
// stores that by UPSWEEP_STORE_END. Each tile publishes its sum in the state of the scan, as tiles of the scan do. A tile
// waits for others only if it completes a group of tiles, or is the last: then it publishes the prefix of each tile of its
// group, too. The scan is the next launch and has the same epoch, so it finds these and does not wait. It begins with the
// last tile, because the cache still has what was read last.
//
// H200, 2^28 int32 of which half are marked, us: a reduction and a scan that waits 868; this launch, with tiles of 128 x
// 64, and a scan that finds prefixes as if it waited 856; with prefixes of all tiles 800, the scan 522 of it. Work-groups
// that go on to further tiles, 4, 6, 8 and 12 of a compute unit: 855, 834, 845 and 831.
#ifndef UPSWEEP_COUNT_MARKS
#define UPSWEEP_COUNT_MARKS
#include "sub_group_tile/mark_tiles.cl"
#include "sub_group_tile/take_tile.cl"
#if defined(UPSWEEP_LISTS_MARKS) && UPSWEEP_LISTS_MARKS == 2

// The sum of the marks among the first `size` elements of a share. `full`, a constant: all are real.
upsweep_value upsweep_count_share(upsweep_input in, uint size, uint full)
{
    uint count = 0; // of this lane
#pragma unroll 1
    for (uint first = 0; first < size; first += UPSWEEP_MARK_BATCH * UPSWEEP_LANES) {
        upsweep_element elements[UPSWEEP_MARK_BATCH];
        const upsweep_input here = UPSWEEP_INPUT_AT(in, full ? first + upsweep_lane() : 0);
#pragma unroll
        for (uint i = 0; i < UPSWEEP_MARK_BATCH; ++i) // see upsweep_list_marks
            elements[i] = UPSWEEP_LOAD(
                here, full ? i * UPSWEEP_LANES : min(first + i * UPSWEEP_LANES + upsweep_lane(), size - 1));
#pragma unroll
        for (uint i = 0; i < UPSWEEP_MARK_BATCH; ++i)
            count += UPSWEEP_IS_MARKED(elements[i]) & (full || first + i * UPSWEEP_LANES + upsweep_lane() < size);
    }
    return upsweep_lanes_sum(UPSWEEP_MARKS_VALUE(count, 0));
}

// Publishes the prefixes of a tile and of those before it in its group, whose sums are all published.
void upsweep_publish_prefixes(upsweep_call call, upsweep_value prefix)
{
    const uint before = call.tile % UPSWEEP_GROUP;
    const uint first = call.tile - before;
    upsweep_value sum = UPSWEEP_MARKS_VALUE(0, 0);
    while (upsweep_await_lanes(upsweep_entry(call.state, call.tiles, 0, first), call.epoch, 1, before, &sum)) {
    }
    upsweep_value parts[UPSWEEP_LANE_BITS];
    upsweep_lanes_up(sum, UPSWEEP_LANES, UPSWEEP_LANES, parts);
    uint has_own = 1;
    upsweep_value own = UPSWEEP_MARKS_VALUE(0, 0);
    upsweep_lanes_down(parts, UPSWEEP_LANES, &has_own, &own);
    const upsweep_value behind_own = upsweep_from_lane(own, before) - own; // up to the tile
    if (upsweep_lane() <= before)
        upsweep_publish(upsweep_prefix_entry(call.state, call.tiles, first + upsweep_lane()), call.epoch,
                        prefix - behind_own);
}

// Publishes what is known with the sum of a tile, by one sub-group. Returns the tile's prefix, if it is the last.
upsweep_value upsweep_publish_count(upsweep_call call, upsweep_input all, uint is_full, uint is_last,
                                    upsweep_value sum, __local upsweep_found* found)
{
    upsweep_value prefix = call.init;
    if (call.tiles == 1) return prefix;
    if (!is_last && !UPSWEEP_ENDS(call.tile, UPSWEEP_GROUP)) {
        upsweep_publish_own(call, 0, sum);
        return prefix;
    }
    upsweep_value end;
    if (!upsweep_find_prefix(call, 0, is_full, sum, &prefix, &end)) {
        upsweep_find_past_silent(call, all, is_full, found);
        upsweep_sync_lanes();
        prefix = upsweep_read_shared(&found->prefix);
    }
    if (UPSWEEP_KEEPS_PREFIXES) upsweep_publish_prefixes(call, prefix);
    return prefix;
}

UPSWEEP_KERNEL upsweep_count_marks(UPSWEEP_ONE_LAUNCH_PARAMETERS)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_shared shared[1];
    const uint tiles = UPSWEEP_ONE_TILE ? 1u : (uint)get_num_groups(0);
    const uint tile = upsweep_take_tile(state, launch, tiles, shared);
    const ulong n = UPSWEEP_REAL(where.z);
    const ulong first = (ulong)tile * UPSWEEP_TILE;
    UPSWEEP_LEAVE_IF(upsweep_ballot(first >= n)) // the same for all: Intel's compiler must see that
    const uint valid = UPSWEEP_AT_MOST(n - first, UPSWEEP_TILE);
    const uint is_full = valid == UPSWEEP_TILE;
    const upsweep_input all = UPSWEEP_INPUT(where.x);
    const upsweep_input in = UPSWEEP_INPUT_AT(all, first + upsweep_sub_group() * UPSWEEP_SHARE);
    const upsweep_value own = is_full ? upsweep_count_share(in, UPSWEEP_SHARE, 1)
                                      : upsweep_count_share(in, upsweep_share_size(valid), 0);
    if (upsweep_lane() == 0) shared->sums[upsweep_sub_group()].value = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (upsweep_sub_group() == 0) {
        upsweep_value sum = UPSWEEP_MARKS_VALUE(0, 0);
        for (uint i = 0; i < UPSWEEP_SUB_GROUPS_PER_GROUP; ++i) sum += upsweep_read_shared(shared->sums + i);
        const upsweep_call call = {state, tiles, launch.x, launch.w, tile, launch.z, 1, init};
        const uint is_last = first + valid == n;
        const upsweep_value prefix = upsweep_publish_count(call, all, is_full, is_last, sum, &shared->found);
        if (is_last && upsweep_lane() == 0)
            UPSWEEP_STORE_END(UPSWEEP_OUTPUT_AT(UPSWEEP_OUTPUT(where.y), first), valid - 1, prefix + sum);
    }
    if (tiles > 1) { // a constant, perhaps, of which compilers warn behind &&
        if (get_local_id(0) == 0) UPSWEEP_FINISHED(state)
    }
}

#endif
#endif
