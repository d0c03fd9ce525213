// SPDX-License-Identifier: MIT
// What a sub-group does with the elements of a reduction (reduce_lanes.cl): a step at a time.
//
//   UPSWEEP_STEP_ROUNDS       rounds of a step: 1, or for costly operators as many as make a row for each lane
//   UPSWEEP_COSTLY_OPERATOR   see load_rounds.cl
#ifndef UPSWEEP_REDUCE_STEPS
#define UPSWEEP_REDUCE_STEPS
#include "sub_group/lanes_tree.cl"
#include "sub_group/load_rounds.cl"

#if !defined(UPSWEEP_STEP_ROUNDS)
#error "UPSWEEP_STEP_ROUNDS must be given"
#endif
#if UPSWEEP_STEP_ROUNDS > 1 && UPSWEEP_RUN_PACKS * UPSWEEP_STEP_ROUNDS != UPSWEEP_LANES
#error "a step of several rounds has a row for each lane"
#endif
#if UPSWEEP_STEP_ROUNDS > 1 && !UPSWEEP_COSTLY_OPERATOR
#error "steps of several rounds are for costly operators"
#endif
#define UPSWEEP_STEP (UPSWEEP_ROUND * UPSWEEP_STEP_ROUNDS)
// log2 of a round's rows.
#define UPSWEEP_ROUND_BITS (UPSWEEP_RUN_PACKS == 8 ? 3 : UPSWEEP_RUN_PACKS == 4 ? 2 : UPSWEEP_RUN_PACKS / 2)

// What a reduction is cut into.
typedef struct {
    upsweep_input in;
    uint whole;      // packs, or the granules of large elements, are aligned
    uint part_bits;  // log2 of a part's elements
    uint parts;      // fewer than 2^31: the host refuses more
    uint steps;      // after the parts
    uint rows;       // after the steps, fewer than lanes
    uint rest;       // elements after the rows
} upsweep_division;

upsweep_division upsweep_divide(upsweep_input in, ulong n, uint part_bits, uint parts)
{
    const upsweep_division d = {in,
                                UPSWEEP_INPUT_IS_WHOLE(in),
                                part_bits,
                                parts,
                                (uint)((n - ((ulong)parts << part_bits)) / UPSWEEP_STEP),
                                (uint)(n % UPSWEEP_STEP) / UPSWEEP_ROW,
                                (uint)(n % UPSWEEP_ROW)};
    return d;
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

// The sum of a full row, of which a launch has few of its own.
upsweep_value upsweep_sum_row(upsweep_input row)
{
    upsweep_value run[UPSWEEP_PACK];
    upsweep_load_run(row, upsweep_lane() * UPSWEEP_PACK, UPSWEEP_ROW, run);
    upsweep_sweep_up(run, UPSWEEP_PACK, UPSWEEP_PACK);
    return upsweep_lanes_sum(run[UPSWEEP_PACK - 1]);
}

// The sum of less than a row, of `size` elements, 1 at least, in whatever order.
upsweep_value upsweep_sum_rest(upsweep_input rest, uint size)
{
    upsweep_value run[UPSWEEP_PACK];
    const uint first = upsweep_lane() * UPSWEEP_PACK;
    upsweep_load_run(rest, first, size, run);
    upsweep_value sum = run[0];
#pragma unroll
    for (uint i = 1; i < UPSWEEP_PACK; ++i)
        if (first + i < size) sum = UPSWEEP_COMBINE_ANY(sum, run[i]);
    return upsweep_lanes_sum_first(sum, (size + UPSWEEP_PACK - 1) / UPSWEEP_PACK);
}

#endif
