// SPDX-License-Identifier: MIT
// The load hook: how kernels read the caller's elements. They do it by these names only (tests/check_hooks.py):
//
//   upsweep_input                  the input, seen from one of its elements; what functions are given
//   UPSWEEP_INPUT_PARAMETERS       the parameters by which it reaches a kernel
//   UPSWEEP_INPUT(offset)          in a kernel: the input from element `offset` on
//   UPSWEEP_INPUT_AT(in, offset)   `in` from its element `offset` on
//   UPSWEEP_LOAD(in, i)            element i of `in`, an upsweep_element
//   UPSWEEP_LOAD_WIDE(in, i)       perhaps: elements 16 i to 16 i + 15, an UPSWEEP_WIDE (serial_tree.cl), of which the host
//                                  defines how it is made of elements: UPSWEEP_CONVERT_WIDE, empty where these are values
//   UPSWEEP_BEGINS_ANEW(value)     perhaps: whether `value`, of one element or of several, drops what precedes it
//
// Here for elements that lie in one buffer, which UPSWEEP_INPUT_IS_ARRAY says. For other inputs the host puts another text
// in the place of this file. Macros, so that a plain load stays one for the compiler, whatever the size of the element.
#ifndef UPSWEEP_TILE_LOAD
#define UPSWEEP_TILE_LOAD
#define UPSWEEP_HAS_LOAD
#define UPSWEEP_INPUT_IS_ARRAY
#include "prelude.cl"

typedef __global const upsweep_element* upsweep_input;

#define UPSWEEP_INPUT_PARAMETERS __global const upsweep_element* upsweep_in
#define UPSWEEP_INPUT(offset) (upsweep_in + (offset))
#define UPSWEEP_INPUT_AT(in, offset) ((in) + (offset))
#define UPSWEEP_LOAD(in, i) ((in)[i])
#define UPSWEEP_LOAD_WIDE(in, i) UPSWEEP_CONVERT_WIDE(vload16(i, in))

#endif
