// SPDX-License-Identifier: MIT
// How a tile finds the combination of all tiles before it while these are still running. The number of tiles alone
// decides the bits of the result.
//
// Tiles publish their sums. The last of every 32 tiles publishes the sum of the 32; the last of every 32 such groups
// theirs. The prefix of tile t is the sum of the groups of 1024 before it, then of the groups of 32, then of single
// tiles: at most 31 values on each of the two lower levels. No tile waits for another's prefix, only for sums, so there
// is no chain; and unlike in decoupled look-back (D. Merrill and M. Garland, Single-pass Parallel Prefix Scan with
// Decoupled Look-back, 2016) timing never chooses which values are combined.
//
// A tile is silent if its sum is not published after `polls` polls. It is reported, and the caller computes its
// sum in its place (after R. Smith, R. Levien and J. D. Owens, Decoupled Fallback, 2025), so that no work-group relies on
// the progress of another. The sums of silent groups are combined here, from those of their tiles.
//
// state: word 0 holds the ticket counter; from word UPSWEEP_STATE_BEGIN on, the sums of tiles, of groups, of groups of
// groups. This file is for one work-item; look_back_lanes.cl does the same with a sub-group and gives the same bits.
#ifndef UPSWEEP_LOOK_BACK
#define UPSWEEP_LOOK_BACK
#include "tile/state.cl"
#include "tile/tree.cl"

#define UPSWEEP_NO_TILE 0xffffffffu

// Where the sums of a level begin: 0 tiles, 1 groups of 32, 2 groups of 1024.
volatile __global ulong* upsweep_level(volatile __global ulong* state, uint tiles, uint level)
{
    ulong entries = 0;
    if (level > 0) entries += tiles;
    if (level > 1) entries += tiles / UPSWEEP_GROUP;
    return state + UPSWEEP_STATE_BEGIN + entries * UPSWEEP_STATE_WORDS;
}

// Waits for one sum, for at most so many polls.
uint upsweep_await(volatile __global ulong* words, uint epoch, uint polls, upsweep_value* value)
{
    for (uint poll = 0; poll < polls; ++poll)
        if (upsweep_is_published(words, epoch, value)) return 1;
    return 0;
}

// Pushes the sums of `count` tiles from `first` on. Returns the tile that is silent, or UPSWEEP_NO_TILE.
uint upsweep_push_tiles(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint first, uint count,
                        upsweep_value* stack)
{
    volatile __global ulong* level = upsweep_level(state, tiles, 0);
    upsweep_value sum;
    for (uint i = 0; i < count; ++i) {
        if (!upsweep_await(level + (ulong)(first + i) * UPSWEEP_STATE_WORDS, epoch, polls, &sum)) return first + i;
        upsweep_stack_push(stack, i, sum);
    }
    return UPSWEEP_NO_TILE;
}

// The same for groups of 32 tiles; the sum of a silent group is put together from its tiles.
uint upsweep_push_groups(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint first, uint count,
                         upsweep_value* stack)
{
    volatile __global ulong* level = upsweep_level(state, tiles, 1);
    upsweep_value sum;
    for (uint i = 0; i < count; ++i) {
        volatile __global ulong* words = level + (ulong)(first + i) * UPSWEEP_STATE_WORDS;
        if (!upsweep_await(words, epoch, polls, &sum)) {
            upsweep_value members[UPSWEEP_GROUP_BITS + 1];
            const uint silent =
                upsweep_push_tiles(state, tiles, epoch, polls, (first + i) * UPSWEEP_GROUP, UPSWEEP_GROUP, members);
            if (silent != UPSWEEP_NO_TILE) return silent;
            sum = members[UPSWEEP_GROUP_BITS];
            upsweep_publish(words, epoch, sum);
        }
        upsweep_stack_push(stack, i, sum);
    }
    return UPSWEEP_NO_TILE;
}

// The same for groups of 1024 tiles.
uint upsweep_push_supergroups(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint count,
                              upsweep_value* stack)
{
    volatile __global ulong* level = upsweep_level(state, tiles, 2);
    upsweep_value sum;
    for (uint i = 0; i < count; ++i) {
        volatile __global ulong* words = level + (ulong)i * UPSWEEP_STATE_WORDS;
        if (!upsweep_await(words, epoch, polls, &sum)) {
            upsweep_value members[UPSWEEP_GROUP_BITS + 1];
            const uint silent =
                upsweep_push_groups(state, tiles, epoch, polls, i * UPSWEEP_GROUP, UPSWEEP_GROUP, members);
            if (silent != UPSWEEP_NO_TILE) return silent;
            sum = members[UPSWEEP_GROUP_BITS];
            upsweep_publish(words, epoch, sum);
        }
        upsweep_stack_push(stack, i, sum);
    }
    return UPSWEEP_NO_TILE;
}

