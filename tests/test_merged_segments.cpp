// SPDX-License-Identifier: MIT
// Reductions of segments that are merged with the elements (kernels/launch/segments/reduce_merged.cl), on devices with
// sub-groups. Sums of integers are made otherwise there (kernels/segments/tile_prefixes.cl), and are tried beside.
#include <upsweep/detail/segments/merged_check.hpp>
#include <upsweep/detail/segments/reduce_merged.hpp>

#include "device_fixture.hpp"
#include "families.hpp"
#include "internals.hpp"
#include "segmented.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using test::guarded_array;
using test::queue;

namespace {

/// What a work-group takes of elements and ends of segments, at most.
constexpr std::size_t group = std::size_t{upsweep::detail::merged_work_items} * upsweep::detail::merged_items;

/// Lengths of `count` segments.
std::vector<std::size_t> merged_lengths(std::size_t count, const std::string& kind) {
    std::vector<std::size_t> all;
    std::uint32_t x = 5;
    for (std::size_t k = 0; k < count; ++k) {
        x = x * 1664525U + 1013904223U;
        std::size_t length = (x >> 28) % 5; // some are empty
        if (kind == "empty") length = 0;
        if (kind == "one each") length = 1;
        if (kind == "long") length = 700 + (x >> 23);
        if (kind == "mixed" && x >> 29 == 0) length = (x >> 16) % 3000;
        if (kind == "giant" && k == count / 2) length = 4 * group + 11;
        if (kind == "giant at the end" && k + 1 == count) length = 3 * group;
        if (kind == "far ends" && k % 50 != 0) length = 0;
        if (kind == "far ends" && k % 50 == 0) length = group / 4 + k % 3;
        if (kind == "empty ones together") length = k > count / 3 && k < count - 9 ? 0 : 40;
        all.push_back(length);
    }
    return all;
}

template <class T, class Offset>
std::vector<Offset> offsets_of(const std::vector<std::size_t>& all) {
    std::vector<Offset> offsets(1, 0);
    for (const std::size_t length : all) offsets.push_back(static_cast<Offset>(offsets.back() + length));
    return offsets;
}

/// Reduces segments with an initial value or, where `init` is null, without.
template <class T, class Offset, class Op, class Combine>
void check_reduction(const std::vector<std::size_t>& all, std::size_t behind, const Op& op, Combine combine,
                     const T* init, const upsweep::options& opts) {
    const std::vector<Offset> begins = offsets_of<T, Offset>(all);
    const std::size_t n = static_cast<std::size_t>(begins.back()) + behind;
    const std::vector<T> x = test::make_input<T>(n, static_cast<std::uint32_t>(n));
    std::vector<T> expected;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto begin = x.begin() + static_cast<std::ptrdiff_t>(begins[k]);
        const auto end = x.begin() + static_cast<std::ptrdiff_t>(begins[k + 1]);
        T sum = init ? *init : begin == end ? T{} : *begin;
        for (auto i = init || begin == end ? begin : begin + 1; i != end; ++i) sum = static_cast<T>(combine(sum, *i));
        expected.push_back(sum);
    }
    const guarded_array<T> in(x, 3);
    const guarded_array<Offset> offsets(begins, 1);
    const guarded_array<T> out(all.size());
    const auto view = upsweep::segments(in.view(), offsets.view());
    if (init)
        upsweep::reduce(queue(), view, out.view(), *init, op, {}, opts);
    else
        upsweep::reduce(queue(), view, out.view(), upsweep::no_init, op, {}, opts);
    CHECK(out.values() == expected);
    CHECK(out.untouched_outside(all.size()));
}

constexpr const char* kinds[] = {
    "empty", "one each", "short", "long", "mixed", "giant", "giant at the end", "far ends", "empty ones together"};

} // namespace

TEST_CASE("merged segments of any lengths are reduced, those that several work-groups share too", "[segments]") {
    if (!test::has_lanes()) return; // there are none
    for (const char* kind : kinds)
        for (const std::size_t count : {1, 2, 31, 700, 9000}) {
            if (count == 9000 && (std::string(kind) == "long" || std::string(kind) == "far ends")) continue;
            CAPTURE(kind, count);
            const std::vector<std::size_t> all = merged_lengths(count, kind);
            const std::uint32_t init = 3;
            check_reduction<std::uint32_t, std::uint32_t>(all, 1, upsweep::bit_xor{}, std::bit_xor<>{}, &init,
                                                          test::in_sub_groups());
            check_reduction<std::uint32_t, std::uint32_t>(all, 1, upsweep::plus{}, std::plus<>{}, &init,
                                                          test::in_sub_groups()); // differences
        }
}

