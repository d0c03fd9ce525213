// SPDX-License-Identifier: MIT
// The smallest and the largest element with their places, against <algorithm> where it has an answer.
#include "canonical.hpp"
#include "device_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <list>
#include <random>
#include <string>
#include <vector>

using test::guarded_array;
using test::queue;
using upsweep::extrema;
using upsweep::extremum;

namespace {

template <class T>
bool is_nan(T x) {
    return x != x;
}

/// Few different numbers, so that there are ties, with the ends of the type in the middle.
template <class T>
std::vector<T> make_numbers(std::size_t n, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<T> numbers(n);
    for (T& x : numbers) x = static_cast<T>(random() % 100);
    if (n > 10) {
        numbers[n / 2] = numbers[n / 2 + 1] = std::numeric_limits<T>::lowest();
        numbers[n / 3] = numbers[n - 1] = (std::numeric_limits<T>::max)();
    }
    return numbers;
}

/// Where the first of the best is: NaN only if there is nothing else.
template <class T, class Better>
std::size_t place_of_best(const std::vector<T>& in, const Better& better) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < in.size(); ++i)
        if (better(in[i], in[best]) || (is_nan(in[best]) && !is_nan(in[i]))) best = i;
    return best;
}

template <class T, class Index>
void check_found(const std::vector<T>& in, const extremum<T, Index>& found, std::size_t expected) {
    CHECK(found.index == (in.empty() ? found.none : static_cast<Index>(expected)));
    const T at = in.empty() ? T{} : in[expected];
    CHECK(std::memcmp(&found.value, &at, sizeof at) == 0);
}

/// Both in one pass, with nothing written around the result.
template <class Index, class T>
void check_both(const std::vector<T>& numbers, const upsweep::options& opts) {
    const guarded_array<T> in(numbers, 3);
    const guarded_array<extrema<T, Index>> both(1, 2);
    CAPTURE(numbers.size(), static_cast<int>(opts.strategy), opts.work_items, upsweep::type<T>::name);
    upsweep::minmax_element(queue(), in.view(), both.view(), {}, opts);
    const extrema<T, Index> found = both.values()[0];
    check_found(numbers, found.smallest, place_of_best(numbers, [](T x, T y) { return x < y; }));
    check_found(numbers, found.largest, place_of_best(numbers, [](T x, T y) { return x > y; }));
    CHECK(both.untouched_outside(1));
}

/// Each by itself.
template <class Index, class T>
void check_each(const std::vector<T>& numbers) {
    const guarded_array<T> in(numbers, 3);
    const guarded_array<extremum<T, Index>> one(1, 2);
    CAPTURE(numbers.size(), upsweep::type<T>::name);
    upsweep::min_element(queue(), in.view(), one.view());
    check_found(numbers, one.values()[0], place_of_best(numbers, [](T x, T y) { return x < y; }));
    upsweep::max_element(queue(), in.view(), one.view());
    check_found(numbers, one.values()[0], place_of_best(numbers, [](T x, T y) { return x > y; }));
    CHECK(one.untouched_outside(1));
}

} // namespace

TEST_CASE("extremes are where <algorithm> finds them, in every family and around every edge", "[views]") {
    std::vector<upsweep::options> families{
        {}, test::in_tiles(64, 8, upsweep::tile_loading::staged), test::in_chunks(3)};
    if (test::has_lanes()) families.push_back(test::in_sub_groups());
    for (const upsweep::options& opts : families)
        for (const std::size_t n : {0, 1, 2, 33, 128, 129, 4097, 70001})
            check_both<std::uint32_t>(make_numbers<std::int32_t>(n, static_cast<std::uint32_t>(n)), opts);
}

TEST_CASE("extremes of every class of types", "[views]") {
    for (const std::size_t n : {0, 1, 300, 20001}) {
        const auto seed = static_cast<std::uint32_t>(n);
        if (test::limits().rusticl.empty()) // which refuses such structs
            check_each<std::uint64_t>(make_numbers<std::int8_t>(n, seed));
        check_both<std::uint64_t>(make_numbers<std::uint64_t>(n, seed), {});
        if (test::has_type<double>()) check_both<std::uint32_t>(make_numbers<double>(n, seed), {});
    }
}

