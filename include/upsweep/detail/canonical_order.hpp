#pragma once

#include <upsweep/tuning.hpp>

namespace upsweep::detail {

/// Whether a run with this tuning combines in the canonical order (reference.hpp), whatever n is. The one place that
/// knows: rows of lanes do, in every shape; so do work-items on their own that combine runs of elements as trees, in
/// `look_back` scans and `chunked` reductions. Textbook tile algorithms and multi-pass strategies do not.
inline bool keeps_canonical_order(const tuning& t, operation op) {
    if (t.algorithm == tile_algorithm::sub_group) return true;
    return t.tree_run > 1 && t.strategy == (op == operation::scan ? strategy::look_back : strategy::chunked);
}

} // namespace upsweep::detail
