// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/device_call.hpp>
#include <upsweep/detail/call/host_range.hpp>
#include <upsweep/detail/call/initial_value.hpp>
#include <upsweep/detail/call/plan_facts.hpp>
#include <upsweep/no_init.hpp>
#include <upsweep/views.hpp>

#include <cstddef>

namespace upsweep {

namespace detail {

/// One reduction from scratch.
template <class In, class Out, class Op>
cl::Event reduce_once(queue_handle queue, span<const std::remove_const_t<In>> in, span<Out> result,
                      const given_value<Out>& init, const Op& op, const wait_list& after, const options& opts) {
    const device_call<std::remove_const_t<In>, Out> call("reduce", operation::reduce, queue, in, result, init, after);
    return call.once(op, opts);
}

} // namespace detail

/// A reduction that is prepared once and run often: to #reduce what `scan_plan` is to a scan, and as safe to use from
/// many threads at once.
///
/// @tparam In   element type of the input
/// @tparam Out  type of the result, in which elements are combined
/// @tparam Op   the operator: `plus` and others of operator.hpp, or what `make_operator` gives
template <class In, class Out = In, class Op = plus>
class reduce_plan : public detail::plan_facts<detail::plan_engines> {
public:
    /// Prepares reductions of up to `n` elements on the queue's device. Arguments and errors as for `scan_plan`.
    reduce_plan(queue_handle queue, std::size_t n, Op op = {}, const options& opts = {})
        : plan_facts(n, detail::make_plan("reduce_plan", queue.get(), detail::operation::reduce, n,
                                          detail::checked_types<In, Out>(op), opts)) {}
    /// Prepares reductions of computed elements, as `scan_plan` of a view.
    reduce_plan(queue_handle queue, const transform_view<In>& view, Op op = {}, const options& opts = {})
        : plan_facts(view.size(), detail::make_plan("reduce_plan", queue.get(), detail::operation::reduce, view.size(),
                                                    detail::checked_types<In, Out>(op), opts, &view.input())) {}

    /// result[0] = in[0] op ... op in[n - 1]; Out{} for an empty input. Asynchronous.
    /// @param queue      of the plan's device
    /// @param in         at most `capacity()` elements
    /// @param result     its first element is written
    /// @param after      events to wait for
    /// @param workspace  as for `scan_plan`
    /// @return the event of the last command
    /// @throws upsweep::error as #reduce; for more elements than the capacity, a queue of another device, a workspace
    ///         that is too small, overlaps input or result, or is read-only or write-only
    cl::Event reduce(queue_handle queue, span<const In> in, span<Out> result, no_init_t = no_init,
                     const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return enqueue(queue, in, result, nullptr, after, workspace);
    }
    /// result[0] = init op in[0] op ... op in[n - 1]. Otherwise as the one without an initial value.
    cl::Event reduce(queue_handle queue, span<const In> in, span<Out> result, const detail::initial_value<Out>& init,
                     const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return enqueue(queue, in, result, init.get(), after, workspace);
    }

