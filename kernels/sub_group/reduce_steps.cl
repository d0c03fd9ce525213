// SPDX-License-Identifier: MIT
// What a sub-group does with the elements of a reduction (reduce_lanes.cl): a step at a time.
//
//   UPSWEEP_PACK          elements per pack
//   UPSWEEP_RUN_PACKS     packs of a round that each lane loads: 1, 2, 4 or 8
//   UPSWEEP_STEP_ROUNDS   rounds of a step: 1, or for costly operators as many as make a row for each lane
#ifndef UPSWEEP_REDUCE_STEPS
#define UPSWEEP_REDUCE_STEPS
#include "sub_group/lanes_tree.cl"
#include "tile/load_packs.cl"

#define UPSWEEP_ROW (UPSWEEP_LANES * UPSWEEP_PACK)
#define UPSWEEP_ROUND (UPSWEEP_ROW * UPSWEEP_RUN_PACKS)
#if !defined(UPSWEEP_STEP_ROUNDS)
#error "UPSWEEP_STEP_ROUNDS must be given"
#endif
#if UPSWEEP_STEP_ROUNDS > 1 && (UPSWEEP_RUN_PACKS != 8 || UPSWEEP_STEP_ROUNDS != 4 || UPSWEEP_LANE_BITS != 5)
#error "a step of several rounds has 32 rows: 4 rounds of 8"
#endif
#define UPSWEEP_STEP (UPSWEEP_ROUND * UPSWEEP_STEP_ROUNDS)

// What a reduction is cut into.
typedef struct {
    upsweep_input in;
    uint whole;      // packs, or the granules of large elements, are aligned
    uint part_bits;  // log2 of a part's elements
    ulong parts;
    uint steps;      // after the parts
    uint rest;       // elements after the steps
} upsweep_division;

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
// The 16 bytes from byte `shift` on, 1 to 15, of the 32 that `low` and `high` make up.
uint4 upsweep_shifted_pack(uint4 low, uint4 high, uint shift)
{
    uint words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
    for (uint step = 2; step > 0; --step)
        if (shift & step * 4) {
#pragma unroll
            for (uint i = 0; i + step < 8; ++i) words[i] = words[i + step];
        }
#if UPSWEEP_ELEMENT_SIZE % 4 != 0 || !UPSWEEP_PTX // a CPU's buffers may lie anywhere
#pragma unroll
    for (uint i = 0; i < 4; ++i) words[i] = upsweep_shifted_word(words[i], words[i + 1], shift & 3);
#endif
    return (uint4)(words[0], words[1], words[2], words[3]);
}

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
        packs[row].wide = upsweep_shifted_pack(
            lines[row].wide, upsweep_words_from_lane(given, (upsweep_lane() + 1) % UPSWEEP_LANES), shift);
    }
}
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
#else
        packs[row] = upsweep_load_pack(round, begin, begin + UPSWEEP_PACK);
#endif
    }
}

#if UPSWEEP_STEP_ROUNDS > 1
// Of a round's rows, each lane is left with what 8 lanes have of one.
upsweep_value upsweep_give_rows(upsweep_value* rows)
{
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_ROW_BITS; ++bit) upsweep_lanes_halve_rows(rows, UPSWEEP_RUN_PACKS >> bit, bit);
    return rows[0];
}
#define UPSWEEP_SUM_ROWS(rows) upsweep_give_rows(rows)
#else
#define UPSWEEP_SUM_ROWS(rows) upsweep_lanes_sum_rows(rows, UPSWEEP_RUN_PACKS)
#endif

