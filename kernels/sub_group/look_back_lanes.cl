// SPDX-License-Identifier: MIT
// look_back.cl for a sub-group of 32 lanes: the same protocol, the same order of combination, and so the same bits. Every
// function is called by all lanes of one sub-group together.
//
// One level more is published: sums of 32 groups of 1024 tiles.
#ifndef UPSWEEP_LOOK_BACK_LANES
#define UPSWEEP_LOOK_BACK_LANES
#include "tile/state.cl"
#include "sub_group/lanes_tree.cl"
#if !defined(UPSWEEP_MAX_POLLS) || UPSWEEP_MAX_POLLS < 1
#error "UPSWEEP_MAX_POLLS must be the number of polls after which a tile counts as silent"
#endif

#if UPSWEEP_GROUP != UPSWEEP_LANES
#error "UPSWEEP_GROUP_BITS must be UPSWEEP_LANE_BITS: a group has a tile for each lane"
#endif

#define UPSWEEP_NO_TILE 0xffffffffu

// Where entry `index` of a level lies: 0 tiles, 1 groups of 32, 2 groups of 1024, 3 groups of 32768.
volatile __global ulong* upsweep_entry(volatile __global ulong* state, uint tiles, uint level, uint index)
{
    ulong entry = index;
    if (level > 0) entry += tiles;
    if (level > 1) entry += tiles / UPSWEEP_GROUP;
    if (level > 2) entry += tiles / UPSWEEP_SUPERGROUP;
    return state + UPSWEEP_STATE_BEGIN + entry * UPSWEEP_STATE_WORDS;
}

// Direct groups: the groups just before a tile's own. Their sums are not published yet, so their tiles are read instead.
#if !defined(UPSWEEP_DIRECT_GROUPS) || UPSWEEP_DIRECT_GROUPS < 0 || UPSWEEP_DIRECT_GROUPS > 6
#error "UPSWEEP_DIRECT_GROUPS must be 0 to 6"
#endif

// What a tile looks at, in rows of up to 32 entries, all at once: row 0, the tiles of its own group; the direct groups;
// groups in its own group of 1024; those in the one before; groups of 1024; groups of 32768.
#define UPSWEEP_GROUP_ROW (UPSWEEP_DIRECT_GROUPS + 1)
#define UPSWEEP_PREVIOUS_GROUP_ROW (UPSWEEP_DIRECT_GROUPS + 2)
#define UPSWEEP_SUPERGROUP_ROW (UPSWEEP_DIRECT_GROUPS + 3)
#define UPSWEEP_LAST_ROW (UPSWEEP_DIRECT_GROUPS + 4)
#define UPSWEEP_LOOK_ROWS (UPSWEEP_DIRECT_GROUPS + 5)

// The first entry of a row, and how many there are.
volatile __global ulong* upsweep_look_row(volatile __global ulong* state, uint tiles, uint tile, uint row, uint* count)
{
    const uint group = tile / UPSWEEP_GROUP;
    const uint supergroup = tile / UPSWEEP_SUPERGROUP;
    const uint groups_before = group % UPSWEEP_GROUP;
    const uint has_previous = supergroup % UPSWEEP_GROUP != 0; // else the groups of 1024 before are all in a larger one
    if (row <= UPSWEEP_DIRECT_GROUPS) {
        *count = row == 0 ? tile % UPSWEEP_GROUP : group >= row ? UPSWEEP_GROUP : 0;
        return upsweep_entry(state, tiles, 0, (group - min(row, group)) * UPSWEEP_GROUP);
    }
    if (row == UPSWEEP_GROUP_ROW) {
        *count = groups_before > UPSWEEP_DIRECT_GROUPS ? groups_before - UPSWEEP_DIRECT_GROUPS : 0;
        return upsweep_entry(state, tiles, 1, supergroup * UPSWEEP_GROUP);
    }
    if (row == UPSWEEP_PREVIOUS_GROUP_ROW) {
        const uint direct = groups_before < UPSWEEP_DIRECT_GROUPS ? UPSWEEP_DIRECT_GROUPS - groups_before : 0;
        *count = has_previous ? UPSWEEP_GROUP - direct : 0;
        return upsweep_entry(state, tiles, 1, (supergroup - has_previous) * UPSWEEP_GROUP);
    }
    if (row == UPSWEEP_SUPERGROUP_ROW) {
        *count = has_previous ? supergroup % UPSWEEP_GROUP - 1 : 0;
        return upsweep_entry(state, tiles, 2, supergroup / UPSWEEP_GROUP * UPSWEEP_GROUP);
    }
    *count = supergroup / UPSWEEP_GROUP;
    return upsweep_entry(state, tiles, 3, 0);
}

