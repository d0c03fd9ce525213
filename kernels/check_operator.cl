// SPDX-License-Identifier: MIT
// What a self-check applies in place of a user's operator: its results are known to the last bit.
//
// The host defines before this text one of:
//   UPSWEEP_CHECK_WORD    values are integers as wide as this unsigned type
//   UPSWEEP_CHECK_WORDS   beside it: values are structs of an array `words` of so many of them
//   UPSWEEP_CHECK_FACTOR  values are floating-point numbers; the factor of the left operand, in 1024ths. Beside
//                         UPSWEEP_CHECK_WORD: values are one word; the factor itself
// An operator with a given factor is not associative: only the canonical order gives its results. It is cheap, and so are
// maps of several words: what an operator costs to compile, a check costs.
#ifndef UPSWEEP_CHECK_OPERATOR
#define UPSWEEP_CHECK_OPERATOR

#include "prelude.cl"

#ifdef UPSWEEP_CHECK_WORD
UPSWEEP_CHECK_WORD upsweep_check_word(UPSWEEP_CHECK_WORD left, UPSWEEP_CHECK_WORD right)
{
#ifdef UPSWEEP_CHECK_FACTOR
    return (UPSWEEP_CHECK_WORD)((UPSWEEP_CHECK_WORD)UPSWEEP_CHECK_FACTOR * left + right);
#else
    // A word stands for the map x -> a x + b modulo the range of a half of it: a lies in its lower bits, b in the others.
    // Combining composes the maps: associative, exact, not commutative, and for odd a no operand is ever lost.
    const uint bits = 4 * sizeof(UPSWEEP_CHECK_WORD);
    const UPSWEEP_CHECK_WORD size = (UPSWEEP_CHECK_WORD)1 << bits;
    const UPSWEEP_CHECK_WORD a = (left % size) * (right % size) % size;
    const UPSWEEP_CHECK_WORD b = ((right % size) * (left / size) + right / size) % size;
    return b * size + a;
#endif
}
#endif

upsweep_value upsweep_check_combine(upsweep_value left, upsweep_value right)
{
#if defined(UPSWEEP_CHECK_WORDS)
    // The same of several words: the first is a of all maps, each of the others a b.
    upsweep_value both;
    if (UPSWEEP_CHECK_WORDS == 1)
        both.words[0] = upsweep_check_word(left.words[0], right.words[0]);
    else
        both.words[0] = (UPSWEEP_CHECK_WORD)(1u * left.words[0] * right.words[0]);
    for (uint k = 1; k < UPSWEEP_CHECK_WORDS; ++k)
        both.words[k] = (UPSWEEP_CHECK_WORD)(1u * left.words[k] * right.words[0] + right.words[k]);
    return both;
#elif defined(UPSWEEP_CHECK_WORD)
    return (upsweep_value)upsweep_check_word((UPSWEEP_CHECK_WORD)left, (UPSWEEP_CHECK_WORD)right);
#else
    // Of few bits, so that the product is inexact, and comes out otherwise where it is fused with the addition.
    return left * (upsweep_value)(UPSWEEP_CHECK_FACTOR / 1024.0f) + right;
#endif
}

#endif
