// SPDX-License-Identifier: MIT
// Scans and reductions down the columns of an array of two dimensions: element r of column c is number r * pitch + c. A
// work-item goes down a column, or a part of it, beside its neighbours, so that a work-group reads along rows. Work-item g
// of a launch over parts has column g % width of part g / width; a part has 2^part_bits rows, the last one perhaps fewer.
//
// Each column is in the canonical order (tile/tree.cl) as if it were alone. UPSWEEP_ITEMS: rows that are loaded together.
#ifndef UPSWEEP_COLUMNS
#define UPSWEEP_COLUMNS
#include "tile/tree.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif
#define UPSWEEP_RUN UPSWEEP_PRIVATE(UPSWEEP_ITEMS)
#define UPSWEEP_OWN_STACK UPSWEEP_PRIVATE(UPSWEEP_STACK)

// A part of a column, seen from its first element.
typedef struct {
    upsweep_input in;
    upsweep_index pitch;
    upsweep_index size;
} upsweep_column;

// Loads elements from `row` on, `count` >= 1 of them and UPSWEEP_ITEMS at most. Behind them the last one stands again,
// because no load should wait behind a condition.
void upsweep_load_rows(upsweep_column from, upsweep_index row, uint count, upsweep_value* run)
{
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i)
        run[i] = UPSWEEP_LOAD(from.in, (row + min(i, count - 1)) * from.pitch);
    UPSWEEP_READ_AGAIN(run)
}

// Appends the elements of a column to *sum: where they are a power of two and nothing was before, their tree's root.
void upsweep_append_column(upsweep_column from, uint* has_sum, upsweep_value* sum)
{
    upsweep_value stack[UPSWEEP_OWN_STACK];
    upsweep_value run[UPSWEEP_RUN];
    const upsweep_index runs = from.size / UPSWEEP_ITEMS;
    const uint rest = (uint)(from.size % UPSWEEP_ITEMS);
    for (upsweep_index i = 0; i < runs; ++i) {
        upsweep_load_rows(from, i * UPSWEEP_ITEMS, UPSWEEP_ITEMS, run);
        upsweep_sweep_up(run, UPSWEEP_ITEMS, UPSWEEP_ITEMS);
        upsweep_stack_push(stack, i, run[UPSWEEP_ITEMS - 1]);
    }
    upsweep_stack_append(stack, runs, has_sum, sum);
    if (rest == 0) return;
    // An array of its own: where an index is no constant, NVIDIA's compiler keeps an array in memory.
    upsweep_value last[UPSWEEP_RUN];
    upsweep_load_rows(from, runs * UPSWEEP_ITEMS, rest, last);
    upsweep_sweep_up(last, UPSWEEP_ITEMS, rest);
    for (uint block = UPSWEEP_ITEMS / 2; block > 0; block /= 2)
        if (rest & block) upsweep_append(has_sum, sum, last[upsweep_last_of_block(rest, block)]);
}

void upsweep_store_rows(upsweep_output out, upsweep_index pitch, upsweep_index row, uint count, const upsweep_value* run)
{
    UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i)
        if (i < count) UPSWEEP_STORE(out, (row + i) * pitch, run[i]);
}

// Scans a part of a column from its prefix. Without one nothing precedes it. The last result of an inclusive scan of a part
// that is full, but not the first, is the caller's to set.
void upsweep_scan_column(upsweep_column from, upsweep_output out, uint exclusive, uint has_prefix, upsweep_value prefix)
{
    upsweep_value stack[UPSWEEP_OWN_STACK];
    upsweep_value before[UPSWEEP_OWN_STACK];
    upsweep_value run[UPSWEEP_RUN];
    upsweep_value own = prefix;
    const upsweep_index runs = from.size / UPSWEEP_ITEMS;
    const uint rest = (uint)(from.size % UPSWEEP_ITEMS);
    for (upsweep_index i = 0; i < runs; ++i) {
        upsweep_load_rows(from, i * UPSWEEP_ITEMS, UPSWEEP_ITEMS, run);
        upsweep_sweep_up(run, UPSWEEP_ITEMS, UPSWEEP_ITEMS);
        const upsweep_value next = upsweep_stack_prefix(stack, before, i, run[UPSWEEP_ITEMS - 1], has_prefix, prefix);
        upsweep_sweep_down(run, UPSWEEP_ITEMS, UPSWEEP_ITEMS, has_prefix || i > 0, own);
        if (!exclusive) upsweep_shift(run, UPSWEEP_ITEMS, next);
        upsweep_store_rows(out, from.pitch, i * UPSWEEP_ITEMS, UPSWEEP_ITEMS, run);
        own = next;
    }
    if (rest == 0) return;
    upsweep_load_rows(from, runs * UPSWEEP_ITEMS, rest, run);
    upsweep_sweep_up(run, UPSWEEP_ITEMS, rest);
    upsweep_sweep_down(run, UPSWEEP_ITEMS, upsweep_down_entries(UPSWEEP_ITEMS, rest, exclusive), has_prefix || runs > 0,
                       own);
    if (!exclusive) upsweep_shift(run, UPSWEEP_ITEMS, own);
    upsweep_store_rows(out, from.pitch, runs * UPSWEEP_ITEMS, rest, run);
}

