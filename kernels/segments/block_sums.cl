// SPDX-License-Identifier: MIT
// The sums of all blocks of a tile in the canonical order (tree.cl), and with them any run of its elements in few steps.
//
// A block of 2^k elements that is the left half of the next larger one is found by where it ends, one that is the right
// half by where it begins: no two have the same place. To the sum of a run that begins at element b, blocks are appended
// from left to right, each the largest that begins where the last one ended and does not reach beyond the run. That is the
// canonical order of the run, in less than two blocks for each bit of its length: P. Fenwick, A New Data Structure for
// Cumulative Frequency Tables (1994), with trees in both directions.
//
// A team is a sub-group where there are sub-groups of lanes (lanes.cl), else a work-group.
#ifndef UPSWEEP_BLOCK_SUMS
#define UPSWEEP_BLOCK_SUMS
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#include "tile/tree.cl"

#ifdef UPSWEEP_HAS_LANES
#define UPSWEEP_TEAM UPSWEEP_LANES
#define UPSWEEP_TEAMS UPSWEEP_SUB_GROUPS_PER_GROUP
#define UPSWEEP_TEAM_NUMBER upsweep_sub_group()
#define UPSWEEP_MEMBER upsweep_lane()
#define UPSWEEP_SYNC_TEAM upsweep_sync_lanes()
#else
#define UPSWEEP_TEAM UPSWEEP_WORK_ITEMS
#define UPSWEEP_TEAMS 1
#define UPSWEEP_TEAM_NUMBER 0
#define UPSWEEP_MEMBER (uint) get_local_id(0)
#define UPSWEEP_SYNC_TEAM barrier(CLK_LOCAL_MEM_FENCE)
#endif

// A team's tile: a run of UPSWEEP_ITEMS, a power of two and no more than members, for each member.
#define UPSWEEP_TEAM_TILE (UPSWEEP_TEAM * UPSWEEP_ITEMS)
// log2 of a power of two up to 4096, as a constant: compilers unroll only loops with such bounds.
#define UPSWEEP_LOG2(x)                                                                                                \
    (((x) >= 256 ? 8 : (x) >= 16 ? 4 : 0) + UPSWEEP_LOG2_BELOW_16((x) / ((x) >= 256 ? 256 : (x) >= 16 ? 16 : 1)))
#define UPSWEEP_LOG2_BELOW_16(x) ((x) >= 8 ? 3 : (x) >= 4 ? 2 : (x) >= 2 ? 1 : 0)

// Where the sums of a tile's blocks lie: that of a left half by where it ends, that of a right half by where it begins. Both
// are as long as the largest power of two that divides that place. The block of all elements is a left half. One unused slot
// behind each run keeps members on different banks, and one more behind the left halves keeps these and the right ones.
#define UPSWEEP_TEAM_PAD(i) ((i) + (i) / UPSWEEP_ITEMS)
#define UPSWEEP_RIGHT_SLOTS (UPSWEEP_TEAM_PAD(UPSWEEP_TEAM_TILE) + 1)
#define UPSWEEP_LEFT_SLOT(end) UPSWEEP_TEAM_PAD(end)
#define UPSWEEP_RIGHT_SLOT(begin) (UPSWEEP_RIGHT_SLOTS + UPSWEEP_TEAM_PAD(begin))
#define UPSWEEP_TREE_SLOTS (2 * UPSWEEP_RIGHT_SLOTS)

// Element i of a tile: the left half that ends with i + 1, or the right half that begins with i.
#define UPSWEEP_ELEMENT_SLOT(i) (UPSWEEP_TEAM_PAD(i) + ((i) % 2 ? UPSWEEP_RIGHT_SLOTS : 1))

// A member's elements of a tile, one of each row. No load waits for a condition.
void upsweep_load_rows(upsweep_input in, uint member, upsweep_value* rows)
{
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) rows[i] = UPSWEEP_LOAD(in, i * UPSWEEP_TEAM + member);
}

// Puts them in their places, of which the first is `own`.
void upsweep_put_rows(__local upsweep_value* own, const upsweep_value* rows)
{
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) own[UPSWEEP_TEAM_PAD(i * UPSWEEP_TEAM)] = rows[i];
}

// Puts the elements of a tile that has `size`, 1 or more but not all. Behind the last one stand others of them, of no use.
void upsweep_put_some(__local upsweep_value* own, upsweep_input in, uint size, uint member)
{
    for (uint i = member; i < UPSWEEP_TEAM_TILE; i += UPSWEEP_TEAM)
        own[UPSWEEP_TEAM_PAD(i - member)] = UPSWEEP_LOAD(in, min(i, size - 1));
}

