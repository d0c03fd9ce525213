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
// Whether their order, and how elements are divided among them, changes nothing.
#define UPSWEEP_ENTRIES_IN_ANY_ORDER (UPSWEEP_EXACT && UPSWEEP_COMMUTATIVE)

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

// Reads those of `count` entries from `first` on that are in rows of one per lane, which begin `turn` entries apart; values
// beyond `count` are left as they are. All have been published, but what was written to global memory may still be on its
// way. Reads of all rows travel together.
void upsweep_get_entries_in_turn(upsweep_entries entries, ulong first, uint count, uint turn, uint rows,
                                 upsweep_value* values)
{
    if (entries.is_local) {
#pragma unroll
        for (uint i = 0; i < rows; ++i)
            if (i * turn + upsweep_lane() < count)
                values[i] = entries.values[first + i * turn + upsweep_lane()];
        return;
    }
    uint complete;
    do {
        ulong read[UPSWEEP_ENTRY_ROWS][UPSWEEP_STATE_WORDS];
#pragma unroll
        for (uint i = 0; i < rows; ++i) {
            const uint index = i * turn + upsweep_lane();
            upsweep_read_words(entries.words + (first + index) * UPSWEEP_STATE_WORDS, index < count, read[i]);
        }
        complete = 1;
#pragma unroll
        for (uint i = 0; i < rows; ++i)
            if (i * turn + upsweep_lane() < count)
                complete &= upsweep_is_complete(read[i], entries.epoch, values + i);
    } while (!complete);
}

// The same of rows that follow one another.
void upsweep_get_entries(upsweep_entries entries, ulong first, uint count, uint rows, upsweep_value* values)
{
    upsweep_get_entries_in_turn(entries, first, count, UPSWEEP_LANES, rows, values);
}

#if UPSWEEP_ENTRIES_IN_ANY_ORDER
// The sum of `count` values in local memory, 1 at least, by a sub-group.
upsweep_value upsweep_sum_values(const __local upsweep_value* values, uint count)
{
    upsweep_value sum = values[min(upsweep_lane(), count - 1)];
#pragma unroll 1
    for (uint i = UPSWEEP_LANES + upsweep_lane(); i < count; i += UPSWEEP_LANES)
        sum = UPSWEEP_COMBINE_ANY(sum, values[i]);
    return upsweep_lanes_sum_first(sum, UPSWEEP_AT_MOST(count, UPSWEEP_LANES));
}

// The sum of `count` entries, 1 at least, by a work-group, in all of its sub-groups. `sums` has room for one of each;
// `filler`: any value. H200, n - 1 elements of n, us, block by block in the canonical order, and so: 2^20, 2^22, 2^23 and
// 2^25 int32 7.3, 9.0, 11.5, 37.0 and 6.0, 8.1, 10.3, 35.4 (n elements 5.9, 7.3, 9.9, 35.4), uint8 8.0, 8.6, 9.1, 14.9 and
// 5.8, 6.3, 7.0, 13.2.
upsweep_value upsweep_sum_entries(upsweep_entries entries, uint count, __local upsweep_value* sums, upsweep_value filler)
{
    const uint begin = upsweep_sub_group() * UPSWEEP_LANES;
    upsweep_value sum = filler;
    uint has_sum = 0;
#pragma unroll 1
    for (uint first = begin; first < count; first += UPSWEEP_ENTRY_ROWS * UPSWEEP_WORK_ITEMS) {
        upsweep_value rows[UPSWEEP_ENTRY_ROWS];
        upsweep_get_entries_in_turn(entries, first, count - first, UPSWEEP_WORK_ITEMS, UPSWEEP_ENTRY_ROWS, rows);
#pragma unroll
        for (uint i = 0; i < UPSWEEP_ENTRY_ROWS; ++i)
            if (first + i * UPSWEEP_WORK_ITEMS + upsweep_lane() < count) upsweep_append(&has_sum, &sum, rows[i]);
    }
    if (begin < count) sum = upsweep_lanes_sum_first(sum, UPSWEEP_AT_MOST(count - begin, UPSWEEP_LANES));
    if (upsweep_lane() == 0) sums[upsweep_sub_group()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint filled = (count + UPSWEEP_LANES - 1) / UPSWEEP_LANES;
    return upsweep_sum_values(sums, UPSWEEP_AT_MOST(filled, UPSWEEP_SUB_GROUPS_PER_GROUP));
}
#endif

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

#if !UPSWEEP_ENTRIES_IN_ANY_ORDER
// Appends what is left of all entries, in local memory: `parts`, less than UPSWEEP_ENTRY_BLOCK, `steps` and `rows`, less
// than UPSWEEP_LANES each, sums of blocks of one size each, and `blocks` of smaller and smaller ones, less than a row. By
// one sub-group, side by side, so that few exchanges wait for others. H200, n - 1 elements of n, us, one after another and
// so: 2^20, 2^22, 2^23, 2^25 float 7.1, 9.0, 11.4, 36.6 and 6.7, 8.6, 10.7, 35.5 (n elements 5.6, 7.2, 9.7, 34.7), double
// 8.5, 14.1, 23.7, 68.9 and 7.8, 13.4, 22.6, 67.9, 2^24 of 12 bytes 58.6, 57.6, float by log(exp(a) + exp(b)) 53.1, 51.1.
UPSWEEP_SELDOM
void upsweep_append_left(const __local upsweep_value* left, uint parts, uint steps, uint rows, uint blocks,
                         uint* has_total, upsweep_value* total)
{
    upsweep_value values[UPSWEEP_MOST_ROWS];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ENTRY_ROWS; ++i) values[i] = left[i * UPSWEEP_LANES + upsweep_lane()];
    const uint full_rows = parts / UPSWEEP_LANES;
    const upsweep_value sums = upsweep_lanes_line_sums(values, UPSWEEP_ENTRY_ROWS, (1u << full_rows) - 1u);
    const uint counts[4] = {full_rows, parts % UPSWEEP_LANES, steps, rows};
    values[0] = upsweep_from_lane(sums, upsweep_lane_of_line(upsweep_lane(), UPSWEEP_ENTRY_ROWS));
    left += full_rows * UPSWEEP_LANES + upsweep_lane();
    values[1] = left[0];
    values[2] = left[counts[1]];
    values[3] = left[counts[1] + steps];
    const upsweep_value last = left[counts[1] + steps + rows];
    upsweep_append_rows(values, counts, 4, 4, has_total, total, total);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_LANE_BITS + 4; ++i) { // packs have 16 elements at most
        const upsweep_value block = upsweep_from_lane(last, i);
        if (i < blocks) upsweep_append(has_total, total, block);
    }
}
#endif

#endif
