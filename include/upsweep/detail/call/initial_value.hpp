// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/mistakes.hpp>
#include <upsweep/no_init.hpp>

#include <type_traits>

namespace upsweep::detail {

/// An initial value as an argument: anything that converts to T, but not `{}`. Callers write `{}` for arguments that
/// they leave out, such as the wait list; as a T it would be a zero that the caller did not ask for.
template <class T>
class initial_value {
public:
    initial_value(const T& value)
        : value_(value) {}
    template <class U, class = std::enable_if_t<std::is_convertible<const U&, T>::value && !std::is_same<U, T>::value &&
                                                !std::is_same<U, initial_value>::value>>
    initial_value(const U& value)
        : value_(static_cast<T>(value)) {}

    /// Accepts what is no value, to say so in one error.
    template <class U, std::enable_if_t<is_misplaced<U>, int> = 0>
    initial_value(const U&)
        : value_() {
        check_element<U>();
    }

    const T* get() const noexcept { return &value_; }

private:
    T value_;
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

    const T* get() const noexcept { return is_none_ ? nullptr : value_.get(); }

private:
    initial_value<T> value_;
    bool is_none_ = false;
};

} // namespace upsweep::detail
