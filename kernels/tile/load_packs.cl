// SPDX-License-Identifier: MIT
// The load hook for packs (see load.cl for the one for elements):
//
//   UPSWEEP_INPUT_IS_ALIGNED(in)            whether packs of `in` can be loaded whole
//   UPSWEEP_LOADS_PACKS                     1: the next two exist; 0: packs are loaded element by element
//   upsweep_load_whole_pack(in, begin)      the pack that begins at element `begin`
//   upsweep_load_constant_pack(in, begin)   the same, where nothing writes to the input during the launch
//   upsweep_fetch_pack(in, begin, to)       with UPSWEEP_ASYNC_COPY too: begins to copy it to local memory
//   UPSWEEP_LOADS_GRANULES                  1: the next two exist: packs of inputs that are not aligned go by granules
//   UPSWEEP_INPUT_HAS_GRANULES(in)          whether that holds for the pointer of `in`
//   UPSWEEP_INPUT_SHIFT(in)                 bytes from the first granule's beginning to that of `in`; from the first
//                                           line's, with UPSWEEP_LOADS_LINES
//   upsweep_fetch_granule(in, index, to)    copies granule `index`, counted from where the shift is counted from,
//                                           to local memory; with UPSWEEP_ASYNC_COPY only begins to
//   upsweep_load_line(in, begin)            with UPSWEEP_LOADS_PACKS: the 16 bytes, at a multiple of 16, which hold the
//                                           first byte of the pack that begins at element `begin`; no launch writes them
//   UPSWEEP_LINE_SHIFT(in)                  bytes from the beginning of these to that of `in`
//   upsweep_fetch_word(in, e, word, to)     with UPSWEEP_ASYNC_COPY: begins to copy word number `word` of element e to
//                                           local memory
//   UPSWEEP_LOADS_LINES                     1: the next one exists: packs go by lines where they are not aligned, and
//                                           granules are what is needed of the last line
//   UPSWEEP_INPUT_LINES(in)                 `in` from the beginning of its first line on
//   UPSWEEP_INPUT_IS_WHOLE(in)              whether `in` can be loaded by the widest accesses that elements allow
//   UPSWEEP_LOADS_LARGE                     1: elements are large (packs.cl), and the next one exists
//   upsweep_load_large(in, begin)           element `begin`, by granules, where nothing writes to the input
//   UPSWEEP_LOADS_WORDS                     1: the words of packs are not those of elements, and the next one exists
//   upsweep_load_words(in, begin)           the pack that begins at element `begin`, by words, where nothing writes to
//                                           the input
//
// Of an input that is no array all packs are loaded element by element.
#ifndef UPSWEEP_TILE_LOAD_PACKS
#define UPSWEEP_TILE_LOAD_PACKS
#ifndef UPSWEEP_HAS_LOAD
#include "tile/load.cl"
#endif
#include "tile/packs.cl"
#if !defined(UPSWEEP_ASYNC_COPY)
#error "UPSWEEP_ASYNC_COPY must be 0 or 1"
#endif

#ifdef UPSWEEP_INPUT_IS_ARRAY
#define UPSWEEP_INPUT_IS_ALIGNED(in) UPSWEEP_IS_ALIGNED(in)
#define UPSWEEP_LOADS_PACKS UPSWEEP_WIDE_IN
#define UPSWEEP_LOADS_GRANULES UPSWEEP_HAS_IN_GRANULES
#define UPSWEEP_INPUT_HAS_GRANULES(in) UPSWEEP_HAS_GRANULES(in, UPSWEEP_ELEMENT_SIZE)
#define UPSWEEP_LINE_SHIFT(in) UPSWEEP_SHIFT_IN_LINE(in)
#define UPSWEEP_LOADS_LINES UPSWEEP_IN_LINES
#if UPSWEEP_LOADS_LINES
#define UPSWEEP_INPUT_SHIFT(in) UPSWEEP_LINE_SHIFT(in)
#define UPSWEEP_INPUT_LINES(in) ((in)-UPSWEEP_INPUT_SHIFT(in) / UPSWEEP_ELEMENT_SIZE)
#else
#define UPSWEEP_INPUT_SHIFT(in) UPSWEEP_SHIFT_OF(in, UPSWEEP_ELEMENT_SIZE)
#endif
#define UPSWEEP_LOADS_LARGE (UPSWEEP_PACK == 1 && UPSWEEP_IS_LARGE(UPSWEEP_ELEMENT_SIZE))
#define UPSWEEP_LOADS_WORDS (UPSWEEP_HAS_IN_GRANULES && !UPSWEEP_WIDE_IN && UPSWEEP_ELEMENT_SIZE % 4 != 0)
#else
#define UPSWEEP_INPUT_IS_ALIGNED(in) 1
#define UPSWEEP_LOADS_PACKS 0
#define UPSWEEP_LOADS_LINES 0
#define UPSWEEP_LOADS_GRANULES 0
#define UPSWEEP_INPUT_HAS_GRANULES(in) 1
#define UPSWEEP_INPUT_SHIFT(in) 0u
#define UPSWEEP_LOADS_LARGE 0
#define UPSWEEP_LOADS_WORDS 0
#endif
#if UPSWEEP_LOADS_LARGE
#define UPSWEEP_INPUT_IS_WHOLE(in) UPSWEEP_INPUT_HAS_GRANULES(in)
#else
#define UPSWEEP_INPUT_IS_WHOLE(in) UPSWEEP_INPUT_IS_ALIGNED(in)
#endif

