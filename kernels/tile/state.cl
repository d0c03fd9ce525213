// SPDX-License-Identifier: MIT
// Values that tiles publish to each other through global memory while a launch is running.
//
// A published value is cut into pieces of 32 bits, and each piece shares one 64-bit word with the number of the launch
// (the epoch): word = epoch << 32 | piece. Reading or writing a word is one access, so a word is valid or it is not,
// and a value is complete when all its words have the epoch. Nothing has to be cleared between launches, no fence is
// needed, and values of any size can be published.
//
//   UPSWEEP_PTX           1: NVIDIA's PTX may be used, here relaxed loads and stores of device scope; 0: 64-bit atomics
#ifndef UPSWEEP_STATE
#define UPSWEEP_STATE
#include "prelude.cl"
#if !defined(UPSWEEP_STATE_BEGIN) || !defined(UPSWEEP_GROUP_BITS)
#error "UPSWEEP_STATE_BEGIN and UPSWEEP_GROUP_BITS must be given"
#endif
#if !defined(UPSWEEP_PTX)
#error "UPSWEEP_PTX must be 0 or 1"
#endif

#if !UPSWEEP_PTX
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

// Word 0 of a state counts (tickets, or work-groups that are done); published values follow from word
// UPSWEEP_STATE_BEGIN on.

// How many of the launch came here before, by a counter that is 0 before and after it: the last of `count` leaves it so. A
// launch that is lost, because it failed, leaves nothing behind either.
uint upsweep_count_up(volatile __global uint* counter, uint count)
{
    const uint before = atomic_inc(counter);
    if (before == count - 1) atomic_xchg(counter, 0u);
    return before;
}

// A work-group's ticket, of `count` that the launch takes in all: how many were taken before. All work-items call this
// together.
uint upsweep_take_ticket(volatile __global uint* counter, uint count, __local uint* shared)
{
    if (get_local_id(0) == 0) *shared = upsweep_count_up(counter, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *shared;
}

// Tiles that look back publish the sums of groups of 2^UPSWEEP_GROUP_BITS tiles, of as many groups, and of as many of
// these. In comments the numbers are 32, 1024 and 32768.
#define UPSWEEP_GROUP (1 << UPSWEEP_GROUP_BITS)
#define UPSWEEP_SUPERGROUP (UPSWEEP_GROUP * UPSWEEP_GROUP)
#define UPSWEEP_TOP_GROUP (UPSWEEP_SUPERGROUP * UPSWEEP_GROUP)
#define UPSWEEP_ENDS(tile, group) ((tile) % (group) == (group) - 1)

// Words that one published value takes.
#define UPSWEEP_STATE_WORDS ((UPSWEEP_VALUE_SIZE + 3) / 4)

typedef union {
    upsweep_value value;
    uint pieces[UPSWEEP_STATE_WORDS];
} upsweep_pieces;

// Orders a work-item's accesses to global memory before and after it, as other work-groups see them. mem_fence promises
// that within a work-group only, and NVIDIA's compiler makes membar.cta of it. OpenCL C 1.2 has nothing else.
#if UPSWEEP_PTX
#define UPSWEEP_DEVICE_FENCE() __asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
#elif __OPENCL_C_VERSION__ == 200 ||                                                                                   \
    (defined(__opencl_c_atomic_order_acq_rel) && defined(__opencl_c_atomic_scope_device))
#define UPSWEEP_DEVICE_FENCE()                                                                                         \
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
#else
#define UPSWEEP_DEVICE_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif

void upsweep_publish(volatile __global ulong* words, uint epoch, upsweep_value value)
{
    upsweep_pieces cut;
    cut.pieces[UPSWEEP_STATE_WORDS - 1] = 0; // the value may not fill the last piece
    cut.value = value;
#if UPSWEEP_PTX
#pragma unroll
#endif
    for (uint i = 0; i < UPSWEEP_STATE_WORDS; ++i) {
        const ulong word = (ulong)epoch << 32 | cut.pieces[i];
#if UPSWEEP_PTX
        __asm__ volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(words + i), "l"(word) : "memory");
#else
        atom_xchg(words + i, word);
#endif
    }
}

// Reads the words of one value, or nothing. Reads that follow one another without a branch between them travel together.
void upsweep_read_words(volatile __global ulong* words, uint wanted, ulong* read)
{
#if UPSWEEP_PTX && UPSWEEP_STATE_WORDS == 2
    read[0] = read[1] = 0;
    __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2]; }"
                     : "+l"(read[0]), "+l"(read[1])
                     : "l"(words), "r"(wanted)
                     : "memory");
#else
#if UPSWEEP_PTX
#pragma unroll
#endif
    for (uint i = 0; i < UPSWEEP_STATE_WORDS; ++i) {
        read[i] = 0;
#if UPSWEEP_PTX
        __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.relaxed.gpu.global.u64 %0, [%1]; }"
                         : "+l"(read[i])
                         : "l"(words + i), "r"(wanted)
                         : "memory");
#else
        if (wanted) read[i] = atom_add(words + i, 0ul);
#endif
    }
#endif
}

// Whether the words that were read make a complete value; *value is set only then.
uint upsweep_is_complete(const ulong* words, uint epoch, upsweep_value* value)
{
    upsweep_pieces cut;
    uint complete = 1;
#if UPSWEEP_PTX
#pragma unroll
#endif
    for (uint i = 0; i < UPSWEEP_STATE_WORDS; ++i) {
        cut.pieces[i] = (uint)words[i];
        complete &= (uint)(words[i] >> 32) == epoch;
    }
    if (complete) *value = cut.value;
    return complete;
}

// Whether the value is complete; *value is set only then.
uint upsweep_is_published(volatile __global ulong* words, uint epoch, upsweep_value* value)
{
    ulong read[UPSWEEP_STATE_WORDS];
    upsweep_read_words(words, 1, read);
    return upsweep_is_complete(read, epoch, value);
}

// Publishes the sum of a silent tile in its place. If that tile goes on meanwhile and overwrites what the sum was computed
// from, it has published its own before: then this one is dropped.
void upsweep_publish_in_place_of(volatile __global ulong* words, uint epoch, upsweep_value sum)
{
    UPSWEEP_DEVICE_FENCE()
    upsweep_value known;
    if (!upsweep_is_published(words, epoch, &known)) upsweep_publish(words, epoch, sum);
}

#endif
