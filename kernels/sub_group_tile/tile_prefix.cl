// SPDX-License-Identifier: MIT
// What precedes a tile, for all sub-groups of a work-group (tile_blocks.cl says how a tile is laid out).
#ifndef UPSWEEP_TILE_PREFIX
#define UPSWEEP_TILE_PREFIX
#include "sub_group/tile_blocks.cl"
#include "sub_group_prefix/find_past_silent.cl"
#include "sub_group_tile/row_before.cl"
#if !defined(UPSWEEP_EXACT)
#error "UPSWEEP_EXACT must be 1 if the operator gives the same bits in any order, else 0"
#endif
#if !defined(UPSWEEP_USERS_OPERATOR)
#error "UPSWEEP_USERS_OPERATOR must be 1 if the operator is the user's own text, else 0"
#endif
#if !defined(UPSWEEP_ONE_TILE)
#error "UPSWEEP_ONE_TILE must be 1 if there is never more than one tile, else 0"
#endif

// What a tile does where another is silent. 1: it starts again with the code for tiles that are not full, in which alone the
// fallback is, so that full tiles keep their registers. 0: it goes on where it is, and one code does for all tiles: so it
// is where arrays are scanned into arrays, of values that wait in local memory. (With other registers, for 64 bytes that was
// slower: NVIDIA H100, 2^22, 1 and 0: 771 and 872 us.) So it is for a single tile as well: kernels that scan 1000 and 1024
// int32, H100, 1 and 0: 6.7 and 6.3, 6.8 and 6.2 us.
#if defined(UPSWEEP_INPUT_IS_ARRAY) && defined(UPSWEEP_OUTPUT_IS_ARRAY) && !defined(UPSWEEP_IS_MARKED) &&                  \
    !defined(UPSWEEP_SEGMENT_VALUE)
#define UPSWEEP_STARTS_AGAIN (UPSWEEP_VALUE_SIZE > 32)
#else
#define UPSWEEP_STARTS_AGAIN 1
#endif

// What is done with a tile that is not full, where one code does for all tiles. 1: elements of it are repeated behind it,
// which no prefix of a real element is made of (tree.cl). 0: its last block and what is made of that is masked, because the
// operator is the user's: that is called on real neighbours only.
#define UPSWEEP_REPEATS_LAST (!UPSWEEP_STARTS_AGAIN && !UPSWEEP_USERS_OPERATOR)

// A number that is the same in all lanes, for a branch or a loop without barriers: Intel's compiler must see that, or it
// makes loads that the condition forbids.
#if UPSWEEP_PTX
#define UPSWEEP_SAME_IN_ALL(number) (number)
#else
#define UPSWEEP_SAME_IN_ALL(number) upsweep_word_from_lane(number, 0)
#endif

// Elements of a tile that are a sub-group's, and how many of them are real.
#define UPSWEEP_SHARE (UPSWEEP_ITEMS * UPSWEEP_LANES)
uint upsweep_share_size(uint valid)
{
    const uint begin = upsweep_sub_group() * UPSWEEP_SHARE;
    return valid > begin ? min(valid - begin, (uint)UPSWEEP_SHARE) : 0u;
}

// What the sub-groups share.
typedef struct {
    upsweep_shared_value sums[UPSWEEP_SUB_GROUPS_PER_GROUP]; // of each sub-group
#if UPSWEEP_SUMS_ROW_BEFORE
    upsweep_shared_value before[UPSWEEP_SUB_GROUPS_PER_GROUP]; // of each sub-group's part of what precedes the tile
#endif
    upsweep_found found; // with an end if the tile is full and the operator is not exact
#if UPSWEEP_STARTS_AGAIN
    uint is_found;
#endif
#if !UPSWEEP_PTX
    uint number; // which the work-group begins as
#endif
} upsweep_shared;

#if UPSWEEP_SUMS_ROW_BEFORE
// What precedes the tile, of what its sub-groups have read of its row.
upsweep_value upsweep_sum_parts_before(const __local upsweep_shared* shared)
{
    upsweep_value before[UPSWEEP_SUB_GROUPS_PER_GROUP];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SUB_GROUPS_PER_GROUP; ++i) before[i] = upsweep_read_shared(shared->before + i);
    upsweep_sweep_up(before, UPSWEEP_SUB_GROUPS_PER_GROUP, UPSWEEP_SUB_GROUPS_PER_GROUP);
    return before[UPSWEEP_SUB_GROUPS_PER_GROUP - 1];
}
#else
// Publishes the tile's sum, `total`, and finds its prefix, by the first sub-group. See upsweep_share_prefix.
void upsweep_find_prefix_for_tile(upsweep_call call, upsweep_input all, uint again, uint is_full, upsweep_value total,
                                  __local upsweep_shared* shared)
{
    const uint is_found = upsweep_find_and_share(call, all, again, again | !UPSWEEP_STARTS_AGAIN, is_full,
                                                 upsweep_as_argument(total), &shared->found);
#if UPSWEEP_STARTS_AGAIN
    if (upsweep_lane() == 0) shared->is_found = is_found;
#else
    (void)is_found;
#endif
}
#endif

// What an inclusive scan of a full tile ends with: its prefix and its sum. In the canonical order these may be combined
// otherwise, but not where a row begins in the tile.
upsweep_value upsweep_end_of_tile(uint tiles, uint valid, uint has_prefix, upsweep_value prefix, upsweep_value sum,
                                  const __local upsweep_shared* shared)
{
    if (!(UPSWEEP_EXACT || UPSWEEP_SUMS_ROW_BEFORE) && tiles > 1) return upsweep_read_shared(&shared->found.end);
    return has_prefix && valid == UPSWEEP_TILE ? upsweep_combine(prefix, sum) : sum;
}

