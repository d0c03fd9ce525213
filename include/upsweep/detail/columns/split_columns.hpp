// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/columns/regroup_columns.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

// Columns that would be taken in units (regroup_columns.hpp) if their rows began and ended with one: a part of an
// image, say. Then the middle ones are, and what is left over before and behind them is taken apart.

namespace upsweep::detail {

/// Scans of numbers of so many bytes: bytes of a row, and of all columns, from which on that pays. Each part that is
/// left over costs some 20 us, and what memory moves at once for each row. H200, us, before and so, rows of 1024 that
/// begin one element behind a unit and, aligned, are three short of whole units: 128 MiB of uint8 256, 256 and 174,
/// 141, 256 MiB 508, 509 and 318, 247; rows of 4096, 64 MiB 132, 130 and 88, 81, 256 MiB 466, 466 and 230, 211. uint16,
/// 512 to a row, 128 MiB 170, 156 and 162, 132; 4096, 64 MiB 86, 78 and 75, 77, 256 MiB 310, 283 and 210, 204. int32,
/// 512 to a row, 512 MiB 470, 357 and 522, 350; 1024, 256 MiB 235, 185 and 214, 188, 1 GiB 913, 698 and 741, 652; 4096,
/// 1 GiB 981, 717 and 718, 645; float alike. 4 and 16 MiB of bytes lose up to 8, of others up to 40. Reductions lose.
struct least_split {
    std::size_t most_bytes;
    std::uint64_t row_bytes, bytes;
};
constexpr std::array<least_split, 2> least_splits{{{2, 1000, 60 << 20}, {4, 4000, 240 << 20}}};

/// Whether columns have as much.
UPSWEEP_INLINE bool pays_split(const columns_request& columns) {
    const std::uint64_t row_bytes = columns.width * columns.value_size;
    for (const least_split& least : least_splits)
        if (columns.value_size <= least.most_bytes)
            return row_bytes >= least.row_bytes && columns.height * row_bytes >= least.bytes;
    return false;
}

/// Columns that are left over.
struct columns_split {
    std::uint64_t before = 0; ///< of the first unit
    std::uint64_t behind = 0; ///< the last unit

    bool is_split() const { return before + behind > 0; }
};

UPSWEEP_INLINE columns_split split_columns(const columns_request& columns, const program_text& text,
                                           const device_limits& device) {
    if (!device.has_ptx || columns.result == columns_result::reduction || columns.run.begins_anywhere) return {};
    if (!may_regroup(text) || numbers_of_type(text.value).count != 1 || !pays_split(columns)) return {};
    const std::uint64_t least = least_unit_bytes / columns.value_size;
    if (least > 1 && are_of_units(columns, 1, least))
        return {}; // larger units were not measured against what is left over
    for (const std::uint64_t unit : {scanned_unit_bytes / columns.value_size, least}) {
        if (unit < 2 || columns.pitch % unit != 0 || columns.offset % unit != columns.results.offset % unit) continue;
        columns_split split;
        split.before = (unit - columns.offset % unit) % unit;
        split.behind = (columns.width - split.before) % unit;
        return split;
    }
    return {};
}

} // namespace upsweep::detail
