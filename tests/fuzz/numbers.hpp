// SPDX-License-Identifier: MIT
// Scalars under the built-in operators: what they are filled with, and the host's own arithmetic.
#pragma once

#include "draw.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace fuzz {

template <class T>
constexpr need need_of = std::is_same<T, upsweep::half>::value ? need::half
                         : std::is_same<T, double>::value      ? need::double_precision
                                                               : need::nothing;

/// As the device converts an element to the accumulated type.
template <class Out, class In>
Out convert(In x) {
    if constexpr (std::is_same<In, Out>::value)
        return x;
    else if constexpr (std::is_same<In, upsweep::half>::value)
        return static_cast<Out>(static_cast<float>(x));
    else if constexpr (std::is_same<Out, upsweep::half>::value)
        return upsweep::half(static_cast<float>(x));
    else
        return static_cast<Out>(x);
}

/// One operation on the host: integers wrap, `half` is rounded from float (every sum drawn here is exact).
template <class T, class Compute>
T compute(T left, T right, Compute f) {
    if constexpr (std::is_integral<T>::value)
        return static_cast<T>(f(static_cast<std::uint64_t>(left), static_cast<std::uint64_t>(right)));
    else if constexpr (std::is_same<T, upsweep::half>::value)
        return upsweep::half(f(static_cast<float>(left), static_cast<float>(right)));
    else
        return f(left, right);
}

template <class T>
bool less(T a, T b) {
    if constexpr (std::is_same<T, upsweep::half>::value)
        return static_cast<float>(a) < static_cast<float>(b);
    else
        return a < b;
}

template <class T>
T combine(T left, T right, const upsweep::plus&) {
    return compute(left, right, [](auto a, auto b) { return a + b; });
}
template <class T>
T combine(T left, T right, const upsweep::multiplies&) {
    return compute(left, right, [](auto a, auto b) { return a * b; });
}
template <class T>
T combine(T left, T right, const upsweep::minimum&) {
    return less(right, left) ? right : left;
}
template <class T>
T combine(T left, T right, const upsweep::maximum&) {
    return less(left, right) ? right : left;
}
template <class T>
T combine(T left, T right, const upsweep::bit_and&) {
    return static_cast<T>(left & right);
}
template <class T>
T combine(T left, T right, const upsweep::bit_or&) {
    return static_cast<T>(left | right);
}
template <class T>
T combine(T left, T right, const upsweep::bit_xor&) {
    return static_cast<T>(left ^ right);
}
template <class T>
T combine(T left, T right, const upsweep::logical_and&) {
    return static_cast<T>(left != 0 && right != 0);
}
template <class T>
T combine(T left, T right, const upsweep::logical_or&) {
    return static_cast<T>(left != 0 || right != 0);
}

/// Any bits, but no NaN, with which minimum and maximum are not associative, and nothing that a device may flush to
/// zero.
template <class T>
T any_number(dice& d) {
    using bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    const bits random = static_cast<bits>(d.bits());
    T x{};
    std::memcpy(static_cast<void*>(&x), &random, sizeof x);
    const double value = static_cast<double>(convert<double>(x));
    const double smallest = sizeof(T) == 2   ? 0x1p-14
                            : sizeof(T) == 4 ? static_cast<double>(std::numeric_limits<float>::min())
                                             : std::numeric_limits<double>::min();
    if (std::isnan(value) || std::fabs(value) < smallest) return convert<T>(d.once_in(2) ? 0.0F : -0.0F);
    return d.once_in(50) ? convert<T>(std::numeric_limits<float>::infinity()) : x;
}

/// Whole numbers of which every run of neighbours has a small sum, so that all sums are exact in any order.
template <class In>
std::vector<In> small_sums(dice& d, std::size_t n) {
    std::vector<In> values(n);
    int level = 0;
    for (In& x : values) {
        const int next = std::is_unsigned<In>::value ? level + (level < 100 && d.once_in(40)) : d.between(-60, 60);
        x = convert<In>(static_cast<float>(next - level));
        level = next;
    }
    return values;
}

/// Powers of two of which every run of neighbours has a product near 1: exact in any order.
template <class In>
std::vector<In> small_products(dice& d, std::size_t n) {
    std::vector<In> values(n);
    int level = 0;
    for (In& x : values) {
        const int next = d.between(-5, 5);
        x = convert<In>(std::ldexp(d.once_in(2) ? 1.0F : -1.0F, next - level));
        level = next;
    }
    return values;
}

template <class In>
std::vector<In> integers(dice& d, std::size_t n) {
    std::vector<In> values(n);
    const std::size_t manner = d.below(4);
    for (In& x : values) {
        if (manner == 0) // extremes
            x = d.pick({std::numeric_limits<In>::min(), std::numeric_limits<In>::max(), In{0}, In{1}});
        else if (manner == 1) // mostly zero
            x = d.once_in(20) ? static_cast<In>(d.bits()) : In{0};
        else
            x = static_cast<In>(d.bits());
        if (manner == 3) x = static_cast<In>(x | 1); // products do not die out
    }
    return values;
}

/// A built-in operator with elements whose result is exact.
template <class In, class Out, class Op>
struct exact_numbers {
    using in = In;
    using out = Out;
    static constexpr bool approximate = false;
    static constexpr need needs = need_of<In> == need::nothing ? need_of<Out> : need_of<In>;

    static Op op() { return {}; }
    static std::string name() {
        return std::string(upsweep::type<In>::name) + " -> " + upsweep::type<Out>::name + ", " + Op::name;
    }
    static Out combine(Out left, Out right) { return fuzz::combine(left, right, Op{}); }

    static std::vector<In> fill(dice& d, std::size_t n) {
        constexpr bool compares =
            std::is_same<Op, upsweep::minimum>::value || std::is_same<Op, upsweep::maximum>::value;
        if constexpr (std::is_integral<In>::value && std::is_integral<Out>::value) {
            return integers<In>(d, n);
        } else if constexpr (compares && std::is_same<In, Out>::value) {
            std::vector<In> values(n);
            for (In& x : values) x = any_number<In>(d);
            return values;
        } else if constexpr (std::is_same<Op, upsweep::multiplies>::value) {
            return small_products<In>(d, n);
        } else {
            return small_sums<In>(d, n);
        }
    }
    static Out init(dice& d, const In*) {
        if constexpr (std::is_integral<Out>::value && std::is_integral<In>::value)
            return static_cast<Out>(d.bits());
        else if constexpr (std::is_same<Op, upsweep::multiplies>::value)
            return convert<Out>(d.pick({-2.0F, 0.5F, 1.0F}));
        else
            return convert<Out>(static_cast<float>(std::is_unsigned<Out>::value ? 3 : d.between(-20, 20)));
    }
};

} // namespace fuzz