#if UPSWEEP_LOADS_LARGE
upsweep_pack upsweep_load_large(upsweep_input in, uint begin)
{
    __global const upsweep_in_granule* from = (__global const upsweep_in_granule*)(in + begin);
    upsweep_pack pack;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_ELEMENT_SIZE / UPSWEEP_IN_GRANULE; ++i) {
#if UPSWEEP_PTX && UPSWEEP_IN_GRANULE == 16
        __asm__ volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(pack.parts[i].x), "=r"(pack.parts[i].y), "=r"(pack.parts[i].z), "=r"(pack.parts[i].w)
                         : "l"(from + i));
#elif UPSWEEP_PTX
        __asm__ volatile("ld.global.nc.v2.u32 {%0, %1}, [%2];"
                         : "=r"(pack.parts[i].x), "=r"(pack.parts[i].y)
                         : "l"(from + i));
#else
        pack.parts[i] = from[i];
#endif
    }
    return pack;
}
#endif

#if UPSWEEP_LOADS_WORDS
// Structs of 3 bytes, say, four at a time. The word behind the pack is loaded only where the pack ends in it.
upsweep_pack upsweep_load_words(upsweep_input in, uint begin)
{
    const uint count = UPSWEEP_PACK * UPSWEEP_ELEMENT_SIZE / 4;
    const uint shift = UPSWEEP_INPUT_SHIFT(in);
    __global const uint* from = (__global const uint*)((__global const char*)(in + begin) - shift);
    uint words[UPSWEEP_PACK * UPSWEEP_ELEMENT_SIZE / 4 + 1];
#pragma unroll
    for (uint i = 0; i <= count; ++i) {
        __global const uint* word = from + (i < count || shift != 0 ? i : 0u);
#if UPSWEEP_PTX
        __asm__ volatile("ld.global.nc.u32 %0, [%1];" : "=r"(words[i]) : "l"(word));
#else
        words[i] = *word;
#endif
    }
    upsweep_pack pack;
#pragma unroll
    for (uint i = 0; i < count; ++i) pack.parts[i] = upsweep_shifted_word(words[i], words[i + 1], shift);
    return pack;
}
#endif

#if UPSWEEP_LOADS_PACKS
upsweep_pack upsweep_load_whole_pack(upsweep_input in, uint begin)
{
    upsweep_pack pack;
#if UPSWEEP_PTX
    __asm__ volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(pack.wide.x), "=r"(pack.wide.y), "=r"(pack.wide.z), "=r"(pack.wide.w)
                     : "l"(in + begin)
                     : "memory");
#else
    pack.wide = vload4(0, (__global const uint*)(in + begin));
#endif
    return pack;
}

// On an NVIDIA H200, 2^28 float: 240 us; with ld.global.cs 245 us.
upsweep_pack upsweep_load_constant_pack(upsweep_input in, uint begin)
{
#if UPSWEEP_PTX
    upsweep_pack pack;
    __asm__ volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(pack.wide.x), "=r"(pack.wide.y), "=r"(pack.wide.z), "=r"(pack.wide.w)
                     : "l"(in + begin));
    return pack;
#else
    return upsweep_load_whole_pack(in, begin);
#endif
}

upsweep_pack upsweep_load_line(upsweep_input in, uint begin)
{
    return upsweep_load_constant_pack((upsweep_input)((size_t)(in + begin) & ~(size_t)15), 0);
}

#if UPSWEEP_ASYNC_COPY
void upsweep_fetch_pack(upsweep_input in, uint begin, __local upsweep_pack* to)
{
    // The hint to fetch 128 bytes brings an NVIDIA H200 from 0.871 to 0.884 of a copy for int64; 256 bytes, nothing.
    __asm__ volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"((uint)(size_t)to), "l"(in + begin)
                     : "memory");
}
#endif
#endif

#if UPSWEEP_ASYNC_COPY
void upsweep_begin_copy_of_word(__global const uint* from, __local uint* to)
{
    __asm__ volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 4;" ::"r"((uint)(size_t)to), "l"(from) : "memory");
}

#ifdef UPSWEEP_INPUT_IS_ARRAY
void upsweep_fetch_word(upsweep_input in, uint e, uint word, __local uint* to)
{
    upsweep_begin_copy_of_word((__global const uint*)(in + e) + word, to);
}
#endif
#endif

#if UPSWEEP_LOADS_GRANULES
void upsweep_fetch_granule(upsweep_input in, uint index, __local upsweep_in_granule* to)
{
    __global const upsweep_in_granule* from =
        (__global const upsweep_in_granule*)((__global const char*)in - UPSWEEP_INPUT_SHIFT(in)) + index;
#if UPSWEEP_ASYNC_COPY && UPSWEEP_IN_GRANULE == 16
    __asm__ volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"((uint)(size_t)to), "l"(from) : "memory");
#elif UPSWEEP_ASYNC_COPY && UPSWEEP_IN_GRANULE == 8
    __asm__ volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 8;" ::"r"((uint)(size_t)to), "l"(from) : "memory");
#elif UPSWEEP_ASYNC_COPY
    upsweep_begin_copy_of_word(from, to);
#else
    *to = *from;
#endif
}
#endif

#endif
