// SPDX-License-Identifier: MIT
// A tile in which each lane has one run, and each sub-group one block: that of kept_runs.cl. A file of its own, because
// what find_prefix.cl is told must come before it.
#ifndef UPSWEEP_RUN_BLOCKS
#define UPSWEEP_RUN_BLOCKS
#define UPSWEEP_HAS_BLOCKS

#define UPSWEEP_RUN UPSWEEP_ITEMS
#define UPSWEEP_BLOCK (UPSWEEP_RUN * UPSWEEP_LANES)
#define UPSWEEP_BLOCKS 1

#endif
