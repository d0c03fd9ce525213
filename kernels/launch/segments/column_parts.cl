// SPDX-License-Identifier: MIT
// The sums of parts of columns, for scans and reductions. A work-item goes down a part, run by run. Work-item g has column
// g % width of part g / width; a part has 2^part_bits rows.
#ifndef UPSWEEP_COLUMN_PARTS
#define UPSWEEP_COLUMN_PARTS
#include "columns/column_runs.cl"

// Sums of the first `parts` parts of each column, which are full: sums[part * width + column].
UPSWEEP_KERNEL upsweep_sum_column_parts(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong width, ulong pitch, ulong parts,
                                        uint part_bits, __global upsweep_value* sums)
{
    const upsweep_index own = (upsweep_index)get_global_id(0);
    if (own >= width * parts) return;
    const upsweep_index part = own / (upsweep_index)width;
    const upsweep_column from =
        upsweep_part_of_column(UPSWEEP_INPUT(in_offset), pitch, own - part * (upsweep_index)width, part << part_bits,
                               (upsweep_index)1 << part_bits);
    uint has_sum = 0;
    upsweep_value sum = UPSWEEP_LOAD(from.in, 0);
    upsweep_append_column(from, &has_sum, &sum);
    sums[own] = sum;
}

#endif
