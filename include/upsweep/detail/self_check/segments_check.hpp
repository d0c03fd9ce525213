// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/run/reduce_segments.hpp>
#include <upsweep/detail/self_check/offsets_bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <vector>

// The self-check of reductions of segments from the sums of blocks. A device that fails it reduces them by a scan.

namespace upsweep::detail {

/// Sums of segments of floats, each with an initial value, or none where the device's compiler does not build the
/// kernels.
/// @param per_team  tiles
UPSWEEP_INLINE std::vector<float> sum_segments_by_blocks(const check_bench& bench, const device_limits& limits,
                                                         const tuning& t, const std::vector<float>& elements,
                                                         const std::vector<std::uint32_t>& begins, float init,
                                                         std::uint64_t per_team) {
    const offsets_bench<float> sums(bench, "float", elements, begins, init);
    segments_request segments;
    sums.fill_in(segments);
    segments.tuning = t;
    segments.per_team = per_team;
    const auto program = find_program(bench.function(), limits, segments_key(segments, view_of(sums.text)));
    if (!program) return {};
    const cl::Event done = reduce_segments(segments, *program);
    return sums.results();
}

/// Whether the kernels give the right sums. True where they are not built: they are not used then.
UPSWEEP_INLINE bool gives_segment_answers(const check_bench& bench, const device_limits& limits) {
    const offsets_answers<float> answers;
    const std::vector<float> sums = sum_segments_by_blocks(bench, limits, segments_tuning(limits, sizeof(float)),
                                                           answers.in, answers.offsets, answers.init, most_team_tiles);
    return sums.empty() || sums == answers.out;
}

/// Whether segments may be reduced so on a device: checked at the first use.
UPSWEEP_INLINE bool are_segments_right(const char* function, const device_limits& limits, const queue_facts& queue) {
    if (!self_check_wanted()) return true;
    const own_check blocks{"segments by blocks", "reductions of segments from the sums of blocks",
                           "a scan of segments"};
    return own_verdict(function, limits, queue, blocks,
                       [&](const check_bench& bench) { return gives_segment_answers(bench, limits); })
        .as_chosen;
}

} // namespace upsweep::detail
