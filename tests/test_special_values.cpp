// SPDX-License-Identifier: MIT
// The floating-point values that algorithms forget: NaN, infinities, both zeros, denormals.

#include "catch.hpp"
#include "small_forms.hpp"

#include <cmath>
#include <limits>

namespace {

using upsweep::strategy;
using upsweep::tile_algorithm;
template <class T>
using limits = std::numeric_limits<T>;

/// Each family of kernels once, and what is chosen when nothing is asked for. Doubles go through the same text as
/// floats: one form of tiles, one of a work-item on its own, and what is chosen.
template <class T>
std::vector<upsweep::options> forms() {
    std::vector<upsweep::options> all(1);
    all.push_back(test::form(strategy::reduce_then_scan, tile_algorithm::blelloch, 8, 4));
    all.push_back(test::form(strategy::chunked, tile_algorithm::blelloch, 1, 16));
    if (std::is_same<T, double>::value) return all;
    all.push_back(test::form(strategy::scan_then_propagate, tile_algorithm::hillis_steele, 8, 4));
    all.push_back(test::form(strategy::chunked, tile_algorithm::brent_kung, 8, 4));
    const std::vector<upsweep::options> look_back = test::look_back_forms();
    all.insert(all.end(), look_back.begin(), look_back.end());
    return all;
}

constexpr std::size_t sizes[] = {1, 2, 32, 33, 100, 1029};

const upsweep::detail::device_limits& device() {
    return upsweep::detail::limits_of("test", upsweep::default_device().device());
}

template <class T>
bool has_type() {
    return !std::is_same<T, double>::value || device().has_double;
}

/// Whether the device promises not to flush denormals to zero.
template <class T>
bool keeps_denormals() {
    cl_device_fp_config config = 0;
    const cl_device_info what =
        std::is_same<T, float>::value ? CL_DEVICE_SINGLE_FP_CONFIG : cl_device_info{CL_DEVICE_DOUBLE_FP_CONFIG};
    clGetDeviceInfo(upsweep::default_device().device(), what, sizeof config, &config, nullptr);
    return (config & CL_FP_DENORM) != 0;
}

/// Like ==, but tells the zeros apart, and any NaN equals any other.
template <class T>
bool same(T a, T b) {
    return std::isnan(a) ? std::isnan(b) : std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T>
std::ptrdiff_t first_unlike(const std::vector<T>& a, const std::vector<T>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!same(a[i], b[i])) return static_cast<std::ptrdiff_t>(i);
    return a.size() == b.size() ? -1 : 0;
}

template <class T>
T apply(T left, T right, upsweep::plus) {
    return left + right;
}
template <class T>
T apply(T left, T right, upsweep::minimum) {
    return right < left ? right : left;
}
template <class T>
T apply(T left, T right, upsweep::maximum) {
    return left < right ? right : left;
}

/// Checks both scans and the reduction of values whose result does not depend on the order of operations.
template <class T, class Op>
void check(const std::vector<T>& input, T init, const Op& op, const upsweep::options& o) {
    const std::size_t n = input.size();
    INFO(test::describe(o, n) << ", " << Op::name);
    std::vector<T> inclusive(n);
    std::vector<T> exclusive(n);
    T sum = input[0];
    T with_init = init;
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) sum = apply(sum, input[i], op);
        inclusive[i] = sum;
        exclusive[i] = with_init;
        with_init = apply(with_init, input[i], op);
    }
    std::vector<T> out(n);
    upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), op, o);
    CHECK(first_unlike(out, inclusive) == -1);
    upsweep::exclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), init, op, o);
    CHECK(first_unlike(out, exclusive) == -1);
    upsweep::options r = o;
    if (r.strategy == strategy::scan_then_propagate || r.strategy == strategy::look_back)
        r.strategy = strategy::automatic;
    if (r.algorithm == tile_algorithm::sub_group) r = {};
    CHECK(same(upsweep::reduce(test::queue(), input.begin(), input.end(), upsweep::no_init, op, r), sum));
    CHECK(same(upsweep::reduce(test::queue(), input.begin(), input.end(), init, op, r), with_init));
}

/// Places around the edges of runs, rows and tiles.
std::vector<std::size_t> places(std::size_t n) {
    std::vector<std::size_t> all;
    for (std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{32}, n / 2, n - 1})
        if (k < n && std::find(all.begin(), all.end(), k) == all.end()) all.push_back(k);
    return all;
}

template <class T>
std::vector<T> small_numbers(std::size_t n) {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(static_cast<int>(i * 7 % 13) - 6);
    return values;
}

} // namespace

