// SPDX-License-Identifier: MIT
// On NVIDIA devices: what work-groups that begin later will load is brought into the second-level cache. Memory then stays
// busy while work-groups wait for one another.
#ifndef UPSWEEP_PREFETCH
#define UPSWEEP_PREFETCH
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif

#if UPSWEEP_PTX
void upsweep_prefetch_bytes(__global const char* begin, uint bytes, uint lane, uint lanes)
{
    for (uint i = lane * 128; i < bytes; i += lanes * 128)
        __asm__ volatile("prefetch.global.L2 [%0];" ::"l"(begin + i));
}

// What `count` elements from element `begin` on are made of, a line per lane. Of an input that is no array the load hook says
// what that is, or nothing is brought.
void upsweep_prefetch(upsweep_input in, uint begin, uint count, uint lane, uint lanes)
{
#if defined(UPSWEEP_INPUT_IS_ARRAY)
    upsweep_prefetch_bytes((__global const char*)(in + begin), count * UPSWEEP_ELEMENT_SIZE, lane, lanes);
#elif defined(UPSWEEP_PREFETCH_PARTS)
    UPSWEEP_PREFETCH_PARTS(in, begin, count, lane, lanes);
#endif
}
#endif

#endif
