// SPDX-License-Identifier: MIT
// What tiles of columns publish to one another while a scan of columns runs in one launch: the sums of tiles (level 0), and
// of blocks of 4, 16, 64 tiles and so on (levels 1, 2, 3), each of which begins at a multiple of its size. A block is
// published by its last tile. For one work-item, and one column.
//
// A sum that is not published after `polls` polls is computed here from the elements (R. Smith, R. Levien and J. D. Owens,
// Decoupled Fallback, 2025), so that no work-group relies on the progress of another.
//
// state (tile/state.cl): the sums of each level, one level after the other; of each block those of all columns.
#ifndef UPSWEEP_COLUMN_BLOCKS
#define UPSWEEP_COLUMN_BLOCKS
#include "columns/column_runs.cl"
#include "tile/state.cl"

typedef struct {
    upsweep_input in; // the column from its first element
    volatile __global ulong* state; // likewise
    upsweep_index pitch;
    ulong width;
    uint tiles;
    uint team_bits;
    uint epoch;
    uint polls;
} upsweep_column_call;

#define UPSWEEP_LEVEL_SIZE (1 << UPSWEEP_LEVEL_BITS)
#define UPSWEEP_LOWEST_BIT(number) (31 - (uint)clz((number) & -(number)))

// Where the sum of block `number` of a level is published. Each level has at most half the sums of the one below.
volatile __global ulong* upsweep_block_words(const upsweep_column_call* d, uint level, uint number)
{
    const ulong before = 2ul * d->tiles - (2ul * d->tiles >> level);
    return d->state + (before + number) * d->width * UPSWEEP_STATE_WORDS;
}

// Publishes the sum of a column of a silent tile, which is full, by one work-item. Element by element, because that takes
// few registers.
void upsweep_publish_silent_tile(const upsweep_column_call* d, uint tile)
{
    upsweep_value stack[UPSWEEP_PRIVATE(UPSWEEP_STACK)];
    const upsweep_index first = ((upsweep_index)tile << d->team_bits) * UPSWEEP_ITEMS;
    uint entry = 0;
    for (upsweep_index i = 0; i >> d->team_bits < UPSWEEP_ITEMS; ++i)
        entry = upsweep_stack_push(stack, i, UPSWEEP_LOAD(d->in, (first + i) * d->pitch));
    upsweep_publish_in_place_of(upsweep_block_words(d, 0, tile), d->epoch, stack[entry]);
}

// Publishes the sum of a block that stays silent, from blocks in it that are published and from the elements.
UPSWEEP_ONE_COPY UPSWEEP_OUTLINE
void upsweep_publish_silent_block(const upsweep_column_call* d, uint level, uint number)
{
    upsweep_value stack[UPSWEEP_PRIVATE(UPSWEEP_STACK)];
    const uint bits = level * UPSWEEP_LEVEL_BITS;
    const uint first = number << bits;
    for (uint done = 0; done >> bits == 0;) {
        uint below = done == 0 ? level : UPSWEEP_LOWEST_BIT(done) / UPSWEEP_LEVEL_BITS;
        uint step = below * UPSWEEP_LEVEL_BITS;
        upsweep_value sum;
        while (!upsweep_is_published(upsweep_block_words(d, below, (first + done) >> step), d->epoch, &sum)) {
            if (below == 0) upsweep_publish_silent_tile(d, first + done);
            if (below > 0) step = --below * UPSWEEP_LEVEL_BITS;
        }
        upsweep_stack_push(stack + step, done >> step, sum);
        done += 1u << step;
    }
    if (level > 0) upsweep_publish(upsweep_block_words(d, level, number), d->epoch, stack[bits]);
}

// The blocks of a level that lie before a tile in its block of the next level, 3 at most. As the bits of their number say,
// these are two and one: of both the sum is wanted, or of one.
typedef struct {
    uint wanted; // bits
    ulong read[UPSWEEP_LEVEL_SIZE - 1][UPSWEEP_STATE_WORDS];
} upsweep_column_level;

// Entries 0 and 1 are those of two, 2 is that of one.
#if !defined(UPSWEEP_LEVEL_BITS) || UPSWEEP_LEVEL_BITS != 2
#error "UPSWEEP_LEVEL_BITS must be 2: a level has entries for two bits"
#endif
#define UPSWEEP_ENTRY_BIT(i) ((i) < 2 ? 1 : 0)
#define UPSWEEP_EACH_ENTRY UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_LEVEL_SIZE - 1; ++i)

// The number of the block of an entry.
uint upsweep_block_of_entry(uint tile, uint level, uint i)
{
    const uint number = tile >> level * UPSWEEP_LEVEL_BITS;
    return i < 2 ? (number & ~3u) + i : (number & ~1u);
}

