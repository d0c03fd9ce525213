// SPDX-License-Identifier: MIT
// Types and operators of your own: a linear recurrence as a scan, and an argmax as a reduction.
#include <upsweep/upsweep.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <vector>

namespace {

/// The map x -> a * x + b. Unsigned integers wrap, so that device and host agree to the last bit.
struct affine {
    std::uint32_t a, b;
};

struct candidate {
    float value;
    std::uint32_t index;
};

} // namespace

// How each type is written in OpenCL C. Any trivially copyable struct will do; its size is checked on the device.
template <>
struct upsweep::type<affine> {
    static constexpr const char* name = "affine";
    static constexpr const char* definition = "typedef struct { uint a, b; } affine;";
};

template <>
struct upsweep::type<candidate> {
    static constexpr const char* name = "candidate";
    static constexpr const char* definition = "typedef struct { float value; uint index; } candidate;";
};

namespace {

/// x[i + 1] = a[i] * x[i] + b[i] looks serial. But two maps in a row are one map again, and joining maps is
/// associative: scanning the maps gives, for every i, the one map that leads from x[0] to x[i + 1].
bool solve_recurrence(const cl::CommandQueue& queue, std::size_t n) {
    std::mt19937 random(1);
    std::vector<affine> maps(n);
    for (affine& map : maps) map = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
    const std::uint32_t x0 = 42;

    // Not commutative: `left` comes first in the input, so it is applied first. The library keeps that order.
    const auto join = upsweep::make_operator<affine>("affine joined;\n"
                                                     "joined.a = right.a * left.a;\n"
                                                     "joined.b = right.a * left.b + right.b;\n"
                                                     "return joined;");
    std::vector<affine> from_start(n);
    upsweep::inclusive_scan(queue, maps.begin(), maps.end(), from_start.begin(), join);

    std::uint32_t x = x0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
        x = maps[i].a * x + maps[i].b;
        if (from_start[i].a * x0 + from_start[i].b != x) ++wrong;
    }
    std::cout << "linear recurrence of " << n << " steps: ends at " << x << ", wrong: " << wrong << '\n';
    return wrong == 0;
}

/// The largest value and where it stands; of equal values, the first one.
bool find_largest(const cl::CommandQueue& queue, std::size_t n) {
    std::mt19937 random(2);
    std::vector<candidate> candidates(n);
    for (std::size_t i = 0; i < n; ++i)
        candidates[i] = {static_cast<float>(random() % 1000), static_cast<std::uint32_t>(i)};

    // Of equal values the left one stays, and left always stands before right: the first one wins on every device.
    const auto larger = upsweep::make_operator<candidate>("if (left.value < right.value) return right;\n"
                                                          "return left;");
    const candidate found = upsweep::reduce(queue, candidates.begin(), candidates.end(), upsweep::no_init, larger);

    const auto expected = std::max_element(candidates.begin(), candidates.end(),
                                           [](candidate a, candidate b) { return a.value < b.value; });
    const auto ties =
        std::count_if(candidates.begin(), candidates.end(), [&](candidate c) { return c.value == found.value; });
    std::cout << "largest of " << n << ": " << found.value << ", first of " << ties << " at index " << found.index
              << ", expected index " << expected->index << '\n';
    return found.index == expected->index && found.value == expected->value;
}

} // namespace

int main() try {
    const cl::CommandQueue queue = upsweep::default_queue();
    const bool recurrence = solve_recurrence(queue, 1000000);
    const bool largest = find_largest(queue, 1000000);
    return recurrence && largest ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
