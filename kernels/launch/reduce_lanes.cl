// SPDX-License-Identifier: MIT
// Reduction in one launch, by sub-groups, in the canonical order (tree.cl). A round is what a sub-group loads at once:
// UPSWEEP_RUN_PACKS rows of packs, each of one pack per lane. A step is one round or several. A part is an aligned block
// of 2^part_bits elements; the sub-groups of one work-group take its steps in turn. Work-groups take parts in turn, so
// that at any time all of them together read one stretch of memory: NVIDIA's H200 reads 4440 GB/s that way, and 3900 if
// each work-group has a stretch of its own. If there are many parts, the last are assigned dynamically. The leftover
// steps after the parts go to sub-groups one by one, and so do the rows behind these and the rest, less than a row, which
// is summed block by block. The sums of all these are published as entries, and the work-group that finishes last combines
// them. The order of combination depends on none of this.
//
// Runs of all entries gathered by all sub-groups of that one, so that no load waits for another's, were slower, because more
// is run for the first time: 2^23 and 2^23 - 1 int32 10.9 and 12.9, as it is 9.3 and 11.1.
//
// H200, n - 1 elements of n, us, the rest of a step by one sub-group, row by row, and like this: 2^22 int32 11.5 and 9.8 (n
// elements 7.6), 2^24 uint8 11.7 and 10.4 (7.6), 2^20 and 2^24 float by log(exp(a) + exp(b)) 17.4, 60.9 and 15.9, 53.8 (9.3,
// 38.7).
#ifndef UPSWEEP_REDUCE_LANES
#define UPSWEEP_REDUCE_LANES
#include "sub_group/reduce_steps.cl"
#include "sub_group/reduce_entries.cl"
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

#if !defined(UPSWEEP_STAGED_BYTES)
#error "UPSWEEP_STAGED_BYTES must be given"
#endif
#if !defined(UPSWEEP_ONE_TILE)
#error "UPSWEEP_ONE_TILE must be 1 if there are never more steps than sub-groups in a work-group, else 0"
#endif
// Sums of steps that a work-group stages in local memory before it publishes those of their parts.
#define UPSWEEP_STAGED_SUMS (UPSWEEP_STAGED_BYTES / UPSWEEP_VALUE_SIZE)
// Entries that have room there behind one for each lane.
#define UPSWEEP_LEFT_ENTRIES (UPSWEEP_STAGED_SUMS > UPSWEEP_LANES ? UPSWEEP_STAGED_SUMS - UPSWEEP_LANES : 0)
// Whether they are put together side by side (upsweep_append_left), for which they have room. Not those of larger values,
// whose programs took a fifth longer to build and were slower: 2 x 2 matrices modulo a prime, 2^16 and 2^18, less one, 14.7,
// 15.9 and 15.3, 17.3.
#define UPSWEEP_APPENDS_SIDE_BY_SIDE (UPSWEEP_VALUE_SIZE <= 12)

#if !UPSWEEP_ONE_TILE // the program of a small reduction does without what takes long to build
// The sum of `count` values, a power of two, in local memory, by a sub-group; in the first lane.
UPSWEEP_SELDOM
upsweep_value upsweep_sum_staged(const __local upsweep_value* values, uint count)
{
    upsweep_value before[UPSWEEP_LANE_BITS];
    if (count < UPSWEEP_LANES)
        return upsweep_lanes_up(values[upsweep_lane() % count], UPSWEEP_LANES, count, before);
    upsweep_value stack[UPSWEEP_STACK];
    const uint rows = count / UPSWEEP_LANES;
    for (uint i = 0; i < rows; ++i)
        upsweep_stack_push(stack, i, upsweep_lanes_sum(values[i * UPSWEEP_LANES + upsweep_lane()]));
    uint has_sum = 0;
    upsweep_value sum = stack[0];
    upsweep_stack_append(stack, rows, &has_sum, &sum);
    return sum;
}

