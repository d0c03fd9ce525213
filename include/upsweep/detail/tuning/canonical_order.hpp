// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/tuning.hpp>

namespace upsweep::detail {

/// Whether a run with this tuning combines in the canonical order (reference.hpp), whatever n is. The one place that
/// knows: sub-groups do, with any tuning; so do tiles that are planned for it, and work-items on their own that
/// combine runs of elements as trees, in `look_back` scans and in chunks. Other tiles and strategies do not.
UPSWEEP_INLINE bool keeps_canonical_order(const tuning& t, operation op) {
    if (t.algorithm == tile_algorithm::sub_group || t.canonical) return true;
    if (t.work_items != 1 || t.tree_run == 1) return false;
    return t.strategy == strategy::chunked || (t.strategy == strategy::look_back && record_of(op).looks_back);
}

/// Whether work-items of tiles that look back keep their runs between up-sweep and down-sweep (kept_runs.cl).
UPSWEEP_INLINE bool keeps_runs(const tuning& t) {
    return t.canonical && t.strategy == strategy::look_back && t.algorithm != tile_algorithm::sub_group;
}

/// A tuning as the programs of a family are compiled for it. Work-items on their own that look back learn the size of
/// their tiles at the launch.
UPSWEEP_INLINE tuning compiled_tuning(tuning t, family kind) {
    if (kind == family::look_back && t.work_items == 1 && !keeps_runs(t)) t.items = 1;
    return t;
}

} // namespace upsweep::detail
