// SPDX-License-Identifier: MIT
// Types, checks and small helpers shared by every kernel file.
//
// The host defines before this text:
//   UPSWEEP_ELEMENT, UPSWEEP_VALUE   type read from the input; type accumulated and written
//   UPSWEEP_ELEMENT_SIZE, UPSWEEP_VALUE_SIZE   their sizes on the host, in bytes
//   UPSWEEP_INDEX        uint or ulong: wide enough for n plus one tile
//   UPSWEEP_WORK_ITEMS   work-items per work-group: a power of two; of columns in one launch a multiple of 32, too
//   UPSWEEP_ITEMS        consecutive elements per work-item
//   UPSWEEP_TREE_RUN     a power of two: elements that a work-item on its own combines as a tree; 1: left to right
//   UPSWEEP_CANONICAL    1: tiles of many work-items are combined in the canonical order (tree.cl); 0: in another
//   UPSWEEP_BANK_BITS    log2 of the local-memory banks to pad for; 0 turns padding off
//   UPSWEEP_INIT_FORM    how kernels are given an initial value: as it is (0, or not defined), as bytes (1), in memory
//                        (2), in memory from some value on (3)
// and the numbers that plans and kernels share (kernel_constants.hpp), each of which is explained where it is used;
// after it the operator: upsweep_combine(left, right), associative, not necessarily commutative.
//
// Each file has a guard of its own name and includes the files that it needs. The host puts these into a program before
// it, each once, and leaves the directive out. Where one of several files provides the same functions, each of them
// defines UPSWEEP_HAS_...: _TILE_ALGORITHM (blelloch.cl and its siblings), _TILE_SCAN (tile_scan.cl, tile_canonical.cl),
// _LANES (lanes_ptx.cl, lanes_khr.cl, lanes_intel.cl). The host chooses one; the #include in #ifndef UPSWEEP_HAS_... is
// for a file that is compiled alone.
#ifndef UPSWEEP_PRELUDE
#define UPSWEEP_PRELUDE

#if !defined(UPSWEEP_ELEMENT) || !defined(UPSWEEP_VALUE)
#error "UPSWEEP_ELEMENT and UPSWEEP_VALUE must name the input's and the accumulated type"
#endif
#if !defined(UPSWEEP_ELEMENT_SIZE) || !defined(UPSWEEP_VALUE_SIZE)
#error "UPSWEEP_ELEMENT_SIZE and UPSWEEP_VALUE_SIZE must give the sizes on the host"
#endif
#if !defined(UPSWEEP_INDEX)
#error "UPSWEEP_INDEX must be uint or ulong"
#endif
#if !defined(UPSWEEP_WORK_ITEMS) || UPSWEEP_WORK_ITEMS < 1 ||                                                          \
    (UPSWEEP_WORK_ITEMS % 32 != 0 && (UPSWEEP_WORK_ITEMS & (UPSWEEP_WORK_ITEMS - 1)) != 0)
#error "UPSWEEP_WORK_ITEMS must be a power of two or a multiple of 32"
#endif
#if !defined(UPSWEEP_ITEMS) || UPSWEEP_ITEMS < 1
#error "UPSWEEP_ITEMS must be at least 1"
#endif
#if !defined(UPSWEEP_TREE_RUN) || UPSWEEP_TREE_RUN < 1 || (UPSWEEP_TREE_RUN & (UPSWEEP_TREE_RUN - 1)) != 0
#error "UPSWEEP_TREE_RUN must be a power of two"
#endif
#if !defined(UPSWEEP_CANONICAL)
#error "UPSWEEP_CANONICAL must be 0 or 1"
#endif
#if !defined(UPSWEEP_BANK_BITS)
#error "UPSWEEP_BANK_BITS must be given; 0 turns padding off"
#endif

typedef UPSWEEP_ELEMENT upsweep_element;
typedef UPSWEEP_VALUE upsweep_value;
typedef UPSWEEP_INDEX upsweep_index;

// A negative array size stops the build when host and device disagree about a type's size.
typedef char upsweep_check_element_size[sizeof(upsweep_element) == UPSWEEP_ELEMENT_SIZE ? 1 : -1];
typedef char upsweep_check_value_size[sizeof(upsweep_value) == UPSWEEP_VALUE_SIZE ? 1 : -1];

