// scan_look_back.cl for devices with lanes in step: the same launch and the same state, with tiles in blocks
// (tile_blocks.cl). Part of a tile waits for its prefix in local memory instead of registers: the more bytes a work-group
// holds, the less it matters how long it waits for the tiles before it.
//
// Tiles are numbered as work-groups are, without a ticket: it costs a round trip to memory before a tile can begin, and is
// not needed, because nobody relies on another tile's having begun. These devices start work-groups in order.
#ifndef UPSWEEP_SCAN_LOOK_BACK
#define UPSWEEP_SCAN_LOOK_BACK
#ifndef UPSWEEP_TILE_BLOCKS
#include "tile_blocks.cl"
#endif
#ifndef UPSWEEP_LOOK_BACK
#include "look_back_lanes.cl"
#endif

// Publishes the sum of a full tile that stayed silent, by one row of lanes. If that one wakes up meanwhile and overwrites
// what is read here, it has published before: then what was computed is dropped.
UPSWEEP_SLOW_PATH void upsweep_speak_for(__global const upsweep_element* tile, volatile __global ulong* words,
                                         uint epoch)
{
    upsweep_value stack[UPSWEEP_STACK];
    const uint blocks = UPSWEEP_LANE_ROWS * UPSWEEP_BLOCKS;
    for (uint block = 0; block < blocks; ++block) {
        upsweep_value run[UPSWEEP_RUN];
        for (uint i = 0; i < UPSWEEP_RUN; ++i) run[i] = tile[block * UPSWEEP_BLOCK + upsweep_lane() * UPSWEEP_RUN + i];
        upsweep_sweep_up(run, UPSWEEP_RUN, UPSWEEP_RUN);
        upsweep_stack_push(stack, block, upsweep_lanes_sum(run[UPSWEEP_RUN - 1]));
    }
    uint has_sum = 0;
    upsweep_value sum = stack[0];
    upsweep_stack_append(stack, blocks, &has_sum, &sum);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    upsweep_value known;
    // All lanes look, because any of them may have read what the other work-group is overwriting.
    const uint spoken = upsweep_ballot(upsweep_is_published(words, epoch, &known));
    if (upsweep_lane() == 0 && spoken == 0) upsweep_publish(words, epoch, sum);
}

