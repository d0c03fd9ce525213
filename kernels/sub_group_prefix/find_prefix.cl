// SPDX-License-Identifier: MIT
// How a sub-group finds the prefix of its work-group's tile, with the fallback for tiles that stay silent. A tile is made
// of blocks (tile_blocks.cl, run_blocks.cl):
//
//   UPSWEEP_RUN      neighbouring elements that a lane combines by itself
//   UPSWEEP_BLOCK    elements of a block: one run per lane
//   UPSWEEP_BLOCKS   blocks of each sub-group
#ifndef UPSWEEP_FIND_PREFIX
#define UPSWEEP_FIND_PREFIX
#include "single_pass/scan_call.cl"
#include "sub_group_prefix/look_back_fallback.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#ifndef UPSWEEP_HAS_BLOCKS
#include "sub_group/tile_blocks.cl"
#endif

// The sum of a full, silent tile, by one sub-group. It may go on meanwhile and overwrite what is read here.
#if !UPSWEEP_STARTS_AGAIN // else upsweep_publish_for is the function that is compiled once
UPSWEEP_FALLBACK
#endif
upsweep_value upsweep_sum_silent_tile(upsweep_input tile)
{
    upsweep_value stack[UPSWEEP_STACK];
    const uint blocks = UPSWEEP_SUB_GROUPS_PER_GROUP * UPSWEEP_BLOCKS;
#if !UPSWEEP_STARTS_AGAIN
#pragma unroll 1
#endif
    for (uint block = 0; block < blocks; ++block) {
        upsweep_value run[UPSWEEP_RUN];
        for (uint i = 0; i < UPSWEEP_RUN; ++i)
            run[i] = UPSWEEP_LOAD(tile, block * UPSWEEP_BLOCK + upsweep_lane() * UPSWEEP_RUN + i);
        upsweep_sweep_up(run, UPSWEEP_RUN, UPSWEEP_RUN);
        upsweep_stack_push(stack, block, upsweep_lanes_sum(run[UPSWEEP_RUN - 1]));
    }
    uint has_sum = 0;
    upsweep_value sum = stack[0];
    upsweep_stack_append(stack, blocks, &has_sum, &sum);
    return sum;
}

#if UPSWEEP_STARTS_AGAIN
// Publishes the sum of such a tile in its place. If it was published meanwhile, the sum computed here is dropped.
UPSWEEP_FALLBACK
void upsweep_publish_for(upsweep_input tile, volatile __global ulong* words, uint epoch)
{
    const upsweep_value sum = upsweep_sum_silent_tile(tile);
    UPSWEEP_DEVICE_FENCE()
    upsweep_value known;
    // All lanes look, because any of them may have read what the other work-group is overwriting.
    const uint published = upsweep_ballot(upsweep_is_published(words, epoch, &known));
    if (upsweep_lane() == 0 && published == 0) upsweep_publish(words, epoch, sum);
}
#endif

// Publishes the tile's sum and finds its prefix and that of the next tile, by the first sub-group. If a tile is silent, it
// computes that one's sum from the input at `all` with `fallback`; without, it returns 0.
UPSWEEP_SELDOM
uint upsweep_find_prefix(upsweep_call call, upsweep_input all, uint fallback, uint is_full, upsweep_value total,
                         upsweep_value* prefix, upsweep_value* end)
{
    if (upsweep_lane() == 0 && is_full) {
        if (!fallback) {
            UPSWEEP_SILENCE(call.tile, call.state)
        }
        upsweep_publish(upsweep_entry(call.state, call.tiles, 0, call.tile), call.epoch, total);
    }
    uint has_prefix = call.flags & UPSWEEP_HAS_INIT;
    *prefix = call.init;
    *end = call.init;
    const uint wants_end = is_full && !call.exclusive;
    uint is_found = upsweep_look_back(call.state, call.tiles, call.epoch, call.polls, call.tile, is_full, wants_end,
                                      total, &has_prefix, prefix, end);
#if UPSWEEP_STARTS_AGAIN
    if (fallback && !is_found) {
        is_found = 1;
        while (1) {
            has_prefix = call.flags & UPSWEEP_HAS_INIT;
            *prefix = call.init;
            const uint silent = upsweep_look_back_fallback(call.state, call.tiles, call.epoch, call.polls, call.tile,
                                                           is_full, wants_end, total, &has_prefix, prefix, end);
            if (silent == UPSWEEP_NO_TILE) break;
            upsweep_publish_for(UPSWEEP_INPUT_AT(all, (ulong)silent * UPSWEEP_TILE),
                                upsweep_entry(call.state, call.tiles, 0, silent), call.epoch);
        }
    }
#endif
    // Whoever reads a result in the place of an element sees that the tile's sum is published.
    if (upsweep_lane() == 0 && (call.flags & UPSWEEP_IN_PLACE)) UPSWEEP_DEVICE_FENCE()
    return is_found;
}

#endif
