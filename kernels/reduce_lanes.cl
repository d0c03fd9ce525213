// Reduction in one launch, for lanes in step, in the canonical order (tree.cl). Rows of lanes take turns with parts, aligned
// blocks of `part` elements, a power of two of steps; what is left over at the end goes step by step, and less than a step
// block by block. All their sums are published as entries, and the work-group that finishes last combines those. Who
// happens to be last changes nothing about the order.
//
// state: word 0 counts work-groups that are done, from `done_base` on; see state.cl.
#ifndef UPSWEEP_REDUCE_LANES
#define UPSWEEP_REDUCE_LANES
#ifndef UPSWEEP_LANES_TREE
#include "lanes_tree.cl"
#endif
#ifndef UPSWEEP_LANE_PACKS
#include "lane_packs.cl"
#endif
#ifndef UPSWEEP_STATE
#include "state.cl"
#endif

#define UPSWEEP_LANE_ROWS (UPSWEEP_WORK_ITEMS / UPSWEEP_LANES)
#define UPSWEEP_ROW (UPSWEEP_LANES * UPSWEEP_PACK)
// A step: packs that a lane reads before it combines any. follows plan.hpp
#define UPSWEEP_STEP_ROWS 8
#define UPSWEEP_STEP (UPSWEEP_STEP_ROWS * UPSWEEP_ROW)
// Steps in a part: at most one per lane.
#define UPSWEEP_PART_BITS UPSWEEP_LANE_BITS
// Entries that a single work-group keeps in local memory; follows plan.hpp.
#define UPSWEEP_LOCAL_ENTRIES 128

// Where entries are kept: in local memory when there is one work-group only.
typedef struct {
    volatile __global ulong* words;
    __local upsweep_value* values;
    uint epoch;
    uint is_local;
} upsweep_entries;

void upsweep_put_entry(upsweep_entries entries, ulong index, upsweep_value value)
{
    if (upsweep_lane() != 0) return;
    if (entries.is_local)
        entries.values[index] = value;
    else
        upsweep_publish(entries.words + index * UPSWEEP_STATE_WORDS, entries.epoch, value);
}

// All have been published, though what was written may still be on its way.
upsweep_value upsweep_get_entry(upsweep_entries entries, ulong index)
{
    if (entries.is_local) return entries.values[index];
    upsweep_value value;
    while (!upsweep_is_published(entries.words + index * UPSWEEP_STATE_WORDS, entries.epoch, &value)) {
    }
    return value;
}

// The sum of one full step.
upsweep_value upsweep_sum_step(__global const upsweep_element* step, uint whole)
{
    upsweep_pack packs[UPSWEEP_STEP_ROWS];
    upsweep_value rows[UPSWEEP_STEP_ROWS];
#pragma unroll
    for (uint row = 0; row < UPSWEEP_STEP_ROWS; ++row)
        packs[row] = upsweep_load_pack(step, row * UPSWEEP_ROW + upsweep_lane() * UPSWEEP_PACK, UPSWEEP_STEP, whole);
#pragma unroll
    for (uint row = 0; row < UPSWEEP_STEP_ROWS; ++row) rows[row] = upsweep_sum_pack(packs[row]);
    return upsweep_sum_rows(rows, UPSWEEP_STEP_ROWS);
}

// The sum of a part of `steps` steps. The stack is that of tree.cl, in registers.
upsweep_value upsweep_sum_part(__global const upsweep_element* part, uint steps, uint whole)
{
    upsweep_value stack[UPSWEEP_PART_BITS + 1];
    upsweep_value sum;
    for (uint step = 0; step < steps; ++step) {
        sum = upsweep_sum_step(part + step * UPSWEEP_STEP, whole);
        uint open = 1;
#pragma unroll
        for (uint bit = 0; bit < UPSWEEP_PART_BITS; ++bit) {
            if (!open) continue;
            open = step >> bit & 1u;
            if (open)
                sum = upsweep_combine(stack[bit], sum);
            else
                stack[bit] = sum;
        }
    }
    return sum; // the last push has put together all
}

// values[index] for an index that is no constant, out of registers.
upsweep_value upsweep_pick(const upsweep_value* values, uint count, uint index)
{
    upsweep_value value = values[0];
#pragma unroll
    for (uint i = 1; i < count; ++i)
        if (i == index) value = values[i];
    return value;
}

// Publishes what precedes entry `used` of an array of sums after its up-sweep: one entry per bit, largest block first.
void upsweep_put_blocks(upsweep_entries entries, ulong* next, const upsweep_value* values, uint count, uint used,
                        uint lane)
{
#pragma unroll
    for (uint block = count / 2; block > 0; block /= 2)
        if (used & block) {
            const upsweep_value sum = upsweep_pick(values, count, (used & ~(2 * block - 1)) + block - 1);
            upsweep_put_entry(entries, (*next)++, upsweep_from_lane(sum, lane));
        }
}

