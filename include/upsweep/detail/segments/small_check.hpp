// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/segments/reduce_small.hpp>
#include <upsweep/detail/segments/rows_check.hpp>
#include <upsweep/detail/self_check/offsets_bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <vector>

// The self-check of reductions of small segments by sub-groups. A device that fails it reduces them in another way.

namespace upsweep::detail {

/// Numbers in segments, by an operator whose order counts or not, and what they are reduced to.
class small_answers {
public:
    /// @param lengths  of the segments
    UPSWEEP_INLINE small_answers(bool any_order, const std::vector<std::uint32_t>& lengths)
        : op(any_order) {
        offsets.push_back(0);
        check_numbers numbers;
        for (const std::uint32_t length : lengths) {
            const std::uint32_t begin = offsets.back();
            for (std::uint32_t i = 0; i < length; ++i) in.push_back(numbers.next());
            offsets.push_back(begin + length);
            const auto element = [&](std::uint64_t i) { return i == begin ? op(init, in[i]) : in[i]; };
            out.push_back(length == 0 ? init : op.sum(begin, begin + length, element));
        }
        in.push_back(numbers.next()); // in no segment
    }

    static constexpr std::uint32_t init = 77;
    const ordered_operator op;
    std::vector<std::uint32_t> in, out, offsets;
};

/// Whether the kernel gives these answers. True where the device's compiler does not build it: it is not used then.
/// @param shares  all work-groups share segments, as soon as they may
/// @param width   of the segments, if they are rows: then it takes the place of offsets
UPSWEEP_INLINE bool gives_small_answers(const check_bench& bench, const device_limits& limits, bool any_order,
                                        const std::vector<std::uint32_t>& lengths, bool shares,
                                        std::uint32_t width = 0) {
    const small_answers answers(any_order, lengths);
    offsets_bench<std::uint32_t> segments(bench, "uint", answers.in, answers.offsets, answers.init);
    segments.text.op.body = answers.op.body();
    segments.text.op.traits.commutative = any_order;
    if (width != 0) segments.use_width(width);
    segments.text.op.helpers += small_helpers(shares);
    small_request request;
    segments.fill_in(request);
    request.any_order = any_order;
    request.shares = request.shares_all = shares;
    const program_key key = small_key(request, limits, view_of(segments.text));
    const auto program = find_program(bench.function(), limits, key);
    if (!program) return true;
    const cl::Event done = reduce_small(request, *program, limits);
    return segments.results() == answers.out;
}

/// Whether segments of small arrays may be reduced so on a device: checked at the first use, once for each order, with
/// segments that are shared and without.
UPSWEEP_INLINE bool are_small_right(const char* function, const device_limits& limits, const queue_facts& queue,
                                    bool any_order, bool shares) {
    if (!self_check_wanted()) return true;
    const char* const name = shares      ? any_order ? "shared segments in any order" : "shared segments"
                             : any_order ? "small segments in any order"
                                         : "small segments";
    const own_check way{name, "reductions of segments by sub-groups", "several launches"};
    const auto is_right = [&](const check_bench& bench) {
        // Of a sub-group each, but for two of one work-group; then of all sub-groups of a work-group. Long ones have
        // more parts than a sub-group has lanes.
        constexpr std::uint32_t longest = 40000;
        const std::uint64_t groups = most_small_groups(limits);
        std::vector<std::uint32_t> mixed;
        for (std::uint32_t k = 0; k < 2000; ++k)
            mixed.push_back(k == 5 || k == 5 + groups ? longest + k : k % 50 == 0 ? k : k % 7);
        std::vector<std::uint32_t> few{3, 1300, 5, 0, longest};
        if (shares) {
            // Parts of one are joined by a work-group, of others by a sub-group.
            few = {3, 70001, 0, 1300};
            for (std::uint32_t k = 0; k < 40; ++k) few.insert(few.end(), {4000 + k, k % 7});
        }
        return gives_small_answers(bench, limits, any_order, mixed, shares) &&
               gives_small_answers(bench, limits, any_order, few, shares);
    };
    return own_verdict(function, limits, queue, way, is_right).as_chosen;
}

} // namespace upsweep::detail
