#pragma once

#include <upsweep/detail/engine.hpp>

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

/// Operators are told from wait lists, options and initial values by their `name`.
template <class Op>
using require_operator = decltype(std::decay_t<Op>::name);

/// One scan with a prepared engine: checks the views, then starts.
template <class In, class Out>
cl::Event scan(const char* function, const engine& e, const queue_facts& queue, span<const In> in, span<Out> out,
               bool exclusive, const Out* init, const wait_list& after, span<unsigned char> workspace) {
    const view_facts in_facts =
        check_view(function, "input", queue, in.buffer(), in.size(), in.byte_offset(), sizeof(In), access::input);
    if (out.size() < in.size())
        throw error(function, "output",
                    std::to_string(out.size()) + " elements are fewer than the input's " + std::to_string(in.size()));
    const view_facts out_facts =
        check_view(function, "output", queue, out.buffer(), in.size(), out.byte_offset(), sizeof(Out), access::output);
    check_overlap(function, in_facts, out_facts, is_same_on_device<In, Out>);
    const Out none{};
    run_request r;
    r.function = function;
    r.queue = queue;
    r.in = {in.buffer(), in.byte_offset() / sizeof(In)};
    r.out = {out.buffer(), out.byte_offset() / sizeof(Out)};
    r.exclusive = exclusive;
    r.has_init = init != nullptr;
    r.init = {init ? init : &none, sizeof(Out)};
    return start<In, Out>(e, r, in_facts, out_facts, in.size(), after, workspace);
}

/// One scan from scratch: finds the engine, then as above.
template <class In, class Out, class Op>
cl::Event scan_once(const char* function, queue_handle handle, span<const std::remove_const_t<In>> in, span<Out> out,
                    bool exclusive, const Out* init, const Op& op, const wait_list& after, const options& wish) {
    static_assert(!std::is_const<Out>::value, "upsweep: the output's elements must not be const");
    using element = std::remove_const_t<In>;
    const queue_facts queue = inspect_queue(function, handle);
    const engine e = make_engine<element, Out>(function, queue, operation::scan, in.size(), op, wish);
    return scan<element, Out>(function, e, queue, in, out, exclusive, init, after, {});
}

} // namespace upsweep::detail
