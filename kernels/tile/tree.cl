// SPDX-License-Identifier: MIT
// The canonical order of combination, in which every result of a scan or reduction is fixed by n alone.
//
// Cut the input into aligned blocks of powers of two. The sum of a block is the sum of its left half combined with the
// sum of its right half: the up-sweep (G. Blelloch, Prefix Sums and Their Applications, 1990). P(j), the prefix of the
// first j elements, is the initial value, if any, combined from left to right with the blocks that make up [0, j),
// largest first, one for each bit of j: what the down-sweep yields. An exclusive scan is P(i) for each element i, an
// inclusive scan P(i + 1), a reduction P(n). Whatever the tile, the work-group or the device: for each index the same
// blocks, the same order. So an inclusive scan applies the operator no more often than an exclusive one: each run
// shifts its prefixes by one element, and its last result is the prefix of the run that follows.
//
// Here both sweeps over an array of one work-item. After inlining, `count` (a power of two) is a constant and the loops
// are gone. Only what is real enters the operator: `complete` entries hold sums of full blocks, and `used` entries,
// complete or complete + 1, have elements.
#ifndef UPSWEEP_TREE
#define UPSWEEP_TREE
#include "prelude.cl"

// The steps are written one by one because compilers do not unroll a loop whose counter doubles.
#if UPSWEEP_MOST_VALUES != 2 * 64
#error "UPSWEEP_MOST_VALUES must be twice the last step"
#endif
#define UPSWEEP_STEPS_UP(step) step(1) step(2) step(4) step(8) step(16) step(32) step(64)
#define UPSWEEP_STEPS_DOWN(step) step(64) step(32) step(16) step(8) step(4) step(2) step(1)

// NVIDIA's compiler may take the first word of a struct in an array for what was written there before last
// (tests/reproducers/nvidia_struct_array.c). After this, entries are read from memory. For runs of one work-item, which lie
// in memory there; what sub-groups keep in registers was not seen wrong.
#if defined(UPSWEEP_PTX) && UPSWEEP_PTX && UPSWEEP_TREE_RUN > 1
#define UPSWEEP_READ_AGAIN(values) __asm__ volatile("" ::"l"(values) : "memory");
#else
#define UPSWEEP_READ_AGAIN(values)
#endif

// Up-sweep: the last entry of each aligned block receives its sum.
void upsweep_sweep_up(upsweep_value* values, uint count, uint complete)
{
#define UPSWEEP_STEP_UP(half_size)                                                                                     \
    if (half_size < count)                                                                                             \
        UPSWEEP_UNROLL for (uint last = 2 * half_size - 1; last < count; last += 2 * half_size)                        \
            if (last < complete) values[last] = upsweep_combine(values[last - half_size], values[last]);               \
    UPSWEEP_READ_AGAIN(values)
    UPSWEEP_STEPS_UP(UPSWEEP_STEP_UP)
#undef UPSWEEP_STEP_UP
}

// One block of the down-sweep: its prefix, in its last entry, goes to its left half; combined with that half's sum, to its
// right half. The left half is written last and always, the right half only where it is used: written the other way round,
// LLVM 16 vectorises it wrongly (tests/reproducers/pocl_swap.c).
void upsweep_sweep_down_block(upsweep_value* values, uint last, uint half_size, uint used, uint has_prefix)
{
    const upsweep_value prefix = values[last];
    if (last - half_size + 1 < used) {
        if (last == 2 * half_size - 1 && !has_prefix)
            values[last] = values[last - half_size];
        else
            values[last] = upsweep_combine(prefix, values[last - half_size]);
    }
    values[last - half_size] = prefix;
}

// Down-sweep: from what an up-sweep left, each of the first `used` entries receives its prefix. All before the last of them
// have elements; the last need not. Without a prefix nothing precedes the first one, which then holds no more than a filler.
void upsweep_sweep_down(upsweep_value* values, uint count, uint used, uint has_prefix, upsweep_value prefix)
{
    values[count - 1] = prefix;
    UPSWEEP_READ_AGAIN(values)
#define UPSWEEP_STEP_DOWN(half_size)                                                                                   \
    if (half_size < count)                                                                                             \
        UPSWEEP_UNROLL for (uint last = 2 * half_size - 1; last < count; last += 2 * half_size)                        \
            upsweep_sweep_down_block(values, last, half_size, used, has_prefix);                                       \
    UPSWEEP_READ_AGAIN(values)
    UPSWEEP_STEPS_DOWN(UPSWEEP_STEP_DOWN)
#undef UPSWEEP_STEP_DOWN
}

