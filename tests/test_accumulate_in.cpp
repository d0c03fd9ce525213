// SPDX-License-Identifier: MIT
// Accumulators of another type than the results, and storage in 16 bits.
#include "canonical.hpp"
#include "device_fixture.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

using test::guarded_array;
using test::queue;
using test::same_bits;
using upsweep::accumulate_in;
using upsweep::bfloat16;
using upsweep::half;
using upsweep::widened;

namespace {

std::vector<upsweep::options> ways_to_convert() {
    std::vector<upsweep::options> ways{{}};
    // Intel's CPU runtime scans doubles wrongly by sub-groups, of plain arrays too; only an option asks it for them.
    if (test::has_lanes() && !test::limits().is_cpu) ways.push_back(test::in_sub_groups());
    return ways;
}

/// Gives each element as it is.
upsweep::custom_operator<float> last_of_both() {
    return upsweep::make_operator<float>("return right;");
}

template <class T>
std::vector<T> all_patterns() {
    std::vector<T> all(65536);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].bits = static_cast<std::uint16_t>(i);
    return all;
}

/// Floats on and beside the middle between neighbours of a type, and random bits.
template <class T>
std::vector<float> floats_to_round() {
    std::vector<float> result;
    for (std::uint32_t i = 0; i < 0xffff; ++i) {
        T low, high;
        low.bits = static_cast<std::uint16_t>(i);
        high.bits = static_cast<std::uint16_t>(i + 1);
        if (!std::isfinite(float(low)) || !std::isfinite(float(high))) continue;
        const float middle = static_cast<float>((double(float(low)) + double(float(high))) / 2);
        result.push_back(middle);
        if (i % 7 == 0) result.push_back(std::nextafter(middle, 1e30F));
        if (i % 7 == 1) result.push_back(std::nextafter(middle, -1e30F));
    }
    std::uint32_t seed = 1;
    for (int i = 0; i < 20000; ++i) {
        seed = seed * 1664525U + 1013904223U;
        float x = 0;
        std::memcpy(&x, &seed, sizeof x);
        result.push_back(x);
    }
    const float inf = std::numeric_limits<float>::infinity();
    result.insert(result.end(), {0.0F, -0.0F, inf, -inf, 65519.99F, 65520.0F, 3.4e38F, 1e-45F});
    return result;
}

template <class T>
void check_storage() {
    const std::vector<T> all = all_patterns<T>();
    const guarded_array<T> x(all);
    const guarded_array<float> wide(all.size());
    upsweep::inclusive_scan(queue(), widened(x.view()), wide.view(), last_of_both());
    const std::vector<float> got = wide.values();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const float expected = float(all[i]);
        wrong += expected != expected ? got[i] == got[i] : std::memcmp(&got[i], &expected, sizeof expected) != 0;
    }
    CHECK(wrong == 0);

    const std::vector<float> input = floats_to_round<T>();
    const guarded_array<float> floats(input);
    const guarded_array<T> narrow(input.size(), 3);
    upsweep::inclusive_scan(queue(), floats.view(), accumulate_in<float>(narrow.view()), last_of_both());
    const std::vector<T> stored = narrow.values();
    for (std::size_t i = wrong = 0; i < input.size(); ++i) {
        const T expected(input[i]);
        wrong += input[i] != input[i] ? float(stored[i]) == float(stored[i]) : stored[i].bits != expected.bits;
    }
    CHECK(wrong == 0);
    CHECK(narrow.untouched_outside(input.size()));
}

} // namespace

