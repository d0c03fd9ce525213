// SPDX-License-Identifier: MIT
// Reduces long rows of one length where there are fewer rows than sub-groups. A part is an aligned block of 2^part_bits
// elements among those of all rows; a row is as long as UPSWEEP_LANES parts, or longer. In the first launch each part is
// reduced by one sub-group; of a part in which a row begins, the elements from there on. In the second launch each row is
// reduced by one sub-group, from the sums of its parts and the elements behind the last of them. Each element is read once.
#ifndef UPSWEEP_REDUCE_LONG_ROWS
#define UPSWEEP_REDUCE_LONG_ROWS
#include "rows/any_row.cl"
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// Sums of `parts` parts.
UPSWEEP_KERNEL upsweep_sum_row_parts(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong parts, ulong width, ulong gap,
                                     uint part_bits, __global upsweep_value* sums, uint has_init,
                                     UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    for (upsweep_index part = upsweep_own_sub_group(); part < parts; part += upsweep_all_sub_groups()) {
        const upsweep_index end = (part + 1) << part_bits;
        const upsweep_index k = (end - 1) / (upsweep_index)width; // the row that the end is in
        const upsweep_index row_begin = k * (upsweep_index)width;
        const upsweep_index begin = max(part << part_bits, row_begin);
        const upsweep_row row = {begin, end, has_init && begin == row_begin, init};
        const upsweep_row_source from = {upsweep_of_elements, UPSWEEP_INPUT_AT(in, k * (upsweep_index)gap), 0, 0};
        uint has_sum = 0;
        upsweep_value sum = init;
        upsweep_append_any_row(from, row, &has_sum, &sum);
        if (upsweep_lane() == 0) sums[part] = sum;
    }
}

// `count` rows of `width` elements, each `gap` elements behind the end of the one before. Result k is that of row k.
UPSWEEP_KERNEL upsweep_join_row_parts(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong count, ulong width, ulong gap,
                                      uint part_bits, const __global upsweep_value* sums, UPSWEEP_OUTPUT_PARAMETERS,
                                      ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_output out = UPSWEEP_OUTPUT(out_offset);
    for (upsweep_index k = upsweep_own_sub_group(); k < count; k += upsweep_all_sub_groups()) {
        const upsweep_index begin = k * (upsweep_index)width;
        const upsweep_index end = begin + (upsweep_index)width;
        uint has_sum = UPSWEEP_CANONICAL ? 0 : has_init;
        upsweep_value sum = init;
        const upsweep_row parts = {begin >> part_bits, end >> part_bits, 0, init};
        const upsweep_row_source of_sums = {upsweep_of_sums, in, sums, 0};
        upsweep_append_any_row(of_sums, parts, &has_sum, &sum);
        const upsweep_row last = {parts.end << part_bits, end, 0, init};
        const upsweep_row_source of_elements = {upsweep_of_elements, UPSWEEP_INPUT_AT(in, k * (upsweep_index)gap), 0, 0};
        if (last.begin < end) upsweep_append_any_row(of_elements, last, &has_sum, &sum);
        if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, sum);
    }
}

#endif
