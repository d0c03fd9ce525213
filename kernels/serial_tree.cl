// The canonical order (tree.cl) for one work-item on its own: runs of UPSWEEP_TREE_RUN elements as trees, and the runs put
// together as a counter counts.
//
// Runs of 128 are worked on level by level in loops over neighbours, which compilers for CPUs turn into vector instructions:
// PoCL on two cores, scan of 2^26 float: 29 ms; with the sweeps of tree.cl, run after run, 103 ms.
#ifndef UPSWEEP_SERIAL_TREE
#define UPSWEEP_SERIAL_TREE
#ifndef UPSWEEP_TREE_SWEEPS
#include "tree.cl"
#endif

void upsweep_load_tree_run(__global const upsweep_element* in, uint size, upsweep_value* run)
{
    for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i)
        if (i < size) run[i] = in[i];
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

// The sum of a full run.
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

// Appends the blocks that make up [0, size) to *sum: for a size that is a power of two and no sum before, the tree's root.
void upsweep_append_serially(__global const upsweep_element* in, ulong size, uint* has_sum, upsweep_value* sum)
{
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value run[UPSWEEP_TREE_RUN];
    const ulong runs = size / UPSWEEP_TREE_RUN;
    for (ulong i = 0; i < runs; ++i) {
        upsweep_load_tree_run(in + i * UPSWEEP_TREE_RUN, UPSWEEP_TREE_RUN, run);
        upsweep_stack_push(stack, i, upsweep_sum_tree_run(run));
    }
    upsweep_stack_append(stack, UPSWEEP_STACK, runs, has_sum, sum);
    const uint rest = (uint)(size % UPSWEEP_TREE_RUN);
    if (rest == 0) return;
    upsweep_load_tree_run(in + runs * UPSWEEP_TREE_RUN, rest, run);
    upsweep_sweep_up(run, UPSWEEP_TREE_RUN, rest);
    for (uint block = UPSWEEP_TREE_RUN / 2; block > 0; block /= 2)
        if (rest & block) upsweep_append(has_sum, sum, run[(rest & ~(2 * block - 1)) + block - 1]);
}

// One run of `size` >= 1 elements from its prefix. Returns its sum, if it is full.
upsweep_value upsweep_scan_any_run(__global upsweep_value* out, uint size, const upsweep_value* run, uint exclusive,
                                   uint has_prefix, upsweep_value prefix)
{
    upsweep_value sums[UPSWEEP_TREE_RUN];
    for (uint i = 0; i < size; ++i) sums[i] = run[i];
    upsweep_sweep_up(sums, UPSWEEP_TREE_RUN, size);
    const upsweep_value sum = sums[size - 1];
    upsweep_sweep_down(sums, UPSWEEP_TREE_RUN, size, has_prefix, prefix);
    for (uint i = 0; i < size; ++i)
        out[i] = exclusive ? sums[i] : i > 0 || has_prefix ? upsweep_combine(sums[i], run[i]) : run[i];
    return sum;
}

// One full run from its prefix, which there is. Returns its sum.
upsweep_value upsweep_scan_full_run(__global upsweep_value* out, const upsweep_value* run, uint exclusive,
                                    upsweep_value prefix)
{
#if UPSWEEP_TREE_RUN == 128
    upsweep_value sums[UPSWEEP_LEVELS];
    upsweep_value prefixes[UPSWEEP_TREE_RUN];
    upsweep_sum_levels(run, sums);
    upsweep_prefix_levels(run, sums, prefix, prefixes);
    if (exclusive)
        for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i) out[i] = prefixes[i];
    else
        for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i) out[i] = upsweep_combine(prefixes[i], run[i]);
    return sums[UPSWEEP_LEVELS - 1];
#else
    return upsweep_scan_any_run(out, UPSWEEP_TREE_RUN, run, exclusive, 1, prefix);
#endif
}

// Scans `size` elements. before[k] keeps what precedes the latest block of 2^k runs whose bit was set, so that the prefix of
// the next run takes one combination.
void upsweep_scan_tree(__global const upsweep_element* in, __global upsweep_value* out, ulong size, uint exclusive,
                       uint has_prefix, upsweep_value prefix)
{
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value before[UPSWEEP_STACK];
    upsweep_value run[UPSWEEP_TREE_RUN];
    upsweep_value own = prefix;
    uint has_own = has_prefix;
    ulong i = 0;
    for (; (i + 1) * UPSWEEP_TREE_RUN <= size; ++i) {
        upsweep_load_tree_run(in + i * UPSWEEP_TREE_RUN, UPSWEEP_TREE_RUN, run);
        __global upsweep_value* to = out + i * UPSWEEP_TREE_RUN;
        const upsweep_value sum = has_own ? upsweep_scan_full_run(to, run, exclusive, own)
                                          : upsweep_scan_any_run(to, UPSWEEP_TREE_RUN, run, exclusive, 0, own);
        const uint bit = upsweep_stack_push(stack, i, sum);
        // The blocks of run i + 1: those of the bits above `bit`, then the one that was just completed.
        const ulong above = (i + 1) >> (bit + 1);
        uint next = bit + 1;
        while (above != 0 && !(above >> (next - bit - 1) & 1ul)) ++next;
        own = above != 0 ? before[next] : prefix;
        has_own = above != 0 || has_prefix;
        upsweep_append(&has_own, &own, stack[bit]);
        before[bit] = own;
    }
    const uint rest = (uint)(size - i * UPSWEEP_TREE_RUN);
    if (rest == 0) return;
    upsweep_load_tree_run(in + i * UPSWEEP_TREE_RUN, rest, run);
    upsweep_scan_any_run(out + i * UPSWEEP_TREE_RUN, rest, run, exclusive, has_own, own);
}

#endif
