// SPDX-License-Identifier: MIT
// Reduces rows of one length, each by one sub-group, or narrow ones several by one sub-group side by side. Each element is
// read once. Nothing is combined across rows, so no work-group waits for another.
//
// The order is that of the flagged operator over all elements (segment_text.hpp): blocks of powers of two elements lie at
// multiples of their size from the beginning of the first row, not of each row, and what stands before a row's first
// element is absent. UPSWEEP_CANONICAL 0: the operator is exact and commutative, so lanes combine what they read.
//
// A line is as many neighbouring elements as a sub-group has lanes, the first of them at a multiple of their number.
#ifndef UPSWEEP_REDUCE_ROWS
#define UPSWEEP_REDUCE_ROWS
#include "sub_group/lanes_tree.cl"
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// Lines whose loads are under way together.
#define UPSWEEP_LINES UPSWEEP_MOST_ROWS
#define UPSWEEP_LINES_BITS UPSWEEP_ROW_BITS

// One row: where its elements begin and end among those of all rows. Element i of them is UPSWEEP_LOAD(in, i).
typedef struct {
    upsweep_index begin;
    upsweep_index end; // UPSWEEP_LANES elements behind `begin`, or more
    uint has_init;
    upsweep_value init; // to the left of the first element
} upsweep_row;

#if UPSWEEP_CANONICAL
// Sums of blocks, kept until they are combined with what follows: lane b has that of 2^b lines, where bit b is set.
typedef struct {
    upsweep_value sums;
    uint present;
} upsweep_row_blocks;

upsweep_value upsweep_row_element(upsweep_input in, upsweep_row row, upsweep_index i)
{
    const upsweep_value element = UPSWEEP_LOAD(in, i);
    return row.has_init && i == row.begin ? upsweep_combine(row.init, element) : element;
}

// Adds the sum of block number `index` of 2^bit lines, behind all blocks that were added before.
void upsweep_add_block(upsweep_row_blocks* blocks, upsweep_index index, uint bit, upsweep_value sum)
{
#pragma unroll 1
    for (; index & 1; index >>= 1, ++bit)
        if (blocks->present >> bit & 1u) sum = upsweep_combine(upsweep_from_lane(blocks->sums, bit), sum);
    if (upsweep_lane() == bit) blocks->sums = sum;
    blocks->present = (blocks->present >> bit | 1u) << bit;
}

// The sum, in all lanes, of a line whose first `skipped` elements, 1 or more, are absent.
upsweep_value upsweep_sum_line_end(upsweep_value element, uint skipped)
{
    const uint lane = upsweep_lane();
    upsweep_value sum = element;
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
        const upsweep_value other = upsweep_exchange(sum, distance);
        const uint left_end = (lane & ~(2 * distance - 1)) + distance;
        if (left_end > skipped)
            sum = upsweep_join(sum, other, distance);
        else if (!(lane & distance))
            sum = other;
    }
    return sum;
}

// Adds lines `first` to `last` - 1 of UPSWEEP_LINES that begin at line `begin`, a multiple of that.
void upsweep_add_lines(upsweep_row_blocks* blocks, upsweep_input in, upsweep_row row, upsweep_index begin, uint first,
                       uint last)
{
    upsweep_value lines[UPSWEEP_LINES];
#pragma unroll
    for (uint k = 0; k < UPSWEEP_LINES; ++k) {
        // Other lines are read where the row has elements, because no load should wait behind a condition.
        const upsweep_index i = (begin + k) * UPSWEEP_LANES + upsweep_lane();
        lines[k] = upsweep_row_element(in, row, min(max(i, row.begin), row.end - 1));
    }
    const uint real = (1u << last) - (1u << first);
    const upsweep_value sums = upsweep_lanes_line_sums(lines, UPSWEEP_LINES, real);
    if (last - first == UPSWEEP_LINES) {
        upsweep_add_block(blocks, begin / UPSWEEP_LINES, UPSWEEP_LINES_BITS,
                          upsweep_lanes_join_lines(sums, UPSWEEP_LINES));
        return;
    }
#pragma unroll 1
    for (uint k = first; k < last; ++k)
        upsweep_add_block(blocks, begin + k, 0, upsweep_from_lane(sums, upsweep_lane_of_line(k, UPSWEEP_LINES)));
}

