// SPDX-License-Identifier: MIT
// One tile, from global memory to global memory: load, fold each run, scan the partials, write.
#ifndef UPSWEEP_TILE_SCAN
#define UPSWEEP_TILE_SCAN
#define UPSWEEP_HAS_TILE_SCAN
#include "tile/io.cl"
#ifndef UPSWEEP_HAS_TILE_ALGORITHM
#include "textbook/blelloch.cl"
#endif
#include "tile/serial_marks.cl"
#include "tile/sum_vectors.cl"

// Slots of local memory for scanning a tile: loading, scanning and storing take turns in them.
#define UPSWEEP_SCAN_MEMORY (UPSWEEP_IO_SLOTS > UPSWEEP_SCAN_SLOTS ? UPSWEEP_IO_SLOTS : UPSWEEP_SCAN_SLOTS)

// A tile is scanned in two halves, so that its sum is known to others before its prefix has to be known here.
//
// A work-group of one work-item keeps no run: it reads its tile twice, the second time out of the cache, which allows
// tiles of many thousand elements.
#if UPSWEEP_WORK_ITEMS == 1
#define UPSWEEP_RUN 1
#else
#define UPSWEEP_RUN UPSWEEP_ITEMS
#endif

#if UPSWEEP_TREE_RUN == 1 // else serial_tree.cl has them
// One work-item's combination and scan of `size` >= 1 elements, from left to right where the order matters.
upsweep_value upsweep_sum_serially(upsweep_input in, ulong size)
{
#ifdef UPSWEEP_BEGINS_ANEW // from right to left, to the last value that drops what precedes it
    upsweep_value sum = UPSWEEP_LOAD(in, size - 1);
    for (ulong i = size - 1; i > 0 && !UPSWEEP_BEGINS_ANEW(sum); --i) sum = upsweep_combine(UPSWEEP_LOAD(in, i - 1), sum);
    return sum;
#else
    return upsweep_sum_range(in, 0, size);
#endif
}

UPSWEEP_OUTLINE
void upsweep_scan_serially(upsweep_input in, upsweep_output out, upsweep_index size, uint exclusive, uint has_carry,
                           upsweep_value carry)
{
#ifdef UPSWEEP_LISTS_SERIALLY
    upsweep_scan_marks_serially(in, out, size, has_carry ? carry : UPSWEEP_MARKS_VALUE(0, 0));
#else
    upsweep_index i = 0;
    if (!has_carry) { // the very first element is its own prefix
        carry = UPSWEEP_LOAD(in, 0);
        i = 1;
    }
    const upsweep_value first = carry;
    if (exclusive) {
        for (; i < size; ++i) {
            const upsweep_value element = UPSWEEP_LOAD(in, i);
            UPSWEEP_STORE(out, i, carry);
            carry = upsweep_combine(carry, element);
        }
    } else {
        for (; i < size; ++i) {
            carry = upsweep_combine(carry, UPSWEEP_LOAD(in, i));
            UPSWEEP_STORE(out, i, carry);
        }
    }
    // Written last: straight from `in` to `out` it would be a memmove, which Oclgrind's check for uninitialised memory
    // does not know.
    if (!has_carry) UPSWEEP_STORE(out, 0, first);
#endif
}
#endif

// First half: loads the `valid` >= 1 elements at `in` and returns their combination, in every work-item. `run` and
// `before` are for the second half. `filler` is any value. `memory` must be free on entry, and is on return.
upsweep_value upsweep_begin_tile(uint local_id, upsweep_input in, uint valid, upsweep_value filler, upsweep_value* run,
                                 upsweep_value* before, __local upsweep_value* memory)
{
#if UPSWEEP_WORK_ITEMS == 1
    *before = filler;
    return upsweep_sum_serially(in, valid);
#else
    const uint length = upsweep_run_length(local_id, valid);
    upsweep_load_run(local_id, in, valid, run, memory);
    // Work-items past the end hold the filler only to hold no garbage; the scan ignores it.
    upsweep_value partial;
    if (length > 0)
        partial = upsweep_fold_run(run, length);
    else
        partial = filler;
    upsweep_value total;
    // Not stored at once: `before` would be read ahead of the barriers, and PoCL 3.1 without optimisation then stores the
    // values of all work-items in one place (tests/reproducers/pocl_private_pointer.c).
    const upsweep_value own =
        upsweep_tile_scan(local_id, partial, upsweep_active_runs(valid), memory, &total UPSWEEP_TRACE_ARGUMENT);
    *before = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
#endif
}

// Second half: writes the scan of the tile from its prefix to `out`, which may be `in`. With has_prefix 0 an exclusive
// scan has nothing to put first: out[0] is left for the caller to set (it holds the first element until then).
// `memory` must be free on entry and is free after the caller's next barrier.
void upsweep_finish_tile(uint local_id, upsweep_input in, upsweep_output out, uint valid, upsweep_value* run,
                         upsweep_value before, uint exclusive, uint has_prefix, upsweep_value prefix,
                         __local upsweep_value* memory)
{
    uint has_carry = has_prefix;
    upsweep_value carry = prefix;
#if UPSWEEP_WORK_ITEMS == 1
    upsweep_scan_serially(in, out, valid, exclusive, has_carry, carry);
#else
    const uint length = upsweep_run_length(local_id, valid);
    if (local_id > 0 && length > 0) {
        carry = has_prefix ? upsweep_combine(prefix, before) : before;
        has_carry = 1;
    }
    for (uint k = 0; k < length; ++k) {
        const upsweep_value next = has_carry ? upsweep_combine(carry, run[k]) : run[k];
        if (!exclusive)
            run[k] = next;
        else if (has_carry)
            run[k] = carry;
        carry = next;
        has_carry = 1;
    }
    upsweep_store_run(local_id, out, valid, run, memory);
#endif
}

// Both halves, for a prefix that is known from the start. Returns the tile's combination, without the prefix.
upsweep_value upsweep_scan_tile(uint local_id, upsweep_input in, upsweep_output out, uint valid, uint exclusive,
                                uint has_prefix, upsweep_value prefix, __local upsweep_value* memory)
{
    upsweep_value run[UPSWEEP_PRIVATE(UPSWEEP_RUN)];
    upsweep_value before;
    const upsweep_value total = upsweep_begin_tile(local_id, in, valid, prefix, run, &before, memory);
    upsweep_finish_tile(local_id, in, out, valid, run, before, exclusive, has_prefix, prefix, memory);
    return total;
}

#endif