// Sums parts first, first + turn, ... before `end` by a work-group and publishes their sums, as many at a time as
// can be staged in `sums`. Between these its sub-groups do not wait for one another.
void upsweep_sum_parts(upsweep_division d, upsweep_entries entries, uint first, uint end, __local upsweep_value* sums)
{
    const uint sub_group = upsweep_sub_group();
    const uint part_steps = (1u << d.part_bits) / UPSWEEP_STEP;
    const uint turn = (uint)get_num_groups(0);
    while (first < end) {
        uint staged = 0;
        uint part = first;
        for (; part < end && (staged + 1) * part_steps <= UPSWEEP_STAGED_SUMS; part += turn, ++staged)
            for (uint step = sub_group; step < part_steps; step += UPSWEEP_SUB_GROUPS_PER_GROUP) {
                const upsweep_value sum = upsweep_sum_step(
                    d, UPSWEEP_INPUT_AT(UPSWEEP_INPUT_AT(d.in, (ulong)part << d.part_bits), step * UPSWEEP_STEP));
                if (upsweep_lane() == 0) sums[staged * part_steps + step] = sum;
            }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
        for (uint i = sub_group; i < staged; i += UPSWEEP_SUB_GROUPS_PER_GROUP)
            upsweep_put_entry(entries, first + i * turn, upsweep_sum_staged(sums + i * part_steps, part_steps));
        barrier(CLK_LOCAL_MEM_FENCE);
        first = part;
    }
}

// Sums the static parts, of which each work-group has equally many, then the dynamic ones: work-groups take them by
// tickets from the counter, because some of a GPU's compute units read faster than others. There is a ticket for each
// dynamic part and one for each work-group. A work-group whose ticket is beyond the parts is done. Returns whether this
// one is the last.
uint upsweep_sum_all_parts(upsweep_division d, upsweep_entries entries, uint static_parts, __local upsweep_value* sums,
                           volatile __global uint* counter, __local uint* shared_ticket)
{
    const uint dynamic_parts = d.parts - static_parts;
    const uint tickets = dynamic_parts + (uint)get_num_groups(0);
    uint first = (uint)get_group_id(0);
    uint end = static_parts;
    for (;;) { // one copy of the code: what is run for the first time is slow
        upsweep_sum_parts(d, entries, first, end, sums);
        const uint ticket = upsweep_take_ticket(counter, tickets, shared_ticket);
        if (ticket >= dynamic_parts) return ticket == tickets - 1;
        first = static_parts + ticket;
        end = first + 1;
    }
}
#endif

#if UPSWEEP_ENTRIES_IN_ANY_ORDER
#define UPSWEEP_REST_ENTRIES(size) ((size) > 0 ? 1u : 0u)
// Publishes the sum of less than a row, of `size` elements.
void upsweep_put_rest(upsweep_entries entries, upsweep_input rest, uint size, ulong next)
{
    upsweep_put_entry(entries, next, upsweep_sum_rest(rest, size));
}
#else
#define UPSWEEP_REST_ENTRIES(size) popcount(size)
// Publishes the sums of the blocks that less than a row, of `size` elements, is made of.
void upsweep_put_rest(upsweep_entries entries, upsweep_input rest, uint size, ulong next)
{
    upsweep_value run[UPSWEEP_PACK];
    const uint full_lanes = size / UPSWEEP_PACK;
    const uint last = size % UPSWEEP_PACK;
    upsweep_load_run(rest, upsweep_lane() * UPSWEEP_PACK, size, run);
    upsweep_sweep_up(run, UPSWEEP_PACK,
                     upsweep_lane() < full_lanes ? UPSWEEP_PACK : upsweep_lane() == full_lanes ? last : 0);
    // What lane full_lanes finds on its left: a block for each bit of its number.
    upsweep_value before[UPSWEEP_LANE_BITS];
    upsweep_lanes_up(run[UPSWEEP_PACK - 1], UPSWEEP_LANES, full_lanes, before);
#pragma unroll
    for (uint bit = UPSWEEP_LANE_BITS; bit-- > 0;)
        if (full_lanes >> bit & 1u) upsweep_put_entry(entries, next++, upsweep_from_lane(before[bit], full_lanes));
    upsweep_put_blocks(entries, &next, run, UPSWEEP_PACK, last, full_lanes);
}
#endif