// Entries of a run of `count` that a scan's down-sweep fills, where `used` have elements: P(i + 1) of the last element is
// the prefix of the entry behind it.
uint upsweep_down_entries(uint count, uint used, uint exclusive)
{
    return exclusive ? used : min(used + 1, count);
}

// From the prefix of each entry to that of the next; `next` is the prefix of what follows the run.
void upsweep_shift(upsweep_value* prefixes, uint count, upsweep_value next)
{
    UPSWEEP_UNROLL for (uint i = 0; i + 1 < count; ++i) prefixes[i] = prefixes[i + 1];
    prefixes[count - 1] = next;
    UPSWEEP_READ_AGAIN(prefixes)
}

// Both sweeps level by level, over a run of 128: loops over neighbours, which CPUs make vectors of.
#if UPSWEEP_TREE_RUN == 128
// The sums of a run's blocks: of pairs first, 64 of them, then of fours, and so on; the root is the last of 127.
#define UPSWEEP_LEVELS 127
#define UPSWEEP_PAIRS(from, to, count)                                                                                 \
    for (uint i = 0; i < (count); ++i) (to)[i] = upsweep_combine((from)[2 * i], (from)[2 * i + 1]);

void upsweep_sum_levels(const upsweep_value* run, upsweep_value* sums)
{
    UPSWEEP_PAIRS(run, sums, 64)
    UPSWEEP_PAIRS(sums, sums + 64, 32)
    UPSWEEP_PAIRS(sums + 64, sums + 96, 16)
    UPSWEEP_PAIRS(sums + 96, sums + 112, 8)
    UPSWEEP_PAIRS(sums + 112, sums + 120, 4)
    UPSWEEP_PAIRS(sums + 120, sums + 124, 2)
    UPSWEEP_PAIRS(sums + 124, sums + 126, 1)
}

// From what precedes each block to what precedes its halves.
#define UPSWEEP_HALVES(from, sums, to, count)                                                                          \
    for (uint i = 0; i < (count); ++i) {                                                                               \
        const upsweep_value prefix = (from)[i];                                                                        \
        (to)[2 * i] = prefix;                                                                                          \
        (to)[2 * i + 1] = upsweep_combine(prefix, (sums)[2 * i]);                                                      \
    }

// What precedes each element of a run that `prefix` precedes.
void upsweep_prefix_levels(const upsweep_value* run, const upsweep_value* sums, upsweep_value prefix,
                           upsweep_value* prefixes)
{
    upsweep_value levels[UPSWEEP_LEVELS];
    levels[126] = prefix;
    UPSWEEP_HALVES(levels + 126, sums + 124, levels + 124, 1)
    UPSWEEP_HALVES(levels + 124, sums + 120, levels + 120, 2)
    UPSWEEP_HALVES(levels + 120, sums + 112, levels + 112, 4)
    UPSWEEP_HALVES(levels + 112, sums + 96, levels + 96, 8)
    UPSWEEP_HALVES(levels + 96, sums + 64, levels + 64, 16)
    UPSWEEP_HALVES(levels + 64, sums, levels, 32)
    UPSWEEP_HALVES(levels, run, prefixes, 64)
}
#endif

#ifdef UPSWEEP_WIDE
// Pairs of neighbours in vectors x and y of 16 values, combined: (x0 x1, y0 y1, x2 x3, y2 y3, ...). Half of what is combined
// is not used. Where both operands are shuffled from x and y, LLVM takes the horizontal additions of x86, which are slow.
// PoCL 3.1, 2 cores, reductions of 2^20, 2^22, 2^24 and 2^26 float, us, medians of three processes in turns: with these 58,
// 145, 2344 and 9233, so 46, 115, 964 and 6311. From 2^24 on they kept too few loads under way; with what is 4 KiB ahead
// brought into the cache by instructions 2^26 takes 5100, but 2^22 160.
UPSWEEP_WIDE upsweep_pairs_of(UPSWEEP_WIDE x, UPSWEEP_WIDE y)
{
    const UPSWEEP_WIDE a = upsweep_combine_wide(x, x.s1133557799bbddff);
    const UPSWEEP_WIDE b = upsweep_combine_wide(y.s0022446688aaccee, y);
    return (UPSWEEP_WIDE)(a.s0, b.s1, a.s2, b.s3, a.s4, b.s5, a.s6, b.s7, a.s8, b.s9, a.sa, b.sb, a.sc, b.sd, a.se, b.sf);
}

