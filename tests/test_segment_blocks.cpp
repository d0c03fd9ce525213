// SPDX-License-Identifier: MIT
// Reductions of segments from the sums of the blocks of tiles, or from differences of sums (kernels/launch/segments/
// reduce_segments.cl): by sub-groups where there are any, and by work-groups, which take the same kernels.
#include <upsweep/detail/segments/reduce_segments.hpp>
#include <upsweep/detail/segments/segments_check.hpp>

#include "device_fixture.hpp"
#include "families.hpp"
#include "internals.hpp"
#include "segmented.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace detail = upsweep::detail;
using test::guarded_array;
using test::queue;

/// 12 bytes.
struct three_floats {
    float x, y, z;
};
template <>
struct upsweep::type<three_floats> {
    static constexpr const char* name = "three_floats";
    static constexpr const char* definition = "typedef struct { float x, y, z; } three_floats;";
};

namespace {

upsweep::custom_operator<three_floats> sum_of_three() {
    return upsweep::make_operator<three_floats>(
        "left.x += right.x; left.y *= right.x; left.z = right.y - left.z; return left;");
}

/// Offsets of segments of n elements and fewer. Of the last kind, whole chunks of segments begin in one tile.
std::vector<std::uint32_t> begins_of(std::uint32_t n, int kind) {
    std::vector<std::uint32_t> begins{0};
    for (std::uint32_t x = n; begins.back() < n;) {
        x = x * 1664525U + 1013904223U;
        const std::uint32_t length = kind == 0   ? 1 + x % 2
                                     : kind == 1 ? (x >> 24) % 5
                                     : kind == 2 ? (x >> 20) % 300
                                     : kind == 3 ? n / 2 + 1
                                                 : (x >> 24) % 40;
        if (kind == 4 && x >> 27 == 0) begins.insert(begins.end(), (x >> 8) % 5000, begins.back());
        begins.push_back(std::min(n, begins.back() + length));
    }
    if (kind == 2) begins.pop_back(); // the last elements are in no segment
    return begins;
}

/// Teams of sub-groups, if there are any, and of work-groups.
std::vector<detail::device_limits> teams_of(detail::device_limits limits) {
    std::vector<detail::device_limits> all;
    if (test::has_lanes()) all.push_back(limits);
    limits.lanes = detail::lanes_backend::none;
    all.push_back(limits);
    return all;
}

/// Sums of segments from blocks against those by a scan.
template <class T, class Op>
void check_sums(const std::vector<T>& x, const Op& op) {
    for (int kind = 0; kind < 5; ++kind) {
        const std::vector<std::uint32_t> begins = begins_of(static_cast<std::uint32_t>(x.size()), kind);
        const guarded_array<T> in(x, 1), scanned(begins.size() - 1), summed(begins.size() - 1);
        const guarded_array<std::uint32_t> offsets(begins, 3);
        const auto view = upsweep::segments(in.view(), offsets.view());
        CAPTURE(kind, sizeof(T));
        upsweep::reduce(queue(), view, scanned.view(), upsweep::no_init, op, {},
                        fixture::small_tiles(upsweep::strategy::reduce_then_scan, 8, 4));
        upsweep::reduce(queue(), view, summed.view(), upsweep::no_init, op, {}, test::in_sub_groups());
        CHECK(test::same_bits(summed.values(), scanned.values()));
        CHECK(summed.untouched_outside(begins.size() - 1));
    }
}

template <class T>
void check_wrong_offsets() {
    const std::size_t n = 12000;
    const guarded_array<T> in(test::make_input<T>(n, 3), 3);
    for (std::uint32_t seed = 1; seed < 9; ++seed) {
        const std::vector<std::uint32_t> wrong = test::wrong_offsets(n, seed);
        const guarded_array<std::uint32_t> offsets(wrong);
        const guarded_array<T> out(wrong.size() - 1);
        upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), out.view(), T{1}, upsweep::plus{}, {},
                        test::in_sub_groups());
        CHECK(out.untouched_outside(wrong.size() - 1));
    }
}

