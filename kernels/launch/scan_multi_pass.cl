// SPDX-License-Identifier: MIT
// The passes over whole arrays that scan_then_propagate and reduce_then_scan are made of; one work-group per tile.
// Offsets are in elements. `sums` holds one value per tile.
#ifndef UPSWEEP_SCAN_MULTI_PASS
#define UPSWEEP_SCAN_MULTI_PASS
#ifndef UPSWEEP_HAS_TILE_SCAN
#if UPSWEEP_CANONICAL
#include "tile/tile_canonical.cl"
#else
#include "tile/tile_scan.cl"
#endif
#endif

// The prefix of a tile: `init` if given, then the sums of all tiles before: sums[tile - 1] once they are scanned. In the
// canonical order these begin with `init` already. Returns whether there is anything.
uint upsweep_tile_prefix(size_t tile, __global const upsweep_value* sums, uint use_sums, uint has_init,
                         upsweep_value init, upsweep_value* prefix)
{
    *prefix = init;
    if (!use_sums || tile == 0) return has_init;
    const upsweep_value before = sums[tile - 1];
    *prefix = before;
#if !UPSWEEP_CANONICAL
    if (has_init) *prefix = upsweep_combine(init, before);
#endif
    return 1;
}

// Scans every tile. read_sums: from the prefix that the scanned sums give it; write_sums: stores each tile's sum.
UPSWEEP_KERNEL upsweep_scan_tiles(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, UPSWEEP_OUTPUT_PARAMETERS,
                                  ulong out_offset, ulong n, __global upsweep_value* sums, ulong sums_offset,
                                  uint read_sums, uint write_sums, uint exclusive, uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_value memory[UPSWEEP_SCAN_MEMORY];
    const uint local_id = (uint)get_local_id(0);
    const size_t tile = get_group_id(0);
    const upsweep_index first = (upsweep_index)tile * UPSWEEP_TILE;
    UPSWEEP_LIMIT(n)
    UPSWEEP_LEAVE_IF(first >= n)
    const uint valid = UPSWEEP_AT_MOST((upsweep_index)n - first, UPSWEEP_TILE);
    upsweep_value prefix;
    const uint has_prefix = upsweep_tile_prefix(tile, sums + sums_offset, read_sums, has_init, init, &prefix);
#if UPSWEEP_CANONICAL
    __global const upsweep_value* end = 0;
    if (read_sums) end = sums + sums_offset + tile;
    upsweep_scan_canonical_tile(local_id, UPSWEEP_INPUT_AT(UPSWEEP_INPUT(in_offset), first),
                                UPSWEEP_OUTPUT_AT(UPSWEEP_OUTPUT(out_offset), first), valid, exclusive, has_prefix,
                                prefix, end, memory);
#else
    const upsweep_value total = upsweep_scan_tile(local_id, UPSWEEP_INPUT_AT(UPSWEEP_INPUT(in_offset), first),
                                                  UPSWEEP_OUTPUT_AT(UPSWEEP_OUTPUT(out_offset), first), valid,
                                                  exclusive, has_prefix, prefix, memory);
    if (write_sums && local_id == 0) sums[sums_offset + tile] = total;
#endif
}

// Adds back: combines each tile's prefix, from the scanned sums, with the tile that was scanned on its own. In an
// exclusive scan a tile's first element is the prefix itself.
UPSWEEP_KERNEL upsweep_propagate_tiles(UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, ulong n,
                                       __global const upsweep_value* sums, ulong sums_offset, uint exclusive,
                                       uint has_init, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const size_t tile = get_group_id(0);
    const upsweep_index first = (upsweep_index)tile * UPSWEEP_TILE;
    const uint valid = UPSWEEP_AT_MOST((upsweep_index)n - first, UPSWEEP_TILE);
    upsweep_value prefix;
    const uint has_prefix = upsweep_tile_prefix(tile, sums + sums_offset, 1, has_init, init, &prefix);
    const upsweep_output elements = UPSWEEP_OUTPUT_AT(UPSWEEP_OUTPUT(out_offset), first);
    for (uint i = (uint)get_local_id(0); has_prefix && i < valid; i += UPSWEEP_WORK_ITEMS)
        UPSWEEP_STORE(elements, i, exclusive && i == 0 ? prefix : upsweep_combine(prefix, UPSWEEP_STORED(elements, i)));
}

#endif
