// SPDX-License-Identifier: MIT
// Reduces segments by offsets in time that depends on how many elements and segments there are, and hardly on anything
// else, in the canonical order of all elements: blocks of powers of two elements lie at multiples of their size, and what
// precedes a segment's first element is absent. Elements are cut into tiles, each a team's (segments/block_sums.cl):
//
//   1  which segments begin in each tile
//   2  sums of the blocks of each tile. Segments that begin and end in one tile are made of these. Of others, the part in
//      the first tile is kept, and the blocks that their last part is made of.
//   3  sums of blocks of tiles: of so many tiles as a tile has elements, then of so many of these, and so on
//   4  segments that end in another tile than they begin in
#ifndef UPSWEEP_REDUCE_SEGMENTS
#define UPSWEEP_REDUCE_SEGMENTS
#include "segments/team_segments.cl"

// Where each kind of sums is in the second launch's scratch memory.
#define UPSWEEP_TILE_BITS UPSWEEP_LOG2(UPSWEEP_TEAM_TILE)
#define UPSWEEP_TILE_SUMS(sums, tiles) (sums)
#define UPSWEEP_BLOCK_ENDS(sums, tiles) ((sums) + ((tiles) + 1))
#define UPSWEEP_BLOCK_BEGINS(sums, tiles) ((sums) + 2 * ((tiles) + 1))
#define UPSWEEP_FIRST_PARTS(sums, tiles) ((sums) + 3 * ((tiles) + 1))
#define UPSWEEP_LAST_BLOCKS(sums, tiles) ((sums) + 4 * ((tiles) + 1))

// starts[k] receives how many segments begin before tile k. Those that begin behind the last element are the last tile's.
UPSWEEP_KERNEL upsweep_find_tiles(upsweep_offsets offsets, ulong offsets_begin, ulong segments, ulong n, ulong tiles,
                                  __global upsweep_index* starts, ulong starts_begin)
{
    const ulong k = get_global_id(0);
    if (k > tiles) return;
    ulong before = segments;
    if (k < tiles)
        before = upsweep_first_from(offsets + offsets_begin, 0, 0, segments, n, k * UPSWEEP_TEAM_TILE);
    starts[starts_begin + k] = (upsweep_index)before;
}

// The tile in which a chunk of segments begins, or as many as there are tiles, where they begin in several.
upsweep_index upsweep_tile_of_chunk(upsweep_index first, upsweep_index tiles, upsweep_offsets offsets, ulong n,
                                    __global const upsweep_index* starts)
{
    const upsweep_index tile = min(upsweep_begin_of(offsets, first, n) / UPSWEEP_TEAM_TILE, tiles - 1);
    const uint is_one = starts[tile] <= first && starts[tile + 1] >= first + UPSWEEP_SEGMENT_CHUNK;
    return is_one ? tile : tiles;
}

// What a team does in the second launch.
typedef struct {
    uint has_tiles;      // else a chunk of the segments of a tile
    upsweep_index chunk; // that begins with this segment
    upsweep_index tile;  // the first one; as many as there are tiles: nothing
    upsweep_index last;
} upsweep_team_work;

upsweep_team_work upsweep_work_of_team(ulong number, ulong per_team, ulong tiles, upsweep_offsets offsets, ulong n,
                                       __global const upsweep_index* starts)
{
    const ulong teams = (tiles + per_team - 1) / per_team; // the others have chunks
    upsweep_team_work work = {number < teams, 0, (upsweep_index)(number * per_team), 0};
    if (work.has_tiles) {
        work.last = (upsweep_index)min(work.tile + per_team, tiles) - 1;
        return work;
    }
    work.chunk = (upsweep_index)(number - teams) * UPSWEEP_SEGMENT_CHUNK;
    work.tile = upsweep_tile_of_chunk(work.chunk, (upsweep_index)tiles, offsets, n, starts);
    work.last = work.tile;
    return work;
}

// The blocks of the last part of a segment that began in an earlier tile and ends before element `end` of this one.
void upsweep_keep_last_blocks(__local const upsweep_value* blocks, uint member, uint end, __global upsweep_value* sums)
{
    if (end >= UPSWEEP_TEAM_TILE) return; // it ends in a later tile
#ifdef UPSWEEP_SUBTRACT
    if (member == 0) sums[0] = blocks[UPSWEEP_PREFIX_SLOT(end)];
#else
    for (uint bit = member; bit < UPSWEEP_TILE_BITS; bit += UPSWEEP_TEAM)
        if (end >> bit & 1u) sums[bit] = blocks[UPSWEEP_LEFT_SLOT(end >> bit << bit)];
#endif
}

