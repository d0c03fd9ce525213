// SPDX-License-Identifier: MIT
// The host's own result, element by element, and what is said when the device's is another.
#pragma once

#include <upsweep/reference.hpp>

#include "rounded.hpp"

#include <cstdio>
#include <cstring>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fuzz {

/// A wrong result, or an error where there should be none.
class failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class variety { plain, with_init, exclusive };

inline const char* to_string(variety v) {
    return v == variety::plain ? "no init" : v == variety::with_init ? "with init" : "exclusive";
}

template <class T>
std::string hex(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    std::string text;
    for (unsigned char byte : bytes) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(byte));
        text += two;
    }
    return text;
}

/// The combination of everything so far; exact subjects.
template <class Subject>
class exact_sum {
public:
    using value = typename Subject::out;

    void append(value x) { sum_ = sum_ ? Subject::combine(*sum_, x) : x; }
    void check(const value& actual, std::size_t i) const {
        const value expected = sum_ ? *sum_ : value{};
        if (std::memcmp(&actual, &expected, sizeof expected) != 0)
            throw failure("element " + std::to_string(i) + " has the bytes " + hex(actual) + ", should have " +
                          hex(expected));
    }

private:
    std::optional<value> sum_;
};

/// The same with a tolerance.
template <class Subject>
class bounded_sum {
public:
    using value = typename Subject::out;

    void append(value x) {
        bound_.append(x);
        empty_ = false;
    }
    void check(const value& actual, std::size_t i) const {
        const bounded expected = empty_ ? bounded{0, 0} : bound_.get();
        if (std::fabs(static_cast<long double>(actual) - expected.value) <= expected.tolerance) return;
        std::ostringstream text;
        text.precision(20);
        text << "element " << i << " is " << actual << ", should be " << expected.value << " +- " << expected.tolerance;
        throw failure(text.str());
    }

private:
    bool empty_ = true;
    bound<typename Subject::out, decltype(Subject::op())> bound_;
};

/// Compares a scan of `in`, or with `reduces` a reduction, with the serial one. Throws `failure`.
template <class Subject>
void check_against_reference(const std::vector<typename Subject::in>& in,
                             const std::vector<typename Subject::out>& actual, bool reduces, variety v,
                             const typename Subject::out& init) {
    std::conditional_t<Subject::approximate, bounded_sum<Subject>, exact_sum<Subject>> sum;
    if (v != variety::plain) sum.append(init);
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (!reduces && v == variety::exclusive) sum.check(actual[i], i);
        sum.append(convert<typename Subject::out>(in[i]));
        if (!reduces && v != variety::exclusive) sum.check(actual[i], i);
    }
    if (reduces) sum.check(actual[0], 0);
}

/// Results of the canonical order, which are known to the bit, of at least one element.
template <class Subject>
void check_bits(const std::vector<typename Subject::in>& in, const std::vector<typename Subject::out>& actual,
                bool reduces, variety v, typename Subject::out init) {
    namespace reference = upsweep::reference;
    std::vector<typename Subject::out> expected(actual.size());
    const auto combine = [](auto left, auto right) { return Subject::combine(left, right); };
    if (reduces && v == variety::plain)
        expected[0] = reference::reduce(in.begin(), in.end(), upsweep::no_init, combine);
    else if (reduces)
        expected[0] = reference::reduce(in.begin(), in.end(), init, combine);
    else if (v == variety::exclusive)
        reference::exclusive_scan(in.begin(), in.end(), expected.begin(), init, combine);
    else if (v == variety::with_init)
        reference::inclusive_scan(in.begin(), in.end(), expected.begin(), combine, init);
    else
        reference::inclusive_scan(in.begin(), in.end(), expected.begin(), combine);
    for (std::size_t i = 0; i < actual.size(); ++i)
        if (std::memcmp(&actual[i], &expected[i], sizeof actual[i]) != 0)
            throw failure("element " + std::to_string(i) + " has the bytes " + hex(actual[i]) +
                          ", the canonical order gives " + hex(expected[i]));
}

} // namespace fuzz
