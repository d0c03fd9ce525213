// SPDX-License-Identifier: MIT
// scan_look_back.cl for devices with sub-groups: the same launch and the same state, with tiles in blocks
// (tile_blocks.cl). The more bytes a work-group has in flight, the less its wait for the tiles before it matters.
//
// On NVIDIA devices tiles are numbered as work-groups are, without a ticket. A ticket costs a round trip to memory before
// a tile can start. It is not needed for correctness, because no tile relies on another tile's start. These devices start
// work-groups in order. Other devices may not, and a tile that starts early stalls on many predecessors.
#ifndef UPSWEEP_SCAN_LOOK_BACK_LANES
#define UPSWEEP_SCAN_LOOK_BACK_LANES
#include "sub_group/tile_blocks.cl"
#if !defined(UPSWEEP_AHEAD_TILES)
#error "UPSWEEP_AHEAD_TILES must be how many tiles ahead to prefetch, 0 for none"
#endif
#if !defined(UPSWEEP_ONE_TILE)
#error "UPSWEEP_ONE_TILE must be 1 if there is never more than one tile, else 0"
#endif
#include "sub_group/find_prefix.cl"

// What the first sub-group shares with the others.
typedef struct {
    upsweep_value sums[UPSWEEP_SUB_GROUPS_PER_GROUP]; // of each sub-group
    upsweep_value prefix;
    upsweep_value end; // the prefix of the next tile, if this one is full
    uint is_found;
} upsweep_shared;

// Publishes the tile's sum and waits for its prefix. `sum` is that of block b in lane b; `prefixes` receives that of each
// block and, for inclusive scans, of what follows the last full one. *has_prefix receives whether anything precedes block 0.
// Returns 0 if a tile is silent, for the caller to start again with the fallback.
uint upsweep_share_prefix(upsweep_call call, upsweep_input all, uint fallback, uint valid,
                          __local upsweep_shared* shared, upsweep_value sum, uint* has_prefix,
                          upsweep_prefixes* prefixes)
{
    const uint sub_group = upsweep_sub_group();
    const uint share = UPSWEEP_BLOCKS * UPSWEEP_BLOCK; // elements of each sub-group
    const uint size = valid > sub_group * share ? min(valid - sub_group * share, share) : 0u;
    upsweep_value before[UPSWEEP_LANE_BITS];
    const upsweep_value own_sum = upsweep_lanes_up(sum, UPSWEEP_BLOCKS, size / UPSWEEP_BLOCK, before);
    if (upsweep_lane() == 0) shared->sums[sub_group] = own_sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_value sums[UPSWEEP_SUB_GROUPS_PER_GROUP];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SUB_GROUPS_PER_GROUP; ++i) sums[i] = shared->sums[i];
    upsweep_sweep_up(sums, UPSWEEP_SUB_GROUPS_PER_GROUP, valid / share);
    uint has_own = call.has_init;
    upsweep_value own = call.init;
    if (call.tiles > 1) {
        if (sub_group == 0) {
            upsweep_value found;
            upsweep_value end;
            const uint is_found = upsweep_find_prefix(call, all, fallback, valid == UPSWEEP_TILE,
                                                      sums[UPSWEEP_SUB_GROUPS_PER_GROUP - 1], &found, &end);
            if (upsweep_lane() == 0) {
                shared->prefix = found;
                shared->end = end;
                shared->is_found = is_found;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!shared->is_found) return 0;
        own = shared->prefix;
        has_own = call.has_init || call.tile > 0;
    }
    upsweep_value end = sums[UPSWEEP_SUB_GROUPS_PER_GROUP - 1];
    if (!call.exclusive) {
        if (call.tiles > 1)
            end = shared->end;
        else if (call.has_init && valid == UPSWEEP_TILE)
            end = upsweep_combine(own, end);
    }
    const uint used = (valid + share - 1) / share;
    upsweep_sweep_down(sums, UPSWEEP_SUB_GROUPS_PER_GROUP,
                       call.exclusive ? used : min(valid / share + 1, (uint)UPSWEEP_SUB_GROUPS_PER_GROUP), has_own,
                       own);
#pragma unroll
    for (uint i = 1; i < UPSWEEP_SUB_GROUPS_PER_GROUP; ++i) {
        if (i == sub_group) own = sums[i];
        if (i == sub_group + 1) end = sums[i];
    }
    has_own = has_own || sub_group > 0;
    *has_prefix = has_own;
#if UPSWEEP_BLOCKS == UPSWEEP_LANES
    prefixes->end = end;
#endif
    if (upsweep_lane() == UPSWEEP_BLOCKS)
        own = end;
    else if (upsweep_lane() <= size / UPSWEEP_BLOCK)
        upsweep_lanes_down(before, UPSWEEP_BLOCKS, &has_own, &own);
    prefixes->of_block = own;
    return 1;
}

