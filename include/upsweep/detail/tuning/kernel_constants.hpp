// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>

#include <cstdint>

/// Numbers that plans and kernels share. They are written here alone (that of the lanes, which says what a device is,
/// in device_limits.hpp), and every program gets them as macros.
namespace upsweep::detail {

/// log2 of the local-memory banks; 32 on every GPU of the last decade that documents them.
constexpr std::uint32_t bank_bits = 5;

/// Elements of the longest run that is combined as a tree in private memory.
constexpr std::uint32_t longest_tree = 128;
/// Sums of blocks that a work-item keeps while it counts them: one per bit of their number.
constexpr std::uint32_t stack_entries = 48;

/// Elements that sub-groups count in lines of 32: a lane keeps the sums of each size of blocks of lines
/// (rows/row_sums.cl), and the least sub-groups have 32.
constexpr std::uint64_t most_elements_of_lines = std::uint64_t{1} << 37;

/// Tiles of a group that publishes one sum when tiles look back; so many groups form a larger one.
constexpr std::uint32_t look_back_group = 32;
/// Blocks of tiles of columns that make a larger one, as a logarithm (columns/column_blocks.cl).
constexpr std::uint32_t column_level_bits = 2;
/// Words before the first published value.
constexpr std::uint32_t state_begin = 32;

/// Packs of a run in tile algorithm `sub_group`, at most.
constexpr std::uint32_t most_run_packs = 8;
/// Sums that a reduction's only work-group keeps in local memory.
constexpr std::uint32_t reduce_local_entries = 64;
/// Sums that a reduction's work-group stages in local memory, in bytes.
constexpr std::uint32_t reduce_staged_bytes = 8192;

/// Segments by offsets that are one team's of their own, where they all begin in one tile
/// (launch/segments/reduce_segments.cl).
constexpr std::uint32_t segment_chunk = 1024;

/// Half of the sums of parts that a work-group has room for, as a logarithm (segments/long_segments.cl).
constexpr std::uint32_t small_parts_bits = 8;

/// What a launch that looks back is told, one bit each.
enum launch_flag : std::uint32_t {
    launch_has_init = 1U,   ///< something precedes the first element
    launch_exclusive = 2U,  ///< the scan is exclusive
    launch_in_place = 4U,   ///< results replace elements
    launch_last_first = 8U, ///< the last tile is taken first, as self-checks ask
};

struct kernel_constant {
    const char* macro;
    std::uint32_t value;
};

inline constexpr kernel_constant kernel_constants[] = {
    {"UPSWEEP_MOST_VALUES", longest_tree},
    {"UPSWEEP_STACK", stack_entries},
    {"UPSWEEP_GROUP_BITS", log2_of(look_back_group)},
    {"UPSWEEP_LEVEL_BITS", column_level_bits},
    {"UPSWEEP_STATE_BEGIN", state_begin},
    {"UPSWEEP_LANE_BITS", log2_of(sub_group_lanes)},
    {"UPSWEEP_MOST_ROWS", most_run_packs},
    {"UPSWEEP_LOCAL_ENTRIES", reduce_local_entries},
    {"UPSWEEP_STAGED_BYTES", reduce_staged_bytes},
    {"UPSWEEP_SEGMENT_CHUNK", segment_chunk},
    {"UPSWEEP_SMALL_PARTS_BITS", small_parts_bits},
    {"UPSWEEP_HAS_INIT", launch_has_init},
    {"UPSWEEP_EXCLUSIVE", launch_exclusive},
    {"UPSWEEP_IN_PLACE", launch_in_place},
    {"UPSWEEP_LAST_FIRST", launch_last_first},
};

/// Whether kernels need 64 bits for the places of n elements.
constexpr bool needs_wide_index(std::uint64_t n) {
    return n > (std::uint64_t{1} << 31);
}
/// The same for `rows` rows of `pitch` elements, whose product may not fit 64 bits.
constexpr bool needs_wide_index(std::uint64_t rows, std::uint64_t pitch) {
    return rows != 0 && pitch > (std::uint64_t{1} << 31) / rows;
}

} // namespace upsweep::detail
