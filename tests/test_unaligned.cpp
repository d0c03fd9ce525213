// SPDX-License-Identifier: MIT
// Views that begin at any multiple of their element's size: by sub-groups where the device has them, else as chosen.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "members.hpp"
#include "segmented.hpp"
#include "support.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace {

/// Elements before the view: multiples of 16 bytes and all that lies between two of them.
template <class T>
std::vector<std::size_t> begins() {
    std::vector<std::size_t> result{64};
    for (std::size_t shift = 1; shift * sizeof(T) % 16 != 0; ++shift)
        if (sizeof(T) > 2 || shift <= 3 || shift % 4 == 1) result.push_back(64 + shift);
    return result;
}

upsweep::options by_sub_groups() {
    upsweep::options opts;
    if (test::has_lanes()) opts.algorithm = upsweep::tile_algorithm::sub_group;
    return opts;
}

/// Scans and a reduction of one pair of arrays. Nothing outside the results may change.
template <class Out, class In, class Op>
void check_calls(const std::vector<In>& input, std::size_t in_begin, std::size_t out_begin, const Op& op) {
    const std::size_t n = input.size();
    const test::guarded_array<In> in(input, in_begin);
    const upsweep::span<const In> view = in.view();
    const upsweep::options opts = by_sub_groups();
    const Out init = test::make_init<Out>();

    const test::guarded_array<Out> inclusive(n, out_begin);
    const test::guarded_array<Out> exclusive(n, out_begin);
    const test::guarded_array<Out> total(1, out_begin);
    upsweep::inclusive_scan(test::queue(), view, inclusive.view(), op, {}, opts).wait();
    upsweep::exclusive_scan(test::queue(), view, exclusive.view(), init, op, {}, opts).wait();
    upsweep::reduce(test::queue(), view, total.view(), init, op, {}, opts).wait();
    const auto sums = test::reference_scan<Out>(input, false, std::optional<Out>(), op);
    const auto before = test::reference_scan<Out>(input, true, std::optional<Out>(init), op);
    CHECK(test::first_difference(inclusive.values(), sums) == -1);
    CHECK(test::first_difference(exclusive.values(), before) == -1);
    CHECK(total.values().front() == test::combine(before.back(), static_cast<Out>(input.back()), op));
    CHECK(inclusive.untouched_outside(n));
    CHECK(exclusive.untouched_outside(n));
    CHECK(total.untouched_outside(1));
}

template <class Out, class In = Out>
void check_begins(const std::vector<std::size_t>& counts) {
    const auto op = test::natural_operator<Out>();
    const auto outs = begins<Out>();
    for (const std::size_t n : counts) {
        const std::vector<In> input = test::make_input<In>(n, static_cast<std::uint32_t>(n));
        std::size_t i = 0;
        for (const std::size_t in_begin : begins<In>()) {
            for (const std::size_t out_begin : {outs[i % outs.size()], outs[(i + 1) % outs.size()]}) {
                INFO("n = " << n << ", elements before the input " << in_begin << ", before the output " << out_begin);
                check_calls<Out>(input, in_begin, out_begin, op);
            }
            ++i;
        }
    }
}

/// In place, from each beginning.
template <class T>
void check_in_place(std::size_t n) {
    const auto op = test::natural_operator<T>();
    const std::vector<T> input = test::make_input<T>(n, 5);
    for (const std::size_t begin : begins<T>()) {
        INFO("elements before the view " << begin);
        const test::guarded_array<T> array(input, begin);
        upsweep::inclusive_scan(test::queue(), array.view(), array.view(), op, {}, by_sub_groups()).wait();
        const auto sums = test::reference_scan<T>(input, false, std::optional<T>(), op);
        CHECK(test::first_difference(array.values(), sums) == -1);
        CHECK(array.untouched_outside(n));
    }
}

/// Structs whose sizes are no multiples of 4 bytes: several make whole words together, and may begin within one.
template <class T>
void check_structs() {
    const auto op = test::member_operator<T>(test::rule::mixed);
    const auto combine = test::combine_members<T>(test::rule::mixed);
    // Others take Intel's compiler minutes.
    const bool is_fast = test::limits().has_ptx || sizeof(T) == 3 || sizeof(T) == 6;
    const upsweep::options opts = is_fast ? by_sub_groups() : upsweep::options();
    const T init = test::random_members<T>(1, 9)[0];
    for (const std::size_t n : {1U, 5U, 700U, 4096U, 50001U})
        for (std::size_t begin = 64; begin < 68; ++begin) {
            CAPTURE(upsweep::type<T>::name, n, begin);
            const std::vector<T> x = test::random_members<T>(n, static_cast<std::uint32_t>(n + begin));
            const auto heads = test::heads_of_rows(n, n);
            const auto before = test::segments_on_host<T>(x, heads, combine, &init, true);
            const test::guarded_array<T> in(x, begin), total(1, begin);
            const test::guarded_array<T> out(n, 64 + begin * 3 % 4), sums(n, 64 + (begin + 2) % 4);
            upsweep::exclusive_scan(test::queue(), in.view(), out.view(), init, op, {}, opts);
            CHECK(test::same_members(out.values(), before));
            CHECK(out.untouched_outside(n));
            upsweep::inclusive_scan(test::queue(), in.view(), sums.view(), op, {}, opts);
            const auto scanned = test::segments_on_host<T>(x, heads, combine, nullptr, false);
            CHECK(test::same_members(sums.values(), scanned));
            CHECK(sums.untouched_outside(n));
            upsweep::reduce(test::queue(), in.view(), total.view(), init, op, {}, opts);
            CHECK(test::same_members(total.values(), {combine(before.back(), x.back())}));
            CHECK(total.untouched_outside(1));
            upsweep::inclusive_scan(test::queue(), in.view(), in.view(), op, {}, opts);
            CHECK(test::same_members(in.values(), scanned));
            CHECK(in.untouched_outside(n));
        }
}

using chars_3 = test::members<1, 1, 1>;
using shorts_3 = test::members<2, 2, 2>;
using chars_5 = test::members<1, 1, 1, 1, 1>;
using short_and_chars = test::members<2, 1, 1, 1>;
using shorts_5 = test::members<2, 2, 2, 2, 2>;
using shorts_9 = test::members<2, 2, 2, 2, 2, 2, 2, 2, 2>;

} // namespace

TEMPLATE_TEST_CASE("views of structs that are no whole words may begin at any of them", "[canonical]", chars_3,
                   shorts_3, chars_5, short_and_chars, shorts_5, shorts_9) {
    check_structs<TestType>();
}

TEST_CASE("views of small elements may begin at any of them", "[sizes]") {
    check_begins<std::uint8_t>({1, 700, 32768, 100001});
    check_begins<std::uint16_t>({1, 700, 16384, 100001});
}

TEST_CASE("views of elements of 4 and 8 bytes may begin at any of them", "[sizes]") {
    check_begins<std::int32_t>({1, 700, 8192, 100001});
    check_begins<std::int64_t>({1, 700, 8192, 100001});
}

TEST_CASE("views of structs may begin at any of them", "[sizes]") {
    check_begins<test::segment>({1, 700, 4096, 50001});
}

TEST_CASE("views of other elements than are accumulated may begin at any of them", "[sizes]") {
    check_begins<std::uint32_t, std::uint8_t>({700, 100001});
    check_begins<std::int64_t, std::int32_t>({700, 100001});
    check_begins<std::uint8_t, std::uint32_t>({700, 100001});
}

TEST_CASE("scans in place may begin at any element", "[sizes]") {
    check_in_place<std::uint8_t>(100001);
    check_in_place<std::int32_t>(100001);
}
