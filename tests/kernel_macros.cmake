# SPDX-License-Identifier: MIT
# The macros that the host writes in front of every kernel file. kernels_syntax compiles each file with each of these
# sets alone; together they enter every branch of the preprocessor that plain OpenCL C 1.2 has.

set(upsweep_kernel_variants staged canonical direct one_work_item mark_one_work_item list_one_work_item)

# Kernels for sub-groups take 32 work-items at least. By back end: PTX inside, or sub-group functions.
set(upsweep_kernel_variants_of_ptx warps byte_warps plain_warps large_warps mark_warps list_warps read_warps segment_warps
    keyed_warps numbered_warps words_warps)
set(upsweep_kernel_variants_of_khr khr_sub_groups wide_khr_sub_groups mark_khr_sub_groups segment_khr_sub_groups)
set(upsweep_kernel_variants_of_intel khr_sub_groups)
set(upsweep_kernels_of_lanes block_slots lanes_tree load_packs load_rounds look_rows look_back_segments look_back_lanes packs reduce_entries
    find_prefix find_past_silent count_marks take_tile mark_tiles segment_blocks segment_edges segment_moves segment_runs segment_sums segment_tiles reduce_steps scan_tiles share_prefix_lanes sub_group_calls reduce_lanes open_sums merged_share reduce_merged reduce_rows reduce_small reduce_in_parts any_row row_packs segment_parts long_segments shared_segments row_before row_sums scan_look_back_lanes store_packs
    stage_blocks store_blocks tile_blocks tile_prefix)

# In every set: the numbers that plans and kernels share, as kernel_constants.hpp has them.
set(upsweep_kernel_constants UPSWEEP_MOST_VALUES=128 UPSWEEP_STACK=48 UPSWEEP_GROUP_BITS=5 UPSWEEP_LEVEL_BITS=2 UPSWEEP_STATE_BEGIN=32
    upsweep_offset=uint "upsweep_offsets=__global const uint*" "upsweep_offset_at(offsets,k)=((offsets)[k])" "upsweep_shares_segments()=1"
    UPSWEEP_LANE_BITS=5 UPSWEEP_MOST_ROWS=8 UPSWEEP_LOCAL_ENTRIES=64 UPSWEEP_STAGED_BYTES=8192 UPSWEEP_SEGMENT_CHUNK=1024 UPSWEEP_SMALL_PARTS_BITS=8
    UPSWEEP_HAS_INIT=1 UPSWEEP_EXCLUSIVE=2 UPSWEEP_IN_PLACE=4 UPSWEEP_LAST_FIRST=8)

set(upsweep_kernel_macros_staged
    UPSWEEP_ELEMENT=int UPSWEEP_ELEMENT_SIZE=4 UPSWEEP_VALUE=int UPSWEEP_VALUE_SIZE=4 UPSWEEP_INDEX=uint
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=64 UPSWEEP_ITEMS=4 UPSWEEP_STAGED=1 UPSWEEP_BANK_BITS=5 UPSWEEP_RUNG=2
    UPSWEEP_CANONICAL=0 UPSWEEP_PTX=0
    UPSWEEP_CHECK_WORD=uint)

# Tiles in the canonical order, as floats are given where there are no sub-groups.
set(upsweep_kernel_macros_canonical
    UPSWEEP_ELEMENT=float UPSWEEP_ELEMENT_SIZE=4 UPSWEEP_VALUE=float UPSWEEP_VALUE_SIZE=4 UPSWEEP_INDEX=uint
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=256 UPSWEEP_ITEMS=16 UPSWEEP_STAGED=1 UPSWEEP_BANK_BITS=5 UPSWEEP_RUNG=2
    UPSWEEP_CANONICAL=1 UPSWEEP_PTX=0
    UPSWEEP_CHECK_FACTOR=922)

# An accumulator wider than the input, and the 64-bit index path.
set(upsweep_kernel_macros_direct
    UPSWEEP_ELEMENT=short UPSWEEP_ELEMENT_SIZE=2 UPSWEEP_VALUE=long UPSWEEP_VALUE_SIZE=8 UPSWEEP_INDEX=ulong
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=256 UPSWEEP_ITEMS=1 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=0 UPSWEEP_RUNG=1
    UPSWEEP_CANONICAL=0 UPSWEEP_PTX=0 UPSWEEP_SILENT_TILE=3 UPSWEEP_SILENT_UNTIL=9
    UPSWEEP_CHECK_WORD=ulong UPSWEEP_STORES_SHIFTED)

