// The canonical order (tree.cl) for one work-item on its own: runs of UPSWEEP_TREE_RUN elements as trees in registers, whose
// operations do not wait for one another, and the runs put together as a counter counts.
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

// Appends the blocks that make up [0, size) to *sum: for a size that is a power of two and no sum before, the tree's root.
void upsweep_append_serially(__global const upsweep_element* in, ulong size, uint* has_sum, upsweep_value* sum)
{
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value run[UPSWEEP_TREE_RUN];
    const ulong runs = size / UPSWEEP_TREE_RUN;
    for (ulong i = 0; i < runs; ++i) {
        upsweep_load_tree_run(in + i * UPSWEEP_TREE_RUN, UPSWEEP_TREE_RUN, run);
        upsweep_sweep_up(run, UPSWEEP_TREE_RUN, UPSWEEP_TREE_RUN);
        upsweep_stack_push(stack, i, run[UPSWEEP_TREE_RUN - 1]);
    }
    upsweep_stack_append(stack, UPSWEEP_STACK, runs, has_sum, sum);
    const uint rest = (uint)(size % UPSWEEP_TREE_RUN);
    if (rest == 0) return;
    upsweep_load_tree_run(in + runs * UPSWEEP_TREE_RUN, rest, run);
    upsweep_sweep_up(run, UPSWEEP_TREE_RUN, rest);
    for (uint block = UPSWEEP_TREE_RUN / 2; block > 0; block /= 2)
        if (rest & block) upsweep_append(has_sum, sum, run[(rest & ~(2 * block - 1)) + block - 1]);
}

// One run of `size` elements from its prefix.
void upsweep_scan_tree_run(__global upsweep_value* out, uint size, const upsweep_value* run, upsweep_value* sums,
                           uint exclusive, uint has_prefix, upsweep_value prefix)
{
    upsweep_sweep_down(sums, UPSWEEP_TREE_RUN, size, has_prefix, prefix);
    if (exclusive) {
        for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i)
            if (i < size) out[i] = sums[i];
    } else {
        for (uint i = 0; i < UPSWEEP_TREE_RUN; ++i)
            if (i < size) out[i] = i > 0 || has_prefix ? upsweep_combine(sums[i], run[i]) : run[i];
    }
}

// Scans `size` elements. before[k] keeps what precedes the latest block of 2^k runs whose bit was set, so that the prefix of
// the next run takes one combination.
void upsweep_scan_tree(__global const upsweep_element* in, __global upsweep_value* out, ulong size, uint exclusive,
                       uint has_prefix, upsweep_value prefix)
{
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value before[UPSWEEP_STACK];
    upsweep_value run[UPSWEEP_TREE_RUN];
    upsweep_value sums[UPSWEEP_TREE_RUN];
    upsweep_value own = prefix;
    uint has_own = has_prefix;
    ulong i = 0;
    for (; (i + 1) * UPSWEEP_TREE_RUN <= size; ++i) {
        upsweep_load_tree_run(in + i * UPSWEEP_TREE_RUN, UPSWEEP_TREE_RUN, run);
        for (uint k = 0; k < UPSWEEP_TREE_RUN; ++k) sums[k] = run[k];
        upsweep_sweep_up(sums, UPSWEEP_TREE_RUN, UPSWEEP_TREE_RUN);
        const uint bit = upsweep_stack_push(stack, i, sums[UPSWEEP_TREE_RUN - 1]);
        upsweep_scan_tree_run(out + i * UPSWEEP_TREE_RUN, UPSWEEP_TREE_RUN, run, sums, exclusive, has_own, own);
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
    for (uint k = 0; k < UPSWEEP_TREE_RUN; ++k)
        if (k < rest) sums[k] = run[k];
    upsweep_sweep_up(sums, UPSWEEP_TREE_RUN, rest);
    upsweep_scan_tree_run(out + i * UPSWEEP_TREE_RUN, rest, run, sums, exclusive, has_own, own);
}

#endif
