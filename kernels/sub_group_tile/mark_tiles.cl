// SPDX-License-Identifier: MIT
// Tiles of marks: elements of which a scan counts some, and of which its store hook does something with those only, or
// with others by how many marks precede them. Each sub-group lists the places of its marks in local memory while it
// loads them, so that nothing else waits there for the tile's prefix, no mark is computed twice, and stores go through
// full rows of marked elements, however few there are. A store hook that wants this defines
//
//   UPSWEEP_LISTS_MARKS                       2: it stores all elements, and needs the sum of all marks before, which
//                                             launch/count_marks.cl counts; 1: it stores marked ones only
//   UPSWEEP_IS_MARKED(element)                whether a loaded element is a mark, 0 or 1
//   UPSWEEP_MARKS_VALUE(count, last)          the sum of `count` marks, of which the last is at place `last` - 1 of the
//                                             whole input; 0 and 0 make the operator's identity
//   UPSWEEP_READ_MARKED(out, i)               what it reads to store element i, upsweep_marked_reads
//   UPSWEEP_STORE_MARKED(out, i, value, mark, real, read)   stores element i if it is real; `value` is the sum of the marks
//                                             before it, `mark` whether it is one
//   UPSWEEP_PLACE(out, i)                     the place of element i in the whole input
//   UPSWEEP_STORE_END(out, i, value)          `value` is the sum of all marks through element i, the last of a share: it
//                                             is stored where no element follows
//
// and the scan must be an exclusive one from the identity.
//
// A hook whose elements are stored as they are loaded, each to the place that is their number among those of its kind, has
// them listed in place of where they are. It defines, in place of UPSWEEP_READ_MARKED and UPSWEEP_STORE_MARKED,
//
//   UPSWEEP_LISTED, UPSWEEP_LISTED_SIZE       the elements' type, and its bytes, up to 16
//   UPSWEEP_LOAD_LISTED(in, i)                element i of `in`
//   UPSWEEP_LISTED_OTHERS(out)                where elements that are not marked are stored from
//   UPSWEEP_LISTED_ROOM(out)                  places that there are
//   UPSWEEP_STORE_LISTED(out, place, element)   stores one
//
// A hook that needs places, and besides them one element of up to 4 bytes, has both listed, because by the time that an
// element is stored other work-groups have replaced it in a GPU's cache. It defines, besides UPSWEEP_READ_MARKED,
//
//   UPSWEEP_LISTED_READ                       the element's type
//   UPSWEEP_LOAD_LISTED(in, i)                as above
//   UPSWEEP_READ_LISTED(element)              what UPSWEEP_READ_MARKED gives
//
// The values of a hook that lists elements alone are integers that count marks. H200, 2^28 int32, us, without and with:
// copy_if of 10, 50 and 90 % 479, 624, 796 and 426, 525, 622, partition 1099 and 963, unique in runs of 2 641 and 571.
#ifndef UPSWEEP_MARK_TILES
#define UPSWEEP_MARK_TILES
#include "sub_group_tile/tile_prefix.cl"
#ifdef UPSWEEP_LISTS_MARKS

// What is listed of a sub-group's share: its marks in order; behind them, from the end on, the other elements. Elements that
// are listed with places follow these.
#ifdef UPSWEEP_LISTED_READ
#define UPSWEEP_SHARE_SLOTS (3 * UPSWEEP_SHARE)
#define UPSWEEP_LISTED_ELEMENT UPSWEEP_LISTED_READ
#else
#define UPSWEEP_SHARE_SLOTS UPSWEEP_SHARE
#define UPSWEEP_LISTED_ELEMENT upsweep_tile_slot
#endif
#ifdef UPSWEEP_LISTED
typedef UPSWEEP_LISTED upsweep_tile_slot;
#else
typedef ushort upsweep_tile_slot; // a place in the share
#if UPSWEEP_SHARE > 65536
#error "UPSWEEP_ITEMS must be 2048 at most: places are 16 bits"
#endif
#endif

// Elements that a lane loads, or reads for the store hook, at a time.
#if defined(UPSWEEP_LISTED) && UPSWEEP_LISTED_SIZE > 4
#define UPSWEEP_MARKS_LOADED 16
#else
#define UPSWEEP_MARKS_LOADED 32
#endif
#define UPSWEEP_MARK_BATCH (UPSWEEP_ITEMS < UPSWEEP_MARKS_LOADED ? UPSWEEP_ITEMS : UPSWEEP_MARKS_LOADED)
#define UPSWEEP_READ_BATCH (UPSWEEP_ITEMS < 8 ? UPSWEEP_ITEMS : 8)

// The elements that are listed, with places or in their place.
__local UPSWEEP_LISTED_ELEMENT* upsweep_listed_elements(__local upsweep_tile_slot* list)
{
#ifdef UPSWEEP_LISTED_READ
    return (__local UPSWEEP_LISTED_ELEMENT*)(list + UPSWEEP_SHARE);
#else
    return list;
#endif
}

