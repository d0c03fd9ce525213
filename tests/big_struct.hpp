// SPDX-License-Identifier: MIT
// Structs of any size with an operator whose order and rounding show, and what the host makes of them.
#pragma once

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" // GCC notes how it passed such structs long ago
#endif

#include <upsweep/reference.hpp>

#include "support.hpp"

#include <random>
#include <string>
#include <vector>

namespace test {

/// Floats, of which the first and the last tell the order: combined are the left one's first, the right one's last, and
/// the sums of what lies between, which are rounded.
template <std::size_t Bytes, std::size_t Alignment = 4>
struct alignas(Alignment) big_struct {
    static constexpr std::size_t count = Bytes / sizeof(float);
    float x[count];

    friend bool operator==(const big_struct& a, const big_struct& b) { return std::memcmp(a.x, b.x, Bytes) == 0; }
};

/// What the host's reference makes of one number of each element; it keeps more structs on the stack than fit there.
template <class T, class Run>
void for_each_number(const std::vector<T>& elements, const T& init, const Run& run) {
    std::vector<float> column(elements.size());
    for (std::size_t k = 0; k < T::count; ++k) {
        for (std::size_t i = 0; i < column.size(); ++i) column[i] = elements[i].x[k];
        if (k == 0)
            run(k, column, init.x[k], [](float left, float) { return left; });
        else if (k + 1 == T::count)
            run(k, column, init.x[k], [](float, float right) { return right; });
        else
            run(k, column, init.x[k], [](float left, float right) { return left + right; });
    }
}

template <class T>
auto big_operator() {
    return upsweep::make_operator<T>("left.x[" + std::to_string(T::count - 1) + "] = right.x[" +
                                     std::to_string(T::count - 1) + "];\nfor (int k = 1; k < " +
                                     std::to_string(T::count - 1) + "; ++k) left.x[k] += right.x[k];\nreturn left;");
}

template <class T>
std::vector<T> big_elements(std::size_t n) {
    std::mt19937 random(static_cast<std::uint32_t>(n));
    std::uniform_real_distribution<float> numbers(-2, 2);
    std::vector<T> elements(n);
    for (T& element : elements)
        for (float& x : element.x) x = numbers(random);
    return elements;
}

} // namespace test

template <std::size_t Bytes, std::size_t Alignment>
struct upsweep::type<test::big_struct<Bytes, Alignment>> {
    static inline const std::string text_of_name =
        "big_struct_" + std::to_string(Bytes) + "_" + std::to_string(Alignment);
    static inline const std::string text_of_definition =
        "typedef struct __attribute__((aligned(" + std::to_string(Alignment) + "))) { float x[" +
        std::to_string(Bytes / sizeof(float)) + "]; } " + text_of_name + ";";
    static inline const char* const name = text_of_name.c_str();
    static inline const char* const definition = text_of_definition.c_str();
};
