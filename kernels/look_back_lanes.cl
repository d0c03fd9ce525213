// look_back.cl for 32 lanes in step: the same protocol, the same order of combination, and so the same bits. Every
// function is called by all lanes of one row together.
#ifndef UPSWEEP_LOOK_BACK
#define UPSWEEP_LOOK_BACK
#ifndef UPSWEEP_STATE
#include "state.cl"
#endif
#ifndef UPSWEEP_LANES_TREE
#include "lanes_tree.cl"
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
UPSWEEP_SLOW_PATH uint upsweep_rebuild(volatile __global ulong* state, uint tiles, uint epoch, uint level, uint first, uint missing,
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
            const upsweep_value sum = upsweep_lanes_sum(leaf);
            if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 1, group), epoch, sum);
            if (lane == inner) member = sum;
            absent &= absent - 1;
        }
        if (absent != 0) return entry * 32 + (31 - clz(absent & -absent));
        const upsweep_value sum = upsweep_lanes_sum(member);
        if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, level, entry), epoch, sum);
        if (lane == which) *value = sum;
        missing &= missing - 1;
    }
    return UPSWEEP_NO_TILE;
}

// Appends the sums of the groups of 1024 tiles before `supergroup`. Those of 32 such groups are read and summed together;
// what they make is kept in a stack, one entry per bit of their number, until all larger blocks are known.
UPSWEEP_SLOW_PATH uint upsweep_append_supergroups(volatile __global ulong* state, uint tiles, uint epoch, uint supergroup,
                                upsweep_value filler, uint* has_prefix, upsweep_value* prefix)
{
    upsweep_value stack[UPSWEEP_STACK];
    const uint rows = supergroup / 32;
    for (uint row = 0; row <= rows; ++row) {
        const uint count = row < rows ? 32 : supergroup % 32;
        upsweep_value sum = filler;
        const uint missing = upsweep_await_lanes(upsweep_entry(state, tiles, 2, row * 32), epoch, count, 0, &sum);
        const uint silent = upsweep_rebuild(state, tiles, epoch, 2, row * 32, missing, &sum);
        if (silent != UPSWEEP_NO_TILE) return silent;
        if (row < rows) {
            upsweep_stack_push(stack, row, upsweep_lanes_sum(sum));
            continue;
        }
        upsweep_stack_append(stack, rows, has_prefix, prefix);
        upsweep_append_lanes(sum, count, count, has_prefix, prefix);
    }
    return UPSWEEP_NO_TILE;
}

// Level by level, with patience for each: what upsweep_look_back does when someone is silent. Returns the silent tile, or
// UPSWEEP_NO_TILE.
UPSWEEP_SLOW_PATH uint upsweep_look_back_slowly(volatile __global ulong* state, uint tiles, uint epoch, uint tile,
                                                uint is_full, upsweep_value total, uint* has_prefix,
                                                upsweep_value* prefix)
{
    const uint lane = upsweep_lane();
    const uint group = tile / 32;
    const uint supergroup = tile / 1024;
    upsweep_value tile_sum = total;
    uint missing = upsweep_await_lanes(upsweep_entry(state, tiles, 0, group * 32), epoch, tile % 32, 0, &tile_sum);
    if (missing != 0) return group * 32 + (31 - clz(missing & -missing));
    upsweep_value own_group = total;
    if (tile % 32 == 31 && is_full) {
        own_group = upsweep_lanes_sum(tile_sum);
        if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 1, group), epoch, own_group);
    }
    upsweep_value group_sum = total;
    missing = upsweep_await_lanes(upsweep_entry(state, tiles, 1, supergroup * 32), epoch, group % 32, 0, &group_sum);
    uint silent = upsweep_rebuild(state, tiles, epoch, 1, supergroup * 32, missing, &group_sum);
    if (silent != UPSWEEP_NO_TILE) return silent;
    if (tile % 1024 == 1023 && is_full) {
        if (lane == 31) group_sum = own_group;
        const upsweep_value sum = upsweep_lanes_sum(group_sum);
        if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 2, supergroup), epoch, sum);
    }
    silent = upsweep_append_supergroups(state, tiles, epoch, supergroup, total, has_prefix, prefix);
    if (silent != UPSWEEP_NO_TILE) return silent;
    upsweep_append_lanes(group_sum, group % 32, group % 32, has_prefix, prefix);
    upsweep_append_lanes(tile_sum, tile % 32, tile % 32, has_prefix, prefix);
    return UPSWEEP_NO_TILE;
}

// Groups before one's own whose tiles are read themselves: the sums of groups that young are not published yet. Measured
// on an NVIDIA H200: with every sum taken from its own level, a prefix was known 5.8 us after the last sum it needs.
#define UPSWEEP_YOUNG_GROUPS (UPSWEEP_STATE_WORDS <= 2 ? 4 : 1)

// What a tile looks at, in rows of up to 32 entries, all at once.
#define UPSWEEP_GROUP_ROW (UPSWEEP_YOUNG_GROUPS + 1) // groups of one's own group of groups; row 0: tiles of one's own group
#define UPSWEEP_OLD_GROUP_ROW (UPSWEEP_YOUNG_GROUPS + 2) // groups of the group of groups before
#define UPSWEEP_SUPERGROUP_ROW (UPSWEEP_YOUNG_GROUPS + 3) // groups of groups before that one
#define UPSWEEP_LOOK_ROWS (UPSWEEP_YOUNG_GROUPS + 4)

