// SPDX-License-Identifier: MIT
// OpenCL's vector types as elements: operators work component by component.
#include "device_fixture.hpp"
#include "support.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

using namespace fixture;
using upsweep::strategy;

namespace {

/// A vector of one's own, with the name of OpenCL's.
struct alignas(16) colour {
    float s[4];
};

template <class T>
constexpr std::size_t width = sizeof(T) / sizeof(std::declval<T>().s[0]);

template <class T>
bool equal(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Components of small whole numbers, so that float sums are exact.
template <class T>
std::vector<T> random_vectors(std::size_t n) {
    const std::vector<std::int32_t> numbers = test::make_input<std::int32_t>(n * width<T>, 17);
    std::vector<T> out(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < width<T>; ++k)
            out[i].s[k] = static_cast<std::remove_reference_t<decltype(out[i].s[k])>>(numbers[i * width<T> + k] % 100);
    return out;
}

template <class T, class Combine>
std::vector<T> prefixes(const std::vector<T>& in, const T& init, const Combine& combine) {
    std::vector<T> out(in.size());
    T sum = init;
    for (std::size_t i = 0; i < in.size(); ++i) {
        for (std::size_t k = 0; k < width<T>; ++k) sum.s[k] = combine(sum.s[k], in[i].s[k]);
        out[i] = sum;
    }
    return out;
}

const std::vector<upsweep::options> automatic(1);
const std::vector<upsweep::options> tiles{small_tiles(strategy::reduce_then_scan, 8, 3)};
const std::vector<upsweep::options> chunks{small_tiles(strategy::chunked, 8, 3), small_tiles(strategy::chunked, 1, 4)};

/// Scans and reductions with and without an initial value.
template <class T, class Op, class Combine>
void check_calls(const Op& op, const T& init, const Combine& combine, const std::vector<upsweep::options>& ways) {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const std::size_t n : {std::size_t{1}, std::size_t{700}})
        for (const upsweep::options& opts : ways) {
            INFO("n = " << n << ", " << upsweep::type<T>::name << ", " << Op::name);
            const std::vector<T> in = random_vectors<T>(n);
            const std::vector<T> expected = prefixes(in, init, combine);
            const guarded_array<T> from(queue, in);
            const guarded_array<T> to(queue, n);
            const guarded_array<T> total(queue, 1);
            upsweep::inclusive_scan(queue, from.input(), to.view(), op, init, {}, opts);
            upsweep::reduce(queue, from.input(), total.view(), init, op, {}, opts);
            queue.finish();
            bool same = to.guards_intact() && total.guards_intact();
            const std::vector<T> sums = to.values();
            for (std::size_t i = 0; i < n; ++i) same = same && equal(sums[i], expected[i]);
            CHECK(same);
            CHECK(equal(total.values()[0], expected[n - 1]));

            upsweep::exclusive_scan(queue, from.input(), to.view(), init, op, {}, opts);
            queue.finish();
            const std::vector<T> before = to.values();
            same = to.guards_intact() && equal(before[0], init);
            for (std::size_t i = 1; i < n; ++i) same = same && equal(before[i], expected[i - 1]);
            CHECK(same);
        }
}

template <class T>
T all_of(int number) {
    T out{};
    for (auto& component : out.s) component = static_cast<std::remove_reference_t<decltype(component)>>(number);
    return out;
}

const auto add = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
const auto smaller = [](auto a, auto b) { return b < a ? b : a; };
const auto larger = [](auto a, auto b) { return a < b ? b : a; };

} // namespace

template <>
struct upsweep::type<colour> {
    static constexpr const char* name = "float4";
    static constexpr const char* definition = "";
};

// By all kernels for one type, by the chosen ones for each operator, and by each of the others for some type of another
// width.
TEST_CASE("vectors of OpenCL's headers are summed by component", "[operators]") {
    for (const auto& ways : {automatic, tiles, chunks}) check_calls(upsweep::plus{}, all_of<cl_float4>(3), add, ways);
    check_calls(upsweep::plus{}, all_of<cl_int2>(3), add, tiles);
    check_calls(upsweep::plus{}, all_of<cl_uchar16>(3), add, chunks);
    check_calls(upsweep::plus{}, all_of<cl_long4>(3), add, automatic);
}

TEST_CASE("minimum and maximum of vectors work by component", "[operators]") {
    check_calls(upsweep::minimum{}, all_of<cl_float4>(90), smaller, automatic);
    check_calls(upsweep::maximum{}, all_of<cl_short8>(-90), larger, automatic);
}

TEST_CASE("products and bits of vectors", "[operators]") {
    check_calls(
        upsweep::multiplies{}, all_of<cl_uint2>(3), [](auto a, auto b) { return a * b; }, automatic);
    check_calls(
        upsweep::bit_xor{}, all_of<cl_uint4>(3), [](auto a, auto b) { return a ^ b; }, automatic);
}

TEST_CASE("a type of one's own with the name of a vector", "[operators]") {
    check_calls(upsweep::plus{}, all_of<colour>(3), add, automatic);
}

TEST_CASE("vectors of double need double", "[errors]") {
    detail::device_limits limits;
    limits.name = "doctored";
    const detail::program_text text{
        detail::describe_type<cl_double2>(), detail::describe_type<cl_double2>(), {"op", "return left;", "", {}}};
    expect_error("f", "type double", "has no double", [&] { detail::check_text("f", text, limits); });
}
