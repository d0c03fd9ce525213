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

// Sets all pieces at once where they fill a vector: one by one, NVIDIA's compiler keeps vectors of 8-byte numbers in memory.
// H100, scans of 2^26 double2 and 2^25 double4, us, one by one and at once: 1580, 1317 and 871, 980 (int4 868, uint8 1062).
#if UPSWEEP_VALUE_SIZE == 16
#define UPSWEEP_SET_PIECES(to, p) to.vector = (uint4)(p[0], p[1], p[2], p[3]);
#elif UPSWEEP_VALUE_SIZE == 32
#define UPSWEEP_SET_PIECES(to, p) to.vector = (uint8)(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]);
#else
#define UPSWEEP_SET_PIECES(to, p)                                                                                      \
    _Pragma("unroll") for (uint i = 0; i < UPSWEEP_VALUE_PIECES; ++i) to.pieces[i] = p[i];
#endif

// Moves a value between lanes, piece by piece; `number` is the shuffle's operand.
#define UPSWEEP_SHUFFLE(mode)                                                                                          \
    upsweep_lane_value from;                                                                                           \
    upsweep_lane_value to;                                                                                             \
    uint moved[UPSWEEP_VALUE_PIECES];                                                                                  \
    from.pieces[UPSWEEP_VALUE_PIECES - 1] = 0;                                                                         \
    from.value = value;                                                                                                \
    _Pragma("unroll") for (uint i = 0; i < UPSWEEP_MOVED_PIECES; ++i) __asm__ volatile(                                \
        "shfl.sync." mode ".b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(moved[i]) : "r"(from.pieces[i]), "r"(number));     \
    _Pragma("unroll") for (uint i = UPSWEEP_MOVED_PIECES; i < UPSWEEP_VALUE_PIECES; ++i) moved[i] = 0;                 \
    UPSWEEP_SET_PIECES(to, moved)                                                                                      \
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
