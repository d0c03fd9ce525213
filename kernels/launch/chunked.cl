// SPDX-License-Identifier: MIT
// The passes of the `chunked` strategy: few work-groups, each streaming one long contiguous chunk of `chunk` elements
// tile by tile, with the running prefix carried along. A work-group of one work-item needs neither tiles nor local
// memory, which suits CPUs. Offsets are in elements; no chunk is empty.
#ifndef UPSWEEP_CHUNKED
#define UPSWEEP_CHUNKED
#include "tile/tile_scan.cl"
#include "tile/tile_reduce.cl"

// One sum per chunk, with `init` on its left if given (which makes sense for a single chunk). Nothing to reduce: the
// result is `init`, given or not.
UPSWEEP_KERNEL upsweep_reduce_chunks(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong n, ulong chunk,
                                     UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const uint local_id = (uint)get_local_id(0);
    const ulong begin = get_group_id(0) * chunk;
    UPSWEEP_LIMIT(n)
    UPSWEEP_LEAVE_IF(begin > 0 && begin >= n)
    const upsweep_index size = (upsweep_index)min(n - begin, chunk);
    upsweep_input elements = UPSWEEP_INPUT_AT(UPSWEEP_INPUT(in_offset), begin);
    upsweep_value sum = init;
#if UPSWEEP_WORK_ITEMS == 1
    if (n > 0) sum = upsweep_sum_serially(elements, size);
#else
    __local upsweep_value memory[UPSWEEP_REDUCE_MEMORY];
    for (upsweep_index i = 0; i < size; i += UPSWEEP_TILE) {
        const uint valid = UPSWEEP_AT_MOST(size - i, UPSWEEP_TILE);
        const upsweep_value total = upsweep_reduce_tile(local_id, UPSWEEP_INPUT_AT(elements, i), valid, sum, memory);
        sum = i == 0 ? total : upsweep_combine(sum, total);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    upsweep_value result = init;
    if (n > 0) upsweep_append(&has_init, &result, sum);
    if (local_id == 0) UPSWEEP_STORE(UPSWEEP_OUTPUT(out_offset + get_group_id(0)), 0, result);
}

#if UPSWEEP_WORK_ITEMS == 1 && UPSWEEP_TREE_RUN > 1
// The end of a reduction in the canonical order: combines the sums of all full parts of `part` elements, a power of
// two, then what is left over, in one work-item.
UPSWEEP_KERNEL upsweep_finish_parts(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong n, ulong part,
                                    __global const upsweep_value* sums, ulong sums_offset, UPSWEEP_OUTPUT_PARAMETERS,
                                    ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    upsweep_value stack[UPSWEEP_STACK];
    UPSWEEP_LIMIT(n)
    const ulong parts = n / part;
    for (ulong i = 0; i < parts; ++i) upsweep_stack_push(stack, i, sums[sums_offset + i]);
    uint has_sum = has_init;
    upsweep_value sum = init;
    upsweep_stack_append(stack, parts, &has_sum, &sum);
    upsweep_append_serially(UPSWEEP_INPUT_AT(UPSWEEP_INPUT(in_offset), parts * part), n - parts * part, &has_sum, &sum);
    UPSWEEP_STORE(UPSWEEP_OUTPUT(out_offset), 0, sum);
}
#endif

// Scans every chunk from its prefix: `init` if given, then the sums (not scanned) of all chunks before.
UPSWEEP_KERNEL upsweep_scan_chunks(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, UPSWEEP_OUTPUT_PARAMETERS,
                                   ulong out_offset, ulong n, ulong chunk, __global const upsweep_value* sums,
                                   ulong sums_offset, uint exclusive, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const ulong begin = get_group_id(0) * chunk;
    UPSWEEP_LIMIT(n)
    UPSWEEP_LEAVE_IF(begin >= n)
    const upsweep_index size = (upsweep_index)min(n - begin, chunk);
    upsweep_input from = UPSWEEP_INPUT_AT(UPSWEEP_INPUT(in_offset), begin);
    upsweep_output to = UPSWEEP_OUTPUT_AT(UPSWEEP_OUTPUT(out_offset), begin);

    uint has_carry = has_init;
    upsweep_value carry = init;
#if UPSWEEP_WORK_ITEMS == 1 && UPSWEEP_TREE_RUN > 1
    upsweep_value stack[UPSWEEP_STACK]; // the canonical order: chunks are of a power of two
    for (ulong i = 0; i < get_group_id(0); ++i) upsweep_stack_push(stack, i, sums[sums_offset + i]);
    upsweep_stack_append(stack, get_group_id(0), &has_carry, &carry);
#else
    for (size_t i = 0; i < get_group_id(0); ++i) upsweep_append(&has_carry, &carry, sums[sums_offset + i]);
#endif
#if UPSWEEP_WORK_ITEMS == 1 && UPSWEEP_TREE_RUN > 1
    upsweep_scan_serially(from, to, size, exclusive, has_carry, carry);
    if (!exclusive && size == chunk && get_num_groups(0) > 1) { // the prefix of the next chunk
        upsweep_stack_push(stack, get_group_id(0), sums[sums_offset + get_group_id(0)]);
        uint has_end = has_init;
        upsweep_value end = init;
        upsweep_stack_append(stack, get_group_id(0) + 1, &has_end, &end);
        UPSWEEP_STORE(to, size - 1, end);
    }
#elif UPSWEEP_WORK_ITEMS == 1
    upsweep_scan_serially(from, to, size, exclusive, has_carry, carry);
#else
    const uint local_id = (uint)get_local_id(0);
    __local upsweep_value memory[UPSWEEP_SCAN_MEMORY];
    for (upsweep_index i = 0; i < size; i += UPSWEEP_TILE) {
        const uint valid = UPSWEEP_AT_MOST(size - i, UPSWEEP_TILE);
        const upsweep_value total = upsweep_scan_tile(local_id, UPSWEEP_INPUT_AT(from, i), UPSWEEP_OUTPUT_AT(to, i),
                                                      valid, exclusive, has_carry, carry, memory);
        carry = has_carry ? upsweep_combine(carry, total) : total;
        has_carry = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
}

#endif
