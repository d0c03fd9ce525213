// SPDX-License-Identifier: MIT
// What a lane moves at once: a pack of UPSWEEP_PACK elements, 16 bytes where their size divides 16, else whole words of 4
// bytes, or one element (elements_per_pack in detail/tuning/tuning_table.hpp).
#ifndef UPSWEEP_PACKS
#define UPSWEEP_PACKS
#include "prelude.cl"
#if !defined(UPSWEEP_PACK)
#error "UPSWEEP_PACK must be the number of elements per pack"
#endif
#if !defined(UPSWEEP_RUN_PACKS) || (UPSWEEP_RUN_PACKS & (UPSWEEP_RUN_PACKS - 1)) != 0 || UPSWEEP_RUN_PACKS > 8
#error "UPSWEEP_RUN_PACKS must be 1, 2, 4 or 8"
#endif
#if !defined(UPSWEEP_PTX)
#error "UPSWEEP_PTX must be 0 or 1"
#endif

// UPSWEEP_ALIGNED 1: arrays that are read or written as they are begin at multiples of 16 bytes, as they mostly do. Then
// what moves others is not compiled, of which there is more than of all else that moves elements.
#ifndef UPSWEEP_ALIGNED
#define UPSWEEP_ALIGNED 0
#endif

#define UPSWEEP_WIDE_IN (UPSWEEP_PACK * UPSWEEP_ELEMENT_SIZE == 16)
#define UPSWEEP_WIDE_OUT (UPSWEEP_PACK * UPSWEEP_VALUE_SIZE == 16)

// Whether packs can be moved whole: the pointer is a multiple of 16 bytes.
#if UPSWEEP_ALIGNED
#define UPSWEEP_IS_ALIGNED(pointer) 1
#else
#define UPSWEEP_IS_ALIGNED(pointer) (((size_t)(pointer)&15) == 0)
#endif

// A line is 16 bytes at a multiple of 16. How far a pointer lies behind the beginning of its line.
#define UPSWEEP_SHIFT_IN_LINE(pointer) ((uint)((size_t)(pointer)&15))

// Packs of other pointers are moved by lines, if elements are small: what a pack lacks is in the next line. All others are
// moved in granules: 4, 8 or 16 bytes, as the size of an element allows. A pointer lies behind the beginning of its line,
// or of its granule, by its shift: 0 to 15 bytes, or, where elements are smaller than a granule, 0 to 3. H200, scans of
// 2^28, us, aligned, input, output, both one element further, by granules and by lines: uint8 160, 196, 197, 232 and 160,
// 189, 178, 204; uint16 281, 308, 322, 334 and 280, 297, 296, 308; int32 542, 574, 572, 598 and 542, 572, 576, 581; float
// 549, 582, 575, 613 and 546, 569, 571, 576; int64 1074, 1114, 1121, 1144 and 1070, 1166, 1184, 1198.
#define UPSWEEP_FITS_LINES(size) (!UPSWEEP_ALIGNED && UPSWEEP_PACK * (size) == 16 && (size) <= 4)
#define UPSWEEP_IN_LINES UPSWEEP_FITS_LINES(UPSWEEP_ELEMENT_SIZE)
#define UPSWEEP_OUT_LINES UPSWEEP_FITS_LINES(UPSWEEP_VALUE_SIZE)
#define UPSWEEP_GRANULE_OF(size) ((size) % 16 == 0 ? 16 : (size) % 8 == 0 ? 8 : 4)
#if UPSWEEP_ALIGNED
#define UPSWEEP_SHIFT_OF(pointer, size) 0u
#define UPSWEEP_HAS_GRANULES(pointer, size) 1
#else
#define UPSWEEP_SHIFT_OF(pointer, size) ((size) % 4 == 0 ? 0u : (uint)((size_t)(pointer)&3))
#define UPSWEEP_HAS_GRANULES(pointer, size) ((size) % 4 != 0 || (size_t)(pointer) % UPSWEEP_GRANULE_OF(size) == 0)
#endif
#define UPSWEEP_IN_GRANULE (UPSWEEP_IN_LINES ? 4 : UPSWEEP_GRANULE_OF(UPSWEEP_ELEMENT_SIZE))
#define UPSWEEP_OUT_GRANULE UPSWEEP_GRANULE_OF(UPSWEEP_VALUE_SIZE)
#define UPSWEEP_HAS_IN_GRANULES (UPSWEEP_PACK * UPSWEEP_ELEMENT_SIZE % 4 == 0 && !(UPSWEEP_ALIGNED && UPSWEEP_WIDE_IN))
#define UPSWEEP_HAS_OUT_GRANULES                                                                                       \
    (UPSWEEP_PACK * UPSWEEP_VALUE_SIZE % 4 == 0 && !(UPSWEEP_ALIGNED && UPSWEEP_WIDE_OUT) && !UPSWEEP_OUT_LINES)