// The first entry of a row, and how many there are.
volatile __global ulong* upsweep_look_row(volatile __global ulong* state, uint tiles, uint tile, uint row, uint* count)
{
    const uint group = tile / 32;
    const uint supergroup = tile / 1024;
    const uint groups_before = group % 32;
    const uint has_old = supergroup % 32 != 0;
    if (row <= UPSWEEP_YOUNG_GROUPS) {
        *count = row == 0 ? tile % 32 : group >= row ? 32 : 0;
        return upsweep_entry(state, tiles, 0, (group - min(row, group)) * 32);
    }
    if (row == UPSWEEP_GROUP_ROW) {
        *count = groups_before > UPSWEEP_YOUNG_GROUPS ? groups_before - UPSWEEP_YOUNG_GROUPS : 0;
        return upsweep_entry(state, tiles, 1, supergroup * 32);
    }
    if (row == UPSWEEP_OLD_GROUP_ROW) {
        const uint young = groups_before < UPSWEEP_YOUNG_GROUPS ? UPSWEEP_YOUNG_GROUPS - groups_before : 0;
        *count = has_old ? 32 - young : 0;
        return upsweep_entry(state, tiles, 1, (supergroup - has_old) * 32);
    }
    *count = has_old ? supergroup % 32 - 1 : 0;
    return upsweep_entry(state, tiles, 2, supergroup / 32 * 32);
}

// The prefix of `tile`; see look_back.cl. The results are the same in all lanes. Only the last tile may not be full; then
// `total` is not real, and no other tile waits for it.
uint upsweep_look_back(volatile __global ulong* state, uint tiles, uint epoch, uint tile, uint is_full,
                       upsweep_value total, uint* has_prefix, upsweep_value* prefix)
{
    const uint lane = upsweep_lane();
    const uint group = tile / 32;
    const uint supergroup = tile / 1024;
    const uint groups_before = group % 32;
    uint speaks = tile % 32 == 31 && is_full; // for its group
    upsweep_value rows[UPSWEEP_LOOK_ROWS];
    uint ready = 0; // one bit per row
    uint missing = ~0u;
#pragma unroll
    for (uint row = 0; row < UPSWEEP_LOOK_ROWS; ++row) rows[row] = total;
    for (uint poll = 0; missing != 0 && poll < UPSWEEP_PATIENCE; ++poll) {
#pragma unroll
        for (uint row = 0; row < UPSWEEP_LOOK_ROWS; ++row) {
            uint count;
            volatile __global ulong* words = upsweep_look_row(state, tiles, tile, row, &count);
            if (lane >= count) ready |= 1u << row;
            if (!(ready >> row & 1u) &&
                upsweep_is_published(words + (ulong)lane * UPSWEEP_STATE_WORDS, epoch, &rows[row]))
                ready |= 1u << row;
        }
        if (speaks && upsweep_ballot(!(ready & 1u)) == 0) {
            const upsweep_value sum = upsweep_lanes_sum(rows[0]);
            if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 1, group), epoch, sum);
            speaks = 0;
        }
        missing = upsweep_ballot(ready + 1 != 1u << UPSWEEP_LOOK_ROWS);
    }
    if (missing != 0)
        return upsweep_look_back_slowly(state, tiles, epoch, tile, is_full, total, has_prefix, prefix);

#pragma unroll
    for (uint row = 1; row <= UPSWEEP_YOUNG_GROUPS; ++row) {
        if (row > group) continue;
        const upsweep_value sum = upsweep_lanes_sum(rows[row]);
        if (row <= groups_before && lane == groups_before - row) rows[UPSWEEP_GROUP_ROW] = sum;
        if (row > groups_before && lane == 32 + groups_before - row) rows[UPSWEEP_OLD_GROUP_ROW] = sum;
    }
    if (tile % 1024 == 1023 && is_full) {
        const upsweep_value own = upsweep_lanes_sum(rows[0]);
        const upsweep_value sum = upsweep_lanes_sum(lane == 31 ? own : rows[UPSWEEP_GROUP_ROW]);
        if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 2, supergroup), epoch, sum);
    }
    if (supergroup >= 32) {
        const uint silent =
            upsweep_append_supergroups(state, tiles, epoch, supergroup / 32 * 32, total, has_prefix, prefix);
        if (silent != UPSWEEP_NO_TILE) return silent;
    }
    if (supergroup % 32 != 0) {
        const upsweep_value sum = upsweep_lanes_sum(rows[UPSWEEP_OLD_GROUP_ROW]);
        if (lane == supergroup % 32 - 1) rows[UPSWEEP_SUPERGROUP_ROW] = sum;
        upsweep_append_lanes(rows[UPSWEEP_SUPERGROUP_ROW], supergroup % 32, supergroup % 32, has_prefix, prefix);
    }
    upsweep_append_lanes(rows[UPSWEEP_GROUP_ROW], groups_before, groups_before, has_prefix, prefix);
    upsweep_append_lanes(rows[0], tile % 32, tile % 32, has_prefix, prefix);
    return UPSWEEP_NO_TILE;
}

#endif
