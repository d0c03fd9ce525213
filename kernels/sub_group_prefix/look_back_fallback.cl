// SPDX-License-Identifier: MIT
// The fallback for tiles that stay silent, where a tile starts again: look_back_lanes.cl level by level, with a limit of
// polls for each sum. What is missing is combined from the level below.
#ifndef UPSWEEP_LOOK_BACK_FALLBACK
#define UPSWEEP_LOOK_BACK_FALLBACK
#include "sub_group_prefix/look_back_lanes.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// What a tile does where another is silent. 1: it starts again with other code, which has the fallback and which tiles
// that are not full need, too (upsweep_scan_any_tile). 0: it goes on where it is, after upsweep_find_past_silent; then one
// code does for all tiles, and there is a half less to compile. So it is where arrays are scanned into arrays. Marks,
// segments and large values got slower with that function in their programs; the cause is not known. NVIDIA H100, us, 1 and
// 0: `copy_if` of 50 % of 2^28 int32 595 and 800, inclusive scans of 2^22 structs of 64 bytes 771 and 872, of 2^28 int32 731
// and 730, of 2^28 uint8 208 and 204.
#if defined(UPSWEEP_INPUT_IS_ARRAY) && defined(UPSWEEP_OUTPUT_IS_ARRAY) && !defined(UPSWEEP_RUN_BLOCKS) &&                 \
    !defined(UPSWEEP_IS_MARKED) && !defined(UPSWEEP_SEGMENT_VALUE)
#define UPSWEEP_STARTS_AGAIN (UPSWEEP_ONE_TILE || UPSWEEP_VALUE_SIZE > 32)
#else
#define UPSWEEP_STARTS_AGAIN 1
#endif

// Waits until each of the first `count` lanes has its entry, from `words` on. Returns the lanes that have none after
// so many polls, one bit each.
UPSWEEP_FALLBACK
uint upsweep_await_lanes(volatile __global ulong* words, uint epoch, uint polls, uint count, upsweep_value* value)
{
    const uint lane = upsweep_lane();
    uint ready = lane >= count;
    uint missing = upsweep_ballot(!ready);
    for (uint poll = 0; missing != 0 && poll < polls; ++poll) {
        if (!ready) ready = upsweep_is_published(words + (ulong)lane * UPSWEEP_STATE_WORDS, epoch, value);
        missing = upsweep_ballot(!ready);
    }
    return missing;
}

#if UPSWEEP_STARTS_AGAIN
// Combines the sums that `missing` lanes of `level` (1 or 2; entries from `first` on) wait for from the level below, and
// publishes them. Returns the silent tile, or UPSWEEP_NO_TILE.
UPSWEEP_FALLBACK
uint upsweep_rebuild(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint level, uint first,
                     uint missing, upsweep_value* value)
{
    const uint lane = upsweep_lane();
    while (missing != 0) {
        const uint which = 31 - clz(missing & -missing);
        const uint entry = first + which;
        upsweep_value member = *value;
        uint absent = upsweep_await_lanes(upsweep_entry(state, tiles, level - 1, entry * UPSWEEP_GROUP), epoch, polls,
                                          UPSWEEP_GROUP, &member);
        // A level lower: the groups of an absent group of groups come one by one.
        while (absent != 0 && level == 2) {
            const uint inner = 31 - clz(absent & -absent);
            const uint group = entry * UPSWEEP_GROUP + inner;
            upsweep_value leaf = *value;
            const uint silent = upsweep_await_lanes(upsweep_entry(state, tiles, 0, group * UPSWEEP_GROUP), epoch, polls,
                                                    UPSWEEP_GROUP, &leaf);
            if (silent != 0) return group * UPSWEEP_GROUP + (31 - clz(silent & -silent));
            const upsweep_value sum = upsweep_lanes_sum(leaf);
            if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 1, group), epoch, sum);
            if (lane == inner) member = sum;
            absent &= absent - 1;
        }
        if (absent != 0) return entry * UPSWEEP_GROUP + (31 - clz(absent & -absent));
        const upsweep_value sum = upsweep_lanes_sum(member);
        if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, level, entry), epoch, sum);
        if (lane == which) *value = sum;
        missing &= missing - 1;
    }
    return UPSWEEP_NO_TILE;
}

// Appends the sums of the first `count` lanes.
UPSWEEP_FALLBACK
void upsweep_append_level(upsweep_value sum, uint count, uint* has_prefix, upsweep_value* prefix)
{
    upsweep_append_lanes(sum, count, has_prefix, prefix);
}

