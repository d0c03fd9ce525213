# The macros that the host writes in front of every kernel file, with values for a plain scan of int.
# kernels_syntax compiles each file with these alone.

set(upsweep_kernel_macros
    UPSWEEP_ELEMENT=int
    UPSWEEP_VALUE=int
    UPSWEEP_INDEX=uint
    UPSWEEP_ELEMENT_SIZE=4
    UPSWEEP_VALUE_SIZE=4
    UPSWEEP_WORK_ITEMS=64
    UPSWEEP_ITEMS=4
    UPSWEEP_STAGED=1
    UPSWEEP_BANK_BITS=5
    UPSWEEP_TREE=2)
