// SPDX-License-Identifier: MIT
// What a tile that looks back is told, and what its work-group is told of what it found.
#ifndef UPSWEEP_SCAN_CALL
#define UPSWEEP_SCAN_CALL
#include "prelude.cl"

// What a scan of one tile has to know besides its elements.
typedef struct {
    volatile __global ulong* state;
    uint tiles;
    uint epoch;
    uint tile;
    uint in_place;
    uint exclusive;
    uint has_init;
    upsweep_value init;
} upsweep_call;

// What all work-items of a tile learn.
typedef struct {
    upsweep_value prefix;
    upsweep_value end; // the prefix of the next tile, where an inclusive scan of a full tile asks for it
} upsweep_found;

#endif
