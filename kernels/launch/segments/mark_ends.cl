// SPDX-License-Identifier: MIT
// Segments by offsets, before they are scanned: marks where they end, so that scans need not search for it.
#ifndef UPSWEEP_MARK_ENDS
#define UPSWEEP_MARK_ENDS
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#ifndef UPSWEEP_HAS_STORE
#include "tile/store.cl"
#endif

// What offsets are compared as. 64 bits cost more: H200, segments of 2 elements, 2^28 in all, 216 us and 184.
#if UPSWEEP_ELEMENT_SIZE > 4
typedef ulong upsweep_marked;
#else
typedef uint upsweep_marked;
#endif

// Stores the results of empty segments among `count` from `first` on.
void upsweep_store_empty(upsweep_input offsets, upsweep_output results, ulong first, uint count, upsweep_value init)
{
    for (uint i = 0; i < count; ++i)
        if (UPSWEEP_LOAD(offsets, first + i) == UPSWEEP_LOAD(offsets, first + i + 1))
            UPSWEEP_STORE(results, first + i, init);
}

// Segment k has the elements from offset k up to offset k + 1. Each work-item takes `share` neighbouring segments. Bit
// e % 32 of marks[e / 32], all of which are zero before, says that a segment with elements ends before element e, which
// is `n` at most; firsts[w], in reductions, is the first such segment of word w, if there is one. A reduction's result
// of an empty segment is `init`, and gaps[w], of which all are zero before, is 1 for the word w of the element where it is.
// A single work-group makes marks and gaps zero itself: `cleared` words from the first mark on.
//
// Where many of a work-group's segments are empty, `init` is stored for all of them, in full rows: the scan overwrites it
// where there are elements. Results that lie apart cost more: memory reads and writes a whole line for each.
UPSWEEP_KERNEL upsweep_mark_ends(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong segments, ulong n, ulong share,
                                 uint cleared, volatile __global uint* marks, volatile __global uchar* gaps, ulong gaps_begin,
                                 volatile __global ulong* firsts, ulong firsts_begin,
                                 UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint reduces, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    __local uint empty[1]; // segments of the work-group
    const uint local_id = (uint)get_local_id(0);
    const ulong group_first = min((ulong)get_group_id(0) * UPSWEEP_WORK_ITEMS * share, segments);
    const ulong group_last = group_first + min(UPSWEEP_WORK_ITEMS * share, segments - group_first);
    const ulong first = min(group_first + local_id * share, segments);
    const uint count = UPSWEEP_AT_MOST(segments - first, share);
    const upsweep_input offsets = UPSWEEP_INPUT(in_offset);
    const upsweep_output results = UPSWEEP_OUTPUT(out_offset);
    const upsweep_marked most = (upsweep_marked)min(n, (ulong)(upsweep_marked)-1);
    upsweep_marked begin = (upsweep_marked)UPSWEEP_LOAD(offsets, first);
    upsweep_marked word = 0;
    uint bits = 0; // of that word
    upsweep_marked gap = (upsweep_marked)-1; // the word in which an empty segment was met last
    uint own_empty = 0;
    if (local_id == 0) empty[0] = 0;
    for (uint i = local_id; i < cleared; i += UPSWEEP_WORK_ITEMS) marks[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint i = 0; i < count; ++i) {
        const upsweep_marked end = (upsweep_marked)UPSWEEP_LOAD(offsets, first + i + 1);
        if (begin == end) {
            ++own_empty;
            if (reduces && begin <= most && begin / 32 != gap) gaps[gaps_begin + begin / 32] = 1;
            gap = begin / 32;
        } else if (end <= most) {
            if (end / 32 != word) {
                if (bits != 0) atomic_or(marks + word, bits);
                bits = 0;
            }
            word = end / 32;
            bits |= 1u << (uint)(end % 32);
            // No segment ends at element 0.
            if (reduces && (begin == 0 || begin / 32 != word)) firsts[firsts_begin + word] = first + i;
        }
        begin = end;
    }
    if (bits != 0) atomic_or(marks + word, bits);
    if (own_empty > 0) atomic_add((volatile __local uint*)empty, own_empty);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (reduces && empty[0] > (group_last - group_first) / 32) {
        for (ulong k = group_first + local_id; k < group_last; k += UPSWEEP_WORK_ITEMS) UPSWEEP_STORE(results, k, init);
    } else if (reduces && own_empty > 0) {
        upsweep_store_empty(offsets, results, first, count, init);
    }
}

#endif
