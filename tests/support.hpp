// SPDX-License-Identifier: MIT
#pragma once

// What the device tests share: types with known answers, reference results on the host, and arrays on the device that
// notice when something is written outside of them.

#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace test {

/// A run of neighbours, for an operator that notices when it is called on anything else: combining is right only if the
/// right operand begins just after the left one ends. Does not commute, has no identity, 12 bytes.
struct segment {
    std::int32_t first;
    std::int32_t last;
    std::int32_t broken; ///< 1 once anything but neighbours was combined

    friend bool operator==(const segment& a, const segment& b) {
        return a.first == b.first && a.last == b.last && a.broken == b.broken;
    }
};

} // namespace test

template <>
struct upsweep::type<test::segment> {
    static constexpr const char* name = "segment";
    static constexpr const char* definition = "typedef struct { int first; int last; int broken; } segment;";
};

namespace test {

inline auto join_segments() {
    return upsweep::make_operator<segment>("segment joined = {left.first, right.last, left.broken | right.broken};\n"
                                           "if (left.last + 1 != right.first) joined.broken = 1;\n"
                                           "return joined;");
}

inline segment combine(const segment& left, const segment& right, const upsweep::custom_operator<segment>&) {
    const bool neighbours = left.last + 1 == right.first;
    return {left.first, right.last, neighbours ? left.broken | right.broken : 1};
}

template <class T>
T combine(T left, T right, upsweep::plus) {
    if constexpr (std::is_integral<T>::value)
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(left) + static_cast<std::make_unsigned_t<T>>(right));
    else
        return left + right;
}

/// The operator that a type is tested with.
template <class T>
auto natural_operator() {
    if constexpr (std::is_same<T, segment>::value)
        return join_segments();
    else
        return upsweep::plus{};
}

/// Random elements whose sums are exact, so that the order of additions cannot be seen: any integers, small whole
/// floating-point numbers. Segments follow one another.
template <class T>
std::vector<T> make_input(std::size_t n, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<T> input(n);
    for (std::size_t i = 0; i < n; ++i) {
        if constexpr (std::is_same<T, segment>::value)
            input[i] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(i), 0};
        else if constexpr (std::is_integral<T>::value)
            input[i] = static_cast<T>(random());
        else
            input[i] = static_cast<T>(static_cast<int>(random() % 17) - 8);
    }
    return input;
}

/// An initial value that fits on the left of `make_input`.
template <class T>
T make_init() {
    if constexpr (std::is_same<T, segment>::value)
        return {-5, -1, 0};
    else
        return static_cast<T>(7);
}

/// The serial scan that every result is compared with: accumulates from left to right in the output's type.
template <class Out, class In, class Op>
std::vector<Out> reference_scan(const std::vector<In>& in, bool exclusive, const std::optional<Out>& init,
                                const Op& op) {
    std::vector<Out> out(in.size());
    std::optional<Out> sum;
    if (init) sum = *init; // copying an empty one as a whole makes GCC 12 warn of its uninitialised value
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Out element = static_cast<Out>(in[i]);
        const Out next = sum ? combine(*sum, element, op) : element;
        out[i] = exclusive ? *sum : next;
        sum = next;
    }
    return out;
}

/// The queue that all tests share. Never released: at exit drivers may be gone, and Oclgrind then corrupts the heap.
inline const cl::CommandQueue& queue() {
    static const auto* const common = new cl::CommandQueue(upsweep::default_queue());
    return *common;
}

/// What the device of `queue()` can do.
const upsweep::detail::device_limits& limits();

/// Whether kernels for sub-groups run on the device.
inline bool has_lanes() {
    return limits().has_ptx || (limits().lanes != upsweep::detail::lanes_backend::none && limits().has_atomics64);
}

/// The scans that tests compare with one reference.
enum class kind { inclusive, inclusive_with_init, exclusive };

/// Options and size as a failed test shows them.
std::string describe(const upsweep::options& o, std::size_t n);

/// Whether single-pass scans run on the device.
inline bool has_look_back() {
    if (!test::limits().has_atomics64) test::skip("look_back needs cl_khr_int64_base_atomics");
    return test::limits().has_atomics64;
}

/// Whether the device has the element type.
template <class T>
bool has_type() {
    return !std::is_same<T, double>::value || limits().has_double;
}

inline cl_context context_of(const cl::CommandQueue& q) {
    cl_context context = nullptr;
    clGetCommandQueueInfo(q(), CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
    return context;
}

/// `count` elements on the device between two guards of poisoned bytes.
template <class T>
class guarded_array {
public:
    static constexpr unsigned char poison = 0xA5;

    /// @param guard  elements before and after
    explicit guarded_array(std::size_t count, std::size_t guard = 67)
        : count_(count)
        , guard_(guard) {
        write(std::vector<unsigned char>((count + 2 * guard) * sizeof(T), poison));
    }
    explicit guarded_array(const std::vector<T>& values, std::size_t guard = 67)
        : count_(values.size())
        , guard_(guard) {
        std::vector<unsigned char> bytes((count_ + 2 * guard) * sizeof(T), poison);
        if (!values.empty()) std::memcpy(&bytes[guard * sizeof(T)], values.data(), count_ * sizeof(T));
        write(bytes);
    }

    upsweep::span<T> view() const { return {buffer_, count_, guard_ * sizeof(T)}; }
    upsweep::span<T> view(std::size_t count) const { return {buffer_, count, guard_ * sizeof(T)}; }

    std::vector<T> values() const {
        std::vector<T> result(count_);
        if (count_ > 0) read(result.data(), guard_ * sizeof(T), count_ * sizeof(T));
        return result;
    }

    /// Whether everything outside [from, count) of the array still holds poison.
    bool untouched_outside(std::size_t written) const {
        std::vector<unsigned char> bytes((count_ + 2 * guard_) * sizeof(T));
        read(bytes.data(), 0, bytes.size());
        const std::size_t begin = guard_ * sizeof(T);
        const std::size_t end = (guard_ + written) * sizeof(T);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            if ((i < begin || i >= end) && bytes[i] != poison) return false;
        return true;
    }

private:
    // One write from the start: Oclgrind takes memory filled at creation or from an offset for uninitialised.
    void write(const std::vector<unsigned char>& bytes) {
        buffer_ = cl::Buffer(clCreateBuffer(context_of(queue()), CL_MEM_READ_WRITE, bytes.size(), nullptr, nullptr));
        clEnqueueWriteBuffer(queue()(), buffer_(), CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr);
    }
    void read(void* to, std::size_t offset, std::size_t bytes) const {
        clEnqueueReadBuffer(queue()(), buffer_(), CL_TRUE, offset, bytes, to, 0, nullptr, nullptr);
    }

    cl::Buffer buffer_;
    std::size_t count_;
    std::size_t guard_;
};

/// The first index at which two arrays differ, for a failure message; -1 when they are equal.
template <class T>
std::ptrdiff_t first_difference(const std::vector<T>& a, const std::vector<T>& b) {
    if (a.size() != b.size()) return static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i])) return static_cast<std::ptrdiff_t>(i);
    return -1;
}

/// Makes the device look like another one while it lives.
class disguise {
public:
    template <class Change>
    explicit disguise(Change&& change)
        : real_(limits()) {
        change(const_cast<upsweep::detail::device_limits&>(limits()));
    }
    ~disguise() { const_cast<upsweep::detail::device_limits&>(limits()) = real_; }
    disguise(const disguise&) = delete;
    disguise& operator=(const disguise&) = delete;

private:
    upsweep::detail::device_limits real_;
};

} // namespace test
