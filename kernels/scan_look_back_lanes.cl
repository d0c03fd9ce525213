// scan_look_back.cl for devices with lanes in step: the same launch and the same state, with tiles in rows (tile_rows.cl).
// Part of a tile waits for its prefix in local memory instead of registers: the more bytes a work-group holds, the less it
// matters how long it waits for the tiles before it.
#ifndef UPSWEEP_SCAN_LOOK_BACK
#define UPSWEEP_SCAN_LOOK_BACK
#ifndef UPSWEEP_TILE_ROWS
#include "tile_rows.cl"
#endif
#ifndef UPSWEEP_LOOK_BACK
#include "look_back_lanes.cl"
#endif

// The combination of a full tile that stayed silent, by one row of lanes, in the order in which its own work-group goes.
__attribute__((noinline)) upsweep_value upsweep_sum_full_tile(__global const upsweep_element* tile)
{
    upsweep_value total;
    for (uint lane_row = 0; lane_row < UPSWEEP_LANE_ROWS; ++lane_row) {
        upsweep_value carry;
        for (uint row = 0; row < UPSWEEP_ROWS; ++row) {
            const uint begin = ((lane_row * UPSWEEP_ROWS + row) * UPSWEEP_LANES + upsweep_lane()) * UPSWEEP_PACK;
            const upsweep_pack pack = upsweep_load_pack(tile, begin, UPSWEEP_TILE, 0);
            upsweep_value sum = upsweep_scan_lanes(upsweep_fold_pack(pack, UPSWEEP_PACK), UPSWEEP_LANES);
            sum = upsweep_from_lane(sum, UPSWEEP_LANES - 1);
            carry = row == 0 ? sum : upsweep_combine(carry, sum);
        }
        total = lane_row == 0 ? carry : upsweep_combine(total, carry);
    }
    return total;
}

// Publishes the tile's sum and finds its prefix, by the first row of lanes. See scan_look_back.cl for the fallback.
upsweep_value upsweep_find_prefix(__global const upsweep_element* in, volatile __global ulong* state, uint tiles,
                                  uint epoch, uint tile, uint in_place, upsweep_value total, uint has_init,
                                  upsweep_value init)
{
    const uint lane = upsweep_lane();
    if (lane == 0) {
        UPSWEEP_SILENCE(tile, state)
        upsweep_publish(upsweep_entry(state, tiles, 0, tile), epoch, total);
        if (in_place) mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    uint has_prefix = has_init;
    upsweep_value prefix = init;
    uint silent = upsweep_look_back(state, tiles, epoch, tile, total, &has_prefix, &prefix);
    while (silent != UPSWEEP_NO_TILE) {
        const upsweep_value sum = upsweep_sum_full_tile(in + (ulong)silent * UPSWEEP_TILE);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        upsweep_value known;
        volatile __global ulong* words = upsweep_entry(state, tiles, 0, silent);
        // All lanes look, because any of them may have read what the other work-group is overwriting.
        const uint spoken = upsweep_ballot(upsweep_is_published(words, epoch, &known));
        if (lane == 0 && spoken == 0) upsweep_publish(words, epoch, sum);
        has_prefix = has_init;
        prefix = init;
        silent = upsweep_look_back(state, tiles, epoch, tile, total, &has_prefix, &prefix);
    }
    return prefix;
}

// Fetches one row into local memory.
void upsweep_stage_pack(__global const upsweep_element* in, uint begin, uint valid, uint whole,
                        __local upsweep_pack* slot)
{
#if UPSWEEP_ASYNC_COPY && UPSWEEP_WIDE_IN
    if (whole) {
        __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint)(size_t)slot), "l"(in + begin)
                     : "memory");
        return;
    }
#endif
    *slot = upsweep_load_pack(in, begin, valid, whole);
}

// Writes one row: `before` precedes this lane's pack, unless has_before is 0.
void upsweep_finish_row(__global upsweep_value* out, upsweep_pack pack, uint begin, uint size, uint whole,
                        uint exclusive, uint has_before, upsweep_value before)
{
    upsweep_out_pack result;
    upsweep_value carry = before;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i) {
        if (i >= size) continue;
        const upsweep_value element = pack.elements[i];
        const upsweep_value next = i > 0 || has_before ? upsweep_combine(carry, element) : element;
        result.values[i] = exclusive ? carry : next;
        carry = next;
    }
    upsweep_store_pack(out, begin, begin + size, whole, result);
}

