// SPDX-License-Identifier: MIT
// The reduction of `chunked` in one launch, by work-groups of one work-item: each publishes the sum of its chunk, and the
// one that finishes last combines them, when all have published. A work-group that is alone publishes nothing, and needs no
// state. Most of what a small reduction takes on a CPU is what its launches cost.
//
// In the canonical order chunks are of a power of two, and the last work-group also has what fills none.
//
// state: see tile/state.cl. where, launch: see the prelude; .w of where is the elements of a chunk.
#ifndef UPSWEEP_REDUCE_CHUNKS_ONCE
#define UPSWEEP_REDUCE_CHUNKS_ONCE
#include "tile/state.cl"
#include "tile/sum_vectors.cl"
#include "tile/serial_tree.cl"

// Appends to *sum, if there is one, the `size` elements at `in`: of a chunk, or all, or those that fill no chunk.
void upsweep_append_elements(upsweep_input in, ulong size, uint* has_sum, upsweep_value* sum)
{
#if UPSWEEP_TREE_RUN > 1
    upsweep_append_serially(in, size, has_sum, sum);
#else
    if (size > 0) upsweep_append(has_sum, sum, upsweep_sum_range(in, 0, size));
#endif
}

// The sum of a chunk, which its work-group has published: what it wrote may be on its way still. A device on which it never
// arrives gets the filler, which a self-check notices.
upsweep_value upsweep_published_sum(volatile __global ulong* words, uint epoch, upsweep_value filler)
{
    upsweep_value sum = filler;
    for (uint poll = 0; poll >> 20 == 0 && !upsweep_is_published(words, epoch, &sum);) ++poll;
    return sum;
}

// Appends to *sum, if there is one, the sums of the first `chunks` chunks.
void upsweep_append_chunks(volatile __global ulong* words, ulong chunks, uint epoch, uint* has_sum, upsweep_value* sum)
{
    const upsweep_value filler = *sum;
#if UPSWEEP_TREE_RUN > 1
    upsweep_value stack[UPSWEEP_STACK];
    for (ulong k = 0; k < chunks; ++k)
        upsweep_stack_push(stack, k, upsweep_published_sum(words + k * UPSWEEP_STATE_WORDS, epoch, filler));
    upsweep_stack_append(stack, chunks, has_sum, sum);
#else
    for (ulong k = 0; k < chunks; ++k)
        upsweep_append(has_sum, sum, upsweep_published_sum(words + k * UPSWEEP_STATE_WORDS, epoch, filler));
#endif
}

UPSWEEP_KERNEL upsweep_reduce_chunks_once(UPSWEEP_ONE_LAUNCH_PARAMETERS)
{
    const upsweep_value init = UPSWEEP_INIT(UPSWEEP_GIVEN);
    const upsweep_input in = UPSWEEP_INPUT(where.x);
    const ulong n = UPSWEEP_REAL(where.z);
    const ulong own = get_group_id(0);
    const ulong groups = get_num_groups(0);
    const ulong chunk = where.w;
    volatile __global ulong* words = state + UPSWEEP_STATE_BEGIN;
#if UPSWEEP_TREE_RUN > 1
    const ulong chunks = groups > 1 ? n / chunk : 0;
#else
    const ulong chunks = groups > 1 ? n / chunk + (n % chunk != 0) : 0;
#endif
    if (own < chunks) {
        const ulong begin = own * chunk;
        uint has_sum = 0;
        upsweep_value sum = init;
        upsweep_append_elements(UPSWEEP_INPUT_AT(in, begin), (upsweep_index)min(n - begin, chunk), &has_sum, &sum);
        upsweep_publish(words + own * UPSWEEP_STATE_WORDS, launch.x, sum);
    }
    if (groups > 1) {
        UPSWEEP_DEVICE_FENCE()
        if (upsweep_count_up((volatile __global uint*)state, (uint)groups) != groups - 1) return;
        UPSWEEP_DEVICE_FENCE()
    }
    uint has_total = launch.z & UPSWEEP_HAS_INIT;
    upsweep_value total = init;
    upsweep_append_chunks(words, chunks, launch.x, &has_total, &total);
    const ulong done = min(chunks * chunk, n);
    upsweep_append_elements(UPSWEEP_INPUT_AT(in, done), n - done, &has_total, &total);
    UPSWEEP_STORE(UPSWEEP_OUTPUT(where.y), 0, total);
}

#endif
