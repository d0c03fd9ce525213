// SPDX-License-Identifier: MIT
// Linear maps, for tests of costly operators: combining them is associative up to rounding, and does not commute.
#pragma once

#include "canonical.hpp"

#include <string>
#include <vector>

namespace test {

/// N times x -> scale * x + shift.
template <std::size_t N>
struct maps {
    float scale[N];
    float shift[N];
};

template <std::size_t N>
maps<N> map_then(const maps<N>& left, const maps<N>& right) {
    maps<N> r;
    for (std::size_t i = 0; i < N; ++i) {
        const float product = right.scale[i] * left.shift[i]; // rounded by itself: no fused multiply-add
        r.scale[i] = right.scale[i] * left.scale[i];
        r.shift[i] = product + right.shift[i];
    }
    return r;
}

template <std::size_t N>
std::vector<maps<N>> some_maps(std::size_t n) {
    const std::vector<float> some = numbers<float>(2 * N * n, n);
    std::vector<maps<N>> input(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < N; ++k) {
            input[i].scale[k] = 1.0F + some[2 * (N * i + k)] / 4096.0F / 65536.0F;
            input[i].shift[k] = some[2 * (N * i + k) + 1];
        }
    return input;
}

/// @param is_long  with a branch that is never taken and makes the text long
template <std::size_t N>
auto costly_maps(bool is_long = false) {
    const std::string name = upsweep::type<maps<N>>::name;
    std::string body = name + " r; for (int i = 0; i < " + std::to_string(N) +
                       "; ++i) { r.scale[i] = right.scale[i] * left.scale[i];"
                       "r.shift[i] = right.scale[i] * left.shift[i] + right.shift[i]; }";
    if (is_long)
        body += "for (int i = 0; i < " + std::to_string(N) +
                "; ++i) if (left.scale[i] < 0.0f) r.scale[i] = exp(sin(exp(sin(left.scale[i]))));";
    return upsweep::make_operator<maps<N>>(body + " return r;", {}, upsweep::operator_cost::costly);
}

} // namespace test

#define UPSWEEP_TEST_MAPS(count)                                                                                       \
    template <>                                                                                                        \
    struct upsweep::type<test::maps<count>> {                                                                          \
        static constexpr const char* name = "maps_" #count;                                                            \
        static constexpr const char* definition =                                                                      \
            "typedef struct { float scale[" #count "]; float shift[" #count "]; } maps_" #count ";";                   \
    };
UPSWEEP_TEST_MAPS(1)
UPSWEEP_TEST_MAPS(2)
UPSWEEP_TEST_MAPS(3)
UPSWEEP_TEST_MAPS(4)
UPSWEEP_TEST_MAPS(6)
#undef UPSWEEP_TEST_MAPS