// Combines a word with 0 by OR, so that NVIDIA's compiler takes it for a different word in each lane. A word that is the
// same in all lanes may lie in a uniform register. Where numbers of 8 and 16 bits are taken out of it and meet a lane's own,
// the compiler reads some from the wrong register (tests/GUARANTEES.md). The 0 is the highest bit of the mask of lower
// lanes, which no lane has; the compiler does not know that. With an exclusive OR it would take two of them for none.
#if UPSWEEP_PTX || defined(__NV_CL_C_VERSION)
#define UPSWEEP_OF_LANE(word)                                                                                          \
    {                                                                                                                  \
        uint upsweep_nothing;                                                                                          \
        __asm__("mov.u32 %0, %%lanemask_lt;\n\tshr.s32 %0, %0, 31;" : "=r"(upsweep_nothing));                          \
        (word) |= upsweep_nothing;                                                                                     \
    }
#else
#define UPSWEEP_OF_LANE(word)
#endif

// A value in local memory that all work-items read. UPSWEEP_SHARES_WORDS: the operator takes numbers of 8 or 16 bits out of
// it. Each takes words of its own, in which it is read, so that no such number is taken out of a uniform register.
#if UPSWEEP_PTX && UPSWEEP_SHARES_WORDS
#define UPSWEEP_WORDS ((UPSWEEP_VALUE_SIZE + 3) / 4)
typedef union {
    upsweep_value value;
    uint words[UPSWEEP_WORDS];
} upsweep_shared_value;
upsweep_value upsweep_words_of_lane(upsweep_shared_value copy)
{
#pragma unroll
    for (uint i = 0; i < UPSWEEP_WORDS; ++i) UPSWEEP_OF_LANE(copy.words[i])
    return copy.value;
}
upsweep_value upsweep_read_shared(const __local upsweep_shared_value* place)
{
    upsweep_shared_value copy;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_WORDS; ++i) copy.words[i] = place->words[i];
    return upsweep_words_of_lane(copy);
}
// The same of a value that may be the same in all lanes.
upsweep_value upsweep_of_lanes(upsweep_value value)
{
    upsweep_shared_value copy;
    copy.words[UPSWEEP_WORDS - 1] = 0;
    copy.value = value;
    return upsweep_words_of_lane(copy);
}
#else
typedef struct {
    upsweep_value value;
} upsweep_shared_value;
#define upsweep_read_shared(place) ((place)->value)
#define upsweep_of_lanes(value) (value)
#endif

// The initial value as a kernel's argument. Structs and vectors may be aligned to more than arguments are: PoCL 3.1 places
// them at multiples of 16 and reads with the type's own alignment. So they travel as a struct of integers. (A packed
// struct of the value itself came out wrong there.) Large values lie in memory, because the size of all arguments is
// limited (CL_DEVICE_MAX_PARAMETER_SIZE).
#if UPSWEEP_INIT_FORM >= 2
typedef __global const upsweep_value* upsweep_init;
#define UPSWEEP_INIT(given) upsweep_of_lanes(*(given))
#elif UPSWEEP_INIT_FORM == 1
#if UPSWEEP_VALUE_SIZE % 4 == 0
typedef uint upsweep_init_piece;
#else
typedef uchar upsweep_init_piece;
#endif
#define UPSWEEP_INIT_PIECES (UPSWEEP_VALUE_SIZE / sizeof(upsweep_init_piece))
typedef struct {
    upsweep_init_piece pieces[UPSWEEP_INIT_PIECES];
} upsweep_init;
upsweep_value upsweep_value_of(upsweep_init given)
{
    union {
        upsweep_init bytes;
        upsweep_value value;
    } both;
    both.bytes = given;
#if UPSWEEP_PTX && UPSWEEP_SHARES_WORDS
#pragma unroll
    for (uint i = 0; i < UPSWEEP_INIT_PIECES; ++i) UPSWEEP_OF_LANE(both.bytes.pieces[i])
#endif
    return both.value;
}
#define UPSWEEP_INIT(given) upsweep_value_of(given)
#else
typedef upsweep_value upsweep_init;
#define UPSWEEP_INIT(given) upsweep_of_lanes(given)
#endif
// What kernels take, and what they hand to UPSWEEP_INIT.
#if UPSWEEP_INIT_FORM == 3
#define UPSWEEP_INIT_PARAMETER __global const upsweep_value *upsweep_init_at, ulong upsweep_init_begin
#define UPSWEEP_GIVEN (upsweep_init_at + upsweep_init_begin)
#else
#define UPSWEEP_INIT_PARAMETER upsweep_init given
#define UPSWEEP_GIVEN given
#endif