TEST_CASE("a NaN is found only where there is nothing else; zeros are equal; infinities are numbers", "[views]") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> many(5000, nan);
    many[4321] = -infinity;
    std::vector<float> zeros = many;
    zeros[1233] = 0.0F;
    zeros[1234] = -0.0F;
    zeros[4999] = infinity;
    for (const std::vector<float>& numbers : {std::vector<float>{nan},
                                              {nan, 1},
                                              {1, nan},
                                              {nan, nan},
                                              {nan, 2, nan, 1, nan, 2},
                                              {0.0F, -0.0F},
                                              {-0.0F, 0.0F, nan},
                                              {nan, infinity, nan},
                                              {-infinity, infinity, -infinity, infinity},
                                              std::vector<float>(5000, nan),
                                              many,
                                              zeros}) {
        for (const upsweep::options& opts : {upsweep::options{}, test::in_tiles(64, 8)})
            check_both<std::uint64_t>(numbers, opts);
        check_each<std::uint64_t>(numbers);
    }
}

TEST_CASE("extremes of host ranges are iterators, as in <algorithm>", "[api]") {
    for (const std::size_t n : {0, 1, 1000}) {
        const std::vector<std::int32_t> in = make_numbers<std::int32_t>(n, 5);
        CHECK(upsweep::min_element(queue(), in.begin(), in.end()) == std::min_element(in.begin(), in.end()));
        CHECK(upsweep::max_element(queue(), in.begin(), in.end()) == std::max_element(in.begin(), in.end()));
        const std::list<std::int32_t> list(in.begin(), in.end());
        const auto both = upsweep::minmax_element(queue(), list.begin(), list.end());
        CHECK(both.first == std::min_element(list.begin(), list.end()));
        CHECK(both.second == std::max_element(list.begin(), list.end())); // the first of the largest
    }
}

TEST_CASE("extremes of views are returned to the host", "[views]") {
    const guarded_array<std::int32_t> in(make_numbers<std::int32_t>(3000, 7));
    const std::vector<std::int32_t> numbers = in.values();
    const auto least = upsweep::min_element(queue(), in.view());
    CHECK(least.index == place_of_best(numbers, [](int a, int b) { return a < b; }));
    CHECK(least.value == std::numeric_limits<std::int32_t>::lowest());
    // The largest of (i mod 1000) is first at 999.
    const auto remainders = upsweep::transform<std::int32_t>("i % 1000", std::size_t{3000});
    const auto both = upsweep::minmax_element(queue(), remainders);
    CHECK(both.smallest.index == 0);
    CHECK(both.largest.index == 999);
    CHECK(both.largest.value == 999);
    CHECK(upsweep::max_element(queue(), upsweep::counting<std::int32_t>(0)).index == extremum<std::int32_t>::none);
    const auto queue_without_order = fixture::out_of_order_queue(queue());
    CHECK(upsweep::max_element(queue_without_order, remainders, upsweep::without_event()).index == 999);
}

TEST_CASE("mistakes in a search for extremes are named before anything is built", "[errors]") {
    using fixture::expect_error;
    const guarded_array<std::int32_t> in(std::vector<std::int32_t>(100, 1));
    const guarded_array<extremum<std::int32_t>> result(1);
    const guarded_array<extremum<std::int32_t, std::uint32_t>> narrow(1);
    const auto builds = [] { return upsweep::detail::build_counts::get().from_source.load(); };
    const std::uint64_t before = builds();
    expect_error("min_element", "result", "must have room for one element",
                 [&] { upsweep::min_element(queue(), in.view(), result.view(0)); });
    expect_error("max_element", "input a", "null handle",
                 [&] { upsweep::max_element(queue(), upsweep::span<int>(cl_mem{}, 3), result.view()); });
    expect_error("max_element", "result", "4294967295 elements need an index of 64 bits",
                 [&] { upsweep::max_element(queue(), upsweep::counting<std::int32_t>(0xffffffffU), narrow.view()); });
    expect_error("minmax_element", "queue", "null handle",
                 [&] { upsweep::minmax_element(cl_command_queue{}, in.view()); });
    CHECK(builds() == before);
    CHECK(result.untouched_outside(0));
}

TEST_CASE("extremes in a simulator", "[oclgrind][views]") {
    for (const std::size_t n : {1, 31, 70}) {
        upsweep::options tiles = fixture::small_tiles(upsweep::strategy::reduce_then_scan, 8, 3);
        const guarded_array<float> in(make_numbers<float>(n, 3));
        const guarded_array<extremum<float>> result(1);
        upsweep::max_element(queue(), in.view(), result.view(), {}, tiles);
        const std::vector<float> numbers = in.values();
        const auto most =
            static_cast<std::uint64_t>(std::max_element(numbers.begin(), numbers.end()) - numbers.begin());
        CHECK(result.values()[0].index == most);
    }
}
