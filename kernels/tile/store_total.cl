// SPDX-License-Identifier: MIT
// The store hook (store.cl) of a scan that also gives its total: the result of the last element goes to a place of its own
// as well. It is never a plain array, so packs are stored element by element.
#ifndef UPSWEEP_TILE_STORE_TOTAL
#define UPSWEEP_TILE_STORE_TOTAL
#define UPSWEEP_HAS_STORE
#include "prelude.cl"

typedef struct {
    __global upsweep_value* values;
    __global upsweep_value* total;
    ulong last;  // element of `values`
    ulong first; // the element that this is seen from
} upsweep_output;

#define UPSWEEP_OUTPUT_PARAMETERS                                                                                      \
    __global upsweep_value *upsweep_values, ulong upsweep_values_begin, __global upsweep_value *upsweep_total,         \
        ulong upsweep_total_begin, ulong upsweep_last
#define UPSWEEP_OUTPUT(offset)                                                                                         \
    upsweep_output_of(upsweep_values + upsweep_values_begin, upsweep_total + upsweep_total_begin, upsweep_last, offset)
#define UPSWEEP_OUTPUT_AT(out, offset) upsweep_output_at(out, offset)
#define UPSWEEP_STORE(out, i, value) upsweep_store(out, i, value)
#define UPSWEEP_STORE_WIDE(out, i, values) upsweep_store_wide(out, i, values)
#define UPSWEEP_STORED(out, i) ((out).values[(out).first + (i)])

upsweep_output upsweep_output_of(__global upsweep_value* values, __global upsweep_value* total, ulong last, ulong first)
{
    upsweep_output out = {values, total, last, first};
    return out;
}

upsweep_output upsweep_output_at(upsweep_output out, ulong offset)
{
    out.first += offset;
    return out;
}

void upsweep_store(upsweep_output out, ulong i, upsweep_value value)
{
    i += out.first;
    out.values[i] = value;
    if (i == out.last) *out.total = value;
}

#ifdef UPSWEEP_WIDE
void upsweep_store_wide(upsweep_output out, ulong i, UPSWEEP_WIDE values)
{
    upsweep_value each[16];
    vstore16(values, 0, each);
    for (uint k = 0; k < 16; ++k) upsweep_store(out, 16 * i + k, each[k]);
}
#endif

#endif
