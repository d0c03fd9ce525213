// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/run/reduce_each.hpp>
#include <upsweep/detail/self_check/offsets_bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>

// The self-check of reductions of segments, each by one work-item. A device that fails it reduces them by a scan.

namespace upsweep::detail {

/// Whether the kernel gives the right sums of numbers of type T. True where the device's compiler does not build it: it
/// is not used then.
template <class T>
bool gives_each_answers(const check_bench& bench, const device_limits& limits, const char* type) {
    const offsets_answers<T> answers;
    const offsets_bench<T> sums(bench, type, answers.in, answers.offsets, answers.init);
    each_request each;
    sums.fill_in(each);
    const auto program = find_program(bench.function(), limits, each_key(each, view_of(sums.text)));
    if (!program) return true;
    const cl::Event done = reduce_each(each, *program, limits);
    return sums.results() == answers.out;
}

/// Whether segments may be reduced so on a device: checked at the first use, of integers, and of floats, whose order
/// counts.
UPSWEEP_INLINE bool is_each_right(const char* function, const device_limits& limits, const queue_facts& queue) {
    if (!self_check_wanted()) return true;
    const own_check each{"segments by work-items", "reductions of segments, each by one work-item",
                         "a scan of segments"};
    return own_verdict(function, limits, queue, each,
                       [&](const check_bench& bench) {
                           return gives_each_answers<std::uint32_t>(bench, limits, "uint") &&
                                  gives_each_answers<float>(bench, limits, "float");
                       })
        .as_chosen;
}

} // namespace upsweep::detail
