#pragma once

#include <upsweep/detail/call/engine.hpp>
#include <upsweep/detail/call/mistakes.hpp>

#include <string>
#include <type_traits>

namespace upsweep::detail {

template <class T>
struct identity {
    using type = T;
};
/// T, but not deduced from the argument.
template <class T>
using identity_t = typename identity<T>::type;

/// `make_engine` for types that the compiler was asked to check; one error for a call with a mistake in them.
template <class In, class Out, class Op>
engine make_checked_engine(const char* function, const queue_facts& queue, operation what, std::uint64_t n,
                           const Op& op, const options& opts) {
    if constexpr (check_types<In, Out, Op>())
        return make_engine<In, Out>(function, queue, what, n, op, opts);
    else
        return {};
}

/// Checks all arguments of a scan that are known without an engine. Refers to the wait list.
template <class In, class Out>
checked_call check_scan(const char* function, const queue_facts& queue, span<const In> in, span<Out> out,
                        bool exclusive, const wait_list& after) {
    checked_call call;
    call.n = in.size();
    call.in = check_view(function, "input", queue, in.buffer(), in.size(), in.byte_offset(), sizeof(In), access::input);
    if (out.size() < in.size())
        throw error(function, "output",
                    std::to_string(out.size()) + " elements are fewer than the input's " + std::to_string(in.size()));
    call.out =
        check_view(function, "output", queue, out.buffer(), in.size(), out.byte_offset(), sizeof(Out), access::output);
    check_overlap(function, call.in, call.out, is_same_on_device<In, Out>);
    check_wait_list(function, queue, after);
    run_request& r = call.request;
    r.function = function;
    r.queue = queue;
    r.in = {in.buffer(), in.byte_offset() / sizeof(In)};
    r.out = {out.buffer(), out.byte_offset() / sizeof(Out)};
    r.exclusive = exclusive;
    r.after = &after;
    return call;
}

/// One scan with a prepared engine: checks the arguments, then starts.
template <class In, class Out>
cl::Event scan(const char* function, const engine& e, const queue_facts& queue, span<const In> in, span<Out> out,
               bool exclusive, const Out* init, const wait_list& after, span<unsigned char> workspace) {
    checked_call call = check_scan(function, queue, in, out, exclusive, after);
    return start(e, call, init, workspace);
}

/// One scan from scratch: checks the arguments, finds the engine, then starts.
template <class In, class Out, class Op>
cl::Event scan_once(const char* function, queue_handle handle, span<const std::remove_const_t<In>> in, span<Out> out,
                    bool exclusive, const Out* init, const Op& op, const wait_list& after, const options& opts) {
    static_assert(!std::is_const<Out>::value, "upsweep: the output's elements must not be const");
    using element = std::remove_const_t<In>;
    const queue_facts queue = inspect_queue(function, handle);
    checked_call call = check_scan<element, Out>(function, queue, in, out, exclusive, after);
    const engine e = make_checked_engine<element, Out>(function, queue, operation::scan, in.size(), op, opts);
    return start(e, call, init, {});
}

} // namespace upsweep::detail
