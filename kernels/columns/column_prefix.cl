// SPDX-License-Identifier: MIT
// How a work-group finds the prefixes of its tile of columns. The prefix of tile t is made of one block (column_blocks.cl)
// for each bit of t that is set, largest first: the canonical order (tile/tree.cl). Tiles wait for no prefix, only for sums,
// and a block of 4^k tiles waits for k sums one after another.
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

// The prefix of a column of a tile, and what the prefix of the next tile begins with.
typedef struct {
    uint has_prefix;
    uint has_before;
    upsweep_value prefix;
    upsweep_value before; // the prefix of the largest block that ends with the tile
} upsweep_column_prefix;

// From the prefix of a run, which the team's sums hold, to those of its `count` elements. next: the prefix of the next tile.
void upsweep_sweep_run_down(upsweep_team t, uint count, uint exclusive, uint has_prefix, upsweep_value next,
                            upsweep_value* run)
{
    if (count == 0) return;
    if (t.run + 1 < 1u << t.team_bits) next = t.sums[t.strip];
    upsweep_sweep_down(run, UPSWEEP_ITEMS, upsweep_down_entries(UPSWEEP_ITEMS, count, exclusive), has_prefix || t.run > 0,
                       t.sums[0]);
    if (!exclusive) upsweep_shift(run, UPSWEEP_ITEMS, next);
}

// Finds the blocks that make up the prefixes of a tile's columns: the work-items of a column wait for a level each. blocks:
// of each bit of a tile, one for each column. begun: what the work-item read first.
void upsweep_find_blocks(const upsweep_column_call* d, uint tile, upsweep_team t, upsweep_column_level begun,
                         __local upsweep_value* blocks, upsweep_silent_block* silent)
{
    const uint levels = t.is_real && tile != 0 ? (31 - (uint)clz(tile)) / UPSWEEP_LEVEL_BITS + 1 : 0;
    for (uint level = t.run; level < levels && !silent->is_real; level += 1u << t.team_bits) {
        if (level != t.run) begun = upsweep_begin_level(d, tile, level, tile >> level * UPSWEEP_LEVEL_BITS);
        upsweep_await_level(d, tile, level, &begun, silent);
        UPSWEEP_UNROLL for (uint bit = 0; bit < UPSWEEP_LEVEL_BITS; ++bit)
            if (begun.wanted >> bit & 1)
                blocks[(level * UPSWEEP_LEVEL_BITS + bit) * t.strip] = upsweep_sum_of_bit(&begun, bit);
    }
}

// The prefix of a column from its blocks. level: log2 of the tiles of the largest block that ends with the tile.
upsweep_column_prefix upsweep_prefix_of_blocks(uint tile, uint strip, uint level, const __local upsweep_value* blocks,
                                               uint has_init, upsweep_value init)
{
    upsweep_column_prefix found = {has_init, has_init, init, init};
    for (uint bits = tile; bits != 0;) {
        const uint bit = 31 - (uint)clz(bits);
        upsweep_append(&found.has_prefix, &found.prefix, blocks[bit * strip]);
        if (bit > level) {
            found.has_before = 1;
            found.before = found.prefix;
        }
        bits ^= 1u << bit;
    }
    return found;
}

#endif
