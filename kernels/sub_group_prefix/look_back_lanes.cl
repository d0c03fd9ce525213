// SPDX-License-Identifier: MIT
// look_back.cl for a sub-group of 32 lanes: the same protocol, the same order of combination, and so the same bits. Every
// function is called by all lanes of one sub-group together.
//
// One level more is published: sums of 32 groups of 1024 tiles.
#ifndef UPSWEEP_LOOK_BACK_LANES
#define UPSWEEP_LOOK_BACK_LANES
#include "sub_group_prefix/look_back_segments.cl"
#include "sub_group_prefix/look_rows.cl"

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

#if !defined(UPSWEEP_PAUSE)
#error "UPSWEEP_PAUSE must be how many nanoseconds a tile pauses before it looks back, 0 for none"
#endif
// A tile whose sum is published lets the others work before it looks at all rows. It would wait in any case: 3.2 to 10 us,
// 6.6 on average, of which 2.2 are until the last sum before it is published (H200, scans of 2^28 int32). Tiles at the
// launch's beginning and end may find all at once, so these do not pause. Devices round the time: 3000 and 4000 ns are the
// same there, and so are 1500 and 2000, and 5000 and 6000. With pauses of 2000, 3000 and 6000 the same scans, tiles of 64 x
// 128 with 4 direct groups, took 561, 557 and 671 us, without 567; with pauses of 20 to 500 after each look 566, of 1000
// 573, after the first look only 573 to 600, the longer the more rows were missing 567, with first looks at a few rows 567
// to 571; with tiles of 128 x 64 and 6 direct groups 551, and 554 where tiles that publish a group's sum did not pause.
void upsweep_pause(uint tiles, uint tile)
{
#if UPSWEEP_PAUSE > 0
    if (tile >= UPSWEEP_SUPERGROUP && tiles - tile > UPSWEEP_SUPERGROUP)
        __asm__ volatile("nanosleep.u32 %0;" ::"r"((uint)UPSWEEP_PAUSE) : "memory");
#endif
}

// Waits until all rows are there. A tile that ends a group publishes the group's sum once its row is there. Returns 0 if a
// tile is silent. `ready` has one bit for each row that is there.
uint upsweep_wait_for_rows(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint tile,
                           uint publishes_group, uint ready, upsweep_value* rows)
{
    upsweep_pause(tiles, tile);
    uint missing = ~0u;
    for (uint poll = 0; missing != 0; ++poll) {
        if (poll == polls) return 0;
        ready = upsweep_look(state, tiles, epoch, tile, ready, rows);
        if (publishes_group && upsweep_ballot(!(ready & 1u)) == 0) {
            const upsweep_value sum = upsweep_lanes_sum(rows[0]);
            if (upsweep_lane() == 0) upsweep_publish(upsweep_entry(state, tiles, 1, tile / UPSWEEP_GROUP), epoch, sum);
            publishes_group = 0;
        }
        missing = upsweep_ballot(ready + 1 != 1u << UPSWEEP_LOOK_ROWS);
    }
    return 1;
}

// Puts sums that nobody has published yet where the published ones of their level are: those of direct groups, and that of
// the group of 1024 before the tile's own.
void upsweep_complete_rows(uint tile, upsweep_value* rows)
{
    const uint lane = upsweep_lane();
    const uint supergroup = tile / UPSWEEP_SUPERGROUP;
#if UPSWEEP_DIRECT_GROUPS > 0
    const uint groups_before = tile / UPSWEEP_GROUP % UPSWEEP_GROUP;
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
}

// Combines complete rows in the canonical order; see upsweep_look_back.
void upsweep_combine_rows(volatile __global ulong* state, uint tiles, uint epoch, uint tile, uint is_full, uint wants_end,
                          const upsweep_value* rows, uint* has_prefix, upsweep_value* prefix, upsweep_value* end)
{
    const uint supergroup = tile / UPSWEEP_SUPERGROUP;
    upsweep_value levels[UPSWEEP_LOOK_LEVELS] = {rows[UPSWEEP_LAST_ROW], rows[UPSWEEP_SUPERGROUP_ROW],
                                                 rows[UPSWEEP_GROUP_ROW], rows[0]};
    const uint counts[UPSWEEP_LOOK_LEVELS] = {supergroup / UPSWEEP_GROUP, supergroup % UPSWEEP_GROUP,
                                              tile / UPSWEEP_GROUP % UPSWEEP_GROUP, tile % UPSWEEP_GROUP};
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
}

// The prefix of `tile` and, if wants_end, that of the next (*end); see look_back.cl. The results are the same in all lanes.
// Only the last tile may not be full; then `total` is not real, and no other tile waits for it. Returns 0 if a tile is
// silent, or if there are so many tiles that the rows do not reach.
uint upsweep_look_back(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint tile, uint is_full,
                       uint wants_end, upsweep_value total, uint* has_prefix, upsweep_value* prefix, upsweep_value* end)
{
    const uint ends_group = is_full && UPSWEEP_ENDS(tile, UPSWEEP_GROUP);
    if (tile >= UPSWEEP_SUPERGROUP * UPSWEEP_SUPERGROUP - 1) return 0;
#if UPSWEEP_LOOKS_AT_TILE_BEFORE
    if (!ends_group && upsweep_look_at_tile_before(state, tiles, epoch, polls, tile, total, has_prefix, prefix, end))
        return 1;
#endif
    upsweep_value rows[UPSWEEP_LOOK_ROWS];
    uint ready = 0;
#if UPSWEEP_ROWS_IN_MEMORY
#pragma unroll 1
#else
#pragma unroll
#endif
    for (uint row = 0; row < UPSWEEP_LOOK_ROWS; ++row) rows[row] = UPSWEEP_FILLER(row, total);
#if UPSWEEP_LOOKS_AT_GROUP
    const uint in_group = tile % UPSWEEP_GROUP;
    if (in_group > 1 && !ends_group) {
        if (!upsweep_wait_for_group(state, tiles, epoch, polls, tile, rows)) return 0;
        ready = 1;
        if (upsweep_ballot(upsweep_lane() < in_group && upsweep_has_head(rows[0])) != 0) {
            upsweep_append_rows(rows, &in_group, 1, wants_end ? 0 : 1, has_prefix, prefix, end);
            return 1;
        }
    }
#endif
    if (!upsweep_wait_for_rows(state, tiles, epoch, polls, tile, ends_group, ready, rows)) return 0;
#if UPSWEEP_LOOKS_AT_MARKS
    if (!(is_full && UPSWEEP_ENDS(tile, UPSWEEP_SUPERGROUP)) &&
        upsweep_count_segments(rows, tile, total, has_prefix, prefix, end))
        return 1;
#endif
#if UPSWEEP_SUMS_IN_ANY_ORDER
    if (upsweep_ballot(wants_end || tile == 0 || (is_full && UPSWEEP_ENDS(tile, UPSWEEP_SUPERGROUP))) == 0) {
        const upsweep_value sum = upsweep_sum_rows(state, tiles, tile, rows);
        *prefix = *has_prefix ? UPSWEEP_COMBINE_ANY(*prefix, sum) : sum;
        *has_prefix = 1;
        return 1;
    }
#endif
    upsweep_complete_rows(tile, rows);
    upsweep_combine_rows(state, tiles, epoch, tile, is_full, wants_end, rows, has_prefix, prefix, end);
    return 1;
}

#endif
