#pragma once

#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// log2 of the local-memory banks; 32 on every GPU of the last decade that documents them.
constexpr std::uint32_t bank_bits = 5;

/// Local memory that a tuning's kernels declare, in bytes: the largest of staging a tile, the scan's slots and the
/// reduction's. Follows the *_SLOTS macros of the kernel files.
inline std::uint64_t local_bytes(const tuning& t, std::size_t value_size) {
    const auto padded = [&](std::uint64_t count) {
        return t.bank_padding ? count + ((count - 1) >> bank_bits) : count;
    };
    if (t.work_items == 1 && t.strategy == strategy::chunked) return 0;
    if (t.algorithm == tile_algorithm::sub_group) {
        const std::uint64_t sub_groups = t.work_items / sub_group_lanes;
        if (t.strategy != strategy::look_back)
            return std::uint64_t{reduce_local_entries} * value_size + reduce_staged_bytes + 16;
        return std::uint64_t{t.items / t.pack} * t.work_items * std::max<std::size_t>(16, value_size) +
               (sub_groups + 2) * value_size + 16;
    }
    const std::uint64_t staging = t.staged ? padded(t.tile()) : 1;
    const std::uint64_t count =
        t.algorithm == tile_algorithm::hillis_steele ? 2 * std::uint64_t{t.work_items} : padded(t.work_items);
    return (std::max)(staging, count) * value_size;
}

} // namespace upsweep::detail