// Publishes the tile's sum and finds its prefix, by the first row of lanes. See scan_look_back.cl for the fallback.
upsweep_value upsweep_find_prefix(__global const upsweep_element* in, volatile __global ulong* state, uint tiles,
                                  uint epoch, uint tile, uint is_full, uint in_place, upsweep_value total,
                                  uint has_init, upsweep_value init)
{
    const uint lane = upsweep_lane();
    if (lane == 0) {
        UPSWEEP_SILENCE(tile, state)
        if (is_full) upsweep_publish(upsweep_entry(state, tiles, 0, tile), epoch, total);
        if (in_place) mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    upsweep_value prefix;
    while (1) {
        uint has_prefix = has_init;
        prefix = init;
        const uint silent = upsweep_look_back(state, tiles, epoch, tile, is_full, total, &has_prefix, &prefix);
        if (silent == UPSWEEP_NO_TILE) break;
        upsweep_speak_for(in + (ulong)silent * UPSWEEP_TILE, upsweep_entry(state, tiles, 0, silent), epoch);
    }
    return prefix;
}

// Publishes the tile's sum and waits for its prefix. `sum` is that of block b in lane b; what precedes the block is
// returned there. *has_prefix receives whether anything precedes block 0.
upsweep_value upsweep_share_prefix(__global const upsweep_element* in, volatile __global ulong* state, uint tiles,
                                   uint epoch, uint tile, uint in_place, uint valid, upsweep_value sum, uint has_init,
                                   upsweep_value init, __local upsweep_value* sums, __local upsweep_value* shared,
                                   uint* has_prefix)
{
    const uint lane_row = (uint)get_local_id(0) / UPSWEEP_LANES;
    const uint row_size = UPSWEEP_BLOCKS * UPSWEEP_BLOCK;
    const uint size = valid > lane_row * row_size ? min(valid - lane_row * row_size, row_size) : 0u;
    upsweep_value before[UPSWEEP_LANE_BITS];
    const upsweep_value row_sum = upsweep_lanes_up(sum, UPSWEEP_BLOCKS, size / UPSWEEP_BLOCK, before);
    if (upsweep_lane() == 0) sums[lane_row] = row_sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    upsweep_value rows[UPSWEEP_LANE_ROWS];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_LANE_ROWS; ++i) rows[i] = sums[i];
    upsweep_sweep_up(rows, UPSWEEP_LANE_ROWS, valid / row_size);
    uint has_own = has_init;
    upsweep_value own = init;
    if (tiles > 1) {
        if (lane_row == 0) {
            const upsweep_value found = upsweep_find_prefix(in, state, tiles, epoch, tile, valid == UPSWEEP_TILE,
                                                            in_place, rows[UPSWEEP_LANE_ROWS - 1], has_init, init);
            if (upsweep_lane() == 0) shared[0] = found;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        own = shared[0];
        has_own = has_init || tile > 0;
    }
    upsweep_sweep_down(rows, UPSWEEP_LANE_ROWS, (valid + row_size - 1) / row_size, has_own, own);
#pragma unroll
    for (uint i = 1; i < UPSWEEP_LANE_ROWS; ++i)
        if (i == lane_row) own = rows[i];
    has_own = has_own || lane_row > 0;
    *has_prefix = has_own;
    if (upsweep_lane() * UPSWEEP_BLOCK < size) upsweep_lanes_down(before, UPSWEEP_BLOCKS, &has_own, &own);
    return own;
}

// One full tile, all packs aligned, from end to end: read once, written once. Lane b keeps the sum, then the prefix, of
// block b.
void upsweep_scan_full_tile(__global const upsweep_element* all, __global const upsweep_element* in,
                            __global upsweep_value* out, volatile __global ulong* state, uint tiles, uint epoch,
                            uint tile, uint in_place, uint exclusive, uint has_init, upsweep_value init,
                            __local upsweep_value* sums, __local upsweep_value* shared, __local upsweep_slot* slots)
{
    const uint lane = upsweep_lane();
#pragma unroll
    for (uint block = 0; block < UPSWEEP_LOCAL_BLOCKS; ++block)
        upsweep_stage_block(in, UPSWEEP_REGISTER_BLOCKS + block, UPSWEEP_TILE, 1, slots + block * UPSWEEP_BLOCK_SLOTS);
    upsweep_pack packs[UPSWEEP_REGISTER_BLOCKS + 1][UPSWEEP_RUN_PACKS];
#pragma unroll
    for (uint block = 0; block < UPSWEEP_REGISTER_BLOCKS; ++block)
#pragma unroll
        for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row)
            packs[block][row] = upsweep_load_pack(in, upsweep_pack_begin(block, row), UPSWEEP_TILE, 1);

    upsweep_value sum = init;
#pragma unroll
    for (uint block = 0; block < UPSWEEP_REGISTER_BLOCKS; ++block) {
        const upsweep_value block_sum = upsweep_sum_register_block(packs[block]);
        if (lane == block) sum = block_sum;
    }
#if UPSWEEP_ASYNC_COPY
    __asm__ volatile("cp.async.wait_all;" ::: "memory");
#endif
    upsweep_sync_lanes();
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_LOCAL_BLOCKS; ++block) {
        const upsweep_value block_sum = upsweep_sum_local_block(slots + block * UPSWEEP_BLOCK_SLOTS);
        if (lane == UPSWEEP_REGISTER_BLOCKS + block) sum = block_sum;
    }
    uint has_prefix;
    const upsweep_value prefix = upsweep_share_prefix(all, state, tiles, epoch, tile, in_place, UPSWEEP_TILE, sum,
                                                      has_init, init, sums, shared, &has_prefix);
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_LOCAL_BLOCKS; ++block)
        upsweep_scan_block(slots + block * UPSWEEP_BLOCK_SLOTS, out, UPSWEEP_REGISTER_BLOCKS + block, UPSWEEP_TILE, 1,
                           exclusive, has_prefix || UPSWEEP_REGISTER_BLOCKS + block > 0,
                           upsweep_from_lane(prefix, UPSWEEP_REGISTER_BLOCKS + block));
    upsweep_sync_lanes();
