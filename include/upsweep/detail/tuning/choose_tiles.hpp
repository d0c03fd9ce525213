// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>

/// The routes without sub-groups (resolve_options.hpp).
namespace upsweep::detail {

/// Whether the sums of tiles are made by one of the textbook's trees, which take one element per work-item.
UPSWEEP_INLINE bool is_textbook_tree(const tuning& t, operation op) {
    return record_of(op).reduces_by_tree && t.reduction != tree_reduce::serial;
}

/// Whether work-items on their own run a problem whose strategy the caller leaves open: on CPUs, and on devices without
/// larger work-groups, unless the caller wants tiles of a size or algorithm.
UPSWEEP_INLINE bool wants_one_work_item(const tuning_request& r) {
    const bool is_open = r.opts.strategy == strategy::automatic && r.opts.algorithm == tile_algorithm::automatic &&
                         r.opts.items == 0 && r.opts.work_items <= 1;
    return class_of(r.device) == device_class::cpu && is_open &&
           (r.opts.work_items == 1 || !wants_tiles(r.device, r.problem.value_size));
}

/// The strategy; `automatic` where that depends on the size of a tile.
UPSWEEP_INLINE strategy choose_strategy(const tuning_request& r, const tile_config& config) {
    if (!wants_one_work_item(r)) return strategy_for(r.problem.op, r.opts.strategy);
    return config.strategy == strategy::look_back && !r.device.has_atomics64 ? strategy::chunked : config.strategy;
}

/// What is chosen before the route: all but the elements per work-item and what depends on them.
UPSWEEP_INLINE tuning choose_work_groups(const tuning_request& r) {
    const tile_config& config = choose_tile_config(class_of(r.device), r.problem.op, r.problem.exact_operator);
    tuning t;
    t.bank_padding = r.opts.bank_padding;
    t.ptx = r.device.has_ptx;
    t.algorithm = r.opts.algorithm == tile_algorithm::automatic ? tile_algorithm::blelloch : r.opts.algorithm;
    t.reduction = r.opts.reduction == tree_reduce::automatic ? tree_reduce::serial : r.opts.reduction;
    t.strategy = choose_strategy(r, config);
    t.staged = r.opts.loading == tile_loading::automatic ? config.staged : r.opts.loading == tile_loading::staged;
    // CPUs run a work-group's work-items one after another: barriers and staging only cost there.
    const bool streams = t.strategy == strategy::chunked || t.strategy == strategy::look_back;
    const std::uint64_t wanted = r.device.is_cpu && !streams ? cpu_group_work_items : config.work_items;
    t.work_items = r.opts.work_items != 0
                       ? r.opts.work_items
                       : floor_power_of_two(std::min<std::uint64_t>(wanted, r.device.max_work_group_size));
    // A single core shares nothing: in one chunk a scan reads its input once.
    const std::uint32_t per_unit = r.device.is_cpu && r.device.compute_units == 1 ? 1 : config.unit_groups;
    t.work_groups = r.opts.work_groups != 0 ? r.opts.work_groups : r.device.compute_units * per_unit;
    return t;
}

/// The largest elements and values of chunks that are reduced in one launch. A self-check has several chunks of these,
/// and what is larger costs more than a launch.
constexpr std::size_t most_bytes_of_one_launch = 1024;

/// Fills in what work-groups of a single work-item have.
UPSWEEP_INLINE void choose_one_work_item(tuning& t, const tuning_request& r) {
    const operation_record& record = record_of(r.problem.op);
    const bool is_tree = is_textbook_tree(t, r.problem.op);
    const bool any_order = r.problem.exact_operator || (record.may_leave_order && !r.opts.reproducible);
    const bool left_to_right = any_order || is_tree || (r.opts.items != 0 && !is_power_of_two(r.opts.items));
    t.staged = false; // a single work-item shares nothing
    const std::size_t largest = (std::max)(r.problem.value_size, r.problem.element_size);
    t.one_launch = r.device.is_cpu && r.device.has_atomics64 && r.problem.op == operation::reduce &&
                   t.strategy == strategy::chunked && largest <= most_bytes_of_one_launch;
    if (!left_to_right) {
        t.tree_run = longest_tree_run(r.problem.value_size);
        // Chunks are of many runs, whatever the tile. LLVM got some scans of runs of 2 wrong (tests/GUARANTEES.md).
        if (r.opts.items != 0 && t.strategy != strategy::chunked) t.tree_run = (std::min)(r.opts.items, t.tree_run);
        // And PoCL 6.0 those of 16 bytes of small values. Neither was seen since runs are stored by a fixed loop.
        if (t.tree_run > 4 && t.tree_run * r.problem.value_size == 16) t.tree_run /= 2;
    }
    if (r.opts.items != 0)
        t.items = r.opts.items;
    else if (t.strategy == strategy::look_back)
        t.items = std::max<std::uint32_t>(cpu_tree_run, floor_power_of_two(look_back_cpu_bytes / r.problem.value_size));
    else
        t.items = is_tree ? 2 : direct_items; // with one, a tile's sum would be its element
}

/// Bytes of a work-item's elements in a staged tile.
UPSWEEP_INLINE std::size_t staged_item_bytes(const tuning& t, const problem_size& problem) {
    const bool fits_one = problem.n * problem.value_size <= t.work_items * most_item_bytes;
    const bool is_one = t.strategy == strategy::single_tile || (t.strategy == strategy::automatic && fits_one);
    if (problem.op == operation::reduce || is_one) return most_item_bytes;
    return t.strategy == strategy::chunked || t.strategy == strategy::look_back ? streamed_item_bytes
                                                                                : passed_item_bytes;
}

/// Elements per work-item of a tile where the caller leaves them open: fewer where memory is short.
UPSWEEP_INLINE std::uint32_t default_items(const tuning& t, const device_limits& device, const problem_size& problem) {
    const std::size_t value_size = problem.value_size;
    if (value_size > small_value_bytes) return 1;
    std::uint32_t items = direct_items;
    if (t.staged)
        items = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(staged_item_bytes(t, problem) / value_size));
    tuning trial = t;
    const auto is_too_much = [&] {
        return (t.staged && local_bytes(trial, value_size) > device.local_memory_bytes / 2) ||
               private_bytes(trial, device, value_size) > most_private_bytes;
    };
    for (trial.items = items; items > 1 && is_too_much();) trial.items = --items;
    return items;
}

