// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/run/reduce_segments.hpp>
#include <upsweep/detail/self_check/each_check.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

// The self-check of reductions of segments from the sums of blocks. A device that fails it reduces them by a scan.

namespace upsweep::detail {

/// Sums of segments of floats, each with an initial value, or none where the device's compiler does not build the
/// kernels.
UPSWEEP_INLINE std::vector<float> sum_segments_by_blocks(const check_bench& bench, const device_limits& limits,
                                                         const tuning& t, const std::vector<float>& elements,
                                                         const std::vector<std::uint32_t>& begins, float init) {
    const std::size_t count = begins.size() - 1;
    const owned<cl_mem> in = bench.upload(elements), offsets = bench.upload(begins);
    const owned<cl_mem> out = bench.upload(std::vector<std::uint32_t>(count, 0xa5a5a5a5U));
    program_text text;
    text.element = text.value = {"float", {}, sizeof(float)};
    text.op = {"segments of the self-check", "return left + right;",
               offset_helpers({"uint", {}, sizeof(std::uint32_t)})};
    const wait_list after;
    segments_request segments;
    segments.run.function = bench.function();
    segments.run.queue = bench.queue();
    segments.run.has_init = true;
    segments.run.init = {&init, sizeof init};
    segments.run.after = &after;
    segments.in = {in(), nullptr};
    segments.n = elements.size();
    segments.offsets = {offsets(), 0};
    segments.segments = count;
    segments.results = {out(), 0};
    segments.value_size = sizeof(float);
    segments.tuning = t;
    const auto program = find_program(bench.function(), limits, segments_key(segments, view_of(text)));
    if (!program) return {};
    const cl::Event done = reduce_segments(segments, *program);
    const std::vector<unsigned char> found = bench.read(out(), count * sizeof(float));
    std::vector<float> sums(count);
    std::memcpy(sums.data(), found.data(), found.size());
    return sums;
}

/// Whether segments may be reduced so on a device: checked at the first use.
UPSWEEP_INLINE bool are_segments_right(const char* function, const device_limits& limits, const queue_facts& queue) {
    if (!self_check_wanted()) return true;
    const own_check blocks{"segments by blocks", "reductions of segments from the sums of blocks",
                           "a scan of segments"};
    return own_verdict(function, limits, queue, blocks,
                       [&](const check_bench& bench) {
                           const each_answers<float> answers; // exact as floats
                           const std::vector<float> sums =
                               sum_segments_by_blocks(bench, limits, segments_tuning(limits, sizeof(float)), answers.in,
                                                      answers.offsets, static_cast<float>(answers.init));
                           return sums.empty() || sums == answers.out; // not built: not used
                       })
        .as_chosen;
}

} // namespace upsweep::detail
