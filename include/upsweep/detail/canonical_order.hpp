#pragma once

#include <upsweep/tuning.hpp>

namespace upsweep::detail {

/// Whether a run with this tuning combines in the canonical order (reference.hpp), whatever n is. The one place that
/// knows: rows of lanes do, in every shape; so do work-items on their own that combine runs of elements as trees, in
/// `look_back` scans, in scans of a single chunk and in `chunked` reductions. Textbook tile algorithms and multi-pass
/// strategies do not.
inline bool keeps_canonical_order(const tuning& t, operation op) {
    if (t.algorithm == tile_algorithm::sub_group) return true;
    if (t.work_items != 1 || t.tree_run == 1) return false;
    if (op == operation::reduce) return t.strategy == strategy::chunked;
    return t.strategy == strategy::look_back || (t.strategy == strategy::chunked && t.work_groups == 1);
}

} // namespace upsweep::detail
