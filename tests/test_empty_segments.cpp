// SPDX-License-Identifier: MIT
// What segments without elements give without an initial value: Out{}, which need not be zero bytes.
#include "canonical.hpp"
#include "device_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

using test::guarded_array;
using test::queue;

namespace {

/// The smallest element and its place, of `words` words. Of none: infinity and no place.
template <std::size_t words>
struct smallest {
    float value = std::numeric_limits<float>::infinity();
    std::uint32_t place = 0xffffffff;
    std::uint32_t rest[words - 2] = {7};
};
template <>
struct smallest<2> {
    float value = std::numeric_limits<float>::infinity();
    std::uint32_t place = 0xffffffff;
};

} // namespace

template <>
struct upsweep::type<smallest<2>> {
    static constexpr const char* name = "smallest";
    static constexpr const char* definition = "typedef struct { float value; uint place; } smallest;";
};
template <> // which kernels are given in memory
struct upsweep::type<smallest<40>> {
    static constexpr const char* name = "large_smallest";
    static constexpr const char* definition =
        "typedef struct { float value; uint place; uint rest[38]; } large_smallest;";
};

namespace {

template <std::size_t words>
std::vector<smallest<words>> smallest_elements(std::size_t n) {
    const std::vector<float> values = test::numbers<float>(n, n);
    std::vector<smallest<words>> x(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i].value = values[i];
        x[i].place = static_cast<std::uint32_t>(i);
    }
    return x;
}

template <std::size_t words>
upsweep::custom_operator<smallest<words>> keep_smallest() {
    return upsweep::make_operator<smallest<words>>("return right.value < left.value ? right : left;");
}

/// Segments of n elements, of which every third is empty; and many in one place.
std::vector<std::uint32_t> offsets_of_some_empty(std::size_t n, std::uint32_t length) {
    std::vector<std::uint32_t> offsets{0, 0};
    while (offsets.back() < n) {
        const std::uint32_t next = std::min(static_cast<std::uint32_t>(n), offsets.back() + length);
        offsets.insert(offsets.end(), offsets.size() % 3 == 0 ? 2 : 1, next);
        if (offsets.size() < 50 && offsets.size() > 40) offsets.insert(offsets.end(), 500, next);
    }
    offsets.push_back(offsets.back());
    return offsets;
}

template <class T>
std::vector<T> smallest_of_each(const std::vector<T>& x, const std::vector<std::uint32_t>& offsets) {
    std::vector<T> results(offsets.size() - 1);
    for (std::size_t k = 0; k < results.size(); ++k)
        for (std::size_t i = offsets[k]; i < offsets[k + 1]; ++i)
            if (i == offsets[k] || x[i].value < results[k].value) results[k] = x[i];
    return results;
}

template <std::size_t words>
void check_empty_segments(std::size_t n, std::uint32_t length, const upsweep::options& opts) {
    using T = smallest<words>;
    const std::vector<T> x = smallest_elements<words>(n);
    const std::vector<std::uint32_t> all = offsets_of_some_empty(n, length);
    const std::vector<T> expected = smallest_of_each(x, all);
    const guarded_array<T> in(x, 1), results(all.size() - 1), planned(all.size() - 1);
    const guarded_array<std::uint32_t> offsets(all, 3);
    const auto view = upsweep::segments(in.view(), offsets.view());
    const auto op = keep_smallest<words>();
    CAPTURE(words, n, length, static_cast<int>(opts.strategy), opts.work_items);
    upsweep::reduce(queue(), view, results.view(), upsweep::no_init, op, {}, opts);
    CHECK(test::same_bits(results.values(), expected));
    CHECK(results.untouched_outside(expected.size()));
    upsweep::make_reduce_plan(queue(), view, op, opts).reduce(queue(), view, planned.view());
    CHECK(test::same_bits(planned.values(), expected));
}

/// Scans, which mark segments before, and what is chosen where nothing is asked for.
std::vector<upsweep::options> ways_of_segments() {
    std::vector<upsweep::options> all{{}, fixture::small_tiles(upsweep::strategy::reduce_then_scan, 8, 4)};
    if (test::has_lanes()) all.push_back(test::in_sub_groups());
    return all;
}

} // namespace

TEST_CASE("segments without elements give Out{}, whatever its bytes", "[segments]") {
    for (const upsweep::options& opts : ways_of_segments())
        for (const std::size_t n : {0U, 1U, 3000U}) check_empty_segments<2>(n, 7, opts);
    check_empty_segments<40>(2000, 20, {});
    check_empty_segments<40>(2000, 20, fixture::small_tiles(upsweep::strategy::reduce_then_scan, 8, 4));
    // So many that GPUs sum blocks of them.
    for (const std::uint32_t length : {5U, 3000U}) check_empty_segments<2>((std::size_t{1} << 18) + 5, length, {});
}

TEST_CASE("rows and columns without elements give Out{}, as segments do", "[segments]") {
    using T = smallest<2>;
    const guarded_array<T> in(std::vector<T>(1));
    const std::size_t count = 70;
    const auto op = keep_smallest<2>();
    for (const auto& view : {upsweep::rows(in.view(), count, 0), upsweep::columns(in.view(), 0, count)})
        for (const upsweep::options& opts : ways_of_segments()) {
            const guarded_array<T> results(count), planned(count), given(count);
            upsweep::reduce(queue(), view, results.view(), upsweep::no_init, op, {}, opts);
            CHECK(test::same_bits(results.values(), std::vector<T>(count)));
            CHECK(results.untouched_outside(count));
            const auto plan = upsweep::make_reduce_plan(queue(), view, op, opts);
            const std::uint64_t programs = fixture::programs_built();
            plan.reduce(queue(), view, planned.view());
            CHECK(test::same_bits(planned.values(), std::vector<T>(count)));
            const T init{2, 3};
            plan.reduce(queue(), view, given.view(), init);
            CHECK(test::same_bits(given.values(), std::vector<T>(count, init)));
            CHECK(fixture::programs_built() == programs);
        }
}

TEST_CASE("numbers of no elements are 0, whatever the operator", "[segments]") {
    const guarded_array<float> in(std::vector<float>(1));
    const guarded_array<std::uint32_t> offsets(std::vector<std::uint32_t>(70));
    const std::vector<float> zeros(69);
    for (const auto& view : {upsweep::segments(in.view(), offsets.view()), upsweep::rows(in.view(), 69, 0),
                             upsweep::columns(in.view(), 0, 69)}) {
        const guarded_array<float> results(69);
        upsweep::reduce(queue(), view, results.view(), upsweep::no_init, upsweep::minimum{});
        CHECK(test::same_bits(results.values(), zeros));
    }
}