// Of the sums of members' runs, those of the blocks of several runs.
#ifdef UPSWEEP_HAS_LANES
void upsweep_sum_runs(__local upsweep_value* blocks, uint member, upsweep_value sum)
{
    __local upsweep_value* own = blocks + UPSWEEP_LEFT_SLOT(member * UPSWEEP_ITEMS);
    UPSWEEP_UNROLL for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit)
    {
        const uint stride = 1u << bit; // the sums of so many runs are in every such member
        if (member % stride == 0)
            own[member & stride ? UPSWEEP_RIGHT_SLOT(0) : UPSWEEP_LEFT_SLOT(stride * UPSWEEP_ITEMS)] = sum;
        sum = upsweep_combine(sum, upsweep_from_lane(sum, (member + stride) % UPSWEEP_LANES));
    }
    if (member == 0) blocks[UPSWEEP_LEFT_SLOT(UPSWEEP_TEAM_TILE)] = sum;
    UPSWEEP_SYNC_TEAM;
}
#else
void upsweep_put_block(__local upsweep_value* blocks, uint number, uint bit, upsweep_value sum)
{
    blocks[number & 1 ? UPSWEEP_RIGHT_SLOT(number << bit) : UPSWEEP_LEFT_SLOT((number + 1) << bit)] = sum;
}

void upsweep_sum_runs(__local upsweep_value* blocks, uint member, upsweep_value sum)
{
    upsweep_put_block(blocks, member, UPSWEEP_LOG2(UPSWEEP_ITEMS), sum);
    UPSWEEP_SYNC_TEAM;
    for (uint bit = UPSWEEP_LOG2(UPSWEEP_ITEMS); bit < UPSWEEP_LOG2(UPSWEEP_TEAM_TILE); ++bit) {
        if (member < UPSWEEP_TEAM_TILE >> (bit + 1)) {
            const uint middle = (2 * member + 1) << bit;
            const upsweep_value left = blocks[UPSWEEP_LEFT_SLOT(middle)];
            upsweep_put_block(blocks, member, bit + 1, upsweep_combine(left, blocks[UPSWEEP_RIGHT_SLOT(middle)]));
        }
        UPSWEEP_SYNC_TEAM;
    }
}
#endif

// The sums of the blocks within a run, which begins at `own`, and of all of it. A function of its own for PoCL 6.0 with
// cbs, which gets such loops wrong between two barriers of an outer loop (tests/reproducers/pocl_cbs_loop.c).
UPSWEEP_OUTLINE
upsweep_value upsweep_sum_run(__local upsweep_value* own)
{
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) run[i] = own[i % 2 ? UPSWEEP_RIGHT_SLOTS + i : i + 1];
#define UPSWEEP_SUM_LEVEL(size)                                                                                        \
    if (size < UPSWEEP_ITEMS) {                                                                                        \
        UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; i += 2 * size)                                              \
        {                                                                                                              \
            if (size > 1) {                                                                                            \
                own[i + size] = run[i];                                                                                \
                own[UPSWEEP_RIGHT_SLOTS + i + size] = run[i + size];                                                   \
            }                                                                                                          \
            run[i] = upsweep_combine(run[i], run[i + size]);                                                           \
        }                                                                                                              \
    }
    UPSWEEP_STEPS_UP(UPSWEEP_SUM_LEVEL)
#undef UPSWEEP_SUM_LEVEL
    return run[0];
}

// The sums of all blocks of a tile whose elements are in their places.
void upsweep_sum_blocks(__local upsweep_value* blocks, uint member)
{
    UPSWEEP_SYNC_TEAM;
    upsweep_sum_runs(blocks, member, upsweep_sum_run(blocks + UPSWEEP_LEFT_SLOT(member * UPSWEEP_ITEMS)));
}

// Of what is appended to a run, the elements from i > 0 up to `end` > i: where right halves, each as long as the largest
// power of two that divides its first element, give way to left halves, each as long as that for where it ends.
upsweep_index upsweep_middle_of(upsweep_index i, upsweep_index end)
{
    const uint bit = 8 * sizeof(upsweep_index) - 1 - (uint)clz((i - 1) ^ end);
    return end >> bit << bit;
}

#define UPSWEEP_END_OF_RIGHT(i) ((i) + ((i) & (0 - (i))))
#define UPSWEEP_END_OF_LEFT(i, end) ((i) + ((upsweep_index)1 << (8 * sizeof(upsweep_index) - 1 - clz((end) - (i)))))

// Appends the elements from i > 0 up to `end` of a tile to `sum`.
UPSWEEP_OUTLINE
upsweep_value upsweep_append_blocks(__local const upsweep_value* blocks, upsweep_value sum, upsweep_index i,
                                    upsweep_index end)
{
    if (i >= end) return sum;
    const upsweep_index middle = upsweep_middle_of(i, end);
    for (; i < middle; i = UPSWEEP_END_OF_RIGHT(i)) sum = upsweep_combine(sum, blocks[UPSWEEP_RIGHT_SLOT(i)]);
    while (i < end) {
        i = UPSWEEP_END_OF_LEFT(i, end);
        sum = upsweep_combine(sum, blocks[UPSWEEP_LEFT_SLOT(i)]);
    }
    return sum;
}

#endif