#if UPSWEEP_IN_GRANULE == 16
typedef uint4 upsweep_in_granule;
#elif UPSWEEP_IN_GRANULE == 8
typedef uint2 upsweep_in_granule;
#else
typedef uint upsweep_in_granule;
#endif
#if UPSWEEP_OUT_GRANULE == 16
typedef uint4 upsweep_out_granule;
#elif UPSWEEP_OUT_GRANULE == 8
typedef uint2 upsweep_out_granule;
#else
typedef uint upsweep_out_granule;
#endif

// Elements that take several granules of 8 or 16 bytes: structs, whose members compilers would move one by one.
#define UPSWEEP_IS_LARGE(size) ((size) > 16 && UPSWEEP_GRANULE_OF(size) > 4)
// Packs that are made of words of 4 bytes, and of nothing larger: of structs of 3, 6 or 12 bytes, say.
#define UPSWEEP_IS_OF_WORDS(size)                                                                                      \
    (UPSWEEP_GRANULE_OF(size) == 4 && UPSWEEP_PACK * (size) % 4 == 0 && UPSWEEP_PACK * (size) != 16)

typedef union {
#if UPSWEEP_WIDE_IN
    uint4 wide;
#endif
#if UPSWEEP_IS_LARGE(UPSWEEP_ELEMENT_SIZE) || UPSWEEP_IS_OF_WORDS(UPSWEEP_ELEMENT_SIZE) ||                              \
    UPSWEEP_IN_LINES || (UPSWEEP_HAS_IN_GRANULES && UPSWEEP_ELEMENT_SIZE % 4 != 0)
    upsweep_in_granule parts[UPSWEEP_PACK * UPSWEEP_ELEMENT_SIZE / UPSWEEP_IN_GRANULE];
#endif
    upsweep_element elements[UPSWEEP_PACK];
} upsweep_pack;

typedef union {
#if UPSWEEP_WIDE_OUT
    uint4 wide;
#endif
#if UPSWEEP_IS_LARGE(UPSWEEP_VALUE_SIZE) || UPSWEEP_IS_OF_WORDS(UPSWEEP_VALUE_SIZE)
    upsweep_out_granule parts[UPSWEEP_PACK * UPSWEEP_VALUE_SIZE / UPSWEEP_OUT_GRANULE];
#endif
    upsweep_value values[UPSWEEP_PACK];
} upsweep_out_pack;

// Bytes `shift` to `shift` + 3 of the eight that two words make up, of which `low` comes first.
uint upsweep_shifted_word(uint low, uint high, uint shift)
{
#if UPSWEEP_PTX
    uint word;
    __asm__("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(word) : "r"(low), "r"(high), "r"(shift * 8));
    return word;
#else
    return (uint)(((ulong)high << 32 | low) >> shift * 8);
#endif
}

// Makes of `count` words those, 4 fewer, that begin `shift` bytes later, 0 to 15; if `by_words`, a multiple of 4. By
// selections: with branches NVIDIA's compiler may keep words in memory. H200, reductions of 2^28 int32 that begin one element
// and three further 1173 and 1571 us, so 248; scans of 2^28 float as in the figures above, with a branch for each number of
// words, 546, 584, 601 and 608.
void upsweep_drop_bytes(uint* words, uint count, uint shift, uint by_words)
{
#pragma unroll
    for (uint step = 2; step > 0; --step)
#pragma unroll
        for (uint i = 0; i + step < count; ++i) words[i] = shift & step * 4 ? words[i + step] : words[i];
    if (by_words) return;
#pragma unroll
    for (uint i = 0; i + 4 < count; ++i) words[i] = upsweep_shifted_word(words[i], words[i + 1], shift & 3);
}

// Whether arrays of such elements begin at a multiple of 4 bytes; a CPU's buffers may lie anywhere.
#define UPSWEEP_BEGINS_AT_WORDS(size) (UPSWEEP_PTX && (size) % 4 == 0)

// The 16 bytes from byte `shift` on, 1 to 15, of the 32 that `low` and `high` make up; `by_words` as above.
uint4 upsweep_shifted_pack(uint4 low, uint4 high, uint shift, uint by_words)
{
    uint words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    upsweep_drop_bytes(words, 8, shift, by_words);
    return (uint4)(words[0], words[1], words[2], words[3]);
}

#endif
