// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/device_call.hpp>
#include <upsweep/detail/call/host_range.hpp>
#include <upsweep/detail/call/initial_value.hpp>
#include <upsweep/detail/call/plan_facts.hpp>
#include <upsweep/identity.hpp>
#include <upsweep/views.hpp>

#include <cstddef>

namespace upsweep {

/// A scan that is prepared once and run often: holds the programs and the tuning; scratch comes from a pool or from the
/// caller. Safe to use from many threads at once. An initial value is whatever converts to Out, but never `{}`: where a
/// wait list may stand, that is an empty one, elsewhere it does not compile. Copies of a plan share what it holds; a
/// plan that was moved from is still one.
///
/// Its calls do what the free functions of the same names do (#inclusive_scan, #exclusive_scan), with their errors,
/// launches and elements moved. Errors of a plan's own: more elements than its capacity, a queue of another device, a
/// view of another text than the plan was made for, an initial value on the device (`from`), a workspace that is too
/// small, overlaps the input or the output, or is read-only or write-only.
///
/// A plan's program has the code of both kinds of scan. So on devices with sub-groups it takes about twice as long to
/// build as that of a free function, which has one kind.
///
/// @tparam In   element type of the input
/// @tparam Out  element type of the output, in which elements are combined
/// @tparam Op   the operator: `plus` and others of operator.hpp, or what `make_operator` gives
template <class In, class Out = In, class Op = plus>
class scan_plan : public detail::plan_facts<detail::plan_engines> {
public:
    /// Prepares scans of up to `n` elements on the queue's device. Builds programs that were not built before. Where
    /// sub-groups scan, as on NVIDIA's devices, these are for arrays at multiples of 16 bytes, and the first call on
    /// others builds one more.
    /// @param queue  names context and device; calls may use any other queue of both
    /// @param n      the most elements of a call
    /// @param op     associative
    /// @param opts   what is not left to the library
    /// @throws upsweep::error for a null queue, a type that the device lacks, an operator that does not compile,
    ///         options that the device cannot run, or when scratch for n elements exceeds the device
    scan_plan(queue_handle queue, std::size_t n, Op op = {}, const options& opts = {})
        : plan_facts(n, detail::make_plan("scan_plan", queue.get(), detail::operation::scan, n,
                                          detail::checked_types<In, Out>(op), opts)) {}
    /// Prepares scans of computed elements: of views of the same text as `view` has, made of arrays of the same types,
    /// of up to view.size() elements. The arrays of `view` itself are not looked at. Errors as for a count.
    scan_plan(queue_handle queue, const transform_view<In>& view, Op op = {}, const options& opts = {})
        : plan_facts(view.size(), detail::make_plan("scan_plan", queue.get(), detail::operation::scan, view.size(),
                                                    detail::checked_types<In, Out>(op), opts, &view.input())) {}

    /// out[i] = in[0] op ... op in[i]. Asynchronous.
    /// @param queue      of the plan's device
    /// @param in         at most `capacity()` elements
    /// @param out        at least in.size() elements
    /// @param after      events to wait for
    /// @param workspace  scratch memory, `workspace_bytes()` from the start of a buffer, for this call alone until
    ///                   it is done; without one, the library's own. A buffer in memory of the host
    ///                   (CL_MEM_USE_HOST_PTR) must begin at a multiple of 8 bytes there
    /// @return the event of the last command
    /// @throws upsweep::error as #inclusive_scan; for more elements than the capacity, a queue of another device, a
    ///         workspace that is too small, overlaps input or output, or is read-only or write-only
    cl::Event inclusive_scan(queue_handle queue, span<const In> in, span<Out> out, const wait_list& after = {},
                             span<unsigned char> workspace = {}) const {
        return enqueue("inclusive_scan", queue, in, out, false, nullptr, after, workspace);
    }
    /// out[i] = init op in[0] op ... op in[i]. Otherwise as the one without an initial value.
    cl::Event inclusive_scan(queue_handle queue, span<const In> in, span<Out> out,
                             const detail::initial_value<Out>& init, const wait_list& after = {},
                             span<unsigned char> workspace = {}) const {
        return enqueue("inclusive_scan", queue, in, out, false, init.get(), after, workspace);
    }
    /// out[i] = init op in[0] op ... op in[i - 1]. Otherwise as `inclusive_scan`.
    cl::Event exclusive_scan(queue_handle queue, span<const In> in, span<Out> out,
                             const detail::initial_value<Out>& init, const wait_list& after = {},
                             span<unsigned char> workspace = {}) const {
        return enqueue("exclusive_scan", queue, in, out, true, init.get(), after, workspace);
    }
    /// Exclusive scan from the operator's identity (`identity_of`). Otherwise as the one with an initial value; `{}`
    /// for the wait list does not compile, because it could mean that value.
    template <class Events, class = detail::require_events<Events>>
    cl::Event exclusive_scan(queue_handle queue, span<const In> in, span<Out> out, const Events& after,
                             span<unsigned char> workspace = {}) const {
        return exclusive_scan(queue, in, out, identity_of<Out, Op>(), after, workspace);
    }
    /// The same, after no event.
    cl::Event exclusive_scan(queue_handle queue, span<const In> in, span<Out> out) const {
        return exclusive_scan(queue, in, out, wait_list());
    }

