// SPDX-License-Identifier: MIT
// The canonical order (tree.cl) for one work-item on its own: runs of UPSWEEP_TREE_RUN elements as trees, and the runs put
// together as a counter counts.
//
// For the built-in operators on floating-point types, which also combine vectors, the host defines
//   UPSWEEP_WIDE          a vector of 16 values, and UPSWEEP_WIDE_HALF of 8
// and upsweep_combine_wide(left, right) and upsweep_combine_half(left, right) on these. PoCL 3.1 on two cores, scan of 2^26
// float, run after run: in vectors 44 ms; level by level in loops over neighbours 62; with the sweeps of tree.cl 103.
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
// Runs are read as vectors: of arrays where they are, else in the work-item's memory.
#ifdef UPSWEEP_WIDE
#define UPSWEEP_ALIGNED_RUN __attribute__((aligned(sizeof(UPSWEEP_WIDE))))
#else
#define UPSWEEP_ALIGNED_RUN
#endif
#if defined(UPSWEEP_WIDE) && defined(UPSWEEP_LOAD_WIDE)
#define UPSWEEP_LOADS_VECTORS 1
#else
#define UPSWEEP_LOADS_VECTORS 0
#endif

void upsweep_load_tree_run(upsweep_input in, uint size, upsweep_value* run)
{
    for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i)
        if (i < size) run[i] = UPSWEEP_LOAD(in, i);
    UPSWEEP_READ_AGAIN(run)
}

#ifdef UPSWEEP_WIDE
UPSWEEP_WIDE upsweep_run_vector(upsweep_input in, const upsweep_value* run, uint i)
{
#if UPSWEEP_LOADS_VECTORS
    return UPSWEEP_LOAD_WIDE(in, i);
#else
    return ((const UPSWEEP_WIDE*)run)[i];
#endif
}

// Sums of neighbours in `both`, and those on the left, which the down-sweep needs.
UPSWEEP_WIDE_HALF upsweep_sum_neighbours(UPSWEEP_WIDE both, UPSWEEP_WIDE_HALF* lefts)
{
    *lefts = both.even;
    return upsweep_combine_half(both.even, both.odd);
}

// From what precedes eight blocks to what precedes their halves, of which those on the left make `lefts`.
UPSWEEP_WIDE upsweep_prefix_halves(UPSWEEP_WIDE_HALF prefixes, UPSWEEP_WIDE_HALF lefts)
{
    UPSWEEP_WIDE halves;
    halves.even = prefixes;
    halves.odd = upsweep_combine_half(prefixes, lefts);
    return halves;
}

// From the prefixes of 16 entries to those of the next: 15 of them, and `next`.
#define UPSWEEP_SHIFT_WIDE(p, next) (UPSWEEP_WIDE)((p).s1, (p).s23, (p).s4567, (p).s89abcdef, next)

// A quarter of a run: two vectors, and what is left of their sums.
typedef struct {
    UPSWEEP_WIDE_HALF first, second, fours; // of the pairs in each vector, and of fours
} upsweep_quarter;

// Returns the sums of fours of quarter k.
UPSWEEP_WIDE_HALF upsweep_quarter_up(upsweep_input in, const upsweep_value* run, uint k, upsweep_quarter* lefts)
{
    const UPSWEEP_WIDE_HALF pairs = upsweep_sum_neighbours(upsweep_run_vector(in, run, 2 * k), &lefts->first);
    const UPSWEEP_WIDE_HALF others = upsweep_sum_neighbours(upsweep_run_vector(in, run, 2 * k + 1), &lefts->second);
    return upsweep_sum_neighbours((UPSWEEP_WIDE)(pairs, others), &lefts->fours);
}