set(upsweep_kernel_macros_one_work_item
    UPSWEEP_ELEMENT=float UPSWEEP_ELEMENT_SIZE=4 UPSWEEP_VALUE=float UPSWEEP_VALUE_SIZE=4 UPSWEEP_INDEX=ulong
    UPSWEEP_TREE_RUN=16 UPSWEEP_WORK_ITEMS=1 UPSWEEP_ITEMS=16 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=0 UPSWEEP_RUNG=0
    UPSWEEP_CANONICAL=0 UPSWEEP_PTX=0
    UPSWEEP_CHECK_FACTOR=922)

# What an NVIDIA device of compute capability 8.0 and up is given: for floats, and for bytes that are aligned.
set(upsweep_large_scan
    UPSWEEP_INDEX=uint UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=128 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=5 UPSWEEP_RUNG=2
    UPSWEEP_CANONICAL=0 UPSWEEP_PTX=1 UPSWEEP_STEP_ROUNDS=1 UPSWEEP_ASYNC_COPY=1 UPSWEEP_DIRECT_GROUPS=4
    UPSWEEP_AHEAD_TILES=128 UPSWEEP_ONE_TILE=0 UPSWEEP_PAUSE=3000 UPSWEEP_REGISTERS=112
    UPSWEEP_COMMUTATIVE=1 UPSWEEP_EXACT=1 UPSWEEP_COSTLY_OPERATOR=0 UPSWEEP_USERS_OPERATOR=0)
set(upsweep_kernel_macros_warps ${upsweep_large_scan}
    UPSWEEP_ELEMENT=float UPSWEEP_ELEMENT_SIZE=4 UPSWEEP_VALUE=float UPSWEEP_VALUE_SIZE=4
    UPSWEEP_ITEMS=64 UPSWEEP_PACK=4 UPSWEEP_RUN_PACKS=4)
set(upsweep_kernel_macros_byte_warps ${upsweep_large_scan}
    UPSWEEP_ELEMENT=uchar UPSWEEP_ELEMENT_SIZE=1 UPSWEEP_VALUE=uchar UPSWEEP_VALUE_SIZE=1
    UPSWEEP_ITEMS=256 UPSWEEP_PACK=16 UPSWEEP_RUN_PACKS=2 UPSWEEP_ALIGNED=1)

# What an older one is given for one tile, for a type that has no packs, with a tile kept silent.
set(upsweep_kernel_macros_plain_warps
    UPSWEEP_ELEMENT=short UPSWEEP_ELEMENT_SIZE=2 UPSWEEP_VALUE=long UPSWEEP_VALUE_SIZE=8 UPSWEEP_INDEX=ulong
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=32 UPSWEEP_ITEMS=8 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=0 UPSWEEP_RUNG=2
    UPSWEEP_CANONICAL=0 UPSWEEP_PTX=1 UPSWEEP_PACK=1 UPSWEEP_STEP_ROUNDS=1 UPSWEEP_RUN_PACKS=2 UPSWEEP_ASYNC_COPY=0
    UPSWEEP_DIRECT_GROUPS=0 UPSWEEP_AHEAD_TILES=0 UPSWEEP_ONE_TILE=1 UPSWEEP_PAUSE=0 UPSWEEP_SHARES_WORDS=1
    UPSWEEP_COMMUTATIVE=0 UPSWEEP_EXACT=0 UPSWEEP_COSTLY_OPERATOR=1 UPSWEEP_USERS_OPERATOR=1 UPSWEEP_SILENT_TILE=3 UPSWEEP_SILENT_UNTIL=9)

# What large structs are given, here a vector of 64 bytes.
set(upsweep_kernel_macros_large_warps
    UPSWEEP_ELEMENT=ulong8 UPSWEEP_ELEMENT_SIZE=64 UPSWEEP_VALUE=ulong8 UPSWEEP_VALUE_SIZE=64 UPSWEEP_INDEX=uint
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=64 UPSWEEP_ITEMS=8 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=5 UPSWEEP_RUNG=2
    UPSWEEP_CANONICAL=0 UPSWEEP_PTX=1 UPSWEEP_PACK=1 UPSWEEP_STEP_ROUNDS=1 UPSWEEP_RUN_PACKS=4 UPSWEEP_ASYNC_COPY=1
    UPSWEEP_DIRECT_GROUPS=0 UPSWEEP_AHEAD_TILES=128 UPSWEEP_ONE_TILE=0 UPSWEEP_PAUSE=0 UPSWEEP_COMMUTATIVE=0 UPSWEEP_EXACT=0 UPSWEEP_COSTLY_OPERATOR=1 UPSWEEP_USERS_OPERATOR=1)

