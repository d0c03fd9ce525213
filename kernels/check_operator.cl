// SPDX-License-Identifier: MIT
// What a self-check applies in place of a user's operator: its results are known to the last bit.
//
// The host defines before this text one of:
//   UPSWEEP_CHECK_WORD    values are integers as wide as this unsigned type
//   UPSWEEP_CHECK_WORDS   beside it: values are structs of an array `words` of so many of them
//   UPSWEEP_CHECK_FACTOR  values are floating-point numbers; the factor of the left operand, in 1024ths
#ifndef UPSWEEP_CHECK_OPERATOR
#define UPSWEEP_CHECK_OPERATOR

#include "prelude.cl"

#ifdef UPSWEEP_CHECK_WORD
// A word stands for the map x -> a x + b modulo the range of a half of it: a lies in its lower bits, b in the others.
// Combining composes the maps: associative, exact, not commutative, and for odd a no operand is ever lost.
UPSWEEP_CHECK_WORD upsweep_compose(UPSWEEP_CHECK_WORD left, UPSWEEP_CHECK_WORD right)
{
    const uint bits = 4 * sizeof(UPSWEEP_CHECK_WORD);
    const UPSWEEP_CHECK_WORD size = (UPSWEEP_CHECK_WORD)1 << bits;
    const UPSWEEP_CHECK_WORD a = (left % size) * (right % size) % size;
    const UPSWEEP_CHECK_WORD b = ((right % size) * (left / size) + right / size) % size;
    return b * size + a;
}
#endif

upsweep_value upsweep_check_combine(upsweep_value left, upsweep_value right)
{
#if defined(UPSWEEP_CHECK_WORDS)
    upsweep_value both;
    for (uint k = 0; k < UPSWEEP_CHECK_WORDS; ++k) both.words[k] = upsweep_compose(left.words[k], right.words[k]);
    return both;
#elif defined(UPSWEEP_CHECK_WORD)
    return (upsweep_value)upsweep_compose((UPSWEEP_CHECK_WORD)left, (UPSWEEP_CHECK_WORD)right);
#else
    // Of few bits, so that the product is inexact, and comes out otherwise where it is fused with the addition.
    return left * (upsweep_value)(UPSWEEP_CHECK_FACTOR / 1024.0f) + right;
#endif
}

#endif
