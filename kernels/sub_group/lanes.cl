// SPDX-License-Identifier: MIT
// Sub-groups: UPSWEEP_LANES work-items that exchange values without a barrier of the work-group. They are NVIDIA's
// warps, or a device's sub-groups, whole or cut into halves or quarters. The contract, and what its back ends share;
// each is a file of its own, of which a program holds one:
//
//   lanes_ptx.cl     NVIDIA's PTX
//   lanes_khr.cl     cl_khr_subgroup_shuffle and cl_khr_subgroup_ballot, OpenCL C 2.0 or 3.0
//   lanes_intel.cl   cl_intel_subgroups, OpenCL C 1.2
//
//   upsweep_lane()                   number of the work-item in its sub-group, 0 to 31
//   upsweep_sub_group()              number of the sub-group in the work-group, whose sub-groups are all full
//   upsweep_ballot(predicate)        one bit per lane: whether its predicate is not zero
//   upsweep_from_lane(value, number) the value of the lane of that number, 0 to 31, which may differ between lanes
//   upsweep_word_from_lane(word, number)   the same for 32 bits
//   upsweep_exchange(value, number)  the value of the lane whose number differs in the bits of `number`
//   upsweep_sync_lanes()             orders the lanes' accesses to local memory
//
// All lanes of a sub-group call the last five together. The sub-groups of a work-group may take different branches.
//
// The host makes sure that a device's sub-groups are 32, 64 or 128 work-items wide. Those of 64 and 128 are cut into
// two or four here, and the work-items of the other parts may be elsewhere during a call. The shuffles and the ballot
// allow that. The device's barrier of a sub-group does not, so there upsweep_sync_lanes assumes that a ballot
// synchronises lanes. Narrower sub-groups are not used: look_back_lanes.cl reads tiles 32 at a time.
//
// Without sub-groups there is no back end by local memory: its exchanges would be barriers, which all work-items of a
// work-group must reach, and sub-groups take different branches. The textbook tile algorithms and look_back.cl run
// instead.
#ifndef UPSWEEP_LANES_COMMON
#define UPSWEEP_LANES_COMMON
#include "prelude.cl"

#if !defined(UPSWEEP_LANE_BITS)
#error "UPSWEEP_LANE_BITS must be log2 of the lanes of a sub-group"
#endif
#define UPSWEEP_LANES (1 << UPSWEEP_LANE_BITS)
#define UPSWEEP_SUB_GROUPS_PER_GROUP (UPSWEEP_WORK_ITEMS / UPSWEEP_LANES)
#define UPSWEEP_VALUE_PIECES ((UPSWEEP_VALUE_SIZE + 3) / 4)
// So many of them are moved; those behind are 0 in every value. H200, first calls of double in segments 1.86 and 1.66 s.
#ifndef UPSWEEP_MOVED_PIECES
#define UPSWEEP_MOVED_PIECES UPSWEEP_VALUE_PIECES
#endif

// A value as the 32-bit pieces that shuffles move.
typedef union {
    upsweep_value value;
    uint pieces[UPSWEEP_VALUE_PIECES];
#if UPSWEEP_VALUE_SIZE == 16
    uint4 vector;
#elif UPSWEEP_VALUE_SIZE == 32
    uint8 vector;
#endif
} upsweep_lane_value;

// A value as an argument of a function that Intel's compiler does not inline: structs of which 3, 5, 6 or 7 bytes are no
// word of 8 go as words, because such a function gets them wrong in most lanes (tests/reproducers/intel_small_struct.c).
#if !UPSWEEP_PTX && UPSWEEP_VALUE_SIZE < 16 && (UPSWEEP_VALUE_SIZE % 8 == 3 || UPSWEEP_VALUE_SIZE % 8 > 4)
typedef upsweep_lane_value upsweep_argument;
upsweep_argument upsweep_as_argument(upsweep_value value)
{
    upsweep_argument argument;
    argument.pieces[UPSWEEP_VALUE_PIECES - 1] = 0;
    argument.value = value;
    return argument;
}
#define UPSWEEP_OF_ARGUMENT(argument) ((argument).value)
#else
typedef upsweep_value upsweep_argument;
#define upsweep_as_argument(value) (value)
#define UPSWEEP_OF_ARGUMENT(argument) (argument)
#endif

// Returns `value` moved between lanes by a shuffle of its pieces, for sub-groups.
#define UPSWEEP_MOVE(shuffle, number)                                                                                  \
    upsweep_lane_value moved;                                                                                          \
    moved.pieces[UPSWEEP_VALUE_PIECES - 1] = 0;                                                                        \
    moved.value = value;                                                                                               \
    _Pragma("unroll") for (uint i = 0; i < UPSWEEP_MOVED_PIECES; ++i) moved.pieces[i] =                                \
        shuffle(moved.pieces[i], number);                                                                              \
    return moved.value;

#endif