# What sub-groups of 32 are given.
set(upsweep_kernel_macros_khr_sub_groups
    UPSWEEP_ELEMENT=float UPSWEEP_ELEMENT_SIZE=4 UPSWEEP_VALUE=float UPSWEEP_VALUE_SIZE=4 UPSWEEP_INDEX=uint
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=128 UPSWEEP_ITEMS=16 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=5 UPSWEEP_RUNG=2
    UPSWEEP_CANONICAL=0 UPSWEEP_PTX=0 UPSWEEP_PACK=4 UPSWEEP_STEP_ROUNDS=1 UPSWEEP_RUN_PACKS=2 UPSWEEP_ASYNC_COPY=0
    UPSWEEP_DIRECT_GROUPS=1 UPSWEEP_AHEAD_TILES=0 UPSWEEP_ONE_TILE=0 UPSWEEP_PAUSE=0 UPSWEEP_COMMUTATIVE=1 UPSWEEP_EXACT=1 UPSWEEP_COSTLY_OPERATOR=0 UPSWEEP_USERS_OPERATOR=0 UPSWEEP_SUB_GROUP_SIZE=32)

# What sub-groups of a size that is not known before are given.
set(upsweep_kernel_macros_wide_khr_sub_groups
    UPSWEEP_ELEMENT=short UPSWEEP_ELEMENT_SIZE=2 UPSWEEP_VALUE=long UPSWEEP_VALUE_SIZE=8 UPSWEEP_INDEX=ulong
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=64 UPSWEEP_ITEMS=8 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=0 UPSWEEP_RUNG=2
    UPSWEEP_CANONICAL=0 UPSWEEP_PTX=0 UPSWEEP_PACK=1 UPSWEEP_STEP_ROUNDS=1 UPSWEEP_RUN_PACKS=2 UPSWEEP_ASYNC_COPY=0
    UPSWEEP_DIRECT_GROUPS=0 UPSWEEP_AHEAD_TILES=0 UPSWEEP_ONE_TILE=0 UPSWEEP_PAUSE=0
    UPSWEEP_COMMUTATIVE=0 UPSWEEP_EXACT=0 UPSWEEP_COSTLY_OPERATOR=1 UPSWEEP_USERS_OPERATOR=1 UPSWEEP_SUB_GROUP_SIZE=0 UPSWEEP_SILENT_TILE=3 UPSWEEP_SILENT_UNTIL=9)

# What selections are given: a store hook that lists marks (sub_group_tile/mark_tiles.cl).
set(upsweep_mark_hook UPSWEEP_LISTS_MARKS=2 "UPSWEEP_IS_MARKED(element)=((element)!=0)"
    "UPSWEEP_MARKS_VALUE(count,last)=((upsweep_value)(count))" upsweep_marked_reads=uint "UPSWEEP_READ_MARKED(out,i)=(i)"
    "UPSWEEP_PLACE(out,i)=(i)" "UPSWEEP_STORE_END(out,i,value)=((out)[i]=(value))"
    "UPSWEEP_STORE_MARKED(out,i,value,mark,real,read)=((out)[i]=(real)?(value):(mark)+(read))")
set(upsweep_kernel_macros_mark_warps ${upsweep_kernel_macros_warps} ${upsweep_mark_hook})
set(upsweep_kernel_macros_mark_khr_sub_groups ${upsweep_kernel_macros_khr_sub_groups} ${upsweep_mark_hook})
# By one work-item (tile/serial_marks.cl).
set(upsweep_kernel_macros_mark_one_work_item
    UPSWEEP_ELEMENT=uint UPSWEEP_ELEMENT_SIZE=4 UPSWEEP_VALUE=uint UPSWEEP_VALUE_SIZE=4 UPSWEEP_INDEX=ulong
    UPSWEEP_TREE_RUN=1 UPSWEEP_WORK_ITEMS=1 UPSWEEP_ITEMS=16 UPSWEEP_STAGED=0 UPSWEEP_BANK_BITS=0 UPSWEEP_RUNG=0
    UPSWEEP_CANONICAL=0 UPSWEEP_PTX=0
    UPSWEEP_CHECK_WORD=uint ${upsweep_mark_hook})
# The same where elements are listed.
set(upsweep_list_hook UPSWEEP_LISTED=float UPSWEEP_LISTED_SIZE=4 "UPSWEEP_LOAD_LISTED(in,i)=((in)[i])"
    "UPSWEEP_LISTED_OTHERS(out)=1" "UPSWEEP_LISTED_ROOM(out)=1000" "UPSWEEP_STORE_LISTED(out,place,element)=((out)[place]=(element))")
set(upsweep_kernel_macros_list_warps ${upsweep_kernel_macros_mark_warps} ${upsweep_list_hook})
set(upsweep_kernel_macros_list_one_work_item ${upsweep_kernel_macros_mark_one_work_item} ${upsweep_list_hook})

