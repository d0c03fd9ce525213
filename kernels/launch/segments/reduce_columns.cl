// SPDX-License-Identifier: MIT
// Reductions down the columns of an array of two dimensions, each in the canonical order (tile/tree.cl) as if it were alone.
#ifndef UPSWEEP_REDUCE_COLUMNS
#define UPSWEEP_REDUCE_COLUMNS
#include "launch/segments/column_parts.cl"

// What each column is reduced to, from the sums of its first `parts` parts and the elements behind these.
UPSWEEP_KERNEL upsweep_join_columns(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong width, ulong pitch, ulong height,
                                    ulong parts, uint part_bits, __global upsweep_value* sums, UPSWEEP_OUTPUT_PARAMETERS,
                                    ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_index column = (upsweep_index)get_global_id(0);
    if (column >= width) return;
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    uint has_sum = has_init;
    upsweep_value sum = init;
    if (parts > 0) upsweep_append_column(upsweep_column_of_sums(in, sums + column, width, parts), &has_sum, &sum);
    const upsweep_index first = (upsweep_index)parts << part_bits;
    upsweep_append_column(upsweep_part_of_column(in, pitch, column, first, (upsweep_index)height - first), &has_sum, &sum);
    UPSWEEP_STORE(UPSWEEP_OUTPUT(out_offset), column * UPSWEEP_COLUMN_STEP, sum);
}

#endif
