// SPDX-License-Identifier: MIT
// Loading a pack element by element.
#ifndef UPSWEEP_LANE_PACKS
#define UPSWEEP_LANE_PACKS
#include "tile/load_packs.cl"
#include "tile/tree.cl"
#if !defined(UPSWEEP_RUN_PACKS) || (UPSWEEP_RUN_PACKS & (UPSWEEP_RUN_PACKS - 1)) != 0 || UPSWEEP_RUN_PACKS > 8
#error "UPSWEEP_RUN_PACKS must be 1, 2, 4 or 8"
#endif

// The pack that begins at element `begin`, whose elements from `valid` on are not real.
upsweep_pack upsweep_load_pack(upsweep_input in, uint begin, uint valid)
{
    upsweep_pack pack;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i)
#if UPSWEEP_PTX
        if (begin + i < valid) pack.elements[i] = UPSWEEP_LOAD(in, begin + i);
#else
        // What is missing is filled with the last element: Intel's CPU runtime makes loads that a condition forbids.
        pack.elements[i] = UPSWEEP_LOAD(in, min(begin + i, valid - 1));
#endif
    return pack;
}

#endif
