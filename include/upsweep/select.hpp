// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/choice.hpp>
#include <upsweep/detail/selection/select_host.hpp>
#include <upsweep/detail/selection/select_views.hpp>
#include <upsweep/options.hpp>
#include <upsweep/span.hpp>

#include <string>
#include <type_traits>
#include <utility>

/// @file
/// What keeps some of the elements of an input, in their order: copy_if, partition, unique, unique_by_key and
/// run_length_encode.
///
/// Of the calls on device memory:
/// - The input is a span or a view (views.hpp). Elements are converted to the output's type, which may differ among
///   scalar types only.
/// - `count` is on the device, of `std::uint32_t` or `std::uint64_t`. It is always written, 0 for an empty input. So a
///   call needs no round trip to the host.
/// - An output may be shorter than the input. What does not fit is not written, and `count` says how much there was. Of
///   two outputs as much is written as there is room for in the shorter one.
/// - No output may overlap an input or another output: a place is written while what lay there may still be read.
/// - They are asynchronous and return the event of the last command. They throw `upsweep::error` before anything is
///   enqueued, as `inclusive_scan` does; strategy `scan_then_propagate` is refused.
///
/// Of the calls on host memory: they are blocking, as those of `<algorithm>`. The output may be the input.

namespace upsweep {

/// Copies the elements that are chosen, in their order. Asynchronous; the count stays on the device.
///
/// @code
/// upsweep::copy_if(queue, x, kept, count, "a > 0.5f");                                  // by a text
/// upsweep::copy_if(queue, x, kept, count, flags);                                       // by integers: not 0
/// upsweep::copy_if(queue, x, kept, count, upsweep::transform<int>("a < b", y, z));      // by other arrays
/// upsweep::copy_if(queue, upsweep::counting<cl_uint>(n), places, count, flags);         // the places
/// @endcode
///
/// @tparam View   a span or what `transform` makes
/// @tparam Out    type of the output's elements; may differ from the input's among scalar types
/// @tparam Count  `std::uint32_t` or `std::uint64_t`
/// @param queue   of the context that the buffers belong to; in-order or out-of-order
/// @param in      the input
/// @param out     receives what is chosen, as much as there is room for; nothing behind it is touched
/// @param count   its first element receives how many elements are chosen; 0 for an empty input
/// @param which   what is chosen
/// @param after   events to wait for
/// @param opts    what is not left to the library; `scan_then_propagate` is an error
/// @return the event of the last command
/// @throws upsweep::error before anything is enqueued, as #inclusive_scan; also where the count has too few bits for
///         the input, where flags or numbers are not as many as the elements, and where an output overlaps an input or
///         another output
///
/// @par Launches and elements moved
/// Those of an exclusive scan of integers: one launch where the strategy is `look_back` or `single_tile`. Where kernels
/// list what is chosen, as they do by default on devices with sub-groups and on CPUs, each launch reads once what
/// `which` reads; elsewhere it is read twice or, by strategies of several launches, three times. Each chosen element is
/// written once, and read once more unless it is an array's and was listed itself.
///
/// @par Source
/// A scan of marks whose results are places: G. E. Blelloch, Prefix Sums and Their Applications, 1990 (pack).
template <class View, class Out, class Count, class = detail::view_value<View>>
cl::Event copy_if(queue_handle queue, const View& in, span<Out> out, span<Count> count, const choice& which,
                  const wait_list& after = {}, const options& opts = {}) {
    detail::device_selection call("copy_if", queue, count, after);
    return call.mark(in, which).keep(in, out, "output").run(detail::selection::copy_if, opts);
}

/// Puts the elements that are chosen before those that are not, each in their order; otherwise as `copy_if`.
///
/// The output has at least as many elements as the input. The count is the place where the elements begin that are not
/// chosen.
///
/// @par Launches and elements moved
/// First the chosen elements are counted, which reads once more what `which` reads: in one launch, or in those of a
/// reduction. Then as `copy_if`, where every element is written.
template <class View, class Out, class Count, class = detail::view_value<View>>
cl::Event partition(queue_handle queue, const View& in, span<Out> out, span<Count> count, const choice& which,
                    const wait_list& after = {}, const options& opts = {}) {
    detail::device_selection call("partition", queue, count, after);
    return call.mark(in, which).keep(in, out, "output").run(detail::selection::partition, opts);
}

/// Copies the first of each run of equal neighbours; otherwise as `copy_if`. The count is the number of runs.
///
/// `equal` is OpenCL C, an expression or statements: whether `left` and `right`, an element and the one behind it, are
/// equal. For structs it has to be given; the default is `left == right`, of vectors `all(left == right)`, with which a
/// NaN is equal to nothing. The place of `right` is i, a `ulong`.
template <class View, class Out, class Count, class = detail::view_value<View>>
cl::Event unique(queue_handle queue, const View& in, span<Out> out, span<Count> count,
                 const detail::text_argument& equal = detail::default_equality<detail::view_value<View>>(),
                 const wait_list& after = {}, const options& opts = {}) {
    detail::device_selection call("unique", queue, count, after);
    return call.mark_runs(in, equal).keep(in, out, "output").run(detail::selection::copy_if, opts);
}

/// Copies the first key of each run of equal neighbours, and the value that belongs to it; otherwise as `unique` of the
/// keys, in launches, and as `copy_if` in errors. There are as many values as keys.
template <class Keys, class Values, class OutKey, class OutValue, class Count, class = detail::view_value<Keys>,
          class = detail::view_value<Values>>
cl::Event unique_by_key(queue_handle queue, const Keys& keys, const Values& values, span<OutKey> out_keys,
                        span<OutValue> out_values, span<Count> count,
                        const detail::text_argument& equal = detail::default_equality<detail::view_value<Keys>>(),
                        const wait_list& after = {}, const options& opts = {}) {
    detail::device_selection call("unique_by_key", queue, count, after);
    call.mark_runs(keys, equal, "keys").keep(keys, out_keys, "output keys", "keys");
    call.keep(values, out_values, "output values", "values");
    return call.run(detail::selection::copy_if, opts);
}

/// Writes the first of each run of equal neighbours, and the run's length; otherwise as `unique`, with the errors of
/// `copy_if`. The lengths are of an integer type that holds the longest.
///
/// @par Launches and elements moved
/// As `copy_if`, with the launches of an exclusive scan of `std::uint64_t`; of two of them beyond 2^31 elements.
template <class View, class Out, class Length, class Count, class = detail::view_value<View>>
cl::Event run_length_encode(queue_handle queue, const View& in, span<Out> out, span<Length> lengths, span<Count> count,
                            const detail::text_argument& equal = detail::default_equality<detail::view_value<View>>(),
                            const wait_list& after = {}, const options& opts = {}) {
    static_assert(std::is_integral<Length>::value, "upsweep: lengths are of an integer type");
    detail::device_selection call("run_length_encode", queue, count, after);
    call.mark_runs(in, equal).keep(in, out, "output").lengths(lengths);
    return call.run(detail::selection::run_length_encode, opts);
}

/// Copies the elements of host memory that are chosen, in their order, as `std::copy_if`. Blocking.
/// @param queue  on whose device it runs
/// @param first  an input iterator at least, over host memory; every element is read once
/// @param last   the end of the input
/// @param out    an output iterator; may be `first`
/// @param which  what is chosen
/// @param opts   what is not left to the library
/// @return the end of what was written
/// @throws upsweep::error before anything is built, for a range that does not fit the device's largest buffer; else as
///         the device form
///
/// @par Launches and elements moved
/// Those of the device form; n elements are copied to the device, and the chosen ones and their number back.
template <class InputIt, class OutputIt, class T = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>>
OutputIt copy_if(queue_handle queue, InputIt first, InputIt last, OutputIt out, const choice& which,
                 const options& opts = {}) {
    if constexpr (detail::check_element<T>()) {
        detail::host_selection<T, InputIt> call("copy_if", queue, first, last);
        call.run(detail::selection::copy_if, which, opts);
        return call.store(out);
    } else {
        return out;
    }
}

/// Puts the elements of host memory that are chosen before those that are not, each in their order. Blocking; otherwise
/// as `copy_if` of host memory.
/// @return where those begin that are not chosen
template <class InputIt, class ForwardIt, class T = detail::input_value<InputIt>,
          class = detail::require_iterator<ForwardIt>>
ForwardIt partition(queue_handle queue, InputIt first, InputIt last, ForwardIt out, const choice& which,
                    const options& opts = {}) {
    if constexpr (detail::check_element<T>()) {
        detail::host_selection<T, InputIt> call("partition", queue, first, last);
        call.run(detail::selection::partition, which, opts);
        return call.store_parts(out);
    } else {
        return out;
    }
}

/// Copies the first of each run of equal neighbours of host memory, as `std::unique_copy`. Blocking;
/// otherwise as `copy_if` of host memory, and `equal` as for `unique` of device memory.
/// @return the end of what was written
template <class InputIt, class OutputIt, class T = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>>
OutputIt unique(queue_handle queue, InputIt first, InputIt last, OutputIt out,
                const detail::text_argument& equal = detail::default_equality<T>(), const options& opts = {}) {
    if constexpr (detail::check_element<T>()) {
        detail::host_selection<T, InputIt> call("unique", queue, first, last);
        call.run_equal(detail::selection::copy_if, equal, opts);
        return call.store(out);
    } else {
        return out;
    }
}

/// Writes the first of each run of equal neighbours of host memory, and the run's length. Blocking;
/// otherwise as `unique` of host memory.
/// @return the ends of what was written
template <class InputIt, class OutputIt, class LengthIt, class T = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>, class = detail::require_iterator<LengthIt>>
std::pair<OutputIt, LengthIt>
run_length_encode(queue_handle queue, InputIt first, InputIt last, OutputIt out, LengthIt lengths,
                  const detail::text_argument& equal = detail::default_equality<T>(), const options& opts = {}) {
    if constexpr (detail::check_element<T>()) {
        detail::host_selection<T, InputIt> call("run_length_encode", queue, first, last, sizeof(std::uint64_t));
        call.run_equal(detail::selection::run_length_encode, equal, opts);
        LengthIt end = call.store_lengths(lengths);
        return {call.store(out), end};
    } else {
        return {out, lengths};
    }
}

} // namespace upsweep
