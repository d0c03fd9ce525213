// SPDX-License-Identifier: MIT
// What one work-item combines in vectors: integers in an order of its own, and elements that it converts.
#include <upsweep/upsweep.hpp>

#include "canonical.hpp"
#include "catch.hpp"
#include "support.hpp"

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

/// Every size up to some vectors, and those around whole numbers of vectors in each of three chunks.
std::vector<std::size_t> counts() {
    std::vector<std::size_t> result(200);
    std::iota(result.begin(), result.end(), std::size_t{1});
    for (const std::size_t chunk : {4096U, 4160U, 20000U})
        for (const std::size_t rest : {0U, 1U, 63U, 64U, 65U}) result.push_back(3 * chunk + rest);
    return result;
}

/// `of_two` is the operator on the host.
template <class T, class Op, class OnHost>
void check_sums(const Op& op, const OnHost& of_two) {
    for (const std::size_t n : counts())
        for (const std::size_t begin : {0U, 1U}) {
            INFO("n = " << n << ", elements before the view " << begin);
            const std::vector<T> input = test::make_input<T>(n, static_cast<std::uint32_t>(n));
            std::vector<T> sums(n);
            std::partial_sum(input.begin(), input.end(), sums.begin(),
                             [&](T left, T right) { return static_cast<T>(of_two(left, right)); });
            const test::guarded_array<T> in(input, begin);
            const test::guarded_array<T> total(1, begin);
            upsweep::reduce(test::queue(), in.view(), total.view(), upsweep::no_init, op, {}, test::in_chunks(3))
                .wait();
            CHECK(total.values().front() == sums.back());
            CHECK(total.untouched_outside(1));
            if (n < 4000 && n % 16 != 1) continue;
            const test::guarded_array<T> scanned(n, begin);
            upsweep::inclusive_scan(test::queue(), in.view(), scanned.view(), op, {}, test::in_chunks(3)).wait();
            CHECK(test::first_difference(scanned.values(), sums) == -1);
            CHECK(scanned.untouched_outside(n));
        }
}

template <class T>
void check_type() {
    using bits = std::make_unsigned_t<T>; // whose sums wrap
    check_sums<T>(upsweep::plus{}, [](T left, T right) { return static_cast<bits>(left) + static_cast<bits>(right); });
    check_sums<T>(upsweep::maximum{}, [](T left, T right) { return left < right ? right : left; });
    check_sums<T>(upsweep::bit_xor{}, [](T left, T right) { return left ^ right; });
}

} // namespace

TEST_CASE("one work-item sums integers of every size and type, from any element on", "[sizes]") {
    check_type<std::uint8_t>();
    check_type<std::int16_t>();
    check_type<std::uint32_t>();
    check_type<std::int64_t>();
}

