// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/device_call.hpp>
#include <upsweep/detail/call/host_range.hpp>
#include <upsweep/detail/call/initial_value.hpp>
#include <upsweep/detail/group/group_call.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>
#include <upsweep/span.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

// From the typed arguments of calls on device groups to those of group_call.hpp. `Group` is upsweep::device_group.

namespace upsweep::detail {

/// The arguments of a call on one part. They refer to `after` and to `any`, which is no initial value yet.
template <class In, class Out>
call_arguments part_arguments(const char* function, operation op, cl_command_queue queue, span<In> in, span<Out> out,
                              bool exclusive, const Out& any, const wait_list& after) {
    static_assert(!std::is_const<Out>::value, "upsweep: the output's elements must not be const");
    call_arguments a;
    a.function = function;
    a.op = op;
    a.queue = queue;
    a.in = untyped(in);
    a.out = untyped(out);
    a.same_type = is_same_on_device<std::remove_const_t<In>, Out>;
    a.exclusive = exclusive;
    a.init = &any;
    a.after = &after;
    return a;
}

/// As many of each part's arguments as there are queues.
UPSWEEP_INLINE void check_count(const char* function, const char* argument, std::size_t count, std::size_t queues) {
    if (count != queues)
        throw error(function, argument,
                    std::to_string(count) + " parts, but the group has " + std::to_string(queues) + " queues");
}

template <class Group, class In, class Out, class Op>
std::vector<cl::Event> scan_checked_group(const char* function, const Group& group, const std::vector<span<In>>& in,
                                          const std::vector<span<Out>>& out, bool exclusive, const Out* init,
                                          const Op& op, const std::vector<wait_list>& after, const options& opts) {
    check_count(function, "input", in.size(), group.size());
    check_count(function, "output", out.size(), group.size());
    if (!after.empty()) check_count(function, "after", after.size(), group.size());
    const wait_list none;
    const Out any{};
    group_arguments a;
    a.function = function;
    a.call = exclusive ? parts_call::exclusive : parts_call::inclusive;
    a.init = init;
    for (std::size_t i = 0; i < group.size(); ++i)
        a.parts.push_back(part_arguments(function, operation::scan, group.queue(i)(), in[i], out[i], exclusive, any,
                                         after.empty() ? none : after[i]));
    std::vector<cl::Event> result;
    for (cl_event event : call_group(a, types_of<std::remove_const_t<In>, Out>(op), opts))
        result.push_back(cl::Event(event));
    return result;
}

/// The scans of parts.
template <class Group, class In, class Out, class Op>
std::vector<cl::Event> scan_group(const char* function, const Group& group, const std::vector<span<In>>& in,
                                  const std::vector<span<Out>>& out, bool exclusive, const Out* init, const Op& op,
                                  const std::vector<wait_list>& after, const options& opts) {
    if constexpr (check_types<std::remove_const_t<In>, Out, Op>())
        return scan_checked_group(function, group, in, out, exclusive, init, op, after, opts);
    else
        return {};
}

template <class Group, class In, class T, class Op>
T reduce_checked_group(const Group& group, const std::vector<span<In>>& in, const T* init, const Op& op,
                       const std::vector<wait_list>& after, const options& opts) {
    check_count("reduce", "input", in.size(), group.size());
    if (!after.empty()) check_count("reduce", "after", after.size(), group.size());
    const wait_list none;
    T result{};
    group_arguments a;
    a.function = "reduce";
    a.call = parts_call::reduce;
    a.init = init;
    a.result = &result;
    for (std::size_t i = 0; i < group.size(); ++i)
        a.parts.push_back(part_arguments("reduce", operation::reduce, group.queue(i)(), in[i], span<T>(), false, result,
                                         after.empty() ? none : after[i]));
    call_group(a, types_of<std::remove_const_t<In>, T>(op), opts);
    return result;
}

/// The reductions of parts.
template <class Group, class In, class T, class Op>
T reduce_group(const Group& group, const std::vector<span<In>>& in, const T* init, const Op& op,
               const std::vector<wait_list>& after, const options& opts) {
    if constexpr (check_types<std::remove_const_t<In>, T, Op>())
        return reduce_checked_group(group, in, init, op, after, opts);
    else
        return no_result<T>();
}

/// The elements of a host range in one piece: where they are, or copied.
template <class T, class It, bool InPlace = is_contiguous<T, It>>
class whole_range {
public:
    using value_type = T;

    whole_range(const char* function, It first, It last) {
        static_assert(check_host_iterator<It>(), "");
        (void)function;
        if constexpr (InPlace) {
            count_ = size_of_range(function, first, last);
            if (count_ > 0) data_ = &*first;
        } else {
            for (; first != last; ++first) copy_.push_back(static_cast<T>(*first));
            count_ = copy_.size();
            data_ = copy_.data();
        }
    }

    const T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return count_; }

private:
    std::vector<T> copy_;
    const T* data_ = nullptr;
    std::size_t count_ = 0;
};

/// A call on a host range that is divided among a group.
template <class T, class Group, class Elements, class Op>
void call_on_range(const Group& group, const host_arguments& h, parts_call call, const Elements&, const Op& op,
                   const options& opts) {
    std::vector<cl_command_queue> queues;
    std::vector<std::uint64_t> counts;
    for (std::size_t count : group.split(static_cast<std::size_t>(h.n))) {
        queues.push_back(group.queue(queues.size())());
        counts.push_back(count);
    }
    call_group_on_host(h, call, queues, counts, types_of<typename Elements::value_type, T>(op), opts);
}

template <class T, class Group, class InputIt, class OutputIt, class Op>
OutputIt scan_host_by_group(const char* function, const Group& group, InputIt first, InputIt last, OutputIt out,
                            bool exclusive, const T* init, const Op& op, const options& opts) {
    static_assert(check_host_iterator<OutputIt>(), "");
    if constexpr (check_types<input_value<InputIt>, T, Op>()) {
        const whole_range<input_value<InputIt>, InputIt> elements(function, first, last);
        host_values<T, OutputIt> values(out, elements.size());
        const T none{};
        host_arguments h = arguments_of<T>(function, operation::scan, group.queue(0), elements);
        h.out = values.data();
        h.exclusive = exclusive;
        h.has_init = init != nullptr;
        h.init = init ? init : &none;
        call_on_range<T>(group, h, exclusive ? parts_call::exclusive : parts_call::inclusive, elements, op, opts);
        return values.store(elements.size());
    } else {
        return out;
    }
}

template <class T, class Group, class InputIt, class Op>
T reduce_host_by_group(const Group& group, InputIt first, InputIt last, const T* init, const Op& op,
                       const options& opts) {
    if constexpr (check_types<input_value<InputIt>, T, Op>()) {
        const whole_range<input_value<InputIt>, InputIt> elements("reduce", first, last);
        const T none{};
        T result{};
        host_arguments h = arguments_of<T>("reduce", operation::reduce, group.queue(0), elements);
        h.out = &result;
        h.has_init = init != nullptr;
        h.init = init ? init : &none;
        call_on_range<T>(group, h, parts_call::reduce, elements, op, opts);
        return result;
    } else {
        return no_result<T>();
    }
}

} // namespace upsweep::detail
