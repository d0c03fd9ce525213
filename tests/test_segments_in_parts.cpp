// SPDX-License-Identifier: MIT
// Reductions of segments by offsets in parts (kernels/launch/segments/reduce_in_parts.cl), on devices with sub-groups.
#include <upsweep/detail/segments/parts_check.hpp>

#include "families.hpp"
#include "segment_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace detail = upsweep::detail;
using test::queue;

namespace {

constexpr std::uint32_t part = 1024; ///< elements of the least part

/// Lengths of segments that are long enough on average to be reduced in parts where sub-groups are asked for.
std::vector<std::uint32_t> parted_lengths(const std::string& kind) {
    if (kind == "one") return {9 * part + 1};
    if (kind == "ends of parts") return {part, 3 * part, 2 * part - 1, 1, 4 * part};
    if (kind == "around them") return {part - 1, 3 * part + 1, part + 1, 4 * part - 2};
    if (kind == "empty ones") return {0, 0, 7 * part + 7, 0, 8 * part + 3, 0};
    return {3, 9 * part, 5, 700, 12 * part + 9}; // long and short
}

/// Results in parts against those of a scan. The last element is in no segment.
template <class T, class Op>
void check_in_parts(const std::string& kind, const std::vector<T>& numbers, const Op& op, const T* init) {
    std::vector<std::uint32_t> begins{0};
    for (const std::uint32_t length : parted_lengths(kind)) begins.push_back(begins.back() + length);
    const std::size_t count = begins.size() - 1;
    const std::vector<T> x(numbers.begin(), numbers.begin() + begins.back() + 1);
    const detail::device_limits limits = detail::limits_of("f", detail::inspect_queue("f", queue()()).device);
    REQUIRE(detail::reduces_in_parts(limits, test::in_sub_groups(), test::facts_of(sizeof(T), x.size(), count, false)));
    for (const std::size_t lead : {0, 3}) {
        CAPTURE(kind, sizeof(T), lead, init == nullptr);
        CHECK(test::has_bits_of_scan(x, lead, begins, op, init, test::in_sub_groups()));
    }
}

template <class T, class Op>
void check_kinds(const std::vector<T>& numbers, const Op& op, const T& init) {
    for (const char* kind : {"one", "ends of parts", "around them", "empty ones", "long and short"}) {
        check_in_parts<T>(kind, numbers, op, &init);
        check_in_parts<T>(kind, numbers, op, nullptr);
    }
}

constexpr std::size_t most = 24 * part; ///< elements of any of them

} // namespace

TEST_CASE("segments in parts have the bits of the scan, whatever their lengths", "[segments][canonical]") {
    if (!test::has_lanes()) return; // there are none
    check_kinds<float>(test::numbers<float>(most, 5), upsweep::plus{}, 3.3F);
    if (test::has_type<double>()) check_kinds<double>(test::numbers<double>(most, 6), upsweep::plus{}, 3.3);
    check_kinds<std::int32_t>(test::make_input<std::int32_t>(most, 7), upsweep::plus{}, 5);
    check_kinds<std::uint8_t>(test::make_input<std::uint8_t>(most, 8), upsweep::maximum{}, 9);
    check_kinds<std::int64_t>(test::make_input<std::int64_t>(most, 9),
                              upsweep::make_operator<std::int64_t>("return left * 31 + (right ^ 0x55);"), 5);
}

TEST_CASE("segments of structs in parts, by an operator that does not commute", "[segments]") {
    if (!test::has_lanes()) return;
    check_kinds<test::affine>(test::make_affine(most), test::affine_operator(), test::affine{3, 5, 7});
}

TEST_CASE("segments of computed elements in parts, with an initial value on the device", "[segments]") {
    if (!test::has_lanes()) return;
    CHECK(test::sums_computed_elements<std::uint64_t>({0, 5, 9 * part, 9 * part, 20 * part + 1}));
}

TEST_CASE("parts of any size are summed by one compute unit and by many", "[segments]") {
    if (!test::has_lanes()) return;
    test::check_fixture f;
    for (const std::uint32_t units : {1U, 3U, 200U}) {
        f.limits.compute_units = units;
        for (const bool any_order : {false, true})
            for (const std::uint32_t bits : {10U, 13U, 18U})
                for (const char* kind : {"one", "tiles", "random", "giant", "long", "many", "two"}) {
                    CAPTURE(units, any_order, bits, kind);
                    CHECK(detail::gives_parted_answers(f.bench, f.limits, any_order, test::large_lengths(kind, units),
                                                       bits));
                }
    }
}

