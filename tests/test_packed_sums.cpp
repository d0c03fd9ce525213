// SPDX-License-Identifier: MIT
// Sums of vectors of small numbers, which CPUs and NVIDIA devices make in integers.
#include "device_fixture.hpp"
#include "packed.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

struct not_two_bytes {
    std::uint8_t x[4];
};

} // namespace

template <>
struct upsweep::type<not_two_bytes> {
    static constexpr const char* name = "uchar2";
    static constexpr const char* definition = "";
};

namespace {

using test::add_numbers;
using test::check_calls;
using test::each_number;
using test::guarded_array;
using test::queue;
using test::random_values;
using test::same_bits;

/// Sums of vectors that are computed, of an array and of segments.
template <class T>
void check_computed() {
    constexpr std::size_t n = 2500;
    const std::vector<T> all = random_values<T>(n, 6);
    const auto add = each_number<T, std::uint8_t>(add_numbers);
    std::vector<T> twice;
    for (const T& each : all) twice.push_back(add(each, each));
    std::vector<bool> whole(n), heads = test::heads_of(test::lengths(n, "random", 2));
    whole[0] = true;
    const guarded_array<T> in(all, 3), out(n, 5);
    const guarded_array<std::uint32_t> keys(test::keys_of<std::uint32_t>(heads));
    const guarded_array<std::uint32_t> count(std::vector<std::uint32_t>{n - 7});
    const auto computed = upsweep::transform<T>("a + a", in.view());
    upsweep::inclusive_scan(queue(), computed, out.view());
    CHECK(same_bits(out.values(), test::segments_on_host<T, T>(twice, whole, add, nullptr, false)));
    const guarded_array<T> place(all);
    upsweep::inclusive_scan(queue(), upsweep::keyed(upsweep::transform<T>("a + a", place.view()), keys.view()),
                            place.view());
    CHECK(same_bits(place.values(), test::segments_on_host<T, T>(twice, heads, add, nullptr, false)));
    upsweep::inclusive_scan(queue(), upsweep::first(in.view(), count.view()), out.view());
    twice = test::segments_on_host<T, T>(all, whole, add, nullptr, false);
    std::vector<T> expected = out.values();
    std::copy(twice.begin(), twice.end() - 7, expected.begin());
    CHECK(same_bits(out.values(), expected));
    CHECK(out.untouched_outside(n));

    // By offsets, of which sums of integers are made by differences.
    const guarded_array<std::uint32_t> offsets(std::vector<std::uint32_t>{0, 0, 1000, 1003, n});
    const guarded_array<T> sums(4);
    upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), sums.view(), T{});
    const auto sum = [&](std::size_t begin, std::size_t end) {
        T result{};
        for (std::size_t i = begin; i < end; ++i) result = add(result, all[i]);
        return result;
    };
    CHECK(same_bits(sums.values(), {T{}, sum(0, 1000), sum(1000, 1003), sum(1003, n)}));
}

} // namespace

TEST_CASE("vectors of small numbers are scanned and reduced as integers", "[segments][bits]") {
    if (!test::limits().rusticl.empty()) return test::skip("rusticl takes minutes for vectors");
    check_calls<cl_uchar2>(upsweep::plus{}, each_number<cl_uchar2, std::uint8_t>(add_numbers));
    check_calls<cl_ushort8>(upsweep::plus{}, each_number<cl_ushort8, std::uint16_t>(add_numbers));
    check_calls<cl_short2>(upsweep::maximum{}, each_number<cl_short2, std::int16_t>(test::larger_number));
    check_computed<cl_uchar4>();
}

TEST_CASE("vectors whose size is not the host's are refused", "[errors]") {
    const guarded_array<not_two_bytes> x(10), y(10);
    fixture::expect_error("inclusive_scan", "type uchar2", "its size on the device is not the host's 4 bytes",
                          [&] { upsweep::inclusive_scan(queue(), x.view(), y.view()); });
    CHECK(y.untouched_outside(0));
}
