// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/operator.hpp>
#include <upsweep/type.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace upsweep {

namespace detail {

/// Whether the library knows an operator's identity.
template <class Op>
constexpr bool has_identity =
    std::is_same<Op, plus>::value || std::is_same<Op, multiplies>::value || std::is_same<Op, minimum>::value ||
    std::is_same<Op, maximum>::value || std::is_same<Op, bit_and>::value || std::is_same<Op, bit_or>::value ||
    std::is_same<Op, bit_xor>::value || std::is_same<Op, logical_and>::value || std::is_same<Op, logical_or>::value;

/// The identity on a scalar type.
template <class T, class Op>
T identity_of_scalar() {
    if constexpr (std::is_same<T, half>::value) {
        // Infinities are converted as they are.
        return half(identity_of_scalar<float, Op>());
    } else if constexpr (std::is_same<Op, minimum>::value || std::is_same<Op, maximum>::value) {
        using limits = std::numeric_limits<T>;
        constexpr bool is_least = std::is_same<Op, maximum>::value;
        if constexpr (limits::has_infinity)
            return is_least ? -limits::infinity() : limits::infinity();
        else
            return is_least ? (limits::lowest)() : (limits::max)();
    } else if constexpr (std::is_same<Op, bit_and>::value) {
        return static_cast<T>(~T{0});
    } else {
        constexpr bool is_one = std::is_same<Op, multiplies>::value || std::is_same<Op, logical_and>::value;
        return static_cast<T>(is_one ? 1 : 0);
    }
}

} // namespace detail

/// The value that changes nothing when one of the library's operators combines it with another on its right: 0 for
/// `plus`, `bit_or`, `bit_xor` and `logical_or`, 1 for `multiplies` and `logical_and`, all bits for `bit_and`; for
/// `minimum` and `maximum` the largest and the smallest value, which is an infinity where the type has one. (A NaN is
/// dropped by it, and of two zeros' sums the sign is positive.)
///
/// What an exclusive scan begins with where it is given no initial value. `reference::exclusive_scan` and `<numeric>`'s
/// take it as theirs.
///
/// @tparam T  an integer, `half`, `float`, `double`, or a vector of them
template <class T, class Op = plus>
T identity_of(const Op& = {}) {
    static_assert(detail::has_identity<Op>,
                  "upsweep: an operator of one's own needs an initial value, because its identity is not known");
    if constexpr (!detail::has_identity<Op>) {
        return detail::no_result<T>();
    } else if constexpr (detail::is_vector<T>) {
        using scalar = typename detail::scalar_of<T>::type;
        const scalar each = detail::identity_of_scalar<scalar, Op>();
        T all{};
        for (std::size_t i = 0; i < sizeof(T) / sizeof(scalar); ++i)
            std::memcpy(reinterpret_cast<unsigned char*>(&all) + i * sizeof(scalar), &each, sizeof each);
        return all;
    } else {
        static_assert(std::is_arithmetic<T>::value || std::is_same<T, half>::value,
                      "upsweep: an identity is known for integers, floating-point numbers and vectors of them");
        return detail::identity_of_scalar<T, Op>();
    }
}

} // namespace upsweep
