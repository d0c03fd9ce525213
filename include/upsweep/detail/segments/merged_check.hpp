// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/segments/reduce_merged.hpp>
#include <upsweep/detail/self_check/offsets_bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <vector>

// The self-check of reductions of segments that are merged with the elements. A device that fails it reduces them by a
// scan.

namespace upsweep::detail {

/// Numbers in segments: short ones, some of them empty, with long ones between them, and one of more work-groups of the
/// second launch than a work-group of the third looks at first; and their sums.
struct merged_answers {
    UPSWEEP_INLINE merged_answers() {
        std::uint32_t x = 1;
        for (std::uint32_t k = 0; k < 3000; ++k) {
            x = x * 1664525U + 1013904223U;
            std::uint32_t length = (x >> 24) % 6;
            if (k % 500 == 250) length = 3001;
            if (k == 1700) length = 150 * merged_work_items * merged_items + 7;
            std::uint32_t sum = init;
            for (std::uint32_t i = 0; i < length; ++i) {
                x = x * 1664525U + 1013904223U;
                in.push_back(x);
                sum += x;
            }
            out.push_back(sum);
            offsets.push_back(static_cast<std::uint32_t>(in.size()));
        }
        in.push_back(x); // in no segment
    }

    static constexpr std::uint32_t init = 77;
    std::vector<std::uint32_t> in, out, offsets = std::vector<std::uint32_t>(1);
};

/// Whether the kernels give these answers. True where the device's compiler does not build them: they are not used
/// then.
UPSWEEP_INLINE bool gives_merged_answers(const check_bench& bench, const device_limits& limits) {
    const merged_answers answers;
    // Shares are listed from the ends, then searched for.
    for (const std::uint64_t least_ends : {std::uint64_t{0}, std::uint64_t{answers.out.size() + 1}}) {
        offsets_bench<std::uint32_t> sums(bench, "uint", answers.in, answers.offsets, answers.init);
        sums.text.op.traits.commutative = true;
        merged_request merged;
        sums.fill_in(merged);
        merged.work_items = merged_group_size(limits, merged.value_size);
        merged.least_ends = least_ends;
        const auto program = find_program(bench.function(), limits, merged_key(merged, limits, view_of(sums.text)));
        if (!program) return true;
        const cl::Event done = reduce_merged(merged, *program);
        if (sums.results() != answers.out) return false;
    }
    return true;
}

/// Whether segments may be reduced so on a device: checked at the first use.
UPSWEEP_INLINE bool are_merged_right(const char* function, const device_limits& limits, const queue_facts& queue) {
    if (!self_check_wanted()) return true;
    const own_check merged{"merged segments", "reductions of segments that are merged with the elements",
                           "a scan of segments"};
    return own_verdict(function, limits, queue, merged,
                       [&](const check_bench& bench) { return gives_merged_answers(bench, limits); })
        .as_chosen;
}

} // namespace upsweep::detail
