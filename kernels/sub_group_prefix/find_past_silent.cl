// SPDX-License-Identifier: MIT
// The fallback for tiles that stay silent, by one sub-group: what is missing before a tile is published, level by level, the
// sums of tiles from the input, those of groups from the level below. Then its prefix needs no waiting.
#ifndef UPSWEEP_FIND_PAST_SILENT
#define UPSWEEP_FIND_PAST_SILENT
#include "sub_group_prefix/find_prefix.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#define UPSWEEP_LARGEST_GROUP (UPSWEEP_TOP_GROUP * UPSWEEP_GROUP) // so many tiles; of these no sum is published

// Waits until each of the first `count` lanes has its entry, from `words` on. Returns the lanes that have none after so many
// polls, one bit each.
UPSWEEP_ONE_COPY
uint upsweep_await_lanes(volatile __global ulong* words, uint epoch, uint polls, uint count, upsweep_value* value)
{
    const uint lane = upsweep_lane();
    uint ready = lane >= count;
    uint missing = upsweep_ballot(!ready);
    for (uint poll = 0; missing != 0 && poll < polls; ++poll) {
        if (!ready) ready = upsweep_is_published(words + (ulong)lane * UPSWEEP_STATE_WORDS, epoch, value);
        missing = upsweep_ballot(!ready);
    }
    return missing;
}

// The sum of a full, silent tile. It may go on meanwhile and overwrite what is read here.
UPSWEEP_ONE_COPY
upsweep_value upsweep_sum_silent_tile(upsweep_input tile)
{
    upsweep_value stack[UPSWEEP_STACK];
    const uint blocks = UPSWEEP_SUB_GROUPS_PER_GROUP * UPSWEEP_BLOCKS;
#pragma unroll 1
    for (uint block = 0; block < blocks; ++block) {
        upsweep_value run[UPSWEEP_RUN];
        for (uint i = 0; i < UPSWEEP_RUN; ++i)
            run[i] = UPSWEEP_LOAD(tile, block * UPSWEEP_BLOCK + upsweep_lane() * UPSWEEP_RUN + i);
        upsweep_sweep_up(run, UPSWEEP_RUN, UPSWEEP_RUN);
        upsweep_stack_push(stack, block, upsweep_lanes_sum(run[UPSWEEP_RUN - 1]));
    }
    uint has_sum = 0;
    upsweep_value sum = stack[0];
    upsweep_stack_append(stack, blocks, &has_sum, &sum);
    return sum;
}

// Publishes entry `entry` of a level or, if a part of it is missing, that part.
void upsweep_publish_part(upsweep_call call, upsweep_input all, uint level, uint entry)
{
    upsweep_value sum = call.init;
    uint missing = 1;
#pragma unroll 1
    for (; level > 0; --level) {
        missing = upsweep_await_lanes(upsweep_entry(call.state, call.tiles, level - 1, entry * UPSWEEP_GROUP), call.epoch,
                                      1, UPSWEEP_GROUP, &sum);
        if (missing == 0) break;
        entry = entry * UPSWEEP_GROUP + (31 - clz(missing & -missing));
    }
    sum = missing == 0 ? upsweep_lanes_sum(sum)
                       : upsweep_sum_silent_tile(UPSWEEP_INPUT_AT(all, (ulong)entry * UPSWEEP_TILE));
    UPSWEEP_DEVICE_FENCE()
    upsweep_value known;
    volatile __global ulong* words = upsweep_entry(call.state, call.tiles, level, entry);
    // If it was published meanwhile, the sum computed here is dropped. All lanes look, because any of them may have read
    // what the other work-group is overwriting.
    const uint published = upsweep_ballot(upsweep_is_published(words, call.epoch, &known));
    if (upsweep_lane() == 0 && published == 0) upsweep_publish(words, call.epoch, sum);
    upsweep_sync_lanes();
}

