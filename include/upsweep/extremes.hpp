// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/device_call.hpp>
#include <upsweep/detail/call/host_range.hpp>
#include <upsweep/extremum.hpp>
#include <upsweep/views.hpp>

#include <limits>
#include <string>
#include <type_traits>
#include <utility>

/// @file
/// The smallest and the largest element, with its place: `min_element`, `max_element`, `minmax_element`.
///
/// Of equal elements the first is chosen, also of a positive and a negative zero, and also for the largest (of which
/// `std::minmax_element` chooses the last). A NaN is chosen only if all elements are NaN, and then the first. (In
/// `<algorithm>` the elements must not be NaN.) So the result depends on the input alone: it is the same on every
/// device.

namespace upsweep {

namespace detail {

/// What the functions below find: one extremum or both.
template <class Result>
struct extremum_of;
template <class T, class Index>
struct extremum_of<extremum<T, Index>> {
    using element = T;
    using index = Index;
    static constexpr const char* fields = "{a, i};";
    static constexpr const char* filled = "{a};\nfound.index = i;"; ///< where padding is filled (extremum.hpp)
};
template <class T, class Index>
struct extremum_of<extrema<T, Index>> {
    using element = T;
    using index = Index;
    static constexpr const char* fields = "{{a, i}, {a, i}};";
    static constexpr const char* filled = "{{a}, {a}};\nfound.smallest.index = found.largest.index = i;";
};

/// @return whether elements of type T are compared; one error if they are not
template <class T>
constexpr bool check_comparable() {
    constexpr bool is_comparable = std::is_arithmetic<T>::value || std::is_same<T, half>::value;
    static_assert(
        is_comparable,
        "upsweep: min_element and max_element compare integers, half, float and double; of other types, reduce "
        "with an operator of your own");
    if constexpr (is_comparable)
        return check_element<T>();
    else
        return false;
}

/// Makes an element and its place of an element.
template <class Result>
transform_stage extremum_stage() {
    return {std::string(type<Result>::name) + " found =\n#ifdef __NV_CL_C_VERSION\n" + extremum_of<Result>::filled +
                "\n#else\n" + extremum_of<Result>::fields + "\n#endif\nreturn found;",
            describe_type<Result>()};
}

/// The elements of a view with their places.
template <class Result, class View>
transform_view<Result> with_places(const char* function, const View& in) {
    using index = typename extremum_of<Result>::index;
    static_assert(is_same_on_device<view_value<View>, typename extremum_of<Result>::element>,
                  "upsweep: the result is an extremum<T>, or extrema<T>, of the input's element type T");
    check_comparable<view_value<View>>();
    if (in.size() > (std::numeric_limits<index>::max)() - 1)
        throw error(function, "result",
                    std::to_string(in.size()) + (sizeof(index) == 8
                                                     ? " elements are more than an index of 64 bits counts"
                                                     : " elements need an index of 64 bits"));
    return transform_view<Result>(computed_from(extremum_stage<Result>(), in));
}

template <class Result, class View, class Op>
cl::Event find_extremum(const char* function, queue_handle queue, const View& in, span<Result> result, const Op& op,
                        const wait_list& after, const options& opts) {
    if constexpr (check_comparable<view_value<View>>()) {
        const transform_view<Result> view = with_places<Result>(function, in);
        device_call<Result, Result> call(function, operation::reduce, queue, {}, result, nullptr, after);
        return call.of(view.input()).once(op, opts);
    } else {
        return {};
    }
}

template <class Result, class View, class Op>
Result find_extremum(const char* function, queue_handle queue, const View& in, const Op& op, const wait_list& after,
                     const options& opts) {
    if constexpr (check_comparable<view_value<View>>()) {
        const transform_view<Result> view = with_places<Result>(function, in);
        device_call<Result, Result> call(function, operation::reduce, queue, {}, {}, nullptr, after);
        return call.of(view.input()).value(op, opts);
    } else {
        return no_result<Result>();
    }
}

template <class Result, class It, class Op>
Result find_on_host(const char* function, queue_handle queue, It first, It last, const Op& op, const options& opts) {
    static_assert(check_host_iterator<It>(), "");
    static_assert(is_multi_pass<It>, "upsweep: a position is an iterator of the range: forward iterators at least");
    using T = typename extremum_of<Result>::element;
    if constexpr (check_comparable<T>()) {
        const host_elements<T, It> elements(function, queue, sizeof(T), first, last);
        const Result* const none = nullptr;
        return reduce_host_values(function, queue, extremum_stage<Result>(), none, Result{}, op, opts, elements);
    } else {
        return no_result<Result>();
    }
}

/// The place of a host range where an extremum is; the end, of an empty one.
template <class It, class T>
It place_of(It first, It last, const extremum<T>& found) {
    if (found.index == found.none) return last;
    return iterator_behind(first, found.index);
}

} // namespace detail

/// Finds the smallest element: result[0] = {the smallest, where the first of them is}. Asynchronous.
///
/// @tparam View   a span or what `transform` makes, of integers, `half`, `float` or `double`
/// @param queue   of the context that the buffers belong to; in-order or out-of-order
/// @param in      the input; empty gives T{} and `extremum::none`
/// @param result  the first element is written; must not overlap the input
/// @param after   events to wait for
/// @param opts    what is not left to the library
/// @return the event of the last command
/// @throws upsweep::error before anything is enqueued, as #reduce; with an index of 32 bits for 2^32 - 1 elements or
/// more
///
/// A NaN is chosen only if there is nothing else, and a zero whatever its sign: see extremes.hpp.
///
/// @par Launches and elements moved
/// As #reduce: each element is read once.
///
/// @par Source
/// A reduction of pairs of value and place, by an operator that keeps the left one of equals.
template <class View, class T, class Index, class = detail::view_value<View>>
cl::Event min_element(queue_handle queue, const View& in, span<extremum<T, Index>> result, const wait_list& after = {},
                      const options& opts = {}) {
    return detail::find_extremum("min_element", queue, in, result, detail::first_smallest<T>{}, after, opts);
}

/// Finds the first of the largest elements. Otherwise as #min_element.
template <class View, class T, class Index, class = detail::view_value<View>>
cl::Event max_element(queue_handle queue, const View& in, span<extremum<T, Index>> result, const wait_list& after = {},
                      const options& opts = {}) {
    return detail::find_extremum("max_element", queue, in, result, detail::first_largest<T>{}, after, opts);
}

/// Finds both, in one pass: the first of the smallest and the first of the largest. Otherwise as #min_element.
template <class View, class T, class Index, class = detail::view_value<View>>
cl::Event minmax_element(queue_handle queue, const View& in, span<extrema<T, Index>> result,
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::find_extremum("minmax_element", queue, in, result, detail::first_extrema<T>{}, after, opts);
}

/// Finds the smallest element and returns it with its place: waits for it. Otherwise as the one with a result on the
/// device.
template <class View, class T = detail::view_value<View>>
extremum<T> min_element(queue_handle queue, const View& in, const wait_list& after = {}, const options& opts = {}) {
    return detail::find_extremum<extremum<T>>("min_element", queue, in, detail::first_smallest<T>{}, after, opts);
}

/// Finds the first of the largest elements and returns it. Otherwise as #min_element.
template <class View, class T = detail::view_value<View>>
extremum<T> max_element(queue_handle queue, const View& in, const wait_list& after = {}, const options& opts = {}) {
    return detail::find_extremum<extremum<T>>("max_element", queue, in, detail::first_largest<T>{}, after, opts);
}

/// Finds both, in one pass, and returns them. Otherwise as #min_element.
template <class View, class T = detail::view_value<View>>
extrema<T> minmax_element(queue_handle queue, const View& in, const wait_list& after = {}, const options& opts = {}) {
    return detail::find_extremum<extrema<T>>("minmax_element", queue, in, detail::first_extrema<T>{}, after, opts);
}

/// Finds the smallest element of a host range, blocking; as `std::min_element`, but for NaN: see extremes.hpp.
/// @param queue  on whose device it runs
/// @param first  a forward iterator at least, over host memory
/// @param last   the end of the input
/// @param opts   what is not left to the library
/// @return the place of the first of the smallest; `last` for an empty range
/// @throws upsweep::error before anything is built, for a range that does not fit the device's largest buffer; else as
///         the device form
///
/// @par Launches and elements moved
/// Those of the device form; n elements are copied to the device.
template <class It, class T = detail::input_value<It>>
It min_element(queue_handle queue, It first, It last, const options& opts = {}) {
    const auto found =
        detail::find_on_host<extremum<T>>("min_element", queue, first, last, detail::first_smallest<T>{}, opts);
    return detail::place_of(first, last, found);
}

/// Finds the first of the largest elements of a host range. Otherwise as #min_element.
template <class It, class T = detail::input_value<It>>
It max_element(queue_handle queue, It first, It last, const options& opts = {}) {
    const auto found =
        detail::find_on_host<extremum<T>>("max_element", queue, first, last, detail::first_largest<T>{}, opts);
    return detail::place_of(first, last, found);
}

/// Finds both in a host range, in one pass: the first of the smallest and the first of the largest. (The second is the
/// last of them in `std::minmax_element`.) Otherwise as #min_element.
template <class It, class T = detail::input_value<It>>
std::pair<It, It> minmax_element(queue_handle queue, It first, It last, const options& opts = {}) {
    const auto found =
        detail::find_on_host<extrema<T>>("minmax_element", queue, first, last, detail::first_extrema<T>{}, opts);
    return {detail::place_of(first, last, found.smallest), detail::place_of(first, last, found.largest)};
}

} // namespace upsweep
