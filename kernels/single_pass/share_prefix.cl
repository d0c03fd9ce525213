// SPDX-License-Identifier: MIT
// How a work-group finds the prefix of its tile by one work-item, where there are no sub-groups. share_prefix_lanes.cl takes
// its place where there are.
#ifndef UPSWEEP_SHARE_PREFIX
#define UPSWEEP_SHARE_PREFIX
#define UPSWEEP_HAS_SHARE_PREFIX
#include "single_pass/scan_call.cl"
#include "tile/io.cl"
#include "single_pass/look_back.cl"

// Tiles are numbered as work-groups begin.
#define UPSWEEP_TAKES_TICKETS 1

// The sum of a full tile by one work-item.
UPSWEEP_OUTLINE upsweep_value upsweep_sum_full_tile(upsweep_input in)
{
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    for (uint i = 0; i < UPSWEEP_WORK_ITEMS; ++i) {
        for (uint k = 0; k < UPSWEEP_ITEMS; ++k) run[k] = UPSWEEP_LOAD(in, i * UPSWEEP_ITEMS + k);
        upsweep_sweep_up(run, UPSWEEP_ITEMS, UPSWEEP_ITEMS);
        upsweep_stack_push(stack, i, run[UPSWEEP_ITEMS - 1]);
    }
    uint has_sum = 0;
    upsweep_value sum = run[0];
    upsweep_stack_append(stack, UPSWEEP_WORK_ITEMS, &has_sum, &sum);
    return sum;
}

// Publishes the sum of a silent tile in its place. If that tile goes on meanwhile and overwrites what is read here, it has
// published its sum before: then the sum computed here is dropped.
UPSWEEP_OUTLINE void upsweep_publish_for(upsweep_input tile, volatile __global ulong* words, uint epoch)
{
    const upsweep_value sum = upsweep_sum_full_tile(tile);
    UPSWEEP_DEVICE_FENCE()
    upsweep_value known;
    if (!upsweep_is_published(words, epoch, &known)) upsweep_publish(words, epoch, sum);
}

// upsweep_look_back for the last tile where it is not full: it has no sum, and ends no group.
uint upsweep_look_back_last(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint tile,
                            upsweep_look* look)
{
    const uint group = tile / UPSWEEP_GROUP;
    const uint supergroup = tile / UPSWEEP_SUPERGROUP;
    uint silent =
        upsweep_push_tiles(state, tiles, epoch, polls, group * UPSWEEP_GROUP, tile % UPSWEEP_GROUP, look->tiles);
    if (silent != UPSWEEP_NO_TILE) return silent;
    silent = upsweep_push_groups(state, tiles, epoch, polls, supergroup * UPSWEEP_GROUP, group % UPSWEEP_GROUP,
                                 look->groups);
    if (silent != UPSWEEP_NO_TILE) return silent;
    return upsweep_push_supergroups(state, tiles, epoch, polls, supergroup, look->supergroups);
}

// Publishes the tile's sum, if it is full, and gives all work-items the tile's prefix and, for an inclusive scan of a full
// tile, that of the next. `all`: the input from its beginning.
void upsweep_find_prefix_for_all(uint local_id, upsweep_call call, upsweep_input all, uint is_full, upsweep_value total,
                                 __local upsweep_found* found)
{
    if (local_id == 0) {
        volatile __global ulong* sums = upsweep_level(call.state, call.tiles, 0);
        if (is_full) {
            UPSWEEP_SILENCE(call.tile, call.state)
            upsweep_publish(sums + (ulong)call.tile * UPSWEEP_STATE_WORDS, call.epoch, total);
        }
        if (call.flags & UPSWEEP_IN_PLACE) UPSWEEP_DEVICE_FENCE()
        upsweep_look look;
        uint silent;
        do {
            silent = is_full
                         ? upsweep_look_back(call.state, call.tiles, call.epoch, call.polls, call.tile, total, &look)
                         : upsweep_look_back_last(call.state, call.tiles, call.epoch, call.polls, call.tile, &look);
            if (silent != UPSWEEP_NO_TILE)
                upsweep_publish_for(UPSWEEP_INPUT_AT(all, (ulong)silent * UPSWEEP_TILE),
                                    sums + (ulong)silent * UPSWEEP_STATE_WORDS, call.epoch);
        } while (silent != UPSWEEP_NO_TILE);
        uint has_prefix = call.flags & UPSWEEP_HAS_INIT;
        upsweep_value prefix = call.init;
        upsweep_append_look(&look, call.tile, &has_prefix, &prefix);
        found->prefix.value = prefix;
        if (is_full && !call.exclusive) {
            uint has_end = call.flags & UPSWEEP_HAS_INIT;
            upsweep_value end = call.init;
            upsweep_add_own(&look, call.tile, total);
            upsweep_append_look(&look, call.tile + 1, &has_end, &end);
            found->end.value = end;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
