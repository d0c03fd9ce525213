// look_back.cl for 32 lanes in step: the same protocol, the same order of combination, and so the same bits. Every
// function is called by all lanes of one row together.
#ifndef UPSWEEP_LOOK_BACK
#define UPSWEEP_LOOK_BACK
#ifndef UPSWEEP_STATE
#include "state.cl"
#endif
#ifndef UPSWEEP_LANES_FILE
#include "lanes_ptx.cl"
#endif
#if !defined(UPSWEEP_PATIENCE) || UPSWEEP_PATIENCE < 1
#error "UPSWEEP_PATIENCE must be the number of polls after which a tile counts as silent"
#endif

#define UPSWEEP_NO_TILE 0xffffffffu

// Where entry `index` of a level lies: 0 tiles, 1 groups of 32, 2 groups of 1024.
volatile __global ulong* upsweep_entry(volatile __global ulong* state, uint tiles, uint level, uint index)
{
    ulong entry = index;
    if (level > 0) entry += tiles;
    if (level > 1) entry += tiles / 32;
    return state + UPSWEEP_STATE_BEGIN + entry * UPSWEEP_STATE_WORDS;
}

// Waits until each of the first `count` lanes has its entry, from `words` on. `ready` says which lanes have one already.
// Returns the lanes that are still without when patience ends, one bit each.
uint upsweep_await_lanes(volatile __global ulong* words, uint epoch, uint count, uint ready, upsweep_value* value)
{
    const uint lane = upsweep_lane();
    ready = ready || lane >= count;
    uint missing = upsweep_ballot(!ready);
    for (uint poll = 0; missing != 0 && poll < UPSWEEP_PATIENCE; ++poll) {
        if (!ready) ready = upsweep_is_published(words + (ulong)lane * UPSWEEP_STATE_WORDS, epoch, value);
        missing = upsweep_ballot(!ready);
#if UPSWEEP_ASYNC_COPY // that is, compute capability 8.0, past the 7.0 that nanosleep needs
        // Polls compete with others' data for the memory: a pause of 20 ns brought int32 from 0.805 to 0.811 of a copy on
        // an NVIDIA H200; longer ones no more.
        if (missing) __asm__ volatile("nanosleep.u32 20;");
#endif
    }
    return missing;
}

// Puts together the sums that `missing` lanes of `level` (1 or 2; entries from `first` on) wait for, out of the level
// below, and publishes them. Returns the silent tile, or UPSWEEP_NO_TILE.
uint upsweep_rebuild(volatile __global ulong* state, uint tiles, uint epoch, uint level, uint first, uint missing,
                     upsweep_value* value)
{
    const uint lane = upsweep_lane();
    while (missing != 0) {
        const uint which = 31 - clz(missing & -missing);
        const uint entry = first + which;
        upsweep_value member = *value;
        uint absent = upsweep_await_lanes(upsweep_entry(state, tiles, level - 1, entry * 32), epoch, 32, 0, &member);
        // A level lower: the groups of an absent group of groups come one by one.
        while (absent != 0 && level == 2) {
            const uint inner = 31 - clz(absent & -absent);
            const uint group = entry * 32 + inner;
            upsweep_value leaf = *value;
            const uint silent = upsweep_await_lanes(upsweep_entry(state, tiles, 0, group * 32), epoch, 32, 0, &leaf);
            if (silent != 0) return group * 32 + (31 - clz(silent & -silent));
            const upsweep_value sum = upsweep_from_lane(upsweep_scan_lanes(leaf, 32), 31);
            if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 1, group), epoch, sum);
            if (lane == inner) member = sum;
            absent &= absent - 1;
        }
        if (absent != 0) return entry * 32 + (31 - clz(absent & -absent));
        const upsweep_value sum = upsweep_from_lane(upsweep_scan_lanes(member, 32), 31);
        if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, level, entry), epoch, sum);
        if (lane == which) *value = sum;
        missing &= missing - 1;
    }
    return UPSWEEP_NO_TILE;
}

// The prefix of `tile`; see look_back.cl. The results are the same in all lanes.
uint upsweep_look_back(volatile __global ulong* state, uint tiles, uint epoch, uint tile, upsweep_value total,
                       uint* has_prefix, upsweep_value* prefix)
{
    const uint lane = upsweep_lane();
    const uint group = tile / 32;
    const uint supergroup = tile / 1024;
    const uint tiles_before = tile % 32;
    const uint groups_before = group % 32;
    volatile __global ulong* tile_words = upsweep_entry(state, tiles, 0, group * 32);
    volatile __global ulong* group_words = upsweep_entry(state, tiles, 1, supergroup * 32);

    // A first look at both levels at once: most of the time they are there.
    upsweep_value tile_sum = total;
    upsweep_value group_sum = total;
    uint tile_ready = lane >= tiles_before;
    uint group_ready = lane >= groups_before;
    if (!tile_ready)
        tile_ready = upsweep_is_published(tile_words + (ulong)lane * UPSWEEP_STATE_WORDS, epoch, &tile_sum);
    if (!group_ready)
        group_ready = upsweep_is_published(group_words + (ulong)lane * UPSWEEP_STATE_WORDS, epoch, &group_sum);

    uint missing = upsweep_await_lanes(tile_words, epoch, tiles_before, tile_ready, &tile_sum);
    if (missing != 0) return group * 32 + (31 - clz(missing & -missing));
    tile_sum = upsweep_scan_lanes(tile_sum, tiles_before + 1);
    const upsweep_value with_own = upsweep_from_lane(tile_sum, tiles_before);
    if (tiles_before == 31 && lane == 0) upsweep_publish(upsweep_entry(state, tiles, 1, group), epoch, with_own);

    missing = upsweep_await_lanes(group_words, epoch, groups_before, group_ready, &group_sum);
    uint silent = upsweep_rebuild(state, tiles, epoch, 1, supergroup * 32, missing, &group_sum);
    if (silent != UPSWEEP_NO_TILE) return silent;
    if (lane == groups_before) group_sum = with_own; // of use where the group ends with this tile
    group_sum = upsweep_scan_lanes(group_sum, groups_before + 1);
    if (tile % 1024 == 1023 && lane == 31) upsweep_publish(upsweep_entry(state, tiles, 2, supergroup), epoch, group_sum);

    for (uint first = 0; first < supergroup; first += 32) {
        const uint count = min(supergroup - first, 32u);
        upsweep_value sum = total;
        missing = upsweep_await_lanes(upsweep_entry(state, tiles, 2, first), epoch, count, 0, &sum);
        silent = upsweep_rebuild(state, tiles, epoch, 2, first, missing, &sum);
        if (silent != UPSWEEP_NO_TILE) return silent;
        sum = upsweep_from_lane(upsweep_scan_lanes(sum, count), count - 1);
        upsweep_append(has_prefix, prefix, sum);
    }
    if (groups_before > 0) {
        const upsweep_value sum = upsweep_from_lane(group_sum, groups_before - 1);
        upsweep_append(has_prefix, prefix, sum);
    }
    if (tiles_before > 0) {
        const upsweep_value sum = upsweep_from_lane(tile_sum, tiles_before - 1);
        upsweep_append(has_prefix, prefix, sum);
    }
    return UPSWEEP_NO_TILE;
}

#endif