TEST_CASE("elements are combined in another type than results are stored in", "[views]") {
    for (const upsweep::options& opts : ways_to_convert())
        for (const std::size_t n : {0, 1, 33, 4097, 70001}) {
            CAPTURE(n, opts.work_items);
            const std::vector<float> input = test::numbers<float>(n, 11);
            std::vector<double> sums(n);
            const guarded_array<float> x(input), out(n);
            const auto expected = [&] { return std::vector<float>(sums.begin(), sums.end()); };
            if (test::limits().has_double) {
                const std::vector<double> wide(input.begin(), input.end());
                upsweep::reference::inclusive_scan(wide.begin(), wide.end(), sums.begin(), std::plus<>{});
                upsweep::inclusive_scan(queue(), x.view(), accumulate_in<double>(out.view()), upsweep::plus{}, {},
                                        opts);
                CHECK(same_bits(out.values(), expected()));
                upsweep::reference::exclusive_scan(wide.begin(), wide.end(), sums.begin(), 0.1, std::plus<>{});
                upsweep::exclusive_scan(queue(), x.view(), accumulate_in<double>(out.view()), 0.1, upsweep::plus{}, {},
                                        opts);
                CHECK(same_bits(out.values(), expected()));
                upsweep::reference::exclusive_scan(wide.begin(), wide.end(), sums.begin(), 0.0, std::plus<>{});
                upsweep::exclusive_scan(queue(), x.view(), accumulate_in<double>(out.view()), upsweep::plus{}, {},
                                        opts);
                CHECK(same_bits(out.values(), expected()));
                const guarded_array<float> short_form(n);
                upsweep::exclusive_scan(queue(), x.view(), accumulate_in<double>(short_form.view()));
                CHECK(same_bits(short_form.values(), expected()));
                CHECK(out.untouched_outside(n));
            }
            const std::vector<std::uint8_t> bytes = test::make_input<std::uint8_t>(n, 3);
            std::vector<std::uint16_t> averages;
            std::uint32_t sum = 9;
            for (const std::uint8_t b : bytes) averages.push_back(static_cast<std::uint16_t>(sum += b));
            const guarded_array<std::uint8_t> small(bytes, 3);
            const guarded_array<std::uint16_t> low(n);
            upsweep::inclusive_scan(queue(), small.view(), accumulate_in<std::uint32_t>(low.view()), upsweep::plus{},
                                    9U, {}, opts);
            CHECK(low.values() == averages);
            CHECK(low.untouched_outside(n));
        }
}

TEST_CASE("half and bfloat16 are read and rounded as on the host, on devices without half", "[views]") {
    const test::disguise without([](upsweep::detail::device_limits& device) { device.has_half = false; });
    check_storage<half>();
    check_storage<bfloat16>();
}

TEST_CASE("16-bit floats are added in float, in place, and not in 16 bits", "[views]") {
    const test::disguise without([](upsweep::detail::device_limits& device) { device.has_half = false; });
    const std::vector<float> numbers = test::numbers<float>(5000, 2);
    std::vector<bfloat16> input;
    std::vector<float> wide;
    for (const float f : numbers) {
        input.push_back(bfloat16(f));
        wide.push_back(float(input.back()));
    }
    std::vector<float> sums(wide.size());
    upsweep::reference::inclusive_scan(wide.begin(), wide.end(), sums.begin(), std::plus<>{});
    const guarded_array<bfloat16> x(input);
    const guarded_array<float> total(1);
    upsweep::reduce(queue(), widened(x.view()), total.view());
    CHECK(total.values()[0] == sums.back());
    upsweep::inclusive_scan(queue(), widened(x.view()), accumulate_in<float>(x.view()));
    std::vector<bfloat16> expected;
    for (const float f : sums) expected.push_back(bfloat16(f));
    CHECK(same_bits(x.values(), expected));
    CHECK(x.untouched_outside(input.size()));
}

TEST_CASE("mistakes in an output with an accumulator of its own are named", "[views][errors]") {
    using fixture::expect_error;
    const guarded_array<float> x(100), out(100);
    const auto scan = [&](const auto& to, const upsweep::options& opts = {}) {
        upsweep::inclusive_scan(queue(), x.view(), accumulate_in<float>(to), upsweep::plus{}, {}, opts);
    };
    upsweep::options opts;
    opts.strategy = upsweep::strategy::scan_then_propagate;
    expect_error("inclusive_scan", "options", "stores results twice", [&] { scan(out.view(), opts); });
    expect_error("inclusive_scan", "output", "99 elements, but 100 are needed", [&] { scan(out.view(99)); });
    const upsweep::span<float> all = x.view();
    expect_error("inclusive_scan", "output", "overlaps the input",
                 [&] { scan(upsweep::span<std::int32_t>(all.buffer(), 100, all.byte_offset())); });
    CHECK(out.untouched_outside(0));
}

