// SPDX-License-Identifier: MIT
// How one work-item finds its tile's prefix; sub_group_prefix/find_prefix.cl does the same by a sub-group.
#ifndef UPSWEEP_WAIT_FOR_PREFIX
#define UPSWEEP_WAIT_FOR_PREFIX
#include "single_pass/look_back.cl"
#include "single_pass/scan_call.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif

// The sum of the full tile at `in`, of `size` elements, by one work-item, with the bits that the tile itself publishes. The
// file that includes this one defines it.
UPSWEEP_OUTLINE upsweep_value upsweep_sum_full_tile(upsweep_input in, uint size, __local upsweep_value* memory);

// Publishes the tile's sum, `total`, if it is full, and returns its prefix. *end receives that of the next tile if
// `wants_end`. Sums of tiles that stay silent are computed from `all`, the input from its beginning, in tiles of `size`
// elements; `memory` is for that, too.
upsweep_value upsweep_wait_for_prefix(upsweep_call call, upsweep_input all, uint size, uint is_full, uint wants_end,
                                      upsweep_value total, upsweep_value* end, __local upsweep_value* memory)
{
    volatile __global ulong* sums = upsweep_level(call.state, call.tiles, 0);
    if (is_full) {
        UPSWEEP_SILENCE(call.tile, call.state)
        upsweep_publish(sums + (ulong)call.tile * UPSWEEP_STATE_WORDS, call.epoch, total);
    }
    if (call.flags & UPSWEEP_IN_PLACE) UPSWEEP_DEVICE_FENCE()
    upsweep_look look;
    uint silent;
    do {
        silent = upsweep_look_back(call.state, call.tiles, call.epoch, call.polls, call.tile, is_full, total, &look);
        if (silent != UPSWEEP_NO_TILE)
            upsweep_publish_in_place_of(
                sums + (ulong)silent * UPSWEEP_STATE_WORDS, call.epoch,
                upsweep_sum_full_tile(UPSWEEP_INPUT_AT(all, (ulong)silent * size), size, memory));
    } while (silent != UPSWEEP_NO_TILE);
    uint has_prefix = call.flags & UPSWEEP_HAS_INIT;
    upsweep_value prefix = call.init;
    upsweep_append_look(&look, call.tile, &has_prefix, &prefix);
    if (wants_end) {
        uint has_end = call.flags & UPSWEEP_HAS_INIT;
        *end = call.init;
        upsweep_add_own(&look, call.tile, total);
        upsweep_append_look(&look, call.tile + 1, &has_end, end);
    }
    return prefix;
}

#endif