// The same of such pairs, x of two vectors and y of two others: the first fours of all, then the second, and so on.
UPSWEEP_WIDE upsweep_fours_of(UPSWEEP_WIDE x, UPSWEEP_WIDE y)
{
    const UPSWEEP_WIDE a = upsweep_combine_wide(x, x.s23236767ababefef);
    const UPSWEEP_WIDE b = upsweep_combine_wide(y.s010145458989cdcd, y);
    return (UPSWEEP_WIDE)(a.s01, b.s23, a.s45, b.s67, a.s89, b.sab, a.scd, b.sef);
}

// The same of such fours: the first eights of all, then the second.
#define UPSWEEP_EIGHTS_OF(fours) upsweep_combine_half((fours).s012389ab, (fours).s4567cdef)

// The same of such eights x and y: the sixteens of x, then those of y, in order.
#define UPSWEEP_SIXTEENS_OF(x, y)                                                                                      \
    upsweep_combine_half((UPSWEEP_WIDE_HALF)((x).lo, (y).lo), (UPSWEEP_WIDE_HALF)((x).hi, (y).hi))

// Neighbours in two vectors of 8 values, combined in order.
#define UPSWEEP_PAIRS_OF_HALVES(x, y)                                                                                  \
    upsweep_combine_half((UPSWEEP_WIDE_HALF)((x).even, (y).even), (UPSWEEP_WIDE_HALF)((x).odd, (y).odd))
#endif

// Appends to what may be nothing yet.
UPSWEEP_OUTLINE void upsweep_append(uint* has_sum, upsweep_value* sum, upsweep_value value)
{
    *sum = *has_sum ? upsweep_combine(*sum, value) : value;
    *has_sum = 1;
}

// The first of what is appended to an initial value. A function of its own because of PoCL 6.0 (see UPSWEEP_OUTLINE).
UPSWEEP_OUTLINE upsweep_value upsweep_after_init(upsweep_value init, upsweep_value first)
{
    return upsweep_combine(init, first);
}

// Sums of blocks of one size that come one after another, put together as they come: entry k of the stack holds the sum
// of 2^k of them where bit k of their number is set. Pushes number `index`.
// Returns the entry that was set.
#if !defined(UPSWEEP_STACK)
#error "UPSWEEP_STACK must be the entries of such a stack"
#endif
UPSWEEP_OUTLINE uint upsweep_stack_push(upsweep_value* stack, ulong index, upsweep_value sum)
{
    uint bit = 0;
    for (; index >> bit & 1ul; ++bit) sum = upsweep_combine(stack[bit], sum);
    stack[bit] = sum;
    return bit;
}

// The highest bit of a number that is not 0. For 0, too, Intel's compiler reads the entry of that bit: so it is one.
#if defined(UPSWEEP_PTX) && UPSWEEP_PTX
#define UPSWEEP_HIGHEST_BIT(number) (63 - (uint)clz(number))
#else
#define UPSWEEP_HIGHEST_BIT(number) (63 - (uint)clz((number) | 1))
#endif

// Appends what `count` pushes left, the largest block first.
UPSWEEP_OUTLINE
void upsweep_stack_append(const upsweep_value* stack, ulong count, uint* has_prefix, upsweep_value* prefix)
{
    while (count != 0) {
        const uint bit = UPSWEEP_HIGHEST_BIT(count);
        upsweep_append(has_prefix, prefix, stack[bit]);
        count ^= 1ul << bit;
    }
}

// Pushes the sum of number `index` behind those before it. Returns the prefix of what follows it: `prefix` combined with
// all blocks, largest first. before[k] keeps the prefix up to and with the latest block whose entry was k, so that it takes
// one combination.
UPSWEEP_OUTLINE upsweep_value upsweep_stack_prefix(upsweep_value* stack, upsweep_value* before, ulong index,
                                                  upsweep_value sum, uint has_prefix, upsweep_value prefix)
{
    const uint bit = upsweep_stack_push(stack, index, sum);
    // The blocks behind: those of the bits above `bit`, then the one that was just completed.
    const ulong above = (index + 1) >> (bit + 1);
    uint has_next = above != 0 || has_prefix;
    upsweep_value next = above != 0 ? before[bit + 1 + (uint)popcount((above & -above) - 1)] : prefix;
    upsweep_append(&has_next, &next, stack[bit]);
    before[bit] = next;
    return next;
}

// The last entry of the block of `block` entries among those that make up [0, used), where `used` has that bit set: after an
// up-sweep it holds the block's sum.
uint upsweep_last_of_block(uint used, uint block)
{
    return (used & ~(2 * block - 1)) + block - 1;
}

#endif