/// Work-items of tiles where the caller leaves them open: as few as memory asks for, but two, or four where two are
/// none that a device takes. Small values may take more private memory, as stacks are large enough for them.
UPSWEEP_INLINE void limit_work_items(tuning& t, const device_limits& device, std::size_t value_size) {
    const bool is_small = value_size <= small_value_bytes;
    const auto fits = [&] {
        return local_bytes(t, value_size) <= device.local_memory_bytes &&
               private_bytes(t, device, value_size) <= (is_small ? most_private_bytes : wanted_private_bytes);
    };
    const std::uint32_t least = device.aborts_on_pairs ? 4 : 2;
    while (t.work_items > least && !fits()) t.work_items /= 2;
}

/// Decides whether tiles of many work-items keep the canonical order. Where the caller leaves their size open, it
/// becomes that of one of the order's blocks.
UPSWEEP_INLINE void choose_order(tuning& t, const tuning_request& r) {
    const bool in_tiles = t.strategy == strategy::automatic || t.strategy == strategy::single_tile ||
                          t.strategy == strategy::reduce_then_scan;
    const bool may_be = r.opts.reproducible && !r.problem.exact_operator && in_tiles &&
                        t.algorithm == tile_algorithm::blelloch && r.opts.reduction == tree_reduce::automatic;
    if (!may_be) return;
    if (r.opts.items == 0) t.items = floor_power_of_two(t.items);
    t.canonical = is_power_of_two(t.items) && t.items <= longest_tree;
}

/// Tiles of one work-item, for values that are too large for more of them.
UPSWEEP_INLINE void take_one_work_item(tuning& t, std::size_t value_size) {
    t.work_items = 1;
    t.items = longest_run(tile_private_values, value_size);
}

/// Fills in what tiles of several work-items have.
UPSWEEP_INLINE void choose_tiles(tuning& t, const tuning_request& r) {
    t.items = r.opts.items;
    if (r.opts.items == 0) t.items = is_textbook_tree(t, r.problem.op) ? 1 : default_items(t, r.device, r.problem);
    if (r.opts.work_items == 0) limit_work_items(t, r.device, r.problem.value_size);
    const bool is_open = r.opts.work_items == 0 && r.opts.items == 0;
    if (is_open && private_bytes(t, r.device, r.problem.value_size) > most_private_bytes)
        take_one_work_item(t, r.problem.value_size); // no stack holds the values of two, or of four
    choose_order(t, r);
    if (t.items == 1 && r.opts.loading == tile_loading::automatic) t.staged = false; // coalesced as it is
}

} // namespace upsweep::detail
