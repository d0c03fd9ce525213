// SPDX-License-Identifier: MIT
// How a work-group moves a tile of columns. Of narrow columns that lie side by side a tile is one piece of memory.
#ifndef UPSWEEP_COLUMN_MOVES
#define UPSWEEP_COLUMN_MOVES
#include "columns/column_runs.cl"
#include "single_pass/prefetch.cl"

// A tile that goes through local memory, so that neighbours move neighbouring elements. Behind each run is room for a row
// there: so work-items meet different banks.
typedef struct {
    __local upsweep_value* slots;
    uint width;
    uint count; // elements of the tile
    uint local_id;
} upsweep_piece;

// Goes through the elements that a work-item moves: i is an element's number, `slot` its place.
#define UPSWEEP_EACH_OF_PIECE(piece, action)                                                                           \
    {                                                                                                                  \
        const uint run_size = UPSWEEP_ITEMS * (piece).width;                                                           \
        const uint whole_runs = UPSWEEP_WORK_ITEMS / run_size;                                                         \
        const uint own_run = (piece).local_id / run_size;                                                              \
        uint in_run = (piece).local_id - own_run * run_size;                                                           \
        uint gap = own_run * (piece).width;                                                                            \
        UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_ITEMS; ++k) {                                                      \
            const uint i = k * UPSWEEP_WORK_ITEMS + (piece).local_id;                                                  \
            __local upsweep_value* slot = (piece).slots + i + gap;                                                     \
            if (i < (piece).count) action;                                                                             \
            in_run += UPSWEEP_WORK_ITEMS - whole_runs * run_size;                                                      \
            gap += whole_runs * (piece).width;                                                                         \
            if (in_run >= run_size) {                                                                                  \
                in_run -= run_size;                                                                                    \
                gap += (piece).width;                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
    }

void upsweep_load_piece(upsweep_input in, upsweep_piece piece, upsweep_value* run)
{
    UPSWEEP_UNROLL for (uint k = 0; k < UPSWEEP_ITEMS; ++k)
        run[k] = UPSWEEP_LOAD(in, min(k * UPSWEEP_WORK_ITEMS + piece.local_id, piece.count - 1));
    UPSWEEP_EACH_OF_PIECE(piece, *slot = run[k])
}

void upsweep_store_piece(upsweep_output out, upsweep_piece piece)
{
    UPSWEEP_EACH_OF_PIECE(piece, UPSWEEP_STORE(out, i, *slot))
}

// The run of a work-item that has `count` rows of it, for a narrow tile by way of its own slots. `tile`: the input from the
// tile's first element.
void upsweep_load_column_run(uint is_narrow, upsweep_input tile, upsweep_piece piece, __local upsweep_value* own_slots,
                             upsweep_column from, uint count, upsweep_value* run)
{
    if (is_narrow) {
        upsweep_load_piece(tile, piece, run);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // in place, another work-item stores the last element
        if (count > 0)
            UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) run[i] = own_slots[min(i, count - 1) * piece.width];
        barrier(CLK_LOCAL_MEM_FENCE); // slots are used otherwise next
    } else if (count > 0) {
        upsweep_load_rows(from, 0, count, run);
    }
}

// The same back. `out`: the output from the run's first element.
void upsweep_store_column_run(uint is_narrow, upsweep_output tile, upsweep_piece piece, __local upsweep_value* own_slots,
                              upsweep_column from, upsweep_output out, uint count, const upsweep_value* run)
{
    if (is_narrow) {
        UPSWEEP_UNROLL for (uint i = 0; i < UPSWEEP_ITEMS; ++i) if (i < count) own_slots[i * piece.width] = run[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        upsweep_store_piece(tile, piece);
    } else if (count > 0) {
        upsweep_store_rows(from, out, 0, count, run);
    }
}

// Prefetches, on NVIDIA devices, the part of a later tile's rows that falls to one of the work-groups beside one another.
// `rows`: of a tile. group: the later work-group.
void upsweep_prefetch_rows(upsweep_input in, ulong size, ulong pitch, uint rows, uint group, uint strips, uint local_id)
{
#if UPSWEEP_PTX
    const uint tile = group / strips;
    const uint part = (uint)((rows * pitch + strips - 1) / strips);
    const ulong first = rows * pitch * tile + (ulong)(group - tile * strips) * part;
    if (first + part <= size) upsweep_prefetch(UPSWEEP_INPUT_AT(in, first), 0, part, local_id, UPSWEEP_WORK_ITEMS);
#endif
}

#endif
