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

// A team's tile: a run of UPSWEEP_ITEMS, a power of two, for each member.
#define UPSWEEP_TEAM_TILE (UPSWEEP_TEAM * UPSWEEP_ITEMS)
// A constant, as compilers ask who are to unroll loops: log2 of a power of two up to 4096.
#define UPSWEEP_LOG2(x)                                                                                                \
    (((x) >= 256 ? 8 : (x) >= 16 ? 4 : 0) + UPSWEEP_LOG2_BELOW_16((x) / ((x) >= 256 ? 256 : (x) >= 16 ? 16 : 1)))
#define UPSWEEP_LOG2_BELOW_16(x) ((x) >= 8 ? 3 : (x) >= 4 ? 2 : (x) >= 2 ? 1 : 0)

// One unused slot behind each run keeps members off one bank.
#define UPSWEEP_RUN_PAD(i) ((i) + (i) / UPSWEEP_ITEMS)
#define UPSWEEP_RUN_SLOTS (UPSWEEP_TEAM_TILE + UPSWEEP_TEAM)

// Where the sums of a tile's blocks lie: that of a left half which ends with element i, and that of a right half which begins
// with it. The block of all elements is a left half.
#define UPSWEEP_END_SLOT(i) UPSWEEP_RUN_PAD(i)
#define UPSWEEP_BEGIN_SLOT(i) (UPSWEEP_RUN_SLOTS + UPSWEEP_RUN_PAD(i))
#define UPSWEEP_BLOCK_SLOTS (2 * UPSWEEP_RUN_SLOTS)

// Block `number` of 2^bit elements.
void upsweep_put_block(__local upsweep_value* blocks, uint number, uint bit, upsweep_value sum)
{
    const uint begin = number << bit;
    blocks[number & 1 ? UPSWEEP_BEGIN_SLOT(begin) : UPSWEEP_END_SLOT(begin + (1u << bit) - 1)] = sum;
}

// Loads a tile, row by row, from its first element on. Behind the last of `size` elements, 1 or more, it is loaded again.
// No load waits for a condition.
void upsweep_load_tile(upsweep_input in, ulong size, uint member, upsweep_value* rows)
{
    if (size >= UPSWEEP_TEAM_TILE) {
        UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) rows[i] = UPSWEEP_LOAD(in, i * UPSWEEP_TEAM + member);
    } else {
        UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) rows[i] =
            UPSWEEP_LOAD(in, min(i * UPSWEEP_TEAM + member, (uint)size - 1));
    }
}

// The sums of all blocks of a tile, of which the members have rows. What blocks with elements behind the last one have is
// of no use.
void upsweep_sum_blocks(__local upsweep_value* blocks, uint member, const upsweep_value* rows)
{
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) blocks[UPSWEEP_END_SLOT(i * UPSWEEP_TEAM + member)] =
        rows[i];
    UPSWEEP_SYNC_TEAM;
    __local upsweep_value* own = blocks + UPSWEEP_END_SLOT(member * UPSWEEP_ITEMS); // its own run
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) run[i] = own[i];
    UPSWEEP_SYNC_TEAM;
#define UPSWEEP_SUM_LEVEL(size)                                                                                        \
    if (size < UPSWEEP_ITEMS) {                                                                                        \
        UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; i += 2 * size)                                              \
        {                                                                                                              \
            own[i + size - 1] = run[i];                                                                                \
            own[UPSWEEP_RUN_SLOTS + i + size] = run[i + size];                                                         \
            run[i] = upsweep_combine(run[i], run[i + size]);                                                           \
        }                                                                                                              \
    }
    UPSWEEP_STEPS_UP(UPSWEEP_SUM_LEVEL)
#undef UPSWEEP_SUM_LEVEL
    upsweep_put_block(blocks, member, UPSWEEP_LOG2(UPSWEEP_ITEMS), run[0]);
    UPSWEEP_SYNC_TEAM;
    for (uint bit = UPSWEEP_LOG2(UPSWEEP_ITEMS); bit < UPSWEEP_LOG2(UPSWEEP_TEAM_TILE); ++bit) {
        if (member < UPSWEEP_TEAM_TILE >> (bit + 1)) {
            const uint middle = (2 * member + 1) << bit;
            const upsweep_value left = blocks[UPSWEEP_END_SLOT(middle - 1)];
            upsweep_put_block(blocks, member, bit + 1, upsweep_combine(left, blocks[UPSWEEP_BEGIN_SLOT(middle)]));
        }
        UPSWEEP_SYNC_TEAM;
    }
}

// The block that is appended next to a run of which the last one ended before element i > 0, and which ends before element
// `end` > i.
typedef struct {
    upsweep_index size;
    uint is_right; // the right half of the next larger one
} upsweep_next_block;

upsweep_next_block upsweep_block_at(upsweep_index i, upsweep_index end)
{
    const upsweep_index widest = i & (0 - i);
    const upsweep_index rest = end - i;
    upsweep_next_block block;
    block.is_right = widest <= rest;
    block.size = block.is_right ? widest : (upsweep_index)1 << (8 * sizeof(upsweep_index) - 1 - clz(rest));
    return block;
}

// Appends the elements from i > 0 up to `end` of a tile to `sum`.
UPSWEEP_OUTLINE
upsweep_value upsweep_append_blocks(__local const upsweep_value* blocks, upsweep_value sum, uint i, uint end)
{
    while (i < end) {
        const upsweep_next_block next = upsweep_block_at(i, end);
        const uint size = (uint)next.size;
        sum = upsweep_combine(sum, blocks[next.is_right ? UPSWEEP_BEGIN_SLOT(i) : UPSWEEP_END_SLOT(i + size - 1)]);
        i += size;
    }
    return sum;
}

// Element i of a tile.
upsweep_value upsweep_element_of(__local const upsweep_value* blocks, uint i)
{
    return blocks[i & 1 ? UPSWEEP_BEGIN_SLOT(i) : UPSWEEP_END_SLOT(i)];
}

#endif
