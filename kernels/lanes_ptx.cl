// 32 work-items in step (a warp) on NVIDIA devices, whose OpenCL has no sub-group functions: inline PTX. The contract,
// for other back ends to follow: UPSWEEP_LANES work-items of consecutive local ids form a row of lanes; all of them call
// these functions together.
#ifndef UPSWEEP_LANES_FILE
#define UPSWEEP_LANES_FILE
#ifndef UPSWEEP_PRELUDE
#include "prelude.cl"
#endif

#define UPSWEEP_LANES 32
#define UPSWEEP_LANE_BITS 5
#define UPSWEEP_VALUE_PIECES ((UPSWEEP_VALUE_SIZE + 3) / 4)

// A value as the 32-bit pieces that shuffles move.
typedef union {
    upsweep_value value;
    uint pieces[UPSWEEP_VALUE_PIECES];
} upsweep_lane_value;

uint upsweep_lane(void)
{
    return (uint)get_local_id(0) % UPSWEEP_LANES;
}

// One bit per lane: whether its predicate is not zero.
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
    _Pragma("unroll") for (uint i = 0; i < UPSWEEP_VALUE_PIECES; ++i) __asm__ volatile(                                \
        "shfl.sync." mode ".b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(to.pieces[i]) : "r"(from.pieces[i]), "r"(number)); \
    return to.value;

// The value of one lane, in all lanes.
upsweep_value upsweep_from_lane(upsweep_value value, uint number)
{
    UPSWEEP_SHUFFLE("idx")
}

// The value of the lane whose number differs in the bits of `number`.
upsweep_value upsweep_exchange(upsweep_value value, uint number)
{
    UPSWEEP_SHUFFLE("bfly")
}

// Orders the lanes' accesses to local memory.
void upsweep_sync_lanes(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

#endif
