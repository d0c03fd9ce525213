// SPDX-License-Identifier: MIT
// One tile from global memory to its combination: load, fold each run, reduce the partials.
#ifndef UPSWEEP_TILE_REDUCE
#define UPSWEEP_TILE_REDUCE
#include "tile/io.cl"
#include "tile/sum_vectors.cl"
#include "textbook/tree_reduce.cl"
#include "tile/tree.cl"

#define UPSWEEP_REDUCE_MEMORY (UPSWEEP_IO_SLOTS > UPSWEEP_REDUCE_SLOTS ? UPSWEEP_IO_SLOTS : UPSWEEP_REDUCE_SLOTS)

// The combination of the `valid` >= 1 elements at `in`, in every work-item. `filler` is any value; work-items without
// elements carry it, the operator never sees it. `memory` must be free on entry and is free after the caller's next
// barrier. In the canonical order the sums of full tiles are those of its blocks.
upsweep_value upsweep_reduce_tile(uint local_id, upsweep_input in, uint valid, upsweep_value filler,
                                  __local upsweep_value* memory)
{
#if UPSWEEP_WORK_ITEMS == 1 && !UPSWEEP_CANONICAL
    return upsweep_sum_range(in, 0, valid);
#else
    const uint length = upsweep_run_length(local_id, valid);
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    upsweep_load_run(local_id, in, valid, run, memory);
    upsweep_value partial = filler;
    if (UPSWEEP_CANONICAL && length == UPSWEEP_ITEMS) {
        upsweep_sweep_up(run, UPSWEEP_ITEMS, UPSWEEP_ITEMS);
        partial = run[UPSWEEP_ITEMS - 1];
    } else if (length > 0) {
        partial = upsweep_fold_run(run, length);
    }
    return upsweep_tile_reduce(local_id, partial, upsweep_active_runs(valid), memory UPSWEEP_TRACE_ARGUMENT);
#endif
}

#endif
