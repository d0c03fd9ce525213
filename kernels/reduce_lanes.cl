// Reduction in one launch, for lanes in step, in the canonical order (tree.cl). Work-groups take turns with parts, aligned
// blocks of `part` elements, a power of two of steps, of which each row of lanes sums its share; what is left over at the end
// goes step by step, one per row of lanes, and less than a step block by block. All their sums are published as entries,
// and the work-group that finishes last combines those. Who happens to be last changes nothing about the order.
//
// state: word 0 counts work-groups that are done, from `done_base` on; see state.cl.
#ifndef UPSWEEP_REDUCE_LANES
#define UPSWEEP_REDUCE_LANES
#ifndef UPSWEEP_TILE_BLOCKS
#include "tile_blocks.cl"
#endif
#ifndef UPSWEEP_REDUCE_ENTRIES
#include "reduce_entries.cl"
#endif

// A step: a block of tile_blocks.cl.
#define UPSWEEP_STEP UPSWEEP_BLOCK
// log2 of the steps of a part that each row of lanes sums, at most; see plan.hpp.
#define UPSWEEP_SHARE_BITS 8

// Places in local memory that a row of lanes has for steps under way; see tuning.hpp.
#define UPSWEEP_STAGES 2

// What a reduction is cut into.
typedef struct {
    __global const upsweep_element* in;
    uint whole;       // packs are aligned
    ulong part;       // elements of a part
    ulong parts;
    uint share;       // steps of a part that each row of lanes sums
    ulong work_group; // of how many
    ulong work_groups;
} upsweep_division;

// Has the next step of this row of lanes fetched, number `step` of its share of part number `at`, and moves on.
void upsweep_fetch_step(upsweep_division d, ulong* at, uint* step, __local upsweep_slot* slots)
{
    if (*at < d.parts) {
        const ulong first = *at * d.part + (ulong)upsweep_lane_row() * d.share * UPSWEEP_STEP;
        if (d.whole)
            upsweep_stage_block(d.in + first + *step * UPSWEEP_STEP, UPSWEEP_STEP, 1, slots);
        else
            upsweep_stage_block(d.in + first + *step * UPSWEEP_STEP, UPSWEEP_STEP, 0, slots);
        if (++*step == d.share) {
            *at += d.work_groups;
            *step = 0;
        }
    }
#if UPSWEEP_ASYNC_COPY
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Sums this work-group's parts and puts their sums among the entries.
void upsweep_sum_parts(upsweep_division d, upsweep_entries entries, __local upsweep_value* sums,
                       __local upsweep_slot* slots)
{
    const uint lane_row = upsweep_lane_row();
    upsweep_value stack[UPSWEEP_SHARE_BITS + 1];
    ulong at = d.work_group;
    uint fetched = 0;
    for (uint i = 0; i + 1 < UPSWEEP_STAGES; ++i)
        upsweep_fetch_step(d, &at, &fetched, slots + i * UPSWEEP_BLOCK_SLOTS);
    uint stage = 0;
    uint side = 0; // of `sums`, so that one barrier per part is enough
    for (ulong part = d.work_group; part < d.parts; part += d.work_groups) {
        upsweep_value sum;
        for (uint step = 0; step < d.share; ++step) {
            const uint free_stage = stage == 0 ? UPSWEEP_STAGES - 1 : stage - 1;
            upsweep_fetch_step(d, &at, &fetched, slots + free_stage * UPSWEEP_BLOCK_SLOTS);
#if UPSWEEP_ASYNC_COPY
            __asm__ volatile("cp.async.wait_group 1;" ::: "memory"); // all but the one fetched last
#endif
            upsweep_sync_lanes();
            sum = upsweep_sum_local_block(slots + stage * UPSWEEP_BLOCK_SLOTS);
            stage = stage + 1 == UPSWEEP_STAGES ? 0 : stage + 1;
            // The stack of tree.cl, in registers.
            uint open = 1;
#pragma unroll
            for (uint bit = 0; bit < UPSWEEP_SHARE_BITS; ++bit) {
                if (!open) continue;
                open = step >> bit & 1u;
                if (open)
                    sum = upsweep_combine(stack[bit], sum);
                else
                    stack[bit] = sum;
            }
        }
        if (upsweep_lane() == 0) sums[side + lane_row] = sum; // the last step has put together all
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane_row == 0) {
            upsweep_value rows[UPSWEEP_LANE_ROWS];
#pragma unroll
            for (uint i = 0; i < UPSWEEP_LANE_ROWS; ++i) rows[i] = sums[side + i];
            upsweep_sweep_up(rows, UPSWEEP_LANE_ROWS, UPSWEEP_LANE_ROWS);
            upsweep_put_entry(entries, part, rows[UPSWEEP_LANE_ROWS - 1]);
        }
        side = UPSWEEP_LANE_ROWS - side;
    }
}

