// SPDX-License-Identifier: MIT
// Reduces rows of one length, each by one sub-group, or narrow ones several by one sub-group side by side. Each element is
// read once. Nothing is combined across rows, so no work-group waits for another.
#ifndef UPSWEEP_REDUCE_ROWS
#define UPSWEEP_REDUCE_ROWS
#include "rows/any_row.cl"
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// `count` rows of `width` >= UPSWEEP_LANES elements, each `gap` elements behind the end of the one before. Result k is
// that of row k.
UPSWEEP_KERNEL upsweep_reduce_rows(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong count, ulong width, ulong gap,
                                   UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_output out = UPSWEEP_OUTPUT(out_offset);
    for (upsweep_index k = upsweep_own_sub_group(); k < count; k += upsweep_all_sub_groups()) {
        const upsweep_index begin = k * (upsweep_index)width;
        const upsweep_row row = {begin, begin + (upsweep_index)width, has_init, init};
        const upsweep_row_source from = {upsweep_of_elements, UPSWEEP_INPUT_AT(in, k * (upsweep_index)gap), 0, 0};
        uint has_sum = UPSWEEP_CANONICAL ? 0 : has_init;
        upsweep_value sum = init;
        upsweep_append_any_row(from, row, &has_sum, &sum);
        if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, sum);
    }
}

// Narrow rows: fewer than UPSWEEP_MOST_ROWS lines. A sub-group takes several side by side, rows k, k + 1, ... before `count`,
// because the loads of one row would leave memory idle.
#if UPSWEEP_CANONICAL
// Rows of 1, 2 or 4 lines, as many as make UPSWEEP_MOST_ROWS lines. No block reaches from one row into another.
void upsweep_reduce_narrow(upsweep_input in, upsweep_output out, upsweep_index k, upsweep_index count, uint width,
                           upsweep_index pitch, uint has_init, upsweep_value init)
{
    const uint row_bits = 31 - clz(width / UPSWEEP_LANES);
    const uint real = UPSWEEP_AT_MOST(count - k, UPSWEEP_MOST_ROWS >> row_bits) << row_bits; // lines
    upsweep_value lines[UPSWEEP_MOST_ROWS];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_MOST_ROWS; ++i) {
        const uint line = min(i, real - 1);
        const uint row = line >> row_bits;
        lines[i] = UPSWEEP_LOAD(in, (k + row) * pitch + (line - (row << row_bits)) * UPSWEEP_LANES + upsweep_lane());
    }
    if (has_init && upsweep_lane() == 0) {
#pragma unroll
        for (uint i = 0; i < UPSWEEP_MOST_ROWS; ++i)
            if ((i & ((1u << row_bits) - 1)) == 0) lines[i] = upsweep_combine(init, lines[i]);
    }
    upsweep_value sum = upsweep_lanes_line_sums(lines, UPSWEEP_MOST_ROWS, (1u << real) - 1);
    const uint line = upsweep_lane_of_line(upsweep_lane() % UPSWEEP_MOST_ROWS, UPSWEEP_MOST_ROWS); // each the other's inverse
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_ROW_BITS; ++bit) {
        if (bit >= row_bits) continue;
        const uint distance = UPSWEEP_MOST_ROWS / 2 >> bit; // of the lanes that have neighbouring lines, then pairs of them
        const upsweep_value other = upsweep_exchange(sum, distance);
        if (line < real) sum = upsweep_join(sum, other, distance);
    }
    const uint row = line >> row_bits;
    if (upsweep_lane() < UPSWEEP_MOST_ROWS && line < real && row << row_bits == line) UPSWEEP_STORE(out, k + row, sum);
}
#define UPSWEEP_NARROW_ROWS(width) (UPSWEEP_MOST_ROWS / ((width) / UPSWEEP_LANES))
#else
// UPSWEEP_MOST_ROWS rows of any width. A lane combines what it has of a row; then lanes do.
void upsweep_reduce_narrow(upsweep_input in, upsweep_output out, upsweep_index k, upsweep_index count, uint width,
                           upsweep_index pitch, uint has_init, upsweep_value init)
{
    const uint real = UPSWEEP_AT_MOST(count - k, UPSWEEP_MOST_ROWS);
    upsweep_value sums[UPSWEEP_MOST_ROWS];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_MOST_ROWS; ++i)
        sums[i] = UPSWEEP_LOAD(in, (k + min(i, real - 1)) * pitch + upsweep_lane());
#pragma unroll 1
    for (uint begin = UPSWEEP_LANES; begin < width; begin += UPSWEEP_LANES) {
        const uint at = min(begin + upsweep_lane(), width - 1);
        upsweep_value elements[UPSWEEP_MOST_ROWS];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_MOST_ROWS; ++i) elements[i] = UPSWEEP_LOAD(in, (k + min(i, real - 1)) * pitch + at);
        if (begin + upsweep_lane() < width) {
#pragma unroll
            for (uint i = 0; i < UPSWEEP_MOST_ROWS; ++i) sums[i] = upsweep_combine(sums[i], elements[i]);
        }
    }
    const upsweep_value sum = upsweep_lanes_line_sums(sums, UPSWEEP_MOST_ROWS, (1u << real) - 1);
    const uint row = upsweep_lane_of_line(upsweep_lane() % UPSWEEP_MOST_ROWS, UPSWEEP_MOST_ROWS); // each the other's inverse
    if (upsweep_lane() < UPSWEEP_MOST_ROWS && row < real)
        UPSWEEP_STORE(out, k + row, has_init ? upsweep_combine(init, sum) : sum);
}
#define UPSWEEP_NARROW_ROWS(width) UPSWEEP_MOST_ROWS
#endif

// The same as upsweep_reduce_rows for narrow rows; where UPSWEEP_CANONICAL is 1, of a power of two of elements.
UPSWEEP_KERNEL upsweep_reduce_narrow_rows(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong count, ulong width,
                                          ulong gap, UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint has_init,
                                          UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_output out = UPSWEEP_OUTPUT(out_offset);
    const upsweep_index rows = UPSWEEP_NARROW_ROWS((uint)width);
    for (upsweep_index k = upsweep_own_sub_group() * rows; k < count; k += upsweep_all_sub_groups() * rows)
        upsweep_reduce_narrow(in, out, k, (upsweep_index)count, (uint)width, (upsweep_index)(width + gap), has_init,
                              init);
}

#endif
