// SPDX-License-Identifier: MIT
// Runs of rows of a column of an array of two dimensions: element r of column c is number r * pitch + c. A work-item has a
// run of a column beside its neighbours, so that a work-group reads along rows.
//
// CPUs take neighbouring columns together, as one of vectors: then a load hook says how many, UPSWEEP_COLUMN_STEP, and the
// hooks' elements and values are vectors that begin anywhere.
//
// UPSWEEP_ITEMS: rows of a run, which are loaded together.
#ifndef UPSWEEP_COLUMN_RUNS
#define UPSWEEP_COLUMN_RUNS
#include "tile/tree.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif
#ifndef UPSWEEP_COLUMN_STEP
#define UPSWEEP_COLUMN_STEP 1
#endif
#define UPSWEEP_RUN UPSWEEP_PRIVATE(UPSWEEP_ITEMS)

// A part of a column of elements, or of sums, seen from the first one: number r is UPSWEEP_LOAD(in, r * pitch), or
// sums[r * pitch].
typedef enum { upsweep_of_elements, upsweep_of_sums } upsweep_column_kind;
typedef struct {
    upsweep_column_kind kind; // a constant after inlining
    upsweep_input in;
    __global upsweep_value* sums;
    upsweep_index pitch;
    upsweep_index size;
    upsweep_index steps; // of the whole work-group: UPSWEEP_ITEMS rows each
} upsweep_column;

// Loads what a column has from `row` on, `count` >= 1 numbers and UPSWEEP_ITEMS at most. Behind them the last one stands
// again, because no load should wait behind a condition. Places are counted on: were they computed from a row's number, as
// those of stores, NVIDIA's compiler would keep them in registers from one to the other, two for each row.
void upsweep_load_rows(upsweep_column from, upsweep_index row, uint count, upsweep_value* run)
{
    upsweep_index at = row * from.pitch;
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) {
        if (from.kind == upsweep_of_sums)
            run[i] = from.sums[at];
        else
            run[i] = UPSWEEP_LOAD(from.in, at);
        at += i + 1 < count ? from.pitch : 0;
    }
    UPSWEEP_READ_AGAIN(run)
}

// Pushes the sums of the first `runs` runs, which are full.
void upsweep_push_runs(upsweep_column from, upsweep_index runs, upsweep_value* stack)
{
    upsweep_value run[UPSWEEP_RUN];
    for (upsweep_index i = 0; i < runs; ++i) {
        upsweep_load_rows(from, i * UPSWEEP_ITEMS, UPSWEEP_ITEMS, run);
        upsweep_sweep_up(run, UPSWEEP_ITEMS, UPSWEEP_ITEMS);
        upsweep_stack_push(stack, i, run[UPSWEEP_ITEMS - 1]);
    }
}

// Stores the results of `count` rows from `row` on: of sums in their place.
void upsweep_store_rows(upsweep_column from, upsweep_output out, upsweep_index row, uint count, const upsweep_value* run)
{
    upsweep_index at = row * from.pitch;
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) {
        if (i < count && from.kind == upsweep_of_sums) from.sums[at] = run[i];
        if (i < count && from.kind == upsweep_of_elements) UPSWEEP_STORE(out, at, run[i]);
        at += from.pitch;
    }
}

// The part of a column that begins at row `first`, `size` elements of it.
upsweep_column upsweep_part_of_column(upsweep_input in, ulong pitch, upsweep_index column, upsweep_index first,
                                      upsweep_index size)
{
    const upsweep_index place = first * (upsweep_index)pitch + column * UPSWEEP_COLUMN_STEP;
    const upsweep_column part = {upsweep_of_elements, UPSWEEP_INPUT_AT(in, place), 0, (upsweep_index)pitch, size,
                                 size / UPSWEEP_ITEMS};
    return part;
}
upsweep_column upsweep_column_of_sums(upsweep_input in, __global upsweep_value* sums, ulong width, ulong parts)
{
    const upsweep_column column = {upsweep_of_sums, in, sums, (upsweep_index)width, (upsweep_index)parts,
                                   (upsweep_index)parts / UPSWEEP_ITEMS};
    return column;
}

#define UPSWEEP_OWN_STACK UPSWEEP_PRIVATE(UPSWEEP_STACK)

// Appends a column to *sum: where it has a power of two of numbers and nothing was before, their tree's root.
void upsweep_append_column(upsweep_column from, uint* has_sum, upsweep_value* sum)
{
    upsweep_value stack[UPSWEEP_OWN_STACK];
    const upsweep_index runs = from.size / UPSWEEP_ITEMS;
    const uint rest = (uint)(from.size % UPSWEEP_ITEMS);
    upsweep_push_runs(from, runs, stack);
    upsweep_stack_append(stack, runs, has_sum, sum);
    if (rest == 0) return;
    // An array of its own: where an index is no constant, NVIDIA's compiler keeps an array in memory.
    upsweep_value last[UPSWEEP_RUN];
    upsweep_load_rows(from, runs * UPSWEEP_ITEMS, rest, last);
    upsweep_sweep_up(last, UPSWEEP_ITEMS, rest);
    for (uint block = UPSWEEP_ITEMS / 2; block > 0; block /= 2)
        if (rest & block) upsweep_append(has_sum, sum, last[upsweep_last_of_block(rest, block)]);
}

#endif