#pragma unroll
    for (uint first = 0; first < UPSWEEP_REGISTER_BLOCKS; first += UPSWEEP_SLOT_BLOCKS) {
#pragma unroll
        for (uint block = first; block < UPSWEEP_REGISTER_BLOCKS && block < first + UPSWEEP_SLOT_BLOCKS; ++block)
#pragma unroll
            for (uint row = 0; row < UPSWEEP_RUN_PACKS; ++row)
                slots[(block - first) * UPSWEEP_BLOCK_SLOTS + upsweep_slot_in_row(row)].in = packs[block][row];
        upsweep_sync_lanes();
#pragma unroll 1
        for (uint block = first; block < UPSWEEP_REGISTER_BLOCKS && block < first + UPSWEEP_SLOT_BLOCKS; ++block)
            upsweep_scan_block(slots + (block - first) * UPSWEEP_BLOCK_SLOTS, out, block, UPSWEEP_TILE, 1, exclusive,
                               has_prefix || block > 0, upsweep_from_lane(prefix, block));
        upsweep_sync_lanes();
    }
}

// One tile that is not full, or not aligned: block after block, each read twice.
UPSWEEP_SLOW_PATH void upsweep_scan_any_tile(
    __global const upsweep_element* all, __global const upsweep_element* in, __global upsweep_value* out, uint valid,
    volatile __global ulong* state, uint tiles, uint epoch, uint tile, uint in_place, uint exclusive, uint has_init,
    upsweep_value init, __local upsweep_value* sums, __local upsweep_value* shared, __local upsweep_slot* slots)
{
    upsweep_value sum = init;
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        if (upsweep_block_begin(block + 1) > valid) continue;
        upsweep_stage_block(in, block, valid, 0, slots);
        upsweep_sync_lanes();
        const upsweep_value block_sum = upsweep_sum_local_block(slots);
        if (upsweep_lane() == block) sum = block_sum;
        upsweep_sync_lanes();
    }
    uint has_prefix;
    const upsweep_value prefix = upsweep_share_prefix(all, state, tiles, epoch, tile, in_place, valid, sum, has_init,
                                                      init, sums, shared, &has_prefix);
#pragma unroll 1
    for (uint block = 0; block < UPSWEEP_BLOCKS; ++block) {
        const upsweep_value block_prefix = upsweep_from_lane(prefix, block);
        if (upsweep_block_begin(block) >= valid) continue;
        upsweep_stage_block(in, block, valid, 0, slots);
        upsweep_sync_lanes();
        upsweep_scan_block(slots, out, block, valid, 0, exclusive, has_prefix || block > 0, block_prefix);
        upsweep_sync_lanes();
    }
}

UPSWEEP_KERNEL upsweep_scan_look_back(__global const upsweep_element* in, ulong in_offset,
                                      __global upsweep_value* out, ulong out_offset, ulong n,
                                      volatile __global ulong* state, uint epoch, uint ticket_base, uint in_place,
                                      uint exclusive, uint has_init, upsweep_value init)
{
    __local upsweep_value sums[UPSWEEP_LANE_ROWS];
    __local upsweep_value shared[1];
    // The sixteen bytes are what an asynchronous copy writes at once.
    __local upsweep_slot slots[UPSWEEP_LANE_ROWS * UPSWEEP_SLOT_BLOCKS * UPSWEEP_BLOCK_SLOTS] __attribute__((aligned(16)));
    const uint tiles = (uint)get_num_groups(0);
    __local upsweep_slot* own_slots =
        slots + (uint)get_local_id(0) / UPSWEEP_LANES * (UPSWEEP_SLOT_BLOCKS * UPSWEEP_BLOCK_SLOTS);
    in += in_offset;
    out += out_offset;

    const uint tile = UPSWEEP_TILE_ORDER((uint)get_group_id(0), tiles);
    const ulong first = (ulong)tile * UPSWEEP_TILE;
    const uint valid = n - first < UPSWEEP_TILE ? (uint)(n - first) : (uint)UPSWEEP_TILE;
    if (valid == UPSWEEP_TILE && UPSWEEP_IS_ALIGNED(in) && UPSWEEP_IS_ALIGNED(out))
        upsweep_scan_full_tile(in, in + first, out + first, state, tiles, epoch, tile, in_place, exclusive, has_init,
                               init, sums, shared, own_slots);
    else
        upsweep_scan_any_tile(in, in + first, out + first, valid, state, tiles, epoch, tile, in_place, exclusive,
                              has_init, init, sums, shared, own_slots);
    if (get_local_id(0) == 0 && tiles > 1) UPSWEEP_FINISHED(state)
}

#endif
