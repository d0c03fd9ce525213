// SPDX-License-Identifier: MIT
// One value for each segment, and segments by offsets.
#include "device_fixture.hpp"
#include "families.hpp"
#include "segmented.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

using test::affine;
using test::guarded_array;
using test::heads_of;
using test::keys_of;
using test::lengths;
using test::queue;
using test::same_bits;
using test::segments_on_host;
using upsweep::span;

namespace {

/// The offsets of segments, of which `empty` is how many empty ones stand before segment i.
template <class Offset, class Empty>
std::vector<Offset> offsets_of(const std::vector<std::size_t>& all, Empty empty) {
    std::vector<Offset> offsets{0};
    for (std::size_t i = 0; i <= all.size(); ++i) {
        for (std::size_t k = empty(i); k > 0; --k) offsets.push_back(offsets.back());
        if (i < all.size()) offsets.push_back(static_cast<Offset>(static_cast<std::size_t>(offsets.back()) + all[i]));
    }
    return offsets;
}

/// What segments by offsets are reduced to on the host.
template <class T, class In, class Offset, class Combine>
std::vector<T> results_on_host(const std::vector<In>& x, const std::vector<Offset>& offsets, Combine combine,
                               const T* init) {
    std::vector<bool> heads(x.size());
    for (const Offset offset : offsets)
        if (static_cast<std::size_t>(offset) < x.size()) heads[static_cast<std::size_t>(offset)] = true;
    const std::vector<T> sums = segments_on_host<T>(x, heads, combine, init, false);
    std::vector<T> results;
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k)
        results.push_back(offsets[k + 1] > offsets[k] ? sums[static_cast<std::size_t>(offsets[k + 1]) - 1]
                          : init                      ? *init
                                                      : T{});
    return results;
}

/// No empty segments, a few, some, and many in one place, at the beginning, within and at the end.
std::size_t none(std::size_t) {
    return 0;
}
std::size_t few(std::size_t i) {
    return i % 67 == 5 ? 1 : 0;
}
std::size_t some(std::size_t i) {
    return i % 3 == 0 ? i % 4 : 0;
}
std::size_t many(std::size_t i) {
    return i == 0 || i == 1 || i == 7 ? 1000 : 0;
}

std::vector<upsweep::options> some_ways() {
    std::vector<upsweep::options> all{{}};
    if (test::has_lanes()) all.push_back(test::in_sub_groups());
    if (test::limits().has_atomics64) all.push_back(fixture::small_tiles(upsweep::strategy::look_back, 8, 16));
    return all;
}

template <class Offset>
void check_offsets(std::size_t n, const char* kind, std::size_t (*empty)(std::size_t), const upsweep::options& opts) {
    const std::vector<Offset> all = offsets_of<Offset>(lengths(n, kind, static_cast<std::uint32_t>(n)), empty);
    const std::vector<std::uint8_t> x = test::make_input<std::uint8_t>(n, 3);
    const guarded_array<std::uint8_t> in(x, 3);
    const guarded_array<Offset> offsets(all, 5);
    const guarded_array<std::uint32_t> results(all.size() - 1);
    CAPTURE(n, kind, all.size(), static_cast<int>(opts.strategy), opts.work_items);
    const std::uint32_t init = 1000;
    upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), results.view(), init, upsweep::plus{}, {},
                    opts);
    const auto expected = results_on_host<std::uint32_t>(x, all, std::plus<>{}, &init);
    CHECK(test::first_difference(results.values(), expected) == -1);
    CHECK(results.untouched_outside(all.size() - 1));
}

} // namespace

TEST_CASE("segments by offsets are reduced to a value each, empty ones to the initial value", "[sizes]") {
    for (const upsweep::options& opts : some_ways())
        for (const std::size_t n : {0, 1, 128, 129, 4097})
            for (const char* kind : {"one", "all", "tiles", "random", "giant"})
                for (const auto empty : {none, few, some, many}) check_offsets<std::uint32_t>(n, kind, empty, opts);
}