    /// @{ The same of computed elements, for a plan that was made for such a view: as the free functions of the names.
    /// @throws upsweep::error also for a view of another text
    cl::Event inclusive_scan(queue_handle queue, const transform_view<In>& in, span<Out> out,
                             const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return enqueue("inclusive_scan", queue, in, out, false, nullptr, after, workspace);
    }
    /// With an initial value.
    cl::Event inclusive_scan(queue_handle queue, const transform_view<In>& in, span<Out> out,
                             const detail::initial_value<Out>& init, const wait_list& after = {},
                             span<unsigned char> workspace = {}) const {
        return enqueue("inclusive_scan", queue, in, out, false, init.get(), after, workspace);
    }
    /// Exclusive.
    cl::Event exclusive_scan(queue_handle queue, const transform_view<In>& in, span<Out> out,
                             const detail::initial_value<Out>& init, const wait_list& after = {},
                             span<unsigned char> workspace = {}) const {
        return enqueue("exclusive_scan", queue, in, out, true, init.get(), after, workspace);
    }
    /// Exclusive, from the operator's identity.
    template <class Events, class = detail::require_events<Events>>
    cl::Event exclusive_scan(queue_handle queue, const transform_view<In>& in, span<Out> out, const Events& after,
                             span<unsigned char> workspace = {}) const {
        return exclusive_scan(queue, in, out, identity_of<Out, Op>(), after, workspace);
    }
    /// The same, after no event.
    cl::Event exclusive_scan(queue_handle queue, const transform_view<In>& in, span<Out> out) const {
        return exclusive_scan(queue, in, out, wait_list());
    }
    /// @}

private:
    template <class View>
    cl::Event enqueue(const char* function, queue_handle queue, const View& in, span<Out> out, bool exclusive,
                      const detail::given_value<Out>& init, const wait_list& after,
                      span<unsigned char> workspace) const {
        detail::device_call<In, Out> call(function, detail::operation::scan, queue, {}, out, init, after);
        return call.of(detail::input_of(in)).exclusive(exclusive).with(this->prepared(), workspace);
    }
};

/// @{ Makes a `scan_plan`, with its arguments and errors, without a word on the operator's type:
/// `make_scan_plan<float>(queue, n)`, `make_scan_plan(queue, n, make_operator<float>(...))`, `make_scan_plan(queue,
/// view)`.
template <class In, class Out = In, class Op = plus>
scan_plan<In, Out, Op> make_scan_plan(queue_handle queue, std::size_t n, const Op& op = {}, const options& opts = {}) {
    return {queue, n, op, opts};
}
/// With the type of the operator.
template <class T>
scan_plan<T, T, custom_operator<T>> make_scan_plan(queue_handle queue, std::size_t n, const custom_operator<T>& op,
                                                   const options& opts = {}) {
    return {queue, n, op, opts};
}
/// For computed elements, with their type for results.
template <class T, class Op = plus>
scan_plan<T, T, Op> make_scan_plan(queue_handle queue, const transform_view<T>& view, const Op& op = {},
                                   const options& opts = {}) {
    return {queue, view, op, opts};
}
/// @}

/// Inclusive scan of device memory: out[i] = in[0] op ... op in[i] for i < in.size(). Asynchronous.
///
/// @tparam In   element type of the input, const or not; where it is given, views may be braces:
///              `inclusive_scan<float>(queue, {x, n}, {y, n})`
/// @tparam Out  element type of the output, in which elements are combined
/// @param queue  of the context that the buffers belong to; in-order or out-of-order
/// @param in     the input, n = in.size() elements. May be empty
/// @param out    the output; at least in.size() elements, of which just the first in.size() are written. May be the
///               same elements as the input (of the same type in OpenCL C), else must not overlap it
/// @param op     associative; order is kept, so it need not commute; no identity is needed
/// @param after  events to wait for
/// @param opts   what is not left to the library
/// @return the event of the last command, or, where there is nothing to do, one that is complete once `after` is; on a
///         queue that is in order there is no need to wait for it
/// @throws upsweep::error before anything is enqueued, for: a null handle; a buffer of another context; a view larger
///         than its buffer (an output as far as it is written) or at an offset that is not a multiple of the element;
///         an output shorter than the input, read-only, or overlapping the input in part; a write-only input; a
///         write-only output that strategy scan_then_propagate reads again; an event to wait for that has failed, with
///         its status; a type that the device lacks; an operator that does not compile; options that the device cannot
///         run; scratch that exceeds the device. Also where an OpenCL call fails, with its status
///
/// Elements are converted to Out as they are read and combined in that type, in the canonical order where `options`
/// says so.
///
/// @par Launches and elements moved
/// First the launches for up to a tile, tile^2 and tile^3 elements, then the elements that are read from or written to
/// global memory: 2n reads and writes each once, 3n reads each twice, 4n writes each twice and reads it in between.
/// `scan_plan` shows the launches of a call; kernels/README.md says what `automatic` chooses.
///
///     single_tile: 1; 2n
///     look_back: 1; 2n
///     chunked: 1, 2; 2n in one chunk, else 3n
///     reduce_then_scan: 1, 3, 5; 2n in one tile, else 3n
///     scan_then_propagate: 1, 3, 5; 2n in one tile, else 4n
///
/// @par Source
/// Of the algorithms: #tile_algorithm; of the strategies: #strategy.
template <class In, class Out = In, class Op = plus, class = detail::require_operator<Op>>
cl::Event inclusive_scan(queue_handle queue, span<In> in, span<Out> out, const Op& op = {}, const wait_list& after = {},
                         const options& opts = {}) {
    return detail::scan_once<In, Out>("inclusive_scan", queue, in, out, false, nullptr, op, after, opts);
}

/// Inclusive scan with an initial value: out[i] = init op in[0] op ... op in[i]. Otherwise as
/// `inclusive_scan(queue, in, out)`. The initial value is converted to Out; `{}` is none, but an empty wait list.
template <class In, class Out = In, class Op, class = detail::require_operator<Op>>
cl::Event inclusive_scan(queue_handle queue, span<In> in, span<Out> out, const Op& op,
                         const detail::identity_t<detail::initial_value<Out>>& init, const wait_list& after = {},
                         const options& opts = {}) {
    return detail::scan_once<In, Out>("inclusive_scan", queue, in, out, false, init.get(), op, after, opts);
}

/// @cond
/// Not a call: an initial value or an event stands where the operator belongs. The compiler says so.
template <class In, class Out, class T, class... More, class = detail::require_value_for_operator<T>>
cl::Event inclusive_scan(queue_handle, span<In>, span<Out>, const T&, const More&...) {
    detail::check_operator<T>();
    return {};
}
/// @endcond

/// Exclusive scan of device memory: out[0] = init, out[i] = init op in[0] op ... op in[i - 1]. Otherwise as
/// `inclusive_scan(queue, in, out)`, in arguments, errors, launches and elements moved; `{}` for the initial value does
/// not compile.
template <class In, class Out = In, class Op = plus, class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, span<In> in, span<Out> out,
                         const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::scan_once<In, Out>("exclusive_scan", queue, in, out, true, init.get(), op, after, opts);
}

