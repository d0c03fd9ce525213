// SPDX-License-Identifier: MIT
// How a sub-group finds the prefix of its work-group's tile; find_past_silent.cl has the fallback for tiles that stay
// silent. A tile is made of blocks (tile_blocks.cl, run_blocks.cl):
//
//   UPSWEEP_RUN      neighbouring elements that a lane combines by itself
//   UPSWEEP_BLOCK    elements of a block: one run per lane
//   UPSWEEP_BLOCKS   blocks of each sub-group
#ifndef UPSWEEP_FIND_PREFIX
#define UPSWEEP_FIND_PREFIX
#include "single_pass/scan_call.cl"
#include "sub_group_prefix/look_back_lanes.cl"
#ifndef UPSWEEP_HAS_BLOCKS
#include "sub_group/tile_blocks.cl"
#endif

// Publishes the sum of a full tile.
void upsweep_publish_own(upsweep_call call, uint again, upsweep_value total)
{
    if (upsweep_lane() != 0) return;
    if (!again) {
        UPSWEEP_SILENCE(call.tile, call.state)
    }
    upsweep_publish(upsweep_entry(call.state, call.tiles, 0, call.tile), call.epoch, total);
}

// Publishes the tile's sum and finds its prefix and that of the next tile, by the first sub-group. Returns 0 if a tile is
// silent: then upsweep_find_past_silent finds them. `again`: the tile was here before.
UPSWEEP_SELDOM
uint upsweep_find_prefix(upsweep_call call, uint again, uint is_full, upsweep_value total, upsweep_value* prefix,
                         upsweep_value* end)
{
    if (is_full) upsweep_publish_own(call, again, total);
    uint has_prefix = call.flags & UPSWEEP_HAS_INIT;
    *prefix = call.init;
    *end = call.init;
    const uint wants_end = is_full && !call.exclusive;
    const uint is_found = upsweep_look_back(call.state, call.tiles, call.epoch, call.polls, call.tile, is_full,
                                            wants_end, total, &has_prefix, prefix, end);
    // Whoever reads a result in the place of an element sees that the tile's sum is published.
    if (upsweep_lane() == 0 && (call.flags & UPSWEEP_IN_PLACE)) UPSWEEP_DEVICE_FENCE()
    return is_found;
}

#endif
