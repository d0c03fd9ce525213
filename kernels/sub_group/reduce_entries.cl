// SPDX-License-Identifier: MIT
// The sums that the work-groups of a reduction hand to the one that finishes last, in the order of the input.
#ifndef UPSWEEP_REDUCE_ENTRIES
#define UPSWEEP_REDUCE_ENTRIES
#include "sub_group/lanes_tree.cl"
#include "tile/state.cl"

#if !defined(UPSWEEP_LOCAL_ENTRIES)
#error "UPSWEEP_LOCAL_ENTRIES must be the entries that a single work-group keeps in local memory"
#endif
// Entries that a sub-group combines at once: rows of one per lane, two to the power of UPSWEEP_ENTRY_ROW_BITS, as many as
// fit into registers.
#define UPSWEEP_ENTRY_ROW_BITS (UPSWEEP_VALUE_SIZE <= 32 ? UPSWEEP_ROW_BITS : 1)
#define UPSWEEP_ENTRY_ROWS (1 << UPSWEEP_ENTRY_ROW_BITS)
#define UPSWEEP_ENTRY_BLOCK (UPSWEEP_ENTRY_ROWS * UPSWEEP_LANES)

// Where entries are kept: in local memory when there is one work-group only, and those that the last work-group has copied.
typedef struct {
    volatile __global ulong* words;
    __local upsweep_value* values;
    uint epoch;
    uint is_local;
} upsweep_entries;

// By all lanes; what the first one has is kept.
void upsweep_put_entry(upsweep_entries entries, ulong index, upsweep_value value)
{
    if (upsweep_lane() != 0) return;
    if (entries.is_local)
        entries.values[index] = value;
    else
        upsweep_publish(entries.words + index * UPSWEEP_STATE_WORDS, entries.epoch, value);
}

// Publishes what precedes entry `used` of a lane's array of sums after its up-sweep: one entry per bit, largest block first.
void upsweep_put_blocks(upsweep_entries entries, ulong* next, const upsweep_value* values, uint count, uint used,
                        uint lane)
{
#pragma unroll
    for (uint block = count / 2; block > 0; block /= 2)
        if (used & block) {
            const upsweep_value sum = upsweep_pick(values, count, upsweep_last_of_block(used, block));
            upsweep_put_entry(entries, (*next)++, upsweep_from_lane(sum, lane));
        }
}

// Reads `count` entries from `first` on, in rows of one per lane; values beyond `count` are left as they are. All have been
// published, but what was written to global memory may still be on its way. Reads of all rows travel together.
void upsweep_get_entries(upsweep_entries entries, ulong first, uint count, uint rows, upsweep_value* values)
{
    if (entries.is_local) {
#pragma unroll
        for (uint i = 0; i < rows; ++i)
            if (i * UPSWEEP_LANES + upsweep_lane() < count)
                values[i] = entries.values[first + i * UPSWEEP_LANES + upsweep_lane()];
        return;
    }
    uint complete;
    do {
        ulong read[UPSWEEP_ENTRY_ROWS][UPSWEEP_STATE_WORDS];
#pragma unroll
        for (uint i = 0; i < rows; ++i) {
            const uint index = i * UPSWEEP_LANES + upsweep_lane();
            upsweep_read_words(entries.words + (first + index) * UPSWEEP_STATE_WORDS, index < count, read[i]);
        }
        complete = 1;
#pragma unroll
        for (uint i = 0; i < rows; ++i)
            if (i * UPSWEEP_LANES + upsweep_lane() < count)
                complete &= upsweep_is_complete(read[i], entries.epoch, values + i);
    } while (!complete);
}

// Appends `count` blocks of UPSWEEP_ENTRY_BLOCK entries from `first` on, by one sub-group.
UPSWEEP_SELDOM
void upsweep_append_entry_blocks(upsweep_entries entries, ulong first, uint count, uint* has_prefix,
                                 upsweep_value* prefix)
{
    upsweep_value rows[UPSWEEP_ENTRY_ROWS];
    upsweep_value stack[UPSWEEP_STACK];
#pragma unroll 1
    for (uint i = 0; i < count; ++i) {
        upsweep_get_entries(entries, first + i * UPSWEEP_ENTRY_BLOCK, UPSWEEP_ENTRY_BLOCK, UPSWEEP_ENTRY_ROWS, rows);
        upsweep_stack_push(stack, i, upsweep_lanes_sum_rows(rows, UPSWEEP_ENTRY_ROWS));
    }
    upsweep_stack_append(stack, count, has_prefix, prefix);
}

// Appends `count` entries from `first` on, a multiple of the lanes, by one sub-group.
UPSWEEP_SELDOM
void upsweep_append_entry_rows(upsweep_entries entries, ulong first, uint count, uint* has_prefix, upsweep_value* prefix)
{
    upsweep_append_entry_blocks(entries, first, count / UPSWEEP_ENTRY_BLOCK, has_prefix, prefix);
    first += count / UPSWEEP_ENTRY_BLOCK * UPSWEEP_ENTRY_BLOCK;
    upsweep_value rows[UPSWEEP_ENTRY_ROWS];
#pragma unroll
    for (uint bit = UPSWEEP_ENTRY_ROW_BITS; bit-- > 0;)
        if (count & (UPSWEEP_LANES << bit)) {
            upsweep_get_entries(entries, first, UPSWEEP_LANES << bit, 1u << bit, rows);
            upsweep_append(has_prefix, prefix, upsweep_lanes_sum_rows(rows, 1u << bit));
            first += UPSWEEP_LANES << bit;
        }
}

// Appends `count` entries from `first` on, sums of blocks of one size, by one sub-group. `filler`: any value.
void upsweep_append_entries(upsweep_entries entries, ulong first, uint count, upsweep_value filler, uint* has_prefix,
                            upsweep_value* prefix)
{
    const uint in_rows = count & ~(UPSWEEP_LANES - 1u);
    if (in_rows > 0) upsweep_append_entry_rows(entries, first, in_rows, has_prefix, prefix);
    if (count == in_rows) return;
    upsweep_value last = filler;
    upsweep_get_entries(entries, first + in_rows, count - in_rows, 1, &last);
    upsweep_append_lanes(upsweep_as_argument(last), count - in_rows, has_prefix, prefix);
}

#endif
