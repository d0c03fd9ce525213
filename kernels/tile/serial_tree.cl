// SPDX-License-Identifier: MIT
// The canonical order (tree.cl) for one work-item on its own: runs of UPSWEEP_TREE_RUN elements as trees, and the runs put
// together as a counter counts.
//
// For the built-in operators on floating-point types, which also combine vectors, the host defines
//   UPSWEEP_WIDE          a vector of 16 values, and UPSWEEP_WIDE_HALF of 8
// and upsweep_combine_wide(left, right) on the latter. PoCL on two cores, scan of 2^26 float, run after run: in vectors
// 44 ms; level by level in loops over neighbours 62 ms; with the sweeps of tree.cl 103 ms.
#ifndef UPSWEEP_SERIAL_TREE
#define UPSWEEP_SERIAL_TREE
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif
#include "tile/tree.cl"

#if UPSWEEP_TREE_RUN > 1

// Runs are read as vectors.
#ifdef UPSWEEP_WIDE
#define UPSWEEP_ALIGNED_RUN __attribute__((aligned(sizeof(UPSWEEP_WIDE))))
#else
#define UPSWEEP_ALIGNED_RUN
#endif

void upsweep_load_tree_run(upsweep_input in, uint size, upsweep_value* run)
{
    for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i)
        if (i < size) run[i] = UPSWEEP_LOAD(in, i);
    UPSWEEP_READ_AGAIN(run)
}

#if UPSWEEP_TREE_RUN == 128
// The sums of a run's blocks: of pairs first, 64 of them, then of fours, and so on; the root is the last of 127.
#define UPSWEEP_LEVELS 127
#define UPSWEEP_PAIRS(from, to, count)                                                                                 \
    for (uint i = 0; i < (count); ++i) (to)[i] = upsweep_combine((from)[2 * i], (from)[2 * i + 1]);

void upsweep_sum_levels(const upsweep_value* run, upsweep_value* sums)
{
    UPSWEEP_PAIRS(run, sums, 64)
    UPSWEEP_PAIRS(sums, sums + 64, 32)
    UPSWEEP_PAIRS(sums + 64, sums + 96, 16)
    UPSWEEP_PAIRS(sums + 96, sums + 112, 8)
    UPSWEEP_PAIRS(sums + 112, sums + 120, 4)
    UPSWEEP_PAIRS(sums + 120, sums + 124, 2)
    UPSWEEP_PAIRS(sums + 124, sums + 126, 1)
}

// From what precedes each block to what precedes its halves.
#define UPSWEEP_HALVES(from, sums, to, count)                                                                          \
    for (uint i = 0; i < (count); ++i) {                                                                               \
        const upsweep_value prefix = (from)[i];                                                                        \
        (to)[2 * i] = prefix;                                                                                          \
        (to)[2 * i + 1] = upsweep_combine(prefix, (sums)[2 * i]);                                                      \
    }

// What precedes each element of a run that `prefix` precedes.
void upsweep_prefix_levels(const upsweep_value* run, const upsweep_value* sums, upsweep_value prefix,
                           upsweep_value* prefixes)
{
    upsweep_value levels[UPSWEEP_LEVELS];
    levels[126] = prefix;
    UPSWEEP_HALVES(levels + 126, sums + 124, levels + 124, 1)
    UPSWEEP_HALVES(levels + 124, sums + 120, levels + 120, 2)
    UPSWEEP_HALVES(levels + 120, sums + 112, levels + 112, 4)
    UPSWEEP_HALVES(levels + 112, sums + 96, levels + 96, 8)
    UPSWEEP_HALVES(levels + 96, sums + 64, levels + 64, 16)
    UPSWEEP_HALVES(levels + 64, sums, levels, 32)
    UPSWEEP_HALVES(levels, run, prefixes, 64)
}
#endif

#ifdef UPSWEEP_WIDE
// The up-sweep of a run in vectors. lefts: the left halves' sums of every level, which the down-sweep needs: of pairs in 0 to
// 7, of fours in 8 to 11, of eights in 12 and 13, of sixteens in 14.
void upsweep_sum_wide(const UPSWEEP_WIDE* run, UPSWEEP_WIDE_HALF* lefts, upsweep_value* sixteens)
{
    UPSWEEP_WIDE_HALF sums[14];
    for (uint i = 0; i < 8; ++i) {
        lefts[i] = run[i].even;
        sums[i] = upsweep_combine_wide(run[i].even, run[i].odd);
    }
    for (uint i = 0; i < 6; ++i) {
        UPSWEEP_WIDE both;
        both.lo = sums[2 * i];
        both.hi = sums[2 * i + 1];
        lefts[8 + i] = both.even;
        sums[8 + i] = upsweep_combine_wide(both.even, both.odd);
    }
    UPSWEEP_WIDE both;
    both.lo = sums[12];
    both.hi = sums[13];
    lefts[14] = both.even;
    vstore8(upsweep_combine_wide(both.even, both.odd), 0, sixteens);
    upsweep_sweep_up(sixteens, 8, 8);
}