// A team has `per_team` tiles, one after another, or a chunk of segments. While it reduces the segments of a tile, the
// elements of the next one are on their way, and the offsets that it needs next.
UPSWEEP_KERNEL upsweep_sum_tiles_of_segments(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, upsweep_offsets offsets,
                                             ulong offsets_begin, ulong segments, ulong n, ulong tile_count,
                                             ulong per_team, __global const upsweep_index* starts, ulong starts_begin,
                                             __global upsweep_value* sums, UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset,
                                             uint has_init, UPSWEEP_INIT_PARAMETER)
{
    __local upsweep_value memory[UPSWEEP_TEAMS][UPSWEEP_TILE_SLOTS];
    __local upsweep_value* blocks = memory[UPSWEEP_TEAM_NUMBER];
    const uint member = UPSWEEP_MEMBER;
    const upsweep_index tiles = (upsweep_index)tile_count;
    const ulong unit = (ulong)get_group_id(0) * UPSWEEP_TEAMS + UPSWEEP_TEAM_NUMBER;
    if (unit >= (tile_count + per_team - 1) / per_team + segments / UPSWEEP_SEGMENT_CHUNK) return;
    offsets += offsets_begin;
    starts += starts_begin;
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_team_work work = upsweep_work_of_team(unit, per_team, tile_count, offsets, n, starts);
    upsweep_index k = work.tile;
    if (k >= tiles) return;
    upsweep_segment_tile tile = upsweep_segment_tile_at(k, n);
    upsweep_value rows[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    upsweep_load_tile(in, tile, member, rows);
    upsweep_index first = starts[k]; // segments that begin before tile k, k + 1 and k + 2
    upsweep_index second = starts[k + 1];
    upsweep_index third = starts[min(k + 2, tiles)];
    upsweep_team_segments own = {work.chunk, UPSWEEP_SEGMENT_CHUNK, 0, 0};
    if (work.has_tiles) own = upsweep_segments_of_tile(first, second);
    upsweep_bounds bounds;
    upsweep_load_bounds(offsets, own, member, &bounds);
    upsweep_offset end = upsweep_offset_at(offsets, first); // of the segment before `first`
    for (;;) {
        upsweep_put_tile(blocks, in, tile, member, rows);
        UPSWEEP_SUM_TILE(blocks, member);
        upsweep_team_segments next = {0, 0, 0, 0};
        const upsweep_segment_tile next_tile = upsweep_segment_tile_at(min(k + 1, work.last), n);
        if (k < work.last) next = upsweep_segments_of_tile(second, third);
        if (k < work.last) upsweep_load_tile(in, next_tile, member, rows);
        const upsweep_offset next_end = upsweep_offset_at(offsets, second);
        const upsweep_index fourth = starts[min(k + 3, tiles)];
        upsweep_reduce_own(blocks, tile, member, offsets, own, next, &bounds, has_init, UPSWEEP_INIT(UPSWEEP_GIVEN),
                           UPSWEEP_OUTPUT(out_offset), UPSWEEP_FIRST_PARTS(sums, tile_count) + k);
        if (!work.has_tiles) return;
        if (member == 0) UPSWEEP_TILE_SUMS(sums, tile_count)[k] = UPSWEEP_TILE_SUM(blocks);
        upsweep_keep_last_blocks(blocks, member, first > 0 ? upsweep_place_in_tile(tile, end) : 0,
                                 UPSWEEP_LAST_BLOCKS(sums, tile_count) + k * UPSWEEP_TILE_BITS);
        if (k++ == work.last) return;
        UPSWEEP_SYNC_TEAM;
        tile = next_tile;
        own = next;
        first = second;
        second = third;
        third = fourth;
        end = next_end;
    }
}

// Sums of blocks of UPSWEEP_TEAM_TILE tiles, or, of the next levels, of groups of `stride` tiles.
UPSWEEP_KERNEL upsweep_sum_blocks_of_tiles(ulong tiles, ulong stride, __global upsweep_value* sums)
{
    __local upsweep_value memory[UPSWEEP_TEAMS][UPSWEEP_TREE_SLOTS];
    const uint member = UPSWEEP_MEMBER;
    const ulong first = ((ulong)get_group_id(0) * UPSWEEP_TEAMS + UPSWEEP_TEAM_NUMBER) * UPSWEEP_TEAM_TILE;
    if (first * stride >= tiles) return;
    __local upsweep_value* blocks = memory[UPSWEEP_TEAM_NUMBER];
    const ulong last = (tiles - 1) / stride;
    upsweep_value rows[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) rows[i] =
        UPSWEEP_TILE_SUMS(sums, tiles)[min(first + i * UPSWEEP_TEAM + member, last) * stride];
    upsweep_put_rows(blocks + UPSWEEP_ELEMENT_SLOT(member), rows);
    upsweep_sum_blocks(blocks, member);
    for (uint i = member; i < UPSWEEP_TEAM_TILE; i += UPSWEEP_TEAM) {
        const ulong k = (first + i) * stride;
        if (i == 0) UPSWEEP_TILE_SUMS(sums, tiles)[k] = blocks[UPSWEEP_LEFT_SLOT(UPSWEEP_TEAM_TILE)];
        if (i == 0 || k > tiles) continue;
        UPSWEEP_BLOCK_ENDS(sums, tiles)[k] = blocks[UPSWEEP_LEFT_SLOT(i)];
        UPSWEEP_BLOCK_BEGINS(sums, tiles)[k] = blocks[UPSWEEP_RIGHT_SLOT(i)];
    }
}

// Appends tiles from k > 0 up to `end`.
UPSWEEP_OUTLINE
upsweep_value upsweep_append_tiles(__global const upsweep_value* sums, ulong tiles, upsweep_value sum, upsweep_index k,
                                   upsweep_index end)
{
    if (k >= end) return sum;
    const upsweep_index middle = upsweep_middle_of(k, end);
    for (; k < middle; k = UPSWEEP_END_OF_RIGHT(k)) sum = upsweep_combine(sum, UPSWEEP_BLOCK_BEGINS(sums, tiles)[k]);
    while (k < end) {
        k = UPSWEEP_END_OF_LEFT(k, end);
        sum = upsweep_combine(sum, UPSWEEP_BLOCK_ENDS(sums, tiles)[k]);
    }
    return sum;
}

// Appends the last `size` elements of a segment, that begin with a tile.
UPSWEEP_OUTLINE
upsweep_value upsweep_append_last_blocks(__global const upsweep_value* sums, upsweep_value sum, uint size)
{
#ifdef UPSWEEP_SUBTRACT
    if (size > 0) sum = upsweep_combine(sum, sums[0]);
#else
    for (uint bit = UPSWEEP_TILE_BITS; bit-- > 0;)
        if (size >> bit & 1u) sum = upsweep_combine(sum, sums[bit]);
#endif
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
