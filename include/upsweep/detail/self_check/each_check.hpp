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
bool gives_each_answers(const check_bench& bench, const device_limits& limits, const char* type,
                        bool has_vectors = false) {
    const offsets_answers<T> answers;
    offsets_bench<T> sums(bench, type, answers.in, answers.offsets, answers.init);
    sums.text.op.traits.combines_vectors = has_vectors;
    each_request each;
    sums.fill_in(each);
    each.has_vectors = has_vectors;
    const auto program = find_program(bench.function(), limits, each_key(each, view_of(sums.text)));
    if (!program) return true;
    const cl::Event done = reduce_each(each, *program, limits);
    return sums.results() == answers.out;
}

/// Whether segments may be reduced so on a device: checked at the first use, of integers, and of floats, whose order
/// counts; and once more of floats that are loaded as vectors.
UPSWEEP_INLINE bool is_each_right(const char* function, const device_limits& limits, const queue_facts& queue,
                                  bool has_vectors) {
    if (!self_check_wanted()) return true;
    const own_check each{has_vectors ? "segments by work-items in vectors" : "segments by work-items",
                         "reductions of segments, each by one work-item", "a scan of segments"};
    return own_verdict(function, limits, queue, each,
                       [&](const check_bench& bench) {
                           if (has_vectors) return gives_each_answers<float>(bench, limits, "float", true);
                           return gives_each_answers<std::uint32_t>(bench, limits, "uint") &&
                                  gives_each_answers<float>(bench, limits, "float");
                       })
        .as_chosen;
}

} // namespace upsweep::detail
