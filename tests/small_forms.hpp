// SPDX-License-Identifier: MIT
// Options for tests that run every strategy and tile algorithm in tiles so small that a few thousand elements make
// hundreds of them.
#pragma once

#include "support.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace test {

inline upsweep::options form(upsweep::strategy s, upsweep::tile_algorithm a, std::uint32_t work_items,
                             std::uint32_t items) {
    upsweep::options o;
    o.strategy = s;
    o.algorithm = a;
    o.work_items = work_items;
    o.items = items;
    // Left open, it would be the same everywhere on one device.
    o.loading = a == upsweep::tile_algorithm::brent_kung      ? upsweep::tile_loading::staged
                : a == upsweep::tile_algorithm::hillis_steele ? upsweep::tile_loading::direct
                                                              : upsweep::tile_loading::automatic;
    return o;
}

/// Small tiles, in every form of look-back that the device has; none, if it has no 64-bit atomics.
inline std::vector<upsweep::options> look_back_forms() {
    using upsweep::strategy;
    using upsweep::tile_algorithm;
    if (!limits().has_atomics64) return {};
    std::vector<upsweep::options> forms{form(strategy::look_back, tile_algorithm::blelloch, 8, 4),
                                        form(strategy::look_back, tile_algorithm::hillis_steele, 8, 4),
                                        form(strategy::look_back, tile_algorithm::brent_kung, 8, 4),
                                        form(strategy::look_back, tile_algorithm::blelloch, 1, 16)};
    if (has_lanes())
        for (std::uint32_t run_packs : {1U, 2U}) {
            forms.push_back(form(strategy::look_back, tile_algorithm::sub_group, 64, run_packs == 1 ? 4 : 16));
            forms.back().run_packs = run_packs;
        }
    return forms;
}

/// Every strategy and tile algorithm in small tiles.
inline std::vector<upsweep::options> all_forms() {
    using upsweep::strategy;
    using upsweep::tile_algorithm;
    std::vector<upsweep::options> forms = look_back_forms();
    for (strategy s :
         {strategy::single_tile, strategy::scan_then_propagate, strategy::reduce_then_scan, strategy::chunked})
        for (tile_algorithm a : {tile_algorithm::blelloch, tile_algorithm::hillis_steele, tile_algorithm::brent_kung})
            forms.push_back(form(s, a, 8, 4));
    forms.push_back(form(strategy::chunked, tile_algorithm::blelloch, 1, 16));
    return forms;
}

} // namespace test
