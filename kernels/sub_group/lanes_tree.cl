// SPDX-License-Identifier: MIT
// The canonical order (tree.cl) over a sub-group.
#ifndef UPSWEEP_LANES_TREE
#define UPSWEEP_LANES_TREE
#ifndef UPSWEEP_HAS_LANES
#if UPSWEEP_PTX
#include "sub_group/lanes_ptx.cl"
#else
#include "sub_group/lanes_khr.cl"
#endif
#endif
#include "tile/tree.cl"

// Rows of values that are combined side by side, at most: two to the power of UPSWEEP_ROW_BITS.
#if !defined(UPSWEEP_MOST_ROWS)
#error "UPSWEEP_MOST_ROWS must be given"
#endif
#define UPSWEEP_ROW_BITS 3

// values[index] for an index that is no constant, out of registers.
upsweep_value upsweep_pick(const upsweep_value* values, uint count, uint index)
{
    upsweep_value value = values[0];
#pragma unroll
    for (uint i = 1; i < count; ++i)
        if (i == index) value = values[i];
    return value;
}

// Combines operands of an operator that commutes, whichever stands before the other. An operator may have a function of its
// own for that.
#ifndef UPSWEEP_COMBINE_ANY
#define UPSWEEP_COMBINE_ANY(left, right) upsweep_combine(left, right)
#endif

// Combines what a lane has with what the lane `distance` (a power of two) away has, the lower lane's on the left.
upsweep_value upsweep_join(upsweep_value own, upsweep_value other, uint distance)
{
#if UPSWEEP_COMMUTATIVE
    return UPSWEEP_COMBINE_ANY(own, other);
#else
    const uint is_right = upsweep_lane() & distance;
    return upsweep_combine(is_right ? other : own, is_right ? own : other);
#endif
}

// The sum, in all lanes, of the values of the first `count` lanes, 1 at least, in whatever order.
upsweep_value upsweep_lanes_sum_first(upsweep_value sum, uint count)
{
#pragma unroll
    for (uint distance = 1; distance < UPSWEEP_LANES; distance *= 2) {
        const upsweep_value other = upsweep_exchange(sum, distance);
        const upsweep_value both = UPSWEEP_COMBINE_ANY(sum, other);
        const uint begin = upsweep_lane() & ~(distance - 1); // of the lanes that are combined by now
        if ((begin ^ distance) < count) sum = begin < count ? both : other;
    }
    return sum;
}

// What the lanes before this one count together.
uint upsweep_count_before(uint own)
{
    uint sum = own;
#pragma unroll
    for (uint distance = 1; distance < UPSWEEP_LANES; distance *= 2) {
        const uint other = upsweep_word_from_lane(sum, (upsweep_lane() - distance) % UPSWEEP_LANES);
        if (upsweep_lane() >= distance) sum += other;
    }
    return sum - own;
}

// Up-sweep over one value of each of the first `lanes` lanes (a power of two, constant after inlining), of which the first
// `complete` are sums of full blocks. before[k], in lanes whose bit k is set, receives the sum of the 2^k lanes on the
// left. Returns the sum of all, where all are complete.
upsweep_value upsweep_lanes_up(upsweep_value sum, uint lanes, uint complete, upsweep_value* before)
{
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
        if (distance >= lanes) continue;
        before[bit] = upsweep_exchange(sum, distance);
        if ((upsweep_lane() | (2 * distance - 1)) < complete) sum = upsweep_join(sum, before[bit], distance);
    }
    return sum;
}

// The sums over all lanes of several values each, of which the first `real`, the same number in all lanes, are sums of full
// blocks. Side by side, so that the exchanges of one do not wait for those of another.
void upsweep_lanes_sums(upsweep_value* sums, uint count, uint real)
{
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        upsweep_value others[UPSWEEP_MOST_ROWS];
#pragma unroll
        for (uint i = 0; i < count; ++i) others[i] = upsweep_exchange(sums[i], 1u << bit);
#pragma unroll
        for (uint i = 0; i < count; ++i)
            if (i < real) sums[i] = upsweep_join(sums[i], others[i], 1u << bit);
    }
}

upsweep_value upsweep_lanes_sum(upsweep_value sum)
{
    upsweep_lanes_sums(&sum, 1, 1);
    return sum;
}