namespace {

/// Sums of segments of these lengths, which lie one after another, by offsets; where all are as long, of rows too.
template <class T, class Op, class OnHost>
void check_segments(const std::vector<std::size_t>& lengths, const Op& op, const OnHost& of_two) {
    std::vector<std::uint32_t> offsets{0};
    for (const std::size_t length : lengths) offsets.push_back(offsets.back() + static_cast<std::uint32_t>(length));
    const std::vector<T> input = test::make_input<T>(offsets.back(), offsets.back());
    const T init = 3;
    std::vector<T> sums(lengths.size(), init);
    for (std::size_t k = 0; k < lengths.size(); ++k)
        for (std::size_t i = offsets[k]; i < offsets[k + 1]; ++i) sums[k] = static_cast<T>(of_two(sums[k], input[i]));
    const test::guarded_array<T> in(input, 1), by_offsets(lengths.size(), 1), by_rows(lengths.size(), 1);
    const test::guarded_array<std::uint32_t> ends(offsets);
    upsweep::reduce(test::queue(), upsweep::segments(in.view(), ends.view()), by_offsets.view(), init, op).wait();
    CHECK(test::first_difference(by_offsets.values(), sums) == -1);
    CHECK(by_offsets.untouched_outside(sums.size()));
    if (lengths[0] * lengths.size() != input.size()) return;
    upsweep::reduce(test::queue(), upsweep::rows(in.view(), lengths.size(), lengths[0]), by_rows.view(), init, op)
        .wait();
    CHECK(test::first_difference(by_rows.values(), sums) == -1);
    CHECK(by_rows.untouched_outside(sums.size()));
}

template <class T>
void check_segments_of() {
    using bits = std::make_unsigned_t<T>; // whose sums wrap
    const auto add = [](T left, T right) { return static_cast<bits>(left) + static_cast<bits>(right); };
    for (const std::size_t length : {63U, 64U, 65U, 127U, 128U, 129U, 1000U}) {
        INFO("segments of " << length);
        check_segments<T>(std::vector<std::size_t>(9, length), upsweep::plus{}, add);
        check_segments<T>(std::vector<std::size_t>(9, length), upsweep::maximum{},
                          [](T left, T right) { return left < right ? right : left; });
    }
    std::vector<std::size_t> lengths; // 0 to 200, 100 on average
    for (std::size_t k = 0; k < 201; ++k) lengths.push_back(k * 37 % 201);
    check_segments<T>(lengths, upsweep::plus{}, add);
}

} // namespace

TEST_CASE("rows and segments of integers are summed from any element on", "[sizes]") {
    check_segments_of<std::uint8_t>();
    check_segments_of<std::int16_t>();
    check_segments_of<std::uint32_t>();
    check_segments_of<std::int64_t>();
}

namespace {

/// Inputs whose sums are rounded, and differ with the order.
template <class In>
std::vector<In> uneven_input(std::size_t n) {
    if constexpr (std::is_integral<In>::value)
        return test::make_input<In>(n, static_cast<std::uint32_t>(n));
    else
        return test::numbers<In>(n, n);
}

/// Sums of elements that are converted to another type have the bits of the host.
template <class In, class Out>
void check_conversion() {
    if (!test::has_type<In>() || !test::has_type<Out>()) return;
    for (const std::size_t n : {1U, 127U, 128U, 1023U, 1024U, 1025U, 100001U}) {
        INFO("n = " << n << ", " << upsweep::type<In>::name << " to " << upsweep::type<Out>::name);
        const std::vector<In> input = uneven_input<In>(n);
        const std::vector<Out> converted(input.begin(), input.end());
        using bits = std::conditional_t<std::is_integral<Out>::value, std::uint64_t, Out>; // whose sums wrap
        const auto add = [](Out left, Out right) {
            return static_cast<Out>(static_cast<bits>(left) + static_cast<bits>(right));
        };
        std::vector<Out> sums(n);
        upsweep::reference::inclusive_scan(converted.begin(), converted.end(), sums.begin(), add);
        const test::guarded_array<In> in(input, 1);
        const test::guarded_array<Out> scanned(n, 1), total(1, 1);
        upsweep::inclusive_scan(test::queue(), in.view(), scanned.view()).wait();
        upsweep::reduce(test::queue(), in.view(), total.view(), upsweep::no_init).wait();
        CHECK(test::first_difference(scanned.values(), sums) == -1);
        CHECK(test::first_difference(total.values(), {sums.back()}) == -1);
        CHECK(scanned.untouched_outside(n));
    }
}

} // namespace

TEST_CASE("elements that are converted give the bits of the host, in vectors too", "[sizes]") {
    check_conversion<float, double>();
    check_conversion<std::uint8_t, float>();
    check_conversion<std::int16_t, float>();
    check_conversion<std::int32_t, float>();
    check_conversion<std::int32_t, double>();
    check_conversion<std::int64_t, double>();
    check_conversion<std::uint8_t, std::uint32_t>();
    check_conversion<std::int16_t, std::uint64_t>();
    check_conversion<std::int64_t, std::int32_t>();
}