// Lists the marks among the first `size` elements of a share. `full`, a constant: all are real. Returns their number.
// Row by row: lanes that list the marks of a row each were as fast where marks are few, and 6 % slower where they are
// many (NVIDIA H200). Elements of the next batch that were loaded before these are looked at did not help.
uint upsweep_list_marks(upsweep_input in, uint size, uint full, __local upsweep_tile_slot* list)
{
    const uint lane = upsweep_lane();
    const uint before_lane = (1u << lane) - 1;
    __local UPSWEEP_LISTED_ELEMENT* listed = upsweep_listed_elements(list);
    uint count = 0;
#pragma unroll 1
    for (uint first = 0; first < size; first += UPSWEEP_MARK_BATCH * UPSWEEP_LANES) {
        upsweep_element elements[UPSWEEP_MARK_BATCH];
        UPSWEEP_LISTED_ELEMENT entries[UPSWEEP_MARK_BATCH];
        // Of full tiles, elements at constant places of a view: then their addresses are one pointer and constants.
        const upsweep_input here = UPSWEEP_INPUT_AT(in, full ? first + lane : 0);
#pragma unroll
        for (uint i = 0; i < UPSWEEP_MARK_BATCH; ++i) { // see upsweep_stage_block
            const uint e = first + i * UPSWEEP_LANES + lane;
            const uint at = full ? i * UPSWEEP_LANES : min(e, size - 1);
            elements[i] = UPSWEEP_LOAD(here, at);
#ifdef UPSWEEP_LOAD_LISTED
            entries[i] = UPSWEEP_LOAD_LISTED(here, at);
#else
            entries[i] = (upsweep_tile_slot)e;
#endif
        }
#pragma unroll
        for (uint i = 0; i < UPSWEEP_MARK_BATCH; ++i) {
            const uint e = first + i * UPSWEEP_LANES + lane;
            const uint is_real = full || e < size;
            const uint is_marked = UPSWEEP_IS_MARKED(elements[i]) & is_real;
            const uint row = upsweep_ballot(is_marked);
            const uint before = count + popcount(row & before_lane);
            if (UPSWEEP_LISTS_MARKS == 2 ? is_real : is_marked) {
                const uint entry = is_marked ? before : size - 1 - (e - before);
                listed[entry] = entries[i];
#ifdef UPSWEEP_LISTED_READ
                list[entry] = (upsweep_tile_slot)e;
#endif
            }
            count += popcount(row);
        }
    }
    upsweep_sync_lanes();
    return count;
}

// The sum of the first `count` marks of a list, of a share that begins at `out`.
upsweep_value upsweep_sum_marks(const __local upsweep_tile_slot* list, upsweep_output out, uint count)
{
#ifdef UPSWEEP_LISTED
    return UPSWEEP_MARKS_VALUE(count, 0);
#else
    return UPSWEEP_MARKS_VALUE(count, count > 0 ? UPSWEEP_PLACE(out, list[count - 1]) + 1 : 0);
#endif
}

#ifdef UPSWEEP_LISTED
// Stores the first `count` elements of a list of a share of `size`: marked ones, or from the list's end the others.
// `prefix`: marks before the share.
void upsweep_store_listed(const __local upsweep_tile_slot* list, upsweep_output out, uint marked, uint count, uint size,
                          upsweep_value prefix)
{
    const ulong begin = marked ? prefix : UPSWEEP_LISTED_OTHERS(out) + (UPSWEEP_PLACE(out, 0) - prefix);
    const ulong room = UPSWEEP_LISTED_ROOM(out);
    const uint stored = begin < room ? UPSWEEP_AT_MOST(room - begin, count) : 0u;
    const ulong place = begin + upsweep_lane();
    uint first = 0;
#pragma unroll 1
    for (; first + UPSWEEP_READ_BATCH * UPSWEEP_LANES <= stored; first += UPSWEEP_READ_BATCH * UPSWEEP_LANES) {
#pragma unroll
        for (uint i = 0; i < UPSWEEP_READ_BATCH; ++i) {
            const uint k = first + i * UPSWEEP_LANES + upsweep_lane();
            UPSWEEP_STORE_LISTED(out, place + first + i * UPSWEEP_LANES, list[marked ? k : size - 1 - k]);
        }
    }
#pragma unroll 1
    for (uint k = first + upsweep_lane(); k < stored; k += UPSWEEP_LANES)
        UPSWEEP_STORE_LISTED(out, begin + k, list[marked ? k : size - 1 - k]);
}
#else
// Stores rows of a list from its element `first` on, a batch of them, of which those before `count` are real; `full`, a
// constant: all are.
void upsweep_store_rows(__local upsweep_tile_slot* list, upsweep_output out, uint marked, uint first, uint count,
                        uint full, uint size, upsweep_value prefix)
{
    uint places[UPSWEEP_READ_BATCH];
    upsweep_marked_reads read[UPSWEEP_READ_BATCH];
#pragma unroll
    for (uint i = 0; i < UPSWEEP_READ_BATCH; ++i) {
        const uint k = first + i * UPSWEEP_LANES + upsweep_lane();
        const uint at = full ? k : min(k, count - 1);
        const uint entry = marked ? at : size - 1 - at;
        places[i] = list[entry];
#ifdef UPSWEEP_LISTED_READ
        read[i] = UPSWEEP_READ_LISTED(upsweep_listed_elements(list)[entry]);
#else
        read[i] = UPSWEEP_READ_MARKED(out, places[i]);
#endif
    }
#pragma unroll
    for (uint i = 0; i < UPSWEEP_READ_BATCH; ++i) {
        const uint k = first + i * UPSWEEP_LANES + upsweep_lane();
        const upsweep_value before =
            marked ? upsweep_sum_marks(list, out, full ? k : min(k, count)) : UPSWEEP_MARKS_VALUE(places[i] - k, 0);
        UPSWEEP_STORE_MARKED(out, places[i], upsweep_combine(prefix, before), marked, full || k < count, read[i]);
    }
}

