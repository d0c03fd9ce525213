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

#endif
