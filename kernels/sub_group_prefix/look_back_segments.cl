// SPDX-License-Identifier: MIT
// look_back_lanes.cl for segments (sub_group_tile/segment_tiles.cl). A segment that begins in the tile before drops what
// precedes that tile. Then that tile's sum has the value of the prefix, whatever the order of combination, and all else
// that is published matters for the number of segments only.
//
// H200, 2^28 int32, us, tiles of 256 x 32, without and with: scans by key 1061 and 871, of rows 811 and 677, reductions of
// segments of 1000 elements 838 and 661, by key of runs of 1000 936 and 856.
//
//   UPSWEEP_LOOKS_AT_TILE_BEFORE  whether upsweep_look_at_tile_before is asked, before all is read
//   UPSWEEP_LOOKS_AT_GROUP        whether the tiles of the group are looked at next. Not for values of less than 4 bytes:
//                                 they gain little, and structs of 3 bytes took half as long again (H100, 1189 and 1820 us)
//   UPSWEEP_LOOKS_AT_MARKS        whether upsweep_count_segments is asked, after that
//   UPSWEEP_FILLER(row, total)    what stands in the place of an entry that is not there, which in row 0 is the tile's sum
#ifndef UPSWEEP_LOOK_BACK_SEGMENTS
#define UPSWEEP_LOOK_BACK_SEGMENTS
#include "sub_group_prefix/look_rows.cl"
#ifndef UPSWEEP_SEGMENT_VALUE
#define UPSWEEP_LOOKS_AT_TILE_BEFORE 0
#define UPSWEEP_LOOKS_AT_GROUP 0
#define UPSWEEP_LOOKS_AT_MARKS 0
#else
#define UPSWEEP_LOOKS_AT_TILE_BEFORE (!UPSWEEP_COUNTS_SEGMENTS)
#define UPSWEEP_LOOKS_AT_MARKS UPSWEEP_COUNTS_SEGMENTS
#define UPSWEEP_LOOKS_AT_GROUP (UPSWEEP_LOOKS_AT_TILE_BEFORE && UPSWEEP_SEGMENT_VALUE_SIZE >= 4)
#endif

#if !UPSWEEP_LOOKS_AT_MARKS
#define UPSWEEP_FILLER(row, total) (total)
#else
#define UPSWEEP_FILLER(row, total) ((row) == 0 ? (total) : upsweep_flag(upsweep_unflag(total), 0u))

// All rows are there; entries that are not count nothing. Returns 0 if all has to be combined, and for the first tile of a
// group.
uint upsweep_count_segments(const upsweep_value* rows, uint tile, upsweep_value total, uint* has_prefix,
                            upsweep_value* prefix, upsweep_value* end)
{
    const uint tiles_before = tile % UPSWEEP_GROUP;
    if (tiles_before == 0) return 0;
    const upsweep_value before = upsweep_from_lane(rows[0], tiles_before - 1);
    if (upsweep_ballot(upsweep_has_head(before)) == 0) return 0;
    uint count = upsweep_lane() < tiles_before ? upsweep_has_head(rows[0]) : 0;
    const uint direct = upsweep_direct_rows(tile);
#pragma unroll
    for (uint row = 1; row < UPSWEEP_LOOK_ROWS; ++row)
        if (row > UPSWEEP_DIRECT_GROUPS || row <= direct) count += upsweep_has_head(rows[row]);
#pragma unroll
    for (uint distance = 1; distance < UPSWEEP_LANES; distance *= 2)
        count += upsweep_word_from_lane(count, upsweep_lane() ^ distance);
    *has_prefix = 1;
    *prefix = upsweep_flag(upsweep_unflag(before), count);
    *end = upsweep_combine(*prefix, total);
    return 1;
}
#endif

#if UPSWEEP_LOOKS_AT_TILE_BEFORE
// Waits for the tile before alone. Returns 0 if all has to be read, and if that tile is silent.
uint upsweep_look_at_tile_before(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint tile,
                                 upsweep_value total, uint* has_prefix, upsweep_value* prefix, upsweep_value* end)
{
    if (tile == 0) return 0;
    volatile __global ulong* words = upsweep_entry(state, tiles, 0, tile - 1);
    upsweep_value before = total;
    if (!upsweep_await_own(words, epoch, polls, 0, &before)) return 0;
    if (upsweep_ballot(upsweep_has_head(before)) == 0) return 0;
    *has_prefix = 1;
    *prefix = before;
    *end = upsweep_combine(before, total);
    return 1;
}
#endif

#if UPSWEEP_LOOKS_AT_GROUP
// Waits for the tiles before this one in its group, of which there is one at least: *sum receives that of tile `lane` of the
// group. Returns 0 if one is silent.
uint upsweep_wait_for_group(volatile __global ulong* state, uint tiles, uint epoch, uint polls, uint tile,
                            upsweep_value* sum)
{
    const uint before = tile % UPSWEEP_GROUP;
    const uint lane = min(upsweep_lane(), before - 1);
    volatile __global ulong* words = upsweep_entry(state, tiles, 0, tile - before + lane);
    return upsweep_await_own(words, epoch, polls, upsweep_lane() >= before, sum);
}
#endif

#endif