/// Structs of floats, one after another.
template <class T>
std::vector<T> of_floats(std::size_t count) {
    std::vector<T> x(count);
    const std::vector<float> numbers = test::numbers<float>(count * sizeof(T) / sizeof(float), 3);
    std::memcpy(static_cast<void*>(x.data()), numbers.data(), count * sizeof(T));
    return x;
}

/// Sums of segments of any lengths, with tiles of two sizes, against the library's own choice.
/// @param type  T in OpenCL C
template <class T>
void check_tiles(const char* type) {
    const detail::queue_facts facts = detail::inspect_queue("f", queue()());
    for (const detail::device_limits& limits : teams_of(detail::limits_of("f", facts.device)))
        for (const std::uint32_t items : {2U, 32U}) {
            upsweep::tuning t = detail::segments_tuning(limits, sizeof(T), std::is_integral<T>::value);
            t.items = std::min(t.items, items);
            for (const std::uint32_t n : {1U, 63U, 64U, 1024U, 1025U, 70001U, 300000U})
                for (int kind = 0; kind < 5; ++kind) {
                    if (n == 300000 && kind != 3) continue; // three levels of small tiles
                    const std::vector<std::uint32_t> begins = begins_of(n, kind);
                    if (begins.size() < 2) continue;
                    CAPTURE(static_cast<int>(limits.lanes), items, n, kind);
                    const std::vector<T> x = test::numbers<T>(n, n);
                    const guarded_array<T> in(x, 1), expected(begins.size() - 1);
                    const guarded_array<std::uint32_t> offsets(begins);
                    const T init = static_cast<T>(7.7);
                    const detail::check_time time; // for each of its own: devices may be slow
                    const detail::check_bench bench("f", facts.context, facts.device, time);
                    upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), expected.view(), init);
                    const std::uint64_t per_team = kind % 2 == 0 ? 3 : 1;
                    const auto sums = detail::sum_segments_by_blocks(bench, limits, type, t, x, begins, init, per_team);
                    CHECK(test::same_bits(sums, expected.values()));
                }
        }
}

/// Sums of rows from blocks, whose offsets are computed, against the library's own choice.
/// @param type  T in OpenCL C
template <class T>
void check_rows(const char* type) {
    const detail::queue_facts facts = detail::inspect_queue("f", queue()());
    const std::size_t sizes[][2] = {{1, 1},    {1, 3000}, {5, 1024},  {3000, 1},
                                    {4000, 7}, {900, 33}, {70, 1000}, {2, 40000}};
    for (const detail::device_limits& limits : teams_of(detail::limits_of("f", facts.device)))
        for (const auto& [height, width] : sizes) {
            CAPTURE(static_cast<int>(limits.lanes), height, width);
            const std::vector<T> x = test::numbers<T>(height * width, width);
            std::vector<std::uint32_t> begins(height + 1); // of which only the number matters
            const guarded_array<T> in(x, 1), expected(height);
            const T init = static_cast<T>(7.7);
            const detail::check_time time;
            const detail::check_bench bench("f", facts.context, facts.device, time);
            upsweep::reduce(queue(), upsweep::rows(in.view(), height, width), expected.view(), init);
            const upsweep::tuning t = detail::segments_tuning(limits, sizeof(T), std::is_integral<T>::value);
            const auto sums = detail::sum_segments_by_blocks(bench, limits, type, t, x, begins, init, 3,
                                                             static_cast<std::uint32_t>(width));
            CHECK(test::same_bits(sums, expected.values()));
        }
}

/// Sums of rows of many elements by the library's own choice against those by a scan.
template <class T, class Op>
void check_many_rows(const std::vector<T>& x, const Op& op) {
    for (const std::size_t width : {7U, 33U, 100U}) {
        CAPTURE(width, sizeof(T));
        const std::size_t height = x.size() / width;
        const guarded_array<T> in(x, 1), scanned(height), summed(height);
        const auto view = upsweep::rows(in.view(), height, width);
        upsweep::reduce(queue(), view, scanned.view(), upsweep::no_init, op, {},
                        fixture::small_tiles(upsweep::strategy::reduce_then_scan, 64, 4));
        upsweep::reduce(queue(), view, summed.view(), upsweep::no_init, op);
        CHECK(test::same_bits(summed.values(), scanned.values()));
        CHECK(summed.untouched_outside(height));
    }
}

} // namespace