// Publishes the sums of the blocks that the last `size` elements, less than a step, are made of.
void upsweep_put_rest(upsweep_entries entries, ulong next, __global const upsweep_element* rest, uint size,
                      __local upsweep_slot* slots)
{
    upsweep_value run[UPSWEEP_RUN];
    upsweep_stage_block(rest, size, 0, slots);
    upsweep_sync_lanes();
    upsweep_read_run(slots, run);
    const uint full_lanes = size / UPSWEEP_RUN;
    const uint last = size % UPSWEEP_RUN;
    const uint used = upsweep_lane() < full_lanes ? UPSWEEP_RUN : upsweep_lane() == full_lanes ? last : 0;
    upsweep_sweep_up(run, UPSWEEP_RUN, used);
    // What lane full_lanes finds on its left: a block for each bit of its number.
    upsweep_value before[UPSWEEP_LANE_BITS];
    upsweep_lanes_up(run[UPSWEEP_RUN - 1], UPSWEEP_LANES, full_lanes, before);
#pragma unroll
    for (uint bit = UPSWEEP_LANE_BITS; bit-- > 0;)
        if (full_lanes >> bit & 1u) upsweep_put_entry(entries, next++, upsweep_from_lane(before[bit], full_lanes));
    upsweep_put_blocks(entries, &next, run, UPSWEEP_RUN, last, full_lanes);
}

// Appends steps and the rest, and writes the result, by one row of lanes.
void upsweep_finish_reduction(upsweep_entries entries, ulong parts, uint steps, uint rest, uint has_total,
                              upsweep_value total, __global upsweep_value* result)
{
    upsweep_append_entries(entries, parts, steps, total, &has_total, &total);
    for (uint i = 0; i < popcount(rest); ++i)
        upsweep_append(&has_total, &total, upsweep_get_entry(entries, parts + steps + i));
    if (upsweep_lane() == 0) *result = total;
}

// Combines all entries and writes the result, by one work-group.
void upsweep_combine_entries(upsweep_entries entries, ulong parts, uint steps, uint rest,
                             __global upsweep_value* result, uint has_init, upsweep_value init,
                             __local upsweep_value* sums)
{
    const uint lane_row = upsweep_lane_row();
    const uint number = lane_row * UPSWEEP_LANES + upsweep_lane();
    ulong each = 1;
    while (each * UPSWEEP_WORK_ITEMS < parts) each *= 2;
    const uint full = (uint)(parts / each); // work-items with a full run of entries
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value sum = init;
    if (number < full) {
        // Eight entries at a time are on their way.
        for (ulong i = 0; i < each; i += 8) {
            upsweep_value values[8];
            const uint count = each < 8 ? (uint)each : 8u;
#pragma unroll
            for (uint k = 0; k < 8; ++k)
                if (k < count) values[k] = upsweep_get_entry(entries, number * each + i + k);
            upsweep_sweep_up(values, 8, count);
            sum = upsweep_pick(values, 8, count - 1);
            if (each > 8) upsweep_stack_push(stack, (uint)(i / 8), sum);
        }
        uint has_sum = 0;
        if (each > 8) upsweep_stack_append(stack, (uint)(each / 8), &has_sum, &sum);
    }
    const uint full_rows = full / UPSWEEP_LANES;
    if (lane_row < full_rows) {
        const upsweep_value row_sum = upsweep_lanes_sum(sum);
        if (upsweep_lane() == 0) sums[lane_row] = row_sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane_row != full_rows % UPSWEEP_LANE_ROWS) return;

    upsweep_value total = init;
    uint has_total = has_init;
    upsweep_value rows[UPSWEEP_LANE_ROWS];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_LANE_ROWS; ++i) rows[i] = sums[i];
    upsweep_sweep_up(rows, UPSWEEP_LANE_ROWS, full_rows);
    if (full_rows == UPSWEEP_LANE_ROWS) upsweep_append(&has_total, &total, rows[UPSWEEP_LANE_ROWS - 1]);
