// SPDX-License-Identifier: MIT
// Segments of more elements than any memory holds, which are computed.
#include <upsweep/detail/segments/reduce_each.hpp>

#include "device_fixture.hpp"
#include "families.hpp"

#include <cstdint>
#include <vector>

using test::guarded_array;
using test::queue;
using upsweep::span;

namespace {

constexpr std::uint64_t bit(unsigned k) {
    return std::uint64_t{1} << k;
}

} // namespace

TEST_CASE("floats at places of many bits are reduced", "[segments]") {
    // Others number tiles from the first element on. Offsets should begin with 0, but this kernel needs none before.
    if (!upsweep::detail::reduces_each(test::limits(), {}, sizeof(float), 1))
        return test::skip("segments are not reduced by single work-items");
    const auto ones = upsweep::transform<float>("1.0f", bit(62) + 8);
    for (const std::uint64_t place : {bit(20) - 1, bit(47) - 1, bit(48) - 1, bit(60), bit(62) - 1}) {
        CAPTURE(place);
        const guarded_array<std::uint64_t> offsets(std::vector<std::uint64_t>{place, place + 3, place + 3, place + 5});
        const guarded_array<float> sums(3);
        upsweep::reduce(queue(), upsweep::segments(ones, offsets.view()), sums.view(), 0.5F);
        CHECK(sums.values() == std::vector<float>{3.5F, 0.5F, 2.5F});
        CHECK(sums.untouched_outside(3));
    }
}

TEST_CASE("more elements than have a number together with ends of segments are refused", "[segments][errors]") {
    const auto far = upsweep::counting<std::uint64_t>(~std::uint64_t{0});
    const guarded_array<std::uint64_t> offsets(std::vector<std::uint64_t>{0, 5000, 10000});
    const guarded_array<std::uint64_t> sums(2);
    fixture::expect_error("reduce", "input", "2^63 elements and more", [&] {
        upsweep::reduce(queue(), upsweep::segments(far, offsets.view()), sums.view(), std::uint64_t{0});
    });
    fixture::expect_error("reduce", "input", "2^63 elements and more", [&] {
        upsweep::reduce(queue(), upsweep::rows(far, 3, ~std::size_t{0} / 3), sums.view(), std::uint64_t{0});
    });
    queue().finish();
    CHECK(sums.untouched_outside(0));
}
