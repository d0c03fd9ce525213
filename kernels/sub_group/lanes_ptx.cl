// SPDX-License-Identifier: MIT
// lanes.cl for NVIDIA devices, whose OpenCL has no sub-group functions: warps, in inline PTX.
#ifndef UPSWEEP_LANES_PTX
#define UPSWEEP_LANES_PTX
#define UPSWEEP_HAS_LANES
#include "sub_group/lanes.cl"

uint upsweep_lane(void)
{
    return (uint)get_local_id(0) % UPSWEEP_LANES;
}

uint upsweep_sub_group(void)
{
    return (uint)get_local_id(0) / UPSWEEP_LANES;
}

uint upsweep_ballot(uint predicate)
{
    uint bits;
    __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(bits)
                 : "r"(predicate));
    return bits;
}

// Moves a value between lanes, piece by piece; `number` is the shuffle's operand.
#define UPSWEEP_SHUFFLE(mode)                                                                                          \
    upsweep_lane_value from;                                                                                           \
    upsweep_lane_value to;                                                                                             \
    from.pieces[UPSWEEP_VALUE_PIECES - 1] = 0;                                                                         \
    from.value = value;                                                                                                \
    _Pragma("unroll") for (uint i = 0; i < UPSWEEP_MOVED_PIECES; ++i) __asm__ volatile(                                \
        "shfl.sync." mode ".b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(to.pieces[i]) : "r"(from.pieces[i]), "r"(number)); \
    _Pragma("unroll") for (uint i = UPSWEEP_MOVED_PIECES; i < UPSWEEP_VALUE_PIECES; ++i) to.pieces[i] = 0;             \
    return to.value;

upsweep_value upsweep_from_lane(upsweep_value value, uint number)
{
    UPSWEEP_SHUFFLE("idx")
}

uint upsweep_word_from_lane(uint word, uint number)
{
    uint moved;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(moved) : "r"(word), "r"(number));
    return moved;
}

upsweep_value upsweep_exchange(upsweep_value value, uint number)
{
    UPSWEEP_SHUFFLE("bfly")
}

void upsweep_sync_lanes(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

#endif
