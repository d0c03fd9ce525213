// SPDX-License-Identifier: MIT
// Segments so long that all work-groups sum parts of them. No work-group waits for another: who has the last part of a
// segment puts all of them together.
#ifndef UPSWEEP_SHARED_SEGMENTS
#define UPSWEEP_SHARED_SEGMENTS
#include "segments/long_segments.cl"
#include "sub_group/reduce_entries.cl"
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// Segments that all work-groups reduce together: those of which `least` parts of 2^bits elements or more end before they do.
// Part p of the array is of work-group p % groups, and of its sub-group p / groups from the last: the first ones have
// segments of their own.
typedef struct {
    upsweep_index owned[UPSWEEP_SUB_GROUPS_PER_GROUP]; // the segment of a sub-group's part, and 1; 0: none
    uint some;                                         // whether there are any
    uint broken;                                       // whether offsets break the rules; then no segment is shared
    uint joins;                                        // a bit for each sub-group whose segment the work-group joins
} upsweep_shared_segments;

// Finds the segments that are shared. All work-groups find the same.
#define UPSWEEP_OFFSETS_AT_ONCE 4
void upsweep_find_shared(upsweep_offsets offsets, upsweep_index count, ulong n, uint bits, uint least,
                         __local upsweep_shared_segments* shared)
{
    const upsweep_index groups = (upsweep_index)get_num_groups(0);
    if (upsweep_lane() == 0) shared->owned[upsweep_sub_group()] = 0;
    if (get_local_id(0) == 0) shared->some = shared->broken = shared->joins = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (upsweep_index first = get_local_id(0); first < count; first += UPSWEEP_OFFSETS_AT_ONCE * UPSWEEP_WORK_ITEMS) {
        upsweep_index begins[UPSWEEP_OFFSETS_AT_ONCE], ends[UPSWEEP_OFFSETS_AT_ONCE];
#pragma unroll
        for (uint i = 0; i < UPSWEEP_OFFSETS_AT_ONCE; ++i) {
            const upsweep_index k = min(first + i * UPSWEEP_WORK_ITEMS, count - 1);
            begins[i] = upsweep_begin_of(offsets, k, n);
            ends[i] = upsweep_begin_of(offsets, k + 1, n);
        }
        for (uint i = 0; i < UPSWEEP_OFFSETS_AT_ONCE; ++i) {
            const upsweep_index k = min(first + i * UPSWEEP_WORK_ITEMS, count - 1);
            if (begins[i] > ends[i]) atomic_or(&shared->broken, 1u);
            const upsweep_index begin = begins[i] >> bits, end = ends[i] >> bits;
            if (begins[i] > ends[i] || end - begin < least) continue;
            atomic_or(&shared->some, 1u);
            upsweep_index p = (upsweep_index)get_group_id(0);
            for (uint s = UPSWEEP_SUB_GROUPS_PER_GROUP; s-- > 0 && p < end; p += groups)
                if (p >= begin) shared->owned[s] = k + 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Copies the sums of `parts` from `first` on, which all have been published, to local memory, by a sub-group: those in rows
// that begin `turn` parts apart.
void upsweep_copy_parts(upsweep_entries entries, upsweep_row parts, uint first, uint turn)
{
    const uint count = (uint)(parts.end - parts.begin);
    for (; first < count; first += UPSWEEP_ENTRY_ROWS * turn) {
        upsweep_value rows[UPSWEEP_ENTRY_ROWS];
        const ulong begin = parts.begin + first;
        upsweep_get_entries_in_turn(entries, begin, count - first, turn, UPSWEEP_ENTRY_ROWS, rows);
#pragma unroll
        for (uint i = 0; i < UPSWEEP_ENTRY_ROWS; ++i) {
            const uint place = i * turn + upsweep_lane();
            if (place < count - first) entries.values[begin + place] = rows[i];
        }
    }
}

// Joins the parts of a shared segment, by the sub-group that summed the last of them, if they are few.
UPSWEEP_SELDOM
void upsweep_join_few(upsweep_input in, upsweep_row segment, uint bits, upsweep_entries entries, upsweep_output out,
                      upsweep_index k)
{
    const upsweep_row_source from = {upsweep_of_elements, in, 0, 0};
    const upsweep_row_source of_sums = {upsweep_of_local_sums, in, 0, entries.values};
    const upsweep_row parts = {segment.begin >> bits, segment.end >> bits, 0, segment.init};
    uint has_sum = UPSWEEP_CANONICAL ? 0 : segment.has_init;
    upsweep_value sum = segment.init;
    upsweep_copy_parts(entries, parts, 0, UPSWEEP_LANES);
    upsweep_sync_lanes();
    upsweep_append_joined(from, segment, bits, of_sums, parts.begin, &has_sum, &sum);
    if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, sum);
}

// The same by a work-group, by the sums of UPSWEEP_SMALL_PARTS parts each, for which `tops` has room.
UPSWEEP_SELDOM
void upsweep_join_many(upsweep_input in, upsweep_row segment, uint bits, upsweep_entries entries,
                       __local upsweep_value* tops, upsweep_output out, upsweep_index k)
{
    const upsweep_row_source from = {upsweep_of_elements, in, 0, 0};
    const upsweep_row_source of_sums = {upsweep_of_local_sums, in, 0, entries.values};
    const upsweep_row_source of_tops = {upsweep_of_local_sums, in, 0, tops};
    const upsweep_row parts = {segment.begin >> bits, segment.end >> bits, 0, segment.init};
    const uint first = (uint)parts.begin >> UPSWEEP_SMALL_PARTS_BITS, end = (uint)parts.end >> UPSWEEP_SMALL_PARTS_BITS;
    upsweep_copy_parts(entries, parts, upsweep_sub_group() * UPSWEEP_LANES, UPSWEEP_WORK_ITEMS);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = first + upsweep_sub_group(); p < end; p += UPSWEEP_SUB_GROUPS_PER_GROUP) {
        const upsweep_value top = upsweep_sum_part(of_sums, parts, p, UPSWEEP_SMALL_PARTS_BITS);
        if (upsweep_lane() == 0) tops[p] = top;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (upsweep_sub_group() != 0) return;
    const upsweep_row rest = {parts.end << bits, segment.end, 0, segment.init};
    uint has_sum = UPSWEEP_CANONICAL ? 0 : segment.has_init;
    upsweep_value sum = segment.init;
    upsweep_append_joined(of_sums, parts, UPSWEEP_SMALL_PARTS_BITS, of_tops, first, &has_sum, &sum);
    if (rest.begin < rest.end) upsweep_append_any_row(from, rest, &has_sum, &sum);
    if (upsweep_lane() == 0) UPSWEEP_STORE(out, k, sum);
}

// Publishes the sum of a sub-group's part of a shared segment, if it has one, and joins all parts if it was the last one.
// Counters of segments follow word 0 of the state; two segments begin `least` parts apart, at least.
UPSWEEP_SELDOM
void upsweep_share(upsweep_input in, upsweep_offsets offsets, ulong n, uint bits, uint least,
                   upsweep_entries entries, __local upsweep_shared_segments* shared, upsweep_output out, uint has_init,
                   upsweep_value init)
{
    const upsweep_index owned = shared->owned[upsweep_sub_group()];
    if (owned == 0) return;
    const upsweep_row_source from = {upsweep_of_elements, in, 0, 0};
    const upsweep_row segment = upsweep_segment_at(offsets, owned - 1, n, has_init, init);
    const uint turn = UPSWEEP_SUB_GROUPS_PER_GROUP - 1 - upsweep_sub_group();
    const upsweep_index p = (upsweep_index)get_group_id(0) + turn * (upsweep_index)get_num_groups(0);
    upsweep_put_entry(entries, p, upsweep_sum_part(from, segment, p, bits));
    volatile __global uint* counters = (volatile __global uint*)(entries.words - UPSWEEP_STATE_BEGIN + 1);
    const uint parts = (uint)upsweep_parts_of(segment, bits);
    uint before = 0;
    if (upsweep_lane() == 0) before = upsweep_count_up(counters + (uint)(segment.begin >> bits) / least, parts);
    if (upsweep_word_from_lane(before, 0) != parts - 1) return;
    if (parts <= UPSWEEP_SMALL_PARTS)
        upsweep_join_few(in, segment, bits, entries, out, owned - 1);
    else if (upsweep_lane() == 0)
        atomic_or(&shared->joins, 1u << upsweep_sub_group());
}

#endif
