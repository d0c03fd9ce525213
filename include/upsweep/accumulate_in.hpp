// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/storage_text.hpp>
#include <upsweep/identity.hpp>
#include <upsweep/views.hpp>

#include <type_traits>
#include <utility>

/// @file
/// An accumulator of its own: elements are combined in another type than the one that results are stored in.

namespace upsweep {

/// An output whose results are combined in type Value; made by `accumulate_in`.
template <class Value, class Out>
struct converted_output {
    span<Out> values; ///< the results
};

/// The output of a scan that combines elements in another type than it stores: reads float, adds in double, writes
/// float. Each result is converted as it is stored, as C does; to `half` and `bfloat16` rounded to nearest, ties to
/// even, on devices without cl_khr_fp16, too.
///
/// @code
/// upsweep::inclusive_scan(queue, x, upsweep::accumulate_in<double>(y));                          // floats
/// upsweep::inclusive_scan(queue, upsweep::widened(h), upsweep::accumulate_in<float>(h));         // halves, in place
/// @endcode
///
/// Scans with it throw `upsweep::error` where `options` ask for scan_then_propagate, which reads results again.
///
/// @tparam Value  a scalar type, in which elements are combined. Initial values are of it
/// @param out     the results, of a scalar type, `half` or `bfloat16`: at least as many as elements
template <class Value, class Out>
converted_output<Value, Out> accumulate_in(span<Out> out) {
    static_assert(detail::is_scalar_type<Value> && (detail::is_scalar_type<Out> || detail::is_storage<Out>),
                  "upsweep: results are converted among scalar types only");
    static_assert(!std::is_const<Out>::value, "upsweep: the output's elements must not be const");
    return {out};
}

/// The elements of an array of `half` or `bfloat16` as floats, on devices without cl_khr_fp16, too. Each is read as its
/// 2 bytes; otherwise as `transform<float>("a", x)`.
/// @param x  the array
template <class T>
transform_view<float> widened(span<T> x) {
    using stored = std::remove_const_t<T>;
    static_assert(detail::is_storage<stored>, "upsweep: half and bfloat16 are widened");
    detail::computed_input input;
    input.size = x.size();
    input.parts = {{detail::untyped(x), detail::stored_type<stored>()}};
    input.stages.push_back({detail::widening_body<stored>(), detail::describe_type<float>()});
    return transform_view<float>(std::move(input));
}

namespace detail {

template <class T>
computed_input computed_elements(span<T> in) {
    return transform<std::remove_const_t<T>>("a", in).input();
}
template <class T>
const computed_input& computed_elements(const transform_view<T>& in) {
    return in.input();
}

/// One scan whose results are converted.
template <class View, class Value, class Out, class Op>
cl::Event scan_converted(const char* function, queue_handle queue, const View& in,
                         const converted_output<Value, Out>& out, bool exclusive, const given_value<Value>& init,
                         const Op& op, const wait_list& after, const options& opts) {
    const computed_input input = computed_elements(in);
    computed_output output;
    output.parts.push_back(
        {"out", "output", untyped(out.values), input.size, stored_type<Out>(), access::output, true});
    output.functions = narrowing_functions<Out>();
    output.body = narrowing_body<Out>();
    output.text = store_text(output, input);
    output.stores_once = true;
    device_call<view_value<View>, Value> call(function, operation::scan, queue, {}, {}, init, after);
    return call.of(input).exclusive(exclusive).into(output).once(op, opts);
}

} // namespace detail

/// Inclusive scan of a span or of computed elements whose results are converted (`accumulate_in`); otherwise as
/// `inclusive_scan(queue, in, out)`: arguments, errors, launches. Each result is written once, in its own size. What
/// strategies keep between launches is of type Value.
template <class View, class Value, class Out, class Op = plus, class = detail::view_value<View>,
          class = detail::require_operator<Op>>
cl::Event inclusive_scan(queue_handle queue, const View& in, const converted_output<Value, Out>& out, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::scan_converted<View, Value, Out>("inclusive_scan", queue, in, out, false, nullptr, op, after, opts);
}

/// The same with an initial value.
template <class View, class Value, class Out, class Op, class = detail::view_value<View>,
          class = detail::require_operator<Op>>
cl::Event inclusive_scan(queue_handle queue, const View& in, const converted_output<Value, Out>& out, const Op& op,
                         const detail::identity_t<detail::initial_value<Value>>& init, const wait_list& after = {},
                         const options& opts = {}) {
    return detail::scan_converted("inclusive_scan", queue, in, out, false, init.get(), op, after, opts);
}

/// Exclusive scan of a span or of computed elements whose results are converted; otherwise as
/// `exclusive_scan(queue, in, out, init)`.
template <class View, class Value, class Out, class Op = plus, class = detail::view_value<View>,
          class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, const View& in, const converted_output<Value, Out>& out,
                         const detail::identity_t<detail::initial_value<Value>>& init, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::scan_converted("exclusive_scan", queue, in, out, true, init.get(), op, after, opts);
}

} // namespace upsweep
