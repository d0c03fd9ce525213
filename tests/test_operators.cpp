// SPDX-License-Identifier: MIT
// Operators, element types and accumulated types: every built-in operator on every scalar type, operators that do not
// commute, structs of odd sizes, sums wider than their elements, and real-valued floats against higher precision.

#include "catch.hpp"
#include "support.hpp"

#include <cmath>
#include <limits>

namespace {

using upsweep::strategy;

/// What the device should compute, written independently of the operator's text.
template <class T>
T expect(upsweep::plus, T a, T b) {
    return test::combine(a, b, upsweep::plus{});
}
template <class T>
T expect(upsweep::multiplies, T a, T b) {
    if constexpr (std::is_integral<T>::value) // in 64 bits, because a product of promoted shorts may overflow int
        return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    else
        return a * b;
}
template <class T>
T expect(upsweep::minimum, T a, T b) {
    return std::min(a, b);
}
template <class T>
T expect(upsweep::maximum, T a, T b) {
    return std::max(a, b);
}
template <class T>
T expect(upsweep::bit_and, T a, T b) {
    return static_cast<T>(a & b);
}
template <class T>
T expect(upsweep::bit_or, T a, T b) {
    return static_cast<T>(a | b);
}
template <class T>
T expect(upsweep::bit_xor, T a, T b) {
    return static_cast<T>(a ^ b);
}
template <class T>
T expect(upsweep::logical_and, T a, T b) {
    return static_cast<T>(a != T(0) && b != T(0));
}
template <class T>
T expect(upsweep::logical_or, T a, T b) {
    return static_cast<T>(a != T(0) || b != T(0));
}

/// Inputs on which each operator gives varied and exact results.
template <class T, class Op>
std::vector<T> operator_input(std::size_t n, Op) {
    std::vector<T> input = test::make_input<T>(n, 11);
    if (std::is_same<Op, upsweep::multiplies>::value)
        for (T& x : input) { // odd integers never vanish; powers of two are exact
            if constexpr (std::is_integral<T>::value)
                x = static_cast<T>(x | T(1));
            else
                x = x < T(0) ? T(-1) : x > T(4) ? T(2) : x > T(0) ? T(0.5) : T(1);
        }
    if (std::is_same<Op, upsweep::logical_and>::value)
        for (std::size_t i = 0; i < n; ++i) input[i] = static_cast<T>(i == n / 2 ? 0 : i % 5 + 1);
    if (std::is_same<Op, upsweep::logical_or>::value)
        for (std::size_t i = 0; i < n; ++i) input[i] = static_cast<T>(i == n / 2 ? 3 : 0);
    return input;
}

/// A small tile, so that 777 elements take several levels on any device.
upsweep::options several_levels() {
    upsweep::options o;
    o.strategy = strategy::reduce_then_scan;
    o.work_items = 8;
    o.items = 4;
    return o;
}

template <class T, class Op>
void check_operator(Op op, const upsweep::options& opts) {
    INFO(Op::name << " on " << upsweep::type<T>::name << ", " << opts.strategy);
    const std::size_t n = 777;
    const std::vector<T> input = operator_input<T>(n, op);
    std::vector<T> expected(n);
    T sum = input[0];
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) sum = expect(op, sum, input[i]);
        expected[i] = sum;
    }
    std::vector<T> out(n);
    upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), op, opts);
    // logical operators give 0 or 1 from the second element on; the first is the element itself
    CHECK(test::first_difference(out, expected) == -1);
    const T init = input[n / 3];
    std::vector<T> shifted(n);
    T running = init;
    for (std::size_t i = 0; i < n; ++i) {
        shifted[i] = running;
        running = expect(op, running, input[i]);
    }
    upsweep::exclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), init, op, opts);
    CHECK(test::first_difference(out, shifted) == -1);
    CHECK(upsweep::reduce(test::queue(), input.begin(), input.end(), init, op, opts) == running);
    CHECK(upsweep::reduce(test::queue(), input.begin(), input.end(), upsweep::no_init, op, opts) == sum);
}

/// Every operator as `automatic` runs it; in tiles, where an operator's text is used no differently for other types,
/// one of them, another one for each type.
template <class T>
void check_operators() {
    const std::size_t width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    const std::size_t in_tiles = std::is_floating_point<T>::value ? width : 2 * width + std::is_signed<T>::value;
    std::size_t number = 0;
    const auto check = [&](auto op) {
        check_operator<T>(op, {});
        if (number++ % 8 == in_tiles) check_operator<T>(op, several_levels());
    };
    check(upsweep::plus{});
    check(upsweep::multiplies{});
    check(upsweep::minimum{});
    check(upsweep::maximum{});
    check(upsweep::logical_and{});
    check(upsweep::logical_or{});
    if constexpr (std::is_integral<T>::value) {
        check(upsweep::bit_and{});
        check(upsweep::bit_or{});
        check(upsweep::bit_xor{});
    }
}

/// Structs of any size: the last `Bytes - 4` bytes travel with the larger key, so that every byte is checked.
template <int Bytes>
struct tagged {
    unsigned char data[Bytes];
    friend bool operator==(const tagged& a, const tagged& b) { return std::memcmp(a.data, b.data, Bytes) == 0; }
};

