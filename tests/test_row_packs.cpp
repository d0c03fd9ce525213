// SPDX-License-Identifier: MIT
// Rows whose lanes load several elements at once (kernels/rows/row_packs.cl), on devices with sub-groups.
#include "device_fixture.hpp"
#include "families.hpp"
#include "segmented.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

using test::guarded_array;
using test::queue;

namespace {

/// Where an array and its rows lie.
struct place {
    std::size_t lead; ///< elements before the first row
    std::size_t gap;  ///< elements between rows
};

template <class In>
std::vector<In> elements(std::size_t n) {
    if constexpr (std::is_floating_point<In>::value)
        return test::numbers<In>(n, n);
    else
        return test::make_input<In>(n, static_cast<std::uint32_t>(n));
}

/// Results of rows of every width around those of lines, wherever they begin, against the host's.
template <class T, class In, class Op, class Combine>
void check_rows(const Op& op, Combine combine) {
    const std::size_t height = 11;
    const T init = static_cast<T>(3.3);
    const T* const nothing = nullptr;
    for (const std::size_t width : {32, 63, 64, 65, 127, 128, 129, 131, 300, 512, 1025, 1100, 4100})
        for (const place& at : {place{0, 0}, place{1, 0}, place{3, 0}, place{0, 4}, place{4, 3}}) {
            CAPTURE(width, at.lead, at.gap, sizeof(In), sizeof(T));
            const std::size_t pitch = width + at.gap;
            const std::vector<In> all = elements<In>(height * pitch);
            std::vector<In> x;
            std::vector<bool> heads;
            for (std::size_t i = 0; i < all.size(); ++i)
                if (i % pitch < width) {
                    x.push_back(all[i]);
                    heads.push_back(i % pitch == 0);
                }
            const guarded_array<In> in(all, at.lead);
            const guarded_array<T> out(height);
            const auto rows = upsweep::rows(in.view(), height, width, pitch);
            const auto check = [&](const T* first) {
                const std::vector<T> sums = test::segments_on_host<T>(x, heads, combine, first, false);
                std::vector<T> expected;
                for (std::size_t i = width; i <= sums.size(); i += width) expected.push_back(sums[i - 1]);
                CHECK(test::same_bits(out.values(), expected));
                CHECK(out.untouched_outside(height));
            };
            upsweep::reduce(queue(), rows, out.view(), init, op, {}, test::in_sub_groups());
            check(&init);
            upsweep::reduce(queue(), rows, out.view(), upsweep::no_init, op, {}, test::in_sub_groups());
            check(nothing);
        }
}

} // namespace

TEST_CASE("rows of floats have the bits of the host, wherever they begin", "[segments]") {
    if (!test::has_lanes()) return; // they are scanned then
    check_rows<float, float>(upsweep::plus{}, std::plus<>{});
    if (!test::has_type<double>()) return;
    check_rows<double, double>(upsweep::plus{}, std::plus<>{});
    check_rows<double, float>(upsweep::plus{}, std::plus<>{});
}

TEST_CASE("rows of integers of every size are reduced, wherever they begin", "[segments]") {
    if (!test::has_lanes()) return;
    const auto larger = [](auto a, auto b) { return a < b ? b : a; };
    check_rows<std::uint8_t, std::uint8_t>(upsweep::maximum{}, larger);
    check_rows<std::uint32_t, std::uint16_t>(upsweep::plus{}, std::plus<>{});
    check_rows<std::int32_t, std::int32_t>(upsweep::maximum{}, larger);
    check_rows<std::uint64_t, std::uint64_t>(upsweep::plus{}, std::plus<>{});
}

TEST_CASE("rows are reduced by operators that do not commute, wherever they begin", "[segments]") {
    if (!test::has_lanes()) return;
    // Nor are these associative, so that every other order shows.
    check_rows<std::uint32_t, std::uint16_t>(
        upsweep::make_operator<std::uint32_t>("return left * 31 + (right ^ 0x55);"),
        [](std::uint32_t left, std::uint32_t right) { return left * 31 + (right ^ 0x55); });
    check_rows<std::uint64_t, std::uint64_t>(
        upsweep::make_operator<std::uint64_t>("return left * 31 + (right ^ 0x55);"),
        [](std::uint64_t left, std::uint64_t right) { return left * 31 + (right ^ 0x55); });
}
