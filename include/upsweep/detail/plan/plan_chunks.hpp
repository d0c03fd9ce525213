// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstdint>

/// Launches of a few work-groups, each of which goes through a chunk or part of its own.
namespace upsweep::detail {

/// Divides the elements into chunks; the first launch leaves the sum of each, if there are several. Returns how many
/// there are.
UPSWEEP_INLINE std::uint64_t plan_chunk_sums(launch_plan& s, scratch_layout& layout) {
    const std::uint64_t smallest = std::max<std::uint64_t>(s.tuning.tile(), 1 << 12);
    const std::uint64_t wanted =
        std::max<std::uint64_t>(1, std::min<std::uint64_t>(s.tuning.work_groups, s.n / smallest));
    const std::uint64_t share = divide_up(s.n, wanted);
    const std::uint64_t whole = std::max<std::uint64_t>(1, divide_up(share, s.tuning.tile())) * s.tuning.tile();
    s.chunk = (std::max)(share, whole); // unless rounding up went past 64 bits
    // In the canonical order the sums of chunks are those of its blocks.
    if (s.tuning.tree_run > 1 && wanted > 1) s.chunk = ceil_power_of_two(s.chunk);
    const std::uint64_t chunks = std::max<std::uint64_t>(1, divide_up(s.n, s.chunk));
    if (chunks > 1) {
        layout.add(wanted); // at least as many, but never less for a larger n
        s.passes.push_back(pass::over_elements(pass::kind::reduce_chunks, s.n, chunks).writing_sums());
    }
    return chunks;
}

UPSWEEP_INLINE void plan_scan_chunks(launch_plan& s, scratch_layout& layout) {
    const std::uint64_t chunks = plan_chunk_sums(s, layout);
    s.passes.push_back(pass::over_elements(pass::kind::scan_chunks, s.n, chunks).reading_sums(chunks > 1));
}

/// A reduction in the canonical order by work-items on their own: parts of a power of two, about eight per compute
/// unit, then their sums and the rest.
UPSWEEP_INLINE void plan_parts(launch_plan& s, scratch_layout& layout) {
    using kind = pass::kind;
    constexpr std::uint32_t smallest = 1U << 12;
    constexpr std::uint32_t largest = 1U << 16;
    const std::uint64_t wanted = std::max<std::uint64_t>(1, 8 * std::uint64_t{s.tuning.work_groups});
    s.chunk = (std::max)(smallest, (std::min)(largest, floor_power_of_two(s.n / wanted)));
    const std::uint64_t parts = s.n / s.chunk;
    if (parts > 0) {
        layout.add((std::min)(s.n / smallest, (std::max)(2 * wanted, s.n / largest))); // never less for a larger n
        s.passes.push_back(pass::over_elements(kind::reduce_chunks, parts * s.chunk, parts).writing_sums());
    }
    s.passes.push_back(pass::over_elements(kind::finish_parts, s.n, 1).reading_sums(parts > 0));
}

UPSWEEP_INLINE void plan_reduce_chunks(launch_plan& s, scratch_layout& layout) {
    if (s.tuning.tree_run > 1) return plan_parts(s, layout);
    const std::uint64_t chunks = plan_chunk_sums(s, layout);
    s.passes.push_back(chunks > 1 ? pass::over(pass::kind::reduce_chunks, 1, chunks, 1)
                                  : pass::over_elements(pass::kind::reduce_chunks, s.n, 1));
}

} // namespace upsweep::detail
