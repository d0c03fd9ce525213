// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls.hpp>
#include <upsweep/detail/call/iterator.hpp>
#include <upsweep/detail/call/mistakes.hpp>
#include <upsweep/error.hpp>
#include <upsweep/no_init.hpp>

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// An initial value given by value, in whose type a host range is combined: neither options nor a tag.
template <class T>
using require_value = std::enable_if_t<!std::is_same<T, options>::value && !std::is_same<T, no_init_t>::value>;
/// The same where options can only be a mistake.
template <class T>
using require_value_or_options = std::enable_if_t<!std::is_same<T, no_init_t>::value>;

template <class It>
constexpr bool check_host_iterator() {
    static_assert(
        !is_device_iterator<It>::value,
        "upsweep: this iterator runs over device memory; pass a span instead: upsweep::span<T>(buffer, count)");
    return true;
}

/// Elements of a range that lies in one piece.
template <class It>
std::size_t size_of_range(const char* function, It first, It last) {
    if (last < first) throw error(function, "input", "the range ends before it begins");
    return static_cast<std::size_t>(last - first);
}

/// Of a range that is streamed where it does not fit the device.
struct any_size {};

/// The elements of a host range in one piece: where they are, or copied.
/// @tparam InPlace  part of the name, since C++20 knows more such ranges, and a program may have files of C++17, too
template <class T, class It, bool InPlace = is_contiguous<T, It>>
class host_elements {
public:
    using value_type = T;

    /// Reads each element once at most. A count that does not fit the device is an error; where the range can be read
    /// twice, before it is copied.
    host_elements(const char* function, queue_handle queue, std::size_t value_size, It first, It last) {
        const cl_device_id device = device_of(function, queue.get());
        const auto check_count = [&] { check_fits(function, device, count_, sizeof(T), value_size); };
        if constexpr (InPlace) {
            count_ = size_of_range(function, first, last);
            check_count();
            if (count_ > 0) data_ = &*first;
        } else {
            if constexpr (is_multi_pass<It>) {
                count_ = count(first, last);
                check_count();
                copy_.reserve(count_);
            }
            for (; first != last; ++first) copy_.push_back(static_cast<T>(*first));
            count_ = copy_.size();
            check_count();
            data_ = copy_.data();
        }
    }

    /// Of a range of any size.
    host_elements(const char* function, queue_handle queue, any_size, It first, It last) {
        device_of(function, queue.get());
        if constexpr (InPlace) {
            count_ = size_of_range(function, first, last);
            if (count_ > 0) data_ = &*first;
        } else {
            if constexpr (is_multi_pass<It>) copy_.reserve(count(first, last));
            for (; first != last; ++first) copy_.push_back(static_cast<T>(*first));
            count_ = copy_.size();
            data_ = copy_.data();
        }
    }

    /// As many elements as another range has.
    host_elements(const char* function, queue_handle queue, It first, std::size_t count)
        : count_(count) {
        check_fits(function, device_of(function, queue.get()), count_, sizeof(T), sizeof(T));
        if constexpr (InPlace) {
            if (count_ > 0) data_ = &*first;
        } else {
            copy_.reserve(count_);
            for (; copy_.size() < count_; ++first) copy_.push_back(static_cast<T>(*first));
            data_ = copy_.data();
        }
    }

    const T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return count_; }

private:
    static std::size_t count(It first, const It& last) {
        std::size_t n = 0;
        for (; first != last; ++first) ++n;
        return n;
    }

    std::vector<T> copy_;
    const T* data_ = nullptr;
    std::size_t count_ = 0;
};

/// Whether an output iterator says that it stores numbers.
template <class It, class Enable = void>
struct stores_numbers : std::false_type {};
template <class It>
struct stores_numbers<It, std::void_t<typename value_of_iterator<It>::type>>
    : std::is_arithmetic<typename value_of_iterator<It>::type> {};

/// Where the values of a call on host memory go: n of them, from `out` on, converted to its type.
template <class T, class It, bool InPlace = is_contiguous_output<T, It>>
class host_values {
public:
    host_values(It out, std::size_t n)
        : out_(out)
        , copy_(InPlace ? 0 : n) {
        if constexpr (InPlace) {
            if (n > 0) data_ = &*out;
        } else {
            data_ = copy_.data();
        }
    }

    /// Room for the values.
    T* data() noexcept { return data_; }

