// SPDX-License-Identifier: MIT
// Combines a few values in a given order, by one work-item: the sums of blocks of an array that lies in parts.
#ifndef UPSWEEP_FOLD
#define UPSWEEP_FOLD
#include "prelude.cl"

// Step i: values[steps[3 i + 2]] is values[steps[3 i]] combined with values[steps[3 i + 1]].
UPSWEEP_KERNEL upsweep_fold(__global upsweep_value* values, __global const uint* steps, uint count)
{
    for (uint i = 0; i < count; ++i)
        values[steps[3 * i + 2]] = upsweep_combine(values[steps[3 * i]], values[steps[3 * i + 1]]);
}

#endif
