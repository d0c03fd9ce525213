// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/segments/reduce_each.hpp>
#include <upsweep/detail/self_check/offsets_bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>

// The self-check of reductions of segments, each by one work-item. A device that fails it reduces them by a scan.

namespace upsweep::detail {

/// Whether the kernel gives the right sums of segments, or of rows, of numbers of type T. True where the device's
/// compiler does not build it: it is not used then.
/// @param width  of rows, with gaps between them; 0: segments by offsets
template <class T>
bool gives_each_answers(const check_bench& bench, const device_limits& limits, const char* type, bool has_vectors,
                        std::uint32_t width) {
    constexpr std::size_t gap = 3;
    const offsets_answers<T> answers(width);
    std::vector<T> in;
    for (std::size_t i = 0; i < answers.in.size(); ++i) {
        if (width > 0 && i > 0 && i % width == 0) in.insert(in.end(), gap, T{13});
        in.push_back(answers.in[i]);
    }
    offsets_bench<T> sums(bench, type, in, answers.offsets, answers.init);
    sums.text.op.traits.combines_vectors = sums.text.op.traits.commutative = has_vectors;
    each_request each;
    sums.fill_in(each);
    each.has_vectors = has_vectors;
    if (width > 0) {
        each.offsets = {};
        each.width = width;
        each.gap = gap;
    }
    const auto program = find_program(bench.function(), limits, each_key(each, view_of(sums.text)));
    if (!program) return true;
    const cl::Event done = reduce_each(each, *program, limits);
    return sums.results() == answers.out;
}

/// Segments, and rows by the same program, whose kernel is another.
template <class T>
bool gives_each_answers(const check_bench& bench, const device_limits& limits, const char* type, bool has_vectors) {
    return gives_each_answers<T>(bench, limits, type, has_vectors, 0) &&
           gives_each_answers<T>(bench, limits, type, has_vectors, 71);
}

/// Whether segments may be reduced so on a device: checked at the first use, of integers, and of floats, whose order
/// counts; and once more of each of them that are loaded as vectors.
/// @param is_exact  the operator, which takes other vectors
UPSWEEP_INLINE bool is_each_right(const char* function, const device_limits& limits, const queue_facts& queue,
                                  bool has_vectors, bool is_exact) {
    if (!self_check_wanted()) return true;
    const own_check each{!has_vectors ? "segments by work-items"
                         : is_exact   ? "segments by work-items in exact vectors"
                                      : "segments by work-items in vectors",
                         "reductions of segments, each by one work-item", "a scan of segments"};
    return own_verdict(function, limits, queue, each,
                       [&](const check_bench& bench) {
                           const bool of_floats = !has_vectors || !is_exact;
                           const bool of_integers = !has_vectors || is_exact;
                           return (!of_integers ||
                                   gives_each_answers<std::uint32_t>(bench, limits, "uint", has_vectors)) &&
                                  (!of_floats || gives_each_answers<float>(bench, limits, "float", has_vectors));
                       })
        .as_chosen;
}

} // namespace upsweep::detail
