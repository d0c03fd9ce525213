// SPDX-License-Identifier: MIT
// Reductions of segments of small arrays in one launch (kernels/launch/segments/reduce_small.cl), on devices with
// sub-groups.
#include <upsweep/detail/segments/reduce_small.hpp>
#include <upsweep/detail/segments/small_check.hpp>

#include "device_fixture.hpp"
#include "families.hpp"
#include "segment_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace detail = upsweep::detail;
using test::guarded_array;
using test::queue;

namespace {

/// Offsets of segments of n elements, and of empty ones after every third. The last element is in none.
std::vector<std::uint32_t> begins_of(std::size_t n, const std::string& kind) {
    std::vector<std::uint32_t> begins{0};
    for (const std::size_t length : test::lengths(n - 1, kind, static_cast<std::uint32_t>(n))) {
        begins.push_back(begins.back() + static_cast<std::uint32_t>(length));
        if (begins.size() % 3 == 0) begins.push_back(begins.back());
    }
    return begins;
}

/// Small arrays, the largest of those that sub-groups take where they are asked for.
bool is_small(std::size_t n, const std::vector<std::uint32_t>& begins) {
    const detail::device_limits limits = detail::limits_of("f", detail::inspect_queue("f", queue()()).device);
    return detail::reduces_small(limits, test::in_sub_groups(), test::facts_of(4, n, begins.size() - 1));
}

/// Results of segments in one launch against those of a scan, with an initial value or without.
template <class T, class Op>
void check_reduction(const std::vector<T>& x, const std::vector<std::uint32_t>& begins, const Op& op, const T* init,
                     const upsweep::options& opts = test::in_sub_groups()) {
    CHECK(test::has_bits_of_scan(x, x.size() % 5, begins, op, init, opts));
}

/// Of floating-point numbers such whose order of addition is seen.
template <class T>
std::vector<T> elements(std::size_t n) {
    if constexpr (std::is_integral<T>::value)
        return test::make_input<T>(n, static_cast<std::uint32_t>(n));
    else
        return test::numbers<T>(n, n);
}

template <class T, class Op>
void check_kinds(const Op& op) {
    const T init = static_cast<T>(3.3);
    for (const char* kind : {"one", "one each", "tiles", "random", "giant"})
        for (const std::size_t n : {2, 31, 32, 33, 100, 257, 2049, 2313, 4095, 7000}) {
            const std::vector<std::uint32_t> begins = begins_of(n, kind);
            if (!is_small(n, begins)) continue;
            CAPTURE(kind, n, sizeof(T));
            const std::vector<T> x = elements<T>(n);
            check_reduction<T>(x, begins, op, &init);
            check_reduction<T>(x, begins, op, nullptr);
        }
}

} // namespace

TEST_CASE("segments of small arrays have the bits of the scan, whatever their lengths", "[segments][canonical]") {
    if (!test::has_lanes()) return; // there are none
    check_kinds<float>(upsweep::plus{});
    check_kinds<std::int32_t>(upsweep::plus{});
    check_kinds<std::uint8_t>(upsweep::maximum{});
    check_kinds<std::int64_t>(upsweep::make_operator<std::int64_t>("return left * 31 + (right ^ 0x55);"));
    if (test::has_type<double>()) check_kinds<double>(upsweep::plus{});
}

TEST_CASE("segments of larger arrays, which a GPU's work-groups share, have the bits of the scan", "[segments]") {
    if (!test::has_lanes()) return;
    const float init = 3.3F;
    for (const char* kind : {"one", "random", "giant"})
        for (const std::size_t n : {131072, 140003}) {
            CAPTURE(kind, n);
            check_reduction<float>(elements<float>(n), begins_of(n, kind), upsweep::plus{}, &init, {});
            check_reduction<std::int32_t>(elements<std::int32_t>(n), begins_of(n, kind), upsweep::plus{}, nullptr, {});
        }
}

TEST_CASE("segments of structs in small arrays, by an operator that does not commute", "[segments]") {
    if (!test::has_lanes()) return;
    const std::vector<test::affine> x = test::make_affine(7000);
    for (const char* kind : {"one", "tiles", "random", "giant"}) {
        CAPTURE(kind);
        check_reduction<test::affine>(x, begins_of(x.size(), kind), test::affine_operator(), nullptr);
    }
}

TEST_CASE("segments of computed elements in small arrays, with an initial value on the device", "[segments]") {
    if (!test::has_lanes()) return;
    CHECK(test::sums_computed_elements(begins_of(5001, "giant")));
}

TEST_CASE("offsets that break the rules make reductions of small arrays write nothing out of bounds", "[segments]") {
    if (!test::has_lanes()) return;
    const std::size_t n = 3000;
    const guarded_array<float> in(test::make_input<float>(n, 3), 3);
    for (std::uint32_t seed = 1; seed < 9; ++seed) {
        const std::vector<std::uint32_t> wrong = test::wrong_offsets(n, seed);
        REQUIRE(is_small(n, wrong));
        const guarded_array<std::uint32_t> offsets(wrong);
        const guarded_array<float> out(wrong.size() - 1);
        upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), out.view(), 1.0F, upsweep::plus{}, {},
                        test::in_sub_groups());
        CHECK(out.untouched_outside(wrong.size() - 1));
    }
}

