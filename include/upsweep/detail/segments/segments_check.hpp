// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/segments/reduce_segments.hpp>
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
/// @param width     of the segments, if they are rows: then it takes the place of offsets
template <class T>
std::vector<T> sum_segments_by_blocks(const check_bench& bench, const device_limits& limits, const char* type,
                                      const tuning& t, const std::vector<T>& elements,
                                      const std::vector<std::uint32_t>& begins, T init, std::uint64_t per_team,
                                      std::uint32_t width = 0) {
    offsets_bench<T> sums(bench, type, elements, begins, init);
    if (width != 0) sums.use_width(width);
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
bool gives_segment_answers(const check_bench& bench, const device_limits& limits, const char* type,
                           std::uint32_t width) {
    const offsets_answers<T> answers(width);
    const std::vector<T> sums =
        sum_segments_by_blocks(bench, limits, type, segments_tuning(limits, sizeof(T), std::is_integral<T>::value),
                               answers.in, answers.offsets, answers.init, most_team_tiles, width);
    return sums.empty() || sums == answers.out;
}

/// Whether segments may be reduced so on a device: checked at the first use.
/// @param has_differences  sums are taken apart
/// @param are_rows         segments are rows, whose offsets are computed
UPSWEEP_INLINE bool are_segments_right(const char* function, const device_limits& limits, const queue_facts& queue,
                                       bool has_differences, bool are_rows) {
    if (!self_check_wanted()) return true;
    struct check_names {
        const char* name;
        const char* checked;
    };
    constexpr check_names all[2][2] = {
        {{"segments by blocks", "reductions of segments from the sums of blocks"},
         {"segments by differences", "reductions of segments from the differences of sums"}},
        {{"rows by blocks", "reductions of rows from the sums of blocks"},
         {"rows by differences", "reductions of rows from the differences of sums"}}};
    const check_names& names = all[are_rows][has_differences];
    const own_check check{names.name, names.checked, are_rows ? "sub-groups or a scan" : "a scan of segments"};
    const std::uint32_t width = are_rows ? 37 : 0;
    return own_verdict(function, limits, queue, check,
                       [&](const check_bench& bench) {
                           return has_differences ? gives_segment_answers<std::uint32_t>(bench, limits, "uint", width)
                                                  : gives_segment_answers<float>(bench, limits, "float", width);
                       })
        .as_chosen;
}

} // namespace upsweep::detail