// Rows of large values take more registers than there are: they lie in memory, and one is read after the other.
#define UPSWEEP_ROWS_IN_MEMORY (UPSWEEP_VALUE_SIZE > 32)

// One look at all rows: all words that are still missing are on their way at once. `ready` has one bit per row.
uint upsweep_look(volatile __global ulong* state, uint tiles, uint epoch, uint tile, uint ready, upsweep_value* rows)
{
#if UPSWEEP_ROWS_IN_MEMORY
    for (uint row = 0; row < UPSWEEP_LOOK_ROWS; ++row) {
        uint count;
        volatile __global ulong* first = upsweep_look_row(state, tiles, tile, row, &count);
        ready |= (upsweep_lane() >= count) << row;
        if (!(ready >> row & 1u))
            ready |= upsweep_is_published(first + upsweep_lane() * UPSWEEP_STATE_WORDS, epoch, &rows[row]) << row;
    }
#else
    ulong words[UPSWEEP_LOOK_ROWS][UPSWEEP_STATE_WORDS];
    const uint lane = upsweep_lane();
#pragma unroll
    for (uint row = 0; row < UPSWEEP_LOOK_ROWS; ++row) {
        uint count;
        volatile __global ulong* first = upsweep_look_row(state, tiles, tile, row, &count);
        ready |= (lane >= count) << row;
        upsweep_read_words(first + lane * UPSWEEP_STATE_WORDS, !(ready >> row & 1u), words[row]);
    }
#pragma unroll
    for (uint row = 0; row < UPSWEEP_LOOK_ROWS; ++row)
        if (!(ready >> row & 1u)) ready |= upsweep_is_complete(words[row], epoch, &rows[row]) << row;
#endif
    return ready;
}

// The levels of sums that a prefix is made of: groups of 32768 tiles, groups of 1024, groups of 32, tiles.
#define UPSWEEP_LOOK_LEVELS 4

// Adds a full tile's own sum, which the last level's lane tile % 32 holds, to the levels: where it completes a group, that
// group's sum becomes an entry of the level above, and is published if that was not done before. Returns the level whose
// first lanes, with one more than precede the tile, make up the prefix of the next tile together with the levels above.
uint upsweep_add_own(volatile __global ulong* state, uint tiles, uint epoch, uint tile, upsweep_value* levels)
{
    const uint lane = upsweep_lane();
    if (!UPSWEEP_ENDS(tile, UPSWEEP_GROUP)) return 3;
    upsweep_value sum = upsweep_lanes_sum(levels[3]);
    if (lane == tile / UPSWEEP_GROUP % UPSWEEP_GROUP) levels[2] = sum;
    if (!UPSWEEP_ENDS(tile, UPSWEEP_SUPERGROUP)) return 2;
    sum = upsweep_lanes_sum(levels[2]);
    if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 2, tile / UPSWEEP_SUPERGROUP), epoch, sum);
    if (lane == tile / UPSWEEP_SUPERGROUP % UPSWEEP_GROUP) levels[1] = sum;
    if (!UPSWEEP_ENDS(tile, UPSWEEP_TOP_GROUP)) return 1;
    sum = upsweep_lanes_sum(levels[1]);
    if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 3, tile / UPSWEEP_TOP_GROUP), epoch, sum);
    if (lane == tile / UPSWEEP_TOP_GROUP) levels[0] = sum;
    return 0;
}