// The sums over all lanes of `count` rows of values (1, 2, 4 or 8; constant after inlining), each in the lanes that
// upsweep_lane_of_line names. `real` has a bit for each row, set where all of its values are sums of full blocks; the
// others are left out. First each half of the lanes gives half of the rows away, then a half of what is left, so that 8
// rows take 9 exchanges rather than 40.
upsweep_value upsweep_lanes_line_sums(upsweep_value* rows, uint count, uint real)
{
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_ROW_BITS; ++bit) {
        const uint distance = 1u << bit;
        const uint half_count = count >> (bit + 1);
        const uint is_right = upsweep_lane() & distance;
        real = is_right ? real >> half_count : real;
#pragma unroll
        for (uint i = 0; i < UPSWEEP_MOST_ROWS / 2; ++i) {
            if (i >= half_count) continue;
            // Loaded before one is chosen: NVIDIA's compiler would choose between addresses, and keep the array in memory.
            const upsweep_value left = rows[i];
            const upsweep_value right = rows[i + half_count];
            const upsweep_value kept = is_right ? right : left;
            const upsweep_value taken = upsweep_exchange(is_right ? left : right, distance);
            rows[i] = kept;
            if (real >> i & 1u) rows[i] = upsweep_join(kept, taken, distance);
        }
    }
    upsweep_value sum = rows[0];
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        if (1u << bit < count) continue;
        const upsweep_value taken = upsweep_exchange(sum, 1u << bit);
        if (real & 1u) sum = upsweep_join(sum, taken, 1u << bit);
    }
    return sum;
}

// The first of the lanes in which upsweep_lanes_line_sums leaves the sum of row `line` of `count`: the bits of its number,
// the other way round.
uint upsweep_lane_of_line(uint line, uint count)
{
    uint lane = 0;
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_ROW_BITS; ++bit)
        if (1u << bit < count) lane = lane << 1 | (line >> bit & 1u);
    return lane;
}

// What upsweep_lanes_line_sums left, combined into the sum of all rows, one after another, in all lanes.
upsweep_value upsweep_lanes_join_lines(upsweep_value sum, uint count)
{
    // Neighbouring rows are in lanes that differ in the bit given away last.
#pragma unroll
    for (uint bit = UPSWEEP_ROW_BITS; bit-- > 0;)
        if (1u << bit < count) sum = upsweep_join(sum, upsweep_exchange(sum, 1u << bit), 1u << bit);
    return sum;
}

// The sum, in all lanes, of `count` rows of values, one row after another.
upsweep_value upsweep_lanes_sum_rows(upsweep_value* rows, uint count)
{
    return upsweep_lanes_join_lines(upsweep_lanes_line_sums(rows, count, ~0u), count);
}

// Down-sweep: appends what precedes this lane in its sub-group to *prefix.
void upsweep_lanes_down(const upsweep_value* before, uint lanes, uint* has_prefix, upsweep_value* prefix)
{
#pragma unroll
    for (uint bit = UPSWEEP_LANE_BITS; bit-- > 0;)
        if ((1u << bit) < lanes && (upsweep_lane() >> bit & 1u)) upsweep_append(has_prefix, prefix, before[bit]);
}

// Appends to *prefix, in all lanes, the values of the first counts[i] lanes, 0 to 31, of each row i in turn: sums of full
// blocks. What precedes lane counts[i] is what is asked for. Row `longer`, if there is one of that number, has one value
// more, where counts[longer] <= 30: *end receives what the rows up to and with it make then.
void upsweep_append_rows(upsweep_value* rows, const uint* counts, uint count, uint longer, uint* has_prefix,
                         upsweep_value* prefix, upsweep_value* end)
{
    upsweep_value before[UPSWEEP_MOST_ROWS][UPSWEEP_LANE_BITS];
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
#pragma unroll
        for (uint i = 0; i < count; ++i) before[i][bit] = upsweep_exchange(rows[i], distance);
#pragma unroll
        for (uint i = 0; i < count; ++i)
            if ((upsweep_lane() | (2 * distance - 1)) < counts[i] + (i == longer))
                rows[i] = upsweep_join(rows[i], before[i][bit], distance);
    }
#pragma unroll
    for (uint i = 0; i < count; ++i) {
        if (counts[i] == 0 && i != longer) continue;
        uint has_own = *has_prefix;
        upsweep_value own = *prefix;
        if (upsweep_lane() == counts[i] || (i == longer && upsweep_lane() == counts[i] + 1))
            upsweep_lanes_down(before[i], UPSWEEP_LANES, &has_own, &own);
        if (i == longer) *end = upsweep_from_lane(own, counts[i] + 1);
        if (counts[i] == 0) continue;
        *prefix = upsweep_from_lane(own, counts[i]);
        *has_prefix = 1;
    }
}

UPSWEEP_SELDOM
void upsweep_append_lanes(upsweep_argument own, uint count, uint* has_prefix, upsweep_value* prefix)
{
    upsweep_value sum = UPSWEEP_OF_ARGUMENT(own);
    upsweep_append_rows(&sum, &count, 1, 1, has_prefix, prefix, &sum);
}

#endif
