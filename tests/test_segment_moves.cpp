// SPDX-License-Identifier: MIT
// Tiles of segments whose values go as words (kernels/sub_group_tile/segment_moves.cl), wherever arrays begin.
#include "device_fixture.hpp"
#include "families.hpp"
#include "members.hpp"
#include "segmented.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

using test::guarded_array;
using test::queue;
using test::segments_on_host;

namespace {

constexpr std::size_t elements = 33000; // whole rows of every width below

template <class T>
bool are_equal(const std::vector<T>& a, const std::vector<T>& b) {
    if constexpr (std::is_class<T>::value)
        return test::same_members(a, b);
    else
        return a == b;
}

/// Scans by `scan`, whose segments begin at `heads`, into an array that begins at element `begin`, and in place.
template <class T, class Combine, class View, class Op>
void check_scans(const std::vector<T>& x, const std::vector<bool>& heads, std::size_t begin, Combine combine, T init,
                 const View& view, const Op& op, const upsweep::options& opts) {
    const std::vector<T> inclusive = segments_on_host<T>(x, heads, combine, nullptr, false);
    const guarded_array<T> out(x.size(), 4 + begin), again(x.size(), 4 + begin);
    const guarded_array<T> in(x, 4 + begin * 3 % 4);
    upsweep::inclusive_scan(queue(), view(in), out.view(), op, {}, opts);
    CHECK(are_equal(out.values(), inclusive));
    CHECK(out.untouched_outside(x.size()));
    upsweep::exclusive_scan(queue(), view(in), again.view(), init, op, {}, opts);
    CHECK(are_equal(again.values(), segments_on_host<T>(x, heads, combine, &init, true)));
    CHECK(again.untouched_outside(x.size()));
    upsweep::inclusive_scan(queue(), view(in), in.view(), op, {}, opts);
    CHECK(are_equal(in.values(), inclusive));
    CHECK(in.untouched_outside(x.size()));
}

/// Rows, keys and offsets, of arrays that begin at any of four neighbouring elements.
template <class T, class Combine, class Op>
void check_moves(const std::vector<T>& x, Combine combine, T init, const Op& op) {
    std::vector<upsweep::options> all(2, test::in_sub_groups());
    all[0].work_items = 64;
    all[0].items = 16;
    all[1].work_items = 32; // two runs of 32 elements for each lane
    all[1].items = 64;
    if (!test::limits().is_cpu) all.push_back({});
    const std::vector<bool> random = test::heads_of(test::lengths(elements, "random", 5));
    const guarded_array<std::uint16_t> keys(test::keys_of<std::uint16_t>(random), 1);
    const guarded_array<std::uint32_t> offsets(test::begins_of(random), 1);
    for (const upsweep::options& opts : all)
        for (std::size_t begin = 0; begin < 4; ++begin) {
            CAPTURE(sizeof(T), begin, opts.work_items);
            for (const std::size_t width : {1, 5, 33, 1000, 3000})
                check_scans<T>(
                    x, test::heads_of_rows(elements, width), begin, combine, init,
                    [&](const auto& in) { return upsweep::rows(in.view(), elements / width, width); }, op, opts);
            check_scans<T>(
                x, random, begin, combine, init, [&](const auto& in) { return upsweep::keyed(in.view(), keys.view()); },
                op, opts);
            check_scans<T>(
                x, random, begin, combine, init,
                [&](const auto& in) { return upsweep::segments(in.view(), offsets.view()); }, op, opts);
        }
}

using chars_3 = test::members<1, 1, 1>;
using shorts_3 = test::members<2, 2, 2>;

template <class T>
void check_members() {
    const std::vector<T> values = test::random_members<T>(elements + 1, 7);
    check_moves<T>({values.begin(), values.end() - 1}, test::combine_members<T>(test::rule::sum), values.back(),
                   test::member_operator<T>(test::rule::sum));
}

} // namespace

TEST_CASE("segments of values that are no words, wherever they begin", "[sizes]") {
    if (!test::has_lanes()) return; // tiles of segments are not taken
    check_moves<std::uint8_t>(
        test::make_input<std::uint8_t>(elements, 1), [](auto a, auto b) { return static_cast<std::uint8_t>(a + b); }, 3,
        upsweep::plus{});
    check_moves<std::int16_t>(
        test::make_input<std::int16_t>(elements, 2), [](auto a, auto b) { return std::max(a, b); }, -5,
        upsweep::maximum{});
}

TEMPLATE_TEST_CASE("segments of structs that are no words, wherever they begin", "[canonical]", chars_3, shorts_3) {
    if (test::limits().has_ptx) check_members<TestType>(); // others take tiles of segments for numbers only
}
