// The sums that the work-groups of a reduction hand to the one that finishes last, in the order of the input.
#ifndef UPSWEEP_REDUCE_ENTRIES
#define UPSWEEP_REDUCE_ENTRIES
#ifndef UPSWEEP_LANES_TREE
#include "lanes_tree.cl"
#endif
#ifndef UPSWEEP_STATE
#include "state.cl"
#endif

// Entries that a single work-group keeps in local memory; see tuning.hpp.
#define UPSWEEP_LOCAL_ENTRIES 64

// Where entries are kept: in local memory when there is one work-group only.
typedef struct {
    volatile __global ulong* words;
    __local upsweep_value* values;
    uint epoch;
    uint is_local;
} upsweep_entries;

void upsweep_put_entry(upsweep_entries entries, ulong index, upsweep_value value)
{
    if (upsweep_lane() != 0) return;
    if (entries.is_local)
        entries.values[index] = value;
    else
        upsweep_publish(entries.words + index * UPSWEEP_STATE_WORDS, entries.epoch, value);
}

// All have been published, though what was written may still be on its way.
upsweep_value upsweep_get_entry(upsweep_entries entries, ulong index)
{
    if (entries.is_local) return entries.values[index];
    upsweep_value value;
    while (!upsweep_is_published(entries.words + index * UPSWEEP_STATE_WORDS, entries.epoch, &value)) {
    }
    return value;
}

// values[index] for an index that is no constant, out of registers.
upsweep_value upsweep_pick(const upsweep_value* values, uint count, uint index)
{
    upsweep_value value = values[0];
#pragma unroll
    for (uint i = 1; i < count; ++i)
        if (i == index) value = values[i];
    return value;
}

// Publishes what precedes entry `used` of an array of sums after its up-sweep: one entry per bit, largest block first.
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

// Appends `count` entries from `first` on, sums of blocks of one size, by one row of lanes.
void upsweep_append_entries(upsweep_entries entries, ulong first, uint count, upsweep_value filler, uint* has_prefix,
                            upsweep_value* prefix)
{
    upsweep_value stack[UPSWEEP_STACK];
    uint each = 1;
    while (count / each >= UPSWEEP_LANES) each *= 2;
    const uint full = count / each;
    upsweep_value sum = filler;
    if (upsweep_lane() < full) {
        const ulong begin = first + upsweep_lane() * each;
        for (uint i = 0; i < each; ++i) {
            upsweep_stack_push(stack, i, upsweep_get_entry(entries, begin + i));
        }
        uint has_sum = 0;
        upsweep_stack_append(stack, each, &has_sum, &sum);
    }
    upsweep_append_lanes(sum, full, has_prefix, prefix);
    for (uint i = full * each; i < count; ++i)
        upsweep_stack_push(stack, i - full * each, upsweep_get_entry(entries, first + i));
    upsweep_stack_append(stack, count - full * each, has_prefix, prefix);
}

#endif
