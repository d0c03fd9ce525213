// SPDX-License-Identifier: MIT
// Where the elements of a block lie in local memory on their way (stage_blocks.cl, store_blocks.cl):
//
//   upsweep_slot, UPSWEEP_SLOT_SIZE               one place, and its bytes
//   UPSWEEP_BLOCK_SLOTS, UPSWEEP_SUB_GROUP_SLOTS  places of a block, and of all blocks of a sub-group
//   UPSWEEP_GET_PACK(slots, lane, pack)           pack `pack` of the run of `lane`
//   UPSWEEP_PUT_PACK(slots, lane, pack, value)
//   UPSWEEP_PUT_ELEMENT(slots, e, element)        element e of a block as it was read
//   UPSWEEP_GET_VALUE(slots, e)                   and as it will be written
//   UPSWEEP_FIRST_GRANULE(slots, lane)            with UPSWEEP_LOADS_GRANULES: the first of the run of `lane`, or of what
//                                                 follows the last lane's, as an lvalue
#ifndef UPSWEEP_BLOCK_SLOTS_OF_LANES
#define UPSWEEP_BLOCK_SLOTS_OF_LANES
#include "sub_group/lanes_tree.cl"
#include "tile/load_packs.cl"
#include "tile/store_packs.cl"

#define UPSWEEP_RUN (UPSWEEP_PACK * UPSWEEP_RUN_PACKS)
#define UPSWEEP_BLOCK (UPSWEEP_RUN * UPSWEEP_LANES)
#define UPSWEEP_BLOCKS (UPSWEEP_ITEMS / UPSWEEP_RUN)

#define UPSWEEP_IN_GRANULES (UPSWEEP_PACK * UPSWEEP_ELEMENT_SIZE / UPSWEEP_IN_GRANULE)
#define UPSWEEP_OUT_GRANULES (UPSWEEP_PACK * UPSWEEP_VALUE_SIZE / UPSWEEP_OUT_GRANULE)

// Whether one place in local memory is a granule. Then the granules of a run follow one another, and behind every run an
// unused one makes their number odd, so that the lanes of a sub-group access different banks.
#define UPSWEEP_IN_PARTS                                                                                               \
    ((UPSWEEP_IS_LARGE(UPSWEEP_ELEMENT_SIZE) || UPSWEEP_IS_OF_WORDS(UPSWEEP_ELEMENT_SIZE)) &&                          \
     UPSWEEP_ELEMENT_SIZE == UPSWEEP_VALUE_SIZE)
#if UPSWEEP_IN_PARTS
typedef upsweep_in_granule upsweep_slot;
#define UPSWEEP_SLOT_SIZE UPSWEEP_IN_GRANULE
#define UPSWEEP_RUN_SLOTS (UPSWEEP_RUN_PACKS * UPSWEEP_IN_GRANULES | 1)
#define UPSWEEP_BLOCK_SLOTS (UPSWEEP_RUN_SLOTS * UPSWEEP_LANES) // for one block's packs

// Where granule `index` of a block lies.
uint upsweep_slot_of_granule(uint index)
{
    const uint in_run = UPSWEEP_RUN_PACKS * UPSWEEP_IN_GRANULES;
    return index + index / in_run * (UPSWEEP_RUN_SLOTS - in_run);
}

upsweep_pack upsweep_get_pack(const __local upsweep_slot* slots, uint lane, uint pack)
{
    upsweep_pack value;
    slots += lane * UPSWEEP_RUN_SLOTS + pack * UPSWEEP_IN_GRANULES;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_IN_GRANULES; ++i) value.parts[i] = slots[i];
    return value;
}

void upsweep_put_pack(__local upsweep_slot* slots, uint lane, uint pack, upsweep_out_pack value)
{
    slots += lane * UPSWEEP_RUN_SLOTS + pack * UPSWEEP_IN_GRANULES;
#pragma unroll
    for (uint i = 0; i < UPSWEEP_IN_GRANULES; ++i) slots[i] = value.parts[i];
}

#if UPSWEEP_PACK == 1
void upsweep_put_element(__local upsweep_slot* slots, uint e, upsweep_element element)
{
    upsweep_pack pack;
    pack.elements[0] = element;
    slots += upsweep_slot_of_granule(e * UPSWEEP_IN_GRANULES);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_IN_GRANULES; ++i) slots[i] = pack.parts[i];
}

