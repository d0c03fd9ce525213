// SPDX-License-Identifier: MIT
// Reduction passes over whole arrays. Offsets are in elements.
#ifndef UPSWEEP_REDUCE
#define UPSWEEP_REDUCE
#include "tile/tile_reduce.cl"
#if UPSWEEP_CANONICAL && !defined(UPSWEEP_HAS_TILE_SCAN)
#include "tile/tile_canonical.cl"
#endif

// One work-group per tile; element `tile` of the output receives the tile's combination, with `init` on its left if
// given (which makes sense for a single tile). Nothing to reduce: the result is `init`, given or not.
UPSWEEP_KERNEL upsweep_reduce_tiles(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong n, UPSWEEP_OUTPUT_PARAMETERS,
                                    ulong out_offset, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_value memory[UPSWEEP_REDUCE_MEMORY];
    const uint local_id = (uint)get_local_id(0);
    const size_t tile = get_group_id(0);
    const ulong first = (ulong)tile * UPSWEEP_TILE;
    UPSWEEP_LIMIT(n)
    UPSWEEP_LEAVE_IF(tile > 0 && first >= n)
    upsweep_value total = init;
    if (n > 0) {
        const uint valid = UPSWEEP_AT_MOST(n - first, UPSWEEP_TILE);
        total = upsweep_reduce_tile(local_id, UPSWEEP_INPUT_AT(UPSWEEP_INPUT(in_offset), first), valid, init, memory);
        if (has_init) total = upsweep_combine(init, total);
    }
    if (local_id == 0) UPSWEEP_STORE(UPSWEEP_OUTPUT(out_offset + tile), 0, total);
}

#if UPSWEEP_CANONICAL
// The end of a reduction in the canonical order, one level of sums at a time, by one work-group. The highest level is a
// tile at most: the blocks that it is made of are appended to `init`, if given. Of a lower one (reads_result), what
// follows its full tiles is appended to what the level above left in the result. Nothing to reduce: the result is
// `init`.
UPSWEEP_KERNEL upsweep_append_tile(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong n, UPSWEEP_OUTPUT_PARAMETERS,
                                   ulong out_offset, uint reads_result, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_value memory[UPSWEEP_SCAN_MEMORY];
    const uint local_id = (uint)get_local_id(0);
    UPSWEEP_LIMIT(n)
    const ulong first = reads_result ? n / UPSWEEP_TILE * UPSWEEP_TILE : 0;
    const uint valid = (uint)(n - first);
#ifdef UPSWEEP_IS_COUNTED
    reads_result = reads_result && first > 0; // there may be no full tile
#endif
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_ITEMS)];
    upsweep_load_run(local_id, UPSWEEP_INPUT_AT(UPSWEEP_INPUT(in_offset), first), valid, run, memory);
    upsweep_canonical_up(local_id, valid, run, memory);

    const uint full_runs = valid / UPSWEEP_ITEMS;
    const uint rest = valid % UPSWEEP_ITEMS;
    if (local_id != (rest > 0 ? full_runs : 0)) return; // the one whose run is not full has the last blocks
    uint has_sum = has_init || reads_result;
    upsweep_value sum = init;
    if (reads_result) sum = UPSWEEP_STORED(UPSWEEP_OUTPUT(out_offset), 0);
    for (uint block = UPSWEEP_WORK_ITEMS; block > 0; block /= 2)
        if (full_runs & block)
            upsweep_append(&has_sum, &sum, memory[UPSWEEP_PAD(upsweep_last_of_block(full_runs, block))]);
    for (uint block = UPSWEEP_ITEMS / 2; block > 0; block /= 2)
        if (rest & block) upsweep_append(&has_sum, &sum, run[upsweep_last_of_block(rest, block)]);
    UPSWEEP_STORE(UPSWEEP_OUTPUT(out_offset), 0, sum);
}
#endif

#endif
