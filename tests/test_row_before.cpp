// SPDX-License-Identifier: MIT
// Scans of rows whose tiles read what precedes them in their row (kernels/sub_group_tile/row_before.cl), and segments
// of structs that do not fill their last word, on devices with sub-groups and on others.
#include "device_fixture.hpp"
#include "families.hpp"
#include "segmented.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using test::guarded_array;
using test::queue;
using test::same_bits;
using test::segments_on_host;

namespace {

/// K numbers of 16 bits.
template <std::size_t K>
struct shorts {
    std::array<std::int16_t, K> v;
};

template <std::size_t K>
shorts<K> sum_of(const shorts<K>& left, const shorts<K>& right) {
    shorts<K> sum{};
    for (std::size_t i = 0; i < K; ++i) sum.v[i] = static_cast<std::int16_t>(left.v[i] + right.v[i]);
    return sum;
}

/// Small tiles, those that are chosen, and on devices without sub-groups these alone.
std::vector<upsweep::options> tilings() {
    std::vector<upsweep::options> all(1);
    if (!test::has_lanes()) return all;
    all.push_back(test::in_sub_groups());
    all.back().work_items = 64;
    all.back().items = 16;
    return all;
}

template <class T, class Op, class Combine>
void check_rows(const std::vector<T>& numbers, T init, const Op& op, Combine combine, const upsweep::options& opts) {
    // A row of one element more than a small tile has is not read again, nor is a longer one.
    for (const std::size_t width : {1, 7, 100, 500, 1000, 1023, 1024, 1025, 3000}) {
        const std::size_t height = numbers.size() / width, n = height * width;
        CAPTURE(width, opts.work_items, sizeof(T));
        const std::vector<T> x(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
        const std::vector<bool> heads = test::heads_of_rows(n, width);
        const guarded_array<T> in(x, 3), out(n);
        const std::vector<T> inclusive = segments_on_host<T>(x, heads, combine, nullptr, false);
        upsweep::inclusive_scan(queue(), upsweep::rows(in.view(), height, width), out.view(), op, {}, opts);
        CHECK(same_bits(out.values(), inclusive));
        upsweep::exclusive_scan(queue(), upsweep::rows(in.view(), height, width), out.view(), init, op, {}, opts);
        CHECK(same_bits(out.values(), segments_on_host<T>(x, heads, combine, &init, true)));
        CHECK(out.untouched_outside(n));
        upsweep::inclusive_scan(queue(), upsweep::rows(in.view(), height, width), in.view(), op, {}, opts);
        CHECK(same_bits(in.values(), inclusive));
    }
}

template <std::size_t K>
void check_shorts() {
    const auto op =
        upsweep::make_operator<shorts<K>>((std::string(upsweep::type<shorts<K>>::name) + " r;\nfor (int i = 0; i < " +
                                           std::to_string(K) + "; ++i) r.v[i] = left.v[i] + right.v[i];\nreturn r;")
                                              .c_str());
    const std::vector<std::int16_t> numbers = test::make_input<std::int16_t>(9000 * K, 5);
    std::vector<shorts<K>> x(9000);
    for (std::size_t i = 0; i < numbers.size(); ++i) x[i / K].v[i % K] = numbers[i];
    for (const upsweep::options& opts : tilings())
        for (const char* kind : {"random", "giant"}) {
            CAPTURE(K, kind, opts.work_items);
            const std::vector<bool> heads = test::heads_of(test::lengths(x.size(), kind, 3));
            const guarded_array<std::uint16_t> keys(test::keys_of<std::uint16_t>(heads));
            const guarded_array<shorts<K>> in(x), out(x.size());
            upsweep::inclusive_scan(queue(), upsweep::keyed(in.view(), keys.view()), out.view(), op, {}, opts);
            CHECK(same_bits(out.values(), segments_on_host<shorts<K>>(x, heads, sum_of<K>, nullptr, false)));
        }
}

/// Two small numbers in one word.
struct mixed {
    std::uint32_t a;
    std::uint16_t b, c;
};

} // namespace

template <>
struct upsweep::type<mixed> {
    static constexpr const char* name = "mixed";
    static constexpr const char* definition = "typedef struct { uint a; ushort b, c; } mixed;";
};
template <>
struct upsweep::type<shorts<3>> {
    static constexpr const char* name = "three_shorts";
    static constexpr const char* definition = "typedef struct { short v[3]; } three_shorts;";
};
template <>
struct upsweep::type<shorts<7>> {
    static constexpr const char* name = "seven_shorts";
    static constexpr const char* definition = "typedef struct { short v[7]; } seven_shorts;";
};

TEST_CASE("rows no wider than a tile are scanned, in place and not, with the bits of the host", "[canonical]") {
    for (const upsweep::options& opts : tilings()) {
        check_rows<std::int32_t>(test::make_input<std::int32_t>(9001, 1), 7, upsweep::plus{}, std::plus<>{}, opts);
        check_rows<float>(test::make_input<float>(9001, 2), 0.1F, upsweep::plus{}, std::plus<>{}, opts);
    }
}

TEST_CASE("structs that do not fill their last word are scanned in segments", "[canonical]") {
    check_shorts<3>();
    check_shorts<7>();
}

TEST_CASE("structs with small members are scanned as arrays of words", "[canonical]") {
    const auto op =
        upsweep::make_operator<mixed>("mixed r = {left.a + right.a, left.b + right.b, left.c + right.c};\nreturn r;");
    const std::vector<std::uint32_t> numbers = test::make_input<std::uint32_t>(100003, 9);
    std::vector<mixed> x, expected;
    mixed sum{};
    for (const std::uint32_t number : numbers) {
        const auto low = static_cast<std::uint16_t>(number), high = static_cast<std::uint16_t>(number >> 16);
        x.push_back({number, low, high});
        sum = {sum.a + number, static_cast<std::uint16_t>(sum.b + low), static_cast<std::uint16_t>(sum.c + high)};
        expected.push_back(sum);
    }
    const guarded_array<mixed> in(x, 1), out(x.size());
    upsweep::inclusive_scan(queue(), in.view(), out.view(), op);
    CHECK(same_bits(out.values(), expected));
    CHECK(out.untouched_outside(x.size()));
}