// Reads, at the same time, what is wanted.
void upsweep_read_level(const upsweep_column_call* d, uint tile, uint level, upsweep_column_level* l)
{
    UPSWEEP_EACH_ENTRY
        upsweep_read_words(upsweep_block_words(d, level, upsweep_block_of_entry(tile, level, i)),
                           l->wanted >> UPSWEEP_ENTRY_BIT(i) & 1, l->read[i]);
}

upsweep_column_level upsweep_begin_level(const upsweep_column_call* d, uint tile, uint level, uint wanted)
{
    upsweep_column_level l;
    l.wanted = wanted;
    upsweep_read_level(d, tile, level, &l);
    return l;
}

// A block whose sum a work-item did not find.
typedef struct {
    uint is_real;
    uint level;
    uint number;
} upsweep_silent_block;

// In launches of so many work-groups, on NVIDIA devices, a tile that has found something missing pauses for some 2 us before
// it looks again. H200, scans of 2^28 int32 in 100, 1000 and 4097 columns, us: 814, 670, 837 without; with pauses of 2 us,
// then 0.1 807, 639, 807; of 0.1 each time 837, 662, 834; of 1 860, 659, 826.
#define UPSWEEP_PAUSED_GROUPS 4096
void upsweep_pause_columns(uint poll)
{
#if UPSWEEP_PTX
    if (poll == 0 && get_num_groups(0) >= UPSWEEP_PAUSED_GROUPS) __asm__ volatile("nanosleep.u32 2000;" ::: "memory");
#endif
}

// Reads until all is there. What stays silent is computed; on NVIDIA devices by the caller, who has to find silent->is_real
// 0 before and begins again if it is set: there a call costs registers for what lives across it, whether it is made or not.
#define UPSWEEP_LOADS_AGAIN UPSWEEP_PTX
void upsweep_await_level(const upsweep_column_call* d, uint tile, uint level, upsweep_column_level* l,
                         upsweep_silent_block* silent)
{
    for (uint poll = 0;; ++poll) {
        uint missing = UPSWEEP_LEVEL_SIZE;
        UPSWEEP_EACH_ENTRY {
            uint is_missing = 0;
            UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_STATE_WORDS; ++k)
                is_missing |= (uint)(l->read[i][k] >> 32) != d->epoch;
            if (is_missing && l->wanted >> UPSWEEP_ENTRY_BIT(i) & 1) missing = i;
        }
        if (missing == UPSWEEP_LEVEL_SIZE) return;
        if (poll >= d->polls) {
            const uint number = upsweep_block_of_entry(tile, level, missing);
#if UPSWEEP_LOADS_AGAIN
            silent->is_real = 1;
            silent->level = level;
            silent->number = number;
            return;
#else
            upsweep_publish_silent_block(d, level, number);
#endif
        }
        upsweep_pause_columns(poll);
        upsweep_read_level(d, tile, level, l);
    }
}

upsweep_value upsweep_value_of_words(const ulong* words)
{
    upsweep_pieces cut;
    UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_STATE_WORDS; ++k) cut.pieces[k] = (uint)words[k];
    return cut.value;
}

// The sum of 2^bit blocks; `bit` is a constant after inlining.
upsweep_value upsweep_sum_of_bit(const upsweep_column_level* l, uint bit)
{
    if (bit == 0) return upsweep_value_of_words(l->read[2]);
    return upsweep_combine(upsweep_value_of_words(l->read[0]), upsweep_value_of_words(l->read[1]));
}

// Publishes the sum of a full tile and those of the blocks that end with it. For an inclusive scan *sum becomes that of the
// largest power of two of tiles that ends with this one, and its logarithm is returned.
uint upsweep_publish_blocks(const upsweep_column_call* d, uint tile, uint exclusive, upsweep_value* sum,
                            upsweep_silent_block* silent)
{
    for (uint level = 0;; ++level) {
        const uint number = tile >> level * UPSWEEP_LEVEL_BITS;
        upsweep_publish(upsweep_block_words(d, level, number), d->epoch, *sum);
        const uint ones = min(UPSWEEP_LOWEST_BIT(~number), (uint)UPSWEEP_LEVEL_BITS);
        const uint ends = ones == UPSWEEP_LEVEL_BITS;
        if (exclusive && !ends) return 0;
        upsweep_column_level l = upsweep_begin_level(d, tile, level, (1u << ones) - 1);
        upsweep_await_level(d, tile, level, &l, silent);
        if (silent->is_real) return 0;
        if (ones > 0) *sum = upsweep_combine(upsweep_sum_of_bit(&l, 0), *sum);
        if (ones > 1) *sum = upsweep_combine(upsweep_sum_of_bit(&l, 1), *sum);
        if (!ends) return level * UPSWEEP_LEVEL_BITS + ones;
    }
}

#endif
