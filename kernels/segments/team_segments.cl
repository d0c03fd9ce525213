// SPDX-License-Identifier: MIT
// The segments by offsets that begin in a team's tile, reduced from the sums of its blocks (block_sums.cl), or of its
// beginnings, where sums can be undone (tile_prefixes.cl).
#ifndef UPSWEEP_TEAM_SEGMENTS_FILE
#define UPSWEEP_TEAM_SEGMENTS_FILE
#include "segments/offsets.cl"
#include "segments/tile_prefixes.cl"
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// A tile's sums in local memory: how many there are, where a member puts its first element, what makes them of the elements,
// and which is the sum of all elements.
#ifdef UPSWEEP_SUBTRACT
#define UPSWEEP_TILE_SLOTS UPSWEEP_PREFIX_SLOTS
#define UPSWEEP_FIRST_SLOT(member) UPSWEEP_PREFIX_ELEMENT_SLOT(member)
#define UPSWEEP_SUM_TILE(sums, member) upsweep_sum_prefixes(sums, member)
#define UPSWEEP_TILE_SUM(sums) (sums)[UPSWEEP_PREFIX_SLOT(UPSWEEP_TEAM_TILE)]
#else
#define UPSWEEP_TILE_SLOTS UPSWEEP_TREE_SLOTS
#define UPSWEEP_FIRST_SLOT(member) UPSWEEP_ELEMENT_SLOT(member)
#define UPSWEEP_SUM_TILE(sums, member) upsweep_sum_blocks(sums, member)
#define UPSWEEP_TILE_SUM(sums) (sums)[UPSWEEP_LEFT_SLOT(UPSWEEP_TEAM_TILE)]
#endif

// Segments of a member whose offsets are read together, and those of a team. Where sums are differences, few instructions
// are left for each segment: then lanes exchange offsets, so that there is room for more of them.
#if defined(UPSWEEP_SUBTRACT) && defined(UPSWEEP_HAS_LANES)
#define UPSWEEP_EXCHANGE_OFFSETS
#define UPSWEEP_OFFSET_ROWS 8
#else
#define UPSWEEP_OFFSET_ROWS 4
#endif
#define UPSWEEP_OFFSET_TILE (UPSWEEP_OFFSET_ROWS * UPSWEEP_TEAM)

// A tile, as segments see it.
typedef struct {
    upsweep_index begin; // its first element
    uint limit;          // its elements, or one more than a tile has, if others follow
} upsweep_segment_tile;

upsweep_segment_tile upsweep_segment_tile_at(upsweep_index k, ulong n)
{
    upsweep_segment_tile tile;
    tile.begin = k * UPSWEEP_TEAM_TILE;
    tile.limit = UPSWEEP_AT_MOST(n - (ulong)k * UPSWEEP_TEAM_TILE, UPSWEEP_TEAM_TILE + 1);
    return tile;
}

// A tile's elements, if it has all, on their way to the members; all others are loaded where they are put.
void upsweep_load_tile(upsweep_input in, upsweep_segment_tile tile, uint member, upsweep_value* rows)
{
    if (tile.limit >= UPSWEEP_TEAM_TILE) upsweep_load_rows(UPSWEEP_INPUT_AT(in, tile.begin), member, rows);
}

void upsweep_put_tile(__local upsweep_value* blocks, upsweep_input in, upsweep_segment_tile tile, uint member,
                      const upsweep_value* rows)
{
    if (tile.limit >= UPSWEEP_TEAM_TILE)
        upsweep_put_rows(blocks + UPSWEEP_FIRST_SLOT(member), rows);
    else
        upsweep_put_some(blocks + UPSWEEP_FIRST_SLOT(member), UPSWEEP_INPUT_AT(in, tile.begin), tile.limit, member);
}

// Where in a tile an offset is: `limit` stands for all that is behind it.
uint upsweep_place_in_tile(upsweep_segment_tile tile, upsweep_offset offset)
{
    return sizeof(upsweep_offset) == 4 ? UPSWEEP_AT_MOST((upsweep_index)(uint)offset - tile.begin, tile.limit)
                                       : UPSWEEP_AT_MOST((ulong)offset - tile.begin, tile.limit);
}