TEST_CASE("scans of segments by offsets, and reductions of floats, have the bits of the host", "[segments]") {
    const std::size_t n = 5000;
    const std::vector<std::int64_t> all = offsets_of<std::int64_t>(lengths(n, "random", 5), some);
    std::vector<bool> heads(n);
    for (const std::int64_t offset : all)
        if (offset < static_cast<std::int64_t>(n)) heads[static_cast<std::size_t>(offset)] = true;
    const std::vector<float> x = test::numbers<float>(n, 5);
    const guarded_array<float> in(x);
    const guarded_array<std::int64_t> offsets(all);
    const guarded_array<float> out(n);
    const auto view = upsweep::segments(in.view(), offsets.view());
    const float init = 0.7F;
    upsweep::exclusive_scan(queue(), view, out.view(), init);
    CHECK(same_bits(out.values(), segments_on_host<float>(x, heads, std::plus<>{}, &init, true)));
    const guarded_array<float> results(all.size() - 1);
    upsweep::reduce(queue(), view, results.view());
    const float* const nothing = nullptr;
    CHECK(same_bits(results.values(), results_on_host<float>(x, all, std::plus<>{}, nothing)));
}

TEST_CASE("sums of floats have the bits of the host, whatever the segments by offsets", "[segments]") {
    const float init = 0.7F;
    for (const std::size_t n : {1, 129, 70001})
        for (const char* kind : {"one", "all", "tiles", "random", "giant"}) {
            CAPTURE(n, kind);
            const std::vector<std::uint32_t> all =
                offsets_of<std::uint32_t>(lengths(n, kind, static_cast<std::uint32_t>(n)), some);
            const std::vector<float> x = test::numbers<float>(n, 7);
            const guarded_array<float> in(x, 3), results(all.size() - 1);
            const guarded_array<std::uint32_t> offsets(all);
            upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), results.view(), init);
            CHECK(same_bits(results.values(), results_on_host<float>(x, all, std::plus<>{}, &init)));
            CHECK(results.untouched_outside(all.size() - 1));
        }
}

TEST_CASE("rows are reduced to a value each", "[segments]") {
    struct image {
        std::size_t height, width, pitch;
    };
    for (const image& size : {image{0, 5, 5}, image{5, 0, 3}, image{1, 1, 1}, image{300, 1, 3}, image{31, 127, 130}}) {
        CAPTURE(size.height, size.width, size.pitch);
        const std::vector<affine> all(size.height * size.pitch, affine{3, 5, 7});
        const guarded_array<affine> in(all);
        const guarded_array<affine> results(size.height);
        const auto compose = upsweep::make_operator<affine>(
            "affine r = left; r.a = left.a * right.a; r.b = right.a * left.b + right.b; return r;");
        upsweep::reduce(queue(), upsweep::rows(in.view(), size.height, size.width, size.pitch), results.view(),
                        affine{1, 2, 7}, compose);
        affine expected{1, 2, 7};
        for (std::size_t i = 0; i < size.width; ++i) expected = {expected.a * 3, 3 * expected.b + 5, 7};
        CHECK(same_bits(results.values(), std::vector<affine>(size.height, expected)));
        CHECK(results.untouched_outside(size.height));
    }
}

