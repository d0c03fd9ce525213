// SPDX-License-Identifier: MIT
// Marks by one work-item on its own: a scan whose store hook lists marks (mark_tiles.cl says what such a hook defines).
// A branch for each element is guessed wrongly where marks are neither few nor many. So each element is listed, and the next
// one takes its place in the list unless it is a mark. Then the list is stored.
//
// PoCL 3.1, 2 cores, 2^22 elements, ms, with branches and with lists: copy_if of 1, 10, 50, 90 and 100 % of int32 2.5, 4.3,
// 10.4, 5.1, 3.3 and 1.9, 2.0, 1.9, 2.4, 2.4 (a copy 1.5), of uint8 3.3, 4.0, 9.4, 4.4, 3.0 and 1.2, 1.3, 1.3, 2.1, 1.1;
// unique in runs of 5 int32 8.9 and 3.0, run_length_encode 15.8 and 10.4. Lists of 64 take copy_if 2.4, 2.4, 3.8, 2.7, 2.4,
// of 1024 as long as of 256.
#ifndef UPSWEEP_SERIAL_MARKS
#define UPSWEEP_SERIAL_MARKS
#include "tile/serial_tree.cl"
#if defined(UPSWEEP_LISTS_MARKS) && UPSWEEP_WORK_ITEMS == 1 && UPSWEEP_TREE_RUN == 1
#define UPSWEEP_LISTS_SERIALLY

// Elements that are listed at a time.
#define UPSWEEP_SERIAL_BATCH 256
#ifdef UPSWEEP_LISTED
typedef UPSWEEP_LISTED upsweep_mark_entry;
#else
typedef ushort upsweep_mark_entry; // a place in the batch
#endif

// Lists the marks of a batch and, where they are stored, the others. Returns the number of marks.
uint upsweep_list_batch(upsweep_input in, uint size, upsweep_mark_entry* marks, upsweep_mark_entry* others)
{
    uint count = 0;
    for (uint e = 0; e < size; ++e) {
        const uint is_marked = UPSWEEP_IS_MARKED(UPSWEEP_LOAD(in, e));
#ifdef UPSWEEP_LISTED
        const upsweep_mark_entry entry = UPSWEEP_LOAD_LISTED(in, e);
#else
        const upsweep_mark_entry entry = (upsweep_mark_entry)e;
#endif
        marks[count] = entry;
        if (UPSWEEP_LISTS_MARKS == 2) others[e - count] = entry;
        count += is_marked;
    }
    return count;
}

// The sum of the first `count` marks of a batch.
upsweep_value upsweep_sum_batch(const upsweep_mark_entry* list, upsweep_output out, uint count)
{
#ifdef UPSWEEP_LISTED
    return UPSWEEP_MARKS_VALUE(count, 0);
#else
    return UPSWEEP_MARKS_VALUE(count, count > 0 ? UPSWEEP_PLACE(out, list[count - 1]) + 1 : 0);
#endif
}

// Stores the first `count` of a list of a batch of elements that begins at `out`: marks, or others. `prefix`: the sum of the
// marks before the batch.
void upsweep_store_batch(const upsweep_mark_entry* list, upsweep_output out, uint marked, uint count,
                         upsweep_value prefix)
{
#ifdef UPSWEEP_LISTED
    const ulong begin = marked ? prefix : UPSWEEP_LISTED_OTHERS(out) + (UPSWEEP_PLACE(out, 0) - prefix);
    const ulong room = UPSWEEP_LISTED_ROOM(out);
    const uint stored = begin < room ? UPSWEEP_AT_MOST(room - begin, count) : 0u;
    for (uint k = 0; k < stored; ++k) UPSWEEP_STORE_LISTED(out, begin + k, list[k]);
#else
    for (uint k = 0; k < count; ++k) {
        const uint at = list[k];
        const upsweep_marked_reads read = UPSWEEP_READ_MARKED(out, at);
        const upsweep_value before = marked ? upsweep_sum_batch(list, out, k) : UPSWEEP_MARKS_VALUE(at - k, 0);
        UPSWEEP_STORE_MARKED(out, at, upsweep_combine(prefix, before), marked, 1, read);
    }
#endif
}

// The scan of `size` >= 1 elements. `prefix`: the sum of the marks before.
UPSWEEP_OUTLINE
void upsweep_scan_marks_serially(upsweep_input in, upsweep_output out, upsweep_index size, upsweep_value prefix)
{
    upsweep_mark_entry marks[UPSWEEP_SERIAL_BATCH];
    upsweep_mark_entry others[UPSWEEP_LISTS_MARKS == 2 ? UPSWEEP_SERIAL_BATCH : 1];
    for (upsweep_index first = 0; first < size; first += UPSWEEP_SERIAL_BATCH) {
        const uint batch = UPSWEEP_AT_MOST(size - first, UPSWEEP_SERIAL_BATCH);
        const upsweep_output to = UPSWEEP_OUTPUT_AT(out, first);
        const uint count = upsweep_list_batch(UPSWEEP_INPUT_AT(in, first), batch, marks, others);
        upsweep_store_batch(marks, to, 1, count, prefix);
        if (UPSWEEP_LISTS_MARKS == 2) upsweep_store_batch(others, to, 0, batch - count, prefix);
        prefix = upsweep_combine(prefix, upsweep_sum_batch(marks, to, count));
    }
    if (UPSWEEP_LISTS_MARKS != 2) UPSWEEP_STORE_END(out, size - 1, prefix);
}

#endif
#endif
