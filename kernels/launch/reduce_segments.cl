// SPDX-License-Identifier: MIT
// Reduces segments by offsets in time that depends on how many elements and segments there are, and hardly on anything
// else, in the canonical order of all elements: blocks of powers of two elements lie at multiples of their size, and what
// precedes a segment's first element is absent. Elements are cut into tiles, each a team's (sub_group_tile/block_sums.cl):
//
//   1  which segments begin in each tile
//   2  sums of the blocks of each tile. Segments that begin and end in one tile are made of these. Of others, the part in
//      the first tile is kept, and the blocks that their last part is made of.
//   3  sums of blocks of tiles: of so many tiles as a tile has elements, then of so many of these, and so on
//   4  segments that end in another tile than they begin in
#ifndef UPSWEEP_REDUCE_SEGMENTS
#define UPSWEEP_REDUCE_SEGMENTS
#include "sub_group_tile/block_sums.cl"
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// UPSWEEP_SEGMENT_CHUNK segments are a team's of their own where they all begin in one tile, the first of them at a multiple
// of this number: most of so many are empty.

// Segments of a member whose offsets are read together.
#define UPSWEEP_OFFSET_ROWS 4

// Where each kind of sums is in the second launch's scratch memory.
#define UPSWEEP_TILE_BITS UPSWEEP_LOG2(UPSWEEP_TEAM_TILE)
#define UPSWEEP_TILE_SUMS(sums, tiles) (sums)
#define UPSWEEP_BLOCK_ENDS(sums, tiles) ((sums) + ((tiles) + 1))
#define UPSWEEP_BLOCK_BEGINS(sums, tiles) ((sums) + 2 * ((tiles) + 1))
#define UPSWEEP_FIRST_PARTS(sums, tiles) ((sums) + 3 * ((tiles) + 1))
#define UPSWEEP_LAST_BLOCKS(sums, tiles) ((sums) + 4 * ((tiles) + 1))

// Where segment k begins, and the one before it ends. The host says what offsets are: upsweep_offset, upsweep_offsets and
// upsweep_offset_at.
upsweep_index upsweep_begin_of(upsweep_offsets offsets, ulong k, ulong n)
{
    const upsweep_offset begin = upsweep_offset_at(offsets, k);
    return sizeof(upsweep_offset) == 4 ? min((upsweep_index)(uint)begin, (upsweep_index)n)
                                       : (upsweep_index)min((ulong)begin, n);
}

