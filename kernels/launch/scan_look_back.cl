// SPDX-License-Identifier: MIT
// The single-pass scan: every element is read once and written once. One work-group per tile, one launch.
//
// Tiles are numbered in the order in which work-groups begin (the ticket), so that the tiles before one's own have at
// least begun. In place, output overwrites input, so a tile's sum must be visible to all before its output is.
//
// state: see state.cl and look_back.cl. where, launch: see the prelude; .y of launch is what the ticket counter begins with.
#ifndef UPSWEEP_SCAN_LOOK_BACK
#define UPSWEEP_SCAN_LOOK_BACK
#include "tile/tile_scan.cl"
#include "single_pass/look_back.cl"

// Elements of a tile. A work-item on its own learns it when it runs: one program then serves tiles of any size, those of a
// self-check among them.
#if UPSWEEP_WORK_ITEMS == 1
#define UPSWEEP_TILE_OF(launched) ((uint)(launched))
#else
#define UPSWEEP_TILE_OF(launched) ((uint)UPSWEEP_TILE)
#endif

// The sum of a full tile by one work-item, with the bits that its own work-group gets: for a power of two of partials,
// every tile algorithm sums in the order of the balanced tree. (Sharing this work would need barriers in a loop that ends
// depending on data, which compilers for CPUs get wrong.)
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

// Publishes the sum of a silent tile in its place. If that tile goes on meanwhile and overwrites what is read here, it has
// published its sum before: then the sum computed here is dropped.
UPSWEEP_OUTLINE void upsweep_publish_for(upsweep_input in, uint size, volatile __global ulong* words, uint epoch,
                                         __local upsweep_value* memory)
{
    const upsweep_value sum = upsweep_sum_full_tile(in, size, memory);
    UPSWEEP_DEVICE_FENCE()
    upsweep_value known;
    if (!upsweep_is_published(words, epoch, &known)) upsweep_publish(words, epoch, sum);
}

UPSWEEP_KERNEL upsweep_scan_look_back(UPSWEEP_ONE_LAUNCH_PARAMETERS)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_value memory[UPSWEEP_SCAN_MEMORY];
    __local upsweep_value shared_prefix[1];
#if UPSWEEP_WORK_ITEMS == 1 && UPSWEEP_TREE_RUN > 1
    upsweep_value end = init; // the prefix of the next tile
#endif
    __local uint shared_ticket[1];
    const uint local_id = (uint)get_local_id(0);
    const uint tiles = (uint)get_num_groups(0);
    const ulong n = UPSWEEP_REAL(where.z);
    const uint size = UPSWEEP_TILE_OF(where.w);
    const uint epoch = launch.x;
    const uint has_init = launch.z & UPSWEEP_HAS_INIT;
    const uint exclusive = launch.z & UPSWEEP_EXCLUSIVE;
    const upsweep_input in = UPSWEEP_INPUT(where.x);
    const upsweep_output out = UPSWEEP_OUTPUT(where.y);

    uint tile = 0;
    if (tiles > 1) {
        const uint ticket = upsweep_take_ticket((volatile __global uint*)state, launch.y, shared_ticket);
        tile = UPSWEEP_TILE_ORDER(ticket, tiles);
    }

    const ulong first = (ulong)tile * size;
    UPSWEEP_LEAVE_IF(first >= n)
    const uint valid = UPSWEEP_AT_MOST(n - first, size);
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_RUN)];
    upsweep_value before;
    const upsweep_value total =
        upsweep_begin_tile(local_id, UPSWEEP_INPUT_AT(in, first), valid, init, run, &before, memory);
    volatile __global ulong* sums = upsweep_level(state, tiles, 0);
    if (local_id == 0 && tiles == 1) shared_prefix[0] = init;
    if (local_id == 0 && tiles > 1) {
        UPSWEEP_SILENCE(tile, state)
        upsweep_publish(sums + (ulong)tile * UPSWEEP_STATE_WORDS, epoch, total);
        if (launch.z & UPSWEEP_IN_PLACE) UPSWEEP_DEVICE_FENCE()
        upsweep_look look;
        uint silent;
        do {
            silent = upsweep_look_back(state, tiles, epoch, launch.w, tile, total, &look);
            if (silent != UPSWEEP_NO_TILE)
                upsweep_publish_for(UPSWEEP_INPUT_AT(in, (ulong)silent * size), size,
                                    sums + (ulong)silent * UPSWEEP_STATE_WORDS, epoch, memory);
        } while (silent != UPSWEEP_NO_TILE);
        uint has_prefix = has_init;
        upsweep_value prefix = init;
        upsweep_append_look(&look, tile, &has_prefix, &prefix);
        shared_prefix[0] = prefix;
#if UPSWEEP_WORK_ITEMS == 1 && UPSWEEP_TREE_RUN > 1
        if (!exclusive && valid == size) {
            uint has_end = has_init;
            upsweep_add_own(&look, tile, total);
            upsweep_append_look(&look, tile + 1, &has_end, &end);
        }
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_finish_tile(local_id, UPSWEEP_INPUT_AT(in, first), UPSWEEP_OUTPUT_AT(out, first), valid, run, before,
                        exclusive, has_init || tile > 0, shared_prefix[0], memory);
#if UPSWEEP_WORK_ITEMS == 1 && UPSWEEP_TREE_RUN > 1
    if (!exclusive && tiles > 1 && valid == size) UPSWEEP_STORE(out, first + size - 1, end);
#endif
    if (local_id == 0 && tiles > 1) UPSWEEP_FINISHED(state)
}

#endif
