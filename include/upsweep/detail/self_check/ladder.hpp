#pragma once

#include <upsweep/detail/tuning/canonical_order.hpp>
#include <upsweep/detail/tuning/choose_tiles.hpp>

#include <string>
#include <vector>

// Which kernels stand in for which, when answers are wrong. Pure: no OpenCL in here.

namespace upsweep::detail {

/// The strategy whose kernels run: a single tile is what others end with, and reductions have one kind of tiles.
inline strategy kernels_of(strategy s, operation op) {
    const bool one_kind = record_of(op).results == result_count::one && s != strategy::chunked;
    return one_kind || s == strategy::single_tile ? strategy::reduce_then_scan : s;
}

/// Names the kernels that a tuning runs, less the numbers they are compiled with: the family that is checked once.
inline std::string kernel_family(const tuning& t, operation op) {
    std::string name = record_of(op).noun;
    name.append(", ").append(to_string(kernels_of(t.strategy, op)));
    if (t.work_items == 1) {
        name += ", one work-item per work-group";
        if (t.strategy == strategy::chunked && t.work_groups == 1) name += ", one chunk";
    } else if (!record_of(op).reduces_by_tree || t.algorithm == tile_algorithm::sub_group) {
        name.append(", tiles by ").append(to_string(t.algorithm));
    } else {
        name.append(", tiles by tree ").append(to_string(t.reduction));
    }
    if (t.tree_run > 1) name += ", runs as trees";
    if (t.canonical) name += ", in the canonical order";
    if (t.staged) name += ", staged";
    if (t.ptx) name += ", PTX";
    if (are_sub_groups(t.lanes))
        name += t.lanes == lanes_backend::khr ? ", Khronos' sub-groups" : ", Intel's sub-groups";
    return name;
}

/// Tiles in the canonical order, one launch per step.
inline tuning canonical_tiles(const device_limits& device, std::size_t value_size) {
    tuning t;
    t.strategy = strategy::reduce_then_scan;
    t.canonical = true;
    t.bank_padding = false;
    t.work_items = floor_power_of_two(std::min<std::size_t>(64, device.max_work_group_size));
    t.items = floor_power_of_two(std::max<std::size_t>(1, 32 / value_size));
    while (t.work_items > 2 && local_bytes(t, value_size) > device.local_memory_bytes) t.work_items /= 2;
    limit_work_items(t, device, value_size);
    return t;
}

/// Many work-groups of one work-item, in the canonical order.
inline tuning on_their_own(operation op, const device_limits& device, std::size_t value_size) {
    tuning t;
    t.strategy = record_of(op).looks_back ? strategy::look_back : strategy::chunked;
    t.items = 1024;
    t.tree_run = longest_tree_run(value_size);
    t.work_groups = device.compute_units * (device.is_cpu ? 1 : 8);
    t.bank_padding = false;
    return t;
}

/// Scans by one work-item, and reductions by work-items of which each has a part of its own, then one their sums.
inline tuning one_work_item(bool canonical, std::size_t value_size) {
    tuning t;
    t.strategy = strategy::chunked;
    t.items = 16;
    t.tree_run = canonical ? longest_tree_run(value_size) : 1;
    t.work_groups = 1;
    t.bank_padding = false;
    return t;
}

/// Tiles in the plainest form there is, one launch per step.
inline tuning plain_tiles(const device_limits& device, std::size_t value_size) {
    tuning t;
    t.strategy = strategy::reduce_then_scan;
    t.algorithm = tile_algorithm::hillis_steele;
    t.reduction = tree_reduce::interleaved;
    t.bank_padding = false;
    t.work_items = floor_power_of_two(std::min<std::size_t>(64, device.max_work_group_size));
    t.items = std::max<std::uint32_t>(2, static_cast<std::uint32_t>(32 / value_size));
    limit_work_items(t, device, value_size);
    while (t.work_items > 1 && local_bytes(t, value_size) > device.local_memory_bytes) t.work_items /= 2;
    return t;
}

/// What is tried in place of kernels that give wrong answers, in this order: as long as it stays near in speed, what
/// gives the same bits; then plain tiles; at last one work-item.
inline std::vector<tuning> simpler_tunings(const tuning& chosen, operation op, const device_limits& device,
                                           std::size_t value_size) {
    const bool canonical = keeps_canonical_order(chosen, op);
    std::vector<tuning> rungs;
    const auto add = [&](const tuning& t) {
        const std::string family = kernel_family(t, op);
        if (private_bytes(t, device, value_size) > most_private_bytes) return;
        if (family == kernel_family(chosen, op)) return;
        for (const tuning& other : rungs)
            if (kernel_family(other, op) == family) return;
        rungs.push_back(t);
    };
    const tuning tiles = canonical_tiles(device, value_size);
    const bool has_tiles =
        canonical && tiles.work_items > 1 && local_bytes(tiles, value_size) <= device.local_memory_bytes;
    if (has_tiles && !device.is_cpu) add(tiles);
    if (canonical && (!record_of(op).looks_back || device.has_atomics64)) add(on_their_own(op, device, value_size));
    // On a CPU one work-item is as fast as a core.
    if (canonical && device.is_cpu) add(one_work_item(true, value_size));
    if (has_tiles) add(tiles);
    add(plain_tiles(device, value_size));
    add(one_work_item(canonical, value_size));
    return rungs;
}

} // namespace upsweep::detail
