// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/mistakes.hpp>
#include <upsweep/detail/values/storage_text.hpp>
#include <upsweep/device_value.hpp>
#include <upsweep/error.hpp>
#include <upsweep/no_init.hpp>
#include <upsweep/span.hpp>
#include <upsweep/type.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::detail {

/// What an initial value is: none, a value of the host, or a place in device memory.
template <class T>
struct given_value {
    given_value(std::nullptr_t) noexcept {}
    given_value(const T* of_host) noexcept
        : value(of_host) {}
    given_value(const T* any, bool is_on_device, span<const T> at) noexcept
        : value(any)
        , on_device(is_on_device)
        , place(at) {}

    const T* value = nullptr; ///< null: none. Of one in device memory, any value
    bool on_device = false;
    span<const T> place;
};

/// What is left where nothing is combined: T{}. (Other types are refused: check_element.)
template <class T>
using value_of_nothing = std::conditional_t<std::is_default_constructible<T>::value, T, char>;

/// What may be an initial value of type T. Numbers convert to half and bfloat16 only where that is said, as here.
template <class U, class T>
constexpr bool is_value_for = std::is_convertible<const U&, T>::value ||
                              (is_storage<T> && std::is_arithmetic<U>::value);

/// For calls where an initial value may be left out: the type of a wait list, or of an event or a vector of events.
/// `{}` has no type, so that it does not compile there.
template <class Events>
using require_events = std::enable_if_t<are_events<Events>>;

/// An initial value as an argument: anything that converts to T, but not `{}`. Callers write `{}` for arguments that
/// they leave out, such as the wait list; as a T it would be a zero that the caller did not ask for.
template <class T>
class initial_value {
public:
    initial_value(const T& value)
        : value_(value) {}
    template <class U, class = std::enable_if_t<is_value_for<U, T> && !std::is_same<U, T>::value &&
                                                !std::is_same<U, initial_value>::value>>
    initial_value(const U& value)
        : value_(static_cast<T>(value)) {}

    /// Accepts what is no value, to say so in one error.
    template <class U, std::enable_if_t<is_misplaced<U>, int> = 0>
    initial_value(const U&)
        : value_() {
        check_element<U>();
    }

    /// Of the same type.
    template <class U, class = std::enable_if_t<is_same_on_device<U, T>>>
    initial_value(const device_value<U>& value)
        : value_()
        , on_device_(true)
        , place_(value.place.buffer(), value.place.size(), value.place.byte_offset()) {}

    given_value<T> get() const noexcept { return {&value_, on_device_, place_}; }
    /// Where only a value of the host will do.
    const T* of_host(const char* function) const {
        if (on_device_) throw error(function, "initial value", "lies on the device, but must come from the host here");
        return &value_;
    }

private:
    T value_;
    bool on_device_ = false;
    span<const T> place_;
};

/// An initial value, or `no_init`.
template <class T>
class initial_value_or_none {
public:
    initial_value_or_none(no_init_t)
        : value_(T{})
        , is_none_(true) {}
    template <class U, class = std::enable_if_t<std::is_convertible<const U&, initial_value<T>>::value>>
    initial_value_or_none(const U& value)
        : value_(value) {}

    given_value<T> get() const noexcept { return is_none_ ? given_value<T>(nullptr) : value_.get(); }

private:
    initial_value<T> value_;
    bool is_none_ = false;
};

} // namespace upsweep::detail
