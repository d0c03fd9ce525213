// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Launches of tiles, level by level.
namespace upsweep::detail {

/// A scan: the sums of tiles up to the level that is a single tile, and from there down again.
UPSWEEP_INLINE void plan_scan_tiles(launch_plan& s, scratch_layout& layout) {
    using kind = pass::kind;
    const std::uint64_t tile = s.tuning.tile();
    const auto elements = count_levels(s.n, tile);
    const auto top = static_cast<std::uint32_t>(elements.size() - 1);
    const bool propagate = s.tuning.strategy == strategy::scan_then_propagate;
    const auto tiles = [&](std::uint32_t level) { return divide_up(elements[level], tile); };
    for (std::uint32_t level = 0; level < top; ++level) {
        layout.add(tiles(level));
        const kind up = propagate ? kind::scan_tiles : kind::reduce_tiles;
        s.passes.push_back(pass::over(up, level, elements[level], tiles(level)).writing_sums());
    }
    s.passes.push_back(pass::over(kind::scan_tiles, top, elements[top], 1));
    for (std::uint32_t level = top; level-- > 0;) {
        const kind down = propagate ? kind::propagate_tiles : kind::scan_tiles;
        s.passes.push_back(pass::over(down, level, elements[level], tiles(level)).reading_sums());
    }
}

/// A reduction in the canonical order: the sums of full tiles, level after level, and back down what each level has
/// besides.
UPSWEEP_INLINE void plan_canonical_tiles(launch_plan& s, scratch_layout& layout) {
    using kind = pass::kind;
    const std::uint64_t tile = s.tuning.tile();
    std::vector<std::uint64_t> elements{s.n};
    for (; elements.back() > tile; elements.push_back(elements.back() / tile)) {
        const std::uint64_t full = elements.back() / tile;
        const auto level = static_cast<std::uint32_t>(elements.size() - 1);
        layout.add(full);
        s.passes.push_back(pass::over(kind::reduce_tiles, level, full * tile, full).writing_sums());
    }
    for (auto level = static_cast<std::uint32_t>(elements.size()); level-- > 0;) {
        const bool top = level + 1 == elements.size();
        if (top || elements[level] % tile != 0 || s.is_counted)
            s.passes.push_back(pass::over(kind::append_tile, level, elements[level], 1).reading_sums(!top));
    }
}

/// A reduction: the sums of tiles, level after level.
UPSWEEP_INLINE void plan_ordered_tiles(launch_plan& s, scratch_layout& layout) {
    const std::uint64_t tile = s.tuning.tile();
    const auto elements = count_levels(s.n, tile);
    for (std::uint32_t level = 0; level < elements.size(); ++level) {
        const bool last = level + 1 == elements.size();
        const std::uint64_t tiles = std::max<std::uint64_t>(1, divide_up(elements[level], tile));
        if (!last) layout.add(tiles);
        s.passes.push_back(pass::over(pass::kind::reduce_tiles, level, elements[level], tiles).writing_sums(!last));
    }
}

UPSWEEP_INLINE void plan_reduce_tiles(launch_plan& s, scratch_layout& layout) {
    if (s.tuning.canonical)
        plan_canonical_tiles(s, layout);
    else
        plan_ordered_tiles(s, layout);
}

} // namespace upsweep::detail