TEST_CASE("rows give the same bits by sub-groups, a row each, as by a scan", "[segments]") {
    if (!test::has_lanes()) return; // they are scanned then, as in the test above
    const float init = 0.7F;
    const affine first{5, 2, 7};
    const auto compose = upsweep::make_operator<affine>(
        "affine r = left; r.a = left.a * right.a; r.b = right.a * left.b + right.b; return r;");
    const auto composed = [](affine left, affine right) {
        return affine{left.a * right.a, right.a * left.b + right.b, 7};
    };
    const std::size_t height = 37;
    for (const std::size_t width : {32, 33, 63, 64, 95, 128, 255, 256, 257, 1000, 2049, 4097, 8192, 10007})
        for (const std::size_t gap : {0, 3}) {
            CAPTURE(width, gap);
            const std::size_t pitch = width + gap;
            const std::vector<float> all = test::numbers<float>(height * pitch, width);
            std::vector<float> x;
            std::vector<std::int64_t> offsets{0};
            for (std::size_t row = 0; row < height; ++row) {
                const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * pitch);
                x.insert(x.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
                offsets.push_back(static_cast<std::int64_t>(x.size()));
            }
            const guarded_array<float> in(all);
            const guarded_array<float> sums(height);
            const auto rows = upsweep::rows(in.view(), height, width, pitch);
            upsweep::reduce(queue(), rows, sums.view(), upsweep::no_init, upsweep::plus{}, {}, test::in_sub_groups());
            const float* const nothing = nullptr;
            CHECK(same_bits(sums.values(), results_on_host<float>(x, offsets, std::plus<>{}, nothing)));
            upsweep::reduce(queue(), rows, sums.view(), init, upsweep::plus{}, {}, test::in_sub_groups());
            CHECK(same_bits(sums.values(), results_on_host<float>(x, offsets, std::plus<>{}, &init)));
            CHECK(sums.untouched_outside(height));

            const auto maps = upsweep::transform<affine>("(affine){as_uint(a) | 1u, (uint)i, 7}", in.view());
            std::vector<affine> y;
            for (std::size_t i = 0; i < x.size(); ++i) {
                std::uint32_t bits = 0;
                std::memcpy(&bits, &x[i], sizeof bits);
                y.push_back({bits | 1U, static_cast<std::uint32_t>(i + i / width * gap), 7});
            }
            const guarded_array<affine> results(height);
            upsweep::reduce(queue(), upsweep::rows(maps, height, width, pitch), results.view(), first, compose, {},
                            test::in_sub_groups());
            CHECK(same_bits(results.values(), results_on_host<affine>(y, offsets, composed, &first)));

            // An operator that is exact and commutative: in no particular order.
            const std::vector<std::int32_t> numbers = test::make_input<std::int32_t>(x.size(), 3);
            const guarded_array<std::int32_t> whole(numbers);
            const guarded_array<std::int64_t> totals(height);
            std::vector<std::int64_t> expected(height, -9);
            for (std::size_t i = 0; i < x.size(); ++i) expected[i / width] += numbers[i];
            upsweep::reduce(queue(), upsweep::rows(upsweep::transform<std::int64_t>("a", whole.view()), height, width),
                            totals.view(), -9, upsweep::plus{}, {}, test::in_sub_groups());
            CHECK(same_bits(totals.values(), expected));
        }
}

TEST_CASE("runs of equal keys are reduced to a key and a value each, as far as there is room", "[segments]") {
    for (const upsweep::options& opts : some_ways())
        for (const std::size_t n : {0, 1, 129, 12289})
            for (const char* kind : {"one", "all", "random"}) {
                const std::vector<bool> heads = heads_of(lengths(n, kind, 9));
                const std::vector<std::int16_t> all = keys_of<std::int16_t>(heads);
                const std::vector<std::uint32_t> x = test::make_input<std::uint32_t>(n, 3);
                std::vector<std::int16_t> first;
                std::vector<std::uint32_t> sums;
                for (std::size_t i = 0; i < n; ++i) {
                    if (heads[i]) first.push_back(all[i]);
                    if (heads[i]) sums.push_back(0);
                    sums.back() += x[i];
                }
                for (const std::size_t room : {n, n / 20}) {
                    CAPTURE(n, kind, room, static_cast<int>(opts.strategy), opts.work_items);
                    const std::size_t used = std::min(room, sums.size());
                    const guarded_array<std::uint32_t> in(x);
                    const guarded_array<std::int16_t> keys(all);
                    const guarded_array<std::int16_t> unique(n);
                    const guarded_array<std::uint32_t> values(room);
                    const guarded_array<std::uint32_t> count(1);
                    upsweep::reduce_by_key(queue(), upsweep::keyed(in.view(), keys.view()), unique.view(),
                                           values.view(), count.view(), upsweep::plus{}, {}, opts);
                    CHECK(count.values()[0] == sums.size());
                    CHECK(count.untouched_outside(1));
                    const auto found = values.values();
                    CHECK(std::equal(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(used), found.begin()));
                    const auto found_keys = unique.values();
                    CHECK(std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(used),
                                     found_keys.begin()));
                    CHECK(values.untouched_outside(used));
                    CHECK(unique.untouched_outside(used));
                }
            }
}