// From what precedes eight blocks to what precedes their halves.
#define UPSWEEP_HALVE(halves, prefixes, left)                                                                          \
    (halves).odd = upsweep_combine_wide(prefixes, left);                                                               \
    (halves).even = prefixes;

// From the prefixes of 16 entries to those of the next: 15 of them, and `next`.
#define UPSWEEP_SHIFT_WIDE(p, next) (UPSWEEP_WIDE)((p).s1, (p).s23, (p).s4567, (p).s89abcdef, next)

// Scans a run that `prefix` precedes; returns its sum. See upsweep_scan_full_run.
upsweep_value upsweep_scan_wide(upsweep_output out, const UPSWEEP_WIDE* run, uint exclusive, upsweep_value prefix)
{
    UPSWEEP_WIDE_HALF lefts[15];
    upsweep_value sixteens[8];
    UPSWEEP_WIDE levels[7];
    upsweep_sum_wide(run, lefts, sixteens);
    const upsweep_value sum = sixteens[7];
    upsweep_sweep_down(sixteens, 8, 8, 1, prefix);
    UPSWEEP_HALVE(levels[0], vload8(0, sixteens), lefts[14]) // what precedes each of 16 eights
    UPSWEEP_HALVE(levels[1], levels[0].lo, lefts[12])        // fours
    UPSWEEP_HALVE(levels[2], levels[0].hi, lefts[13])
    for (uint i = 0; i < 2; ++i) { // pairs
        UPSWEEP_HALVE(levels[3 + 2 * i], levels[1 + i].lo, lefts[8 + 2 * i])
        UPSWEEP_HALVE(levels[4 + 2 * i], levels[1 + i].hi, lefts[9 + 2 * i])
    }
    UPSWEEP_WIDE results[8];
    for (uint i = 0; i < 4; ++i) {
        UPSWEEP_HALVE(results[2 * i], levels[3 + i].lo, lefts[2 * i])
        UPSWEEP_HALVE(results[2 * i + 1], levels[3 + i].hi, lefts[2 * i + 1])
    }
    for (uint i = 0; i < 8; ++i) {
        UPSWEEP_WIDE result = results[i];
        if (!exclusive) result = UPSWEEP_SHIFT_WIDE(result, results[min(i + 1, 7u)].s0);
        UPSWEEP_STORE_WIDE(out, i, result);
    }
    return sum;
}
#endif

// The sum of a full run.
upsweep_value upsweep_sum_tree_run(upsweep_value* run)
{
#if UPSWEEP_TREE_RUN == 128 && defined(UPSWEEP_WIDE)
    UPSWEEP_WIDE_HALF lefts[15];
    upsweep_value sixteens[8];
    upsweep_sum_wide((const UPSWEEP_WIDE*)run, lefts, sixteens);
    return sixteens[7];
#elif UPSWEEP_TREE_RUN == 128
    upsweep_value sums[UPSWEEP_LEVELS];
    upsweep_sum_levels(run, sums);
    return sums[UPSWEEP_LEVELS - 1];
#else
    upsweep_sweep_up(run, UPSWEEP_TREE_RUN, UPSWEEP_TREE_RUN);
    return run[UPSWEEP_TREE_RUN - 1];
#endif
}

// Appends the blocks that make up [0, size) to *sum: for a size that is a power of two and no sum before, the tree's root.
UPSWEEP_OUTLINE
void upsweep_append_serially(upsweep_input in, ulong size, uint* has_sum, upsweep_value* sum)
{
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value run[UPSWEEP_TREE_RUN] UPSWEEP_ALIGNED_RUN;
    const ulong runs = size / UPSWEEP_TREE_RUN;
    for (ulong i = 0; i < runs; ++i) {
        upsweep_load_tree_run(UPSWEEP_INPUT_AT(in, i * UPSWEEP_TREE_RUN), UPSWEEP_TREE_RUN, run);
        upsweep_stack_push(stack, i, upsweep_sum_tree_run(run));
    }
    upsweep_stack_append(stack, runs, has_sum, sum);
    const uint rest = (uint)(size % UPSWEEP_TREE_RUN);
    if (rest == 0) return;
    upsweep_load_tree_run(UPSWEEP_INPUT_AT(in, runs * UPSWEEP_TREE_RUN), rest, run);
    upsweep_sweep_up(run, UPSWEEP_TREE_RUN, rest);
    for (uint block = UPSWEEP_TREE_RUN / 2; block > 0; block /= 2)
        if (rest & block) upsweep_append(has_sum, sum, run[upsweep_last_of_block(rest, block)]);
}

