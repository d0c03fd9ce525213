// SPDX-License-Identifier: MIT
// Tracing, first half: compiled before prelude.cl, it makes the tile algorithms record their local array after every
// step. The second half, trace.cl, holds the kernels. Nothing in here changes what the algorithms do.
#ifndef UPSWEEP_TRACE_HOOKS
#define UPSWEEP_TRACE_HOOKS

#ifdef UPSWEEP_PRELUDE
#error "trace_hooks.cl must come before prelude.cl"
#endif

// Without padding, slot i is element i of the array in every algorithm.
#undef UPSWEEP_BANK_BITS
#define UPSWEEP_BANK_BITS 0

// What one work-item knows about the recording.
typedef struct {
    __global UPSWEEP_VALUE* slots; // UPSWEEP_WORK_ITEMS values per step
    __global uint* steps;          // two numbers per step: its phase, and the slot that counts as empty
    uint count;                    // steps recorded so far
} upsweep_trace;

// The barrier keeps the next step from writing before this one is recorded.
void upsweep_trace_step(uint local_id, upsweep_trace* trace, uint phase, __local const UPSWEEP_VALUE* slots,
                        uint empty_slot)
{
    trace->slots[trace->count * UPSWEEP_WORK_ITEMS + local_id] = slots[local_id];
    if (local_id == 0) {
        trace->steps[2 * trace->count] = phase;
        trace->steps[2 * trace->count + 1] = empty_slot;
    }
    ++trace->count;
    barrier(CLK_LOCAL_MEM_FENCE);
}

#define UPSWEEP_TRACE(phase, array, empty_slot) upsweep_trace_step(local_id, trace, phase, array, empty_slot);
#define UPSWEEP_TRACE_PARAMETER , upsweep_trace* trace
#define UPSWEEP_TRACE_ARGUMENT , trace

#endif