// Sums of the first `parts` parts of each column, which are full: sums[part * width + column].
UPSWEEP_KERNEL upsweep_sum_column_parts(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong width, ulong pitch, ulong parts,
                                        uint part_bits, __global upsweep_value* sums)
{
    const upsweep_index own = (upsweep_index)get_global_id(0);
    if (own >= width * parts) return;
    const upsweep_index part = own / (upsweep_index)width;
    const upsweep_index first = part << part_bits;
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_column from = {
        UPSWEEP_INPUT_AT(in, first * (upsweep_index)pitch + own - part * (upsweep_index)width), (upsweep_index)pitch,
        (upsweep_index)1 << part_bits};
    uint has_sum = 0;
    upsweep_value sum = UPSWEEP_LOAD(from.in, 0);
    upsweep_append_column(from, &has_sum, &sum);
    sums[own] = sum;
}

// What each column is reduced to, from the sums of its first `parts` parts and the elements behind these.
UPSWEEP_KERNEL upsweep_join_columns(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong width, ulong pitch, ulong height,
                                    ulong parts, uint part_bits, const __global upsweep_value* sums,
                                    UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_index column = (upsweep_index)get_global_id(0);
    if (column >= width) return;
    upsweep_value stack[UPSWEEP_OWN_STACK];
    for (upsweep_index part = 0; part < parts; ++part)
        upsweep_stack_push(stack, part, sums[part * (upsweep_index)width + column]);
    uint has_sum = has_init;
    upsweep_value sum = init;
    upsweep_stack_append(stack, parts, &has_sum, &sum);
    const upsweep_index first = (upsweep_index)parts << part_bits;
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_column from = {UPSWEEP_INPUT_AT(in, first * (upsweep_index)pitch + column), (upsweep_index)pitch,
                                 (upsweep_index)height - first};
    upsweep_append_column(from, &has_sum, &sum);
    UPSWEEP_STORE(UPSWEEP_OUTPUT(out_offset), column, sum);
}

// From the sum of each part to the prefix of the part behind it.
UPSWEEP_KERNEL upsweep_scan_column_sums(UPSWEEP_INPUT_PARAMETERS, ulong width, ulong parts, __global upsweep_value* sums,
                                        uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_index column = (upsweep_index)get_global_id(0);
    if (column >= width) return;
    upsweep_value stack[UPSWEEP_OWN_STACK];
    upsweep_value before[UPSWEEP_OWN_STACK];
    for (upsweep_index part = 0; part < parts; ++part) {
        const upsweep_index i = part * (upsweep_index)width + column;
        sums[i] = upsweep_stack_prefix(stack, before, part, sums[i], has_init, init);
    }
}

// Scans each part of each column. `prefixes`: of each part, that of what follows it, with which an inclusive scan of a full
// part ends.
UPSWEEP_KERNEL upsweep_scan_columns(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong width, ulong pitch, ulong height,
                                    ulong parts, uint part_bits, const __global upsweep_value* prefixes,
                                    UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint exclusive, uint has_init,
                                    UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_index own = (upsweep_index)get_global_id(0);
    if (own >= width * parts) return;
    const upsweep_index part = own / (upsweep_index)width;
    const upsweep_index first = part << part_bits;
    const upsweep_index place = first * (upsweep_index)pitch + own - part * (upsweep_index)width;
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_output out = UPSWEEP_OUTPUT(out_offset);
    const upsweep_column from = {UPSWEEP_INPUT_AT(in, place), (upsweep_index)pitch,
                                 min((upsweep_index)height - first, (upsweep_index)1 << part_bits)};
    upsweep_value prefix = init;
    if (part > 0) prefix = prefixes[own - (upsweep_index)width];
    upsweep_scan_column(from, UPSWEEP_OUTPUT_AT(out, place), exclusive, has_init || part > 0, prefix);
    if (!exclusive && parts > 1 && from.size >> part_bits)
        UPSWEEP_STORE(UPSWEEP_OUTPUT_AT(out, place), (from.size - 1) * from.pitch, prefixes[own]);
}

#endif