TEST_CASE("sums of blocks give the bits of a scan, whatever the segments and the tiles", "[segments]") {
    check_tiles<float>("float");
}

TEST_CASE("segments of integers are differences of sums, whatever the segments and the tiles", "[segments]") {
    check_tiles<std::uint32_t>("uint");
}

TEST_CASE("sums of rows from blocks have the bits of other ways", "[segments]") {
    check_rows<float>("float");
    check_rows<std::uint32_t>("uint");
}

TEST_CASE("rows whose sums of blocks find no room are reduced in other ways", "[segments]") {
    const std::vector<float> x = test::make_input<float>(std::size_t{1} << 24, 3);
    const std::size_t width = 7, height = x.size() / width;
    const guarded_array<float> in(x, 1), expected(height), summed(height);
    const auto view = upsweep::rows(in.view(), height, width);
    upsweep::reduce(queue(), view, expected.view());
    const test::disguise small_device([&](auto& limits) { limits.max_allocation_bytes = 500 << 10; });
    upsweep::reduce(queue(), view, summed.view());
    CHECK(test::same_bits(summed.values(), expected.values()));
}

TEST_CASE("many rows are summed from blocks, where there are sub-groups", "[segments]") {
    if (!test::has_lanes()) return;
    check_many_rows(test::make_input<float>(std::size_t{1} << 24, 3), upsweep::plus{});
    check_many_rows(test::make_input<std::uint64_t>((std::size_t{1} << 23) + 5, 3), upsweep::plus{});
    check_many_rows(of_floats<three_floats>(std::size_t{6} << 20), sum_of_three());
    check_many_rows(of_floats<cl_float16>(std::size_t{1} << 18), upsweep::plus{}); // 64 bytes
}

TEST_CASE("segments of numbers are summed from blocks, where there are sub-groups", "[segments]") {
    if (!test::has_lanes()) return;
    check_sums(test::make_input<double>(9000, 3), upsweep::plus{});
    check_sums(test::make_input<std::int16_t>(9000, 3), upsweep::plus{}); // as differences
    check_sums(test::make_input<std::uint64_t>(9000, 3), upsweep::plus{});
    check_sums(test::make_input<std::int16_t>(9000, 3), upsweep::make_operator<std::int16_t>("return left ^ right;"));
    check_sums(test::make_input<std::uint64_t>(9000, 3),
               upsweep::make_operator<std::uint64_t>("return right;")); // does not commute
}

TEST_CASE("segments of structs and vectors are summed from blocks, where there are sub-groups", "[segments]") {
    if (!test::has_lanes()) return;
    check_sums(of_floats<cl_float4>(5000), upsweep::plus{});
    check_sums(of_floats<cl_float16>(5000), upsweep::plus{}); // 64 bytes
    check_sums(of_floats<three_floats>(5000), sum_of_three());
}

TEST_CASE("offsets that break the rules make nothing be written out of bounds by blocks", "[segments]") {
    if (!test::has_lanes()) return;
    check_wrong_offsets<float>();
    check_wrong_offsets<std::int32_t>(); // differences
}

TEST_CASE("segments are summed from blocks in work-groups that little local memory leaves small", "[segments]") {
    if (!test::has_lanes()) return;
    const detail::queue_facts facts = detail::inspect_queue("f", queue()());
    detail::device_limits limits = detail::limits_of("f", facts.device);
    limits.local_memory_bytes = std::min(limits.local_memory_bytes, std::uint64_t{16 << 10});
    CHECK(detail::segments_tuning(limits, 4).work_items < detail::segments_work_items);
    const detail::check_time time;
    const detail::check_bench bench("f", facts.context, facts.device, time);
    for (const std::uint32_t width : {0U, 37U}) {
        CHECK(detail::gives_segment_answers<float>(bench, limits, "float", width));
        CHECK(detail::gives_segment_answers<std::uint32_t>(bench, limits, "uint", width));
    }

    limits.local_memory_bytes = 8 << 10;
    CHECK(detail::segments_tuning(limits, 4).work_items == 0);
}