/// Inclusive scan of host memory of any size, blocking; arguments as `std::inclusive_scan`.
///
/// A range that does not fit the device's largest buffer or `options::device_memory` is streamed: in pieces of a power
/// of two elements, of which some are uploaded, some worked on and some downloaded at the same time. So are ranges from
/// 32 MiB on, because it is faster, unless the options ask for an algorithm, a strategy or another order. Devices that
/// use the host's memory work on the pieces where they are; for others, threads copy through pinned memory, which the
/// library keeps for the next call (#release_cached). Float bits are those of one piece: the canonical order's.
/// `options::progress` is told after each piece, and may end the call. Elements are used where they are, if the
/// iterators are pointers, a vector's or, in C++20, contiguous ones; other ranges are copied as a whole, before or
/// behind the call.
///
/// @param queue  on whose device it runs
/// @param first  an input iterator at least, over host memory; every element is read once
/// @param last   the end of the input
/// @param out    an output iterator; may be `first`. Where a range does not fit the device, the output must not overlap
///               it otherwise
/// @param op     associative
/// @param opts   what is not left to the library
/// @return the end of the output range
/// @throws upsweep::error before anything is built, for an output that overlaps in part as said, and where
///         `options::device_memory` or the device has no room for a few elements; between pieces, where
///         `options::progress` returns false: then some pieces of the output are written; else as the device form
///
/// @par Launches and elements moved
/// Those of the device form, for each piece; unless exact, also those of a reduction of it and about two combinations
/// of two values. n elements are copied to the device and n values back, unless a range is streamed on a device that
/// uses the host's memory.
///
/// @par Source
/// The order of the pieces: #upsweep::reference.
///
/// As in `<numeric>`, the output's type does not affect the type in which elements are combined: that is the type of
/// the initial value or, without one, of the input. Results are converted to the output's type as they are stored.
/// Unlike in `<numeric>`, elements are converted to that type before they are combined.
template <class InputIt, class OutputIt, class Op = plus, class T = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>, class = detail::require_operator<Op>>
OutputIt inclusive_scan(queue_handle queue, InputIt first, InputIt last, OutputIt out, const Op& op = {},
                        const options& opts = {}) {
    const T* const none = nullptr;
    return detail::scan_host<T>("inclusive_scan", queue, first, last, out, false, none, op, opts);
}