TEST_CASE("merged segments of integers of every size, with and without an initial value", "[segments][sizes]") {
    if (!test::has_lanes()) return;
    const auto check = [](auto number, auto offset) {
        using T = decltype(number);
        using offset_type = decltype(offset);
        for (const char* kind : {"mixed", "giant", "empty ones together"}) {
            CAPTURE(kind, sizeof(T), sizeof(offset_type));
            const std::vector<std::size_t> all = merged_lengths(600, kind);
            const T init = 7;
            check_reduction<T, offset_type>(all, 5, upsweep::bit_xor{}, std::bit_xor<>{}, &init, test::in_sub_groups());
            check_reduction<T, offset_type>(all, 5, upsweep::plus{}, std::plus<>{}, &init, test::in_sub_groups());
            check_reduction<T, offset_type>(
                all, 5, upsweep::maximum{}, [](T a, T b) { return std::max(a, b); }, static_cast<const T*>(nullptr),
                test::in_sub_groups());
        }
    };
    check(std::int8_t{}, std::uint32_t{});
    check(std::uint16_t{}, std::int64_t{});
    check(std::int32_t{}, std::uint64_t{});
    check(std::uint64_t{}, std::int32_t{});
}

TEST_CASE("merged segments of computed elements, with an initial value on the device", "[segments]") {
    if (!test::has_lanes()) return;
    const std::vector<std::size_t> all = merged_lengths(900, "mixed");
    const std::vector<std::uint32_t> begins = offsets_of<std::uint32_t, std::uint32_t>(all);
    const std::vector<std::uint8_t> x = test::make_input<std::uint8_t>(begins.back(), 1);
    const guarded_array<std::uint8_t> in(x, 1);
    const guarded_array<std::uint32_t> offsets(begins, 3);
    const guarded_array<std::uint32_t> init(std::vector<std::uint32_t>{1000});
    const auto weighted = upsweep::transform<std::uint32_t>("a * (uint)i", in.view());
    const auto check = [&](const auto& op, const auto& combine) {
        std::vector<std::uint32_t> expected;
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::uint32_t sum = 1000;
            for (std::uint32_t i = begins[k]; i < begins[k + 1]; ++i) sum = combine(sum, x[i] * i);
            expected.push_back(sum);
        }
        const guarded_array<std::uint32_t> out(all.size());
        upsweep::reduce(queue(), upsweep::segments(weighted, offsets.view()), out.view(), upsweep::from(init.view()),
                        op, {}, test::in_sub_groups());
        CHECK(out.values() == expected);
        CHECK(out.untouched_outside(all.size()));
    };
    check(upsweep::bit_xor{}, std::bit_xor<>{});
    check(upsweep::plus{}, std::plus<>{}); // differences
}

TEST_CASE("offsets that break the rules make merged segments write nothing out of bounds", "[segments]") {
    if (!test::has_lanes()) return;
    const std::size_t n = 3 * group;
    const guarded_array<std::uint8_t> in(test::make_input<std::uint8_t>(n, 3), 3);
    for (std::uint32_t seed = 1; seed < 9; ++seed) {
        const std::vector<std::uint32_t> wrong = test::wrong_offsets(n, seed);
        const guarded_array<std::uint32_t> offsets(wrong);
        const guarded_array<std::uint32_t> out(wrong.size() - 1);
        upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), out.view(), 1000U, upsweep::bit_xor{},
                        {}, test::in_sub_groups());
        CHECK(out.untouched_outside(wrong.size() - 1));
    }
}

TEST_CASE("merged segments run in work-groups that little local memory leaves small", "[segments]") {
    namespace detail = upsweep::detail;
    if (!test::has_lanes()) return;
    const detail::queue_facts facts = detail::inspect_queue("f", queue()());
    detail::device_limits limits = detail::limits_of("f", facts.device);
    for (const std::uint64_t bytes : {16 << 10, 8 << 10}) {
        CAPTURE(bytes);
        limits.local_memory_bytes = std::min(limits.local_memory_bytes, bytes);
        CHECK(detail::merged_group_size(limits, 4) < detail::merged_work_items);
        const detail::check_time time;
        const detail::check_bench bench("f", facts.context, facts.device, time);
        CHECK(detail::gives_merged_answers(bench, limits));
    }
}
