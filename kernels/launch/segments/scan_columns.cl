// SPDX-License-Identifier: MIT
// Scans down the columns of an array of two dimensions (columns/column_runs.cl). A work-item goes down a
// column, or a part of it, run by run. Work-item g of a launch over parts has column g % width of part g / width; a part has
// 2^part_bits rows, the last one perhaps fewer.
//
// Each column is in the canonical order (tile/tree.cl) as if it were alone.
//
// Work-groups of GPUs go down in step. Where rows do not begin at multiples of what a device's memory moves at once, two
// sub-groups write to one such piece, and it is written once if they do so at the same time. NVIDIA H100, 2^28 int32, scans
// of 248551, 4097 and 1000 columns, us: 1676, 2266 and 1578 without, 1068, 1591 and 1333 in step. Not with PoCL,
// whose 5.0 and 6.0 with POCL_WORK_GROUP_METHOD=cbs lose what a work-item keeps across a barrier in such a loop.
#ifndef UPSWEEP_SCAN_COLUMNS
#define UPSWEEP_SCAN_COLUMNS
#include "launch/segments/column_parts.cl"
#if UPSWEEP_WORK_ITEMS >= 64 && !defined(POCL_DEVICE_ADDRESS_BITS)
#define UPSWEEP_KEEP_STEP barrier(CLK_LOCAL_MEM_FENCE);
#else
#define UPSWEEP_KEEP_STEP
#endif

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
    for (upsweep_index i = 0; i < from.steps; ++i) {
        UPSWEEP_KEEP_STEP
        if (i >= runs) continue;
        upsweep_load_rows(from, i * UPSWEEP_ITEMS, UPSWEEP_ITEMS, run);
        upsweep_sweep_up(run, UPSWEEP_ITEMS, UPSWEEP_ITEMS);
        const upsweep_value next = upsweep_stack_prefix(stack, before, i, run[UPSWEEP_ITEMS - 1], has_prefix, prefix);
        upsweep_sweep_down(run, UPSWEEP_ITEMS, UPSWEEP_ITEMS, has_prefix || i > 0, own);
        if (!exclusive) upsweep_shift(run, UPSWEEP_ITEMS, next);
        upsweep_store_rows(from, out, i * UPSWEEP_ITEMS, UPSWEEP_ITEMS, run);
        own = next;
    }
    if (rest == 0) return;
    upsweep_load_rows(from, runs * UPSWEEP_ITEMS, rest, run);
    upsweep_sweep_up(run, UPSWEEP_ITEMS, rest);
    upsweep_sweep_down(run, UPSWEEP_ITEMS, upsweep_down_entries(UPSWEEP_ITEMS, rest, exclusive), has_prefix || runs > 0,
                       own);
    if (!exclusive) upsweep_shift(run, UPSWEEP_ITEMS, own);
    upsweep_store_rows(from, out, runs * UPSWEEP_ITEMS, rest, run);
}

// From the sum of each part to the prefix of what follows it.
UPSWEEP_KERNEL upsweep_scan_column_sums(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, UPSWEEP_OUTPUT_PARAMETERS, ulong width,
                                        ulong parts, __global upsweep_value* sums, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_index column = (upsweep_index)get_global_id(0);
    const uint is_real = column < width;
    upsweep_column from =
        upsweep_column_of_sums(UPSWEEP_INPUT(in_offset), sums + (is_real ? column : 0), width, is_real ? parts : 0);
    from.steps = (upsweep_index)parts / UPSWEEP_ITEMS;
    upsweep_scan_column(from, UPSWEEP_OUTPUT(0), 0, has_init, init);
}

// Scans each part of each column. `sums`: of each part the prefix of what follows it, with which an inclusive scan of a full
// part ends.
UPSWEEP_KERNEL upsweep_scan_columns(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong width, ulong pitch, ulong height,
                                    ulong parts, uint part_bits, const __global upsweep_value* sums,
                                    UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint exclusive, uint has_init,
                                    UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_index own = (upsweep_index)get_global_id(0);
    const uint is_real = own < width * parts;
    const upsweep_index part = is_real ? own / (upsweep_index)width : 0;
    const upsweep_index column = is_real ? own - part * (upsweep_index)width : 0;
    const upsweep_index first = part << part_bits;
    const upsweep_index size = is_real ? min((upsweep_index)height - first, (upsweep_index)1 << part_bits) : 0;
    upsweep_column from = upsweep_part_of_column(UPSWEEP_INPUT(in_offset), pitch, column, first, size);
    from.steps = min((upsweep_index)height, (upsweep_index)1 << part_bits) / UPSWEEP_ITEMS;
    const upsweep_output all = UPSWEEP_OUTPUT(out_offset);
    const upsweep_output out = UPSWEEP_OUTPUT_AT(all, first * (upsweep_index)pitch + column * UPSWEEP_COLUMN_STEP);
    upsweep_value prefix = init;
    if (part > 0) prefix = sums[own - (upsweep_index)width];
    upsweep_scan_column(from, out, exclusive, has_init || part > 0, prefix);
    if (!exclusive && parts > 1 && size >> part_bits) UPSWEEP_STORE(out, (size - 1) * from.pitch, sums[own]);
}

#endif
