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
#if UPSWEEP_STEP_ROUNDS > 1 && UPSWEEP_RUN_PACKS * UPSWEEP_STEP_ROUNDS != UPSWEEP_LANES
#error "a step of several rounds has a row for each lane"
#endif
#if !defined(UPSWEEP_COSTLY_OPERATOR) || (UPSWEEP_STEP_ROUNDS > 1 && !UPSWEEP_COSTLY_OPERATOR)
#error "UPSWEEP_COSTLY_OPERATOR must be 1 if the operator is to have few copies, else 0"
#endif
#define UPSWEEP_STEP (UPSWEEP_ROUND * UPSWEEP_STEP_ROUNDS)
// log2 of a round's rows.
#define UPSWEEP_ROUND_BITS (UPSWEEP_RUN_PACKS == 8 ? 3 : UPSWEEP_RUN_PACKS == 4 ? 2 : UPSWEEP_RUN_PACKS / 2)

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
#elif UPSWEEP_LOADS_WORDS
        packs[row] = upsweep_load_words(round, begin);
#else
        packs[row] = upsweep_load_pack(round, begin, begin + UPSWEEP_PACK);
#endif
    }
}

#if UPSWEEP_COSTLY_OPERATOR
// Loops below have constant bounds and skip rounds, because NVIDIA's compiler does not unroll others, and arrays then stay
// in memory.

// The sum of a pack: its elements two by two, then what they make. What upsweep_sweep_up does, but that calls the function
// that costly operators stay.
upsweep_value upsweep_sum_pack(upsweep_pack pack)
{
    upsweep_value run[UPSWEEP_PACK];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i) run[i] = pack.elements[i];
#pragma unroll
    for (uint bit = 1; bit < 5; ++bit) // 16 elements at most
#pragma unroll
        for (uint i = 0; i < UPSWEEP_PACK / 2; ++i) {
            if (i >= UPSWEEP_PACK >> bit) continue;
            run[i] = upsweep_combine_inline(run[2 * i], run[2 * i + 1]);
        }
    return run[0];
}

// Two neighbouring rows, or what such have become, become one: of lanes that differ in a bit of their number, one keeps the
// first row, the other the second, and combines it with what the other one gives it.
upsweep_value upsweep_join_rows(upsweep_value first, upsweep_value second, uint bit)
{
    const uint is_right = upsweep_lane() >> bit & 1u;
    const upsweep_value kept = is_right ? second : first;
    const upsweep_value taken = upsweep_exchange(is_right ? first : second, 1u << bit);
    return upsweep_combine_inline(is_right ? taken : kept, is_right ? kept : taken);
}

// Rows of a round are joined to one. Lanes whose numbers have the same last UPSWEEP_ROUND_BITS bits have parts of one row.
upsweep_value upsweep_join_round(const upsweep_pack* packs)
{
    upsweep_value rows[UPSWEEP_RUN_PACKS];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_RUN_PACKS; ++i) rows[i] = upsweep_sum_pack(packs[i]);
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_ROUND_BITS; ++bit)
#pragma unroll
        for (uint i = 0; i < UPSWEEP_RUN_PACKS / 2; ++i) {
            if (i >= UPSWEEP_RUN_PACKS >> (bit + 1)) continue;
            rows[i] = upsweep_join_rows(rows[2 * i], rows[2 * i + 1], bit);
        }
    return rows[0];
}
#endif

#if UPSWEEP_COSTLY_OPERATOR && UPSWEEP_STEP_ROUNDS == 1
// The parts of each row first, then the rows. For large values in one place: NVIDIA H100, 768 MiB of 12, 16, 24, 32 bytes by
// log(exp(a) + exp(b)) of each float, us, in one place and in five: 276, 354, 451, 450 and 266, 353, 468, 484.
#define UPSWEEP_PLACES_OF_JOINS (UPSWEEP_VALUE_SIZE > 16 ? 1 : UPSWEEP_LANE_BITS)
upsweep_value upsweep_sum_loaded(const upsweep_pack* packs)
{
    upsweep_value sum = upsweep_join_round(packs);
#pragma unroll UPSWEEP_PLACES_OF_JOINS
    for (uint i = 0; i < UPSWEEP_LANE_BITS; ++i)
        sum = upsweep_join_rows(sum, sum, (UPSWEEP_ROUND_BITS + i) % UPSWEEP_LANE_BITS);
    return sum;
}
#elif UPSWEEP_EXACT && UPSWEEP_COMMUTATIVE && UPSWEEP_STEP_ROUNDS == 1
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
    return upsweep_lanes_sum_rows(sums, UPSWEEP_RUN_PACKS);
}
#endif

// The sum of a full round, by a sub-group. `whole` is a constant, so that no branch comes between the loads.
upsweep_value upsweep_sum_packs(upsweep_input step, uint whole)
{
    upsweep_pack packs[UPSWEEP_RUN_PACKS];
    upsweep_load_packs(step, whole, packs);
    return upsweep_sum_loaded(packs);
}

#if UPSWEEP_COSTLY_OPERATOR
// As upsweep_load_packs, where it is not known before whether the round is whole.
void upsweep_load_any_packs(upsweep_input round, uint whole, upsweep_pack* packs)
{
    if (whole)
        upsweep_load_packs(round, 1, packs);
    else
        upsweep_load_packs(round, 0, packs);
}

// The sum of a full step, by a sub-group. A function, so that there is one copy of what is long.
UPSWEEP_ONE_COPY
#if UPSWEEP_STEP_ROUNDS > 1
// Rows are joined as soon as there are two, until each lane has the sum of the row of its number: no lane applies the
// operator to what another one has combined. So it is 1 application per element, and 36 for every 32 packs in time. (With
// one round 12 for every 8.)
upsweep_value upsweep_sum_costly_step(upsweep_input step, uint whole)
{
    upsweep_value open[UPSWEEP_LANE_BITS]; // entry k: 2^k rounds that wait for as many more
    upsweep_value sum;
#pragma unroll 1
    for (uint round = 0; round < UPSWEEP_STEP_ROUNDS; ++round) {
        upsweep_pack packs[UPSWEEP_RUN_PACKS];
        upsweep_load_any_packs(UPSWEEP_INPUT_AT(step, round * UPSWEEP_ROUND), whole, packs);
        sum = upsweep_join_round(packs);
        uint bit = 0;
#pragma unroll 1
        for (; round >> bit & 1u; ++bit)
            sum = upsweep_join_rows(upsweep_pick(open, UPSWEEP_LANE_BITS, bit), sum, bit + UPSWEEP_ROUND_BITS);
#pragma unroll
        for (uint k = 0; k < UPSWEEP_LANE_BITS; ++k) // no index that is no constant: registers
            if (k == bit) open[k] = sum;
    }
#pragma unroll 1
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) sum = upsweep_join_rows(sum, sum, bit);
    return sum;
}
#else
upsweep_value upsweep_sum_costly_step(upsweep_input step, uint whole)
{
    upsweep_pack packs[UPSWEEP_RUN_PACKS];
    upsweep_load_any_packs(step, whole, packs);
    return upsweep_sum_loaded(packs);
}
#endif

upsweep_value upsweep_sum_step(upsweep_division d, upsweep_input step)
{
    return upsweep_sum_costly_step(step, d.whole);
}
#else
upsweep_value upsweep_sum_step(upsweep_division d, upsweep_input step)
{
    return d.whole ? upsweep_sum_packs(step, 1) : upsweep_sum_packs(step, 0);
}
#endif

#endif
