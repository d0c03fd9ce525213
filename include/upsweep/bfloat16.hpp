// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/round_to_odd.hpp>

#include <cstdint>
#include <cstring>

namespace upsweep {

/// The upper half of a float, stored as its bits: sign, 8 bits of exponent, 7 bits of fraction. For storage: `widened`
/// reads it as float, and `accumulate_in` writes it. On devices it is a `ushort`.
struct bfloat16 {
    std::uint16_t bits = 0; ///< those of the float's upper half

    /// Zero.
    bfloat16() = default;
    /// Rounds to nearest, ties to even; overflow gives infinity.
    explicit bfloat16(float value) noexcept
        : bits(from_float(value)) {}
    /// The same of other numbers, which are rounded once.
    template <class T, class = detail::require_other_number<T>>
    explicit bfloat16(T value) noexcept
        : bfloat16(detail::round_to_odd(value)) {}
    /// Exact.
    explicit operator float() const noexcept {
        const std::uint32_t x = std::uint32_t{bits} << 16;
        float value = 0;
        std::memcpy(&value, &x, sizeof value);
        return value;
    }

    /// As floats compare: both zeros are equal, a NaN is equal to nothing.
    friend bool operator==(bfloat16 a, bfloat16 b) noexcept { return float(a) == float(b); }
    /// The opposite of `==`.
    friend bool operator!=(bfloat16 a, bfloat16 b) noexcept { return !(a == b); }

private:
    static std::uint16_t from_float(float value) noexcept {
        std::uint32_t x = 0;
        std::memcpy(&x, &value, sizeof x);
        if ((x & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>(x >> 16 | 0x40U); // NaN stays quiet
        return static_cast<std::uint16_t>((x + 0x7fffU + (x >> 16 & 1U)) >> 16);
    }
};

} // namespace upsweep