// From what precedes its fours to its results, vectors i and i + 1 of the output; `next` precedes what follows.
void upsweep_quarter_down(upsweep_output out, uint i, UPSWEEP_WIDE_HALF prefixes, upsweep_quarter lefts, uint exclusive,
                          upsweep_value next)
{
    const UPSWEEP_WIDE pairs = upsweep_prefix_halves(prefixes, lefts.fours);
    const UPSWEEP_WIDE first = upsweep_prefix_halves(pairs.lo, lefts.first);
    const UPSWEEP_WIDE second = upsweep_prefix_halves(pairs.hi, lefts.second);
    UPSWEEP_STORE_WIDE(out, i, exclusive ? first : UPSWEEP_SHIFT_WIDE(first, second.s0));
    UPSWEEP_STORE_WIDE(out, i + 1, exclusive ? second : UPSWEEP_SHIFT_WIDE(second, next));
}

// Scans a run that `prefix` precedes; returns its sum. See upsweep_scan_full_run. Vectors have names and no numbers: PoCL
// keeps arrays that loops go through in memory.
upsweep_value upsweep_scan_wide(upsweep_input in, upsweep_output out, const upsweep_value* run, uint exclusive,
                                upsweep_value prefix)
{
    upsweep_quarter a, b, c, d;
    UPSWEEP_WIDE_HALF left_eights, right_eights, lefts;
    const UPSWEEP_WIDE_HALF fours_a = upsweep_quarter_up(in, run, 0, &a);
    const UPSWEEP_WIDE_HALF fours_b = upsweep_quarter_up(in, run, 1, &b);
    const UPSWEEP_WIDE_HALF fours_c = upsweep_quarter_up(in, run, 2, &c);
    const UPSWEEP_WIDE_HALF fours_d = upsweep_quarter_up(in, run, 3, &d);
    const UPSWEEP_WIDE_HALF left_sums = upsweep_sum_neighbours((UPSWEEP_WIDE)(fours_a, fours_b), &left_eights);
    const UPSWEEP_WIDE_HALF right_sums = upsweep_sum_neighbours((UPSWEEP_WIDE)(fours_c, fours_d), &right_eights);
    upsweep_value sixteens[8];
    vstore8(upsweep_sum_neighbours((UPSWEEP_WIDE)(left_sums, right_sums), &lefts), 0, sixteens);
    upsweep_sweep_up(sixteens, 8, 8);
    const upsweep_value sum = sixteens[7];
    upsweep_sweep_down(sixteens, 8, 8, 1, prefix);
    const UPSWEEP_WIDE eights = upsweep_prefix_halves(vload8(0, sixteens), lefts);
    const UPSWEEP_WIDE left = upsweep_prefix_halves(eights.lo, left_eights); // fours
    const UPSWEEP_WIDE right = upsweep_prefix_halves(eights.hi, right_eights);
    upsweep_quarter_down(out, 0, left.lo, a, exclusive, left.s8);
    upsweep_quarter_down(out, 2, left.hi, b, exclusive, right.s0);
    upsweep_quarter_down(out, 4, right.lo, c, exclusive, right.s8);
    upsweep_quarter_down(out, 6, right.hi, d, exclusive, sum);
    return sum;
}
#endif