// The prefix of `tile` and, if wants_end, that of the next (*end); see look_back.cl. The results are the same in all lanes.
// Only the last tile may not be full; then `total` is not real, and no other tile waits for it. Returns 0 if a tile is
// silent, or if there are so many tiles that the rows do not reach.
uint upsweep_look_back(volatile __global ulong* state, uint tiles, uint epoch, uint tile, uint is_full, uint wants_end,
                       upsweep_value total, uint* has_prefix, upsweep_value* prefix, upsweep_value* end)
{
    const uint lane = upsweep_lane();
    const uint groups_before = tile / UPSWEEP_GROUP % UPSWEEP_GROUP;
    const uint supergroup = tile / UPSWEEP_SUPERGROUP;
    if (tile >= UPSWEEP_SUPERGROUP * UPSWEEP_SUPERGROUP - 1) return 0;
    uint publishes_group = UPSWEEP_ENDS(tile, UPSWEEP_GROUP) && is_full; // as soon as it can
    upsweep_value rows[UPSWEEP_LOOK_ROWS];
    uint ready = 0;
    uint missing = ~0u;
#if UPSWEEP_ROWS_IN_MEMORY
#pragma unroll 1
#else
#pragma unroll
#endif
    for (uint row = 0; row < UPSWEEP_LOOK_ROWS; ++row) rows[row] = total;
    for (uint poll = 0; missing != 0; ++poll) {
        if (poll == UPSWEEP_MAX_POLLS) return 0;
        ready = upsweep_look(state, tiles, epoch, tile, ready, rows);
        if (publishes_group && upsweep_ballot(!(ready & 1u)) == 0) {
            const upsweep_value sum = upsweep_lanes_sum(rows[0]);
            if (lane == 0) upsweep_publish(upsweep_entry(state, tiles, 1, tile / UPSWEEP_GROUP), epoch, sum);
            publishes_group = 0;
        }
        missing = upsweep_ballot(ready + 1 != 1u << UPSWEEP_LOOK_ROWS);
    }
#if UPSWEEP_DIRECT_GROUPS > 0
    upsweep_value direct[UPSWEEP_DIRECT_GROUPS];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_DIRECT_GROUPS; ++i) direct[i] = rows[i + 1];
    upsweep_lanes_sums(direct, UPSWEEP_DIRECT_GROUPS, tile / UPSWEEP_GROUP); // the first groups have fewer before them
#pragma unroll
    for (uint row = 1; row <= UPSWEEP_DIRECT_GROUPS; ++row) {
        if (row <= groups_before && lane == groups_before - row) rows[UPSWEEP_GROUP_ROW] = direct[row - 1];
        if (row > groups_before && lane == UPSWEEP_GROUP + groups_before - row)
            rows[UPSWEEP_PREVIOUS_GROUP_ROW] = direct[row - 1];
    }
#endif
    if (supergroup % UPSWEEP_GROUP != 0) {
        const upsweep_value sum = upsweep_lanes_sum(rows[UPSWEEP_PREVIOUS_GROUP_ROW]);
        if (lane == supergroup % UPSWEEP_GROUP - 1) rows[UPSWEEP_SUPERGROUP_ROW] = sum;
    }
    upsweep_value levels[UPSWEEP_LOOK_LEVELS] = {rows[UPSWEEP_LAST_ROW], rows[UPSWEEP_SUPERGROUP_ROW],
                                                 rows[UPSWEEP_GROUP_ROW], rows[0]};
    const uint counts[UPSWEEP_LOOK_LEVELS] = {supergroup / UPSWEEP_GROUP, supergroup % UPSWEEP_GROUP, groups_before,
                                              tile % UPSWEEP_GROUP};
    uint longer = UPSWEEP_LOOK_LEVELS;
    if (wants_end || (is_full && UPSWEEP_ENDS(tile, UPSWEEP_SUPERGROUP)))
        longer = upsweep_add_own(state, tiles, epoch, tile, levels);
    if (!wants_end) longer = UPSWEEP_LOOK_LEVELS;
#if UPSWEEP_ROWS_IN_MEMORY
#pragma unroll 1
    for (uint i = 0; i < UPSWEEP_LOOK_LEVELS; ++i)
        upsweep_append_rows(levels + i, counts + i, 1, i == longer ? 0 : 1, has_prefix, prefix, end);
#else
    upsweep_append_rows(levels, counts, UPSWEEP_LOOK_LEVELS, longer, has_prefix, prefix, end);
#endif
    return 1;
}

#endif
