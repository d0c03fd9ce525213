// SPDX-License-Identifier: MIT
// The store hook: how kernels write the caller's results. They do it by these names only (tests/check_hooks.py):
//
//   upsweep_output                  the output, seen from one of its elements; what functions are given
//   UPSWEEP_OUTPUT_PARAMETERS       the parameters by which it reaches a kernel
//   UPSWEEP_OUTPUT(offset)          in a kernel: the output from element `offset` on
//   UPSWEEP_OUTPUT_AT(out, offset)  `out` from its element `offset` on
//   UPSWEEP_STORE(out, i, value)    makes `value` element i of `out`
//   UPSWEEP_STORE_WIDE(out, i, values)   the same for elements 16 i to 16 i + 15, an UPSWEEP_WIDE (serial_tree.cl)
//   UPSWEEP_STORED(out, i)          the value that element i was given, for passes that come back to it
//
// A hook whose text reads the caller's arrays has besides
//
//   UPSWEEP_READ_FOR_STORE(out, i)               what it reads for element i, upsweep_read_values
//   UPSWEEP_STORE_WITH(out, i, value, read)      as UPSWEEP_STORE, with what was read
//
// because no compiler reads for one element before it has stored the one before; and one which does nothing for most
// elements
//
//   UPSWEEP_STORES_AT(out, i)                    whether UPSWEEP_STORE does anything for element i, 0 or 1
//   UPSWEEP_STORE_CHOSEN(out, i, value)          the same as UPSWEEP_STORE, where it does
//
// A call may store an element twice; the second value is the right one. Here for results that lie in one buffer, which
// UPSWEEP_OUTPUT_IS_ARRAY says; see load.cl.
#ifndef UPSWEEP_TILE_STORE
#define UPSWEEP_TILE_STORE
#define UPSWEEP_HAS_STORE
#define UPSWEEP_OUTPUT_IS_ARRAY
#include "prelude.cl"

typedef __global upsweep_value* upsweep_output;

#define UPSWEEP_OUTPUT_PARAMETERS __global upsweep_value* upsweep_out
#define UPSWEEP_OUTPUT(offset) (upsweep_out + (offset))
#define UPSWEEP_OUTPUT_AT(out, offset) ((out) + (offset))
#define UPSWEEP_STORE(out, i, value) ((out)[i] = (value))
#define UPSWEEP_STORE_WIDE(out, i, values) vstore16(values, i, out)
#define UPSWEEP_STORED(out, i) ((out)[i])

#endif
