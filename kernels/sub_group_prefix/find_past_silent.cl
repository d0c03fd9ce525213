// SPDX-License-Identifier: MIT
// The fallback where a tile goes on (UPSWEEP_STARTS_AGAIN in look_back_fallback.cl): what is missing before it is published,
// level by level, the sums of tiles from the input, those of groups from the level below. Then its prefix needs no waiting.
#ifndef UPSWEEP_FIND_PAST_SILENT
#define UPSWEEP_FIND_PAST_SILENT
#include "sub_group_prefix/find_prefix.cl"
#if !UPSWEEP_STARTS_AGAIN
#define UPSWEEP_LARGEST_GROUP (UPSWEEP_TOP_GROUP * UPSWEEP_GROUP) // so many tiles; of these no sum is published

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
    // See upsweep_publish_for.
    const uint published = upsweep_ballot(upsweep_is_published(words, call.epoch, &known));
    if (upsweep_lane() == 0 && published == 0) upsweep_publish(words, call.epoch, sum);
    upsweep_sync_lanes();
}

// Publishes what is missing of the sums that the prefix of `tile` is made of, by one sub-group.
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
        upsweep_append_lanes(sum, count, &has_prefix, &prefix);
    }
    return prefix;
}

// Finds what upsweep_find_prefix did not find, after a call of it. `all`: the input from its beginning. (To call that
// function again in a loop took longer: NVIDIA H100, 2^28 bytes 219 us, 203 so; a loop around all that is done for a tile,
// 2^28 int32 810 and 730.)
UPSWEEP_FALLBACK
void upsweep_find_past_silent(upsweep_call call, upsweep_input all, uint is_full, __local upsweep_found* found)
{
    const uint wants_end = is_full && !call.exclusive;
#pragma unroll 1
    for (uint next = 0; next <= is_full; ++next) { // other tiles may need the sums that end with this one
        upsweep_publish_missing(call, all, call.tile + next);
        if (next > wants_end) break; // the tile's own prefix first, then that of the next
        const upsweep_value prefix = upsweep_combine_levels(call, call.tile + next);
        if (upsweep_lane() == 0 && next) found->end = prefix;
        if (upsweep_lane() == 0 && !next) found->prefix = prefix;
    }
    if (upsweep_lane() == 0 && (call.flags & UPSWEEP_IN_PLACE)) UPSWEEP_DEVICE_FENCE()
}

#endif
#endif