// Segments that a team has still to reduce, of which all begin in one tile: `count` from `first` on, then `more` from `next`
// on. A chunk of UPSWEEP_SEGMENT_CHUNK that all begin in one tile, the first of them at a multiple of this number, is
// another team's: most of so many are empty.
typedef struct {
    upsweep_index first;
    uint count;
    upsweep_index next;
    uint more;
} upsweep_team_segments;

// Those that are left without the next `count`.
upsweep_team_segments upsweep_drop_segments(upsweep_team_segments own, uint count)
{
    own.first += count;
    own.count -= count;
    if (own.count == 0) {
        own.first = own.next;
        own.count = own.more;
        own.more = 0;
    }
    return own;
}

// Those from `first` up to `end`, which begin in one tile, but for whole chunks.
upsweep_team_segments upsweep_segments_of_tile(upsweep_index first, upsweep_index end)
{
    const upsweep_index chunk = (first + UPSWEEP_SEGMENT_CHUNK - 1) / UPSWEEP_SEGMENT_CHUNK * UPSWEEP_SEGMENT_CHUNK;
    const upsweep_index chunk_end = end / UPSWEEP_SEGMENT_CHUNK * UPSWEEP_SEGMENT_CHUNK;
    const uint has_chunks = chunk < chunk_end;
    upsweep_team_segments own;
    own.first = first;
    own.count = (uint)((has_chunks ? chunk : max(end, first)) - first);
    own.next = chunk_end;
    own.more = has_chunks ? (uint)(end - chunk_end) : 0;
    return upsweep_drop_segments(own, 0);
}

// The offsets of up to UPSWEEP_OFFSET_TILE segments, a member's of each row. Behind the last one it is loaded again: no load
// waits for a condition, and nothing waits for them before they are used.
typedef struct {
    upsweep_index first;
    uint count;
#ifdef UPSWEEP_EXCHANGE_OFFSETS
    upsweep_offset begins[UPSWEEP_OFFSET_ROWS + 1]; // and of the row behind the last, as there segments end
#else
    upsweep_offset begins[UPSWEEP_OFFSET_ROWS];
    upsweep_offset ends[UPSWEEP_OFFSET_ROWS];
#endif
} upsweep_bounds;

void upsweep_load_bounds(upsweep_offsets offsets, upsweep_team_segments own, uint member, upsweep_bounds* bounds)
{
    bounds->first = own.first;
    bounds->count = min(own.count, (uint)UPSWEEP_OFFSET_TILE);
    if (own.count == 0) return;
#ifdef UPSWEEP_EXCHANGE_OFFSETS
    UPSWEEP_UNROLL for (uint r = 0; r <= UPSWEEP_OFFSET_ROWS; ++r) bounds->begins[r] =
        upsweep_offset_at(offsets, own.first + min(r * UPSWEEP_TEAM + member, bounds->count));
#else
    UPSWEEP_UNROLL for (uint r = 0; r < UPSWEEP_OFFSET_ROWS; ++r)
    {
        const ulong i = own.first + min(r * UPSWEEP_TEAM + member, bounds->count - 1);
        bounds->begins[r] = upsweep_offset_at(offsets, i);
        bounds->ends[r] = upsweep_offset_at(offsets, i + 1);
    }
#endif
}

#ifdef UPSWEEP_SUBTRACT
// Where a member's segment of a row ends in a tile. It begins at `begin`. All members call this together.
uint upsweep_end_in_tile(upsweep_segment_tile tile, uint member, const upsweep_bounds* bounds, uint row, uint begin)
{
#ifdef UPSWEEP_EXCHANGE_OFFSETS
    const uint behind = upsweep_place_in_tile(tile, bounds->begins[row + 1]);
    return upsweep_word_from_lane(member == 0 ? behind : begin, (member + 1) % UPSWEEP_LANES);
#else
    return upsweep_place_in_tile(tile, bounds->ends[row]);
#endif
}