TEST_CASE("rows in parts are reduced, with gaps between them and without", "[segments]") {
    if (!test::has_lanes()) return;
    struct layout {
        std::uint32_t height, width, gap;
    };
    test::check_fixture f;
    for (const std::uint32_t units : {1U, 200U}) {
        f.limits.compute_units = units;
        for (const layout& rows : {layout{9, 5003, 3}, layout{1, 70001, 0}, layout{300, 1000, 1}, layout{40, part, 0},
                                   layout{2, 4 * part + 1, 5}, layout{3, 2 * part, 100}})
            for (const bool any_order : {false, true})
                for (const std::uint32_t bits : {10U, 13U}) {
                    CAPTURE(units, rows.height, rows.width, rows.gap, any_order, bits);
                    CHECK(detail::gives_parted_row_answers(f.bench, f.limits, any_order, rows.height, rows.width,
                                                           rows.gap, bits));
                }
    }
}

TEST_CASE("offsets that break the rules make reductions in parts write nothing out of bounds", "[segments]") {
    if (!test::has_lanes()) return;
    const test::check_fixture f;
    const std::vector<std::uint32_t> x = test::make_input<std::uint32_t>(50000, 3);
    std::vector<std::vector<std::uint32_t>> all{
        {0, 40000, 10000, 50000, 0}, {0, 50000, 0, 50000, 3}, {4000000000U, 0, 4000000000U, 30000, 4000000000U}};
    for (std::uint32_t seed = 1; seed < 5; ++seed) {
        all.push_back(test::wrong_offsets(x.size(), seed));
        all.back().resize(300);
    }
    for (const std::vector<std::uint32_t>& wrong : all)
        for (const bool any_order : {false, true}) {
            CAPTURE(wrong[0], wrong[1], wrong[2], any_order);
            detail::offsets_bench<std::uint32_t> segments(f.bench, "uint", x, wrong, 7);
            segments.text.op.traits.commutative = any_order;
            detail::parts_request request;
            segments.fill_in(request);
            request.segments -= 1; // what would be the last one's result is to stay as it is
            request.any_order = any_order;
            request.part_bits = 10;
            const auto program = detail::find_program(
                "f", f.limits, detail::parts_key(request, f.limits, detail::view_of(segments.text)));
            REQUIRE(program);
            const cl::Event done = detail::reduce_in_parts(request, *program, f.limits);
            CHECK(segments.results().back() == 0xa5a5a5a5U);
        }
}

TEST_CASE("segments are reduced in parts where they are long or few, and parts are for all sub-groups",
          "[unit][segments]") {
    detail::device_limits limits;
    limits.lanes = detail::lanes_backend::ptx;
    limits.compute_units = 132;
    limits.max_work_group_size = 1024;
    const auto in_parts = [&](std::size_t size, std::uint64_t n, std::uint64_t average, bool any_order) {
        return detail::reduces_in_parts(limits, {}, test::facts_of(size, n, n / average, any_order));
    };
    const std::uint64_t n = std::uint64_t{1} << 28;
    CHECK(in_parts(4, n, 1024, false));
    CHECK_FALSE(in_parts(4, n, 1000, false));
    CHECK(in_parts(8, n, 700, false));
    CHECK(in_parts(4, n, 300, true));
    CHECK_FALSE(in_parts(4, n, 200, true));
    CHECK(in_parts(4, std::uint64_t{1} << 22, 200, false)); // few
    CHECK_FALSE(in_parts(64, n, 5000, true));               // sub-groups do not exchange such values
    CHECK_FALSE(in_parts(4, std::uint64_t{1} << 17, 5000, true));
    detail::segments_facts costly = test::facts_of(4, n, n / 5000, true);
    costly.costly = true;
    CHECK_FALSE(detail::reduces_in_parts(limits, {}, costly));
    limits.is_cpu = true;
    CHECK_FALSE(in_parts(4, n, 5000, true));
    for (const std::uint32_t units : {1U, 7U, 132U})
        for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{1023}, std::uint64_t{1} << 22, n + 1, n << 8})
            for (const std::uint64_t segments : {std::uint64_t{1}, size / 5000 + 1, size}) {
                CAPTURE(units, size, segments);
                limits.compute_units = units;
                detail::parts_request request;
                request.n = size;
                request.value_size = 8;
                request.part_bits = detail::segment_part_bits(limits, size, segments);
                CHECK(request.part_bits >= 10);
                CHECK(size >> request.part_bits <= 128 * units);
                CHECK(detail::segment_parts_bytes(request) >= (size >> request.part_bits) * 8);
            }
}