namespace {

/// Reduces segments by offsets that break the rules, as shared ones, but for the last.
/// @return what lies where its result would be
std::uint32_t behind_results(const test::check_fixture& f, const std::vector<std::uint32_t>& x,
                             const std::vector<std::uint32_t>& wrong, bool any_order) {
    detail::offsets_bench<std::uint32_t> segments(f.bench, "uint", x, wrong, 7);
    segments.text.op.traits.commutative = any_order;
    segments.text.op.helpers += detail::small_helpers(true);
    detail::small_request request;
    segments.fill_in(request);
    request.segments -= 1;
    request.any_order = any_order;
    request.shares = request.shares_all = true;
    const auto program =
        detail::find_program("f", f.limits, detail::small_key(request, f.limits, detail::view_of(segments.text)));
    REQUIRE(program);
    const cl::Event done = detail::reduce_small(request, *program, f.limits);
    return segments.results().back();
}

} // namespace

TEST_CASE("offsets that break the rules share nothing, and later reductions share as ever", "[segments]") {
    if (!test::has_lanes()) return;
    const test::check_fixture f;
    const std::vector<std::uint32_t> right{3, 70001, 0, 30000, 30000};
    const std::vector<std::uint32_t> x = test::make_input<std::uint32_t>(150000, 3);
    std::vector<std::vector<std::uint32_t>> all{{0, 100000, 50000, 150000, 0},
                                                {0, 150000, 0, 150000, 3},
                                                {0, 70000, 140000, 139999, 150000},
                                                {4000000000U, 0, 4000000000U, 100000, 4000000000U}};
    for (std::uint32_t seed = 1; seed < 4; ++seed) all.push_back(test::wrong_offsets(x.size(), seed));
    for (const std::vector<std::uint32_t>& wrong : all)
        for (const bool any_order : {false, true}) {
            CAPTURE(wrong[0], wrong[1], wrong[2], any_order);
            CHECK(behind_results(f, x, wrong, any_order) == 0xa5a5a5a5U);
            CHECK(detail::gives_small_answers(f.bench, f.limits, any_order, right, true));
        }
}

TEST_CASE("small arrays as large as any are reduced by one compute unit and by many", "[segments]") {
    if (!test::has_lanes()) return;
    test::check_fixture f;
    for (const std::uint32_t units : {1U, 3U, 200U}) {
        f.limits.compute_units = units;
        for (const bool any_order : {false, true})
            for (const bool shares : {false, true})
                for (const char* kind : {"one", "tiles", "random", "giant", "long", "many", "two"}) {
                    CAPTURE(units, any_order, shares, kind);
                    CHECK(detail::gives_small_answers(f.bench, f.limits, any_order, test::large_lengths(kind, units),
                                                      shares));
                }
    }
}

TEST_CASE("rows are reduced as segments whose offsets are computed, and shared", "[segments]") {
    if (!test::has_lanes()) return;
    struct extent {
        std::uint32_t height, width;
    };
    const test::check_fixture f;
    for (const extent& rows : {extent{40, 3001}, extent{2, 70000}, extent{150, 1000}, extent{1, 131073}})
        for (const bool any_order : {false, true})
            for (const bool shares : {false, true}) {
                CAPTURE(rows.height, rows.width, any_order, shares);
                CHECK(detail::gives_small_answers(f.bench, f.limits, any_order,
                                                  std::vector<std::uint32_t>(rows.height, rows.width), shares,
                                                  rows.width));
            }
}

TEST_CASE("long rows of small arrays take one launch, if there are few", "[unit][segments]") {
    detail::device_limits limits;
    limits.lanes = detail::lanes_backend::ptx;
    limits.has_ptx = true;
    limits.compute_units = 132;
    limits.max_work_group_size = 1024;
    limits.local_memory_bytes = 48 << 10;
    const auto are_small = [&](std::size_t size, std::uint64_t height, std::uint64_t width) {
        return detail::rows_suit_small(limits, {}, test::facts_of(size, height * width, height));
    };
    CHECK(are_small(4, 1024, 5000));
    CHECK(are_small(8, 20, 65536));
    CHECK_FALSE(are_small(4, 1024, 4096)); // short
    CHECK_FALSE(are_small(4, 2, 5000));    // too small to be shared
    CHECK_FALSE(are_small(4, 2048, 5000)); // too large
    CHECK_FALSE(are_small(16, 20, 40000)); // large values
}

TEST_CASE("shared segments have counters, sub-groups and local memory for all of their parts", "[unit][segments]") {
    detail::device_limits limits;
    for (const std::uint32_t units : {1U, 2U, 7U, 132U, 1000U})
        for (const std::size_t work_items : {32U, 100U, 256U, 1024U})
            for (const std::size_t size : {1U, 2U, 4U, 8U, 12U, 16U, 24U, 32U})
                for (const std::uint64_t n : {1U << 10, (1U << 17) + 1, 3U << 18, 1U << 20, (1U << 23) - 1, 1U << 23})
                    for (const bool shares_all : {false, true}) {
                        CAPTURE(units, work_items, size, n, shares_all);
                        limits.compute_units = units;
                        limits.max_work_group_size = work_items;
                        detail::small_request request;
                        request.n = n;
                        request.segments = 3;
                        request.value_size = size;
                        request.shares = true;
                        request.shares_all = shares_all;
                        const detail::small_layout layout = detail::lay_out_small(request, limits);
                        const std::uint64_t parts = n >> layout.shared_bits;
                        const std::uint64_t sub_groups =
                            layout.groups * (detail::work_items_up_to(detail::small_work_items, limits) / 32);
                        REQUIRE(layout.least_shared > 0);
                        CHECK(layout.shared_bits >= 5); // a part is whole lines
                        CHECK(parts <= sub_groups);
                        CHECK(parts / layout.least_shared <= 62); // segments, each with a counter
                        CHECK(layout.local_values >= parts + (parts + 255) / 256);
                        CHECK(layout.local_values >= 512);
                        CHECK(layout.local_values * size <= 20000);
                    }
}
