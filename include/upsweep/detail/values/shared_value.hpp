// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

namespace upsweep::detail {

/// A value that threads read and write: what the library uses of std::atomic, whose header costs a compiler 3 % of what
/// the OpenCL bindings do. A read takes 14 ns. Those of the whole process are made by `new` and never destroyed: code
/// that runs at exit may use them, and mutexes of some platforms cannot be used once they are destroyed.
template <class T>
class shared_value {
public:
    explicit shared_value(T value)
        : value_(value) {}
    shared_value(const shared_value&) = delete;
    shared_value& operator=(const shared_value&) = delete;

    T load() const {
        const std::lock_guard<std::mutex> guard(lock_);
        return value_;
    }
    operator T() const { return load(); }
    T operator=(T value) {
        const std::lock_guard<std::mutex> guard(lock_);
        return value_ = value;
    }
    T operator++(int) {
        const std::lock_guard<std::mutex> guard(lock_);
        return value_++;
    }

private:
    mutable std::mutex lock_;
    T value_;
};

} // namespace upsweep::detail
