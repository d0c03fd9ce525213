// SPDX-License-Identifier: MIT
// Scans of columns in one launch. A work-group has a tile: 2^team_bits runs of UPSWEEP_ITEMS rows, one below the other, of
// `strip` neighbouring columns; a work-item has one run of one column. Work-group g has strip g % strips of tile g / strips.
//
// launch: (epoch, tiles of a column, flags, polls). Flags: see the prelude. state: see columns/column_blocks.cl. slots: of a
// tile's blocks, and of its elements where it is narrow (columns/column_moves.cl). ahead: work-groups between one and that
// whose elements it prefetches; 0: it does not.
#ifndef UPSWEEP_COLUMNS_LOOK_BACK
#define UPSWEEP_COLUMNS_LOOK_BACK
#include "columns/column_prefix.cl"
#include "columns/column_moves.cl"

// NVIDIA's compiler takes what a number decides out of a loop, places of all rows among it, and keeps them in registers; but
// not if a number may be another one each time.
#if UPSWEEP_PTX
#define UPSWEEP_EACH_TIME(number) __asm__ volatile("" : "+r"(number));
#else
#define UPSWEEP_EACH_TIME(number)
#endif

// Loads the runs of the tile at `in`, and sums those of each column: the team's sums hold the results.
void upsweep_sum_columns(upsweep_input in, upsweep_team team, uint count, uint is_narrow, upsweep_piece* piece,
                         __local upsweep_value* own_slots, upsweep_column from, upsweep_value* run)
{
    uint loaded = count;
    UPSWEEP_EACH_TIME(loaded)
    UPSWEEP_EACH_TIME(piece->count)
    upsweep_load_column_run(is_narrow, in, *piece, own_slots, from, loaded, run);
    if (count > 0) upsweep_sweep_up(run, UPSWEEP_ITEMS, count);
    if (count == UPSWEEP_ITEMS) team.sums[0] = run[UPSWEEP_ITEMS - 1];
    upsweep_sweep_team_up(team);
    barrier(CLK_LOCAL_MEM_FENCE);
}

// By all work-items: whether any found a silent block, whose sum it then computes.
uint upsweep_settle_silence(const upsweep_column_call* call, upsweep_silent_block silent, __local uint* shared_silent)
{
    if (silent.is_real) *shared_silent = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint is_silent = *shared_silent;
    if (UPSWEEP_LOADS_AGAIN && silent.is_real) upsweep_publish_silent_block(call, silent.level, silent.number);
    if (UPSWEEP_LOADS_AGAIN && is_silent) barrier(CLK_LOCAL_MEM_FENCE); // all have read it
    return is_silent;
}

// Gives the last run of a column the tile's prefix; the team sweeps down from there. Returns the prefix of the next tile.
// level, sum: what upsweep_publish_blocks gave, of a full tile.
upsweep_value upsweep_take_prefix(upsweep_team team, uint tile, uint level, const __local upsweep_value* blocks,
                                  uint has_init, upsweep_value init, uint has_next, upsweep_value sum)
{
    upsweep_column_prefix found = upsweep_prefix_of_blocks(tile, team.strip, level, blocks, has_init, init);
    team.sums[0] = found.prefix;
    upsweep_value next = found.before;
    if (has_next) upsweep_append(&found.has_before, &next, sum);
    return next;
}

// Publishes the sum of a column of the tile, *sum, and those of blocks; see upsweep_publish_blocks.
uint upsweep_publish_column(const upsweep_column_call* call, uint tile, uint exclusive, upsweep_value* sum,
                            upsweep_silent_block* silent)
{
    const uint level = upsweep_publish_blocks(call, tile, exclusive, sum, silent);
    UPSWEEP_DEVICE_FENCE()
    return level;
}