    /// Once the values are there: stores them and returns the end of the range.
    It store(std::size_t n) {
        if constexpr (InPlace) {
            return out_ + static_cast<difference_of_iterator<It>>(n);
        } else {
            for (const T& value : copy_) {
                // Numbers are narrowed on purpose; half and float convert only where that is said.
                if constexpr (stores_numbers<It>::value || !std::is_assignable<decltype(*out_), const T&>::value)
                    *out_ = static_cast<input_value<It>>(value);
                else
                    *out_ = value;
                ++out_;
            }
            return out_;
        }
    }

private:
    It out_;
    std::vector<T> copy_;
    T* data_ = nullptr;
};

/// What all calls on a host range have in common. Refers to the elements.
template <class T, class Elements>
host_arguments arguments_of(const char* function, operation op, queue_handle queue, const Elements& elements) {
    host_arguments a;
    a.function = function;
    a.op = op;
    a.queue = queue.get();
    a.n = elements.size();
    a.in = elements.data();
    a.same_type = is_same_on_device<typename Elements::value_type, T>;
    return a;
}

template <class T, class InputIt, class OutputIt, class Op>
OutputIt scan_checked_host(const char* function, queue_handle queue, InputIt first, InputIt last, OutputIt out,
                           bool exclusive, const T* init, const Op& op, const options& opts) {
    using In = input_value<InputIt>;
    const host_elements<In, InputIt> elements(function, queue, any_size(), first, last);
    host_values<T, OutputIt> values(out, elements.size());
    const T none{};
    host_arguments a = arguments_of<T>(function, operation::scan, queue, elements);
    a.out = values.data();
    a.exclusive = exclusive;
    a.has_init = init != nullptr;
    a.init = init ? init : &none;
    call_on_host(a, types_of<In, T>(op), opts);
    return values.store(elements.size());
}

/// The blocking scans, in type T.
template <class T, class InputIt, class OutputIt, class Op>
OutputIt scan_host(const char* function, queue_handle queue, InputIt first, InputIt last, OutputIt out, bool exclusive,
                   const T* init, const Op& op, const options& opts) {
    static_assert(check_host_iterator<InputIt>() && check_host_iterator<OutputIt>(), "");
    if constexpr (check_types<input_value<InputIt>, T, Op>())
        return scan_checked_host(function, queue, first, last, out, exclusive, init, op, opts);
    else
        return out;
}

template <class T, class InputIt, class Op>
T reduce_checked_host(queue_handle queue, InputIt first, InputIt last, const T* init, const Op& op,
                      const options& opts) {
    using In = input_value<InputIt>;
    const host_elements<In, InputIt> elements("reduce", queue, any_size(), first, last);
    const T none{};
    T result = init ? *init : none;
    host_arguments a = arguments_of<T>("reduce", operation::reduce, queue, elements);
    a.out = &result;
    a.has_init = init != nullptr;
    a.init = init ? init : &none;
    call_on_host(a, types_of<In, T>(op), opts);
    return result;
}

/// The blocking reductions, in type T.
template <class T, class InputIt, class Op>
T reduce_host(queue_handle queue, InputIt first, InputIt last, const T* init, const Op& op, const options& opts) {
    static_assert(check_host_iterator<InputIt>(), "");
    if constexpr (check_types<input_value<InputIt>, T, Op>())
        return reduce_checked_host(queue, first, last, init, op, opts);
    else
        return no_result<T>();
}

/// A blocking reduction of values that a stage computes from host ranges, as many of each.
/// @param init  null: without; the result is `empty` then, where there are no elements
template <class T, class Op, class... Elements>
T reduce_host_values(const char* function, queue_handle queue, transform_stage stage, const T* init, const T& empty,
                     const Op& op, const options& opts, const Elements&... elements) {
    computed_input in;
    in.parts = {{{}, describe_type<typename Elements::value_type>()}...};
    for (const std::size_t size : {elements.size()...}) in.size = size;
    in.stages.push_back(std::move(stage));
    const wait_list none;
    call_arguments a;
    a.function = function;
    a.op = operation::reduce;
    a.queue = queue.get();
    a.value_name = own_name<T>();
    a.has_init = init != nullptr;
    a.init = init ? init : &empty;
    a.after = &none;
    T result = empty;
    call_for_value(a, in, {elements.data()...}, types_of<T, T>(op), opts, &result);
    return result;
}

} // namespace upsweep::detail
