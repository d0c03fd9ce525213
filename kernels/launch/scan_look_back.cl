// SPDX-License-Identifier: MIT
// The single-pass scan: every element is read once and written once. One work-group per tile, one launch.
//
// Tiles are numbered in the order in which work-groups begin (the ticket), so that the tiles before one's own have at
// least begun. In place, output overwrites input, so a tile's sum must be visible to all before its output is.
//
// state: see state.cl and look_back.cl. where, launch: see the prelude.
#ifndef UPSWEEP_SCAN_LOOK_BACK
#define UPSWEEP_SCAN_LOOK_BACK
#include "tile/tile_scan.cl"
#include "single_pass/wait_for_prefix.cl"

// Elements of a tile. A work-item on its own learns it when it runs: one program then serves tiles of any size, those of a
// self-check among them.
#if UPSWEEP_WORK_ITEMS == 1
#define UPSWEEP_TILE_OF(launched) ((uint)(launched))
#else
#define UPSWEEP_TILE_OF(launched) ((uint)UPSWEEP_TILE)
#endif

// Whether a full tile of an inclusive scan ends with the prefix of the next one, which the canonical order may combine
// otherwise than the tile's prefix and sum.
#define UPSWEEP_STORES_END (UPSWEEP_WORK_ITEMS == 1 && UPSWEEP_TREE_RUN > 1)

// Sums in the order of the balanced tree, as every tile algorithm does for a power of two of partials. (Sharing this work
// would need barriers in a loop that ends depending on data, which compilers for CPUs get wrong.)
UPSWEEP_OUTLINE upsweep_value upsweep_sum_full_tile(upsweep_input in, uint size, __local upsweep_value* memory)
{
#if UPSWEEP_WORK_ITEMS == 1
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_RUN)];
    upsweep_value before;
    return upsweep_begin_tile(0, in, size, UPSWEEP_LOAD(in, 0), run, &before, memory);
#else
    for (uint i = 0; i < UPSWEEP_WORK_ITEMS; ++i) {
        upsweep_value sum = UPSWEEP_LOAD(in, i * UPSWEEP_ITEMS);
        for (uint k = 1; k < UPSWEEP_ITEMS; ++k) sum = upsweep_combine(sum, UPSWEEP_LOAD(in, i * UPSWEEP_ITEMS + k));
        memory[i] = sum;
    }
    for (uint stride = 1; stride < UPSWEEP_WORK_ITEMS; stride *= 2)
        for (uint i = 0; i + stride < UPSWEEP_WORK_ITEMS; i += 2 * stride)
            memory[i] = upsweep_combine(memory[i], memory[i + stride]);
    return memory[0];
#endif
}

UPSWEEP_KERNEL upsweep_scan_look_back(UPSWEEP_ONE_LAUNCH_PARAMETERS)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_value memory[UPSWEEP_SCAN_MEMORY];
    __local upsweep_value shared_prefix[1];
    __local uint shared_ticket[1];
    const uint local_id = (uint)get_local_id(0);
    const uint tiles = (uint)get_num_groups(0);
    const ulong n = UPSWEEP_REAL(where.z);
    const uint size = UPSWEEP_TILE_OF(where.w);
    const uint has_init = launch.z & UPSWEEP_HAS_INIT;
    const uint exclusive = launch.z & UPSWEEP_EXCLUSIVE;
    const upsweep_input in = UPSWEEP_INPUT(where.x);
    const upsweep_output out = UPSWEEP_OUTPUT(where.y);

    uint tile = 0;
    if (tiles > 1) {
        const uint ticket = upsweep_take_ticket((volatile __global uint*)state, tiles, shared_ticket);
        tile = UPSWEEP_TILE_ORDER(ticket, tiles);
    }

    const ulong first = (ulong)tile * size;
    UPSWEEP_LEAVE_IF(first >= n)
    const uint valid = UPSWEEP_AT_MOST(n - first, size);
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_RUN)];
    upsweep_value before;
    const upsweep_value total =
        upsweep_begin_tile(local_id, UPSWEEP_INPUT_AT(in, first), valid, init, run, &before, memory);
    const uint is_full = valid == size;
    const uint wants_end = UPSWEEP_STORES_END && is_full && !exclusive && tiles > 1;
    upsweep_value end = init; // the prefix of the next tile
    if (local_id == 0 && tiles == 1) shared_prefix[0] = init;
    if (local_id == 0 && tiles > 1) {
        const upsweep_call call = {state, tiles, launch.x, launch.w, tile, launch.z, exclusive, init};
        shared_prefix[0] = upsweep_wait_for_prefix(call, in, size, is_full, wants_end, total, &end, memory);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_finish_tile(local_id, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first), valid, run, before,
                        exclusive, has_init || tile > 0, shared_prefix[0], memory);
    if (wants_end) UPSWEEP_STORE(out, first + size - 1, end);
    if (local_id == 0 && tiles > 1) UPSWEEP_FINISHED(state)
}

#endif