UPSWEEP_KERNEL upsweep_scan_columns_once(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong width, ulong pitch, ulong height,
                                         uint strip, uint team_bits, uint ahead, __local upsweep_value* slots,
                                         uint is_narrow, volatile __global ulong* state, UPSWEEP_OUTPUT_PARAMETERS,
                                         ulong out_offset, uint4 launch, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_value sums[UPSWEEP_WORK_ITEMS];
    __local uint shared_silent[1];
    const uint local_id = (uint)get_local_id(0);
    const uint exclusive = launch.z & UPSWEEP_EXCLUSIVE;
    const uint group = UPSWEEP_TILE_ORDER((uint)get_group_id(0), (uint)get_num_groups(0));
    const uint strips = (uint)get_num_groups(0) / launch.y;
    const uint tile = group / strips;
    const upsweep_index first = ((upsweep_index)tile << team_bits) * UPSWEEP_ITEMS;
    const upsweep_index rows = min((upsweep_index)height - first, (upsweep_index)UPSWEEP_ITEMS << team_bits);
    const uint own_run = local_id / strip;
    const upsweep_index column = (upsweep_index)(group - tile * strips) * strip + (local_id - own_run * strip);
    const uint is_real = own_run >> team_bits == 0 && column < width;
    const upsweep_team team = {sums + local_id, strip, team_bits, own_run, (uint)(rows / UPSWEEP_ITEMS), is_real};
    const uint is_full = team.complete >> team_bits;
    const upsweep_index begin = (upsweep_index)own_run * UPSWEEP_ITEMS;
    const uint count = is_real && begin < rows ? UPSWEEP_AT_MOST(rows - begin, UPSWEEP_ITEMS) : 0;

    const upsweep_input in = UPSWEEP_INPUT(in_offset);
    if (ahead != 0)
        upsweep_prefetch_rows(in, (height - 1) * pitch + width, pitch, UPSWEEP_ITEMS << team_bits, group + ahead, strips,
                              local_id);
    const upsweep_index own_column = is_real ? column : 0;
    volatile __global ulong* own_state = state + UPSWEEP_STATE_BEGIN + own_column * UPSWEEP_STATE_WORDS;
    const upsweep_column_call call = {UPSWEEP_INPUT_AT(in, own_column), own_state, (upsweep_index)pitch, width, launch.y,
                                      team_bits, launch.x, launch.w};
    const uint own_level = min(own_run * UPSWEEP_LEVEL_BITS, 31u) / UPSWEEP_LEVEL_BITS;
    const upsweep_column from = upsweep_part_of_column(in, pitch, own_column, first + (count ? begin : 0), count);
    upsweep_piece piece = {slots, strip, (uint)rows * strip, local_id};
    __local upsweep_value* own_slots = slots + own_run * (UPSWEEP_ITEMS + 1) * strip + (local_id - own_run * strip);
    __local upsweep_value* blocks = slots + (local_id - own_run * strip);
    const uint has_init = launch.z & UPSWEEP_HAS_INIT;
    const uint is_last = is_real && own_run + 1 == 1u << team_bits;
    upsweep_value run[UPSWEEP_RUN];
    upsweep_value sum = init;
    uint level = 0;
    uint is_silent = 0;
    do {
        if (local_id == 0) shared_silent[0] = 0;
        upsweep_column_level begun =
            upsweep_begin_level(&call, tile, own_level, is_real ? tile >> own_level * UPSWEEP_LEVEL_BITS : 0);
        upsweep_sum_columns(UPSWEEP_INPUT_AT(in, first * call.pitch), team, count, is_narrow, &piece, own_slots, from,
                            run);
        UPSWEEP_SILENCE(group, state)
        upsweep_silent_block silent = {0, 0, 0};
        if (is_last && is_full) sum = sums[local_id];
        if (is_last && is_full) level = upsweep_publish_column(&call, tile, exclusive, &sum, &silent);
        upsweep_find_blocks(&call, tile, team, begun, blocks, &silent);
        is_silent = upsweep_settle_silence(&call, silent, shared_silent);
    } while (UPSWEEP_LOADS_AGAIN && is_silent);
    upsweep_value next = init;
    if (is_last)
        next = upsweep_take_prefix(team, tile, level, blocks, has_init, init, is_full && !exclusive, sum);
    const uint has_prefix = has_init || tile > 0;
    const uint used = team.complete + (exclusive ? rows % UPSWEEP_ITEMS != 0 : !is_full);
    upsweep_sweep_team_down(team, used, has_prefix);
    upsweep_sweep_run_down(team, count, exclusive, has_prefix, next, run);
    const upsweep_output out = UPSWEEP_OUTPUT(out_offset);
    upsweep_store_column_run(is_narrow, UPSWEEP_OUTPUT_AT(out, first * call.pitch), piece, own_slots, from,
                             UPSWEEP_OUTPUT_AT(out, (first + begin) * call.pitch + own_column), count, run);
    if (local_id == 0) UPSWEEP_FINISHED(state)
}

#endif