// One full tile from end to end: read once, written once. Lane b keeps the sum, then the prefix, of block b. Returns 0,
// with nothing written, if a tile is silent.
//
// On NVIDIA devices `exclusive` is a constant, so that neither kind of scan pays for the other. One code for both made
// exclusive scans of 2^24 int32 2 % slower on an H200, and left the results of inclusive ones to be chosen element by
// element.
uint upsweep_scan_full_tile(upsweep_call call, uint exclusive, upsweep_input in, upsweep_output out,
                            __local upsweep_shared* shared, __local upsweep_slot* slots)
{
    call.exclusive = exclusive;
    const uint shift = UPSWEEP_INPUT_SHIFT(in);
    upsweep_stage_full_blocks(in, slots);
    upsweep_wait_for_stages();
    upsweep_value sum = call.init;
#pragma unroll UPSWEEP_BLOCKS_SUMMED
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        const upsweep_value block_sum = upsweep_sum_local_block(slots + block * UPSWEEP_BLOCK_SLOTS, shift);
        if (upsweep_lane() == block) sum = block_sum;
    }
    uint has_prefix;
    upsweep_prefixes prefixes;
    if (!upsweep_share_prefix(call, in, 0, UPSWEEP_TILE, shared, sum, &has_prefix, &prefixes)) return 0;
#pragma unroll UPSWEEP_BLOCKS_SCANNED
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        __local upsweep_slot* own = slots + block * UPSWEEP_BLOCK_SLOTS;
        upsweep_scan_block(own, shift, block, UPSWEEP_BLOCK, 1, call.exclusive, has_prefix || block > 0, &prefixes);
        upsweep_store_full_block(own, UPSWEEP_OUTPUT_AT(out, upsweep_block_begin(block)));
    }
    return 1;
}

// One tile that is not full, or that needs the fallback: block after block, each read twice. Out of line,
// so that full tiles keep their registers; inline where a function that is called may have no barrier.
#if UPSWEEP_PTX
__attribute__((noinline))
#endif
void upsweep_scan_any_tile(upsweep_call call, upsweep_input all, upsweep_input in,
                           upsweep_output out, uint valid, __local upsweep_shared* shared,
                           __local upsweep_slot* slots)
{
    upsweep_value sum = call.init;
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        const uint begin = upsweep_block_begin(block);
        if (begin + UPSWEEP_BLOCK > valid) continue;
        upsweep_stage_block(UPSWEEP_INPUT_AT(in, begin), UPSWEEP_BLOCK, slots);
        upsweep_sync_lanes();
        const upsweep_value block_sum = upsweep_sum_local_block(slots, 0);
        if (upsweep_lane() == block) sum = block_sum;
        upsweep_sync_lanes();
    }
    uint has_prefix;
    upsweep_prefixes prefixes;
    upsweep_share_prefix(call, all, 1, valid, shared, sum, &has_prefix, &prefixes);
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        const uint begin = upsweep_block_begin(block);
        if (begin >= valid) continue;
        const uint size = min(valid - begin, (uint)UPSWEEP_BLOCK);
        upsweep_stage_block(UPSWEEP_INPUT_AT(in, begin), size, slots);
        upsweep_sync_lanes();
        upsweep_scan_block(slots, 0, block, size, 0, call.exclusive, has_prefix || block > 0, &prefixes);
        upsweep_store_block(slots, UPSWEEP_OUTPUT_AT(out, begin), size);
        upsweep_sync_lanes();
    }
}