// How many segments begin before an element.
ulong upsweep_segments_before(upsweep_offsets offsets, ulong offsets_begin, ulong segments, ulong n,
                              upsweep_index element)
{
    ulong first = 0;
    ulong last = segments;
    while (first < last) {
        const ulong middle = first + (last - first) / 2;
        if (upsweep_begin_of(offsets, offsets_begin + middle, n) < element)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// starts[k] receives how many segments begin before tile k. Those that begin behind the last element are the last tile's.
UPSWEEP_KERNEL upsweep_find_tiles(upsweep_offsets offsets, ulong offsets_begin, ulong segments, ulong n, ulong tiles,
                                  __global upsweep_index* starts, ulong starts_begin)
{
    const ulong k = get_global_id(0);
    if (k > tiles) return;
    ulong before = segments;
    if (k < tiles)
        before = upsweep_segments_before(offsets, offsets_begin, segments, n, (upsweep_index)(k * UPSWEEP_TEAM_TILE));
    starts[starts_begin + k] = (upsweep_index)before;
}

// Segments of a team: `count` from `first` on, of which `skipped` behind the first `before` are left out.
typedef struct {
    upsweep_offsets offsets;
    ulong offsets_begin;
    ulong n;
    upsweep_index tile; // where all begin
    upsweep_index first;
    upsweep_index count;
    upsweep_index before;
    upsweep_index skipped;
    uint has_init;
    upsweep_value init;
} upsweep_team_segments;

// The number of a team's segment i.
upsweep_index upsweep_segment_number(upsweep_team_segments own, upsweep_index i)
{
    return own.first + i + (i >= own.before ? own.skipped : 0);
}

// Where segment k begins in a tile; UPSWEEP_TEAM_TILE + 1 stands for all that is behind it.
uint upsweep_begin_in_tile(upsweep_team_segments own, upsweep_index k)
{
    const upsweep_index begin = upsweep_begin_of(own.offsets, own.offsets_begin + k, own.n);
    const upsweep_index tile_begin = own.tile * UPSWEEP_TEAM_TILE;
    return (uint)min(begin - min(begin, tile_begin), (upsweep_index)(UPSWEEP_TEAM_TILE + 1));
}

// Loads where segments begin and end, from a team's segment i on; behind the last one, nothing is loaded.
void upsweep_load_bounds(upsweep_team_segments own, upsweep_index i, uint* begins, uint* ends)
{
    UPSWEEP_UNROLL for (uint r = 0; r < UPSWEEP_OFFSET_ROWS; ++r)
    {
        const upsweep_index k = upsweep_segment_number(own, min(i + r * UPSWEEP_TEAM, own.count - 1));
        begins[r] = upsweep_begin_in_tile(own, k);
        ends[r] = upsweep_begin_in_tile(own, k + 1);
    }
}

// A segment's first element with the initial value. A function of its own because of PoCL 6.0 (see UPSWEEP_OUTLINE).
UPSWEEP_OUTLINE upsweep_value upsweep_after_init(upsweep_value init, upsweep_value first)
{
    return upsweep_combine(init, first);
}

// What the elements from `begin` up to `end` of a tile make, of which there is one at least.
upsweep_value upsweep_sum_part(__local const upsweep_value* blocks, uint begin, uint end, uint has_init,
                               upsweep_value init)
{
    upsweep_value sum = upsweep_element_of(blocks, begin);
    if (has_init) sum = upsweep_after_init(init, sum);
    return upsweep_append_blocks(blocks, sum, begin + 1, end);
}

// Reduces a team's segments, of which the bounds of the first rows are given. The first of `sums` receives the part in this tile
// of the one that ends behind it.
void upsweep_reduce_own(__local const upsweep_value* blocks, upsweep_team_segments own, uint member, uint* begins,
                        uint* ends, upsweep_output out, __global upsweep_value* sums)
{
    for (upsweep_index i = 0; i < own.count; i += UPSWEEP_OFFSET_ROWS * UPSWEEP_TEAM) {
        if (i > 0) upsweep_load_bounds(own, i + member, begins, ends);
        UPSWEEP_UNROLL for (uint r = 0; r < UPSWEEP_OFFSET_ROWS; ++r)
        {
            const upsweep_index at = i + r * UPSWEEP_TEAM + member;
            if (at >= own.count) continue;
            upsweep_value sum = own.init;
            if (begins[r] < min(ends[r], (uint)UPSWEEP_TEAM_TILE))
                sum =
                    upsweep_sum_part(blocks, begins[r], min(ends[r], (uint)UPSWEEP_TEAM_TILE), own.has_init, own.init);
            if (ends[r] <= UPSWEEP_TEAM_TILE)
                UPSWEEP_STORE(out, upsweep_segment_number(own, at), sum);
            else
                *sums = sum;
        }
    }
}

// The segments of a team: those that begin in a tile, but for whole chunks of them, or one of these chunks, if it is one.
upsweep_team_segments upsweep_segments_of(ulong unit, ulong tiles, upsweep_offsets offsets, ulong offsets_begin,
                                          ulong n, __global const upsweep_index* starts)
{
    upsweep_team_segments own;
    own.offsets = offsets;
    own.offsets_begin = offsets_begin;
    own.n = n;
    own.tile = (upsweep_index)unit;
    own.skipped = 0;
    if (unit >= tiles) {
        own.first = (upsweep_index)(unit - tiles) * UPSWEEP_SEGMENT_CHUNK;
        own.tile =
            min(upsweep_begin_of(offsets, offsets_begin + own.first, n) / UPSWEEP_TEAM_TILE, (upsweep_index)tiles - 1);
        own.count = UPSWEEP_SEGMENT_CHUNK;
        if (starts[own.tile] > own.first || starts[own.tile + 1] < own.first + UPSWEEP_SEGMENT_CHUNK) own.count = 0;
        own.before = own.count;
        return own;
    }
    own.first = starts[unit];
    own.count = max(starts[unit + 1], own.first) - own.first;
    own.before = own.count;
    const upsweep_index chunk = (own.first + UPSWEEP_SEGMENT_CHUNK - 1) / UPSWEEP_SEGMENT_CHUNK;
    const upsweep_index chunk_end = (own.first + own.count) / UPSWEEP_SEGMENT_CHUNK;
    if (chunk < chunk_end) {
        own.before = chunk * UPSWEEP_SEGMENT_CHUNK - own.first;
        own.skipped = (chunk_end - chunk) * UPSWEEP_SEGMENT_CHUNK;
        own.count -= own.skipped;
    }
    return own;
}

// The last part of a segment that began in an earlier tile and ends before element `end` of this one.
void upsweep_keep_last_blocks(__local const upsweep_value* blocks, uint member, uint end, __global upsweep_value* sums)
{
    for (uint bit = member; bit < UPSWEEP_TILE_BITS; bit += UPSWEEP_TEAM)
        if (end >> bit & 1u) sums[bit] = blocks[UPSWEEP_END_SLOT((end >> bit << bit) - 1)];
}

UPSWEEP_KERNEL upsweep_sum_tiles_of_segments(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, upsweep_offsets offsets,
                                             ulong offsets_begin, ulong segments, ulong n, ulong tiles,
                                             __global const upsweep_index* starts, ulong starts_begin,
                                             __global upsweep_value* sums, UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset,
                                             uint has_init, UPSWEEP_INIT_PARAMETER)
{
    __local upsweep_value memory[UPSWEEP_TEAMS][UPSWEEP_BLOCK_SLOTS];
    const uint member = UPSWEEP_MEMBER;
    const ulong unit = (ulong)get_group_id(0) * UPSWEEP_TEAMS + UPSWEEP_TEAM_NUMBER;
    if (unit >= tiles + segments / UPSWEEP_SEGMENT_CHUNK) return;
    __local upsweep_value* blocks = memory[UPSWEEP_TEAM_NUMBER];
    upsweep_team_segments own = upsweep_segments_of(unit, tiles, offsets, offsets_begin, n, starts + starts_begin);
    if (unit >= tiles && own.count == 0) return;
    own.has_init = has_init;
    own.init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    upsweep_value rows[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    uint begins[UPSWEEP_OFFSET_ROWS];
    uint ends[UPSWEEP_OFFSET_ROWS];
    const ulong begin = (ulong)own.tile * UPSWEEP_TEAM_TILE;
    upsweep_load_tile(UPSWEEP_INPUT_AT(UPSWEEP_INPUT(in_offset), begin), n - begin, member, rows);
    if (own.count > 0) upsweep_load_bounds(own, member, begins, ends);
    upsweep_sum_blocks(blocks, member, rows);
    upsweep_reduce_own(blocks, own, member, begins, ends, UPSWEEP_OUTPUT(out_offset),
                       UPSWEEP_FIRST_PARTS(sums, tiles) + own.tile);
    if (unit >= tiles) return;
    if (member == 0) UPSWEEP_TILE_SUMS(sums, tiles)[unit] = blocks[UPSWEEP_END_SLOT(UPSWEEP_TEAM_TILE - 1)];
    const uint end = own.first > 0 ? upsweep_begin_in_tile(own, own.first) : 0u;
    if (end < UPSWEEP_TEAM_TILE)
        upsweep_keep_last_blocks(blocks, member, end, UPSWEEP_LAST_BLOCKS(sums, tiles) + unit * UPSWEEP_TILE_BITS);
}

// Sums of blocks of UPSWEEP_TEAM_TILE tiles, or, of the next levels, of groups of `stride` tiles.
UPSWEEP_KERNEL upsweep_sum_blocks_of_tiles(ulong tiles, ulong stride, __global upsweep_value* sums)
{
    __local upsweep_value memory[UPSWEEP_TEAMS][UPSWEEP_BLOCK_SLOTS];
    const uint member = UPSWEEP_MEMBER;
    const ulong first = ((ulong)get_group_id(0) * UPSWEEP_TEAMS + UPSWEEP_TEAM_NUMBER) * UPSWEEP_TEAM_TILE;
    if (first * stride >= tiles) return;
    __local upsweep_value* blocks = memory[UPSWEEP_TEAM_NUMBER];
    upsweep_value rows[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    const ulong last = (tiles - 1) / stride;
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) rows[i] =
        UPSWEEP_TILE_SUMS(sums, tiles)[min(first + i * UPSWEEP_TEAM + member, last) * stride];
    upsweep_sum_blocks(blocks, member, rows);
    for (uint i = member; i < UPSWEEP_TEAM_TILE; i += UPSWEEP_TEAM) {
        const ulong k = (first + i) * stride;
        if (i == 0) UPSWEEP_TILE_SUMS(sums, tiles)[k] = blocks[UPSWEEP_END_SLOT(UPSWEEP_TEAM_TILE - 1)];
        if (i == 0 || k > tiles) continue;
        UPSWEEP_BLOCK_ENDS(sums, tiles)[k] = blocks[UPSWEEP_END_SLOT(i - 1)];
        UPSWEEP_BLOCK_BEGINS(sums, tiles)[k] = blocks[UPSWEEP_BEGIN_SLOT(i)];
    }
}

// Appends tiles from k > 0 up to `end`.
UPSWEEP_OUTLINE
upsweep_value upsweep_append_tiles(__global const upsweep_value* sums, ulong tiles, upsweep_value sum, upsweep_index k,
                                   upsweep_index end)
{
    while (k < end) {
        const upsweep_next_block next = upsweep_block_at(k, end);
        const upsweep_index at = next.is_right ? k : k + next.size;
        sum = upsweep_combine(
            sum, (next.is_right ? UPSWEEP_BLOCK_BEGINS(sums, tiles) : UPSWEEP_BLOCK_ENDS(sums, tiles))[at]);
        k += next.size;
    }
    return sum;
}

// Appends the last `size` elements of a segment, that begin with a tile.
UPSWEEP_OUTLINE
upsweep_value upsweep_append_last_blocks(__global const upsweep_value* sums, upsweep_value sum, uint size)
{
    for (uint bit = UPSWEEP_TILE_BITS; bit-- > 0;)
        if (size >> bit & 1u) sum = upsweep_combine(sum, sums[bit]);
    return sum;
}

// The segment that begins in each tile and ends behind it, if there is one.
UPSWEEP_KERNEL upsweep_join_tiles(upsweep_offsets offsets, ulong offsets_begin, ulong n, ulong tiles,
                                  __global const upsweep_index* starts, ulong starts_begin,
                                  __global const upsweep_value* sums, UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset)
{
    const ulong k = get_global_id(0);
    if (k >= tiles) return;
    const upsweep_index first = starts[starts_begin + k];
    const upsweep_index next = starts[starts_begin + k + 1];
    if (next <= first) return;
    const upsweep_index end = upsweep_begin_of(offsets, offsets_begin + next, n);
    if (end <= (k + 1) * UPSWEEP_TEAM_TILE) return;
    const upsweep_index last = end / UPSWEEP_TEAM_TILE;
    upsweep_value sum = UPSWEEP_FIRST_PARTS(sums, tiles)[k];
    sum = upsweep_append_tiles(sums, tiles, sum, (upsweep_index)k + 1, last);
    sum = upsweep_append_last_blocks(UPSWEEP_LAST_BLOCKS(sums, tiles) + last * UPSWEEP_TILE_BITS, sum,
                                     end % UPSWEEP_TEAM_TILE);
    UPSWEEP_STORE(UPSWEEP_OUTPUT(out_offset), next - 1, sum);
}

#endif
