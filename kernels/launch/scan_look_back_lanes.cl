// SPDX-License-Identifier: MIT
// scan_look_back.cl for devices with sub-groups: the same launch and the same state, with tiles in blocks
// (tile_blocks.cl). The more bytes a work-group has in flight, the less its wait for the tiles before it matters.
#ifndef UPSWEEP_SCAN_LOOK_BACK_LANES
#define UPSWEEP_SCAN_LOOK_BACK_LANES
#include "launch/count_marks.cl"
#include "single_pass/prefetch.cl"
#include "sub_group_tile/mark_tiles.cl"
#include "sub_group_tile/scan_tiles.cl"
#if !defined(UPSWEEP_AHEAD_TILES)
#error "UPSWEEP_AHEAD_TILES must be how many tiles ahead to prefetch, 0 for none"
#endif

#if UPSWEEP_PTX
// Prefetches this sub-group's part of the full tile at `first`.
void upsweep_prefetch_tile(upsweep_input in, ulong first, ulong n)
{
    if (first + UPSWEEP_TILE > n) return;
    upsweep_prefetch(UPSWEEP_INPUT_AT(in, first), upsweep_sub_group() * UPSWEEP_SHARE, UPSWEEP_SHARE, upsweep_lane(),
                     UPSWEEP_LANES);
}
#endif

UPSWEEP_KERNEL upsweep_scan_look_back(UPSWEEP_ONE_LAUNCH_PARAMETERS)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_shared shared[1];
    // The sixteen bytes are what an asynchronous copy writes at once.
    __local upsweep_tile_slot slots[UPSWEEP_SUB_GROUPS_PER_GROUP * UPSWEEP_SHARE_SLOTS] __attribute__((aligned(16)));
    const uint tiles = UPSWEEP_ONE_TILE ? 1u : (uint)get_num_groups(0);
    const uint tile = upsweep_take_tile(state, launch, tiles, shared);
    const ulong n = UPSWEEP_REAL(where.z);
    const upsweep_call call = UPSWEEP_CALL_OF(state, tiles, launch, tile, init);
    __local upsweep_tile_slot* own_slots = slots + upsweep_sub_group() * UPSWEEP_SHARE_SLOTS;
    const upsweep_input in = UPSWEEP_INPUT(where.x);
    const upsweep_output out = UPSWEEP_OUTPUT(where.y);
    const ulong first = (ulong)tile * UPSWEEP_TILE;
    UPSWEEP_LEAVE_IF(upsweep_ballot(first >= n)) // the same for all: Intel's compiler must see that
    const uint valid = UPSWEEP_AT_MOST(n - first, UPSWEEP_TILE);
#if UPSWEEP_PTX
    if (UPSWEEP_AHEAD_TILES > 0) upsweep_prefetch_tile(in, first + (ulong)UPSWEEP_AHEAD_TILES * UPSWEEP_TILE, n);
#endif
#if UPSWEEP_STARTS_AGAIN
    uint done = 0;
#if !UPSWEEP_ONE_TILE // a tile that happens to be full is not worth a second code
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
#endif
    if (!done)
        upsweep_scan_any_tile(call, in, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first), valid, shared,
                              own_slots);
#elif UPSWEEP_PTX
    if (UPSWEEP_IS_EXCLUSIVE(launch.z))
        upsweep_scan_blocks(call, 1, in, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first), valid, shared,
                            own_slots);
    else
        upsweep_scan_blocks(call, 0, in, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first), valid, shared,
                            own_slots);
#else
    upsweep_scan_blocks(call, call.exclusive, in, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first), valid,
                        shared, own_slots);
#endif
    if (tiles > 1) { // a constant, perhaps, of which compilers warn behind &&
        if (get_local_id(0) == 0) UPSWEEP_FINISHED(state)
    }
}

#endif