#if UPSWEEP_EXACT && UPSWEEP_COMMUTATIVE && UPSWEEP_STEP_ROUNDS == 1
// In any order: what each lane has loaded, and then one sum per lane.
upsweep_value upsweep_sum_loaded(const upsweep_pack* packs)
{
    upsweep_value sum = packs[0].elements[0];
#pragma unroll
    for (uint i = 1; i < UPSWEEP_RUN_PACKS * UPSWEEP_PACK; ++i)
        sum = upsweep_combine(sum, packs[i / UPSWEEP_PACK].elements[i % UPSWEEP_PACK]);
    return upsweep_lanes_sum(sum);
}
#else
upsweep_value upsweep_sum_loaded(const upsweep_pack* packs)
{
    upsweep_value sums[UPSWEEP_RUN_PACKS];
#pragma unroll
    for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row) {
        upsweep_value run[UPSWEEP_PACK];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_PACK; ++i) run[i] = packs[row].elements[i];
        upsweep_sweep_up(run, UPSWEEP_PACK, UPSWEEP_PACK);
        sums[row] = run[UPSWEEP_PACK - 1];
    }
    return UPSWEEP_SUM_ROWS(sums);
}
#endif

// The sum of a full round, by a sub-group; of several rounds, what each lane has of it. `whole` is a constant, so that no
// branch comes between the loads.
upsweep_value upsweep_sum_packs(upsweep_input step, uint whole)
{
    upsweep_pack packs[UPSWEEP_RUN_PACKS];
    upsweep_load_packs(step, whole, packs);
    return upsweep_sum_loaded(packs);
}

#if UPSWEEP_STEP_ROUNDS > 1
// The sum of a single round; in the first lane.
upsweep_value upsweep_sum_one_round(upsweep_input round)
{
    upsweep_value sum = upsweep_sum_packs(round, 0);
    sum = upsweep_lanes_join_next(sum, 3, 8);
    sum = upsweep_lanes_join_next(sum, 4, 16 + 8);
    sum = upsweep_lanes_join_next(sum, 2, 16 + 8 + 4);
    sum = upsweep_lanes_join_next(sum, 1, 16 + 8 + 4 + 2);
    return upsweep_lanes_join_next(sum, 0, 31);
}

// The sum of a full step of 32 rows, by a sub-group; in the first lane. Each lane ends up with one row's sum, and no lane
// applies the operator to what another one has combined: 1 application per element, and 36 for every 32 in time. (With one
// round 12 for every 8.) One copy of a round's code, because that of costly operators is long.
upsweep_value upsweep_sum_rounds(upsweep_input step, uint whole)
{
    upsweep_value rounds[UPSWEEP_STEP_ROUNDS];
#pragma unroll 1
    for (uint round = 0; round < UPSWEEP_STEP_ROUNDS; ++round) {
        const upsweep_value sum = upsweep_sum_packs(UPSWEEP_INPUT_AT(step, round * UPSWEEP_ROUND), whole);
#pragma unroll
        for (uint i = 0; i < UPSWEEP_STEP_ROUNDS; ++i) // no index that is no constant: registers
            if (i == round) rounds[i] = sum;
    }
    upsweep_lanes_halve_rows(rounds, 4, 3);
    upsweep_lanes_halve_rows(rounds, 2, 4);
    // Neighbouring rows of a round are in lanes that differ in the bit given away last, neighbouring rounds likewise.
    upsweep_value sum = rounds[0];
    sum = upsweep_lanes_join_next(sum, 2, 4);
    sum = upsweep_lanes_join_next(sum, 1, 4 + 2);
    sum = upsweep_lanes_join_next(sum, 0, 4 + 2 + 1);
    sum = upsweep_lanes_join_next(sum, 4, 16 + 4 + 2 + 1);
    return upsweep_lanes_join_next(sum, 3, 31);
}

upsweep_value upsweep_sum_step(upsweep_division d, upsweep_input step)
{
    return d.whole ? upsweep_sum_rounds(step, 1) : upsweep_sum_rounds(step, 0);
}
#else
upsweep_value upsweep_sum_step(upsweep_division d, upsweep_input step)
{
    return d.whole ? upsweep_sum_packs(step, 1) : upsweep_sum_packs(step, 0);
}
#endif

#endif