#define UPSWEEP_TILE (UPSWEEP_WORK_ITEMS * UPSWEEP_ITEMS)
// How many of `rest` elements, a number of any integer type, are among the first `most`.
#define UPSWEEP_AT_MOST(rest, most) ((rest) < (most) ? (uint)(rest) : (uint)(most))

// Where element i of a local array lies: one unused slot after every row of banks keeps the strides of powers of two,
// which the trees walk in, off one single bank.
#if UPSWEEP_BANK_BITS > 0
#define UPSWEEP_PAD(i) ((i) + ((i) >> UPSWEEP_BANK_BITS))
#else
#define UPSWEEP_PAD(i) (i)
#endif

// A function that stays a function. NVIDIA's compiler takes ten seconds for a scan of structs of 1 KiB where everything is
// inlined, and minutes for 4 KiB. PoCL 6.0 ends the process ("Instruction Combining did not reach a fixpoint") for some
// kernels in which a condition decides whether the operator is applied to a value that a loop carries, because it keeps
// such values in memory; it does so in kernels only, not in functions that they call. PoCL 5 and 7 do not do this. See
// tests/reproducers/pocl_instcombine.c. PoCL 6.0 or newer is told by its LLVM.
#if (defined(POCL_DEVICE_ADDRESS_BITS) && defined(__clang_major__) && __clang_major__ >= 18) || \
    (defined(__NV_CL_C_VERSION) && UPSWEEP_VALUE_SIZE > 256)
#define UPSWEEP_OUTLINE __attribute__((noinline))
#else
#define UPSWEEP_OUTLINE
#endif

// A function that is compiled once. NVIDIA's compiler would put a copy into every place that calls it, which takes seconds,
// and registers from what runs often. So it is with what is rare, as tiles that stay silent, or happens once in a launch.
#if defined(UPSWEEP_PTX) && UPSWEEP_PTX
#define UPSWEEP_ONE_COPY __attribute__((noinline))
#else
#define UPSWEEP_ONE_COPY
#endif

// The same for values of more than a few words: a function of a sub-group that runs seldom, or once per tile.
#if UPSWEEP_VALUE_SIZE > 16
#define UPSWEEP_SELDOM UPSWEEP_ONE_COPY
#else
#define UPSWEEP_SELDOM
#endif

// Entries of a work-item's private array of `count` values, in work-groups of several. With POCL_WORK_GROUP_METHOD=cbs, PoCL
// 6.0 puts the arrays of all work-items one after another, while its compiler takes each to begin at a multiple of 16 bytes:
// so their sizes are such multiples, too (tests/reproducers/pocl_cbs_array.c). Not those of large values, which would take
// too much of a thread's stack.
#if defined(POCL_DEVICE_ADDRESS_BITS) && UPSWEEP_WORK_ITEMS > 1 && UPSWEEP_VALUE_SIZE <= 256
#if UPSWEEP_VALUE_SIZE % 2 == 1
#define UPSWEEP_ROUND 16
#elif UPSWEEP_VALUE_SIZE % 4 == 2
#define UPSWEEP_ROUND 8
#elif UPSWEEP_VALUE_SIZE % 8 == 4
#define UPSWEEP_ROUND 4
#else
#define UPSWEEP_ROUND 2
#endif
#define UPSWEEP_PRIVATE(count) (((count) + UPSWEEP_ROUND - 1) / UPSWEEP_ROUND * UPSWEEP_ROUND)
#else
#define UPSWEEP_PRIVATE(count) (count)
#endif

// UPSWEEP_SUB_GROUP_SIZE is defined where a device's sub-groups are used (lanes.cl): work-items of each that kernels
// ask for; 0: as the compiler likes.
#if defined(UPSWEEP_SUB_GROUP_SIZE) && UPSWEEP_SUB_GROUP_SIZE > 0
#define UPSWEEP_ASK_SUB_GROUP __attribute__((intel_reqd_sub_group_size(UPSWEEP_SUB_GROUP_SIZE)))
#else
#define UPSWEEP_ASK_SUB_GROUP
#endif

// A kernel that may run without sub-groups asks for the work-item's number once, before its first barrier, and hands it to
// functions as local_id: asked again behind a barrier, PoCL 5 with POCL_WORK_GROUP_METHOD=cbs answers 0.
#if defined(UPSWEEP_REGISTERS) && UPSWEEP_REGISTERS > 0
// NVIDIA's compiler heeds a limit of registers only where the work-group's size is not fixed.
#define UPSWEEP_KERNEL __kernel void
#else
#define UPSWEEP_KERNEL __kernel __attribute__((reqd_work_group_size(UPSWEEP_WORK_ITEMS, 1, 1))) UPSWEEP_ASK_SUB_GROUP void
#endif

