// SPDX-License-Identifier: MIT
// scan_look_back.cl in the canonical order, for operators that cost more than the memory: the same launch and the same state,
// with tiles whose runs are kept (kept_runs.cl).
#ifndef UPSWEEP_SCAN_LOOK_BACK_KEPT
#define UPSWEEP_SCAN_LOOK_BACK_KEPT
#include "single_pass/kept_runs.cl"
#ifndef UPSWEEP_HAS_SHARE_PREFIX
#include "single_pass/share_prefix.cl"
#endif

// One tile from end to end.
void upsweep_scan_kept_tile(uint local_id, upsweep_call call, upsweep_input all, upsweep_output out, uint valid,
                            __local upsweep_found* found, __local upsweep_kept_tile* tile)
{
    const uint is_full = valid == UPSWEEP_TILE;
    const ulong first = (ulong)call.tile * UPSWEEP_TILE;
    upsweep_begin_kept_tile(local_id, UPSWEEP_INPUT_AT(all, first), is_full, valid, tile);
    upsweep_value total = call.init;
    if (is_full) total = tile->sums[UPSWEEP_ROOT];
    upsweep_value prefix = call.init;
    upsweep_value end = total;
    if (call.tiles > 1) {
        upsweep_find_prefix_for_all(local_id, call, all, is_full, total, found);
        prefix = upsweep_read_shared(&found->prefix);
        if (is_full && !call.exclusive) end = upsweep_read_shared(&found->end);
    } else {
        if (is_full && (call.flags & UPSWEEP_HAS_INIT) && !call.exclusive) end = upsweep_combine(prefix, total);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    upsweep_finish_kept_tile(local_id, UPSWEEP_OUTPUT_AT(out, first), is_full, valid, call.exclusive,
                             (call.flags & UPSWEEP_HAS_INIT) || call.tile > 0, prefix, end, tile);
}

UPSWEEP_KERNEL upsweep_scan_look_back(UPSWEEP_ONE_LAUNCH_PARAMETERS)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_kept_tile kept[1];
    __local upsweep_found found[1];
    const uint local_id = (uint)get_local_id(0);
    const uint tiles = (uint)get_num_groups(0);
    uint number = (uint)get_group_id(0);
#if UPSWEEP_TAKES_TICKETS
    __local uint shared_number[1];
    if (tiles > 1) number = upsweep_take_ticket((volatile __global uint*)state, tiles, shared_number);
#endif
    const uint tile = UPSWEEP_TILE_ORDER(number, tiles);
    const upsweep_call call = UPSWEEP_CALL_OF(state, tiles, launch, tile, init);
    const upsweep_input in = UPSWEEP_INPUT(where.x);
    const upsweep_output out = UPSWEEP_OUTPUT(where.y);
    UPSWEEP_LEAVE_IF((ulong)tile * UPSWEEP_TILE >= UPSWEEP_REAL(where.z))
    const ulong rest = UPSWEEP_REAL(where.z) - (ulong)tile * UPSWEEP_TILE;
    upsweep_scan_kept_tile(local_id, call, in, out, UPSWEEP_AT_MOST(rest, UPSWEEP_TILE), found, kept);
    if (tiles > 1) {
        if (local_id == 0) UPSWEEP_FINISHED(state)
    }
}

#endif
