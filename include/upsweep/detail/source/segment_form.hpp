// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/inline.hpp>

// What segments are.

namespace upsweep::detail {

/// What decides where segments begin.
enum class segment_cut {
    keys,    ///< an element's key differs from the one before
    flags,   ///< an element's flag is not zero
    rows,    ///< all segments are of one length
    columns, ///< likewise, of elements that are a pitch apart
    offsets  ///< an array has the beginning of each segment, and the end of the last
};

/// Whether height and width of an array of two dimensions say where segments begin.
constexpr bool are_of_one_length(segment_cut cut) {
    return cut == segment_cut::rows || cut == segment_cut::columns;
}

/// What is made of segments.
enum class segment_results {
    inclusive,   ///< a value for each element
    exclusive,   ///< likewise; segments begin with the initial value
    per_segment, ///< one value for each segment, in an array of `room` values
    per_key      ///< the same, and the key of each segment in `unique`, and how many there are in `total`
};

/// Whether there is one value for each segment. That is an exclusive scan of one element more: what stands before a
/// segment's first element, or before the end, is the result of the segment before.
constexpr bool reduces(segment_results results) {
    return results == segment_results::per_segment || results == segment_results::per_key;
}

/// What tiles of segments do for these results.
constexpr segment_tiles tiles_of(segment_results results, bool are_counted) {
    if (results == segment_results::per_key) return segment_tiles::keyed_sums;
    if (reduces(results)) return are_counted ? segment_tiles::counted_sums : segment_tiles::sums;
    return results == segment_results::exclusive ? segment_tiles::exclusive : segment_tiles::inclusive;
}

/// The name of what decides where segments begin.
UPSWEEP_INLINE const char* name_of(segment_cut cut) {
    switch (cut) {
    case segment_cut::keys:
        return "keys";
    case segment_cut::flags:
        return "flags";
    case segment_cut::offsets:
        return "offsets";
    case segment_cut::rows:
    case segment_cut::columns:
        break;
    }
    return "input";
}

/// Whether the number of a segment is known only once those before are counted.
constexpr bool must_count(segment_cut cut) {
    return cut == segment_cut::keys || cut == segment_cut::flags;
}

/// The initial value of every segment, as hooks see it.
enum class segment_init {
    none,
    number, ///< its bits are a number called `init`
    memory  ///< it lies in an array called `init`
};

/// How a scan of segments differs from others, but for its types.
struct segment_form {
    segment_results results = segment_results::inclusive;
    segment_init init = segment_init::none;
    bool is_empty = false;  ///< a reduction of no elements, which reads none
    bool in_tiles = false;  ///< hooks have what tiles of segments need (sub_group_tile/segment_tiles.cl)
    bool reads_row = false; ///< and such tiles read what precedes them in their row (sub_group_tile/row_before.cl)
    bool in_words = false;  ///< and they move values as words (sub_group_tile/segment_moves.cl)
};

} // namespace upsweep::detail
