// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace upsweep::detail {

/// The highest bits of an integer as a float; others that are set make the last bit odd.
UPSWEEP_INLINE float integer_to_odd(std::uint64_t magnitude) noexcept {
    float unit = 1;
    bool is_lost = false;
    while (magnitude >> std::numeric_limits<float>::digits != 0) {
        is_lost = is_lost || (magnitude & 1U);
        magnitude >>= 1;
        unit *= 2;
    }
    return static_cast<float>(static_cast<std::uint32_t>(magnitude | (is_lost ? 1U : 0U))) * unit;
}

/// Of a number that lies beside `nearest`, the nearest number of fewer bits: the one of both neighbours that is odd.
/// @tparam Bits  an integer as large as Number
template <class Bits, class Number, class Wide>
Number odd_neighbour(Wide value, Number nearest) noexcept {
    Bits bits = 0;
    std::memcpy(&bits, &nearest, sizeof bits);
    const bool is_beyond = value < 0 ? nearest < value : nearest > value;
    bits = (bits - (is_beyond ? 1U : 0U)) | 1U;
    std::memcpy(&nearest, &bits, sizeof nearest);
    return nearest;
}

UPSWEEP_INLINE float double_to_odd(double value) noexcept {
    constexpr float most = (std::numeric_limits<float>::max)(), infinity = std::numeric_limits<float>::infinity();
    if (value != value) return std::numeric_limits<float>::quiet_NaN();
    // NOLINTNEXTLINE(bugprone-narrowing-conversions): clang-tidy 14 means from float to float
    if (value > most) return value > (std::numeric_limits<double>::max)() ? infinity : most;
    if (value < -most) return value < -(std::numeric_limits<double>::max)() ? -infinity : -most;
    const auto nearest = static_cast<float>(value);
    return nearest == value ? nearest : odd_neighbour<std::uint32_t>(value, nearest);
}

/// The same to double.
UPSWEEP_INLINE double long_double_to_odd(long double value) noexcept {
    const double nearest = static_cast<double>(value);
    if (static_cast<long double>(nearest) == value || value != value) return nearest;
    return odd_neighbour<std::uint64_t>(value, nearest);
}

/// A number as a float: exact, or the neighbour towards zero with its last bit set. Rounded once more to fewer bits,
/// the result is that of rounding the number itself (S. Boldo and G. Melquiond, Emulation of FMA and Correctly Rounded
/// Sums: Proved Algorithms Using Rounding to Odd, 2008).
template <class T>
float round_to_odd(T value) noexcept {
    if constexpr (std::is_same<T, float>::value) {
        return value;
    } else if constexpr (std::is_integral<T>::value) {
        const auto wide = static_cast<std::uint64_t>(value);
        return value < T{0} ? -integer_to_odd(0 - wide) : integer_to_odd(wide);
    } else if constexpr (std::is_same<T, long double>::value) {
        return double_to_odd(long_double_to_odd(value));
    } else {
        return double_to_odd(value);
    }
}

/// A number that is converted to a type of 16 bits by its constructor, other than float.
template <class T>
using require_other_number = std::enable_if_t<std::is_arithmetic<T>::value && !std::is_same<T, float>::value &&
                                              (std::is_floating_point<T>::value || sizeof(T) <= sizeof(std::uint64_t))>;

} // namespace upsweep::detail
