// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/segment_plan.hpp>
#include <upsweep/identity.hpp>
#include <upsweep/no_init.hpp>
#include <upsweep/options.hpp>
#include <upsweep/segments.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>

/// @file
/// Scans and reductions of segments that are prepared once and run often: to the functions of segments.hpp what
/// `scan_plan` is to a scan.
///
/// @code
/// const auto plan = upsweep::make_reduce_plan(queue, upsweep::segments(x, offsets));
/// for (int step = 0; step < steps; ++step) plan.reduce(queue, upsweep::segments(y, other_offsets), sums, 0.0f);
/// @endcode
///
/// A plan is made for a view, and its calls are on views of the same kind, made of arrays of the same types and of the
/// same texts, of up to as many elements. They do what the functions of the same names do, with their errors, launches
/// and elements moved, and are safe from many threads at once. Errors of a plan's own: more elements than its capacity,
/// a queue of another device, another kind of segments or another text, an operator with parameters.
///
/// A plan holds the programs that calls on such a view need. Segments of other lengths may take another way (`reduce`
/// of segments says which), and an initial value on the device or a scan of rows in place another program; the first
/// such call builds it. Scratch is the library's own.

namespace upsweep {

namespace detail {

/// What plans of segments have in common.
template <class T, class Out, class Op>
class segments_plan {
public:
    /// The most elements of a call.
    std::size_t capacity() const noexcept { return capacity_; }

protected:
    /// @param like        segments as those of calls
    /// @param results     what calls may give
    /// @param count_size  bytes of the number of segments, where calls give that
    segments_plan(const char* function, queue_handle queue, const segmented_view<T>& like, const Op& op,
                  const std::initializer_list<segment_results>& results, const options& opts,
                  std::size_t count_size = 1)
        : capacity_(static_cast<std::size_t>(like.input().size())) {
        const wait_list none;
        segment_arguments a =
            arguments_of_segments<T, Out>(function, queue, like, span<Out>(), *results.begin(), nullptr, none);
        a.total.element_size = count_size;
        plan_ = prepare_segments(a, checked_types<T, Out>(op), results, opts);
    }
    // Moves are copies, which share what is behind them.
    segments_plan(const segments_plan&) = default;
    segments_plan& operator=(const segments_plan&) = default;

    /// A call with the plan.
    cl::Event run(const segment_arguments& a) const { return cl::Event(call_segments(*plan_, a)); }
    /// The same with these arguments.
    cl::Event run(const char* function, queue_handle queue, const segmented_view<T>& in, span<Out> out,
                  segment_results results, const given_value<Out>& init, const wait_list& after) const {
        const value_of_nothing<Out> empty{};
        return run(arguments_of_segments<T, Out>(function, queue, in, out, results, init, after, &empty));
    }

private:
    std::size_t capacity_;
    std::shared_ptr<const prepared_segments> plan_;
};

} // namespace detail

/// Scans of segments that are prepared.
/// @tparam T    type of the elements
/// @tparam Out  type of the output's elements, in which they are combined
/// @tparam Op   the operator
template <class T, class Out = T, class Op = plus>
class segmented_scan_plan : public detail::segments_plan<T, Out, Op> {
public:
    /// Builds programs that were not built before, of the inclusive scan and of the exclusive one.
    /// @param queue  names context and device; calls may use any other queue of both
    /// @param like   segments as those of calls; its arrays are not looked at
    /// @param op     associative
    /// @param opts   what is not left to the library
    /// @throws upsweep::error as #inclusive_scan of segments, of what concerns no array
    segmented_scan_plan(queue_handle queue, const segmented_view<T>& like, const Op& op = {}, const options& opts = {})
        : detail::segments_plan<T, Out, Op>("segmented_scan_plan", queue, like, op,
                                            {detail::segment_results::inclusive, detail::segment_results::exclusive},
                                            opts) {}

