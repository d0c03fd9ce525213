// SPDX-License-Identifier: MIT
// How a work-group finds the prefixes of its tile of columns. The prefix of tile t is made of one block (column_blocks.cl)
// for each bit of t that is set, largest first: the canonical order (tile/tree.cl). Tiles wait for no prefix, only for sums,
// and a block of 2^k tiles waits for k sums one after another.
//
// Barriers stand in no loop that changes what a work-item keeps: PoCL 3.1 takes the first work-item through such a loop with
// values that are not its own.
#ifndef UPSWEEP_COLUMN_PREFIX
#define UPSWEEP_COLUMN_PREFIX
#include "columns/column_blocks.cl"

// The sums of a work-item's column in its tile: those of its runs, then their blocks', then their prefixes.
typedef struct {
    __local upsweep_value* sums; // its own; the run above has sums[-strip]
    uint strip;
    uint team_bits;
    uint run;      // number in the tile
    uint complete; // runs of full size
    uint is_real;  // there is such a column
} upsweep_team;

void upsweep_sweep_team_up(upsweep_team t)
{
    for (uint bit = 0; bit < t.team_bits; ++bit) {
        const uint half_size = 1u << bit;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t.is_real && t.run < t.complete && (t.run & (2 * half_size - 1)) == 2 * half_size - 1)
            t.sums[0] = upsweep_combine(*(t.sums - half_size * t.strip), t.sums[0]);
    }
}

// The first `used` runs receive their prefixes.
void upsweep_sweep_team_down(upsweep_team t, uint used, uint has_prefix)
{
    for (uint bit = t.team_bits; bit > 0; --bit) {
        const uint half_size = 1u << (bit - 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!t.is_real || (t.run & (2 * half_size - 1)) != 2 * half_size - 1) continue;
        __local upsweep_value* left = t.sums - half_size * t.strip;
        const upsweep_value prefix = t.sums[0];
        if (t.run - half_size + 1 < used) {
            if (t.run == 2 * half_size - 1 && !has_prefix)
                t.sums[0] = *left;
            else
                t.sums[0] = upsweep_combine(prefix, *left);
        }
        *left = prefix;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The bits of `tile` but for the `count` highest that are set. All work-items go through as many rounds.
uint upsweep_bits_from(uint tile, uint count)
{
    const uint all = (uint)popcount(tile);
    uint bits = tile;
    for (uint i = 0; i < all; ++i) bits = i < count ? bits & ~(1u << (31 - (uint)clz(bits))) : bits;
    return bits;
}

// A block of the tiles before one, for one column.
typedef struct {
    uint is_real;
    uint level;
    uint number;
    ulong read[UPSWEEP_STATE_WORDS];
} upsweep_column_block;

// Number `count` of the blocks before a tile, largest first. What is published of it is read, but not waited for.
upsweep_column_block upsweep_begin_block(const upsweep_column_call* d, uint tile, uint count, uint is_real)
{
    const uint bits = upsweep_bits_from(tile, count);
    upsweep_column_block block;
    block.is_real = is_real && bits != 0;
    block.level = bits != 0 ? 31 - (uint)clz(bits) : 0;
    block.number = (tile >> block.level) - (bits != 0);
    upsweep_read_words(upsweep_block_words(d, block.level, block.number), block.is_real, block.read);
    return block;
}

// The prefix of a column of a tile, and what the prefix of the next tile begins with.
typedef struct {
    uint has_prefix;
    uint has_before;
    upsweep_value prefix;
    upsweep_value before; // the prefix of the largest block that ends with the tile
} upsweep_column_prefix;

// Appends the blocks of `bits`, as many as a column has work-items.
void upsweep_append_blocks(const __local upsweep_value* blocks, upsweep_team t, uint bits, uint level,
                           upsweep_column_prefix* found)
{
    for (uint i = 0; i >> t.team_bits == 0 && bits != 0; ++i) {
        const uint bit = 31 - (uint)clz(bits);
        upsweep_append(&found->has_prefix, &found->prefix, blocks[i * t.strip]);
        if (bit > level) {
            found->has_before = 1;
            found->before = found->prefix;
        }
        bits ^= 1u << bit;
    }
}

// Waits for a block and hands its sum to the work-item of the column's last run.
void upsweep_end_block(const upsweep_column_call* d, upsweep_column_block block, __local upsweep_value* shared)
{
    if (!block.is_real) return;
    upsweep_value sum;
    if (!upsweep_is_complete(block.read, d->epoch, &sum)) sum = upsweep_await_block(d, block.level, block.number);
    *shared = sum;
}

// Finds the prefixes of a tile's columns: the work-items of a column wait for a block each, in rounds, and that of the last
// run combines them. `level`: log2 of the tiles of the largest block that ends with the tile.
void upsweep_find_column_prefix(const upsweep_column_call* d, uint tile, upsweep_team t, uint level,
                                upsweep_column_block begun, __local upsweep_value* shared, upsweep_column_prefix* found)
{
    const uint is_last = t.is_real && t.run + 1 == 1u << t.team_bits;
    const __local upsweep_value* blocks = shared - t.run * t.strip;
    upsweep_end_block(d, begun, shared);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_last) upsweep_append_blocks(blocks, t, tile, level, found);
    for (uint first = 1u << t.team_bits; first < (uint)popcount(tile); first += 1u << t.team_bits) {
        barrier(CLK_LOCAL_MEM_FENCE);
        upsweep_end_block(d, upsweep_begin_block(d, tile, first + t.run, t.is_real), shared);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_last) upsweep_append_blocks(blocks, t, upsweep_bits_from(tile, first), level, found);
    }
}

#endif
