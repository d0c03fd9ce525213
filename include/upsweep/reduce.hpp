#pragma once

#include <upsweep/detail/call/engine.hpp>
#include <upsweep/detail/call/host_range.hpp>
#include <upsweep/detail/call/initial_value.hpp>
#include <upsweep/no_init.hpp>

namespace upsweep {

namespace detail {

/// Checks all arguments of a reduction that are known without an engine. Refers to the wait list.
template <class In, class Out>
checked_call check_reduce(const char* function, const queue_facts& queue, span<const In> in, span<Out> result,
                          const wait_list& after) {
    checked_call call;
    call.n = in.size();
    call.in = check_view(function, "input", queue, in.buffer(), in.size(), in.byte_offset(), sizeof(In), access::input);
    if (result.size() < 1) throw error(function, "result", "must have room for one element");
    call.out =
        check_view(function, "result", queue, result.buffer(), 1, result.byte_offset(), sizeof(Out), access::output);
    if (overlap(call.in, call.out)) throw error(function, "result", "overlaps the input");
    check_wait_list(function, queue, after);
    run_request& r = call.request;
    r.function = function;
    r.queue = queue;
    // An empty input may come without a buffer; the kernel still wants a valid one, and does not look at it.
    r.in = in.size() == 0 ? location{result.buffer(), 0} : location{in.buffer(), in.byte_offset() / sizeof(In)};
    r.out = {result.buffer(), result.byte_offset() / sizeof(Out)};
    r.after = &after;
    return call;
}

/// One reduction with a prepared engine: checks the arguments, then starts.
template <class In, class Out>
cl::Event reduce(const char* function, const engine& e, const queue_facts& queue, span<const In> in, span<Out> result,
                 const Out* init, const wait_list& after, span<unsigned char> workspace) {
    checked_call call = check_reduce(function, queue, in, result, after);
    return start(e, call, init, workspace);
}

template <class In, class Out, class Op>
cl::Event reduce_once(queue_handle handle, span<const std::remove_const_t<In>> in, span<Out> result, const Out* init,
                      const Op& op, const wait_list& after, const options& opts) {
    static_assert(!std::is_const<Out>::value, "upsweep: the result must not be const");
    using element = std::remove_const_t<In>;
    const queue_facts queue = inspect_queue("reduce", handle);
    checked_call call = check_reduce<element, Out>("reduce", queue, in, result, after);
    const engine e = make_checked_engine<element, Out>("reduce", queue, operation::reduce, in.size(), op, opts);
    return start(e, call, init, {});
}

template <class T, class InputIt, class Op>
T reduce_checked_host(queue_handle handle, InputIt first, InputIt last, const T* init, const Op& op,
                      const options& opts) {
    using In = input_value<InputIt>;
    const char* function = "reduce";
    const queue_facts queue = inspect_queue(function, handle);
    const host_elements<In, InputIt> elements(first, last, [&](std::uint64_t n) {
        check_fits(function, limits_of(function, queue.device), n, sizeof(In), sizeof(T));
    });
    const std::size_t n = elements.size();
    const engine e = make_engine<In, T>(function, queue, operation::reduce, n, op, opts);
    if (n == 0) return init ? *init : T{};
    const cl::Buffer in = upload(function, queue, elements.data(), n);
    const cl::Buffer result = make_buffer(function, queue, sizeof(T), CL_MEM_READ_WRITE);
    const cl::Event done = reduce<In, T>(function, e, queue, span<const In>(in, n), span<T>(result, 1), init, {}, {});
    T value{};
    download<T>(function, queue, result(), done, &value, 1);
    return value;
}

template <class T, class InputIt, class Op>
T reduce_host(queue_handle handle, InputIt first, InputIt last, const T* init, const Op& op, const options& opts) {
    static_assert(check_host_iterator<InputIt>(), "");
    if constexpr (check_types<input_value<InputIt>, T, Op>())
        return reduce_checked_host(handle, first, last, init, op, opts);
    else
        return T{};
}

} // namespace detail

/// A reduction that is prepared once and run often; see `scan_plan`.
///
/// @tparam In   element type of the input
/// @tparam Out  type of the result, in which elements are accumulated
template <class In, class Out = In, class Op = plus>
class reduce_plan {
public:
    /// Prepares reductions of up to `n` elements on the queue's device. Errors as for `scan_plan`.
    reduce_plan(queue_handle queue, std::size_t n, Op op = {}, const options& opts = {})
        : capacity_(n)
        , engine_(detail::make_checked_engine<In, Out>("reduce_plan", detail::inspect_queue("reduce_plan", queue),
                                                       detail::operation::reduce, n, op, opts)) {}