// Stores the first `count` elements of a list of a share of `size`: marked ones, or from the list's end the others.
void upsweep_store_listed(__local upsweep_tile_slot* list, upsweep_output out, uint marked, uint count, uint size,
                          upsweep_value prefix)
{
    const uint batch = UPSWEEP_READ_BATCH * UPSWEEP_LANES;
    uint first = 0;
#pragma unroll 1
    for (; first + batch <= count; first += batch)
        upsweep_store_rows(list, out, marked, first, count, 1, size, prefix);
    if (first < count) upsweep_store_rows(list, out, marked, first, count, 0, size, prefix);
}
#endif

#if UPSWEEP_LISTS_MARKS == 2
// Whether the launch before the scan leaves prefixes of tiles. Not for other compilers: Intel's must see that all work-items
// know a prefix, or none does.
#define UPSWEEP_KEEPS_PREFIXES UPSWEEP_PTX

// The entry of a tile's prefix, behind all sums.
volatile __global ulong* upsweep_prefix_entry(volatile __global ulong* state, uint tiles, uint tile)
{
    return upsweep_entry(state, tiles, 3, tiles / UPSWEEP_TOP_GROUP + tile);
}

// A tile whose prefix is known is scanned as if it were the only one.
upsweep_call upsweep_with_known_prefix(upsweep_call call)
{
    if (UPSWEEP_KEEPS_PREFIXES && call.tiles > 1 &&
        upsweep_is_published(upsweep_prefix_entry(call.state, call.tiles, call.tile), call.epoch, &call.init)) {
        call.tiles = 1;
        call.flags |= UPSWEEP_HAS_INIT;
    }
    return call;
}
#endif

// One tile of marks, of which `valid` elements are real; `full`, a constant: all are. Returns 0, with nothing written, if
// a tile is silent and `full` is 1.
uint upsweep_scan_marks(upsweep_call call, upsweep_input all, uint full, upsweep_input in, upsweep_output out,
                        uint valid, __local upsweep_shared* shared, __local upsweep_tile_slot* list)
{
#if UPSWEEP_LISTS_MARKS == 2
    call = upsweep_with_known_prefix(call);
#endif
    const uint begin = upsweep_sub_group() * UPSWEEP_SHARE;
    const uint size = full ? UPSWEEP_SHARE : upsweep_share_size(valid);
    const upsweep_output own_out = UPSWEEP_OUTPUT_AT(out, begin);
    const uint count = upsweep_list_marks(UPSWEEP_INPUT_AT(in, begin), size, full, list);
    const upsweep_value own_sum = upsweep_sum_marks(list, own_out, count);
    uint has_prefix;
    upsweep_prefixes prefixes;
    call.exclusive = 1;
    if (!upsweep_share_prefix(call, all, !full, valid, shared, UPSWEEP_BLOCKS,
                              upsweep_lane() == 0 ? own_sum : UPSWEEP_MARKS_VALUE(0, 0), &has_prefix, &prefixes))
        return 0;
    const upsweep_value prefix = upsweep_from_lane(prefixes.of_block, 0);
    upsweep_store_listed(list, own_out, 1, count, size, prefix);
    if (UPSWEEP_LISTS_MARKS == 2) upsweep_store_listed(list, own_out, 0, size - count, size, prefix);
    if (UPSWEEP_LISTS_MARKS != 2 && size > 0 && upsweep_lane() == 0)
        UPSWEEP_STORE_END(own_out, size - 1, upsweep_combine(prefix, own_sum));
    return 1;
}

uint upsweep_scan_full_tile(upsweep_call call, uint exclusive, upsweep_input in, upsweep_output out,
                            __local upsweep_shared* shared, __local upsweep_tile_slot* list)
{
    return upsweep_scan_marks(call, in, 1, in, out, UPSWEEP_TILE, shared, list);
}

UPSWEEP_ONE_COPY
void upsweep_scan_any_tile(upsweep_call call, upsweep_input all, upsweep_input in, upsweep_output out, uint valid,
                           __local upsweep_shared* shared, __local upsweep_tile_slot* list)
{
    upsweep_scan_marks(call, all, 0, in, out, valid, shared, list);
}

#endif
#endif