// The reduction of a row, in all lanes.
upsweep_value upsweep_reduce_row(upsweep_input in, upsweep_row row)
{
    const uint skipped = (uint)(row.begin % UPSWEEP_LANES);
    const uint rest = (uint)(row.end % UPSWEEP_LANES);
    const upsweep_index end = row.end / UPSWEEP_LANES; // of whole lines
    upsweep_index line = row.begin / UPSWEEP_LANES;
    const upsweep_value before =
        upsweep_row_element(in, row, max(line * UPSWEEP_LANES + upsweep_lane(), row.begin));
    const upsweep_value behind = UPSWEEP_LOAD(in, min(end * UPSWEEP_LANES + upsweep_lane(), row.end - 1));
    upsweep_row_blocks blocks = {before, 0};
    if (skipped > 0) {
        upsweep_add_block(&blocks, line, 0, upsweep_sum_line_end(before, skipped));
        ++line;
    }
    while (line < end) {
        const uint first = (uint)(line % UPSWEEP_LINES);
        const upsweep_index begin = line - first;
        const uint last = (uint)min(end - begin, (upsweep_index)UPSWEEP_LINES);
        upsweep_add_lines(&blocks, in, row, begin, first, last);
        line = begin + last;
    }
    uint has_sum = 0;
    upsweep_value sum = before;
#pragma unroll 1
    while (blocks.present != 0) {
        const uint bit = 31 - clz(blocks.present);
        upsweep_append(&has_sum, &sum, upsweep_from_lane(blocks.sums, bit));
        blocks.present ^= 1u << bit;
    }
    if (rest > 0) upsweep_append_lanes(behind, rest, &has_sum, &sum);
    return sum;
}
#else
// Combines *sum with `count` elements (constant after inlining) that a lane has from element i on, UPSWEEP_LANES apart.
void upsweep_add_strided(upsweep_value* sum, upsweep_input in, upsweep_index i, uint count)
{
    upsweep_value elements[UPSWEEP_LINES];
#pragma unroll
    for (uint k = 0; k < count; ++k) elements[k] = UPSWEEP_LOAD(in, i + k * UPSWEEP_LANES);
#pragma unroll
    for (uint k = 0; k < count; ++k) *sum = upsweep_combine(*sum, elements[k]);
}

upsweep_value upsweep_reduce_row(upsweep_input in, upsweep_row row)
{
    upsweep_index i = row.begin + upsweep_lane();
    upsweep_value sum = UPSWEEP_LOAD(in, i);
    upsweep_index lines = (row.end - row.begin) / UPSWEEP_LANES - 1;
    i += UPSWEEP_LANES;
#pragma unroll 1
    for (; lines >= UPSWEEP_LINES; lines -= UPSWEEP_LINES, i += UPSWEEP_LINES * UPSWEEP_LANES)
        upsweep_add_strided(&sum, in, i, UPSWEEP_LINES);
#pragma unroll
    for (uint bit = UPSWEEP_LINES_BITS; bit-- > 0;)
        if (lines >> bit & 1u) {
            upsweep_add_strided(&sum, in, i, 1u << bit);
            i += (1u << bit) * UPSWEEP_LANES;
        }
    if (i < row.end) upsweep_add_strided(&sum, in, i, 1);
    sum = upsweep_lanes_sum(sum);
    return row.has_init ? upsweep_combine(row.init, sum) : sum;
}
#endif

// `count` rows of `width` >= UPSWEEP_LANES elements, each `gap` elements behind the end of the one before. Result k is
// that of row k.
UPSWEEP_KERNEL upsweep_reduce_rows(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong count, ulong width, ulong gap,
                                   UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    const upsweep_output out = UPSWEEP_OUTPUT(out_offset);
    const upsweep_index sub_groups = (upsweep_index)(get_num_groups(0) * UPSWEEP_SUB_GROUPS_PER_GROUP);
    upsweep_index k = (upsweep_index)get_group_id(0) * UPSWEEP_SUB_GROUPS_PER_GROUP + upsweep_sub_group();
    for (; k < count; k += sub_groups) {
        const upsweep_index begin = k * (upsweep_index)width;
        const upsweep_row row = {begin, begin + (upsweep_index)width, has_init, init};
        const upsweep_value sum = upsweep_reduce_row(UPSWEEP_INPUT_AT(in, k * (upsweep_index)gap), row);
        if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, sum);
    }
}

