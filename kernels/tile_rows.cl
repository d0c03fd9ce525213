// A tile laid out in rows for lanes in step: each row is UPSWEEP_LANES neighbouring packs, one per lane; a pack is 16 bytes
// of elements where their size divides 16, else one element. A row is loaded or stored by all lanes in one coalesced
// access. The rows of a work-group's first 32 work-items come first, then those of the next.
//
// The last UPSWEEP_LOCAL_ROWS rows of each 32 work-items are held in local memory, the others in registers. In registers a
// lane has one pack of each row, so every row takes a scan over lanes. In local memory the rows are neighbours too, so each
// lane can take a run of UPSWEEP_LOCAL_ROWS packs there, and one scan over lanes serves all. An odd number of rows keeps
// the lanes' runs on different banks.
//
//   UPSWEEP_PACK          elements per pack
//   UPSWEEP_ASYNC_COPY    1: rows go to local memory by cp.async (NVIDIA, compute capability 8.0 and up)
#ifndef UPSWEEP_TILE_ROWS
#define UPSWEEP_TILE_ROWS
#ifndef UPSWEEP_LANES_FILE
#include "lanes_ptx.cl"
#endif
#if !defined(UPSWEEP_PACK) || UPSWEEP_ITEMS % UPSWEEP_PACK != 0
#error "UPSWEEP_PACK must divide UPSWEEP_ITEMS"
#endif
#if UPSWEEP_WORK_ITEMS % 32 != 0
#error "UPSWEEP_WORK_ITEMS must be a multiple of the 32 lanes"
#endif
#if !defined(UPSWEEP_LOCAL_ROWS) || !defined(UPSWEEP_ASYNC_COPY)
#error "UPSWEEP_LOCAL_ROWS and UPSWEEP_ASYNC_COPY must be given"
#endif

#define UPSWEEP_ROWS (UPSWEEP_ITEMS / UPSWEEP_PACK)
#define UPSWEEP_REGISTER_ROWS (UPSWEEP_ROWS - UPSWEEP_LOCAL_ROWS)
#define UPSWEEP_LANE_ROWS (UPSWEEP_WORK_ITEMS / UPSWEEP_LANES)

#define UPSWEEP_WIDE_IN (UPSWEEP_PACK * UPSWEEP_ELEMENT_SIZE == 16)
#define UPSWEEP_WIDE_OUT (UPSWEEP_PACK * UPSWEEP_VALUE_SIZE == 16)

typedef union {
#if UPSWEEP_WIDE_IN
    uint4 wide;
#endif
    upsweep_element elements[UPSWEEP_PACK];
} upsweep_pack;

typedef union {
#if UPSWEEP_WIDE_OUT
    uint4 wide;
#endif
    upsweep_value values[UPSWEEP_PACK];
} upsweep_out_pack;

// Whether packs can be moved whole: the pointer is a multiple of 16 bytes.
#define UPSWEEP_IS_ALIGNED(pointer) (((size_t)(pointer)&15) == 0)

// One place in local memory: a pack as it was read, then as it will be written.
typedef union {
    upsweep_pack in;
    upsweep_out_pack out;
} upsweep_slot;

// Orders the lanes' accesses to local memory.
void upsweep_sync_lanes(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

// Where this lane's pack of a row begins, in elements from the tile's start.
uint upsweep_pack_begin(uint row)
{
    const uint lane_row = (uint)get_local_id(0) / UPSWEEP_LANES;
    return ((lane_row * UPSWEEP_ROWS + row) * UPSWEEP_LANES + upsweep_lane()) * UPSWEEP_PACK;
}

// Real elements in the pack that begins at `begin`.
uint upsweep_pack_size(uint begin, uint valid)
{
    return valid > begin ? min(valid - begin, (uint)UPSWEEP_PACK) : 0u;
}

upsweep_pack upsweep_load_pack(__global const upsweep_element* tile, uint begin, uint valid, uint whole)
{
    upsweep_pack pack;
#if UPSWEEP_WIDE_IN
    if (whole) {
        __asm__ volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(pack.wide.x), "=r"(pack.wide.y), "=r"(pack.wide.z), "=r"(pack.wide.w)
                     : "l"(tile + begin)
                     : "memory");
        return pack;
    }
#endif
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i)
        if (begin + i < valid) pack.elements[i] = tile[begin + i];
    return pack;
}

void upsweep_store_pack(__global upsweep_value* tile, uint begin, uint valid, uint whole, upsweep_out_pack pack)
{
#if UPSWEEP_WIDE_OUT
    if (whole) {
        __asm__ volatile("st.global.cs.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(pack.wide.x), "r"(pack.wide.y),
                     "r"(pack.wide.z), "r"(pack.wide.w), "l"(tile + begin)
                     : "memory");
        return;
    }
#endif
#pragma unroll
    for (uint i = 0; i < UPSWEEP_PACK; ++i)
        if (begin + i < valid) tile[begin + i] = pack.values[i];
}

// Where this lane's run of packs in local memory begins, in elements from the tile's start.
uint upsweep_run_begin(void)
{
    const uint lane_row = (uint)get_local_id(0) / UPSWEEP_LANES;
    const uint first = (lane_row * UPSWEEP_ROWS + UPSWEEP_REGISTER_ROWS) * UPSWEEP_LANES;
    return (first + upsweep_lane() * UPSWEEP_LOCAL_ROWS) * UPSWEEP_PACK;
}

// Combination of a pack's `size` >= 1 real elements.
upsweep_value upsweep_fold_pack(upsweep_pack pack, uint size)
{
    upsweep_value sum = pack.elements[0];
#pragma unroll
    for (uint i = 1; i < UPSWEEP_PACK; ++i)
        if (i < size) sum = upsweep_combine(sum, pack.elements[i]);
    return sum;
}

// Scans over the first `lanes` lanes, one value each. *before receives the combination of *carry, unless this is the
// `first` scan, and of the lanes before; lane 0 of the first has none. *carry then includes all.
void upsweep_scan_lane_sums(upsweep_value sum, uint first, uint lanes, upsweep_value* before, upsweep_value* carry)
{
    const uint lane = upsweep_lane();
    sum = upsweep_scan_lanes(sum, lanes);
    const upsweep_value others = upsweep_shift_up(sum, 1);
    const upsweep_value all = upsweep_from_lane(sum, lanes > 0 ? lanes - 1 : 0);
    if (first) {
        *before = others;
        *carry = all;
    } else if (lanes > 0) {
        *before = *carry;
        if (lane > 0 && lane < lanes) *before = upsweep_combine(*carry, others);
        *carry = upsweep_combine(*carry, all);
    }
}

// Lanes with real elements, when this lane's begin at `begin` and each lane has `each`.
uint upsweep_used_lanes(uint begin, uint each, uint valid)
{
    const uint first = begin - upsweep_lane() * each;
    if (valid <= first) return 0;
    return min((valid - first + each - 1u) / each, (uint)UPSWEEP_LANES);
}

#endif
