// SPDX-License-Identifier: MIT
// The sums of all beginnings of a tile, where the host says how a sum is undone: UPSWEEP_SUBTRACT(sum, before). The sum of any
// run of elements is then the difference of two of them, however long it is. For sums that are exact in any order.
#ifndef UPSWEEP_TILE_PREFIXES
#define UPSWEEP_TILE_PREFIXES
#include "segments/block_sums.cl"

#ifdef UPSWEEP_SUBTRACT

// Where the sum of a tile's first i elements lies, and where element i is put: in the place of the sum that ends with it. As
// in a tile of blocks, one slot between runs keeps members off one bank. The sum of all elements lies there twice: segments
// that end behind the tile find it one place further.
#define UPSWEEP_PREFIX_SLOT(i) ((i) + ((i) + UPSWEEP_ITEMS - 1) / UPSWEEP_ITEMS)
#define UPSWEEP_PREFIX_ELEMENT_SLOT(i) (UPSWEEP_TEAM_PAD(i) + 2)
#define UPSWEEP_PREFIX_SLOTS (UPSWEEP_PREFIX_SLOT(UPSWEEP_TEAM_TILE + 1) + 1)

// What precedes a member's run, of which the sum is `total`.
#ifdef UPSWEEP_HAS_LANES
upsweep_value upsweep_before_run(__local const upsweep_value* prefixes, uint member, upsweep_value total)
{
    upsweep_value sum = total;
    UPSWEEP_UNROLL for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit)
    {
        const uint distance = 1u << bit;
        const upsweep_value other = upsweep_from_lane(sum, (member - distance) % UPSWEEP_LANES);
        const upsweep_value both = upsweep_combine(other, sum);
        sum = member >= distance ? both : sum;
    }
    return UPSWEEP_SUBTRACT(sum, total);
}
#else
UPSWEEP_OUTLINE
upsweep_value upsweep_before_run(__local const upsweep_value* prefixes, uint member, upsweep_value total)
{
    upsweep_value sum = UPSWEEP_SUBTRACT(total, total);
    for (uint m = 1; m <= member; ++m) sum = upsweep_combine(sum, prefixes[UPSWEEP_PREFIX_SLOT(m * UPSWEEP_ITEMS)]);
    return sum;
}
#endif

// Loops of a constant number of turns have functions of their own, for PoCL 6.0 with cbs: between two barriers of an outer
// loop it gets them wrong (tests/reproducers/pocl_cbs_loop.c).
//
// The sums of the beginnings of a member's run.
UPSWEEP_OUTLINE
void upsweep_sum_beginnings(__local const upsweep_value* own, upsweep_value* run)
{
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) run[i] = own[i];
    UPSWEEP_UNROLL for (uint i = 1; i < UPSWEEP_ITEMS; ++i) run[i] = upsweep_combine(run[i - 1], run[i]);
}

UPSWEEP_OUTLINE
void upsweep_put_beginnings(__local upsweep_value* own, upsweep_value before, const upsweep_value* run)
{
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) own[i] = upsweep_combine(before, run[i]);
}

// The sums of all beginnings of a tile whose elements are in their places.
void upsweep_sum_prefixes(__local upsweep_value* prefixes, uint member)
{
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    UPSWEEP_SYNC_TEAM;
    __local upsweep_value* own = prefixes + UPSWEEP_PREFIX_ELEMENT_SLOT(member * UPSWEEP_ITEMS);
    upsweep_sum_beginnings(own, run);
#ifndef UPSWEEP_HAS_LANES
    own[UPSWEEP_ITEMS - 1] = run[UPSWEEP_ITEMS - 1];
    UPSWEEP_SYNC_TEAM;
#endif
    const upsweep_value before = upsweep_before_run(prefixes, member, run[UPSWEEP_ITEMS - 1]);
    UPSWEEP_SYNC_TEAM;
    upsweep_put_beginnings(own, before, run);
    if (member == 0) prefixes[UPSWEEP_PREFIX_SLOT(0)] = UPSWEEP_SUBTRACT(before, before);
    if (member == UPSWEEP_TEAM - 1)
        prefixes[UPSWEEP_PREFIX_SLOT(UPSWEEP_TEAM_TILE + 1)] = upsweep_combine(before, run[UPSWEEP_ITEMS - 1]);
    UPSWEEP_SYNC_TEAM;
}

#endif
#endif
