// SPDX-License-Identifier: MIT
// What a lane moves at once: a pack of UPSWEEP_PACK elements, 16 bytes where their size divides 16.
#ifndef UPSWEEP_PACKS
#define UPSWEEP_PACKS
#include "prelude.cl"
#if !defined(UPSWEEP_PACK)
#error "UPSWEEP_PACK must be the number of elements per pack"
#endif
#if !defined(UPSWEEP_PTX)
#error "UPSWEEP_PTX must be 0 or 1"
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

#endif
