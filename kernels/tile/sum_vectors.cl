// SPDX-License-Identifier: MIT
// Sums of one work-item in vectors, where the operator is exact and commutes: the host defines UPSWEEP_WIDE and
// upsweep_combine_wide (serial_tree.cl), and elements are an array's. Vectors are not left to the compiler, because some make
// none of a loop over elements. PoCL 5.0 (LLVM 16), 4 cores, 2^22 elements, us, loop and vectors: reductions of int32 825 and
// 181, int64 833 and 373, uint8 157 and 59; scans of int32 1703 and 883.
#ifndef UPSWEEP_SUM_VECTORS
#define UPSWEEP_SUM_VECTORS
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif

// The combination of `count` >= 1 times 64 elements, in an order of its own.
#if defined(UPSWEEP_WIDE) && defined(UPSWEEP_LOAD_WIDE)
UPSWEEP_OUTLINE upsweep_value upsweep_sum_vectors(upsweep_input in, ulong count)
{
    UPSWEEP_WIDE a = UPSWEEP_LOAD_WIDE(in, 0), b = UPSWEEP_LOAD_WIDE(in, 1);
    UPSWEEP_WIDE c = UPSWEEP_LOAD_WIDE(in, 2), d = UPSWEEP_LOAD_WIDE(in, 3);
    for (ulong i = 4; i < 4 * count; i += 4) {
        a = upsweep_combine_wide(a, UPSWEEP_LOAD_WIDE(in, i));
        b = upsweep_combine_wide(b, UPSWEEP_LOAD_WIDE(in, i + 1));
        c = upsweep_combine_wide(c, UPSWEEP_LOAD_WIDE(in, i + 2));
        d = upsweep_combine_wide(d, UPSWEEP_LOAD_WIDE(in, i + 3));
    }
    const UPSWEEP_WIDE all = upsweep_combine_wide(upsweep_combine_wide(a, b), upsweep_combine_wide(c, d));
    // An array that is filled one by one. Oclgrind takes halves of vectors, and what vstore8 writes, for uninitialised, and
    // the instruction that clang makes of a sum of a vector's elements ends it.
    const upsweep_value entries[16] = {all.s0, all.s1, all.s2, all.s3, all.s4, all.s5, all.s6, all.s7,
                                       all.s8, all.s9, all.sa, all.sb, all.sc, all.sd, all.se, all.sf};
    upsweep_value sum = entries[0];
    for (uint i = 1; i < 16; ++i) sum = upsweep_combine(sum, entries[i]);
    return sum;
}
#endif

// The combination of the elements from `begin` up to `end`, of which there is one at least: from left to right where the
// order matters. With UPSWEEP_HAS_COMBINE_ANY, four sums, of every fourth element each, wait for one another at the end only:
// min_element of 2^22 elements, PoCL 3.1, 2 cores, ms, one sum and four: float with an index of 64 and of 32 bits 6.7, 2.9
// and 1.7, 1.6; double 6.8 and 1.4, int32 1.4 and 1.3, uint8 1.4 and 0.8; std::min_element 13, 14, 9, 8.
UPSWEEP_OUTLINE upsweep_value upsweep_sum_range(upsweep_input in, ulong begin, ulong end)
{
    upsweep_value sum = UPSWEEP_LOAD(in, begin);
    ulong i = begin + 1;
#if defined(UPSWEEP_WIDE) && defined(UPSWEEP_LOAD_WIDE)
    const ulong count = (end - begin) / 64;
    if (count > 0) {
        sum = upsweep_sum_vectors(UPSWEEP_INPUT_AT(in, begin), count);
        i = begin + 64 * count;
    }
#endif
#ifdef UPSWEEP_HAS_COMBINE_ANY
    if (end - i >= 7) {
        upsweep_value b = UPSWEEP_LOAD(in, i), c = UPSWEEP_LOAD(in, i + 1), d = UPSWEEP_LOAD(in, i + 2);
        for (i += 3; i + 4 <= end; i += 4) {
            sum = upsweep_combine(sum, UPSWEEP_LOAD(in, i));
            b = upsweep_combine(b, UPSWEEP_LOAD(in, i + 1));
            c = upsweep_combine(c, UPSWEEP_LOAD(in, i + 2));
            d = upsweep_combine(d, UPSWEEP_LOAD(in, i + 3));
        }
        sum = UPSWEEP_COMBINE_ANY(UPSWEEP_COMBINE_ANY(sum, b), UPSWEEP_COMBINE_ANY(c, d));
    }
#endif
    for (; i < end; ++i) sum = upsweep_combine(sum, UPSWEEP_LOAD(in, i));
    return sum;
}
#endif