template <int Bytes>
void check_struct_size() {
    INFO(Bytes << " bytes");
    const auto larger = upsweep::make_operator<tagged<Bytes>>("return right.data[0] > left.data[0] ? right : left;");
    std::mt19937 random(Bytes);
    std::vector<tagged<Bytes>> input(1009);
    for (auto& x : input)
        for (unsigned char& byte : x.data) byte = static_cast<unsigned char>(random());
    std::vector<tagged<Bytes>> expected = input;
    for (std::size_t i = 1; i < input.size(); ++i)
        if (!(expected[i].data[0] > expected[i - 1].data[0])) expected[i] = expected[i - 1];
    const test::guarded_array<tagged<Bytes>> in(input);
    const test::guarded_array<tagged<Bytes>> out(input.size());
    for (strategy s : {strategy::automatic, strategy::scan_then_propagate, strategy::reduce_then_scan}) {
        upsweep::options o;
        o.strategy = s;
        if (s != strategy::automatic) o.work_items = 16;
        upsweep::inclusive_scan(test::queue(), in.view(), out.view(), larger, {}, o);
        CHECK(test::first_difference(out.values(), expected) == -1);
        CHECK(out.untouched_outside(input.size()));
    }
}

} // namespace

template <>
struct upsweep::type<tagged<3>> {
    static constexpr const char* name = "tagged";
    static constexpr const char* definition = "typedef struct { uchar data[3]; } tagged;";
};
template <>
struct upsweep::type<tagged<5>> {
    static constexpr const char* name = "tagged";
    static constexpr const char* definition = "typedef struct { uchar data[5]; } tagged;";
};
template <>
struct upsweep::type<tagged<24>> {
    static constexpr const char* name = "tagged";
    static constexpr const char* definition = "typedef struct { uchar data[24]; } tagged;";
};
template <>
struct upsweep::type<tagged<100>> {
    static constexpr const char* name = "tagged";
    static constexpr const char* definition = "typedef struct { uchar data[100]; } tagged;";
};

TEMPLATE_TEST_CASE("every operator", "[operators]", std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                   std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double) {
    if (!test::has_type<TestType>()) return test::skip("no double");
    check_operators<TestType>();
}

TEST_CASE("structs of sizes that are no powers of two", "[operators]") {
    check_struct_size<3>();
    check_struct_size<5>();
    check_struct_size<24>();
    check_struct_size<100>();
}

TEST_CASE("half, where the device has it, is refused where not", "[operators]") {
    const std::vector<upsweep::half> input(100, upsweep::half(0.5F));
    try {
        const auto sum = upsweep::reduce(test::queue(), input.begin(), input.end());
        CHECK(static_cast<float>(sum) == 50.0F);
    } catch (const upsweep::error& problem) {
        CHECK(problem.argument() == "type half");
    }
}

TEST_CASE("sums in a wider type than the elements", "[operators]") {
    const std::size_t n = 100003;
    const std::vector<std::uint8_t> input(n, 255);
    std::vector<std::uint64_t> out(n);
    for (strategy s : {strategy::automatic, strategy::scan_then_propagate, strategy::reduce_then_scan}) {
        upsweep::options o;
        o.strategy = s;
        upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), upsweep::plus{},
                                std::uint64_t{1}, o);
        bool right = true;
        for (std::size_t i = 0; i < n; ++i) right = right && out[i] == 255 * (i + 1) + 1;
        CHECK(right);
        CHECK(upsweep::reduce(test::queue(), input.begin(), input.end(), std::uint64_t{1}, upsweep::plus{}, o) ==
              255 * n + 1);
    }
    if (!test::has_type<double>()) return test::leave_out("int16 into double");
    const std::vector<std::int16_t> negative(n, -3);
    CHECK(upsweep::reduce(test::queue(), negative.begin(), negative.end(), 0.5) == -3.0 * static_cast<double>(n) + 0.5);
}

TEMPLATE_TEST_CASE("real numbers, against a sum in higher precision", "[operators]", float, double) {
    if (!test::has_type<TestType>()) return test::skip("no double");
    const std::size_t n = (1 << 18) + 5;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<TestType> input(n);
    for (TestType& x : input) x = static_cast<TestType>(uniform(random));
    std::vector<TestType> out(n);
    upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin());
    long double sum = 0;
    long double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += static_cast<long double>(input[i]);
        worst = std::max(worst, std::abs(static_cast<long double>(out[i]) - sum) / sum);
    }
    // Positive terms: each addition is off by at most half a unit in the last place, n of them in the worst order.
    CHECK(worst < static_cast<long double>(std::numeric_limits<TestType>::epsilon()) * 1000);
    const auto total = static_cast<long double>(upsweep::reduce(test::queue(), input.begin(), input.end()));
    CHECK(std::abs(total - sum) / sum < static_cast<long double>(std::numeric_limits<TestType>::epsilon()) * 1000);
}

TEST_CASE("operands keep their order at every size", "[operators]") {
    const auto op = test::join_segments();
    for (std::size_t n : {2, 8, 9, 255, 256, 257, 5000, 70001}) {
        INFO("n = " << n);
        const std::vector<test::segment> input = test::make_input<test::segment>(n, 0);
        std::vector<test::segment> out(n);
        upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), op);
        CHECK(test::first_difference(out, test::reference_scan<test::segment>(input, false, {}, op)) == -1);
        const auto all = upsweep::reduce(test::queue(), input.begin(), input.end(), upsweep::no_init, op);
        CHECK((all == test::segment{0, static_cast<std::int32_t>(n) - 1, 0}));
    }
}

TEST_CASE("helpers of a user operator", "[operators]") {
    const auto gcd = upsweep::make_operator<std::uint32_t>(
        "return greatest_common_divisor(left, right);",
        "uint greatest_common_divisor(uint a, uint b) { while (b) { uint r = a % b; a = b; b = r; } return a; }");
    const std::vector<std::uint32_t> input{360, 240, 90, 75, 10, 35, 7};
    std::vector<std::uint32_t> out(input.size());
    upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), gcd);
    CHECK(out == std::vector<std::uint32_t>{360, 120, 30, 15, 5, 5, 1});
}
