// SPDX-License-Identifier: MIT
// Reduces segments, each by one work-item, as suits CPUs: nothing is marked or scanned, and everything is read once. Of
// segments by offsets, work-items take equal shares of the list of all elements and segments, so that neither short segments
// nor empty ones make a share longer than another; but no segment is divided.
#ifndef UPSWEEP_REDUCE_EACH
#define UPSWEEP_REDUCE_EACH
#include "segments/offsets.cl"
#include "tile/serial_tree.cl"
#include "tile/sum_vectors.cl"
#if UPSWEEP_TREE_RUN > 1

#if UPSWEEP_EXACT
// What the elements from `begin` up to `end` make, of which there is one at least.
UPSWEEP_OUTLINE
upsweep_value upsweep_sum_segment(upsweep_input in, ulong begin, ulong end, uint has_init, upsweep_value init)
{
    const upsweep_value sum = upsweep_sum_range(in, begin, end);
    return has_init ? upsweep_after_init(init, sum) : sum;
}
#else
// Where vectors are loaded, of whole runs; other elements go in shorter ones.
#define UPSWEEP_SMALL_RUN (UPSWEEP_LOADS_VECTORS ? 4 : UPSWEEP_TREE_RUN)
#define UPSWEEP_BITS_OF(run) (31 - clz((uint)(run)))

// The same in the canonical order (tile/tree.cl) of all elements, of which each block drops what precedes `begin`. Entry k
// of the stack has the sum of 2^k elements, or of those of them in the segment, where bit k of `levels` is set. There is
// one for each bit of a place, not of a number of elements: a segment may begin anywhere.
UPSWEEP_OUTLINE
upsweep_value upsweep_sum_segment(upsweep_input in, ulong begin, ulong end, uint has_init, upsweep_value init)
{
    upsweep_value stack[64];
    upsweep_value run[UPSWEEP_SMALL_RUN];
    ulong levels = 0;
    for (ulong i = begin; i < end;) {
        const uint begins = i == begin && has_init;
        const upsweep_input here = UPSWEEP_INPUT_AT(in, i);
        upsweep_value sum;
        uint level = 0;
        ulong next = i + 1;
#if UPSWEEP_LOADS_VECTORS
        if (i % UPSWEEP_TREE_RUN == 0 && end - i >= UPSWEEP_TREE_RUN && !begins) {
            const uint is_large = i % (8 * UPSWEEP_TREE_RUN) == 0 && end - i >= 8 * UPSWEEP_TREE_RUN;
            sum = is_large ? upsweep_sum_eight_runs(here) : upsweep_sum_full_run(here, run);
            level = UPSWEEP_BITS_OF(UPSWEEP_TREE_RUN) + (is_large ? 3 : 0);
            next = i + (is_large ? 8 * UPSWEEP_TREE_RUN : UPSWEEP_TREE_RUN);
        } else
#endif
        if (i % UPSWEEP_SMALL_RUN == 0 && end - i >= UPSWEEP_SMALL_RUN) {
            for (uint k = 0; k < UPSWEEP_SMALL_RUN; ++k) run[k] = UPSWEEP_LOAD(here, k);
            UPSWEEP_READ_AGAIN(run)
            if (begins) run[0] = upsweep_after_init(init, run[0]);
            upsweep_sweep_up(run, UPSWEEP_SMALL_RUN, UPSWEEP_SMALL_RUN);
            sum = run[UPSWEEP_SMALL_RUN - 1];
            level = UPSWEEP_BITS_OF(UPSWEEP_SMALL_RUN);
            next = i + UPSWEEP_SMALL_RUN;
        } else {
            sum = UPSWEEP_LOAD(here, 0);
            if (begins) sum = upsweep_after_init(init, sum);
        }
        for (; i >> level & 1; ++level) {
            if (levels >> level & 1) sum = upsweep_combine(stack[level], sum);
            levels &= ~(1ul << level);
        }
        stack[level] = sum;
        levels |= 1ul << level;
        i = next;
    }
    uint has_sum = 0;
    upsweep_value sum = init;
    upsweep_stack_append(stack, levels, &has_sum, &sum);
    return sum;
}
#endif

// Reduces segments from k up to `last`, to results that begin at `out`.
UPSWEEP_OUTLINE
void upsweep_reduce_segments(upsweep_input in, upsweep_offsets offsets, ulong k, ulong last, ulong n,
                             upsweep_output out, uint has_init, upsweep_value init)
{
    ulong begin = upsweep_begin_of(offsets, k, n);
    for (; k < last; ++k) {
        const ulong end = upsweep_begin_of(offsets, k + 1, n);
        if (begin < end)
            UPSWEEP_STORE(out, k, upsweep_sum_segment(in, begin, end, has_init, init));
        else
            UPSWEEP_STORE(out, k, init);
        begin = end;
    }
}

// The same for rows. Places in the canonical order are those without gaps.
UPSWEEP_OUTLINE
void upsweep_reduce_rows(upsweep_input in, ulong k, ulong last, ulong width, ulong gap, upsweep_output out,
                         uint has_init, upsweep_value init)
{
    for (; k < last; ++k)
        UPSWEEP_STORE(out, k,
                      upsweep_sum_segment(UPSWEEP_INPUT_AT(in, k * gap), k * width, (k + 1) * width, has_init, init));
}

// `share`: places of the list that a work-item takes.
UPSWEEP_KERNEL upsweep_reduce_each(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, upsweep_offsets offsets,
                                   ulong offsets_begin, ulong segments, ulong n, ulong share, UPSWEEP_OUTPUT_PARAMETERS,
                                   ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const ulong place = (ulong)get_global_id(0) * share;
    offsets += offsets_begin;
    const ulong first = upsweep_first_from(offsets, 1, 0, segments, n, place);
    const ulong last = upsweep_first_from(offsets, 1, 0, segments, n, place + share);
    upsweep_reduce_segments(UPSWEEP_INPUT(in_offset), offsets, first, last, n, UPSWEEP_OUTPUT(out_offset), has_init,
                            init);
}

// The same for rows of `width` elements each, of which a work-item takes `share`; `gap` elements lie between two rows.
UPSWEEP_KERNEL upsweep_reduce_each_row(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong height, ulong width, ulong gap,
                                       ulong share, UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint has_init,
                                       UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const ulong first = min((ulong)get_global_id(0) * share, height);
    const ulong last = first + min(share, height - first);
    upsweep_reduce_rows(UPSWEEP_INPUT(in_offset), first, last, width, gap, UPSWEEP_OUTPUT(out_offset), has_init, init);
}

#endif
#endif
