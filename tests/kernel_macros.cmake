# The macros that the host writes in front of every kernel file. kernels_syntax compiles each file with each of these
# sets alone; together they enter every branch of the preprocessor that plain OpenCL C 1.2 has.

set(upsweep_kernel_variants staged direct one_work_item)

# Kernels for lanes in step take 32 work-items at least, and are PTX inside.
set(upsweep_kernel_variants_of_lanes rows plain_rows)
set(upsweep_kernels_of_lanes lanes_ptx lanes_tree lane_packs look_back_lanes look_back_slowly reduce_entries reduce_lanes
    scan_look_back_lanes tile_blocks)

set(upsweep_kernel_macros_staged
    UPSWEEP_ELEMENT=int UPSWEEP_ELEMENT_SIZE=4 UPSWEEP_VALUE=int UPSWEEP_VALUE_SIZE=4 UPSWEEP_INDEX=uint
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=64 UPSWEEP_ITEMS=4 UPSWEEP_STAGED=1 UPSWEEP_BANK_BITS=5 UPSWEEP_TREE=2
    UPSWEEP_STATE_PTX=0 UPSWEEP_PATIENCE=100)

# An accumulator wider than the input, and the 64-bit index path.
set(upsweep_kernel_macros_direct
    UPSWEEP_ELEMENT=short UPSWEEP_ELEMENT_SIZE=2 UPSWEEP_VALUE=long UPSWEEP_VALUE_SIZE=8 UPSWEEP_INDEX=ulong
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=256 UPSWEEP_ITEMS=1 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=0 UPSWEEP_TREE=1
    UPSWEEP_STATE_PTX=0 UPSWEEP_PATIENCE=100 UPSWEEP_SILENT_TILE=3 UPSWEEP_SILENT_UNTIL=9)

set(upsweep_kernel_macros_one_work_item
    UPSWEEP_ELEMENT=float UPSWEEP_ELEMENT_SIZE=4 UPSWEEP_VALUE=float UPSWEEP_VALUE_SIZE=4 UPSWEEP_INDEX=ulong
    UPSWEEP_TREE_RUN=16 UPSWEEP_WORK_ITEMS=1 UPSWEEP_ITEMS=16 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=0 UPSWEEP_TREE=0
    UPSWEEP_STATE_PTX=0 UPSWEEP_PATIENCE=100)

# What an NVIDIA device of compute capability 8.0 and up is given.
set(upsweep_kernel_macros_rows
    UPSWEEP_ELEMENT=float UPSWEEP_ELEMENT_SIZE=4 UPSWEEP_VALUE=float UPSWEEP_VALUE_SIZE=4 UPSWEEP_INDEX=uint
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=128 UPSWEEP_ITEMS=64 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=5 UPSWEEP_TREE=2
    UPSWEEP_STATE_PTX=1 UPSWEEP_PATIENCE=100 UPSWEEP_PACK=4 UPSWEEP_RUN_PACKS=4 UPSWEEP_ASYNC_COPY=1
    UPSWEEP_YOUNG_GROUPS=4 UPSWEEP_AHEAD_TILES=128 UPSWEEP_ONE_TILE=0 UPSWEEP_REGISTERS=112
    UPSWEEP_COMMUTATIVE=1)

# What an older one is given, for a type that has no packs, with a tile kept silent.
set(upsweep_kernel_macros_plain_rows
    UPSWEEP_ELEMENT=short UPSWEEP_ELEMENT_SIZE=2 UPSWEEP_VALUE=long UPSWEEP_VALUE_SIZE=8 UPSWEEP_INDEX=ulong
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=32 UPSWEEP_ITEMS=8 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=0 UPSWEEP_TREE=2
    UPSWEEP_STATE_PTX=1 UPSWEEP_PATIENCE=100 UPSWEEP_PACK=1 UPSWEEP_RUN_PACKS=2 UPSWEEP_ASYNC_COPY=0
    UPSWEEP_YOUNG_GROUPS=0 UPSWEEP_AHEAD_TILES=0 UPSWEEP_ONE_TILE=1
    UPSWEEP_COMMUTATIVE=0 UPSWEEP_SILENT_TILE=3 UPSWEEP_SILENT_UNTIL=9)
