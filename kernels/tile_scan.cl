// One tile, from global memory to global memory: load, fold each run, scan the partials, write.
#ifndef UPSWEEP_SCAN_ONE_TILE
#define UPSWEEP_SCAN_ONE_TILE
#ifndef UPSWEEP_TILE_IO
#include "tile_io.cl"
#endif
#ifndef UPSWEEP_TILE_SCAN
#include "tile_blelloch.cl"
#endif

// Slots of local memory for scanning a tile: loading, scanning and storing take turns in them.
#define UPSWEEP_SCAN_MEMORY (UPSWEEP_IO_SLOTS > UPSWEEP_SCAN_SLOTS ? UPSWEEP_IO_SLOTS : UPSWEEP_SCAN_SLOTS)

// Scans the `valid` >= 1 elements at `in` into `out` (which may be the same memory) and returns their combination, in
// every work-item and without the prefix. With has_prefix 0 an exclusive scan has nothing to put first: out[0] is left
// for the caller to set (it holds the first element until then).
// `memory` must be free on entry and is free after the caller's next barrier.
upsweep_value upsweep_scan_tile(__global const upsweep_element* in, __global upsweep_value* out, uint valid,
                                uint exclusive, uint has_prefix, upsweep_value prefix,
                                __local upsweep_value* memory)
{
    const uint local_id = (uint)get_local_id(0);
    const uint length = upsweep_run_length(valid);
    upsweep_value run[UPSWEEP_ITEMS];
    upsweep_load_run(in, valid, run, memory);

    // Work-items past the end carry some real element along, only to hold no garbage; the scan ignores it.
    upsweep_value partial;
    if (length > 0)
        partial = upsweep_fold_run(run, length);
    else
        partial = prefix;
    upsweep_value total;
    const upsweep_value before =
        upsweep_tile_scan(partial, upsweep_active_runs(valid), memory, &total UPSWEEP_TRACE_ARGUMENT);
    barrier(CLK_LOCAL_MEM_FENCE);

    uint has_carry = has_prefix;
    upsweep_value carry = prefix;
    if (local_id > 0 && length > 0) {
        carry = has_prefix ? upsweep_combine(prefix, before) : before;
        has_carry = 1;
    }
    for (uint k = 0; k < length; ++k) {
        const upsweep_value next = has_carry ? upsweep_combine(carry, run[k]) : run[k];
        if (!exclusive)
            run[k] = next;
        else if (has_carry)
            run[k] = carry;
        carry = next;
        has_carry = 1;
    }
    upsweep_store_run(out, valid, run, memory);
    return total;
}

#endif