    /// As #inclusive_scan of segments.
    cl::Event inclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out,
                             const wait_list& after = {}) const {
        return this->run("inclusive_scan", queue, in, out, detail::segment_results::inclusive, nullptr, after);
    }
    /// With an initial value. It takes a program that the first such call builds.
    cl::Event inclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out,
                             const detail::initial_value<Out>& init, const wait_list& after = {}) const {
        return this->run("inclusive_scan", queue, in, out, detail::segment_results::inclusive, init.get(), after);
    }
    /// As #exclusive_scan of segments.
    cl::Event exclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out,
                             const detail::initial_value<Out>& init, const wait_list& after = {}) const {
        return this->run("exclusive_scan", queue, in, out, detail::segment_results::exclusive, init.get(), after);
    }
    /// Exclusive, from the identity of one of the library's operators (`identity_of`).
    template <class Events, class = detail::require_events<Events>>
    cl::Event exclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out,
                             const Events& after) const {
        return exclusive_scan(queue, in, out, identity_of<Out, Op>(), after);
    }
    /// The same, after no event.
    cl::Event exclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out) const {
        return exclusive_scan(queue, in, out, wait_list());
    }
};

/// Reductions of segments that are prepared; parameters and arguments as for `segmented_scan_plan`.
template <class T, class Out = T, class Op = plus>
class segmented_reduce_plan : public detail::segments_plan<T, Out, Op> {
public:
    /// @param queue  names context and device
    /// @param like   segments as those of calls
    /// @param op     associative
    /// @param opts   what is not left to the library
    /// @throws upsweep::error as #reduce of segments, of what concerns no array
    segmented_reduce_plan(queue_handle queue, const segmented_view<T>& like, const Op& op = {},
                          const options& opts = {})
        : detail::segments_plan<T, Out, Op>("segmented_reduce_plan", queue, like, op,
                                            {detail::segment_results::per_segment}, opts) {}

    /// As #reduce of segments.
    cl::Event reduce(queue_handle queue, const segmented_view<T>& in, span<Out> results,
                     const detail::initial_value<Out>& init, const wait_list& after = {}) const {
        return this->run("reduce", queue, in, results, detail::segment_results::per_segment, init.get(), after);
    }
    /// Without an initial value; an empty segment gives Out{}.
    cl::Event reduce(queue_handle queue, const segmented_view<T>& in, span<Out> results, no_init_t = no_init,
                     const wait_list& after = {}) const {
        return this->run("reduce", queue, in, results, detail::segment_results::per_segment, nullptr, after);
    }
};

/// Reductions by keys that are prepared; parameters and arguments as for `segmented_scan_plan`.
/// @tparam Key    type of the keys
/// @tparam Count  `std::uint32_t` or `std::uint64_t`
template <class T, class Key, class Out = T, class Count = std::uint32_t, class Op = plus>
class reduce_by_key_plan : public detail::segments_plan<T, Out, Op> {
public:
    /// @param queue  names context and device
    /// @param like   elements and keys as those of calls
    /// @param op     associative
    /// @param opts   what is not left to the library
    /// @throws upsweep::error as #reduce_by_key, of what concerns no array
    reduce_by_key_plan(queue_handle queue, const keyed_view<T, Key>& like, const Op& op = {}, const options& opts = {})
        : detail::segments_plan<T, Out, Op>("reduce_by_key_plan", queue, like, op, {detail::segment_results::per_key},
                                            opts, sizeof(Count)) {}

    /// As #reduce_by_key.
    cl::Event reduce_by_key(queue_handle queue, const keyed_view<T, Key>& in, span<Key> keys, span<Out> values,
                            span<Count> count, const wait_list& after = {}) const {
        return this->run(detail::arguments_of_keys(queue, in, keys, values, count, after));
    }
};

/// @{ Makes a plan of segments, without a word on types: `make_scan_plan(queue, rows(x, height, width))`.
template <class T, class Op = plus>
segmented_scan_plan<T, T, Op> make_scan_plan(queue_handle queue, const segmented_view<T>& like, const Op& op = {},
                                             const options& opts = {}) {
    return {queue, like, op, opts};
}
/// Of reductions.
template <class T, class Op = plus>
segmented_reduce_plan<T, T, Op> make_reduce_plan(queue_handle queue, const segmented_view<T>& like, const Op& op = {},
                                                 const options& opts = {}) {
    return {queue, like, op, opts};
}
/// Of reductions by keys.
/// @throws upsweep::error as the plan
template <class T, class Key, class Op = plus>
reduce_by_key_plan<T, Key, T, std::uint32_t, Op> make_reduce_by_key_plan(queue_handle queue,
                                                                         const keyed_view<T, Key>& like,
                                                                         const Op& op = {}, const options& opts = {}) {
    return {queue, like, op, opts};
}
/// @}

} // namespace upsweep