// Publishes what is missing of the sums that the prefix of `tile` is made of.
void upsweep_publish_missing(upsweep_call call, upsweep_input all, uint tile)
{
    uint polls = call.polls;
#pragma unroll 1
    for (uint level = UPSWEEP_LOOK_LEVELS; level-- > 0;) {
        const uint end = tile >> level * UPSWEEP_GROUP_BITS;
#pragma unroll 1
        for (uint first = level < UPSWEEP_LOOK_LEVELS - 1 ? end / UPSWEEP_GROUP * UPSWEEP_GROUP : 0; first < end;
             first += UPSWEEP_GROUP) {
            upsweep_value sum = call.init;
            uint missing;
            do {
                missing = upsweep_await_lanes(upsweep_entry(call.state, call.tiles, level, first), call.epoch, polls,
                                              min(end - first, (uint)UPSWEEP_GROUP), &sum);
                if (missing == 0) continue;
                polls = 1; // after that long, what is missing elsewhere is silent, too
                upsweep_publish_part(call, all, level, first + (31 - clz(missing & -missing)));
            } while (missing != 0);
        }
    }
}

// The prefix of `tile`, where all that it is made of was published. Sums of 32 groups of 32768 tiles are combined first.
upsweep_value upsweep_combine_levels(upsweep_call call, uint tile)
{
    upsweep_value stack[UPSWEEP_STACK];
    uint has_prefix = call.flags & UPSWEEP_HAS_INIT;
    upsweep_value prefix = call.init;
    const uint largest = tile / UPSWEEP_LARGEST_GROUP;
#pragma unroll 1
    for (uint row = 0; row < largest + UPSWEEP_LOOK_LEVELS; ++row) {
        const uint level = UPSWEEP_LOOK_LEVELS - 1 - (row > largest ? row - largest : 0);
        const uint before = tile >> level * UPSWEEP_GROUP_BITS;
        const uint count = row < largest ? UPSWEEP_GROUP : before % UPSWEEP_GROUP;
        const uint first = row < largest ? row * UPSWEEP_GROUP : before - count;
        upsweep_value sum = call.init;
        while (upsweep_await_lanes(upsweep_entry(call.state, call.tiles, level, first), call.epoch, 1, count, &sum)) {
        }
        if (row < largest) {
            upsweep_stack_push(stack, row, upsweep_lanes_sum(sum));
            continue;
        }
        if (row == largest) upsweep_stack_append(stack, largest, &has_prefix, &prefix);
        upsweep_append_lanes(upsweep_as_argument(sum), count, &has_prefix, &prefix);
    }
    return prefix;
}

// Finds what upsweep_find_prefix did not find, after a call of it. `all`: the input from its beginning. (To call that
// function again in a loop took longer: NVIDIA H100, 2^28 bytes 219 us, 203 so; a loop around all that is done for a tile,
// 2^28 int32 810 and 730.)
UPSWEEP_ONE_COPY
void upsweep_find_past_silent(upsweep_call call, upsweep_input all, uint is_full, __local upsweep_found* found)
{
    const uint wants_end = is_full && !call.exclusive;
#pragma unroll 1
    for (uint next = 0; next <= is_full; ++next) { // other tiles may need the sums that end with this one
        upsweep_publish_missing(call, all, call.tile + next);
        if (next > wants_end) break; // the tile's own prefix first, then that of the next
        const upsweep_value prefix = upsweep_combine_levels(call, call.tile + next);
        if (upsweep_lane() == 0 && next) found->end.value = prefix;
        if (upsweep_lane() == 0 && !next) found->prefix.value = prefix;
    }
    if (upsweep_lane() == 0 && (call.flags & UPSWEEP_IN_PLACE)) UPSWEEP_DEVICE_FENCE()
}

// upsweep_find_prefix for all sub-groups: *found receives what the first one finds, which calls this. If a tile is silent:
// with `goes_on`, what it lacks is computed; else returns 0.
uint upsweep_find_and_share(upsweep_call call, upsweep_input all, uint again, uint goes_on, uint is_full,
                            upsweep_argument total, __local upsweep_found* found)
{
    upsweep_value prefix;
    upsweep_value end;
    const uint is_found = upsweep_find_prefix(call, again, is_full, UPSWEEP_OF_ARGUMENT(total), &prefix, &end);
    if (upsweep_lane() == 0) {
        found->prefix.value = prefix;
        found->end.value = end;
    }
    if (goes_on && !is_found) upsweep_find_past_silent(call, all, is_full, found);
    return goes_on || is_found;
}

#endif