#if UPSWEEP_LOADS_VECTORS
// What 64 elements of an array make, in eights: the first of each vector, then the second.
UPSWEEP_WIDE_HALF upsweep_sum_eights(upsweep_input in, uint first)
{
    const UPSWEEP_WIDE a = UPSWEEP_LOAD_WIDE(in, first), b = UPSWEEP_LOAD_WIDE(in, first + 1);
    const UPSWEEP_WIDE c = UPSWEEP_LOAD_WIDE(in, first + 2), d = UPSWEEP_LOAD_WIDE(in, first + 3);
    const UPSWEEP_WIDE fours = upsweep_fours_of(upsweep_pairs_of(a, b), upsweep_pairs_of(c, d));
    return UPSWEEP_EIGHTS_OF(fours);
}
// What a run makes, in sixteens.
UPSWEEP_WIDE_HALF upsweep_sum_sixteens(upsweep_input in)
{
    const UPSWEEP_WIDE_HALF left = upsweep_sum_eights(in, 0), right = upsweep_sum_eights(in, 4);
    return UPSWEEP_SIXTEENS_OF(left, right);
}
// What four runs make, in two sums for each.
UPSWEEP_WIDE_HALF upsweep_sum_four_runs(upsweep_input in)
{
    UPSWEEP_WIDE_HALF a = upsweep_sum_sixteens(in), b = upsweep_sum_sixteens(UPSWEEP_INPUT_AT(in, UPSWEEP_TREE_RUN));
    const upsweep_input more = UPSWEEP_INPUT_AT(in, 2 * UPSWEEP_TREE_RUN);
    UPSWEEP_WIDE_HALF c = upsweep_sum_sixteens(more), d = upsweep_sum_sixteens(UPSWEEP_INPUT_AT(more, UPSWEEP_TREE_RUN));
    a = UPSWEEP_PAIRS_OF_HALVES(a, b);
    c = UPSWEEP_PAIRS_OF_HALVES(c, d);
    return UPSWEEP_PAIRS_OF_HALVES(a, c);
}
upsweep_value upsweep_sum_eight(UPSWEEP_WIDE_HALF values)
{
    upsweep_value entries[8];
    vstore8(values, 0, entries);
    upsweep_sweep_up(entries, 8, 8);
    return entries[7];
}
upsweep_value upsweep_sum_eight_runs(upsweep_input in)
{
    const UPSWEEP_WIDE_HALF a = upsweep_sum_four_runs(in);
    const UPSWEEP_WIDE_HALF b = upsweep_sum_four_runs(UPSWEEP_INPUT_AT(in, 4 * UPSWEEP_TREE_RUN));
    return upsweep_sum_eight(UPSWEEP_PAIRS_OF_HALVES(a, b));
}
#endif

// The sum of a full run that was loaded.
upsweep_value upsweep_sum_tree_run(upsweep_value* run)
{
#if UPSWEEP_TREE_RUN == 128
    upsweep_value sums[UPSWEEP_LEVELS];
    upsweep_sum_levels(run, sums);
    return sums[UPSWEEP_LEVELS - 1];
#else
    upsweep_sweep_up(run, UPSWEEP_TREE_RUN, UPSWEEP_TREE_RUN);
    return run[UPSWEEP_TREE_RUN - 1];
#endif
}

// The sum of a full run; `run` is for its elements.
upsweep_value upsweep_sum_full_run(upsweep_input in, upsweep_value* run)
{
#if UPSWEEP_LOADS_VECTORS
    return upsweep_sum_eight(upsweep_sum_sixteens(in));
#else
    upsweep_load_tree_run(in, UPSWEEP_TREE_RUN, run);
    return upsweep_sum_tree_run(run);
#endif
}

// Appends the blocks that make up [0, size) to *sum: for a size that is a power of two and no sum before, the tree's root.
// Vectors sum eight runs at a time: what comes behind vectors is then done once for all of them.
UPSWEEP_OUTLINE
void upsweep_append_serially(upsweep_input in, ulong size, uint* has_sum, upsweep_value* sum)
{
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value run[UPSWEEP_TREE_RUN] UPSWEEP_ALIGNED_RUN;
    const uint eight = 8 * UPSWEEP_TREE_RUN;
    const ulong eights = UPSWEEP_LOADS_VECTORS ? size / eight : 0;
#if UPSWEEP_LOADS_VECTORS
    for (ulong i = 0; i < eights; ++i)
        upsweep_stack_push(stack, i, upsweep_sum_eight_runs(UPSWEEP_INPUT_AT(in, i * eight)));
    upsweep_stack_append(stack, eights, has_sum, sum);
#endif
    const upsweep_input others = UPSWEEP_INPUT_AT(in, eights * eight);
    const ulong runs = (size - eights * eight) / UPSWEEP_TREE_RUN;
    for (ulong i = 0; i < runs; ++i)
        upsweep_stack_push(stack, i, upsweep_sum_full_run(UPSWEEP_INPUT_AT(others, i * UPSWEEP_TREE_RUN), run));
    upsweep_stack_append(stack, runs, has_sum, sum);
    const uint rest = (uint)(size % UPSWEEP_TREE_RUN);
    if (rest == 0) return;
    upsweep_load_tree_run(UPSWEEP_INPUT_AT(others, runs * UPSWEEP_TREE_RUN), rest, run);
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
upsweep_value upsweep_scan_any_run(upsweep_input in, upsweep_output out, uint size, upsweep_value* run, uint exclusive,
                                   uint has_prefix, upsweep_value prefix)
{
    upsweep_load_tree_run(in, size, run);
    upsweep_sweep_up(run, UPSWEEP_TREE_RUN, size);
    const upsweep_value sum = run[size - 1];
    upsweep_sweep_down(run, UPSWEEP_TREE_RUN, upsweep_down_entries(UPSWEEP_TREE_RUN, size, exclusive), has_prefix,
                       prefix);
    if (!exclusive) upsweep_shift(run, UPSWEEP_TREE_RUN, sum);
    // Not a loop to `size`: LLVM 15 takes what such a loop stores from an array for undefined
    // (tests/reproducers/pocl_rest.c).
    for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i)
        if (i < size) UPSWEEP_STORE(out, i, run[i]);
    return sum;
}

