// SPDX-License-Identifier: MIT
// The store hook (store.cl) of a scan that also gives its total: the result of the last element goes to a place of its own
// as well. It is never a plain array, so packs are stored element by element.
//
// UPSWEEP_STORES_SHIFTED: what the kernels scan inclusively becomes an exclusive scan. Result i goes to element i + 1, the
// last to the total only, and element 0 is the initial value. Not in place: element i + 1 may not have been read.
#ifndef UPSWEEP_STORE_TOTAL
#define UPSWEEP_STORE_TOTAL
#define UPSWEEP_HAS_STORE
#include "prelude.cl"

typedef struct {
    __global upsweep_value* values;
    __global upsweep_value* total;
    ulong last;  // element of `values`
    ulong first; // the element that this is seen from
#ifdef UPSWEEP_STORES_SHIFTED
    upsweep_init given;
#endif
} upsweep_output;

#ifdef UPSWEEP_STORES_SHIFTED
#define UPSWEEP_SHIFT 1
#define UPSWEEP_STORED_INIT , upsweep_init given
#define UPSWEEP_GIVEN_INIT , UPSWEEP_GIVEN // every kernel's argument
#define UPSWEEP_OWN_INIT , given
#else
#define UPSWEEP_SHIFT 0
#define UPSWEEP_STORED_INIT
#define UPSWEEP_GIVEN_INIT
#define UPSWEEP_OWN_INIT
#endif

#define UPSWEEP_OUTPUT_PARAMETERS                                                                                      \
    __global upsweep_value *upsweep_values, ulong upsweep_values_begin, __global upsweep_value *upsweep_total,         \
        ulong upsweep_total_begin, ulong upsweep_last
#define UPSWEEP_OUTPUT(offset)                                                                                         \
    upsweep_output_of(upsweep_values + upsweep_values_begin, upsweep_total + upsweep_total_begin, upsweep_last,        \
                      offset UPSWEEP_GIVEN_INIT)
#define UPSWEEP_OUTPUT_AT(out, offset) upsweep_output_at(out, offset)
#define UPSWEEP_STORE(out, i, value) upsweep_store(out, i, value)
#define UPSWEEP_STORE_WIDE(out, i, values) upsweep_store_wide(out, i, values)
#define UPSWEEP_STORED(out, i) upsweep_stored(out, i)

upsweep_output upsweep_output_of(__global upsweep_value* values, __global upsweep_value* total, ulong last,
                                 ulong first UPSWEEP_STORED_INIT)
{
    upsweep_output out = {values, total, last, first UPSWEEP_OWN_INIT};
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
    if (!UPSWEEP_SHIFT || i < out.last) out.values[i + UPSWEEP_SHIFT] = value;
    if (i == out.last) *out.total = value;
#ifdef UPSWEEP_STORES_SHIFTED
    if (i == 0) out.values[0] = UPSWEEP_INIT(out.given);
#endif
}

upsweep_value upsweep_stored(upsweep_output out, ulong i)
{
    i += out.first;
    return UPSWEEP_SHIFT && i == out.last ? *out.total : out.values[i + UPSWEEP_SHIFT];
}

#ifdef UPSWEEP_WIDE
void upsweep_store_wide(upsweep_output out, ulong i, UPSWEEP_WIDE values)
{
    const ulong begin = 16 * i;
    if (out.first + begin > 0 && out.first + begin + 15 < out.last) {
        vstore16(values, 0, out.values + out.first + begin + UPSWEEP_SHIFT);
        return;
    }
    upsweep_value each[16];
    vstore16(values, 0, each);
    for (uint k = 0; k < 16; ++k) upsweep_store(out, begin + k, each[k]);
}
#endif

#endif