// Sums what follows the parts: steps, rows, and the rest, which go to sub-groups one by one. The last work-groups have the
// fewest parts, so they come first.
UPSWEEP_SELDOM
void upsweep_sum_leftover(upsweep_division d, upsweep_entries entries)
{
    const uint groups = (uint)get_num_groups(0);
    const upsweep_input steps = UPSWEEP_INPUT_AT(d.in, (ulong)d.parts << d.part_bits);
    const upsweep_input rows = UPSWEEP_INPUT_AT(steps, d.steps * UPSWEEP_STEP);
    for (uint i = groups - 1 - (uint)get_group_id(0) + upsweep_sub_group() * groups; i <= d.steps + d.rows;
         i += groups * UPSWEEP_SUB_GROUPS_PER_GROUP) {
        if (i == d.steps + d.rows) {
            if (d.rest > 0)
                upsweep_put_rest(entries, UPSWEEP_INPUT_AT(rows, d.rows * UPSWEEP_ROW), d.rest, d.parts + i);
            continue;
        }
        upsweep_value sum;
        if (i < d.steps)
            sum = upsweep_sum_step(d, UPSWEEP_INPUT_AT(steps, i * UPSWEEP_STEP));
        else
            sum = upsweep_sum_row(UPSWEEP_INPUT_AT(rows, (i - d.steps) * UPSWEEP_ROW));
        upsweep_put_entry(entries, d.parts + i, sum);
    }
}

#if !UPSWEEP_ONE_TILE
#if !UPSWEEP_ENTRIES_IN_ANY_ORDER
// Appends the sums of the parts by one work-group, in runs that go to its sub-groups in turn: fewer runs than lanes,
// short ones where there are few parts, for the sake of time. Returns the number of parts that make up whole runs, whose
// sum the first sub-group has. What follows these of `all` entries is copied to `sums` behind as many values as lanes, if
// there is room. H200, n - 1 elements of n, us, read one after another by one sub-group and so: 2^22, 2^23 and 2^25 int32
// 9.7, 12.1, 38.2 and 9.0, 11.0, 36.9, 2^23 of 12 bytes 39.3 and 36.2.
UPSWEEP_SELDOM
uint upsweep_append_parts(uint parts, uint all, upsweep_entries entries, __local upsweep_value* sums, uint* has_total,
                          upsweep_value* total)
{
    const uint sub_group = upsweep_sub_group();
    const upsweep_value filler = *total;
    uint run = parts < UPSWEEP_LANES * UPSWEEP_LANES ? UPSWEEP_LANES : UPSWEEP_ENTRY_BLOCK;
    while (parts / run >= UPSWEEP_LANES) run *= 2;
    const uint runs = parts / run;
#pragma unroll 1
    for (uint i = sub_group; i < runs; i += UPSWEEP_SUB_GROUPS_PER_GROUP) {
        upsweep_value sum = filler;
        if (run == UPSWEEP_LANES) {
            upsweep_get_entries(entries, i * run, UPSWEEP_LANES, 1, &sum);
            sum = upsweep_lanes_sum(sum);
        } else {
            uint has_sum = 0;
            upsweep_append_entry_blocks(entries, i * run, run / UPSWEEP_ENTRY_BLOCK, &has_sum, &sum);
        }
        if (upsweep_lane() == 0) sums[i] = sum;
    }
    const uint left = all - runs * run;
    if (left <= UPSWEEP_LEFT_ENTRIES)
#pragma unroll 1
        for (uint i = sub_group * UPSWEEP_LANES; i < left; i += UPSWEEP_SUB_GROUPS_PER_GROUP * UPSWEEP_LANES) {
            upsweep_value value = filler;
            upsweep_get_entries(entries, runs * run + i, left - i, 1, &value);
            if (i + upsweep_lane() < left) sums[UPSWEEP_LANES + i + upsweep_lane()] = value;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (sub_group == 0)
        upsweep_append_lanes(upsweep_as_argument(upsweep_lane() < runs ? sums[upsweep_lane()] : filler), runs, has_total,
                             total);
    return runs * run;
}

// Appends `parts` from entry `first` on, steps, rows and the rest, one after another, by one sub-group.
UPSWEEP_SELDOM
void upsweep_append_in_turn(upsweep_division d, upsweep_entries entries, uint first, uint parts, uint* has_total,
                            upsweep_value* total)
{
    const upsweep_value filler = *total;
#pragma unroll 1
    for (uint which = 0; which < 3; ++which) { // one copy of the code: what is run for the first time is slow
        const uint count = which == 0 ? parts : which == 1 ? d.steps : d.rows;
        if (count > 0) upsweep_append_entries(entries, first, count, filler, has_total, total);
        first += count;
    }
    const uint blocks = popcount(d.rest);
    if (blocks > 0) {
        upsweep_value value = filler;
        upsweep_get_entries(entries, first, blocks, 1, &value);
#pragma unroll 1
        for (uint i = 0; i < blocks; ++i) upsweep_append(has_total, total, upsweep_from_lane(value, i));
    }
}
#endif

// state: see state.cl. where, launch: see the prelude; .w of where is the number of static parts, .w of launch
// is log2 of a part's elements.
UPSWEEP_KERNEL upsweep_reduce_once(UPSWEEP_ONE_LAUNCH_PARAMETERS)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_value sums[UPSWEEP_STAGED_SUMS];
    __local uint shared_ticket;
    const upsweep_input in = UPSWEEP_INPUT(where.x);
    const ulong n = UPSWEEP_REAL(where.z);
    const uint parts = (uint)(n >> launch.w);
    const upsweep_division d = upsweep_divide(in, n, launch.w, parts);
    const upsweep_entries entries = {state + UPSWEEP_STATE_BEGIN, sums, launch.x, 0};
    upsweep_sum_leftover(d, entries);
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile __global uint* counter = (volatile __global uint*)state;
    // Where elements are counted, there may be fewer than the host knew.
    const uint static_parts = (uint)min(where.w, (ulong)parts);
    if (!upsweep_sum_all_parts(d, entries, static_parts, sums, counter, &shared_ticket)) return;
    uint has_total = launch.z & UPSWEEP_HAS_INIT;
    upsweep_value total = init;
    const uint all = parts + d.steps + d.rows + UPSWEEP_REST_ENTRIES(d.rest);
#if UPSWEEP_ENTRIES_IN_ANY_ORDER
    if (all > 0) upsweep_append(&has_total, &total, upsweep_sum_entries(entries, all, sums, init));
    if (get_local_id(0) == 0) UPSWEEP_STORE(UPSWEEP_OUTPUT(where.y), 0, total);
#else
    const uint first = upsweep_append_parts(parts, all, entries, sums, &has_total, &total);
    if (upsweep_sub_group() != 0) return;
    const uint is_local = all - first <= UPSWEEP_LEFT_ENTRIES;
    const upsweep_entries left = {entries.words, sums + UPSWEEP_LANES, entries.epoch, is_local};
#if UPSWEEP_APPENDS_SIDE_BY_SIDE
    if (parts - first < UPSWEEP_ENTRY_BLOCK && d.steps < UPSWEEP_LANES) {
        if (all > first)
            upsweep_append_left(left.values, parts - first, d.steps, d.rows, popcount(d.rest), &has_total, &total);
    } else
#endif
        upsweep_append_in_turn(d, left, is_local ? 0 : first, parts - first, &has_total, &total);
    if (upsweep_lane() == 0) UPSWEEP_STORE(UPSWEEP_OUTPUT(where.y), 0, total);
#endif
}
#endif

