// SPDX-License-Identifier: MIT
// Scan, reduction and broadcast by a work-group, for kernels of a user's own: work_group_source.hpp has the contract.
// Each begins where its caller left off and ends with a barrier, so that `memory` is free again on return.
#ifndef UPSWEEP_WORK_GROUP
#define UPSWEEP_WORK_GROUP
#include "textbook/tree_reduce.cl"
#ifndef UPSWEEP_HAS_TILE_ALGORITHM
#include "textbook/blelloch.cl"
#endif

// Values of local memory that each function needs.
#define UPSWEEP_MEMORY (UPSWEEP_SCAN_SLOTS > UPSWEEP_REDUCE_SLOTS ? UPSWEEP_SCAN_SLOTS : UPSWEEP_REDUCE_SLOTS)

upsweep_value upsweep_scan_with_total(uint local_id, upsweep_value value, uint count, __local upsweep_value* memory,
                                      upsweep_value* total)
{
    const upsweep_value before = upsweep_tile_scan(local_id, value, count, memory, total UPSWEEP_TRACE_ARGUMENT);
    barrier(CLK_LOCAL_MEM_FENCE);
    return before;
}

upsweep_value upsweep_exclusive_scan(uint local_id, upsweep_value value, uint count, __local upsweep_value* memory)
{
    upsweep_value total;
    return upsweep_scan_with_total(local_id, value, count, memory, &total);
}

upsweep_value upsweep_exclusive_scan_from(uint local_id, upsweep_value init, upsweep_value value, uint count,
                                          __local upsweep_value* memory)
{
    const upsweep_value before = upsweep_exclusive_scan(local_id, value, count, memory);
    if (local_id >= count) return value;
    if (local_id == 0) return init;
    return upsweep_combine(init, before);
}

upsweep_value upsweep_inclusive_scan(uint local_id, upsweep_value value, uint count, __local upsweep_value* memory)
{
    const upsweep_value before = upsweep_exclusive_scan(local_id, value, count, memory);
    if (local_id == 0 || local_id >= count) return value;
    return upsweep_combine(before, value);
}

upsweep_value upsweep_reduce(uint local_id, upsweep_value value, uint count, __local upsweep_value* memory)
{
    const upsweep_value sum = upsweep_tile_reduce(local_id, value, count, memory UPSWEEP_TRACE_ARGUMENT);
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

upsweep_value upsweep_broadcast(uint local_id, upsweep_value value, uint from, __local upsweep_value* memory)
{
    if (local_id == from) memory[0] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    const upsweep_value given = memory[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return given;
}

#endif
