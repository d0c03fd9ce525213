// SPDX-License-Identifier: MIT
// Options by which each kernel family runs.
#pragma once

#include "canonical.hpp"
#include "device_fixture.hpp"

#include <cstdint>
#include <vector>

namespace test {

/// One way for each kernel family.
inline std::vector<upsweep::options> families() {
    using upsweep::strategy;
    std::vector<upsweep::options> all{{},
                                      in_tiles(64, 8, upsweep::tile_loading::staged),
                                      in_chunks(3),
                                      fixture::small_tiles(strategy::scan_then_propagate, 8, 4)};
    if (limits().has_atomics64)
        for (const std::uint32_t work_items : {1U, 8U})
            all.push_back(fixture::small_tiles(strategy::look_back, work_items, 16));
    if (has_lanes()) all.push_back(in_sub_groups());
    return all;
}

/// Tiles as they are chosen, and small ones where there are sub-groups.
inline std::vector<upsweep::options> tilings() {
    std::vector<upsweep::options> all(1);
    if (!has_lanes()) return all;
    all.push_back(in_sub_groups());
    all.back().work_items = 64;
    all.back().items = 16;
    return all;
}

} // namespace test
