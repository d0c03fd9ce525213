// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/run/reduce_segments.hpp>
#include <upsweep/detail/self_check/offsets_bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <type_traits>
#include <vector>

// The self-check of reductions of segments from the sums of blocks. A device that fails it reduces them by a scan.

namespace upsweep::detail {

/// Sums of segments, each with an initial value, or none where the device's compiler does not build the kernels. Those
/// of integers are differences.
/// @param type      T in OpenCL C
/// @param per_team  tiles
template <class T>
std::vector<T> sum_segments_by_blocks(const check_bench& bench, const device_limits& limits, const char* type,
                                      const tuning& t, const std::vector<T>& elements,
                                      const std::vector<std::uint32_t>& begins, T init, std::uint64_t per_team) {
    offsets_bench<T> sums(bench, type, elements, begins, init);
    if (std::is_integral<T>::value) allow_differences(sums.text.op, type);
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
template <class T>
bool gives_segment_answers(const check_bench& bench, const device_limits& limits, const char* type) {
    const offsets_answers<T> answers;
    const std::vector<T> sums =
        sum_segments_by_blocks(bench, limits, type, segments_tuning(limits, sizeof(T), std::is_integral<T>::value),
                               answers.in, answers.offsets, answers.init, most_team_tiles);
    return sums.empty() || sums == answers.out;
}

/// Whether segments may be reduced so on a device: checked at the first use.
/// @param has_differences  sums are taken apart
UPSWEEP_INLINE bool are_segments_right(const char* function, const device_limits& limits, const queue_facts& queue,
                                       bool has_differences) {
    if (!self_check_wanted()) return true;
    const own_check blocks{"segments by blocks", "reductions of segments from the sums of blocks",
                           "a scan of segments"};
    const own_check differences{"segments by differences", "reductions of segments from the differences of sums",
                                "a scan of segments"};
    return own_verdict(function, limits, queue, has_differences ? differences : blocks,
                       [&](const check_bench& bench) {
                           return has_differences ? gives_segment_answers<std::uint32_t>(bench, limits, "uint")
                                                  : gives_segment_answers<float>(bench, limits, "float");
                       })
        .as_chosen;
}

} // namespace upsweep::detail