#if UPSWEEP_PTX
// Prefetches this sub-group's part of the full tile at `first` into the second-level cache: memory then stays
// busy while tiles wait for their prefixes.
void upsweep_prefetch_tile(upsweep_input in, ulong first, ulong n)
{
    const uint bytes = UPSWEEP_BLOCKS * UPSWEEP_BLOCK * UPSWEEP_ELEMENT_SIZE;
    if (first + UPSWEEP_TILE > n) return;
    upsweep_prefetch(UPSWEEP_INPUT_AT(in, first), upsweep_sub_group() * bytes, bytes, upsweep_lane(), UPSWEEP_LANES);
}
#endif

UPSWEEP_KERNEL upsweep_scan_look_back(UPSWEEP_ONE_LAUNCH_PARAMETERS)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_shared shared[1];
    // The sixteen bytes are what an asynchronous copy writes at once.
    __local upsweep_slot slots[UPSWEEP_SUB_GROUPS_PER_GROUP * UPSWEEP_SUB_GROUP_SLOTS]
        __attribute__((aligned(16)));
    const uint tiles = UPSWEEP_ONE_TILE ? 1u : (uint)get_num_groups(0);
#if UPSWEEP_PTX
    const uint number = (uint)get_group_id(0);
#else
    __local uint shared_number[1];
    uint number = 0;
    if (tiles > 1) {
        if (get_local_id(0) == 0) shared_number[0] = atomic_inc((volatile __global uint*)state) - launch.y;
        barrier(CLK_LOCAL_MEM_FENCE);
        number = shared_number[0];
    }
#endif
    // What looks back is not even compiled for a single tile: an NVIDIA H200 takes longer for more code, run or not.
    const uint tile = UPSWEEP_ONE_TILE ? 0u : UPSWEEP_TILE_ORDER(number, tiles);
    const ulong n = UPSWEEP_REAL(where.z);
    const upsweep_call call = {state,
                               tiles,
                               launch.x,
                               tile,
                               launch.z & UPSWEEP_IN_PLACE,
                               UPSWEEP_IS_EXCLUSIVE(launch.z),
                               launch.z & UPSWEEP_HAS_INIT,
                               init};
    __local upsweep_slot* own_slots = slots + upsweep_sub_group() * UPSWEEP_SUB_GROUP_SLOTS;
    const upsweep_input in = UPSWEEP_INPUT(where.x);
    const upsweep_output out = UPSWEEP_OUTPUT(where.y);
    const ulong first = (ulong)tile * UPSWEEP_TILE;
    UPSWEEP_LEAVE_IF(upsweep_ballot(first >= n)) // the same for all: Intel's compiler must see that
    const uint valid = n - first < UPSWEEP_TILE ? (uint)(n - first) : (uint)UPSWEEP_TILE;
#if UPSWEEP_PTX
    if (UPSWEEP_AHEAD_TILES > 0) upsweep_prefetch_tile(in, first + (ulong)UPSWEEP_AHEAD_TILES * UPSWEEP_TILE, n);
#endif
    uint done = 0;
    if (valid == UPSWEEP_TILE && UPSWEEP_INPUT_HAS_GRANULES(in) && UPSWEEP_OUTPUT_HAS_GRANULES(out)) {
#if UPSWEEP_PTX
        if (UPSWEEP_IS_EXCLUSIVE(launch.z))
            done = upsweep_scan_full_tile(call, 1, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first), shared,
                                          own_slots);
        else
            done = upsweep_scan_full_tile(call, 0, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first), shared,
                                          own_slots);
#else // once: Intel's CPU runtime gives wrong results where there are barriers in both branches
        done = upsweep_scan_full_tile(call, call.exclusive, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first),
                                      shared, own_slots);
#endif
    }
    if (!done)
        upsweep_scan_any_tile(call, in, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first), valid, shared,
                              own_slots);
    if (tiles > 1) { // a constant, perhaps, of which compilers warn behind &&
        if (get_local_id(0) == 0) UPSWEEP_FINISHED(state)
    }
}

#endif
