// SPDX-License-Identifier: MIT
// The store hook for packs (see store.cl for the one for elements):
//
//   UPSWEEP_OUTPUT_IS_ALIGNED(out)               whether packs of `out` can be stored whole
//   UPSWEEP_STORES_PACKS                         1: the next one exists; 0: packs are stored element by element
//   upsweep_store_whole_pack(out, begin, pack)   stores the pack that begins at element `begin`
//   UPSWEEP_STORES_LINES                         1: the next two exist: packs go by lines where they are not aligned
//   upsweep_store_line(out, index, line)         stores line `index`, counted from that which holds the first byte
//   upsweep_store_byte(out, index, value)        stores byte `index` of what begins at `out`
//   UPSWEEP_STORES_GRANULES                      1: the next three exist: packs go by granules where they are not aligned
//   UPSWEEP_OUTPUT_HAS_GRANULES(out)             whether that holds for the pointer of `out`
//   UPSWEEP_OUTPUT_SHIFT(out)                    bytes from the first granule's beginning to that of `out`; from the first
//                                                line's, with UPSWEEP_STORES_LINES
//   upsweep_store_granule(out, index, granule)   stores granule `index`, counted from that which holds the first byte
//   upsweep_store_bytes(out, index, granule, begin, end)   its bytes begin to end - 1 only
#ifndef UPSWEEP_TILE_STORE_PACKS
#define UPSWEEP_TILE_STORE_PACKS
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif
#include "tile/packs.cl"

#ifdef UPSWEEP_OUTPUT_IS_ARRAY
#define UPSWEEP_OUTPUT_IS_ALIGNED(out) UPSWEEP_IS_ALIGNED(out)
#define UPSWEEP_STORES_PACKS UPSWEEP_WIDE_OUT
#define UPSWEEP_STORES_LINES UPSWEEP_OUT_LINES
#define UPSWEEP_STORES_GRANULES UPSWEEP_HAS_OUT_GRANULES
#define UPSWEEP_OUTPUT_HAS_GRANULES(out) UPSWEEP_HAS_GRANULES(out, UPSWEEP_VALUE_SIZE)
#if UPSWEEP_STORES_LINES
#define UPSWEEP_OUTPUT_SHIFT(out) UPSWEEP_SHIFT_IN_LINE(out)
#else
#define UPSWEEP_OUTPUT_SHIFT(out) UPSWEEP_SHIFT_OF(out, UPSWEEP_VALUE_SIZE)
#endif
#else
#define UPSWEEP_OUTPUT_IS_ALIGNED(out) 1
#define UPSWEEP_STORES_PACKS 0
#define UPSWEEP_STORES_LINES 0
#define UPSWEEP_STORES_GRANULES 0
#define UPSWEEP_OUTPUT_HAS_GRANULES(out) 1
#define UPSWEEP_OUTPUT_SHIFT(out) 0u
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

#if UPSWEEP_STORES_LINES
void upsweep_store_line(upsweep_output out, uint index, upsweep_out_pack line)
{
    upsweep_store_whole_pack(out - UPSWEEP_OUTPUT_SHIFT(out) / UPSWEEP_VALUE_SIZE, index * UPSWEEP_PACK, line);
}

void upsweep_store_byte(upsweep_output out, uint index, uchar value)
{
    ((__global uchar*)out)[index] = value;
}
#endif

#if UPSWEEP_STORES_GRANULES
void upsweep_store_granule(upsweep_output out, uint index, upsweep_out_granule granule)
{
    __global upsweep_out_granule* to =
        (__global upsweep_out_granule*)((__global char*)out - UPSWEEP_OUTPUT_SHIFT(out)) + index;
#if UPSWEEP_PTX && UPSWEEP_OUT_GRANULE == 16
    __asm__ volatile("st.global.cs.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(granule.x), "r"(granule.y), "r"(granule.z),
                     "r"(granule.w), "l"(to)
                     : "memory");
#elif UPSWEEP_PTX && UPSWEEP_OUT_GRANULE == 8
    __asm__ volatile("st.global.cs.v2.u32 [%2], {%0, %1};" ::"r"(granule.x), "r"(granule.y), "l"(to) : "memory");
#elif UPSWEEP_PTX
    __asm__ volatile("st.global.cs.u32 [%1], %0;" ::"r"(granule), "l"(to) : "memory");
#else
    *to = granule;
#endif
}

#if UPSWEEP_VALUE_SIZE % 4 != 0
void upsweep_store_bytes(upsweep_output out, uint index, upsweep_out_granule granule, uint begin, uint end)
{
    __global uchar* to = (__global uchar*)out - UPSWEEP_OUTPUT_SHIFT(out) + (size_t)index * 4;
    for (uint i = begin; i < end; ++i) to[i] = (uchar)(granule >> i * 8);
}
#endif
#endif

#endif