// One work-item's combination of `size` >= 1 elements.
UPSWEEP_OUTLINE upsweep_value upsweep_sum_serially(upsweep_input in, ulong size)
{
    uint has_sum = 0;
    upsweep_value sum = UPSWEEP_LOAD(in, 0);
    upsweep_append_serially(in, size, &has_sum, &sum);
    return sum;
}

// One run of `size` >= 1 elements from its prefix. Returns its sum, if it is full. Then an inclusive scan leaves its last
// result for the caller to set: the prefix of the next run, for which that sum is needed.
upsweep_value upsweep_scan_any_run(upsweep_output out, uint size, upsweep_value* run, uint exclusive, uint has_prefix,
                                   upsweep_value prefix)
{
    upsweep_sweep_up(run, UPSWEEP_TREE_RUN, size);
    const upsweep_value sum = run[size - 1];
    upsweep_sweep_down(run, UPSWEEP_TREE_RUN, upsweep_down_entries(UPSWEEP_TREE_RUN, size, exclusive), has_prefix,
                       prefix);
    if (!exclusive) upsweep_shift(run, UPSWEEP_TREE_RUN, sum);
    // Not a loop to `size`: LLVM 15 takes what such a loop stores from an array for undefined (reproducers/pocl_rest.c).
    for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i)
        if (i < size) UPSWEEP_STORE(out, i, run[i]);
    return sum;
}

// One full run from its prefix, which there is. Returns its sum; what an inclusive scan ends with is left to the caller.
upsweep_value upsweep_scan_full_run(upsweep_output out, upsweep_value* run, uint exclusive, upsweep_value prefix)
{
#if UPSWEEP_TREE_RUN == 128 && defined(UPSWEEP_WIDE)
    return upsweep_scan_wide(out, (const UPSWEEP_WIDE*)run, exclusive, prefix);
#elif UPSWEEP_TREE_RUN == 128
    upsweep_value sums[UPSWEEP_LEVELS];
    upsweep_value prefixes[UPSWEEP_TREE_RUN];
    upsweep_sum_levels(run, sums);
    upsweep_prefix_levels(run, sums, prefix, prefixes);
    if (exclusive)
        for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i) UPSWEEP_STORE(out, i, prefixes[i]);
    else
        for (uint i = 0; i + 1 < UPSWEEP_TREE_RUN; ++i) UPSWEEP_STORE(out, i, prefixes[i + 1]);
    return sums[UPSWEEP_LEVELS - 1];
#else
    return upsweep_scan_any_run(out, UPSWEEP_TREE_RUN, run, exclusive, 1, prefix);
#endif
}

// One work-item's scan of `size` elements. before[k] keeps the prefix up to and with the latest block of 2^k runs whose bit
// was set, so that the prefix of the next run takes one combination. Blocks are counted from `in`: where that is not the
// beginning of the whole array, the last result of an inclusive scan that ends with a full run is the caller's to set.
UPSWEEP_OUTLINE
void upsweep_scan_serially(upsweep_input in, upsweep_output out, ulong size, uint exclusive, uint has_prefix,
                           upsweep_value prefix)
{
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value before[UPSWEEP_STACK];
    upsweep_value run[UPSWEEP_TREE_RUN] UPSWEEP_ALIGNED_RUN;
    upsweep_value own = prefix;
    uint has_own = has_prefix;
    ulong i = 0;
    for (; (i + 1) * UPSWEEP_TREE_RUN <= size; ++i) {
        upsweep_load_tree_run(UPSWEEP_INPUT_AT(in, i * UPSWEEP_TREE_RUN), UPSWEEP_TREE_RUN, run);
        const upsweep_output to = UPSWEEP_OUTPUT_AT(out, i * UPSWEEP_TREE_RUN);
        const upsweep_value sum = has_own ? upsweep_scan_full_run(to, run, exclusive, own)
                                          : upsweep_scan_any_run(to, UPSWEEP_TREE_RUN, run, exclusive, 0, own);
        const uint bit = upsweep_stack_push(stack, i, sum);
        // The blocks of run i + 1: those of the bits above `bit`, then the one that was just completed.
        const ulong above = (i + 1) >> (bit + 1);
        own = above != 0 ? before[bit + 1 + (uint)popcount((above & -above) - 1)] : prefix;
        has_own = above != 0 || has_prefix;
        upsweep_append(&has_own, &own, stack[bit]);
        before[bit] = own;
        if (!exclusive) UPSWEEP_STORE(to, UPSWEEP_TREE_RUN - 1, own);
    }
    const uint rest = (uint)(size - i * UPSWEEP_TREE_RUN);
    if (rest == 0) return;
    upsweep_load_tree_run(UPSWEEP_INPUT_AT(in, i * UPSWEEP_TREE_RUN), rest, run);
    upsweep_scan_any_run(UPSWEEP_OUTPUT_AT(out, i * UPSWEEP_TREE_RUN), rest, run, exclusive, has_own, own);
}

#endif

#endif
