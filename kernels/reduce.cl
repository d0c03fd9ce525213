// Reduction passes over whole arrays. Offsets are in elements.
#ifndef UPSWEEP_REDUCE
#define UPSWEEP_REDUCE
#ifndef UPSWEEP_REDUCE_ONE_TILE
#include "tile_reduce.cl"
#endif

// One work-group per tile; sums[tile] receives the tile's combination, with `init` on its left if given (which makes
// sense for a single tile). Nothing to reduce: the result is `init`, given or not.
UPSWEEP_KERNEL upsweep_reduce_tiles(__global const upsweep_element* in, ulong in_offset, ulong n,
                                    __global upsweep_value* sums, ulong sums_offset, uint has_init,
                                    upsweep_value init)
{
    __local upsweep_value memory[UPSWEEP_REDUCE_MEMORY];
    const uint local_id = (uint)get_local_id(0);
    const size_t tile = get_group_id(0);
    const ulong first = (ulong)tile * UPSWEEP_TILE;
    upsweep_value total = init;
    if (n > 0) {
        const uint valid = n - first < UPSWEEP_TILE ? (uint)(n - first) : (uint)UPSWEEP_TILE;
        total = upsweep_reduce_tile(local_id, in + in_offset + first, valid, init, memory);
        if (has_init) total = upsweep_combine(init, total);
    }
    if (local_id == 0) sums[sums_offset + tile] = total;
}

#endif
