// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls.hpp>
#include <upsweep/detail/call/initial_value.hpp>
#include <upsweep/detail/call/mistakes.hpp>

#include <type_traits>

namespace upsweep::detail {

template <class T>
struct identity {
    using type = T;
};
/// T, but not deduced from the argument.
template <class T>
using identity_t = typename identity<T>::type;

/// The types of a call; one error where there is a mistake in them.
template <class In, class Out, class Op>
call_types checked_types(const Op& op) {
    if constexpr (check_types<In, Out, Op>())
        return types_of<In, Out>(op);
    else
        return {};
}

/// A call on device memory that is made with a plan, or with `call_once`. The arguments must outlive it.
template <class In, class Out>
class device_call {
public:
    device_call(const char* function, operation op, queue_handle queue, span<const In> in, span<Out> out,
                const given_value<Out>& init, const wait_list& after) {
        static_assert(!std::is_const<Out>::value, "upsweep: the output's elements must not be const");
        arguments_.function = function;
        arguments_.op = op;
        arguments_.queue = queue.get();
        arguments_.in = untyped(in);
        arguments_.out = untyped(out);
        arguments_.same_type = is_same_on_device<In, Out>;
        arguments_.has_init = init.value != nullptr;
        arguments_.init = init.value ? static_cast<const void*>(init.value) : &none_;
        arguments_.init_on_device = init.on_device;
        arguments_.init_place = untyped(init.place);
        arguments_.after = &after;
    }
    device_call(const device_call&) = delete;
    device_call& operator=(const device_call&) = delete;

    /// Reads computed elements instead of `in`.
    device_call& of(const computed_input& in) {
        arguments_.computed = &in;
        arguments_.in = {nullptr, in.size, 0, sizeof(In)};
        if constexpr (!is_misplaced<Out>) arguments_.value_name = own_name<Out>();
        return *this;
    }
    device_call& of(span<const In> in) {
        arguments_.in = untyped(in);
        return *this;
    }
    /// Hands results of computed elements to a text instead of writing them to `out`.
    device_call& into(const computed_output& out) {
        arguments_.stored = &out;
        arguments_.out = {nullptr, arguments_.in.size, 0, sizeof(Out)};
        return *this;
    }
    /// Gives the total of a scan, too.
    device_call& with_total(span<Out> total) {
        arguments_.wants_total = true;
        arguments_.total = untyped(total);
        return *this;
    }
    device_call& exclusive(bool is_exclusive) {
        arguments_.exclusive = is_exclusive;
        return *this;
    }

    template <class Op>
    cl::Event once(const Op& op, const options& opts) const {
        return cl::Event(call_once(arguments_, checked_types<In, Out>(op), opts));
    }
    /// The result of a reduction, once it is there.
    template <class Op>
    Out value(const Op& op, const options& opts) const {
        if constexpr (check_types<In, Out, Op>()) {
            Out result = none_;
            call_for_value(arguments_, types_of<In, Out>(op), opts, &result);
            return result;
        } else {
            return no_result<Out>();
        }
    }
    cl::Event with(const plan_engines& plan, span<unsigned char> workspace) {
        arguments_.workspace = untyped(workspace);
        return cl::Event(call_plan(plan, arguments_));
    }

private:
    value_of_nothing<Out> none_{}; ///< kernels are given a value in any case
    call_arguments arguments_;
};

/// One scan from scratch.
template <class In, class Out, class Op>
cl::Event scan_once(const char* function, queue_handle queue, span<const std::remove_const_t<In>> in, span<Out> out,
                    bool exclusive, const given_value<Out>& init, const Op& op, const wait_list& after,
                    const options& opts) {
    device_call<std::remove_const_t<In>, Out> call(function, operation::scan, queue, in, out, init, after);
    return call.exclusive(exclusive).once(op, opts);
}

} // namespace upsweep::detail