// The sums of what precedes a tile: of its own group, of groups, of groups of 1024; see upsweep_stack_push. The
// last entry is the sum of a group.
typedef struct {
    upsweep_value tiles[UPSWEEP_GROUP_BITS + 1];
    upsweep_value groups[UPSWEEP_GROUP_BITS + 1];
    upsweep_value supergroups[UPSWEEP_STACK];
} upsweep_look;

// Appends the sums of the first `tile` tiles: of the tile that was looked back from, or, after upsweep_add_own, of the next.
void upsweep_append_look(const upsweep_look* look, uint tile, uint* has_prefix, upsweep_value* prefix)
{
    upsweep_stack_append(look->supergroups, tile / UPSWEEP_SUPERGROUP, has_prefix, prefix);
    upsweep_stack_append(look->groups, tile / UPSWEEP_GROUP % UPSWEEP_GROUP, has_prefix, prefix);
    upsweep_stack_append(look->tiles, tile % UPSWEEP_GROUP, has_prefix, prefix);
}

// Adds the sum of `tile` to what precedes it, which leaves the entries that the tile's own prefix is made of as they are. The
// sums of groups that end with the tile are there already.
void upsweep_add_own(upsweep_look* look, uint tile, upsweep_value total)
{
    if (!UPSWEEP_ENDS(tile, UPSWEEP_GROUP))
        upsweep_stack_push(look->tiles, tile % UPSWEEP_GROUP, total);
    else if (!UPSWEEP_ENDS(tile, UPSWEEP_SUPERGROUP))
        upsweep_stack_push(look->groups, tile / UPSWEEP_GROUP % UPSWEEP_GROUP, look->tiles[UPSWEEP_GROUP_BITS]);
    else
        upsweep_stack_push(look->supergroups, tile / UPSWEEP_SUPERGROUP, look->groups[UPSWEEP_GROUP_BITS]);
}

// Finds the sums of what precedes `tile`. With `is_full` the tile has published its own sum, `total`: here those of groups
// that it ends are published. Without, it is the last one, and ends no group. Returns UPSWEEP_NO_TILE when done, else the
// tile that is silent: publish its sum, then call again.
UPSWEEP_OUTLINE
uint upsweep_look_back(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint tile, uint is_full,
                       upsweep_value total, upsweep_look* look)
{
    const uint group = tile / UPSWEEP_GROUP;
    const uint supergroup = tile / UPSWEEP_SUPERGROUP;
    uint silent =
        upsweep_push_tiles(state, tiles, epoch, polls, group * UPSWEEP_GROUP, tile % UPSWEEP_GROUP, look->tiles);
    if (silent != UPSWEEP_NO_TILE) return silent;
    if (is_full && UPSWEEP_ENDS(tile, UPSWEEP_GROUP)) { // the last push leaves the other entries as they are
        upsweep_stack_push(look->tiles, UPSWEEP_GROUP - 1, total);
        upsweep_publish(upsweep_level(state, tiles, 1) + (ulong)group * UPSWEEP_STATE_WORDS, epoch,
                        look->tiles[UPSWEEP_GROUP_BITS]);
    }

    silent = upsweep_push_groups(state, tiles, epoch, polls, supergroup * UPSWEEP_GROUP, group % UPSWEEP_GROUP,
                                 look->groups);
    if (silent != UPSWEEP_NO_TILE) return silent;
    if (is_full && UPSWEEP_ENDS(tile, UPSWEEP_SUPERGROUP)) {
        upsweep_stack_push(look->groups, UPSWEEP_GROUP - 1, look->tiles[UPSWEEP_GROUP_BITS]);
        upsweep_publish(upsweep_level(state, tiles, 2) + (ulong)supergroup * UPSWEEP_STATE_WORDS, epoch,
                        look->groups[UPSWEEP_GROUP_BITS]);
    }
    return upsweep_push_supergroups(state, tiles, epoch, polls, supergroup, look->supergroups);
}

#endif
