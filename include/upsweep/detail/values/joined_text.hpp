// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace upsweep::detail {

/// Texts one behind another, at compile time, with a zero at the end.
/// @tparam Parts  a type whose member `parts` is an array of `std::string_view`
template <class Parts>
struct joined_text {
    static constexpr std::size_t size() {
        std::size_t sum = 0;
        for (const std::string_view part : Parts::parts) sum += part.size();
        return sum;
    }
    static constexpr std::array<char, size() + 1> join() {
        std::array<char, size() + 1> all{};
        std::size_t at = 0;
        for (const std::string_view part : Parts::parts)
            for (const char c : part) all[at++] = c;
        return all;
    }
    static constexpr std::array<char, size() + 1> text = join();
};

} // namespace upsweep::detail
