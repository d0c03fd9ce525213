// SPDX-License-Identifier: MIT
#pragma once

// What is worth trying on a class of devices: points to start from, and what can be changed there.

#include <upsweep/upsweep.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

namespace tune {

using upsweep::options;
using upsweep::strategy;
using upsweep::detail::device_class;
using upsweep::detail::operation;

using change = std::function<void(options&)>;
/// Changes of one kind, of which a candidate has one.
using dimension = std::vector<change>;

struct starting_point {
    options choices;
    std::vector<dimension> dimensions;
};

template <class Value, class List>
dimension each(Value options::*member, const List& values) {
    dimension changes;
    for (const auto value : values) changes.push_back([=](options& o) { o.*member = static_cast<Value>(value); });
    return changes;
}

/// All powers of two from `first` to `last`, times `factor`.
inline std::vector<std::uint32_t> powers(std::uint32_t first, std::uint32_t last, std::uint32_t factor = 1) {
    std::vector<std::uint32_t> values;
    for (std::uint32_t x = first; x <= last; x *= 2) values.push_back(x * factor);
    return values;
}

inline std::vector<starting_point> lanes(operation op, std::uint32_t pack, std::uint32_t units) {
    starting_point rows;
    rows.choices.algorithm = upsweep::tile_algorithm::sub_group;
    rows.dimensions = {each(&options::work_items, powers(32, 512)), each(&options::run_packs, powers(1, 8)),
                       each(&options::registers, std::vector<std::uint32_t>{32, 64, 80, 96, 112, 128, 144, 168})};
    const bool has_tiles = record_of(op).in_sub_groups == strategy::look_back; // else steps, for as many groups
    if (has_tiles) rows.dimensions.push_back(each(&options::items, powers(1, 64, pack)));
    if (!has_tiles)
        rows.dimensions.push_back(
            each(&options::work_groups,
                 std::vector<std::uint32_t>{units, 2 * units, 3 * units, 4 * units, 6 * units, 8 * units}));
    return {rows};
}

/// GPUs without lanes of their own: textbook tiles, staged or not.
inline std::vector<starting_point> work_groups(operation op) {
    using upsweep::tile_algorithm;
    starting_point tiles;
    tiles.choices.strategy = strategy::reduce_then_scan;
    tiles.choices.algorithm = tile_algorithm::blelloch;
    tiles.choices.work_items = 256;
    tiles.choices.items = 8;
    tiles.dimensions = {each(&options::items, powers(1, 64)), each(&options::work_items, powers(32, 1024)),
                        each(&options::loading, std::initializer_list<upsweep::tile_loading>{
                                                    upsweep::tile_loading::direct, upsweep::tile_loading::staged})};
    if (record_of(op).reduces_by_tree) return {tiles};
    tiles.dimensions.push_back(each(
        &options::algorithm, std::initializer_list<tile_algorithm>{tile_algorithm::blelloch, tile_algorithm::brent_kung,
                                                                   tile_algorithm::hillis_steele}));
    starting_point one_pass = tiles;
    one_pass.choices.strategy = strategy::look_back;
    return {tiles, one_pass};
}

/// CPUs: work-items on their own.
inline std::vector<starting_point> streams(operation op, std::uint32_t units) {
    starting_point chunks;
    chunks.choices.strategy = strategy::chunked;
    chunks.choices.work_items = 1;
    chunks.choices.items = 16;
    chunks.dimensions = {each(&options::items, powers(4, 1024)), each(&options::work_groups, powers(1, 8, units))};
    if (!record_of(op).looks_back) return {chunks};
    starting_point one_pass;
    one_pass.choices.strategy = strategy::look_back;
    one_pass.choices.work_items = 1;
    one_pass.choices.items = 1 << 14;
    // A tile has at most 4096 elements per work-item, unless that is on its own.
    one_pass.dimensions = {each(&options::items, powers(1 << 10, 1 << 18))};
    return {chunks, one_pass};
}

inline std::vector<starting_point> starting_points(const upsweep::detail::device_limits& device, operation op,
                                                   std::size_t value_size) {
    switch (upsweep::detail::class_of(device)) {
    case device_class::nvidia:
        return lanes(op, static_cast<std::uint32_t>(16 / value_size), device.compute_units);
    case device_class::cpu:
        return streams(op, device.compute_units);
    case device_class::other_gpu:
        break;
    }
    return work_groups(op);
}

} // namespace tune
