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
        const uint first = lane_row * UPSWEEP_ROWS * UPSWEEP_LANES * UPSWEEP_PACK;
        for (uint row = 0; row < UPSWEEP_REGISTER_ROWS; ++row) {
            const uint begin = first + (row * UPSWEEP_LANES + upsweep_lane()) * UPSWEEP_PACK;
            upsweep_value sum = upsweep_fold_pack(upsweep_load_pack(tile, begin, UPSWEEP_TILE, 0), UPSWEEP_PACK);
            sum = upsweep_from_lane(upsweep_scan_lanes(sum, UPSWEEP_LANES), UPSWEEP_LANES - 1);
            carry = row == 0 ? sum : upsweep_combine(carry, sum);
        }
#if UPSWEEP_LOCAL_ROWS > 0
        const uint run = first + (UPSWEEP_REGISTER_ROWS * UPSWEEP_LANES + upsweep_lane() * UPSWEEP_LOCAL_ROWS) * UPSWEEP_PACK;
        upsweep_value sum = upsweep_fold_pack(upsweep_load_pack(tile, run, UPSWEEP_TILE, 0), UPSWEEP_PACK);
        for (uint i = 1; i < UPSWEEP_LOCAL_ROWS; ++i) {
            const upsweep_pack pack = upsweep_load_pack(tile, run + i * UPSWEEP_PACK, UPSWEEP_TILE, 0);
            sum = upsweep_combine(sum, upsweep_fold_pack(pack, UPSWEEP_PACK));
        }
        sum = upsweep_from_lane(upsweep_scan_lanes(sum, UPSWEEP_LANES), UPSWEEP_LANES - 1);
        carry = upsweep_combine(carry, sum);
#endif
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

// Fetches one pack into local memory.
void upsweep_stage_pack(__global const upsweep_element* in, uint begin, uint valid, uint whole,
                        __local upsweep_slot* slot)
{
#if UPSWEEP_ASYNC_COPY && UPSWEEP_WIDE_IN
    if (whole) {
        __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint)(size_t)slot), "l"(in + begin)
                         : "memory");
        return;
    }
#endif
    slot->in = upsweep_load_pack(in, begin, valid, whole);
}

// Scans one pack of `size` real elements: *carry precedes it, unless has_carry is 0, and includes it afterwards.
upsweep_out_pack upsweep_scan_pack(upsweep_pack pack, uint size, uint exclusive, uint has_carry, upsweep_value* carry)
{
    upsweep_out_pack result;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i) {
        if (i >= size) continue;
        const upsweep_value element = pack.elements[i];
        const upsweep_value next = i > 0 || has_carry ? upsweep_combine(*carry, element) : element;
        result.values[i] = exclusive ? *carry : next;
        *carry = next;
    }
    return result;
}