    /// @{ The same of computed elements, for a plan that was made for such a view.
    /// @throws upsweep::error also for a view of another text
    cl::Event reduce(queue_handle queue, const transform_view<In>& in, span<Out> result, no_init_t = no_init,
                     const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return enqueue(queue, in, result, nullptr, after, workspace);
    }
    /// With an initial value.
    cl::Event reduce(queue_handle queue, const transform_view<In>& in, span<Out> result,
                     const detail::initial_value<Out>& init, const wait_list& after = {},
                     span<unsigned char> workspace = {}) const {
        return enqueue(queue, in, result, init.get(), after, workspace);
    }
    /// @}

private:
    template <class View>
    cl::Event enqueue(queue_handle queue, const View& in, span<Out> result, const detail::given_value<Out>& init,
                      const wait_list& after, span<unsigned char> workspace) const {
        detail::device_call<In, Out> call("reduce", detail::operation::reduce, queue, {}, result, init, after);
        return call.of(detail::input_of(in)).with(this->prepared(), workspace);
    }
};

/// @{ Makes a `reduce_plan`, as `make_scan_plan` makes a `scan_plan`.
template <class In, class Out = In, class Op = plus>
reduce_plan<In, Out, Op> make_reduce_plan(queue_handle queue, std::size_t n, const Op& op = {},
                                          const options& opts = {}) {
    return {queue, n, op, opts};
}
/// With the type of the operator.
template <class T>
reduce_plan<T, T, custom_operator<T>> make_reduce_plan(queue_handle queue, std::size_t n, const custom_operator<T>& op,
                                                       const options& opts = {}) {
    return {queue, n, op, opts};
}
/// For computed elements, with their type for the result.
template <class T, class Op = plus>
reduce_plan<T, T, Op> make_reduce_plan(queue_handle queue, const transform_view<T>& view, const Op& op = {},
                                       const options& opts = {}) {
    return {queue, view, op, opts};
}
/// @}

/// Reduces device memory to one value: result[0] = init op in[0] op ... op in[n - 1]. Asynchronous.
///
/// @tparam In   element type of the input, const or not
/// @tparam Out  type of the result, in which elements are combined
/// @param queue   of the context that the buffers belong to; in-order or out-of-order
/// @param in      the input, n = in.size() elements; empty gives init
/// @param result  the first element is written; must not overlap the input
/// @param init    stands on the left of everything; what converts to Out, for `half` any number. `{}` does not compile
/// @param op      associative; order is kept, so it need not commute
/// @param after   events to wait for
/// @param opts    what is not left to the library
/// @return the event of the last command
/// @throws upsweep::error before anything is enqueued, as #inclusive_scan
///
/// Elements are converted to Out as they are read and combined in that type, in the canonical order where `options`
/// says so.
///
/// @par Launches and elements moved
/// n elements are read. Launches for up to a tile, tile^2 and tile^3 elements (`reduce_plan` shows those of a call;
/// kernels/README.md says what `automatic` chooses):
///
///     in sub-groups: 1
///     chunked, values up to 1 KiB, by single work-items on a CPU with 64-bit atomics: 1
///     chunked: 1, 2
///     in tiles: 1, 2, 3
///     in tiles, canonical order, at most: 1, 3, 5
///
/// @par Source
/// Of the trees: #tree_reduce; of the canonical order: #upsweep::reference.
template <class In, class Out = In, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce(queue_handle queue, span<In> in, span<Out> result,
                 const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                 const wait_list& after = {}, const options& opts = {}) {
    return detail::reduce_once<In, Out>(queue, in, result, init.get(), op, after, opts);
}

/// Reduces without an initial value; an empty input gives Out{}. Otherwise as the one with an initial value.
template <class In, class Out = In, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce(queue_handle queue, span<In> in, span<Out> result, no_init_t = no_init, const Op& op = {},
                 const wait_list& after = {}, const options& opts = {}) {
    return detail::reduce_once<In, Out>(queue, in, result, nullptr, op, after, opts);
}

/// Reduces device memory and returns the result: waits for it. In the type of the initial value, as host ranges.
/// Otherwise as `reduce(queue, in, result, init)`; a buffer of one value is made for each call, and one value is copied
/// to the host.
template <class In, class T, class Op = plus, class = detail::require_operator<Op>, class = detail::require_typed<T>>
T reduce(queue_handle queue, span<In> in, T init, const Op& op = {}, const wait_list& after = {},
         const options& opts = {}) {
    const detail::device_call<std::remove_const_t<In>, T> call("reduce", detail::operation::reduce, queue, in, {},
                                                               &init, after);
    return call.value(op, opts);
}

/// Reduces device memory without an initial value, in the type of its elements, and returns the result; T{} for an
/// empty input. Otherwise as the one with an initial value.
template <class In, class Op = plus, class T = std::remove_const_t<In>, class = detail::require_operator<Op>>
T reduce(queue_handle queue, span<In> in, no_init_t = no_init, const Op& op = {}, const wait_list& after = {},
         const options& opts = {}) {
    const detail::device_call<T, T> call("reduce", detail::operation::reduce, queue, in, {}, nullptr, after);
    return call.value(op, opts);
}

/// Reduces host memory of any size, blocking; streamed where #inclusive_scan of host memory is. The sum of the elements
/// in their own type, as `std::reduce(first, last)`; to sum into a wider type, give an initial value of that type.
/// @param queue  on whose device it runs
/// @param first  an input iterator at least, over host memory; every element is read once
/// @param last   the end of the input
/// @return the sum; for an empty range a value-initialised element
/// @throws upsweep::error before anything is built, where `options::device_memory` or the device has no room for a few
///         elements; between pieces, where `options::progress` returns false; else as the device form
///
/// @par Launches and elements moved
/// Those of the device form, for each piece of a range that is streamed. n elements are copied to the device, unless
/// the range is streamed on a device that uses the host's memory.
template <class InputIt, class T = detail::input_value<InputIt>>
T reduce(queue_handle queue, InputIt first, InputIt last) {
    const T* const none = nullptr;
    return detail::reduce_host<T>(queue, first, last, none, plus{}, {});
}

/// Reduces host memory from an initial value, in the type of that value, with any operator. Otherwise as
/// `reduce(queue, first, last)`.
template <class InputIt, class T, class Op = plus, class = detail::input_value<InputIt>,
          class = detail::require_operator<Op>, class = detail::require_value_or_options<T>>
T reduce(queue_handle queue, InputIt first, InputIt last, T init, const Op& op = {}, const options& opts = {}) {
    return detail::reduce_host<T>(queue, first, last, &init, op, opts);
}

/// Reduces host memory without an initial value, in the elements' own type; an empty range gives a value-initialised
/// element. Otherwise as `reduce(queue, first, last)`.
template <class InputIt, class Op = plus, class T = detail::input_value<InputIt>, class = detail::require_operator<Op>>
T reduce(queue_handle queue, InputIt first, InputIt last, no_init_t, const Op& op = {}, const options& opts = {}) {
    const T* const none = nullptr;
    return detail::reduce_host<T>(queue, first, last, none, op, opts);
}

} // namespace upsweep
