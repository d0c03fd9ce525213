// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// The memory that a tuning's kernels take: local memory per work-group, private memory per work-item.
namespace upsweep::detail {

/// Local memory of a lane's run of values. Follows UPSWEEP_BLOCK_SLOTS of block_slots.cl.
UPSWEEP_INLINE std::uint64_t block_bytes(const tuning& t, std::size_t value_size) {
    const std::uint64_t pack_bytes = (std::max)(std::uint64_t{16}, std::uint64_t{t.pack} * value_size);
    return t.run_packs * pack_bytes + (pack_bytes > 16 ? 16 : 0);
}

/// Local memory of tiles of segments, at most: values without marks, and keys or places. Follows UPSWEEP_SHARE_SLOTS of
/// segment_runs.cl.
UPSWEEP_INLINE std::uint64_t segment_bytes(const tuning& t, std::size_t flagged_size, const problem_size& problem) {
    const std::uint64_t sub_groups = t.work_items / sub_group_lanes;
    const std::uint64_t blocks = (std::max)(std::uint64_t{1}, std::uint64_t{t.items / sub_group_lanes});
    const std::uint64_t share = std::uint64_t{t.items} * sub_group_lanes;
    const std::uint64_t gap = (std::max)(problem.segment_size, sizeof(std::uint32_t)); // or less, behind each run
    const std::uint64_t values = share * problem.segment_size + blocks * sub_group_lanes * gap;
    const segment_tiles segments = problem.segments;
    const bool are_scans = segments == segment_tiles::inclusive || segments == segment_tiles::exclusive;
    const std::uint64_t behind = are_scans ? 0 : (segments == segment_tiles::keyed_sums ? 4 : 2) * share;
    const std::uint64_t block = block_bytes(t, flagged_size) * sub_group_lanes;
    return sub_groups * (std::max)(values + behind + (std::max)(std::size_t{15}, flagged_size), block) +
           (sub_groups * (problem.reads_row ? 2 : 1) + 2) * flagged_size + (sub_groups + 1) * 16;
}

/// Local memory that a tuning's kernels declare, in bytes: the largest of staging a tile, the scan's slots and the
/// reduction's. Follows the *_SLOTS macros of the kernel files.
/// @param problem  what tiles of segments and lists of elements (mark_tiles.cl) are of, if any
UPSWEEP_INLINE std::uint64_t local_bytes(const tuning& t, std::size_t value_size, const problem_size& problem = {}) {
    const auto padded = [&](std::uint64_t count) {
        return t.bank_padding ? count + ((count - 1) >> bank_bits) : count;
    };
    if (t.work_items == 1 && t.strategy == strategy::chunked) return 0;
    if (t.algorithm == tile_algorithm::sub_group) {
        const std::uint64_t sub_groups = t.work_items / sub_group_lanes;
        if (t.strategy != strategy::look_back)
            return std::uint64_t{reduce_local_entries} * value_size + reduce_staged_bytes + 16;
        if (problem.segments != segment_tiles::none && t.items <= most_segment_items)
            return segment_bytes(t, value_size, problem);
        const std::uint64_t runs = std::uint64_t{t.items / (t.pack * t.run_packs)} * t.work_items;
        const std::uint64_t run_bytes = runs * block_bytes(t, value_size);
        return (std::max)(run_bytes, std::uint64_t{t.tile()} * problem.listed_size) + (sub_groups + 2) * value_size +
               (sub_groups + 1) * 16;
    }
    if (keeps_runs(t)) { // one slot after every run, a sum of each, and two values that the work-group shares
        const std::uint64_t kept = t.tile() + (t.bank_padding ? t.work_items - 1 : 0);
        return (kept + padded(t.work_items) + 2) * value_size + 16;
    }
    const std::uint64_t staging = t.staged ? padded(t.tile()) : 1;
    const std::uint64_t count =
        t.algorithm == tile_algorithm::hillis_steele ? 2 * std::uint64_t{t.work_items} : padded(t.work_items);
    return (std::max)(staging, count) * value_size;
}

// How much a work-item keeps for itself. On a CPU that lies on the stack of the driver's thread, for all work-items of
// a work-group at once, and nothing says when the stack is full: the process crashes.

/// Tiles of values of so many bytes, or fewer, are planned without regard to private memory, but for the length of tree
/// runs, and where a CPU's stack would not hold them.
constexpr std::size_t small_value_bytes = 128;

/// Private memory that plans aim at, in bytes: a tenth of a stack of a MiB.
constexpr std::uint64_t wanted_private_bytes = 100 << 10;
/// And the most that they may take: half of a thread's stack of 4 MiB.
constexpr std::uint64_t most_private_bytes = 2 << 20;

/// Values of a work-item on its own, about: three stacks, a run and its sums, in the longest run those of every level,
/// and what combining takes. Follows serial_tree.cl.
constexpr std::uint64_t serial_private_values(std::uint32_t tree_run) {
    if (tree_run == 1) return 12;
    return 3 * std::uint64_t{stack_entries} + (tree_run == cpu_tree_run ? 5 : 2) * std::uint64_t{tree_run} + 12;
}

/// Values of a work-item of a tile, about: its run, the run's sums, and what combining takes.
constexpr std::uint64_t tile_private_values(std::uint32_t items) {
    return 2 * std::uint64_t{items} + 12;
}

/// The same of small values, whose sums compilers keep in the place of the run. PoCL 3.1, with stacks of 8 MiB, ended
/// at 8 MiB of runs and ran with half of that; where tiles look back, of 2048 x 64 bytes, it ended with 4 and ran
/// with 2.
constexpr std::uint64_t small_private_values(std::uint32_t items, bool looks_back) {
    return std::uint64_t{items} + (looks_back ? 48 : 4);
}

/// The longest run of a work-item on its own that takes no more than plans aim at, but 2 at least.
/// @param private_values  what a run of so many values takes, in values
constexpr std::uint32_t longest_run(std::uint64_t (*private_values)(std::uint32_t), std::size_t value_size) {
    std::uint32_t run = cpu_tree_run;
    while (run > 2 && private_values(run) * value_size > wanted_private_bytes) run /= 2;
    return run;
}

/// The longest run that a work-item on its own combines as a tree of values of that size.
constexpr std::uint32_t longest_tree_run(std::size_t value_size) {
    return longest_run(serial_private_values, value_size);
}

/// Private memory of the work-items that share a stack, in bytes; small values count as nothing but on CPUs.
UPSWEEP_INLINE std::uint64_t private_bytes(const tuning& t, const device_limits& device, std::size_t value_size) {
    const bool is_small = value_size <= small_value_bytes;
    if (is_small && !device.is_cpu) return 0;
    const bool keeps_run = t.work_items > 1 || t.canonical;
    const std::uint64_t values = !keeps_run ? serial_private_values(t.tree_run)
                                 : is_small ? small_private_values(t.items, t.strategy == strategy::look_back)
                                            : tile_private_values(t.items);
    return values * value_size * (device.is_cpu ? t.work_items : 1);
}

/// Whether a work-item on its own should not do it: the values are too large for its stacks, and not for tiles.
UPSWEEP_INLINE bool wants_tiles(const device_limits& device, std::size_t value_size) {
    return value_size > small_value_bytes && serial_private_values(2) * value_size > wanted_private_bytes &&
           2 * value_size <= device.local_memory_bytes;
}

} // namespace upsweep::detail
