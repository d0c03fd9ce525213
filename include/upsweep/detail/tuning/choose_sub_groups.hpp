#pragma once

#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>

#include <algorithm>
#include <string>

/// The route by sub-groups (resolve_options.hpp).
namespace upsweep::detail {

/// Tiles are prefetched so many bytes ahead. NVIDIA H200, 2^28 int32, 128 x 16: 0 0.757 of a copy, 2 MiB 0.833,
/// 4 MiB 0.846, 6 MiB 0.835, 8 MiB 0.834, 16 MiB 0.64.
constexpr std::uint64_t prefetch_bytes = 4 << 20;

inline constexpr const char* registers_need_nvidia = "registers: can be limited on NVIDIA devices only";

/// Fills in what all runs by sub-groups on elements of `size` bytes have, and returns the table's configuration for
/// them.
inline const sub_group_config& choose_lanes(const char* function, tuning& t, const options& opts,
                                            const device_limits& device, const problem_size& problem,
                                            std::size_t size) {
    t.algorithm = tile_algorithm::sub_group;
    t.lanes = device.lanes;
    t.ptx = device.lanes == lanes_backend::ptx;
    t.sub_group_size = device.sub_group_size;
    t.opencl_c = device.opencl_c;
    t.async_copy = t.ptx && device.has_async_copy;
    if (opts.registers != 0 && !t.ptx) reject(function, registers_need_nvidia);
    t.pack = size <= 16 && 16 % size == 0 ? static_cast<std::uint32_t>(16 / size) : 1;
    const sub_group_config& config =
        choose_sub_group_config(t.ptx, problem.op, problem.n * size, size, device.tile_memory_bytes);
    t.work_items = opts.work_items != 0
                       ? opts.work_items
                       : floor_power_of_two(std::min<std::uint64_t>(config.work_items, device.max_work_group_size));
    t.run_packs = opts.run_packs != 0 ? opts.run_packs : config.run_packs;
    t.registers = opts.registers != 0 ? opts.registers : config.registers;
    check_work_group(function, t, device);
    if (t.work_items % sub_group_lanes != 0)
        reject(function, "tile_algorithm sub_group: work_items must be a multiple of 32");
    return config;
}

/// Fills in tiles of sub-groups, which look back.
inline void choose_sub_group_tiles(const char* function, tuning& t, const options& opts, const device_limits& device,
                                   const problem_size& problem) {
    const std::size_t size = (std::max)(problem.element_size, problem.value_size);
    const sub_group_config& config = choose_lanes(function, t, opts, device, problem, size);
    t.direct_groups = config.direct_groups;
    t.items = opts.items != 0 ? opts.items : config.packs * t.pack;
    while (opts.items == 0 && t.items / t.pack > t.run_packs && local_bytes(t, size) > device.tile_memory_bytes)
        t.items /= 2;
    const std::uint32_t run = t.run_packs * t.pack;
    if (!is_power_of_two(t.run_packs) || t.run_packs > most_run_packs || t.items % run != 0 ||
        !is_power_of_two(t.items) || t.items / run > 32)
        reject(function, "tile_algorithm sub_group: run_packs must be 1, 2, 4 or 8, and items a power of two from " +
                             std::to_string(run) + " to " + std::to_string(32 * run));
    t.one_tile = problem.n * size <= one_tile_bytes && problem.n <= t.tile();
    const std::uint64_t tile_bytes = std::uint64_t{t.tile()} * size;
    if (t.ptx && problem.n * size >= 3 * prefetch_bytes)
        t.ahead_tiles = static_cast<std::uint32_t>(prefetch_bytes / tile_bytes);
}

/// Fills in a reduction by sub-groups, step by step.
inline void choose_sub_group_steps(const char* function, tuning& t, const options& opts, const device_limits& device,
                                   const problem_size& problem) {
    const std::size_t size = problem.element_size != 0 ? problem.element_size : problem.value_size;
    const sub_group_config& config = choose_lanes(function, t, opts, device, problem, size);
    t.items = t.run_packs * t.pack;
    t.work_groups = opts.work_groups != 0 ? opts.work_groups : device.compute_units * config.unit_groups;
    if (!is_power_of_two(t.run_packs) || t.run_packs > most_run_packs)
        reject(function, "tile_algorithm sub_group: run_packs must be 1, 2, 4 or 8");
}

inline tuning choose_sub_groups(const char* function, const options& opts, const device_limits& device,
                                const problem_size& problem) {
    tuning t;
    t.bank_padding = opts.bank_padding;
    t.strategy = record_of(problem.op).in_sub_groups;
    if (t.strategy == strategy::look_back)
        choose_sub_group_tiles(function, t, opts, device, problem);
    else
        choose_sub_group_steps(function, t, opts, device, problem);
    return t;
}

/// Whether a call runs by sub-groups.
inline bool wants_sub_groups(const char* function, const options& opts, const device_limits& device,
                             const problem_size& problem) {
    const bool asked = opts.algorithm == tile_algorithm::sub_group;
    // Shuffles and words of state for large values would make the compiler unroll without end.
    const bool fits = device.lanes != lanes_backend::none && (device.has_ptx || device.has_atomics64) &&
                      problem.value_size <= 32 && opts.reduction == tree_reduce::automatic &&
                      (opts.strategy == strategy::automatic ||
                       (opts.strategy == strategy::look_back && record_of(problem.op).looks_back));
    if (asked && !fits)
        reject(function,
               "tile_algorithm sub_group needs an NVIDIA device or sub-groups of 32 and 64-bit atomics, values of at "
               "most 32 bytes, and strategy look_back or automatic");
    // CPUs are faster one work-item at a time. A caller who sets the sizes of the work-group means one of the textbook
    // algorithms.
    const bool open = (device.has_ptx || !device.is_cpu) && opts.algorithm == tile_algorithm::automatic &&
                      opts.loading == tile_loading::automatic && opts.work_items == 0 && opts.items == 0 &&
                      opts.work_groups == 0;
    return fits && (asked || open);
}

} // namespace upsweep::detail
