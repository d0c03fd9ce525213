// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <utility>

namespace upsweep::detail {

/// A value or none: what the library uses of std::optional, whose every instance takes g++ 5 ms, where the OpenCL
/// bindings take 800.
template <class T>
class maybe {
public:
    maybe() noexcept {}
    maybe(T value) { emplace(std::move(value)); }
    maybe(const maybe& other) {
        if (other) emplace(*other);
    }
    maybe(maybe&& other) noexcept {
        if (other) emplace(std::move(*other));
    }
    maybe& operator=(maybe other) noexcept {
        reset();
        if (other) emplace(std::move(*other));
        return *this;
    }
    ~maybe() { reset(); }

    explicit operator bool() const noexcept { return has_value_; }
    bool has_value() const noexcept { return has_value_; }

    T& operator*() noexcept { return value_; }
    const T& operator*() const noexcept { return value_; }
    T* operator->() noexcept { return &value_; }
    const T* operator->() const noexcept { return &value_; }
    T value_or(T other) const { return has_value_ ? value_ : std::move(other); }

    template <class... Arguments>
    T& emplace(Arguments&&... arguments) {
        reset();
        new (static_cast<void*>(&value_)) T(std::forward<Arguments>(arguments)...);
        has_value_ = true;
        return value_;
    }
    void reset() noexcept {
        if (has_value_) value_.~T();
        has_value_ = false;
    }

    friend bool operator==(const maybe& a, const T& b) { return a && *a == b; }
    friend bool operator!=(const maybe& a, const T& b) { return !(a == b); }

private:
    bool has_value_ = false;
    union {
        T value_; // NOLINT(readability-identifier-naming): private, though of a union
    };
};

} // namespace upsweep::detail
