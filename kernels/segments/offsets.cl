// SPDX-License-Identifier: MIT
// Offsets of segments: segment k begins with element offsets[k] and ends before element offsets[k + 1]. The host says what
// offsets are: upsweep_offset, upsweep_offsets and upsweep_offset_at.
#ifndef UPSWEEP_OFFSETS
#define UPSWEEP_OFFSETS
#include "prelude.cl"

// Where segment k of n elements begins, and the one before it ends.
upsweep_index upsweep_begin_of(upsweep_offsets offsets, ulong k, ulong n)
{
    const upsweep_offset begin = upsweep_offset_at(offsets, k);
    return sizeof(upsweep_offset) == 4 ? min((upsweep_index)(uint)begin, (upsweep_index)n)
                                       : (upsweep_index)min((ulong)begin, n);
}

// The first of the segments from `first` up to `last` that lies at `place` or behind it; `last` if none does. Segment k lies
// where it begins, in a list of elements, or in one of elements and of segments before them, where it is k places further.
ulong upsweep_first_from(upsweep_offsets offsets, uint lists_segments, ulong first, ulong last, ulong n, ulong place)
{
    while (first < last) {
        const ulong middle = first + (last - first) / 2;
        const ulong before = lists_segments ? middle : 0;
        if (before + upsweep_begin_of(offsets, middle, n) < place)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

#endif
