// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/accumulate_in.hpp>
#include <upsweep/identity.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/segments.hpp>

#include <type_traits>

/// @file
/// Exclusive scans that begin with the identity of one of the library's operators, where none is given an initial
/// value. With an operator of one's own they do not compile.

namespace upsweep {

namespace detail {

/// The identity as an initial value; one error where there is none.
template <class T, class Op>
T first_of_scan(const Op& op) {
    if constexpr (check_operator<Op>())
        return identity_of<T>(op);
    else
        return no_result<T>();
}

} // namespace detail

/// Exclusive scan of sums from 0: out[0] = 0, out[i] = in[0] + ... + in[i - 1]. Otherwise as
/// `exclusive_scan(queue, in, out, init)`.
template <class In, class Out = In>
cl::Event exclusive_scan(queue_handle queue, span<In> in, span<Out> out) {
    return exclusive_scan<In, Out>(queue, in, out, identity_of<Out>(plus{}), plus{});
}
/// Exclusive scan from the identity of one of the library's operators (`identity_of`). Otherwise as
/// `exclusive_scan(queue, in, out, init, op)`; an operator of one's own needs an initial value.
template <class In, class Out = In, class Op, class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, span<In> in, span<Out> out, const Op& op, const wait_list& after = {},
                         const options& opts = {}) {
    return exclusive_scan<In, Out>(queue, in, out, detail::first_of_scan<Out>(op), op, after, opts);
}

/// The same of computed elements.
template <class T, class Out>
cl::Event exclusive_scan(queue_handle queue, const transform_view<T>& in, span<Out> out) {
    return exclusive_scan(queue, in, out, identity_of<Out>(plus{}), plus{});
}
/// The same of computed elements, with the operator.
template <class T, class Out, class Op, class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, const transform_view<T>& in, span<Out> out, const Op& op,
                         const wait_list& after = {}, const options& opts = {}) {
    return exclusive_scan(queue, in, out, detail::first_of_scan<Out>(op), op, after, opts);
}

/// The same of a span or view, with its total.
template <class View, class Out, class = detail::view_value<View>>
cl::Event exclusive_scan(queue_handle queue, const View& in, const output_with_total<Out>& out) {
    return exclusive_scan(queue, in, out, identity_of<Out>(plus{}), plus{});
}
/// The same of a span or view, with its total and the operator.
template <class View, class Out, class Op, class = detail::view_value<View>, class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, const View& in, const output_with_total<Out>& out, const Op& op,
                         const wait_list& after = {}, const options& opts = {}) {
    return exclusive_scan(queue, in, out, detail::first_of_scan<Out>(op), op, after, opts);
}

/// The same of a span or view, with results that are converted (`accumulate_in`).
template <class View, class Value, class Out, class = detail::view_value<View>>
cl::Event exclusive_scan(queue_handle queue, const View& in, const converted_output<Value, Out>& out) {
    return exclusive_scan(queue, in, out, identity_of<Value>(plus{}), plus{});
}
/// The same of a span or view, with results that are converted and the operator.
template <class View, class Value, class Out, class Op, class = detail::view_value<View>,
          class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, const View& in, const converted_output<Value, Out>& out, const Op& op,
                         const wait_list& after = {}, const options& opts = {}) {
    return exclusive_scan(queue, in, out, detail::first_of_scan<Value>(op), op, after, opts);
}

/// The same of each segment.
template <class T, class Out>
cl::Event exclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out) {
    return exclusive_scan(queue, in, out, identity_of<Out>(plus{}), plus{});
}
/// The same of each segment, with the operator.
template <class T, class Out, class Op, class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out, const Op& op,
                         const wait_list& after = {}, const options& opts = {}) {
    return exclusive_scan(queue, in, out, detail::first_of_scan<Out>(op), op, after, opts);
}

/// Exclusive scan of host memory from the identity of one of the library's operators, blocking, in the type of the
/// elements. Otherwise as `exclusive_scan(queue, first, last, out, init, op)`.
template <class InputIt, class OutputIt, class Op = plus, class T = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>, class = detail::require_operator<Op>>
OutputIt exclusive_scan(queue_handle queue, InputIt first, InputIt last, OutputIt out, const Op& op = {},
                        const options& opts = {}) {
    return exclusive_scan(queue, first, last, out, detail::first_of_scan<T>(op), op, opts);
}

} // namespace upsweep
