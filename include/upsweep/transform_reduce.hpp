// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/device_call.hpp>
#include <upsweep/detail/call/host_range.hpp>
#include <upsweep/detail/call/initial_value.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/views.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

/// @file
/// Reductions of what is computed from each element, in one call: `transform_reduce` and `count_if`.

namespace upsweep {

namespace detail {

/// One reduction of computed elements.
template <class T, class Op>
cl::Event transform_reduce_once(const char* function, queue_handle queue, const transform_view<T>& in, span<T> result,
                                const given_value<T>& init, const Op& op, const wait_list& after, const options& opts) {
    device_call<T, T> call(function, operation::reduce, queue, {}, result, init, after);
    return call.of(in.input()).once(op, opts);
}

/// Gives 1 where `body` is true, else 0.
template <class T>
transform_stage test_stage(std::string body) {
    return {std::move(body), describe_type<T>(), true};
}
template <class T, class View>
transform_view<T> tests(std::string body, const View& in) {
    return transform_view<T>(computed_from(test_stage<T>(std::move(body)), in));
}

} // namespace detail

/// Reduces what `body` makes of each element: result[0] = init op body(in[0]) op ... op body(in[n - 1]). Asynchronous;
/// the same as `reduce` of `transform<Out>(body, in)`.
///
/// @tparam View   a span or what `transform` makes
/// @tparam Out    type of what the body gives and of the result
/// @param queue   of the context that the buffers belong to; in-order or out-of-order
/// @param in      the input, n = in.size() elements; empty gives init
/// @param result  the first element is written; must not overlap the input
/// @param init    stands on the left of everything; or `no_init`, and then an empty input gives Out{}
/// @param op      combines values of type Out; associative; need not commute
/// @param body    OpenCL C as in `transform`: the element is `a`, its place `i`
/// @param after   events to wait for
/// @param opts    what is not left to the library
/// @return the event of the last command
/// @throws upsweep::error before anything is enqueued, as #reduce; for a body that does not compile, too
///
/// @par Launches and elements moved
/// As #reduce. Nothing is stored but the result.
template <class View, class Out, class Op, class = detail::view_value<View>, class = detail::require_operator<Op>>
cl::Event transform_reduce(queue_handle queue, const View& in, span<Out> result,
                           const detail::identity_t<detail::initial_value_or_none<Out>>& init, const Op& op,
                           detail::text_argument body, const wait_list& after = {}, const options& opts = {}) {
    return detail::transform_reduce_once("transform_reduce", queue, transform<Out>(std::move(body), in), result,
                                         init.get(), op, after, opts);
}

/// The same of two inputs of as many elements, whose elements are `a` and `b`; by default their inner product.
/// Otherwise as the one of one input.
template <class A, class B, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event transform_reduce(queue_handle queue, span<A> first, span<B> second, span<Out> result,
                           const detail::identity_t<detail::initial_value_or_none<Out>>& init, const Op& op = {},
                           detail::text_argument body = "a * b", const wait_list& after = {},
                           const options& opts = {}) {
    return detail::transform_reduce_once("transform_reduce", queue, transform<Out>(std::move(body), first, second),
                                         result, init.get(), op, after, opts);
}

/// The same of host memory, blocking; arguments as `std::transform_reduce`. In the type of the initial value, which is
/// also what the body's result is converted to.
/// @param queue  on whose device it runs
/// @param first  an input iterator at least, over host memory; every element is read once
/// @param last   the end of the input
/// @param init   stands on the left of everything; an empty range gives it
/// @param op     combines values of type T; associative; need not commute
/// @param body   OpenCL C as in `transform`: the element is `a`, its place `i`
/// @param opts   what is not left to the library
/// @return the result
/// @throws upsweep::error before anything is built, for a range that does not fit the device's largest buffer; else as
///         the device form
///
/// @par Launches and elements moved
/// Those of the device form; n elements are copied to the device.
template <class InputIt, class T, class Op, class In = detail::input_value<InputIt>,
          class = detail::require_operator<Op>>
T transform_reduce(queue_handle queue, InputIt first, InputIt last, T init, const Op& op, detail::text_argument body,
                   const options& opts = {}) {
    static_assert(detail::check_host_iterator<InputIt>(), "");
    if constexpr (detail::check_types<In, T, Op>()) {
        const detail::host_elements<In, InputIt> elements("transform_reduce", queue, sizeof(In), first, last);
        return detail::reduce_host_values("transform_reduce", queue, {std::move(body), detail::describe_type<T>()},
                                          &init, init, op, opts, elements);
    } else {
        return init;
    }
}

/// The same of two host ranges, of which the second has as many elements as the first; by default their inner product.
/// Otherwise as the one of one range.
template <class FirstIt, class SecondIt, class T, class Op = plus, class A = detail::input_value<FirstIt>,
          class B = detail::input_value<SecondIt>, class = detail::require_operator<Op>>
T transform_reduce(queue_handle queue, FirstIt first, FirstIt last, SecondIt second, T init, const Op& op = {},
                   detail::text_argument body = "a * b", const options& opts = {}) {
    static_assert(detail::check_host_iterator<FirstIt>() && detail::check_host_iterator<SecondIt>(), "");
    if constexpr (detail::check_types<A, T, Op>() && detail::check_element<B>()) {
        const detail::host_elements<A, FirstIt> a("transform_reduce", queue, sizeof(A), first, last);
        const detail::host_elements<B, SecondIt> b("transform_reduce", queue, second, a.size());
        return detail::reduce_host_values("transform_reduce", queue, {std::move(body), detail::describe_type<T>()},
                                          &init, init, op, opts, a, b);
    } else {
        return init;
    }
}

/// Counts the elements for which `body` is true. Asynchronous. Of several inputs, count those of a `transform`.
///
/// @tparam View   a span or what `transform` makes
/// @tparam Count  an integer type that can hold the count
/// @param queue   of the context that the buffers belong to; in-order or out-of-order
/// @param in      the input
/// @param result  the first element is written: 0 for an empty input. It must not overlap the input
/// @param body    OpenCL C as in `transform`, for the element `a` and its place `i`: an element counts if this is not 0
/// @param after   events to wait for
/// @param opts    what is not left to the library
/// @return the event of the last command
/// @throws upsweep::error before anything is enqueued, as #transform_reduce
///
/// @par Launches and elements moved
/// As #reduce.
template <class View, class Count, class = detail::view_value<View>>
cl::Event count_if(queue_handle queue, const View& in, span<Count> result, detail::text_argument body,
                   const wait_list& after = {}, const options& opts = {}) {
    static_assert(std::is_integral<Count>::value, "upsweep: a count is an integer");
    const detail::given_value<Count> none = nullptr;
    return detail::transform_reduce_once("count_if", queue, detail::tests<Count>(std::move(body), in), result, none,
                                         plus{}, after, opts);
}

/// Counts the elements for which `body` is true and returns the count: waits for it. Otherwise as the one with a result
/// on the device.
template <class View, class = detail::view_value<View>>
std::uint64_t count_if(queue_handle queue, const View& in, detail::text_argument body, const wait_list& after = {},
                       const options& opts = {}) {
    using Count = std::uint64_t;
    const auto view = detail::tests<Count>(std::move(body), in);
    detail::device_call<Count, Count> call("count_if", detail::operation::reduce, queue, {}, {}, nullptr, after);
    return call.of(view.input()).value(plus{}, opts);
}

/// Counts the elements of a host range for which `body` is true; blocking, as `std::count_if`. Errors, launches and
/// what is copied are those of `transform_reduce(queue, first, last, init, op, body)`.
template <class InputIt, class In = detail::input_value<InputIt>>
detail::difference_of_iterator<InputIt> count_if(queue_handle queue, InputIt first, InputIt last,
                                                 detail::text_argument body, const options& opts = {}) {
    using Count = std::uint64_t;
    using difference = detail::difference_of_iterator<InputIt>;
    static_assert(detail::check_host_iterator<InputIt>(), "");
    if constexpr (detail::check_element<In>()) {
        const detail::host_elements<In, InputIt> elements("count_if", queue, sizeof(In), first, last);
        const Count* const none = nullptr;
        return static_cast<difference>(detail::reduce_host_values<Count>(
            "count_if", queue, detail::test_stage<Count>(std::move(body)), none, 0, plus{}, opts, elements));
    } else {
        return {};
    }
}

} // namespace upsweep