upsweep_value upsweep_get_value(const __local upsweep_slot* slots, uint e)
{
    upsweep_out_pack pack;
    slots += upsweep_slot_of_granule(e * UPSWEEP_IN_GRANULES);
#pragma unroll
    for (uint i = 0; i < UPSWEEP_IN_GRANULES; ++i) pack.parts[i] = slots[i];
    return pack.values[0];
}
#else
// Where element e of a block begins, in bytes. It need not be whole granules.
uint upsweep_byte_of_element(uint e)
{
    return e / UPSWEEP_RUN * (UPSWEEP_RUN_SLOTS * UPSWEEP_SLOT_SIZE) + e % UPSWEEP_RUN * UPSWEEP_ELEMENT_SIZE;
}

void upsweep_put_element(__local upsweep_slot* slots, uint e, upsweep_element element)
{
    *(__local upsweep_element*)((__local char*)slots + upsweep_byte_of_element(e)) = element;
}

upsweep_value upsweep_get_value(const __local upsweep_slot* slots, uint e)
{
    return *(const __local upsweep_value*)((const __local char*)slots + upsweep_byte_of_element(e));
}
#endif

#define UPSWEEP_GET_PACK(slots, lane, pack) upsweep_get_pack(slots, lane, pack)
#define UPSWEEP_PUT_PACK(slots, lane, pack, value) upsweep_put_pack(slots, lane, pack, value)
#define UPSWEEP_PUT_ELEMENT(slots, e, element) upsweep_put_element(slots, e, element)
#define UPSWEEP_GET_VALUE(slots, e) upsweep_get_value(slots, e)
#define UPSWEEP_FIRST_GRANULE(slots, lane) ((slots)[(lane) * UPSWEEP_RUN_SLOTS])
#else
#define UPSWEEP_BLOCK_SLOTS (UPSWEEP_RUN_PACKS * UPSWEEP_LANES)
// One place in local memory: a pack as it was read, then as it will be written.
typedef union {
    upsweep_pack in;
    upsweep_out_pack out;
#if UPSWEEP_LOADS_GRANULES
    upsweep_in_granule in_granules[UPSWEEP_IN_GRANULES];
#endif
#if UPSWEEP_STORES_GRANULES
    upsweep_out_granule out_granules[UPSWEEP_OUT_GRANULES];
#endif
} upsweep_slot;
#define UPSWEEP_SLOT_SIZE                                                                                              \
    (UPSWEEP_PACK * (UPSWEEP_ELEMENT_SIZE > UPSWEEP_VALUE_SIZE ? UPSWEEP_ELEMENT_SIZE : UPSWEEP_VALUE_SIZE))
#endif

// Elements smaller than a granule may begin within one, and those that go by lines within one of these: then a run ends
// in the first granule, or line, of what follows it. Behind the last block of a sub-group that takes a place of its own.
#define UPSWEEP_SHIFTS_INPUT (UPSWEEP_LOADS_GRANULES && (UPSWEEP_LOADS_LINES || UPSWEEP_ELEMENT_SIZE % 4 != 0))
#define UPSWEEP_SHIFTS_OUTPUT (UPSWEEP_STORES_GRANULES && UPSWEEP_VALUE_SIZE % 4 != 0)
#define UPSWEEP_SUB_GROUP_SLOTS (UPSWEEP_BLOCKS * UPSWEEP_BLOCK_SLOTS + UPSWEEP_SHIFTS_INPUT)

#if !UPSWEEP_IN_PARTS
// Where pack `pack` of the run of `lane` lies. Eight neighbouring lanes access 16 bytes each at a time: their packs of
// one number, and any eight neighbouring packs, fall on different banks.
uint upsweep_slot_of(uint lane, uint pack)
{
    return lane * UPSWEEP_RUN_PACKS + (pack ^ (lane * UPSWEEP_RUN_PACKS / 8 & (UPSWEEP_RUN_PACKS - 1)));
}

// Where pack `pack` of a block lies.
uint upsweep_slot_of_pack(uint pack)
{
    return upsweep_slot_of(pack / UPSWEEP_RUN_PACKS, pack % UPSWEEP_RUN_PACKS);
}

#define UPSWEEP_GET_PACK(slots, lane, pack) ((slots)[upsweep_slot_of(lane, pack)].in)
#define UPSWEEP_PUT_PACK(slots, lane, pack, value) (slots)[upsweep_slot_of(lane, pack)].out = (value)
#define UPSWEEP_PUT_ELEMENT(slots, e, element)                                                                         \
    (slots)[upsweep_slot_of_pack((e) / UPSWEEP_PACK)].in.elements[(e) % UPSWEEP_PACK] = (element)
#define UPSWEEP_GET_VALUE(slots, e) ((slots)[upsweep_slot_of_pack((e) / UPSWEEP_PACK)].out.values[(e) % UPSWEEP_PACK])
#define UPSWEEP_FIRST_GRANULE(slots, lane) ((slots)[upsweep_slot_of(lane, 0)].in_granules[0])
#endif

#endif