// One tile from end to end. `full`: all elements are real and all packs aligned; a constant where this is inlined.
void upsweep_scan_rows(__global const upsweep_element* all, __global const upsweep_element* in,
                       __global upsweep_value* out, uint valid, uint full, volatile __global ulong* state, uint tiles,
                       uint epoch, uint tile, uint in_place, uint exclusive, uint has_init, upsweep_value init,
                       __local upsweep_value* sums, __local upsweep_pack* staged)
{
    const uint lane_row = (uint)get_local_id(0) / UPSWEEP_LANES;
    __local upsweep_pack* own = staged + lane_row * UPSWEEP_LOCAL_ROWS * UPSWEEP_LANES + upsweep_lane();
    upsweep_pack packs[UPSWEEP_REGISTER_ROWS];
    upsweep_value before[UPSWEEP_ROWS];

#pragma unroll
    for (uint row = UPSWEEP_REGISTER_ROWS; row < UPSWEEP_ROWS; ++row)
        upsweep_stage_pack(in, upsweep_pack_begin(row), valid, full,
                           own + (row - UPSWEEP_REGISTER_ROWS) * UPSWEEP_LANES);
#if UPSWEEP_ASYNC_COPY
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
#endif
#pragma unroll
    for (uint row = 0; row < UPSWEEP_REGISTER_ROWS; ++row)
        packs[row] = upsweep_load_pack(in, upsweep_pack_begin(row), valid, full);

    upsweep_value carry = init;
#pragma unroll
    for (uint row = 0; row < UPSWEEP_ROWS; ++row) {
        const uint begin = upsweep_pack_begin(row);
        const uint size = full ? UPSWEEP_PACK : upsweep_pack_size(begin, valid);
        const uint lanes = full ? UPSWEEP_LANES : upsweep_row_lanes(begin, valid);
#if UPSWEEP_ASYNC_COPY
        if (row == UPSWEEP_REGISTER_ROWS) __asm__ volatile("cp.async.wait_all;" ::: "memory");
#endif
        const upsweep_pack pack =
            row < UPSWEEP_REGISTER_ROWS ? packs[row] : own[(row - UPSWEEP_REGISTER_ROWS) * UPSWEEP_LANES];
        upsweep_scan_row(pack, row, size, lanes, &before[row], &carry);
    }

    // Across the rows of lanes: only the last one with elements may be cut short.
    const uint rows_size = UPSWEEP_ROWS * UPSWEEP_LANES * UPSWEEP_PACK;
    const uint used = full ? UPSWEEP_LANE_ROWS : (valid + rows_size - 1) / rows_size;
    if (upsweep_lane() == 0) sums[lane_row] = carry;
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_value others = init;
    upsweep_value total = sums[0];
    for (uint i = 1; i < used; ++i) {
        if (i == lane_row) others = total;
        total = upsweep_combine(total, sums[i]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint has_prefix = has_init;
    upsweep_value prefix = init;
    if (tiles > 1) {
        if (lane_row == 0) {
            prefix = upsweep_find_prefix(all, state, tiles, epoch, tile, in_place, total, has_init, init);
            if (upsweep_lane() == 0) sums[0] = prefix;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        prefix = sums[0];
        has_prefix = has_init || tile > 0;
    }
    if (lane_row > 0) {
        prefix = has_prefix ? upsweep_combine(prefix, others) : others;
        has_prefix = 1;
    }
#pragma unroll
    for (uint row = 0; row < UPSWEEP_ROWS; ++row) {
        const uint begin = upsweep_pack_begin(row);
        const uint size = full ? UPSWEEP_PACK : upsweep_pack_size(begin, valid);
        const upsweep_pack pack =
            row < UPSWEEP_REGISTER_ROWS ? packs[row] : own[(row - UPSWEEP_REGISTER_ROWS) * UPSWEEP_LANES];
        if (size == 0) continue;
        const uint first = row == 0 && upsweep_lane() == 0;
        upsweep_value start = before[row];
        if (first)
            start = prefix;
        else if (has_prefix)
            start = upsweep_combine(prefix, start);
        upsweep_finish_row(out, pack, begin, size, full, exclusive, has_prefix || !first, start);
    }
}

UPSWEEP_KERNEL upsweep_scan_look_back(__global const upsweep_element* in, ulong in_offset,
                                      __global upsweep_value* out, ulong out_offset, ulong n,
                                      volatile __global ulong* state, uint epoch, uint ticket_base, uint in_place,
                                      uint exclusive, uint has_init, upsweep_value init)
{
    __local upsweep_value sums[UPSWEEP_LANE_ROWS];
    __local uint shared_tile[1];
    // The sixteen bytes are what an asynchronous copy writes at once.
    __local upsweep_pack staged[UPSWEEP_LOCAL_ROWS * UPSWEEP_WORK_ITEMS + 1] __attribute__((aligned(16)));
    const uint tiles = (uint)get_num_groups(0);
    in += in_offset;
    out += out_offset;

    uint tile = 0;
    if (tiles > 1) {
        if (get_local_id(0) == 0) shared_tile[0] = atomic_inc((volatile __global uint*)state) - ticket_base;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile = shared_tile[0];
    }
    const ulong first = (ulong)tile * UPSWEEP_TILE;
    const uint valid = n - first < UPSWEEP_TILE ? (uint)(n - first) : (uint)UPSWEEP_TILE;
    const uint full = valid == UPSWEEP_TILE && UPSWEEP_IS_ALIGNED(in) && UPSWEEP_IS_ALIGNED(out);
    if (full)
        upsweep_scan_rows(in, in + first, out + first, UPSWEEP_TILE, 1, state, tiles, epoch, tile, in_place, exclusive,
                          has_init, init, sums, staged);
    else
        upsweep_scan_rows(in, in + first, out + first, valid, 0, state, tiles, epoch, tile, in_place, exclusive,
                          has_init, init, sums, staged);
    if (tiles > 1) UPSWEEP_FINISHED(state)
}

#endif
