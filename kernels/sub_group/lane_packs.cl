// What a lane moves at once: a pack of UPSWEEP_PACK elements, 16 bytes where their size divides 16.
#ifndef UPSWEEP_LANE_PACKS
#define UPSWEEP_LANE_PACKS
#include "tile/tree.cl"
#if !defined(UPSWEEP_PACK)
#error "UPSWEEP_PACK must be the number of elements per pack"
#endif
#if !defined(UPSWEEP_RUN_PACKS) || (UPSWEEP_RUN_PACKS & (UPSWEEP_RUN_PACKS - 1)) != 0 || UPSWEEP_RUN_PACKS > 8
#error "UPSWEEP_RUN_PACKS must be 1, 2, 4 or 8"
#endif

#define UPSWEEP_WIDE_IN (UPSWEEP_PACK * UPSWEEP_ELEMENT_SIZE == 16)
#define UPSWEEP_WIDE_OUT (UPSWEEP_PACK * UPSWEEP_VALUE_SIZE == 16)

typedef union {
#if UPSWEEP_WIDE_IN
    uint4 wide;
#endif
    upsweep_element elements[UPSWEEP_PACK];
} upsweep_pack;

typedef union {
#if UPSWEEP_WIDE_OUT
    uint4 wide;
#endif
    upsweep_value values[UPSWEEP_PACK];
} upsweep_out_pack;

// Whether packs can be moved whole: the pointer is a multiple of 16 bytes.
#define UPSWEEP_IS_ALIGNED(pointer) (((size_t)(pointer)&15) == 0)

upsweep_pack upsweep_load_pack(__global const upsweep_element* tile, uint begin, uint valid, uint whole)
{
    upsweep_pack pack;
#if UPSWEEP_WIDE_IN
    if (whole) {
#if UPSWEEP_PTX
        __asm__ volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(pack.wide.x), "=r"(pack.wide.y), "=r"(pack.wide.z), "=r"(pack.wide.w)
                         : "l"(tile + begin)
                         : "memory");
#else
        pack.wide = vload4(0, (__global const uint*)(tile + begin));
#endif
        return pack;
    }
#endif
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i)
#if UPSWEEP_PTX
        if (begin + i < valid) pack.elements[i] = tile[begin + i];
#else
        // What is missing is filled with the last element: Intel's CPU runtime makes loads that a condition forbids.
        pack.elements[i] = tile[min(begin + i, valid - 1)];
#endif
    return pack;
}

void upsweep_store_pack(__global upsweep_value* tile, uint begin, uint valid, uint whole, upsweep_out_pack pack)
{
#if UPSWEEP_WIDE_OUT
    if (whole) {
#if UPSWEEP_PTX
        __asm__ volatile("st.global.cs.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(pack.wide.x), "r"(pack.wide.y),
                         "r"(pack.wide.z), "r"(pack.wide.w), "l"(tile + begin)
                         : "memory");
#else
        vstore4(pack.wide, 0, (__global uint*)(tile + begin));
#endif
        return;
    }
#endif
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i)
        if (begin + i < valid) tile[begin + i] = pack.values[i];
}

#endif
