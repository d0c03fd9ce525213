// SPDX-License-Identifier: MIT
// Which tile a work-group takes, in launches of tiles by sub-groups.
//
// On NVIDIA devices tiles are numbered as work-groups are, without a ticket. A ticket costs a round trip to memory before
// a tile can start. It is not needed for correctness, because no tile relies on another tile's start. These devices start
// work-groups in order. Other devices may not, and a tile that starts early stalls on many predecessors.
#ifndef UPSWEEP_TAKE_TILE
#define UPSWEEP_TAKE_TILE
#include "sub_group_tile/tile_prefix.cl"

// The number of the tile, of so many `tiles`. What looks back is not even compiled for a single tile: an NVIDIA H200 takes
// longer for more code, run or not.
uint upsweep_take_tile(volatile __global ulong* state, uint4 launch, uint tiles, __local upsweep_shared* shared)
{
#if UPSWEEP_PTX
    const uint number = (uint)get_group_id(0);
#else
    uint number = 0;
    if (tiles > 1) number = upsweep_take_ticket((volatile __global uint*)state, tiles, &shared->number);
#endif
    return UPSWEEP_ONE_TILE ? 0u : UPSWEEP_TILE_ORDER(number, tiles);
}

#endif
