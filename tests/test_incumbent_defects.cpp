// SPDX-License-Identifier: MIT
// One test per defect that other OpenCL libraries have or had: Boost.Compute, moderngpu, VexCL.
#include "device_fixture.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

using namespace fixture;
using upsweep::options;
using upsweep::strategy;

namespace {

/// x -> a * x + b in wrapping 32-bit arithmetic: composing such maps is associative and does not commute.
struct affine {
    std::uint32_t a, b;
    friend bool operator==(const affine& x, const affine& y) { return x.a == y.a && x.b == y.b; }
};

/// First x, then y.
affine then(const affine& x, const affine& y) {
    return {y.a * x.a, y.a * x.b + y.b};
}

} // namespace

template <>
struct upsweep::type<affine> {
    static constexpr const char* name = "affine";
    static constexpr const char* definition = "typedef struct { uint a, b; } affine;";
};

namespace {

std::vector<options> some_kernels() {
    std::vector<options> all = few_kernels(1);
    all.push_back(options{});
    return all;
}

/// n odd numbers, so that products never become 0.
std::vector<std::uint32_t> odd_numbers(std::size_t n) {
    auto values = test::make_input<std::uint32_t>(n, 21);
    for (std::uint32_t& x : values) x |= 1U;
    return values;
}

const std::vector<std::size_t> sizes{1, 2, 7, 8, 9, 255, 256, 257, 1000, 9001};

} // namespace

// Boost.Compute: 0 used as the identity of every operator, so that an exclusive scan with multiplies or minimum is
// wrong from the second block (element 256) on.
TEST_CASE("exclusive scan with operators whose identity is not 0", "[defects]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const options& opts : some_kernels())
        for (const std::size_t n : sizes) {
            CAPTURE(opts.strategy, opts.algorithm, n);
            const auto in = odd_numbers(n);
            std::vector<std::uint32_t> out(n), expected(n);
            std::uint32_t product = 3;
            for (std::size_t i = 0; i < n; ++i) {
                expected[i] = product;
                product *= in[i];
            }
            upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), 3, upsweep::multiplies{}, opts);
            CHECK(test::first_difference(out, expected) == -1);
            CHECK(upsweep::reduce(queue, in.begin(), in.end(), 3U, upsweep::multiplies{}, opts) == product);

            std::uint32_t least = 0xffffffffU;
            for (std::size_t i = 0; i < n; ++i) {
                expected[i] = least;
                least = std::min(least, in[i]);
            }
            upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), 0xffffffffU, upsweep::minimum{}, opts);
            CHECK(test::first_difference(out, expected) == -1);
            CHECK(upsweep::reduce(queue, in.begin(), in.end(), upsweep::no_init, upsweep::minimum{}, opts) == least);

            // Of negative numbers, 0 is no lower bound either.
            std::vector<int> negative(n), highest(n), expected_highest(n);
            int top = -2000000000;
            for (std::size_t i = 0; i < n; ++i) {
                negative[i] = -1 - static_cast<int>(in[i] % 1000000U);
                expected_highest[i] = top = std::max(top, negative[i]);
            }
            upsweep::inclusive_scan(queue, negative.begin(), negative.end(), highest.begin(), upsweep::maximum{}, opts);
            CHECK(test::first_difference(highest, expected_highest) == -1);
            CHECK(upsweep::reduce(queue, negative.begin(), negative.end(), upsweep::no_init, upsweep::maximum{},
                                  opts) == top);
        }
}

// Boost.Compute: a non-commutative inclusive scan is wrong from n = 8 on; a scan of structs does not compile.
TEST_CASE("structs with an operator that does not commute", "[defects]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const auto compose =
        upsweep::make_operator<affine>("affine r = {right.a * left.a, right.a * left.b + right.b};\nreturn r;");
    for (const options& opts : some_kernels())
        for (const std::size_t n : sizes) {
            CAPTURE(opts.strategy, opts.algorithm, n);
            const auto factors = odd_numbers(n);
            const auto offsets = test::make_input<std::uint32_t>(n, 22);
            std::vector<affine> in(n), out(n), inclusive(n), exclusive(n);
            for (std::size_t i = 0; i < n; ++i) in[i] = {factors[i], offsets[i]};
            const affine init{5, 6};
            affine sum = in[0];
            affine from_init = init;
            for (std::size_t i = 0; i < n; ++i) {
                if (i > 0) sum = then(sum, in[i]);
                inclusive[i] = sum;
                exclusive[i] = from_init;
                from_init = then(from_init, in[i]);
            }
            upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), compose, opts);
            CHECK(test::first_difference(out, inclusive) == -1);
            upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), init, compose, opts);
            CHECK(test::first_difference(out, exclusive) == -1);
            CHECK(upsweep::reduce(queue, in.begin(), in.end(), upsweep::no_init, compose, opts) == sum);
            CHECK(upsweep::reduce(queue, in.begin(), in.end(), init, compose, opts) == from_init);
        }
}

// moderngpu, Boost.Compute, VexCL: op(newer, older) in places. Taking the left operand must give the first element
// everywhere, taking the right one the last so far.
TEST_CASE("left is always the older operand", "[defects]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const auto left = upsweep::make_operator<int>("return left;");
    const auto right = upsweep::make_operator<int>("return right;");
    for (const options& opts : some_kernels())
        for (const std::size_t n : sizes) {
            CAPTURE(opts.strategy, opts.algorithm, opts.reduction, n);
            std::vector<int> in(n), out(n);
            for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<int>(i) + 100;
            const std::vector<int> first(n, 100);
            upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), left, opts);
            CHECK(test::first_difference(out, first) == -1);
            upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), right, opts);
            CHECK(test::first_difference(out, in) == -1);
            upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), 99, left, opts);
            CHECK(test::first_difference(out, std::vector<int>(n, 99)) == -1);
            upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), 99, right, opts);
            CHECK(out.front() == 99);
            CHECK(std::equal(out.begin() + 1, out.end(), in.begin()));
            CHECK(upsweep::reduce(queue, in.begin(), in.end(), upsweep::no_init, left, opts) == 100);
            CHECK(upsweep::reduce(queue, in.begin(), in.end(), upsweep::no_init, right, opts) == in.back());
            CHECK(upsweep::reduce(queue, in.begin(), in.end(), 99, left, opts) == 99);
            CHECK(upsweep::reduce(queue, in.begin(), in.end(), 99, right, opts) == in.back());
        }
}

// Boost.Compute: reduce goes through float(count) and drops elements above 2^24.
TEST_CASE("every element counts above 2^24", "[defects]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const options tiles = small_tiles(strategy::reduce_then_scan, 64, 16);
    // As a float, the first of these sizes is one less, the second one more.
    for (const std::size_t n : {(std::size_t{1} << 24) + 1, (std::size_t{1} << 24) + 3}) {
        const guarded_array<std::uint8_t> ones(queue, std::vector<std::uint8_t>(n, 1));
        const guarded_array<std::uint32_t> sum(queue, 1);
        for (const options& opts : {options{}, tiles}) {
            upsweep::reduce(queue, ones.input(), sum.view(), upsweep::no_init, upsweep::plus{}, {}, opts).wait();
            CHECK(sum.values()[0] == n);
        }
    }
}