TEST_CASE("offsets that break the rules make nothing be written out of bounds", "[segments]") {
    const guarded_array<std::uint8_t> in(test::make_input<std::uint8_t>(500, 3), 3);
    for (const std::vector<std::uint32_t>& wrong :
         {std::vector<std::uint32_t>{0, 400, 100, 500}, {7, 8, 600, 601}, {500, 0, 0, 0}, {4000000000U, 1, 2, 500}}) {
        const guarded_array<std::uint32_t> offsets(wrong);
        const guarded_array<std::int64_t> wide(std::vector<std::int64_t>{0, -1, wrong[1], -5 - wrong[2]});
        const guarded_array<std::uint32_t> results(3);
        const guarded_array<std::uint32_t> scanned(500);
        upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), results.view(), 1000U);
        upsweep::reduce(queue(), upsweep::segments(in.view(), wide.view()), results.view(), 1000U);
        upsweep::exclusive_scan(queue(), upsweep::segments(in.view(), wide.view()), scanned.view(), 1000U);
        CHECK(results.untouched_outside(3));
        CHECK(scanned.untouched_outside(500));
    }
}

TEST_CASE("mistakes in reductions of segments are named, before anything is built", "[segments][errors]") {
    using fixture::expect_error;
    const std::uint64_t builds = upsweep::detail::build_counts::get().from_source;
    const guarded_array<int> x(100);
    const guarded_array<int> out(100);
    const guarded_array<int> keys(100);
    const guarded_array<int> unique(100);
    const guarded_array<std::uint32_t> count(1);
    const auto view = upsweep::segments(x.view(), keys.view(11));
    const auto by_key = [&](const span<int>& first, const span<int>& values, const span<std::uint32_t>& how_many) {
        upsweep::reduce_by_key(queue(), upsweep::keyed(x.view(), keys.view()), first, values, how_many);
    };
    expect_error("reduce", "results", "9 elements are fewer than the 10 segments",
                 [&] { upsweep::reduce(queue(), view, out.view(9)); });
    expect_error("reduce", "results", "overlaps the input", [&] { upsweep::reduce(queue(), view, x.view()); });
    expect_error("reduce", "offsets", "overlaps the results", [&] { upsweep::reduce(queue(), view, keys.view()); });
    expect_error("reduce", "offsets", "no elements",
                 [&] { upsweep::reduce(queue(), upsweep::segments(x.view(), keys.view(0)), out.view()); });
    expect_error("reduce", "offsets", "null handle",
                 [&] { upsweep::reduce(queue(), upsweep::segments(x.view(), span<int>(cl_mem{}, 11)), out.view()); });
    expect_error("reduce_by_key", "count", "must have room for one element",
                 [&] { by_key(unique.view(), out.view(), count.view(0)); });
    expect_error("reduce_by_key", "unique keys", "null handle",
                 [&] { by_key(span<int>(cl_mem{}, 100), out.view(), count.view()); });
    expect_error("reduce_by_key", "unique keys", "overlaps the keys",
                 [&] { by_key(keys.view(), out.view(), count.view()); });
    expect_error("reduce_by_key", "unique keys", "overlaps the results",
                 [&] { by_key(out.view(), out.view(), count.view()); });
    CHECK(upsweep::detail::build_counts::get().from_source == builds);
    queue().finish();
    CHECK(out.untouched_outside(0));
}