// The reduction of less than UPSWEEP_LANES steps, by one work-group. A kernel of its own, because code that runs for the
// first time in a launch is slow: on an NVIDIA H200, 2^10 int32 take 1 us less. n may be 0: then the result is `init`.
UPSWEEP_KERNEL upsweep_reduce_few(UPSWEEP_ONE_LAUNCH_PARAMETERS)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local upsweep_value values[UPSWEEP_LOCAL_ENTRIES];
    const upsweep_input in = UPSWEEP_INPUT(where.x);
    const upsweep_division d = upsweep_divide(in, UPSWEEP_REAL(where.z), 0, 0);
    const upsweep_entries entries = {state, values, 0, 1};
    upsweep_sum_leftover(d, entries);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (upsweep_sub_group() != 0) return;
    uint has_total = launch.z & UPSWEEP_HAS_INIT;
    upsweep_value total = init;
#if UPSWEEP_ENTRIES_IN_ANY_ORDER
    const uint all = d.steps + d.rows + UPSWEEP_REST_ENTRIES(d.rest);
    if (all > 0) upsweep_append(&has_total, &total, upsweep_sum_values(values, all));
#else
#pragma unroll 1
    for (uint which = 0; which < 2; ++which) {
        const uint first = which == 0 ? 0 : d.steps;
        const uint count = which == 0 ? d.steps : d.rows;
        if (count == 0) continue;
        upsweep_append_lanes(upsweep_as_argument(upsweep_lane() < count ? values[first + upsweep_lane()] : init), count,
                             &has_total, &total);
    }
#pragma unroll 1
    for (uint i = 0; i < popcount(d.rest); ++i) upsweep_append(&has_total, &total, values[d.steps + d.rows + i]);
#endif
    if (upsweep_lane() == 0) UPSWEEP_STORE(UPSWEEP_OUTPUT(where.y), 0, total);
}

#endif
