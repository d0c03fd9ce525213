// SPDX-License-Identifier: MIT
// The store hook for packs (see store.cl for the one for elements):
//
//   UPSWEEP_OUTPUT_IS_ALIGNED(out)               whether packs of `out` can be stored whole
//   UPSWEEP_STORES_PACKS                         1: the next one exists; 0: packs are stored element by element
//   upsweep_store_whole_pack(out, begin, pack)   stores the pack that begins at element `begin`
#ifndef UPSWEEP_TILE_STORE_PACKS
#define UPSWEEP_TILE_STORE_PACKS
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif
#include "tile/packs.cl"

#ifdef UPSWEEP_OUTPUT_IS_ARRAY
#define UPSWEEP_OUTPUT_IS_ALIGNED(out) UPSWEEP_IS_ALIGNED(out)
#define UPSWEEP_STORES_PACKS UPSWEEP_WIDE_OUT
#else
#define UPSWEEP_OUTPUT_IS_ALIGNED(out) 1
#define UPSWEEP_STORES_PACKS 0
#endif

#if UPSWEEP_STORES_PACKS
void upsweep_store_whole_pack(upsweep_output out, uint begin, upsweep_out_pack pack)
{
#if UPSWEEP_PTX
    __asm__ volatile("st.global.cs.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(pack.wide.x), "r"(pack.wide.y),
                     "r"(pack.wide.z), "r"(pack.wide.w), "l"(out + begin)
                     : "memory");
#else
    vstore4(pack.wide, 0, (__global uint*)(out + begin));
#endif
}
#endif

#endif