// Reduces segments of which the offsets were loaded. `sums` receives the part in this tile of the one that ends behind it.
// Without an initial value `init` is 0, so the sum of no elements needs no path of its own.
void upsweep_reduce_bounded(__local const upsweep_value* prefixes, upsweep_segment_tile tile, uint member,
                            upsweep_bounds bounds, uint has_init, upsweep_value init, upsweep_output out,
                            __global upsweep_value* sums)
{
    const upsweep_output results = UPSWEEP_OUTPUT_AT(out, bounds.first);
    UPSWEEP_UNROLL for (uint r = 0; r < UPSWEEP_OFFSET_ROWS; ++r)
    {
        if (r * UPSWEEP_TEAM >= bounds.count) break;
        const uint i = r * UPSWEEP_TEAM + member;
        const uint begin = upsweep_place_in_tile(tile, bounds.begins[r]);
        const uint end = upsweep_end_in_tile(tile, member, &bounds, r, begin);
        if (i >= bounds.count) continue;
        const upsweep_value before = prefixes[UPSWEEP_PREFIX_SLOT(begin)];
        const upsweep_value sum = upsweep_combine(init, UPSWEEP_SUBTRACT(prefixes[UPSWEEP_PREFIX_SLOT(end)], before));
        if (end <= UPSWEEP_TEAM_TILE)
            UPSWEEP_STORE(results, i, sum);
        else
            *sums = sum;
    }
}
#else
// What the elements from `begin` up to `end` of a tile make, of which there is one at least.
upsweep_value upsweep_sum_part(__local const upsweep_value* blocks, uint begin, uint end, uint has_init,
                               upsweep_value init)
{
    upsweep_value sum = blocks[UPSWEEP_ELEMENT_SLOT(begin)];
    if (has_init) sum = upsweep_after_init(init, sum);
    return upsweep_append_blocks(blocks, sum, begin + 1, end);
}

// Reduces segments of which the offsets were loaded. `sums` receives the part in this tile of the one that ends behind it.
void upsweep_reduce_bounded(__local const upsweep_value* blocks, upsweep_segment_tile tile, uint member,
                            upsweep_bounds bounds, uint has_init, upsweep_value init, upsweep_output out,
                            __global upsweep_value* sums)
{
    const upsweep_output results = UPSWEEP_OUTPUT_AT(out, bounds.first);
    UPSWEEP_UNROLL for (uint r = 0; r < UPSWEEP_OFFSET_ROWS; ++r)
    {
        const uint i = r * UPSWEEP_TEAM + member;
        if (i >= bounds.count) continue;
        const uint begin = upsweep_place_in_tile(tile, bounds.begins[r]);
        const uint end = upsweep_place_in_tile(tile, bounds.ends[r]);
        upsweep_value sum = init;
        if (begin < min(end, (uint)UPSWEEP_TEAM_TILE))
            sum = upsweep_sum_part(blocks, begin, min(end, (uint)UPSWEEP_TEAM_TILE), has_init, init);
        if (end <= UPSWEEP_TEAM_TILE)
            UPSWEEP_STORE(results, i, sum);
        else
            *sums = sum;
    }
}
#endif

// Reduces the segments that a team has in a tile, of which the first offsets were loaded. It leaves `bounds` with the first
// offsets of those it has in the next tile.
void upsweep_reduce_own(__local const upsweep_value* blocks, upsweep_segment_tile tile, uint member,
                        upsweep_offsets offsets, upsweep_team_segments own, upsweep_team_segments next,
                        upsweep_bounds* bounds, uint has_init, upsweep_value init, upsweep_output out,
                        __global upsweep_value* sums)
{
    uint more;
    do {
        const upsweep_bounds now = *bounds;
        own = upsweep_drop_segments(own, now.count);
        more = own.count > 0;
        upsweep_load_bounds(offsets, more ? own : next, member, bounds);
        upsweep_reduce_bounded(blocks, tile, member, now, has_init, init, out, sums);
    } while (more);
}

#endif