#pragma unroll
    for (uint block = UPSWEEP_LANE_ROWS / 2; block > 0; block /= 2)
        if (full_rows < UPSWEEP_LANE_ROWS && (full_rows & block))
            upsweep_append(&has_total, &total,
                           upsweep_pick(rows, UPSWEEP_LANE_ROWS, upsweep_last_of_block(full_rows, block)));
    upsweep_append_lanes(sum, full % UPSWEEP_LANES, &has_total, &total);
    // Parts that do not make a full run; then steps, then the rest.
    upsweep_append_entries(entries, full * each, (uint)(parts - full * each), init, &has_total, &total);
    upsweep_finish_reduction(entries, parts, steps, rest, has_total, total, result);
}

// n may be 0 for a single work-group: then the result is `init`.
UPSWEEP_KERNEL upsweep_reduce_once(__global const upsweep_element* in, ulong in_offset, ulong n, ulong part,
                                   __global upsweep_value* result, ulong result_offset, volatile __global ulong* state,
                                   uint epoch, uint done_base, uint has_init, upsweep_value init)
{
    __local upsweep_value sums[2 * UPSWEEP_LANE_ROWS];
    __local upsweep_value values[UPSWEEP_LOCAL_ENTRIES];
    __local uint shared_last[1];
    __local upsweep_slot slots[UPSWEEP_LANE_ROWS * UPSWEEP_STAGES * UPSWEEP_BLOCK_SLOTS] __attribute__((aligned(16)));
    const uint groups = (uint)get_num_groups(0);
    if (n == 0) {
        if (get_local_id(0) == 0) result[result_offset] = init;
        return;
    }
    const upsweep_entries entries = {state + UPSWEEP_STATE_BEGIN, values, epoch, groups == 1};
    in += in_offset;
    const uint lane_row = upsweep_lane_row();
    const uint rest = (uint)(n % UPSWEEP_STEP);
    const ulong parts = n / part;
    const uint steps = (uint)(n % part / UPSWEEP_STEP);
    const upsweep_division d = {in,    UPSWEEP_IS_ALIGNED(in), part, parts, (uint)(part / UPSWEEP_STEP / UPSWEEP_LANE_ROWS),
                                get_group_id(0), groups};
    __local upsweep_slot* own_slots = slots + lane_row * UPSWEEP_STAGES * UPSWEEP_BLOCK_SLOTS;
    upsweep_sum_parts(d, entries, sums, own_slots);
    // Steps and the rest go to rows of lanes in turn.
    const ulong turns = (ulong)groups * UPSWEEP_LANE_ROWS;
    for (ulong i = get_group_id(0) + (ulong)lane_row * groups; i < steps + (rest > 0); i += turns) {
        upsweep_wait_for_stages();
        __global const upsweep_element* from = in + parts * part + i * UPSWEEP_STEP;
        if (i == steps) {
            upsweep_put_rest(entries, parts + steps, from, rest, own_slots);
        } else {
            upsweep_stage_block(from, UPSWEEP_STEP, d.whole, own_slots);
            upsweep_wait_for_stages();
            upsweep_put_entry(entries, parts + i, upsweep_sum_local_block(own_slots));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (groups == 1) {
        if (lane_row != 0) return;
        upsweep_append_entries(entries, 0, (uint)parts, init, &has_init, &init);
        upsweep_finish_reduction(entries, parts, steps, rest, has_init, init, result + result_offset);
        return;
    }
    if (get_local_id(0) == 0) shared_last[0] = atomic_inc((volatile __global uint*)state) - done_base == groups - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (shared_last[0])
        upsweep_combine_entries(entries, parts, steps, rest, result + result_offset, has_init, init, sums);
}

#endif