# The same where elements are listed with their places.
set(upsweep_kernel_macros_read_warps ${upsweep_kernel_macros_mark_warps} UPSWEEP_LISTED_READ=float
    "UPSWEEP_LOAD_LISTED(in,i)=((in)[i])" "UPSWEEP_READ_LISTED(element)=((uint)(element))")

# What scans and reductions of segments are given (sub_group_tile/segment_tiles.cl).
set(upsweep_segment_hook UPSWEEP_SEGMENT_VALUE=uint UPSWEEP_SEGMENT_VALUE_SIZE=4 "UPSWEEP_IS_INNER(in,count)=((count)>1)"
    "UPSWEEP_LOAD_INNER(in,i)=((in)[i])" "UPSWEEP_SEGMENT_BEGIN(out,value)=(value)"
    "UPSWEEP_STORE_SEGMENT(out,i,value)=((out)[i]=(value))" "upsweep_flag(value,head)=((upsweep_value)(value)+(head))"
    "upsweep_unflag(flagged)=((uint)(flagged))" "upsweep_has_head(flagged)=((uint)(flagged))"
    "upsweep_combine_values(left,right)=((left)+(right))")
set(upsweep_kernel_macros_segment_warps ${upsweep_kernel_macros_warps} ${upsweep_segment_hook}
    UPSWEEP_COUNTS_SEGMENTS=1 UPSWEEP_EXACT_SEGMENTS=1 "UPSWEEP_STORES_AT(out,i)=((i)&1)"
    "UPSWEEP_STORE_CHOSEN(out,i,value)=((out)[i]=(value))")
set(upsweep_kernel_macros_segment_khr_sub_groups ${upsweep_kernel_macros_khr_sub_groups} ${upsweep_segment_hook}
    UPSWEEP_COUNTS_SEGMENTS=0 UPSWEEP_EXACT_SEGMENTS=0 "UPSWEEP_PLACE_IN_ROW(in,i)=((upsweep_index)(i)%7)")
# Scans of values that are moved as words, of rows.
set(upsweep_kernel_macros_words_warps ${upsweep_kernel_macros_warps} ${upsweep_segment_hook}
    UPSWEEP_COUNTS_SEGMENTS=0 UPSWEEP_EXACT_SEGMENTS=1 "UPSWEEP_INNER_SHIFT(in)=((uint)(in)[0]&3)"
    "UPSWEEP_LOAD_INNER_WORD(in,k)=((uint)(in)[k])" "UPSWEEP_SEGMENT_SHIFT(out)=((uint)(out)[0]&3)"
    "UPSWEEP_STORE_SEGMENT_WORD(out,k,word)=((out)[k]=(word))"
    "UPSWEEP_STORE_SEGMENT_BYTES(out,k,word,begin,end)=((out)[k]=(word)>>(begin)<<(end))"
    "UPSWEEP_MARKS_OF_RUN(in,i,count)=((uint)(in)[i]>>(count))" "UPSWEEP_BEGIN_VALUE(in,value)=((value)+1)" "UPSWEEP_LOAD_ALONE(in,i)=((in)[i])")
# Reductions whose segments are counted, with keys.
set(upsweep_kernel_macros_keyed_warps ${upsweep_kernel_macros_segment_warps} UPSWEEP_SEGMENT_KEY=uint
    "UPSWEEP_LOAD_SEGMENT_KEY(in,i)=((uint)(in)[i])" "UPSWEEP_LOAD_KEY_AT_END(in,i)=((uint)(in)[i])"
    "UPSWEEP_IS_END_OF_SEGMENTS(in,i)=((i)==5)" "UPSWEEP_STORE_RESULT(out,segment,value)=((out)[segment]=(value))"
    "UPSWEEP_STORE_KEY(out,segment,key)=((out)[segment]=(key))")
# Reductions whose segments have numbers.
set(upsweep_kernel_macros_numbered_warps ${upsweep_kernel_macros_warps} ${upsweep_segment_hook}
    UPSWEEP_COUNTS_SEGMENTS=0 UPSWEEP_EXACT_SEGMENTS=0 "UPSWEEP_STORES_AT(out,i)=((i)&1)"
    "UPSWEEP_STORE_CHOSEN(out,i,value)=((out)[i]=(value))"
    "UPSWEEP_FIRST_OF_ROW(out,i)=((ulong)(i))" "UPSWEEP_ROW_HAS_GAPS(out,i)=((out)[i]!=0)"
    "UPSWEEP_END_OF_SEGMENTS(out)=((ulong)9)" "UPSWEEP_SEGMENT_HAS_ELEMENTS(out,k)=((out)[k]!=0)" "UPSWEEP_NEXT_WITH_ELEMENTS(out,k)=((k)+1)"
    "UPSWEEP_STORE_RESULT(out,segment,value)=((out)[segment]=(value))")
