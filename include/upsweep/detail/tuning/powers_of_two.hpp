// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace upsweep::detail {

constexpr bool is_power_of_two(std::uint64_t x) {
    return x != 0 && (x & (x - 1)) == 0;
}

constexpr std::uint32_t floor_power_of_two(std::uint64_t x) {
    std::uint32_t power = 1;
    while (2 * std::uint64_t{power} <= x && power < (1U << 30)) power *= 2;
    return power;
}

/// The least power of two that is not below `x`; `x` itself where that has no place in 64 bits.
constexpr std::uint64_t ceil_power_of_two(std::uint64_t x) {
    if (x > std::uint64_t{1} << 63) return x;
    std::uint64_t power = 1;
    while (power < x) power *= 2;
    return power;
}

constexpr std::uint32_t log2_of(std::uint64_t power_of_two) {
    std::uint32_t bits = 0;
    while (power_of_two >>= 1) ++bits;
    return bits;
}

} // namespace upsweep::detail