// One full run from its prefix, which there is. Returns its sum; what an inclusive scan ends with is left to the caller.
upsweep_value upsweep_scan_full_run(upsweep_input in, upsweep_output out, upsweep_value* run, uint exclusive,
                                    upsweep_value prefix)
{
#if UPSWEEP_TREE_RUN == 128 && defined(UPSWEEP_WIDE)
    if (!UPSWEEP_LOADS_VECTORS) upsweep_load_tree_run(in, UPSWEEP_TREE_RUN, run);
    return upsweep_scan_wide(in, out, run, exclusive, prefix);
#elif UPSWEEP_TREE_RUN == 128
    upsweep_value sums[UPSWEEP_LEVELS];
    upsweep_value prefixes[UPSWEEP_TREE_RUN];
    upsweep_load_tree_run(in, UPSWEEP_TREE_RUN, run);
    upsweep_sum_levels(run, sums);
    upsweep_prefix_levels(run, sums, prefix, prefixes);
    if (exclusive)
        for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i) UPSWEEP_STORE(out, i, prefixes[i]);
    else
        for (uint i = 0; i + 1 < UPSWEEP_TREE_RUN; ++i) UPSWEEP_STORE(out, i, prefixes[i + 1]);
    return sums[UPSWEEP_LEVELS - 1];
#else
    return upsweep_scan_any_run(in, out, UPSWEEP_TREE_RUN, run, exclusive, 1, prefix);
#endif
}

// One work-item's scan of `size` elements. Blocks are counted from `in`: where that is not the beginning of the whole array,
// the last result of an inclusive scan that ends with a full run is the caller's to set.
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
        const upsweep_input from = UPSWEEP_INPUT_AT(in, i * UPSWEEP_TREE_RUN);
        const upsweep_output to = UPSWEEP_OUTPUT_AT(out, i * UPSWEEP_TREE_RUN);
        const upsweep_value sum = has_own ? upsweep_scan_full_run(from, to, run, exclusive, own)
                                          : upsweep_scan_any_run(from, to, UPSWEEP_TREE_RUN, run, exclusive, 0, own);
        own = upsweep_stack_prefix(stack, before, i, sum, has_prefix, prefix);
        has_own = 1;
        if (!exclusive) UPSWEEP_STORE(to, UPSWEEP_TREE_RUN - 1, own);
    }
    const uint rest = (uint)(size - i * UPSWEEP_TREE_RUN);
    if (rest == 0) return;
    upsweep_scan_any_run(UPSWEEP_INPUT_AT(in, i * UPSWEEP_TREE_RUN), UPSWEEP_OUTPUT_AT(out, i * UPSWEEP_TREE_RUN), rest,
                         run, exclusive, has_own, own);
}

#endif
#endif