// Publishes the sums of the blocks that the last `size` elements, less than a step, are made of.
void upsweep_put_rest(upsweep_entries entries, ulong next, __global const upsweep_element* rest, uint size,
                      upsweep_value filler)
{
    const uint full_rows = size / UPSWEEP_ROW;
    upsweep_value rows[UPSWEEP_STEP_ROWS];
#pragma unroll
    for (uint row = 0; row < UPSWEEP_STEP_ROWS; ++row) {
        rows[row] = filler;
        if (row >= full_rows) continue;
        const uint begin = row * UPSWEEP_ROW + upsweep_lane() * UPSWEEP_PACK;
        rows[row] = upsweep_lanes_sum(upsweep_sum_pack(upsweep_load_pack(rest, begin, size, 0)));
    }
    upsweep_sweep_up(rows, UPSWEEP_STEP_ROWS, full_rows);
    upsweep_put_blocks(entries, &next, rows, UPSWEEP_STEP_ROWS, full_rows, 0);

    const uint begin = full_rows * UPSWEEP_ROW + upsweep_lane() * UPSWEEP_PACK;
    const uint full_lanes = size % UPSWEEP_ROW / UPSWEEP_PACK;
    const upsweep_pack pack = upsweep_load_pack(rest, begin, size, 0);
    upsweep_value sum = filler;
    if (upsweep_lane() < full_lanes) sum = upsweep_sum_pack(pack);
    upsweep_value blocks[UPSWEEP_LANE_BITS];
#pragma unroll
    for (uint bit = 0; bit < UPSWEEP_LANE_BITS; ++bit) {
        const uint distance = 1u << bit;
        blocks[bit] = upsweep_from_lane(sum, full_lanes & ~(2 * distance - 1));
        const upsweep_value other = upsweep_exchange(sum, distance);
        if ((upsweep_lane() | (2 * distance - 1)) < full_lanes) sum = upsweep_join(sum, other, distance);
    }
#pragma unroll
    for (uint bit = UPSWEEP_LANE_BITS; bit-- > 0;)
        if (full_lanes >> bit & 1u) upsweep_put_entry(entries, next++, blocks[bit]);

    const uint last = size % UPSWEEP_PACK;
    upsweep_value values[UPSWEEP_PACK];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i) values[i] = pack.elements[i];
    upsweep_sweep_up(values, UPSWEEP_PACK, upsweep_lane() == full_lanes ? last : 0);
    upsweep_put_blocks(entries, &next, values, UPSWEEP_PACK, last, full_lanes);
}

// Combines all entries and writes the result, by one work-group: `parts` of parts, `steps` of steps, the rest in order.
void upsweep_combine_entries(upsweep_entries entries, ulong parts, uint steps, uint rest,
                             __global upsweep_value* result, uint has_init, upsweep_value init,
                             __local upsweep_value* sums)
{
    const uint local_id = (uint)get_local_id(0);
    ulong each = 1;
    while (each * UPSWEEP_WORK_ITEMS < parts) each *= 2;
    const uint full = (uint)(parts / each); // work-items with a full run of entries
    upsweep_value stack[UPSWEEP_STACK];
    upsweep_value sum = init;
    if (local_id < full) {
        for (uint i = 0; i < each; ++i) sum = upsweep_get_entry(entries, local_id * each + i), upsweep_stack_push(stack, i, sum);
        uint has_sum = 0;
        upsweep_stack_append(stack, (uint)each, &has_sum, &sum);
    }
    const uint lane_row = local_id / UPSWEEP_LANES;
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
                           upsweep_pick(rows, UPSWEEP_LANE_ROWS, (full_rows & ~(2 * block - 1)) + block - 1));
    upsweep_append_lanes(sum, full % UPSWEEP_LANES, &has_total, &total);
    // Parts that do not make a full run; then steps, then the rest.
    for (ulong i = full * each; i < parts; ++i)
        upsweep_stack_push(stack, (uint)(i - full * each), upsweep_get_entry(entries, i));
    upsweep_stack_append(stack, (uint)(parts - full * each), &has_total, &total);
    upsweep_value step = init;
    if (upsweep_lane() < steps) step = upsweep_get_entry(entries, parts + upsweep_lane());
    upsweep_append_lanes(step, steps, &has_total, &total);
    for (uint i = 0; i < popcount(rest); ++i)
        upsweep_append(&has_total, &total, upsweep_get_entry(entries, parts + steps + i));
    if (upsweep_lane() == 0) *result = total;
}

// n may be 0 for a single work-group: then the result is `init`.
UPSWEEP_KERNEL upsweep_reduce_once(__global const upsweep_element* in, ulong in_offset, ulong n, ulong part,
                                   __global upsweep_value* result, ulong result_offset, volatile __global ulong* state,
                                   uint epoch, uint done_base, uint has_init, upsweep_value init)
{
    __local upsweep_value sums[UPSWEEP_LANE_ROWS];
    __local upsweep_value values[UPSWEEP_LOCAL_ENTRIES];
    __local uint shared_last[1];
    const uint groups = (uint)get_num_groups(0);
    if (n == 0) {
        if (get_local_id(0) == 0) result[result_offset] = init;
        return;
    }
    const upsweep_entries entries = {state + UPSWEEP_STATE_BEGIN, values, epoch, groups == 1};
    in += in_offset;
    const uint whole = UPSWEEP_IS_ALIGNED(in);
    const ulong parts = n / part;
    const uint steps = (uint)(n % part / UPSWEEP_STEP);
    const uint rest = (uint)(n % UPSWEEP_STEP);
    const ulong rows_of_lanes = (ulong)groups * UPSWEEP_LANE_ROWS;
    const uint lane_row = (uint)get_local_id(0) / UPSWEEP_LANES;
    for (ulong i = (ulong)get_group_id(0) * UPSWEEP_LANE_ROWS + lane_row; i < parts + steps + (rest > 0); i += rows_of_lanes) {
        if (i < parts + steps) {
            const ulong begin = i < parts ? i * part : parts * part + (i - parts) * UPSWEEP_STEP;
            upsweep_put_entry(entries, i, upsweep_sum_part(in + begin, i < parts ? (uint)(part / UPSWEEP_STEP) : 1, whole));
        } else {
            upsweep_put_rest(entries, i, in + (n - rest), rest, init);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (groups > 1) {
        if (get_local_id(0) == 0)
            shared_last[0] = atomic_inc((volatile __global uint*)state) - done_base == groups - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!shared_last[0]) return;
    }
    upsweep_combine_entries(entries, parts, steps, rest, result + result_offset, has_init, init, sums);
}

#endif
