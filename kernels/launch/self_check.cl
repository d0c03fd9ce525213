// SPDX-License-Identifier: MIT
// What the self-check asks of a device's floating-point arithmetic: a sum, and a product with a sum, of operands whose
// results are known to the last bit. (Scans and reductions are checked by running them.)
//
// The host defines UPSWEEP_VALUE: half, float or double.
#ifndef UPSWEEP_SELF_CHECK
#define UPSWEEP_SELF_CHECK
#if !defined(UPSWEEP_VALUE)
#error "UPSWEEP_VALUE must name the type whose arithmetic is checked"
#endif

// Work-item i: of the three operands at in[3 i], the first plus the third, and the first times the second plus the
// third.
__kernel void upsweep_check_arithmetic(__global const UPSWEEP_VALUE* in, __global UPSWEEP_VALUE* out)
{
    const size_t i = get_global_id(0);
    out[2 * i] = in[3 * i] + in[3 * i + 2];
    out[2 * i + 1] = in[3 * i] * in[3 * i + 1] + in[3 * i + 2];
}

#endif