TEMPLATE_TEST_CASE("NaN and infinities reach the sums that follow them, and no others", "[special_values]", float,
                   double) {
    if (!has_type<TestType>()) return;
    for (const upsweep::options& o : forms<TestType>())
        for (std::size_t n : sizes)
            for (std::size_t k : places(n)) {
                std::vector<TestType> input = small_numbers<TestType>(n);
                input[k] = limits<TestType>::quiet_NaN();
                check(input, TestType(3), upsweep::plus{}, o);
                input[k] = limits<TestType>::infinity();
                check(input, TestType(3), upsweep::plus{}, o);
                input[n - 1 - (n - 1 - k) / 2] = -limits<TestType>::infinity(); // from there on, NaN
                check(input, TestType(3), upsweep::plus{}, o);
            }
}

TEMPLATE_TEST_CASE("sums keep the sign of zero", "[special_values]", float, double) {
    if (!has_type<TestType>()) return;
    const TestType zero = 0;
    for (const upsweep::options& o : forms<TestType>())
        for (std::size_t n : sizes) {
            std::vector<TestType> input(n, -zero);
            check(input, -zero, upsweep::plus{}, o);
            check(input, zero, upsweep::plus{}, o);
            for (std::size_t k : places(n)) { // one positive zero makes all later sums positive
                input.assign(n, -zero);
                input[k] = zero;
                check(input, -zero, upsweep::plus{}, o);
            }
        }
}

TEMPLATE_TEST_CASE("denormals are not flushed", "[special_values]", float, double) {
    if (!has_type<TestType>()) return;
    if (!keeps_denormals<TestType>()) {
        WARN("the device does not promise to keep denormals");
        return;
    }
    const TestType tiny = limits<TestType>::denorm_min();
    for (const upsweep::options& o : forms<TestType>())
        for (std::size_t n : sizes) {
            std::vector<TestType> input(n);
            for (std::size_t i = 0; i < n; ++i) input[i] = tiny * static_cast<TestType>(i % 3);
            check(input, tiny, upsweep::plus{}, o);
            check(input, 2 * tiny, upsweep::minimum{}, o);
            check(input, -tiny, upsweep::maximum{}, o);
            input.assign(n, -tiny); // down from the smallest normal number
            input[0] = limits<TestType>::min();
            check(input, limits<TestType>::min(), upsweep::plus{}, o);
        }
}

TEMPLATE_TEST_CASE("minimum and maximum of infinities and both zeros", "[special_values]", float, double) {
    if (!has_type<TestType>()) return;
    const TestType infinity = limits<TestType>::infinity();
    const TestType zero = 0;
    for (const upsweep::options& o : forms<TestType>())
        for (std::size_t n : sizes) {
            std::vector<TestType> input(n);
            for (std::size_t i = 0; i < n; ++i) input[i] = i * 5 % 3 == 1 ? zero : -zero; // equal: the left one stays
            check(input, zero, upsweep::minimum{}, o);
            check(input, -zero, upsweep::maximum{}, o);
            for (std::size_t k : places(n)) {
                input = small_numbers<TestType>(n);
                input[k] = infinity;
                input[n / 3] = -infinity;
                check(input, infinity, upsweep::minimum{}, o);
                check(input, -infinity, upsweep::maximum{}, o);
            }
        }
}

// As std::min and std::max: a NaN stays where it is on the left of everything, and is dropped on the right. In between
// the two are not associative (what a NaN is the left operand of is lost), so there the test asks for no more than what
// every order of operations gives.
TEMPLATE_TEST_CASE("minimum and maximum of NaN", "[special_values]", float, double) {
    if (!has_type<TestType>()) return;
    const TestType nan = limits<TestType>::quiet_NaN();
    for (const upsweep::options& o : forms<TestType>())
        for (std::size_t n : sizes) {
            std::vector<TestType> input = small_numbers<TestType>(n);
            input[n - 1] = nan;
            check(input, TestType(3), upsweep::minimum{}, o);
            check(input, TestType(3), upsweep::maximum{}, o);
            input = small_numbers<TestType>(n);
            input[0] = nan;
            std::vector<TestType> out(n);
            upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), upsweep::minimum{}, o);
            CHECK(first_unlike(out, std::vector<TestType>(n, nan)) == -1);
            input.assign(n, nan);
            check(input, TestType(3), upsweep::minimum{}, o); // an initial value outlives them all
            check(input, TestType(3), upsweep::maximum{}, o);
        }
}
