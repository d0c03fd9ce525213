#pragma once

#include "elements.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace bench {

/// No result consists of these bytes, so an element that was not written is seen.
constexpr unsigned char poison_byte = 0xa5;

/// Keeps one object alive until another is asked for: benchmarks run type by type, and the arrays of one type at a time
/// are enough.
class only_one {
public:
    template <class Object>
    Object& get() {
        static char tag; // its address names the type
        if (tag_ != &tag) {
            object_.reset();
            object_ = std::make_shared<Object>();
            tag_ = &tag;
        }
        return *static_cast<Object*>(object_.get());
    }

private:
    const void* tag_ = nullptr;
    std::shared_ptr<void> object_;
};

/// Input and output of one type in host memory; both grow as needed, and the input of n elements is the beginning of
/// that of more.
template <class T>
class host_arrays {
public:
    const std::vector<T>& input(std::uint64_t n) {
        const auto known = static_cast<std::uint64_t>(input_.size());
        if (n <= known) return input_;
        input_.resize(static_cast<std::size_t>(n));
        const std::uint64_t threads = std::max(1U, std::thread::hardware_concurrency());
        const std::uint64_t share = (n - known + threads - 1) / threads;
        std::vector<std::thread> workers;
        for (std::uint64_t begin = known; begin < n; begin += share)
            workers.emplace_back([this, begin, end = std::min(n, begin + share)] {
                for (std::uint64_t i = begin; i < end; ++i) input_[static_cast<std::size_t>(i)] = input_element<T>(i);
            });
        for (std::thread& worker : workers) worker.join();
        return input_;
    }

    /// At least n elements, and one more that nobody may write.
    std::vector<T>& output(std::uint64_t n) {
        if (output_.size() < n + 1) output_.resize(static_cast<std::size_t>(n + 1));
        return output_;
    }

    void poison_output(std::uint64_t n) {
        std::memset(static_cast<void*>(output(n).data()), poison_byte, static_cast<std::size_t>(n + 1) * sizeof(T));
    }

private:
    std::vector<T> input_;
    std::vector<T> output_;
};

inline only_one& host_slot() {
    static only_one slot;
    return slot;
}

template <class T>
host_arrays<T>& host() {
    return host_slot().get<host_arrays<T>>();
}

} // namespace bench