// Appends the sums of the groups of 1024 tiles before `supergroup`. Those of 32 such groups are read and summed together;
// what they make is kept in a stack, one entry per bit of their number, until all larger blocks are known.
UPSWEEP_FALLBACK
uint upsweep_append_supergroups(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint supergroup,
                                upsweep_value filler, uint* has_prefix, upsweep_value* prefix)
{
    upsweep_value stack[UPSWEEP_STACK];
    const uint rows = supergroup / UPSWEEP_GROUP;
    for (uint row = 0; row <= rows; ++row) {
        const uint count = row < rows ? UPSWEEP_GROUP : supergroup % UPSWEEP_GROUP;
        upsweep_value sum = filler;
        const uint missing =
            upsweep_await_lanes(upsweep_entry(state, tiles, 2, row * UPSWEEP_GROUP), epoch, polls, count, &sum);
        const uint silent = upsweep_rebuild(state, tiles, epoch, polls, 2, row * UPSWEEP_GROUP, missing, &sum);
        if (silent != UPSWEEP_NO_TILE) return silent;
        if (row < rows) {
            upsweep_stack_push(stack, row, upsweep_lanes_sum(sum));
            continue;
        }
        upsweep_stack_append(stack, rows, has_prefix, prefix);
        upsweep_append_level(sum, count, has_prefix, prefix);
    }
    return UPSWEEP_NO_TILE;
}

// Appends the sums of the first `tile` tiles. `filler`: any value. Returns the silent tile, or UPSWEEP_NO_TILE.
UPSWEEP_FALLBACK
uint upsweep_append_tiles_fallback(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint tile,
                                   upsweep_value filler, uint* has_prefix, upsweep_value* prefix)
{
    const uint group = tile / UPSWEEP_GROUP;
    const uint supergroup = tile / UPSWEEP_SUPERGROUP;
    upsweep_value tile_sum = filler;
    uint missing = upsweep_await_lanes(upsweep_entry(state, tiles, 0, group * UPSWEEP_GROUP), epoch, polls,
                                       tile % UPSWEEP_GROUP, &tile_sum);
    if (missing != 0) return group * UPSWEEP_GROUP + (31 - clz(missing & -missing));
    upsweep_value group_sum = filler;
    missing = upsweep_await_lanes(upsweep_entry(state, tiles, 1, supergroup * UPSWEEP_GROUP), epoch, polls,
                                  group % UPSWEEP_GROUP, &group_sum);
    uint silent = upsweep_rebuild(state, tiles, epoch, polls, 1, supergroup * UPSWEEP_GROUP, missing, &group_sum);
    if (silent != UPSWEEP_NO_TILE) return silent;
    silent = upsweep_append_supergroups(state, tiles, epoch, polls, supergroup, filler, has_prefix, prefix);
    if (silent != UPSWEEP_NO_TILE) return silent;
    upsweep_append_level(group_sum, group % UPSWEEP_GROUP, has_prefix, prefix);
    upsweep_append_level(tile_sum, tile % UPSWEEP_GROUP, has_prefix, prefix);
    return UPSWEEP_NO_TILE;
}

// Publishes the sum of 32 entries of `level` from `first` on as entry first / 32 of the level above. Returns as above.
UPSWEEP_FALLBACK
uint upsweep_publish_group(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint level, uint first,
                           upsweep_value filler)
{
    upsweep_value sum = filler;
    const uint missing =
        upsweep_await_lanes(upsweep_entry(state, tiles, level, first), epoch, polls, UPSWEEP_GROUP, &sum);
    if (level == 0 && missing != 0) return first + (31 - clz(missing & -missing));
    if (level != 0) {
        const uint silent = upsweep_rebuild(state, tiles, epoch, polls, level, first, missing, &sum);
        if (silent != UPSWEEP_NO_TILE) return silent;
    }
    sum = upsweep_lanes_sum(sum);
    if (upsweep_lane() == 0) upsweep_publish(upsweep_entry(state, tiles, level + 1, first / UPSWEEP_GROUP), epoch, sum);
    return UPSWEEP_NO_TILE;
}

// The prefix of `tile`, whose own sum `total` is already published if it is full; if wants_end, also that of the next (*end). On
// entry has_prefix and prefix hold the initial value, if any. Returns UPSWEEP_NO_TILE when done, else the tile that is
// silent: publish its sum, then call again with the values of the first call.
UPSWEEP_FALLBACK
uint upsweep_look_back_fallback(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint tile,
                                uint is_full, uint wants_end, upsweep_value total, uint* has_prefix,
                                upsweep_value* prefix, upsweep_value* end)
{
    uint has_end = *has_prefix;
    *end = *prefix;
    uint entry = tile;
    for (uint level = 0; is_full && level < 3 && UPSWEEP_ENDS(entry, UPSWEEP_GROUP); ++level, entry /= UPSWEEP_GROUP) {
        const uint silent =
            upsweep_publish_group(state, tiles, epoch, polls, level, entry - (UPSWEEP_GROUP - 1), total);
        if (silent != UPSWEEP_NO_TILE) return silent;
    }
    const uint silent = upsweep_append_tiles_fallback(state, tiles, epoch, polls, tile, total, has_prefix, prefix);
    if (silent != UPSWEEP_NO_TILE || !wants_end) return silent;
    return upsweep_append_tiles_fallback(state, tiles, epoch, polls, tile + 1, total, &has_end, end);
}
#endif

#endif
