// SPDX-License-Identifier: MIT
// What a sub-group of 32 lanes reads of the sums that other tiles have published (look_back_lanes.cl).
#ifndef UPSWEEP_LOOK_ROWS_OF_LANES
#define UPSWEEP_LOOK_ROWS_OF_LANES
#include "tile/state.cl"
#include "sub_group/lanes_tree.cl"
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

// Waits until each lane has its entry, which lies at `words`; those with `ready` have theirs. Returns 0 if one has none after
// so many polls. (With the lanes that have none as its result, this took more registers: NVIDIA H200, exclusive scans by
// keys in runs of 1000, 2^28 int32 922 us in place of 863.)
uint upsweep_await_own(volatile __global ulong* words, uint epoch, uint polls, uint ready, upsweep_value* value)
{
    uint missing = ~0u;
    for (uint poll = 0; missing != 0; ++poll) {
        if (poll == polls) return 0;
        if (!ready) ready = upsweep_is_published(words, epoch, value);
        missing = upsweep_ballot(!ready);
    }
    return 1;
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

// How many direct groups no other row has. Those of another group of 1024 count again where that is all in a larger one.
uint upsweep_direct_rows(uint tile)
{
    const uint has_previous = tile / UPSWEEP_SUPERGROUP % UPSWEEP_GROUP != 0;
    return has_previous ? UPSWEEP_DIRECT_GROUPS : tile / UPSWEEP_GROUP % UPSWEEP_GROUP;
}

// Rows of large values take more registers than there are: they lie in memory, and one is read after the other.
#define UPSWEEP_ROWS_IN_MEMORY (UPSWEEP_VALUE_SIZE > 32)

// Whether the prefix is what all lanes have read, combined in whatever order. On NVIDIA devices only: Intel's compiler fails
// with "Scalar sub_group_ballot execution breaks subgroup semantics".
#define UPSWEEP_SUMS_IN_ANY_ORDER (UPSWEEP_PTX && UPSWEEP_EXACT && UPSWEEP_COMMUTATIVE && !UPSWEEP_ROWS_IN_MEMORY)

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

#if UPSWEEP_SUMS_IN_ANY_ORDER
// The sum, in all lanes, of what precedes `tile`, which is not the first: all rows are there. H200, us, the canonical order
// and this: run_length_encode of 2^28 uint32 in runs of 2, 10, 1000 848, 522, 468 and 764, 492, 428, copy_if of 10, 50, 90 %
// of 2^27 int64 399, 490, 608 and 379, 475, 597, scans of 2^27 int64 575 and 566; of 2^28 int32 both within 1 %.
upsweep_value upsweep_sum_rows(volatile __global ulong* state, uint tiles, uint tile, const upsweep_value* rows)
{
    const uint lane = upsweep_lane();
    const uint direct = upsweep_direct_rows(tile);
    upsweep_value sum = rows[0];
    uint most = tile % UPSWEEP_GROUP; // lanes that have something
#pragma unroll
    for (uint row = 1; row < UPSWEEP_LOOK_ROWS; ++row) {
        uint count;
        upsweep_look_row(state, tiles, tile, row, &count);
        if (row <= UPSWEEP_DIRECT_GROUPS && row > direct) count = 0;
        const upsweep_value both = UPSWEEP_COMBINE_ANY(sum, rows[row]);
        if (lane < count) sum = lane < most ? both : rows[row];
        most = max(most, count);
    }
    return upsweep_lanes_sum_first(sum, most);
}
#endif

#endif