// Narrow rows: fewer than UPSWEEP_LINES lines. A sub-group takes several side by side, rows k, k + 1, ... before `count`,
// because the loads of one row would leave memory idle.
#if UPSWEEP_CANONICAL
// Rows of 1, 2 or 4 lines, as many as make UPSWEEP_LINES lines. No block reaches from one row into another.
void upsweep_reduce_narrow(upsweep_input in, upsweep_output out, upsweep_index k, upsweep_index count, uint width,
                           upsweep_index pitch, uint has_init, upsweep_value init)
{
    const uint row_bits = 31 - clz(width / UPSWEEP_LANES);
    const uint real = (uint)min(count - k, (upsweep_index)(UPSWEEP_LINES >> row_bits)) << row_bits; // lines
    upsweep_value lines[UPSWEEP_LINES];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_LINES; ++i) {
        const uint line = min(i, real - 1);
        const uint row = line >> row_bits;
        lines[i] = UPSWEEP_LOAD(in, (k + row) * pitch + (line - (row << row_bits)) * UPSWEEP_LANES + upsweep_lane());
    }
    if (has_init && upsweep_lane() == 0) {
#pragma unroll
        for (uint i = 0; i < UPSWEEP_LINES; ++i)
            if ((i & ((1u << row_bits) - 1)) == 0) lines[i] = upsweep_combine(init, lines[i]);
    }
    upsweep_value sum = upsweep_lanes_line_sums(lines, UPSWEEP_LINES, (1u << real) - 1);
    const uint line = upsweep_lane_of_line(upsweep_lane() % UPSWEEP_LINES, UPSWEEP_LINES); // each the other's inverse
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LINES_BITS; ++bit) {
        if (bit >= row_bits) continue;
        const uint distance = UPSWEEP_LINES / 2 >> bit; // of the lanes that have neighbouring lines, then pairs of them
        const upsweep_value other = upsweep_exchange(sum, distance);
        if (line < real) sum = upsweep_join(sum, other, distance);
    }
    const uint row = line >> row_bits;
    if (upsweep_lane() < UPSWEEP_LINES && line < real && row << row_bits == line) UPSWEEP_STORE(out, k + row, sum);
}
#define UPSWEEP_NARROW_ROWS(width) (UPSWEEP_LINES / ((width) / UPSWEEP_LANES))
#else
// UPSWEEP_LINES rows of any width. A lane combines what it has of a row; then lanes do.
void upsweep_reduce_narrow(upsweep_input in, upsweep_output out, upsweep_index k, upsweep_index count, uint width,
                           upsweep_index pitch, uint has_init, upsweep_value init)
{
    const uint real = (uint)min(count - k, (upsweep_index)UPSWEEP_LINES);
    upsweep_value sums[UPSWEEP_LINES];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_LINES; ++i)
        sums[i] = UPSWEEP_LOAD(in, (k + min(i, real - 1)) * pitch + upsweep_lane());
#pragma unroll 1
    for (uint begin = UPSWEEP_LANES; begin < width; begin += UPSWEEP_LANES) {
        const uint at = min(begin + upsweep_lane(), width - 1);
        upsweep_value elements[UPSWEEP_LINES];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_LINES; ++i) elements[i] = UPSWEEP_LOAD(in, (k + min(i, real - 1)) * pitch + at);
        if (begin + upsweep_lane() < width) {
#pragma unroll
            for (uint i = 0; i < UPSWEEP_LINES; ++i) sums[i] = upsweep_combine(sums[i], elements[i]);
        }
    }
    const upsweep_value sum = upsweep_lanes_line_sums(sums, UPSWEEP_LINES, (1u << real) - 1);
    const uint row = upsweep_lane_of_line(upsweep_lane() % UPSWEEP_LINES, UPSWEEP_LINES); // each the other's inverse
    if (upsweep_lane() < UPSWEEP_LINES && row < real)
        UPSWEEP_STORE(out, k + row, has_init ? upsweep_combine(init, sum) : sum);
}
#define UPSWEEP_NARROW_ROWS(width) UPSWEEP_LINES
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
    const upsweep_index turn = (upsweep_index)(get_num_groups(0) * UPSWEEP_SUB_GROUPS_PER_GROUP) * rows;
    upsweep_index k = ((upsweep_index)get_group_id(0) * UPSWEEP_SUB_GROUPS_PER_GROUP + upsweep_sub_group()) * rows;
    for (; k < count; k += turn)
        upsweep_reduce_narrow(in, out, k, (upsweep_index)count, (uint)width, (upsweep_index)(width + gap), has_init,
                              init);
}

#endif