// Kernels of a single launch take their numbers as two vectors, because each argument costs a call time (enqueue.hpp):
// where = (elements before the input, elements before the output, n, more of the kernel's own: in scans, elements of a tile),
// launch = (epoch, 0, flags, more of the kernel's own: in scans, the polls after which
// a tile counts as silent). The flags are UPSWEEP_HAS_INIT, UPSWEEP_EXCLUSIVE, UPSWEEP_IN_PLACE and UPSWEEP_LAST_FIRST, a
// bit each (launch_flag in kernel_constants.hpp).
#define UPSWEEP_ONE_LAUNCH_PARAMETERS                                                                                  \
    UPSWEEP_INPUT_PARAMETERS, UPSWEEP_OUTPUT_PARAMETERS, volatile __global ulong *state, ulong4 where, uint4 launch,   \
        UPSWEEP_INIT_PARAMETER

// Whether a launch with these flags scans exclusively. The host replaces it by a constant where a program is for one kind
// of scan, so that the code of the other kind is not compiled. For kernels with sub-groups only: in scan_look_back.cl the
// constant 0 makes PoCL 6.0 end the process (see UPSWEEP_OUTLINE).
#define UPSWEEP_IS_EXCLUSIVE(flags) ((flags) & UPSWEEP_EXCLUSIVE)

// How many elements there are may be known on the device only. Then a load hook defines UPSWEEP_IS_COUNTED and replaces
// these (count_macros of transform_text.hpp); else they are nothing. n is the most then, and launches are those of n.
//   UPSWEEP_REAL(n)              the number of elements
//   UPSWEEP_LIMIT(n)             a statement: makes a kernel's parameter n that number
//   UPSWEEP_LEAVE_IF(is_behind)  a statement: ends a work-group that has no elements
#define UPSWEEP_REAL(n) n
#define UPSWEEP_LIMIT(n)
#define UPSWEEP_LEAVE_IF(is_behind)

// Tracing (trace.cl) records a local array after each step; otherwise these are nothing.
#ifndef UPSWEEP_TRACE
#define UPSWEEP_TRACE(phase, array, empty_slot)
#define UPSWEEP_TRACE_PARAMETER
#define UPSWEEP_TRACE_ARGUMENT
#endif

// Tests keep a tile silent (UPSWEEP_SILENT_TILE) until so many others are done (UPSWEEP_SILENT_UNTIL); otherwise these are
// nothing. The second word of the look-back state counts the tiles that are done.
#ifdef UPSWEEP_SILENT_TILE
#define UPSWEEP_SILENCE(tile, state)                                                                                   \
    if ((tile) == UPSWEEP_SILENT_TILE)                                                                                 \
        while (atomic_add((volatile __global uint*)(state) + 1, 0u) < UPSWEEP_SILENT_UNTIL) {                                  \
        }
#define UPSWEEP_FINISHED(state) { atomic_inc((volatile __global uint*)(state) + 1); }
#else
#define UPSWEEP_SILENCE(tile, state)
#define UPSWEEP_FINISHED(state) {}
#endif

// Kernels for sub-groups need their loops unrolled, so that arrays become registers. Elsewhere compilers choose, and
// PoCL's would print a warning for every loop that it keeps.
#if (defined(UPSWEEP_PTX) && UPSWEEP_PTX) || defined(UPSWEEP_SUB_GROUP_SIZE)
#define UPSWEEP_UNROLL _Pragma("unroll")
#else
#define UPSWEEP_UNROLL
#endif

// Which tile the work-group takes that begins as number `ticket`, in kernels of a single launch. Self-checks hand the last
// tile out first, tests have orders of their own.
#ifndef UPSWEEP_TILE_ORDER
#define UPSWEEP_TILE_ORDER(ticket, tiles) ((launch.z & UPSWEEP_LAST_FIRST) ? (tiles) - 1 - (ticket) : (ticket))
#endif

upsweep_value upsweep_combine(upsweep_value left, upsweep_value right);
// The same. Where the operator is costly, NVIDIA's compiler puts a copy of it into each place that calls this function, but
// keeps upsweep_combine as a function.
upsweep_value upsweep_combine_inline(upsweep_value left, upsweep_value right);

#endif