// Gives all sub-groups the sums of all, and makes an up-sweep of them. `own`: that of this one.
void upsweep_sweep_sub_groups_up(upsweep_value own, uint valid, __local upsweep_shared* shared, upsweep_value* sums)
{
    if (upsweep_lane() == 0) shared->sums[upsweep_sub_group()].value = own;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_SUB_GROUPS_PER_GROUP; ++i) sums[i] = upsweep_read_shared(shared->sums + i);
    upsweep_sweep_up(sums, UPSWEEP_SUB_GROUPS_PER_GROUP, valid / UPSWEEP_SHARE);
}

// From what precedes the share, `prefix`, and what precedes the next, `end`, to what precedes each of its blocks.
upsweep_prefixes upsweep_prefixes_of_blocks(const upsweep_value* lane_sums, uint blocks, uint real_blocks, uint has_prefix,
                                            upsweep_value prefix, upsweep_value end)
{
    upsweep_prefixes prefixes;
#if UPSWEEP_BLOCKS == UPSWEEP_LANES
    prefixes.end = end;
#endif
    if (upsweep_lane() == blocks)
        prefix = end;
    else if (upsweep_lane() <= real_blocks)
        upsweep_lanes_down(lane_sums, blocks, &has_prefix, &prefix);
    prefixes.of_block = prefix;
    return prefixes;
}

// Publishes the tile's sum and waits for its prefix. A share is of so many `blocks`, a constant; `own_block` is the sum of
// block b in lane b; `prefixes` receives that of each block and, for inclusive scans, of what follows the last full one.
// *has_prefix receives whether anything precedes block 0. `again`, a constant: the tile was here before, or is not full. If
// UPSWEEP_STARTS_AGAIN is 1 and `again` is 0, returns 0 if a tile is silent, for the caller to start again.
uint upsweep_share_prefix(upsweep_call call, upsweep_input all, uint again, uint valid,
                          __local upsweep_shared* shared, uint blocks, upsweep_argument own_block,
                          uint* has_prefix, upsweep_prefixes* prefixes)
{
    const upsweep_value sum = UPSWEEP_OF_ARGUMENT(own_block);
    const uint tiles = UPSWEEP_ONE_TILE ? 1u : call.tiles; // nothing looks back where there is never more than one
    const uint sub_group = upsweep_sub_group();
    const uint is_full = valid == UPSWEEP_TILE;
#if UPSWEEP_REPEATS_LAST
    valid = UPSWEEP_TILE; // what follows the last element has sums, too
#endif
    const uint size = upsweep_share_size(valid);
    upsweep_value lane_sums[UPSWEEP_LANE_BITS];
    const upsweep_value own_sum = upsweep_lanes_up(sum, blocks, size / (UPSWEEP_SHARE / blocks), lane_sums);
#if UPSWEEP_SUMS_ROW_BEFORE
    const upsweep_value part = upsweep_sum_part_before(all, call.tile, call.init);
    if (upsweep_lane() == 0) shared->before[sub_group].value = part;
#endif
    upsweep_value sums[UPSWEEP_SUB_GROUPS_PER_GROUP];
    upsweep_sweep_sub_groups_up(own_sum, valid, shared, sums);
    upsweep_value end = sums[UPSWEEP_SUB_GROUPS_PER_GROUP - 1];
    uint has_own = call.flags & UPSWEEP_HAS_INIT;
    upsweep_value own = call.init;
#if UPSWEEP_SUMS_ROW_BEFORE
    (void)is_full;
    own = upsweep_sum_parts_before(shared);
    has_own = 1;
#else
    if (tiles > 1) {
        if (sub_group == 0) {
            upsweep_call asked = call; // changed here, not in the function: see "What lies where" in kernels/README.md
            if (UPSWEEP_EXACT) asked.exclusive = 1; // the next tile's prefix is not asked for
            upsweep_find_prefix_for_tile(asked, all, again, is_full, end, shared);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#if UPSWEEP_STARTS_AGAIN
        if (!shared->is_found) return 0;
#endif
        own = upsweep_read_shared(&shared->found.prefix);
        has_own = (call.flags & UPSWEEP_HAS_INIT) || call.tile > 0;
    }
#endif
    if (!call.exclusive) end = upsweep_end_of_tile(tiles, valid, has_own, own, end, shared);
    const uint used = (valid + UPSWEEP_SHARE - 1) / UPSWEEP_SHARE;
    upsweep_sweep_down(sums, UPSWEEP_SUB_GROUPS_PER_GROUP,
                       call.exclusive ? used : min(valid / UPSWEEP_SHARE + 1, (uint)UPSWEEP_SUB_GROUPS_PER_GROUP),
                       has_own, own);
#pragma unroll
    for (uint i = 1; i < UPSWEEP_SUB_GROUPS_PER_GROUP; ++i) {
        // Loaded before one is chosen, and chosen where the array is, so that NVIDIA's compiler keeps it in registers. In
        // memory, 16-bit values that fill a single tile of 128 x 32 were wrong from the third sub-group on (H200, driver
        // 580.159.04).
        const upsweep_value before = sums[i];
        if (i == sub_group) own = before;
        if (i == sub_group + 1) end = before;
    }
    has_own = has_own || sub_group > 0;
    *has_prefix = has_own;
    const uint real_blocks = size / (UPSWEEP_SHARE / blocks);
    *prefixes = upsweep_prefixes_of_blocks(lane_sums, blocks, real_blocks, has_own, own, end);
    return 1;
}

#endif
