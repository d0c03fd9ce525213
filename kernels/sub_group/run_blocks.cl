// SPDX-License-Identifier: MIT
// A tile in which each lane has one run, and each sub-group one block: that of kept_runs.cl.
#ifndef UPSWEEP_RUN_BLOCKS
#define UPSWEEP_RUN_BLOCKS
#define UPSWEEP_HAS_BLOCKS
#include "sub_group/lanes_tree.cl"

#define UPSWEEP_RUN UPSWEEP_ITEMS
#define UPSWEEP_BLOCK (UPSWEEP_RUN * UPSWEEP_LANES)
#define UPSWEEP_BLOCKS 1

#endif
