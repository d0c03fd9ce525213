// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/plan/state_bytes.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// Launches of a few work-groups, each of which goes through a chunk or part of its own.
namespace upsweep::detail {

/// Numbers of chunks.
struct chunk_counts {
    std::uint64_t now;  ///< that the elements have
    std::uint64_t most; ///< that as many elements or fewer have at most; it does not fall as elements get more
};

/// Divides the elements into chunks, of which the last may have fewer elements than the others.
UPSWEEP_INLINE chunk_counts divide_into_chunks(launch_plan& s) {
    const std::uint64_t smallest = std::max<std::uint64_t>(s.tuning.tile(), 1 << 12);
    const std::uint64_t wanted =
        std::max<std::uint64_t>(1, std::min<std::uint64_t>(s.tuning.work_groups, s.n / smallest));
    const std::uint64_t share = divide_up(s.n, wanted);
    const std::uint64_t whole = std::max<std::uint64_t>(1, divide_up(share, s.tuning.tile())) * s.tuning.tile();
    s.chunk = (std::max)(share, whole); // unless rounding up went past 64 bits
    // In the canonical order the sums of chunks are those of its blocks.
    if (s.tuning.tree_run > 1 && wanted > 1) s.chunk = ceil_power_of_two(s.chunk);
    return {std::max<std::uint64_t>(1, divide_up(s.n, s.chunk)), wanted};
}

/// Divides the elements into full chunks of a power of two, about eight per compute unit, and the rest. Fewer than 2^31
/// chunks: the work-groups of one launch count how many are done in 32 bits.
UPSWEEP_INLINE chunk_counts divide_into_parts(launch_plan& s) {
    constexpr std::uint64_t smallest = 1U << 12;
    constexpr std::uint64_t usual = 1U << 16;
    constexpr std::uint64_t most = 1U << 30;
    const std::uint64_t wanted =
        (std::max)(std::uint64_t{1}, (std::min)(8 * std::uint64_t{s.tuning.work_groups}, most / 2));
    const std::uint64_t largest = (std::max)(usual, ceil_power_of_two(divide_up(s.n, most)));
    const std::uint64_t share = s.n / wanted;
    s.chunk = share < largest ? std::max<std::uint64_t>(smallest, floor_power_of_two(share)) : largest;
    const std::uint64_t in_largest = (std::min)(s.n / usual, most);
    return {s.n / s.chunk, (std::min)(s.n / smallest, (std::max)(2 * wanted, in_largest))};
}

/// The first launch leaves the sum of each chunk, if there are several. Returns how many there are.
UPSWEEP_INLINE std::uint64_t plan_chunk_sums(launch_plan& s, scratch_layout& layout) {
    const chunk_counts chunks = divide_into_chunks(s);
    if (chunks.now > 1) {
        layout.add(chunks.most);
        s.passes.push_back(pass::over_elements(pass::kind::reduce_chunks, s.n, chunks.now).writing_sums());
    }
    return chunks.now;
}

UPSWEEP_INLINE void plan_scan_chunks(launch_plan& s, scratch_layout& layout) {
    const std::uint64_t chunks = plan_chunk_sums(s, layout);
    s.passes.push_back(pass::over_elements(pass::kind::scan_chunks, s.n, chunks).reading_sums(chunks > 1));
}

/// A reduction in the canonical order by work-items on their own: the sums of full chunks, then those and the rest.
UPSWEEP_INLINE void plan_parts(launch_plan& s, scratch_layout& layout) {
    using kind = pass::kind;
    const chunk_counts parts = divide_into_parts(s);
    if (parts.now > 0) {
        layout.add(parts.most);
        s.passes.push_back(pass::over_elements(kind::reduce_chunks, parts.now * s.chunk, parts.now).writing_sums());
    }
    s.passes.push_back(pass::over_elements(kind::finish_parts, s.n, 1).reading_sums(parts.now > 0));
}

UPSWEEP_INLINE void plan_reduce_chunks(launch_plan& s, scratch_layout& layout) {
    if (s.tuning.tree_run > 1) return plan_parts(s, layout);
    const std::uint64_t chunks = plan_chunk_sums(s, layout);
    s.passes.push_back(chunks > 1 ? pass::over(pass::kind::reduce_chunks, 1, chunks, 1)
                                  : pass::over_elements(pass::kind::reduce_chunks, s.n, 1));
}

/// The same in one launch (reduce_chunks_once.cl). One work-group needs no state.
UPSWEEP_INLINE void plan_reduce_chunks_once(launch_plan& s, std::size_t value_size) {
    const chunk_counts chunks = s.tuning.tree_run > 1 ? divide_into_parts(s) : divide_into_chunks(s);
    const std::uint64_t groups = std::max<std::uint64_t>(1, chunks.now);
    s.passes.push_back(pass::over_elements(pass::kind::reduce_chunks_once, s.n, groups));
    s.scratch_bytes = chunks.most > 1 ? state_bytes(chunks.most, value_size) : 0;
}

} // namespace upsweep::detail
