// SPDX-License-Identifier: MIT
// The load hook for rows: how the lanes of a sub-group read a row's elements, or sums in place of elements. A lane has
// UPSWEEP_ROW_PACK neighbouring elements at a time. A line is as many elements as the lanes have so, the first of them at a
// multiple of their number.
//
//   upsweep_row_value(from, i)               element i
//   upsweep_row_values(from, i)              the pack that begins with element i, wherever it lies
//   upsweep_row_is_aligned(from, i)          whether that can be loaded by one access
//   upsweep_row_gap(from, i)                 how many elements come before one of which that holds, element i among them
//   upsweep_load_row_pack(from, i)           loads such a pack
//   upsweep_await_row_packs(packs)           waits for UPSWEEP_LINES of them
//   upsweep_values_of_pack(access)           its elements
#ifndef UPSWEEP_ROW_PACKS
#define UPSWEEP_ROW_PACKS
#include "sub_group/lanes_tree.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif

// Elements that a lane loads at once: up to 16 bytes of an array.
#if !defined(UPSWEEP_INPUT_IS_ARRAY) || defined(UPSWEEP_PLACE_IN_ROW)
#define UPSWEEP_ROW_PACK_BITS 0
#elif UPSWEEP_ELEMENT_SIZE == 1 || UPSWEEP_ELEMENT_SIZE == 2 || UPSWEEP_ELEMENT_SIZE == 4
#define UPSWEEP_ROW_PACK_BITS 2
#elif UPSWEEP_ELEMENT_SIZE == 8
#define UPSWEEP_ROW_PACK_BITS 1
#else
#define UPSWEEP_ROW_PACK_BITS 0
#endif
#define UPSWEEP_ROW_PACK (1u << UPSWEEP_ROW_PACK_BITS)
#define UPSWEEP_LINE (UPSWEEP_LANES * UPSWEEP_ROW_PACK)

// Lines whose loads are under way together.
#ifdef UPSWEEP_PLACE_IN_ROW
#define UPSWEEP_LINES UPSWEEP_MOST_ROWS
#else
#define UPSWEEP_LINES UPSWEEP_RUN_PACKS
#endif
#define UPSWEEP_LINES_BITS (UPSWEEP_LINES == 8 ? 3 : UPSWEEP_LINES == 4 ? 2 : UPSWEEP_LINES / 2)

// Where elements are read: element i is UPSWEEP_LOAD(in, i), or sums[i], or local_sums[i].
typedef enum { upsweep_of_elements, upsweep_of_sums, upsweep_of_local_sums } upsweep_row_kind;
typedef struct {
    upsweep_row_kind kind; // a constant after inlining
    upsweep_input in;
    const __global upsweep_value* sums;
    const __local upsweep_value* local_sums;
} upsweep_row_source;

upsweep_value upsweep_row_value(upsweep_row_source from, upsweep_index i)
{
    if (from.kind == upsweep_of_sums) return from.sums[i];
    if (from.kind == upsweep_of_local_sums) return from.local_sums[i];
    return UPSWEEP_LOAD(from.in, i);
}

typedef struct {
    upsweep_value of[UPSWEEP_ROW_PACK];
} upsweep_row_pack;

// Elements i to i + UPSWEEP_ROW_PACK - 1.
upsweep_row_pack upsweep_row_values(upsweep_row_source from, upsweep_index i)
{
    upsweep_row_pack pack;
#pragma unroll
    for (uint e = 0; e < UPSWEEP_ROW_PACK; ++e) pack.of[e] = upsweep_row_value(from, i + e);
    return pack;
}

// Where packs can be loaded by one access.
#if UPSWEEP_PTX && UPSWEEP_ROW_PACK_BITS > 0
#define UPSWEEP_ROW_PACK_SIZE (UPSWEEP_ROW_PACK * UPSWEEP_ELEMENT_SIZE)
#if UPSWEEP_ROW_PACK_SIZE == 16
typedef uint4 upsweep_row_words;
#elif UPSWEEP_ROW_PACK_SIZE == 8
typedef uint2 upsweep_row_words;
#else
typedef uint upsweep_row_words;
#endif
typedef union {
    upsweep_row_words words;
    uint first_word;
    upsweep_element elements[UPSWEEP_ROW_PACK];
} upsweep_row_access;

// The pack at element i, which lies at a multiple of the size of a pack.
upsweep_row_access upsweep_load_row_pack(upsweep_row_source from, upsweep_index i)
{
    upsweep_row_access access;
    access.words = *(__global const upsweep_row_words*)UPSWEEP_INPUT_AT(from.in, i);
    return access;
}
upsweep_row_pack upsweep_values_of_pack(upsweep_row_access access)
{
    upsweep_row_pack pack;
#pragma unroll
    for (uint e = 0; e < UPSWEEP_ROW_PACK; ++e) pack.of[e] = access.elements[e];
    return pack;
}

// Makes the compiler load all packs before it uses one: see upsweep_await_packs (load_rounds.cl).
void upsweep_await_row_packs(upsweep_row_access* packs)
{
    uint any = packs[0].first_word;
#pragma unroll
    for (uint k = 1; k < UPSWEEP_LINES; ++k) any |= packs[k].first_word;
    uint nothing = 0;
    UPSWEEP_OF_LANE(nothing)
    __asm__ volatile("and.b32 %0, %0, %1;" : "+r"(nothing) : "r"(any));
#pragma unroll
    for (uint k = 0; k < UPSWEEP_LINES; ++k) packs[k].first_word |= nothing;
}

uint upsweep_row_gap(upsweep_row_source from, upsweep_index i)
{
    const uint size = UPSWEEP_ROW_PACK_SIZE;
    const uint behind = (uint)(size_t)UPSWEEP_INPUT_AT(from.in, i) % size;
    return (size - behind) % size / UPSWEEP_ELEMENT_SIZE;
}

// Structs of 8 bytes may lie at any multiple of 4.
uint upsweep_row_is_aligned(upsweep_row_source from, upsweep_index i)
{
    return from.kind == upsweep_of_elements && (size_t)UPSWEEP_INPUT_AT(from.in, i) % UPSWEEP_ROW_PACK_SIZE == 0;
}
#else
typedef upsweep_row_pack upsweep_row_access;
#define upsweep_load_row_pack(from, i) upsweep_row_values(from, i)
#define upsweep_values_of_pack(access) (access)
#define upsweep_await_row_packs(packs)
#define upsweep_row_gap(from, i) 0u
#define upsweep_row_is_aligned(from, i) 1
#endif

#endif