/// Inclusive scan of host memory with an initial value, in the type of that value; otherwise as the one without.
template <class InputIt, class OutputIt, class Op, class T, class = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>, class = detail::require_operator<Op>,
          class = detail::require_value<T>>
OutputIt inclusive_scan(queue_handle queue, InputIt first, InputIt last, OutputIt out, const Op& op, T init,
                        const options& opts = {}) {
    return detail::scan_host<T>("inclusive_scan", queue, first, last, out, false, &init, op, opts);
}

/// @cond
/// Not a call: an initial value stands where the operator belongs. The compiler says so.
template <class InputIt, class OutputIt, class T, class... More, class = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>, class = detail::require_value_for_operator<T>>
OutputIt inclusive_scan(queue_handle, InputIt, InputIt, OutputIt out, const T&, const More&...) {
    detail::check_operator<T>();
    return out;
}
/// @endcond

/// Exclusive scan of host memory, blocking, in the type of the initial value; arguments as `std::exclusive_scan`.
/// Otherwise as `inclusive_scan(queue, first, last, out)`.
template <class InputIt, class OutputIt, class T, class Op = plus, class = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>, class = detail::require_operator<Op>,
          class = detail::require_no_operator<T>>
OutputIt exclusive_scan(queue_handle queue, InputIt first, InputIt last, OutputIt out, T init, const Op& op = {},
                        const options& opts = {}) {
    return detail::scan_host<T>("exclusive_scan", queue, first, last, out, true, &init, op, opts);
}

} // namespace upsweep
