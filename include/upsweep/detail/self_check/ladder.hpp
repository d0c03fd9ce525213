// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/choose_tiles.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>

#include <algorithm>
#include <string>
#include <vector>

// Which kernels stand in for which, when answers are wrong. Pure: no OpenCL in here.

namespace upsweep::detail {

/// The strategy whose kernels run: a single tile is what others end with, and reductions have one kind of tiles.
UPSWEEP_INLINE strategy kernels_of(strategy s, operation op) {
    const bool one_kind = record_of(op).results == result_count::one && s != strategy::chunked;
    return one_kind || s == strategy::single_tile ? strategy::reduce_then_scan : s;
}

/// Names the kernels that a tuning runs, less most numbers they are compiled with: the family that is checked once.
/// The length of runs stays, and so does the size of tiles by sub-groups: compilers unroll them, so one may be wrong
/// where another is right (NVIDIA's, scans of short: 128 x 128 was, 128 x 64 was not).
UPSWEEP_INLINE std::string kernel_family(const tuning& t, operation op) {
    std::string name = record_of(op).noun;
    name.append(", ").append(to_string(kernels_of(t.strategy, op)));
    if (t.work_items == 1) {
        name += ", one work-item per work-group";
    } else if (!record_of(op).reduces_by_tree || t.algorithm == tile_algorithm::sub_group) {
        name.append(", tiles by ").append(to_string(t.algorithm));
        if (t.algorithm == tile_algorithm::sub_group)
            name.append(" of ").append(std::to_string(t.work_items)).append(" x ").append(std::to_string(t.items));
    } else {
        name.append(", tiles by tree ").append(to_string(t.reduction));
    }
    if (is_one_chunk(t)) name += ", one chunk";
    if (t.one_launch) name += ", one launch";
    if (t.tree_run > 1) name.append(", runs as trees of ").append(std::to_string(t.tree_run));
    if (t.canonical) name += ", in the canonical order";
    if (t.staged) name += ", staged";
    if (t.one_tile) name += ", a single tile";
    if (t.ptx) name += ", PTX";
    if (are_sub_groups(t.lanes))
        name += t.lanes == lanes_backend::khr ? ", Khronos' sub-groups" : ", Intel's sub-groups";
    return name;
}

/// Tiles, one launch per step: in the canonical order, or else in the plainest form there is.
UPSWEEP_INLINE tuning simple_tiles(bool canonical, const device_limits& device, std::size_t value_size) {
    tuning t;
    t.strategy = strategy::reduce_then_scan;
    t.bank_padding = false;
    t.canonical = canonical;
    t.work_items = floor_power_of_two(std::min<std::size_t>(64, most_work_items(device)));
    t.items = std::max<std::uint32_t>(canonical ? 1 : 2, static_cast<std::uint32_t>(32 / value_size));
    if (canonical) {
        t.items = floor_power_of_two(t.items);
    } else {
        t.algorithm = tile_algorithm::hillis_steele;
        t.reduction = tree_reduce::interleaved;
    }
    limit_work_items(t, device, value_size);
    while (t.work_items > 1 && local_bytes(t, value_size) > device.local_memory_bytes) t.work_items /= 2;
    if (t.work_items == 2 && device.aborts_on_pairs) t.work_items = 1;
    return t;
}

/// Tiles in the canonical order; none where values are too large for them.
UPSWEEP_INLINE maybe<tuning> canonical_tiles(const device_limits& device, std::size_t value_size) {
    const tuning t = simple_tiles(true, device, value_size);
    return t.work_items > 1 ? maybe<tuning>(t) : maybe<tuning>();
}

/// Work-groups of one work-item each. With one chunk, a scan is made by one work-item, a reduction by work-items of
/// which each has a part of its own, then one their sums.
UPSWEEP_INLINE tuning on_their_own(strategy s, std::uint32_t items, std::uint32_t work_groups, std::uint32_t tree_run) {
    tuning t;
    t.strategy = s;
    t.items = items;
    t.work_groups = work_groups;
    t.tree_run = tree_run;
    t.bank_padding = false;
    return t;
}

/// What is run, the chosen kernels first, then what is tried in their place where answers are wrong: as long as it
/// stays near in speed, what gives the same bits; then plain tiles; at last one work-item. A family is tried once.
UPSWEEP_INLINE std::vector<tuning> ladder_of(const tuning& chosen, operation op, const device_limits& device,
                                             std::size_t value_size) {
    const bool canonical = keeps_canonical_order(chosen, op);
    const bool looks_back = record_of(op).looks_back;
    const std::uint32_t tree_run = longest_tree_run(value_size);
    const maybe<tuning> tiles = canonical ? canonical_tiles(device, value_size) : maybe<tuning>();
    const tuning many = on_their_own(looks_back ? strategy::look_back : strategy::chunked, 1024,
                                     device.compute_units * (device.is_cpu ? 1 : 8), tree_run);
    const tuning one = on_their_own(strategy::chunked, 16, 1, canonical ? tree_run : 1);
    tuning in_steps = chosen; // without the state of one launch
    in_steps.one_launch = false;
    struct rung {
        bool applies;
        tuning kernels;
    };
    const rung rungs[] = {
        {chosen.one_launch, in_steps},
        {tiles && !device.is_cpu, tiles.value_or(one)},
        {canonical && (!looks_back || device.has_atomics64), many},
        {canonical && device.is_cpu, one}, // as fast as a core, there
        {tiles.has_value(), tiles.value_or(one)},
        {true, simple_tiles(false, device, value_size)},
        {true, one},
    };
    std::vector<tuning> ladder{chosen};
    for (const rung& r : rungs) {
        const auto is_same = [&](const tuning& t) { return kernel_family(t, op) == kernel_family(r.kernels, op); };
        if (r.applies && private_bytes(r.kernels, device, value_size) <= most_private_bytes &&
            std::none_of(ladder.begin(), ladder.end(), is_same))
            ladder.push_back(r.kernels);
    }
    return ladder;
}

} // namespace upsweep::detail