namespace {

/// Numbers beside the middle between two neighbours of T, nearer to it than floats are.
template <class T>
void check_rounded_once() {
    const T below(1.0F), above(below.bits == half(1.0F).bits ? 1.0009765625F : 1.0078125F);
    const double middle = (double(float(below)) + double(float(above))) / 2;
    const double little = 1e-12;
    const std::vector<double> numbers{
        middle, middle + little, middle - little, -middle, -middle - little, -middle + little, 1e300,
        -1e300, 1e-300,          -1e-300,         0};
    const std::vector<std::uint16_t> expected{below.bits,
                                              above.bits,
                                              below.bits,
                                              static_cast<std::uint16_t>(below.bits | 0x8000U),
                                              static_cast<std::uint16_t>(above.bits | 0x8000U),
                                              static_cast<std::uint16_t>(below.bits | 0x8000U),
                                              T(std::numeric_limits<float>::infinity()).bits,
                                              T(-std::numeric_limits<float>::infinity()).bits,
                                              0,
                                              0x8000,
                                              0};
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(T(numbers[i]).bits == expected[i]);
    if (!test::has_type<double>()) return;
    const guarded_array<double> in(numbers);
    const guarded_array<T> out(numbers.size());
    const auto last = upsweep::make_operator<double>("return right;");
    upsweep::inclusive_scan(queue(), in.view(), accumulate_in<double>(out.view()), last);
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(out.values()[i].bits == expected[i]);
}

/// Likewise of integers, whose floats have 24 bits.
void check_integers_rounded_once() {
    const std::int64_t middle = (std::int64_t{1} << 40) + (std::int64_t{1} << 32);
    const std::vector<std::int64_t> numbers{middle,
                                            middle + 1,
                                            -middle - 1,
                                            std::numeric_limits<std::int64_t>::max(),
                                            std::numeric_limits<std::int64_t>::min(),
                                            3};
    std::vector<std::uint16_t> expected;
    for (const float x : {0x1p40F, 0x1.02p40F, -0x1.02p40F, 0x1p63F, -0x1p63F, 3.0F})
        expected.push_back(bfloat16(x).bits);
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(bfloat16(numbers[i]).bits == expected[i]);
    const guarded_array<std::int64_t> in(numbers);
    const guarded_array<bfloat16> out(numbers.size());
    const auto last = upsweep::make_operator<std::int64_t>("return right;");
    upsweep::inclusive_scan(queue(), in.view(), accumulate_in<std::int64_t>(out.view()), last);
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(out.values()[i].bits == expected[i]);
}

} // namespace

TEST_CASE("doubles and long integers are rounded once to half and bfloat16", "[views]") {
    check_rounded_once<half>();
    check_rounded_once<bfloat16>();
    check_integers_rounded_once();
    if (std::numeric_limits<long double>::digits <= std::numeric_limits<double>::digits) return;
    for (const int sign : {1, -1}) { // a double does not see the last term, which decides
        const auto s = static_cast<long double>(sign);
        CHECK(static_cast<float>(half(s * (1 + 0x1p-11L + 0x1p-60L))) == static_cast<float>(sign) * (1 + 0x1p-10F));
        CHECK(static_cast<float>(bfloat16(s * (1 + 0x1p-8L + 0x1p-60L))) == static_cast<float>(sign) * (1 + 0x1p-7F));
        CHECK(static_cast<float>(half(s * (1 + 0x1p-11L))) == static_cast<float>(sign));
    }
}
