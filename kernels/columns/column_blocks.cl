// SPDX-License-Identifier: MIT
// What tiles of columns publish to one another while a scan of columns runs in one launch: the sums of tiles, and of blocks
// of tiles, each a power of two of tiles that begins at a multiple of its size. A block is published by its last tile. For
// one work-item, and one column.
//
// A sum that is not published after `polls` polls is computed here from the elements (R. Smith, R. Levien and J. D. Owens,
// Decoupled Fallback, 2025), so that no work-group relies on the progress of another.
//
// state (tile/state.cl): the sums of tiles, of pairs of tiles, of fours, and so on; of each, those of all columns.
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

// Where the sum of block `number` of 2^level tiles is published. Smaller blocks are no more than
// 2 * tiles - (2 * tiles >> level).
volatile __global ulong* upsweep_block_words(const upsweep_column_call* d, uint level, uint number)
{
    const ulong before = 2ul * d->tiles - (2ul * d->tiles >> level);
    return d->state + (before + number) * d->width * UPSWEEP_STATE_WORDS;
}

// The sum of a column of a full tile, by one work-item. If that tile goes on meanwhile and overwrites what is read here, it
// has published its sum before: then that is taken.
upsweep_value upsweep_sum_silent_tile(const upsweep_column_call* d, uint tile)
{
    upsweep_value stack[UPSWEEP_PRIVATE(UPSWEEP_STACK)];
    const upsweep_index first = ((upsweep_index)tile << d->team_bits) * UPSWEEP_ITEMS;
    upsweep_push_runs(upsweep_part_of_column(d->in, d->pitch, 0, first, (upsweep_index)UPSWEEP_ITEMS << d->team_bits),
                      (upsweep_index)1 << d->team_bits, stack);
    UPSWEEP_DEVICE_FENCE()
    volatile __global ulong* words = upsweep_block_words(d, 0, tile);
    upsweep_value sum;
    if (upsweep_is_published(words, d->epoch, &sum)) return sum;
    upsweep_publish(words, d->epoch, stack[d->team_bits]);
    return stack[d->team_bits];
}

// The sum of a block that stays silent, from blocks in it that are published and from the elements.
UPSWEEP_ONE_COPY UPSWEEP_OUTLINE
upsweep_value upsweep_sum_silent_block(const upsweep_column_call* d, uint level, uint number)
{
    if (level == 0) return upsweep_sum_silent_tile(d, number);
    upsweep_value stack[UPSWEEP_PRIVATE(UPSWEEP_STACK)];
    const uint first = number << level;
    for (uint done = 0; done >> level == 0;) {
        uint step = done == 0 ? level - 1 : 31 - (uint)clz(done & -done);
        upsweep_value sum;
        while (step > 0 && !upsweep_is_published(upsweep_block_words(d, step, (first + done) >> step), d->epoch, &sum))
            --step;
        if (step == 0) sum = upsweep_sum_silent_tile(d, first + done);
        upsweep_stack_push(stack + step, done >> step, sum);
        done += 1u << step;
    }
    return stack[level];
}

// Publishes the sum of a full tile and those of the blocks that end with it. *sum becomes that of the largest, whose level
// is returned.
uint upsweep_publish_blocks(const upsweep_column_call* d, uint number, upsweep_value* sum)
{
    upsweep_publish(upsweep_block_words(d, 0, number), d->epoch, *sum);
    uint level = 0;
    for (uint poll = 0; number >> level & 1;) {
        upsweep_value left;
        if (!upsweep_is_published(upsweep_block_words(d, level, (number >> level) - 1), d->epoch, &left)) {
            if (++poll < d->polls) continue;
            left = upsweep_sum_silent_block(d, level, (number >> level) - 1);
        }
        *sum = upsweep_combine(left, *sum);
        ++level;
        upsweep_publish(upsweep_block_words(d, level, number >> level), d->epoch, *sum);
    }
    return level;
}

upsweep_value upsweep_await_block(const upsweep_column_call* d, uint level, uint number)
{
    upsweep_value sum;
    for (uint poll = 0; poll < d->polls; ++poll)
        if (upsweep_is_published(upsweep_block_words(d, level, number), d->epoch, &sum)) return sum;
    return upsweep_sum_silent_block(d, level, number);
}

#endif