// Publishes the tile's sum, waits for its prefix and makes it what precedes this work-item's row of lanes.
// Returns whether anything precedes it.
uint upsweep_share_prefix(__global const upsweep_element* in, volatile __global ulong* state, uint tiles, uint epoch,
                          uint tile, uint in_place, uint used, upsweep_value carry, uint has_init, upsweep_value init,
                          __local upsweep_value* sums, upsweep_value* prefix)
{
    const uint lane_row = (uint)get_local_id(0) / UPSWEEP_LANES;
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
    *prefix = init;
    if (tiles > 1) {
        if (lane_row == 0) {
            const upsweep_value found =
                upsweep_find_prefix(in, state, tiles, epoch, tile, in_place, total, has_init, init);
            if (upsweep_lane() == 0) sums[0] = found;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        *prefix = sums[0];
        has_prefix = has_init || tile > 0;
    }
    if (lane_row == 0) return has_prefix;
    *prefix = has_prefix ? upsweep_combine(*prefix, others) : others;
    return 1;
}

// One tile from end to end. `full`: all elements are real and all packs aligned; a constant where this is inlined.
void upsweep_scan_rows(__global const upsweep_element* all, __global const upsweep_element* in,
                       __global upsweep_value* out, uint valid, uint full, volatile __global ulong* state, uint tiles,
                       uint epoch, uint tile, uint in_place, uint exclusive, uint has_init, upsweep_value init,
                       __local upsweep_value* sums, __local upsweep_slot* slots)
{
    const uint lane = upsweep_lane();
    upsweep_pack packs[UPSWEEP_REGISTER_ROWS];
    upsweep_value before[UPSWEEP_REGISTER_ROWS];

#if UPSWEEP_LOCAL_ROWS > 0
    slots += (uint)get_local_id(0) / UPSWEEP_LANES * (UPSWEEP_LOCAL_ROWS * UPSWEEP_LANES);
#pragma unroll
    for (uint row = 0; row < UPSWEEP_LOCAL_ROWS; ++row)
        upsweep_stage_pack(in, upsweep_pack_begin(UPSWEEP_REGISTER_ROWS + row), valid, full,
                           slots + row * UPSWEEP_LANES + lane);
#if UPSWEEP_ASYNC_COPY
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
#endif
#endif
#pragma unroll
    for (uint row = 0; row < UPSWEEP_REGISTER_ROWS; ++row)
        packs[row] = upsweep_load_pack(in, upsweep_pack_begin(row), valid, full);

    upsweep_value carry = init;
#pragma unroll
    for (uint row = 0; row < UPSWEEP_REGISTER_ROWS; ++row) {
        const uint begin = upsweep_pack_begin(row);
        const uint size = full ? UPSWEEP_PACK : upsweep_pack_size(begin, valid);
        const uint lanes = full ? UPSWEEP_LANES : upsweep_used_lanes(begin, UPSWEEP_PACK, valid);
        upsweep_value sum = init;
        if (size > 0) sum = upsweep_fold_pack(packs[row], size);
        upsweep_scan_lane_sums(sum, row == 0, lanes, &before[row], &carry);
    }
#if UPSWEEP_LOCAL_ROWS > 0
#if UPSWEEP_ASYNC_COPY
    __asm__ volatile("cp.async.wait_all;" ::: "memory");
#endif
    upsweep_sync_lanes();
    const uint run_begin = upsweep_run_begin();
    __local upsweep_slot* run = slots + lane * UPSWEEP_LOCAL_ROWS;
    upsweep_value run_sum = init;
    upsweep_value before_run;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_LOCAL_ROWS; ++i) {
        const uint size = full ? UPSWEEP_PACK : upsweep_pack_size(run_begin + i * UPSWEEP_PACK, valid);
        if (size == 0) continue;
        const upsweep_value sum = upsweep_fold_pack(run[i].in, size);
        run_sum = i == 0 ? sum : upsweep_combine(run_sum, sum);
    }
    upsweep_scan_lane_sums(run_sum, 0,
                           full ? UPSWEEP_LANES
                                : upsweep_used_lanes(run_begin, UPSWEEP_LOCAL_ROWS * UPSWEEP_PACK, valid),
                           &before_run, &carry);
#endif

    // Of the rows of lanes only the last one with elements may be cut short.
    const uint rows_size = UPSWEEP_ROWS * UPSWEEP_LANES * UPSWEEP_PACK;
    const uint used = full ? UPSWEEP_LANE_ROWS : (valid + rows_size - 1) / rows_size;
    upsweep_value prefix;
    const uint has_prefix = upsweep_share_prefix(all, state, tiles, epoch, tile, in_place, used, carry, has_init, init,
                                                 sums, &prefix);
#if UPSWEEP_LOCAL_ROWS > 0
    upsweep_value run_carry = has_prefix ? upsweep_combine(prefix, before_run) : before_run;
    if (!full && run_begin >= valid) run_carry = prefix;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_LOCAL_ROWS; ++i) {
        const uint size = full ? UPSWEEP_PACK : upsweep_pack_size(run_begin + i * UPSWEEP_PACK, valid);
        if (size > 0) run[i].out = upsweep_scan_pack(run[i].in, size, exclusive, 1, &run_carry);
    }
    upsweep_sync_lanes();
#pragma unroll
    for (uint row = 0; row < UPSWEEP_LOCAL_ROWS; ++row)
        upsweep_store_pack(out, upsweep_pack_begin(UPSWEEP_REGISTER_ROWS + row), valid, full,
                           slots[row * UPSWEEP_LANES + lane].out);
#endif
#pragma unroll
    for (uint row = 0; row < UPSWEEP_REGISTER_ROWS; ++row) {
        const uint begin = upsweep_pack_begin(row);
        const uint size = full ? UPSWEEP_PACK : upsweep_pack_size(begin, valid);
        if (size == 0) continue;
        const uint first = row == 0 && lane == 0;
        upsweep_value start = before[row];
        if (first)
            start = prefix;
        else if (has_prefix)
            start = upsweep_combine(prefix, start);
        upsweep_store_pack(out, begin, valid, full,
                           upsweep_scan_pack(packs[row], size, exclusive, has_prefix || !first, &start));
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
    __local upsweep_slot slots[UPSWEEP_LOCAL_ROWS * UPSWEEP_WORK_ITEMS + 1] __attribute__((aligned(16)));
    const uint tiles = (uint)get_num_groups(0);
    in += in_offset;
    out += out_offset;

    uint tile = 0;
    if (tiles > 1) {
        if (get_local_id(0) == 0) shared_tile[0] = atomic_inc((volatile __global uint*)state) - ticket_base;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile = UPSWEEP_TILE_ORDER(shared_tile[0], tiles);
    }
    const ulong first = (ulong)tile * UPSWEEP_TILE;
    const uint valid = n - first < UPSWEEP_TILE ? (uint)(n - first) : (uint)UPSWEEP_TILE;
    const uint full = valid == UPSWEEP_TILE && UPSWEEP_IS_ALIGNED(in) && UPSWEEP_IS_ALIGNED(out);
    if (full)
        upsweep_scan_rows(in, in + first, out + first, UPSWEEP_TILE, 1, state, tiles, epoch, tile, in_place, exclusive,
                          has_init, init, sums, slots);
    else
        upsweep_scan_rows(in, in + first, out + first, valid, 0, state, tiles, epoch, tile, in_place, exclusive,
                          has_init, init, sums, slots);
    if (get_local_id(0) == 0 && tiles > 1) UPSWEEP_FINISHED(state)
}

#endif
