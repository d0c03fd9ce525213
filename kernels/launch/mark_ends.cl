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

// Segment k has the elements from offset k up to offset k + 1. Each work-item takes `share` neighbouring segments. Bit
// e % 32 of marks[e / 32], all of which are zero before, says that a segment with elements ends before element e, which
// is `n` at most; firsts[w], in reductions, is the first such segment of word w, if there is one. A reduction's result
// of an empty segment is `init`, and gaps[w], of which all are zero before, is 1 for the word w of the element where it is.
UPSWEEP_KERNEL upsweep_mark_ends(UPSWEEP_INPUT_PARAMETERS, ulong in_offset, ulong segments, ulong n, ulong share,
                                 volatile __global uint* marks, volatile __global uchar* gaps, ulong gaps_begin,
                                 volatile __global ulong* firsts, ulong firsts_begin,
                                 UPSWEEP_OUTPUT_PARAMETERS, ulong out_offset, uint reduces, UPSWEEP_INIT_PARAMETER)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const ulong first = (ulong)get_global_id(0) * share;
    if (first >= segments) return;
    const ulong last = first + min(share, segments - first);
    upsweep_input offsets = UPSWEEP_INPUT(in_offset);
    upsweep_output results = UPSWEEP_OUTPUT(out_offset);
    ulong begin = (ulong)UPSWEEP_LOAD(offsets, first);
    ulong word = 0;
    uint bits = 0; // of that word
    for (ulong k = first; k < last; ++k) {
        const ulong end = (ulong)UPSWEEP_LOAD(offsets, k + 1);
        if (begin == end) {
            if (reduces) {
                UPSWEEP_STORE(results, k, init);
                if (begin <= n) gaps[gaps_begin + begin / 32] = 1;
            }
        } else if (end <= n) {
            if (end / 32 != word) {
                if (bits != 0) atomic_or(marks + word, bits);
                bits = 0;
            }
            word = end / 32;
            bits |= 1u << (uint)(end % 32);
            // No segment ends at element 0.
            if (reduces && (begin == 0 || begin / 32 != word)) firsts[firsts_begin + word] = k;
        }
        begin = end;
    }
    if (bits != 0) atomic_or(marks + word, bits);
}

#endif
