// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Reductions of segments by offsets from the sums of the blocks of tiles (launch/segments/reduce_segments.cl).

namespace upsweep::detail {

/// Work-items of a work-group of several teams, at most: a team is a sub-group, if there are sub-groups. H200, 2^28
/// float in segments of exactly 2, of 10 and of 1000 elements, us: with 32 729, 452, 315, with 64 707, 451, 312, with
/// 128 708, 454, 314.
constexpr std::uint32_t segments_work_items = 64;

/// Tiles that a team has, at most. H200, likewise: 1 786, 592, 396; 4 721, 463, 321; 8 707, 451, 312; 24 (10 and 1000)
/// 494, 346.
constexpr std::uint64_t most_team_tiles = 8;

/// Teams of a compute unit that are at work at once: as many as these have registers and local memory.
constexpr std::uint64_t unit_teams = 20;

/// Bytes of a team's tile, at most: local memory has twice as much for it.
constexpr std::uint32_t team_tile_bytes = 4096;

/// Elements of a tile for each member of a team of 32, at most.
constexpr std::uint32_t most_team_items = 32;
static_assert(most_team_items <= sub_group_lanes, "block_sums.cl puts a row of elements in whole runs");

/// Registers of a work-item, at most, on NVIDIA devices. H200, likewise: with 80 772, 518, 387, with 96 707, 451, 312,
/// with 128 801, 503, 331.
constexpr std::uint32_t segments_registers = 96;

/// The same where sums are differences. H200, 2^28 int32 in segments of exactly 2, of 1 to 3 and of 0 to 20 elements at
/// random, and of 1000 on average, us: 8 rows of offsets with 104 registers 673, 729, 436, 313, with 96 668, 728, 444,
/// 338; 6 rows with 96 687, 734, 433, 318; 4 rows 706, 757, 423, 312. With 80 registers, 4 rows, each of which loaded
/// its ends: 767, 824, 491, 391, with 96 695, 765, 432, 322.
constexpr std::uint32_t differences_registers = 104;

/// Larger values are left to scans. H200, us, by a scan and so, segments of 2, 10 and 1000 elements: 2^26 sums of 12
/// bytes 1302, 1025, 864 and 427, 379, 282, of 16 1629, 1362, 1234 and 926, 807, 674; 2^25 of 24 1144, 1033, 979 and
/// 535, 551, 417; 2^24 of 64 5430, 5307, 5089 and 3187, 2842, 2408.
constexpr std::size_t most_segments_bytes = 64;

/// How a device reduces segments of such values.
/// @param has_differences  a sum less the sum of its first elements is that of the others (segments/tile_prefixes.cl)
/// @return work_items 0: not at all
UPSWEEP_INLINE tuning segments_tuning(const device_limits& device, std::size_t value_size,
                                      bool has_differences = false) {
    tuning t;
    t.work_items = 0;
    t.canonical = true;
    if (device.max_work_group_size < sub_group_lanes || value_size > most_segments_bytes) return t;
    t.items = most_team_items;
    while (t.items > 2 && std::uint64_t{t.items} * sub_group_lanes * value_size > team_tile_bytes) t.items /= 2;
    const std::uint64_t team_bytes = 2 * (std::uint64_t{t.items + 1} * sub_group_lanes + 1) * value_size;
    const std::uint64_t teams = device.local_memory_bytes < 1024 ? 0 : (device.local_memory_bytes - 1024) / team_bytes;
    if (teams == 0) return t;
    if (device.lanes == lanes_backend::none) {
        t.work_items = sub_group_lanes;
        return t;
    }
    t.algorithm = tile_algorithm::sub_group;
    use_lanes(t, device);
    t.registers = !t.ptx ? 0 : has_differences ? differences_registers : segments_registers;
    t.work_items = segments_work_items;
    while (t.work_items > sub_group_lanes &&
           (t.work_items > device.max_work_group_size || t.work_items / sub_group_lanes > teams))
        t.work_items /= 2;
    return t;
}

/// Elements of a tile.
UPSWEEP_INLINE std::uint64_t team_tile(const tuning& t) {
    return std::uint64_t{t.items} * sub_group_lanes;
}

/// Tiles for each team: no more than keep all compute units busy.
UPSWEEP_INLINE std::uint64_t tiles_per_team(const device_limits& device, const tuning& t, std::uint64_t n) {
    const std::uint64_t at_once = unit_teams * device.compute_units;
    const std::uint64_t tiles = n / team_tile(t) / at_once;
    return (std::min)((std::max)(tiles, std::uint64_t{1}), most_team_tiles);
}

/// Whether segments of so many elements are reduced so.
UPSWEEP_INLINE bool reduces_by_blocks(const device_limits& device, const options& opts, std::size_t value_size,
                                      std::uint64_t n, std::uint64_t segments) {
    return n > 0 && segments > 0 && may_reduce_offsets(device, opts, n + segments) &&
           segments_tuning(device, value_size).work_items > 0;
}

/// Whether rows without gaps are reduced so, and not by sub-groups (reduce_rows.hpp), if they may be. That takes four
/// launches and not one. NVIDIA H100, 512 MiB, us, in rows of 7, 33, 100, 300 and 640 elements, otherwise (narrow ones
/// by a scan) and so: float 349, 960, 697, 278, 197 and 263, 231, 227, 219, 215; double 336, 651, 446, 235, 187 and
/// 263, 242, 235, 229, 224; double2 414, 439, 319, 197, 186 and 269, 250, 245, 239, 220; sums of 12 bytes 329, 644,
/// 464, 246, 186 and 304, 270, 249, 238, 224; of 32 542, 617, 403, 226, 206 and 313, 302, 288, 266, 254; of 64 3507,
/// 3518, 3503, 3516, 3506 and 801, 766, 706, 678, 668. In any order int32 307, 201, 207, 187, 183 and 254, 229, 225,
/// 217, 214; uint8 789, 527, 265, 258, 253 and 592, 495, 485, 486, 485. In the canonical order rows of a power of two
/// of elements share no block: float in rows of 32, 128 and 1024 203, 198, 187 and 214, 211, 203.
/// @param any_order  the operator is exact and commutative
UPSWEEP_INLINE bool rows_suit_blocks(std::uint64_t height, std::uint64_t width, std::size_t value_size,
                                     bool any_order) {
    const std::uint64_t bytes = height * width * value_size;
    if (value_size > 32) return true; // sub-groups do not exchange such values
    if (width < sub_group_lanes) return bytes >= mebibytes(64);
    return !any_order && !is_power_of_two(width) && width < 160 + 1920 / value_size && bytes >= mebibytes(16);
}

/// Segments that are to be reduced, checked.
struct segments_request : offsets_request {
    upsweep::tuning tuning;     ///< segments_tuning
    std::uint64_t per_team = 1; ///< tiles
};

/// What lies where in scratch memory: sums of tiles, of blocks of tiles, and of parts of segments; then where tiles
/// begin.
struct segments_layout {
    std::uint64_t tiles = 0;
    std::uint64_t starts = 0; ///< in numbers of `index_size` bytes
    std::uint64_t bytes = 0;
};

UPSWEEP_INLINE segments_layout lay_out_segments(const segments_request& r) {
    segments_layout layout;
    layout.tiles = divide_up(r.n, team_tile(r.tuning));
    const std::uint64_t sums = 4 * (layout.tiles + 1) + layout.tiles * log2_of(team_tile(r.tuning));
    const std::uint64_t index_size = needs_wide_index(r.n + r.segments) ? 8 : 4;
    layout.starts = divide_up(sums * r.value_size, index_size);
    layout.bytes = divide_up((layout.starts + layout.tiles + 1) * index_size, 8) * 8;
    return layout;
}

UPSWEEP_INLINE program_key segments_key(const segments_request& r, const program_text_view& text) {
    program_key key = offsets_key(r, text, family::segments);
    key.tuning = r.tuning;
    return key;
}

/// Enqueues the launches.
UPSWEEP_INLINE cl::Event reduce_segments(const segments_request& s, built_program& program) {
    const run_request& r = s.run;
    const segments_layout layout = lay_out_segments(s);
    const std::uint64_t tile = team_tile(s.tuning);
    const std::uint64_t teams = s.tuning.lanes == lanes_backend::none ? 1 : s.tuning.work_items / sub_group_lanes;
    const built_program::loan find(program, "upsweep_find_tiles", r.function);
    const built_program::loan sum(program, segments_kernel, r.function);
    const built_program::loan blocks(program, "upsweep_sum_blocks_of_tiles", r.function);
    const built_program::loan join(program, "upsweep_join_tiles", r.function);
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    workspace_loan scratch(r.function, r.queue.context, r.queue.queue, r.queue.in_order,
                           static_cast<std::size_t>(layout.bytes), nullptr);
    const offsets_argument offsets(s.offsets);
    set_arguments(r.function, find(), offsets.view, offsets.begin, cl_ulong{s.segments}, cl_ulong{s.n},
                  cl_ulong{layout.tiles}, scratch.buffer(), cl_ulong{layout.starts});
    set_arguments(r.function, sum(), s.in, cl_ulong{s.offset}, offsets.view, offsets.begin, cl_ulong{s.segments},
                  cl_ulong{s.n}, cl_ulong{layout.tiles}, cl_ulong{s.per_team}, scratch.buffer(),
                  cl_ulong{layout.starts}, scratch.buffer(), s.results.buffer, cl_ulong{s.results.offset}, r.has_init,
                  init);
    set_arguments(r.function, join(), offsets.view, offsets.begin, cl_ulong{s.n}, cl_ulong{layout.tiles},
                  scratch.buffer(), cl_ulong{layout.starts}, scratch.buffer(), s.results.buffer,
                  cl_ulong{s.results.offset});
    std::uint64_t levels = 0;
    for (std::uint64_t stride = 1; stride < layout.tiles; stride *= tile) ++levels;
    command_chain chain(r, static_cast<std::size_t>(3 + levels));
    const std::uint64_t size = s.tuning.work_items;
    chain.launch(find(), divide_up(layout.tiles + 1, size), size);
    chain.launch(sum(), divide_up(divide_up(layout.tiles, s.per_team) + s.segments / segment_chunk, teams), size);
    for (std::uint64_t stride = 1; stride < layout.tiles; stride *= tile) {
        set_arguments(r.function, blocks(), cl_ulong{layout.tiles}, cl_ulong{stride}, scratch.buffer());
        chain.launch(blocks(), divide_up(divide_up(layout.tiles, stride), tile * teams), size);
    }
    chain.launch(join(), divide_up(layout.tiles, size), size);
    scratch.used_until(chain.last());
    return chain.take_last();
}

} // namespace upsweep::detail
