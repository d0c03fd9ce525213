// SPDX-License-Identifier: MIT
// How a sub-group loads the elements of a reduction: a round at once, rows of packs, each of one pack per lane.
//
//   UPSWEEP_PACK              elements per pack
//   UPSWEEP_RUN_PACKS         packs of a round that each lane loads: 1, 2, 4 or 8
//   UPSWEEP_COSTLY_OPERATOR   1: the operator is to have few copies
#ifndef UPSWEEP_LOAD_ROUNDS
#define UPSWEEP_LOAD_ROUNDS
#include "sub_group/lanes_tree.cl"
#include "tile/load_packs.cl"

#if !defined(UPSWEEP_COSTLY_OPERATOR)
#error "UPSWEEP_COSTLY_OPERATOR must be 1 if the operator is to have few copies, else 0"
#endif
#define UPSWEEP_ROW (UPSWEEP_LANES * UPSWEEP_PACK)
#define UPSWEEP_ROUND (UPSWEEP_ROW * UPSWEEP_RUN_PACKS)

// The pack that begins at element `begin`, whose elements from `valid` on are not real.
upsweep_pack upsweep_load_pack(upsweep_input in, uint begin, uint valid)
{
    upsweep_pack pack;
#if UPSWEEP_PTX
    const upsweep_input here = UPSWEEP_INPUT_AT(in, begin); // elements of one pointer
#endif
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i)
#if UPSWEEP_PTX
        if (begin + i < valid) pack.elements[i] = UPSWEEP_LOAD(here, i);
#else
        // What is missing is filled with the last element: Intel's CPU runtime makes loads that a condition forbids.
        pack.elements[i] = UPSWEEP_LOAD(in, min(begin + i, valid - 1));
#endif
    return pack;
}

// This lane's pack, whose elements from `valid` on are not real, as values.
void upsweep_load_run(upsweep_input from, uint begin, uint valid, upsweep_value* run)
{
    const upsweep_pack pack = upsweep_load_pack(from, begin, valid);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i) run[i] = pack.elements[i];
}

#if UPSWEEP_LOADS_PACKS
// The value of `words` in the lane of that number.
uint4 upsweep_words_from_lane(uint4 words, uint number)
{
    uint4 moved;
    moved.x = upsweep_word_from_lane(words.x, number);
    moved.y = upsweep_word_from_lane(words.y, number);
    moved.z = upsweep_word_from_lane(words.z, number);
    moved.w = upsweep_word_from_lane(words.w, number);
    return moved;
}

// The packs of a full round that is not aligned. Each lane loads the 16 bytes at a multiple of 16 in which its packs begin;
// where they end the next lane has loaded, or the first lane in the next row.
void upsweep_load_shifted_packs(upsweep_input round, upsweep_pack* packs)
{
    const uint shift = UPSWEEP_LINE_SHIFT(round);
    upsweep_pack lines[UPSWEEP_RUN_PACKS + 1];
#pragma unroll
    for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row)
        lines[row] = upsweep_load_line(round, row * UPSWEEP_ROW + upsweep_lane() * UPSWEEP_PACK);
    lines[UPSWEEP_RUN_PACKS] = lines[0];
    if (upsweep_lane() == 0) lines[UPSWEEP_RUN_PACKS] = upsweep_load_line(round, UPSWEEP_ROUND);
#pragma unroll
    for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row) {
        const uint4 given = upsweep_lane() == 0 ? lines[row + 1].wide : lines[row].wide;
        const uint4 next = upsweep_words_from_lane(given, (upsweep_lane() + 1) % UPSWEEP_LANES);
        packs[row].wide =
            upsweep_shifted_pack(lines[row].wide, next, shift, UPSWEEP_BEGINS_AT_WORDS(UPSWEEP_ELEMENT_SIZE));
    }
}
#endif

// NVIDIA's compiler may use the registers of the first packs again for the last ones, and so wait for the first before it
// loads the last. Here something of each pack becomes part of all, though it is 0, which the compiler does not know. H200,
// 2^25 int32 and float, us, with and without: 34.9, 35.1 and 36.0, 36.2.
#if UPSWEEP_PTX && UPSWEEP_LOADS_PACKS && UPSWEEP_RUN_PACKS > 4 && !UPSWEEP_COSTLY_OPERATOR
void upsweep_await_packs(upsweep_pack* packs)
{
    uint any = packs[0].wide.x;
#pragma unroll
    for (uint row = 1; row < UPSWEEP_RUN_PACKS; ++row) any |= packs[row].wide.x;
    uint nothing = 0;
    UPSWEEP_OF_LANE(nothing)
    __asm__ volatile("and.b32 %0, %0, %1;" : "+r"(nothing) : "r"(any));
#pragma unroll
    for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row) packs[row].wide.x |= nothing;
}
#else
#define upsweep_await_packs(packs)
#endif

// The packs of a full round of the input, which is not written during the launch.
void upsweep_load_packs(upsweep_input round, uint whole, upsweep_pack* packs)
{
#if UPSWEEP_LOADS_PACKS
    if (!whole) {
        upsweep_load_shifted_packs(round, packs);
        return;
    }
#endif
#pragma unroll
    for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row) {
        const uint begin = row * UPSWEEP_ROW + upsweep_lane() * UPSWEEP_PACK;
#if UPSWEEP_LOADS_PACKS
        packs[row] = upsweep_load_constant_pack(round, begin);
#elif UPSWEEP_LOADS_LARGE
        packs[row] = whole ? upsweep_load_large(round, begin) : upsweep_load_pack(round, begin, begin + UPSWEEP_PACK);
#elif UPSWEEP_LOADS_WORDS
        packs[row] = upsweep_load_words(round, begin);
#else
        packs[row] = upsweep_load_pack(round, begin, begin + UPSWEEP_PACK);
#endif
    }
    upsweep_await_packs(packs);
}

#endif