    /// result[0] = in[0] op ... op in[n - 1]; Out{} for an empty input.
    cl::Event reduce(queue_handle queue, span<const In> in, span<Out> result, no_init_t = no_init,
                     const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return enqueue(queue, in, result, nullptr, after, workspace);
    }
    /// result[0] = init op in[0] op ... op in[n - 1].
    cl::Event reduce(queue_handle queue, span<const In> in, span<Out> result, const detail::initial_value<Out>& init,
                     const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return enqueue(queue, in, result, init.get(), after, workspace);
    }

    std::size_t capacity() const noexcept { return capacity_; }
    const upsweep::tuning& tuning() const noexcept { return engine_.tuning; }
    /// The launch plan for `n` elements (by default, the capacity), to look at or to print.
    upsweep::launch_plan launches(std::size_t n) const {
        return detail::plan_passes(detail::operation::reduce, n, engine_.tuning, sizeof(Out));
    }
    const upsweep::launch_plan& launches() const { return engine_.full; }
    std::size_t workspace_bytes() const { return static_cast<std::size_t>(launches().scratch_bytes); }

private:
    cl::Event enqueue(queue_handle handle, span<const In> in, span<Out> result, const Out* init, const wait_list& after,
                      span<unsigned char> workspace) const {
        if (in.size() > capacity_)
            throw error("reduce", "input",
                        std::to_string(in.size()) + " elements are more than the plan's " + std::to_string(capacity_));
        const detail::queue_facts queue = detail::inspect_queue("reduce", handle);
        detail::check_same_device("reduce", engine_, queue);
        return detail::reduce("reduce", engine_, queue, in, result, init, after, workspace);
    }

    std::size_t capacity_;
    detail::engine engine_;
};

/// Reduces device memory to one value: result[0] = init op in[0] op ... op in[n - 1]. Asynchronous.
///
/// @param queue   of the context that the buffers belong to
/// @param in      the input; empty gives init
/// @param result  the first element is written; must not overlap the input
/// @param init    stands on the left of everything; what converts to Out, but `{}` does not compile
/// @param op      associative; order is kept, so it need not commute
/// @param after   events to wait for
/// @return the event of the last command
/// @throws upsweep::error before anything is enqueued, as `inclusive_scan`
///
/// Elements are converted to Out as they are read. Moves n reads. Launches for up to a tile, tile^2 and tile^3 elements
/// (`reduce_plan` shows those of a call; kernels/README.md says what `automatic` chooses):
///
///     in sub-groups: 1
///     chunked: 1, 2
///     in tiles: 1, 2, 3
///     in tiles, canonical order, at most: 1, 3, 5
template <class In, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce(queue_handle queue, span<In> in, span<Out> result,
                 const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                 const wait_list& after = {}, const options& opts = {}) {
    return detail::reduce_once<In, Out>(queue, in, result, init.get(), op, after, opts);
}

/// Reduces without an initial value; an empty input gives Out{}. Otherwise as above.
template <class In, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce(queue_handle queue, span<In> in, span<Out> result, no_init_t = no_init, const Op& op = {},
                 const wait_list& after = {}, const options& opts = {}) {
    return detail::reduce_once<In, Out>(queue, in, result, nullptr, op, after, opts);
}

/// Reduces host memory, blocking. The sum of the elements in their own type, as `std::reduce(first, last)`; to sum into
/// a wider type, give an initial value of that type.
/// @param first, last  input iterators at least, over host memory; every element is read once
/// @throws upsweep::error before anything is built, for a range that does not fit the device's largest buffer; else as
///         the device form
template <class InputIt, class T = detail::input_value<InputIt>>
T reduce(queue_handle queue, InputIt first, InputIt last) {
    const T* const none = nullptr;
    return detail::reduce_host<T>(queue, first, last, none, plus{}, {});
}

/// Reduces host memory from an initial value, in the type of that value.
template <class InputIt, class T, class Op = plus, class = detail::input_value<InputIt>,
          class = detail::require_operator<Op>, class = detail::require_value<T>>
T reduce(queue_handle queue, InputIt first, InputIt last, T init, const Op& op = {}, const options& opts = {}) {
    return detail::reduce_host<T>(queue, first, last, &init, op, opts);
}

/// Reduces host memory without an initial value, in the elements' own type; an empty range gives a value-initialised
/// element.
template <class InputIt, class Op = plus, class T = detail::input_value<InputIt>, class = detail::require_operator<Op>>
T reduce(queue_handle queue, InputIt first, InputIt last, no_init_t, const Op& op = {}, const options& opts = {}) {
    const T* const none = nullptr;
    return detail::reduce_host<T>(queue, first, last, none, op, opts);
}

} // namespace upsweep
