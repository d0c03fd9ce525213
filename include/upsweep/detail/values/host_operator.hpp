// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/operator.hpp>

#include <cstdint>
#include <type_traits>

namespace upsweep::detail {

/// *to = *left op *right, on the host.
using host_operator = void (*)(const void* left, const void* right, void* to);

/// Of integers, as OpenCL C computes it: what a sum or a product has too much is dropped.
template <class T, class Op>
T combine_integers(T left, T right) {
    const auto l = static_cast<std::uint64_t>(left);
    const auto r = static_cast<std::uint64_t>(right);
    if constexpr (std::is_same<Op, plus>::value) return static_cast<T>(l + r);
    if constexpr (std::is_same<Op, multiplies>::value) return static_cast<T>(l * r);
    if constexpr (std::is_same<Op, minimum>::value) return right < left ? right : left;
    if constexpr (std::is_same<Op, maximum>::value) return left < right ? right : left;
    if constexpr (std::is_same<Op, bit_and>::value) return static_cast<T>(l & r);
    if constexpr (std::is_same<Op, bit_or>::value) return static_cast<T>(l | r);
    if constexpr (std::is_same<Op, bit_xor>::value) return static_cast<T>(l ^ r);
    if constexpr (std::is_same<Op, logical_and>::value) return static_cast<T>(l != 0 && r != 0);
    if constexpr (std::is_same<Op, logical_or>::value) return static_cast<T>(l != 0 || r != 0);
}

template <class Op, class... Operators>
constexpr bool is_one_of = (std::is_same<Op, Operators>::value || ...);

/// The operator on the host, where it gives the bits that devices do: of integers, unless it is the user's own text.
/// Null for others.
template <class T, class Op>
constexpr host_operator operator_on_host() {
    constexpr bool is_ours =
        is_one_of<Op, plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor, logical_and, logical_or>;
    if constexpr (std::is_integral<T>::value && is_ours)
        return [](const void* left, const void* right, void* to) {
            *static_cast<T*>(to) = combine_integers<T, Op>(*static_cast<const T*>(left), *static_cast<const T*>(right));
        };
    else
        return nullptr;
}

} // namespace upsweep::detail
