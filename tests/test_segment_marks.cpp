// SPDX-License-Identifier: MIT
// Segments by offsets: the launch that marks where they end, before the scan.
#include <upsweep/detail/source/segment_text.hpp>

#include "device_fixture.hpp"
#include "families.hpp"
#include "segmented.hpp"

#include <cstdint>
#include <string>
#include <vector>

using test::affine;
using test::guarded_array;
using test::queue;
using upsweep::span;

namespace {

/// Segments of n elements; behind some, also within 32 elements of the next end, there are many empty ones.
std::vector<std::uint32_t> offsets_with_gaps(std::uint32_t n) {
    std::vector<std::uint32_t> offsets{0};
    for (std::uint32_t end = 1; end < n; end += 1 + end % 13) {
        const std::size_t empty = end == 1 || end == 31 || end % 64 == 32 ? 700 : end % 3;
        offsets.insert(offsets.end(), 1 + empty, end);
    }
    offsets.insert(offsets.end(), 40, n);
    return offsets;
}

/// What is left of each segment, by an operator that is associative to the last bit.
template <class T, class Combine>
std::vector<T> combined(const std::vector<T>& x, const std::vector<std::uint32_t>& offsets, Combine combine,
                        const T* init) {
    std::vector<T> results;
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
        std::size_t i = offsets[k];
        T value = init ? *init : i < offsets[k + 1] ? x[i++] : T{};
        for (; i < offsets[k + 1]; ++i) value = combine(value, x[i]);
        results.push_back(value);
    }
    return results;
}

template <class T, class Op, class Combine>
void check_empty_ones(const std::vector<T>& x, const T& init, const Op& op, Combine combine,
                      const upsweep::options& opts) {
    const std::vector<std::uint32_t> all = offsets_with_gaps(static_cast<std::uint32_t>(x.size()));
    const std::size_t count = all.size() - 1;
    const guarded_array<T> in(x, 1), given(std::vector<T>{init}, 3);
    const guarded_array<std::uint32_t> offsets(all, 3);
    const auto view = upsweep::segments(in.view(), offsets.view());
    const auto check_from = [&](const T* from, const auto& call) {
        const guarded_array<T> results(count);
        call(results.view());
        CHECK(test::same_bits(results.values(), combined(x, all, combine, from)));
        CHECK(results.untouched_outside(count));
    };
    check_from(&init, [&](const auto& to) { upsweep::reduce(queue(), view, to, init, op, {}, opts); });
    if (opts.work_items > 1) return; // each of these builds programs
    check_from(nullptr, [&](const auto& to) { upsweep::reduce(queue(), view, to, upsweep::no_init, op, {}, opts); });
    check_from(&init,
               [&](const auto& to) { upsweep::reduce(queue(), view, to, upsweep::from(given.view()), op, {}, opts); });
}

const auto compose_segments = upsweep::make_operator<affine>(
    "affine r = left; r.a = left.a * right.a; r.b = right.a * left.b + right.b; return r;");

/// A reduction of segments, and what it gives.
struct summed_segments {
    std::vector<std::uint32_t> x = test::make_input<std::uint32_t>(5000, 7);
    std::vector<std::uint32_t> all = offsets_with_gaps(5000);
    guarded_array<std::uint32_t> in{x}, offsets{all}, results{all.size() - 1};
    std::uint32_t init = 9;

    cl::Event start(const cl::CommandQueue& on, const upsweep::wait_list& after,
                    const upsweep::options& opts = {}) const {
        return upsweep::reduce(on, upsweep::segments(in.view(), offsets.view()), results.view(), init, upsweep::plus{},
                               after, opts);
    }
    bool are_right() const { return results.values() == combined(x, all, std::plus<>{}, &init); }
};

} // namespace

TEST_CASE("empty segments of any type give the initial value, from the host or the device, or Out{}", "[segments]") {
    std::vector<upsweep::options> ways{{}};
    if (test::limits().has_atomics64) ways.push_back(fixture::small_tiles(upsweep::strategy::look_back, 8, 16));
    std::vector<affine> maps;
    for (std::uint32_t i = 0; i < 3000; ++i) maps.push_back({i | 1, i * i, 7});
    const auto compose = [](affine left, affine right) {
        return affine{left.a * right.a, right.a * left.b + right.b, left.c};
    };
    const auto add = [](int left, int right) { return static_cast<std::uint8_t>(left + right); };
    check_empty_ones<affine>(maps, {3, 5, 7}, compose_segments, compose, {});
    for (const upsweep::options& opts : ways)
        check_empty_ones<std::uint8_t>(test::make_input<std::uint8_t>(3000, 3), 200, upsweep::plus{}, add, opts);
}

// Ends of several segments share a word of marks, also across work-items and work-groups.
TEST_CASE("work-groups mark ends of segments that are near each other and far apart", "[segments]") {
    if (!test::limits().has_atomics64) return;
    const upsweep::options opts = fixture::small_tiles(upsweep::strategy::look_back, 8, 16);
    const std::vector<std::uint32_t> x = test::make_input<std::uint32_t>(30000, 5);
    const guarded_array<std::uint32_t> in(x, 1);
    const std::uint32_t init = 11;
    for (const std::uint32_t most : {2U, 30U, 900U, 20000U}) {
        std::vector<std::uint32_t> all{0};
        std::vector<bool> heads(x.size());
        for (std::uint32_t end = 0, k = 0; end < x.size(); ++k) {
            heads[end] = true;
            const std::uint32_t length = k % 100 == 99 || most < 9 ? 1 + k % most : 1 + k * k % 17;
            end = std::min(static_cast<std::uint32_t>(x.size()), end + length);
            all.insert(all.end(), k % 70 == 50 ? 200 : 1, end);
        }
        CAPTURE(most, all.size());
        const guarded_array<std::uint32_t> offsets(all, 1), results(all.size() - 1), out(x.size());
        const auto view = upsweep::segments(in.view(), offsets.view());
        const auto add = upsweep::make_operator<std::uint32_t>("return left + right;");
        upsweep::reduce(queue(), view, results.view(), init, add, {}, opts);
        CHECK(results.values() == combined<std::uint32_t>(x, all, std::plus<>{}, &init));
        CHECK(results.untouched_outside(all.size() - 1));
        upsweep::inclusive_scan(queue(), view, out.view(), add, {}, opts);
        CHECK(out.values() == test::segments_on_host<std::uint32_t>(x, heads, std::plus<>{}, nullptr, false));
    }
}

TEST_CASE("marks of one call are not those of the next", "[segments]") {
    constexpr std::uint32_t n = 20000; // segments of 3 are for several work-groups, of 5000 for one
    const std::vector<std::uint32_t> x = test::make_input<std::uint32_t>(n, 3);
    const guarded_array<std::uint32_t> in(x), out(n);
    for (const std::uint32_t length : {3U, 7U, n, 5U, 5000U, 4U}) {
        std::vector<std::uint32_t> all{0};
        while (all.back() < n) all.push_back(std::min(n, all.back() + length));
        const guarded_array<std::uint32_t> offsets(all), results(all.size() - 1);
        const auto view = upsweep::segments(in.view(), offsets.view());
        upsweep::reduce(queue(), view, results.view());
        CHECK(results.values() == combined<std::uint32_t>(x, all, std::plus<>{}, nullptr));
        upsweep::exclusive_scan(queue(), view, out.view(), 1U);
        std::vector<std::uint32_t> expected(n, 1);
        for (std::uint32_t i = 0; i < n; ++i)
            if (i % length > 0) expected[i] = expected[i - 1] + x[i - 1];
        CHECK(out.values() == expected);
    }
}

TEST_CASE("elements behind the last segment are in none", "[segments]") {
    std::vector<upsweep::options> ways{{}};
    ways.push_back(fixture::small_tiles(upsweep::strategy::reduce_then_scan, 8, 4));
    if (test::has_lanes()) ways.push_back(test::in_sub_groups());
    if (test::limits().has_atomics64) ways.push_back(fixture::small_tiles(upsweep::strategy::look_back, 8, 16));
    const auto add = upsweep::make_operator<std::uint32_t>("return left + right;");
    for (const upsweep::options& opts : ways)
        for (const std::uint32_t n : {1U, 32U, 1025U, 5000U}) {
            const std::vector<std::uint32_t> x = test::make_input<std::uint32_t>(n, n);
            const guarded_array<std::uint32_t> in(x, 1);
            // The first of these leaves its only segment's number in scratch memory, where the next ones have none.
            for (const std::uint32_t end : {n, n - 1, n / 2, n / 40}) {
                CAPTURE(static_cast<int>(opts.strategy), opts.work_items, n, end);
                std::vector<std::uint32_t> all{0};
                if (end != n)
                    for (std::uint32_t next = 3; next < end; next += 3 + next % 5) all.push_back(next);
                all.insert(all.end(), end == n / 2 ? 4 : 1, end);
                const guarded_array<std::uint32_t> offsets(all, 1), results(all.size() - 1);
                const std::uint32_t init = 5;
                upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), results.view(), init, add, {},
                                opts);
                CHECK(results.values() == combined<std::uint32_t>(x, all, std::plus<>{}, &init));
                CHECK(results.untouched_outside(all.size() - 1));
            }
        }
}

namespace {

/// Sums of rows of floats in type Out, by work-items and by a scan.
template <class Out>
void check_rows_by_work_items() {
    struct image {
        std::size_t height, width, pitch;
    };
    const upsweep::options scanned = fixture::small_tiles(upsweep::strategy::reduce_then_scan, 8, 4);
    for (const image& size : {image{70, 1, 3}, image{300, 127, 130}, image{80, 1000, 1000}, image{40, 1024, 1024},
                              image{9, 5000, 5003}, image{2, 70001, 70004}}) {
        const guarded_array<float> in(test::numbers<float>(size.height * size.pitch, 9), 1);
        const guarded_array<Out> by_rows(size.height), by_scan(size.height);
        const auto view = upsweep::rows(in.view(), size.height, size.width, size.pitch);
        upsweep::reduce(queue(), view, by_rows.view(), Out(0.7));
        upsweep::reduce(queue(), view, by_scan.view(), Out(0.7), upsweep::plus{}, {}, scanned);
        CAPTURE(size.height, size.width, size.pitch);
        CHECK(test::same_bits(by_rows.values(), by_scan.values()));
        CHECK(by_rows.untouched_outside(size.height));
        upsweep::reduce(queue(), view, by_rows.view(), upsweep::no_init);
        upsweep::reduce(queue(), view, by_scan.view(), upsweep::no_init, upsweep::plus{}, {}, scanned);
        CHECK(test::same_bits(by_rows.values(), by_scan.values()));
    }
}

} // namespace

TEST_CASE("rows give the same bits by work-items, a row each, as by a scan", "[segments]") {
    check_rows_by_work_items<float>();
    if (test::has_type<double>()) check_rows_by_work_items<double>();
}

TEST_CASE("reductions of segments wait for events, on queues of either order", "[segments]") {
    const summed_segments sums;
    CHECK_FALSE(sums.start(queue(), upsweep::without_event())());
    CHECK(sums.are_right());
    upsweep::options scanned; // whose ends are marked before
    scanned.work_items = 1;
    for (const cl::CommandQueue& own : fixture::queues_of_each_kind(queue()))
        for (const upsweep::options& opts : {upsweep::options{}, scanned}) {
            const summed_segments gated;
            cl::UserEvent gate(own.getInfo<CL_QUEUE_CONTEXT>());
            const cl::Event done = gated.start(own, upsweep::after({gate}), opts);
            own.flush();
            CHECK(done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
            CHECK(gated.results.untouched_outside(0));
            gate.setStatus(CL_COMPLETE);
            done.wait();
            CHECK(gated.are_right());
        }
    sums.start(queue(), {});
    CHECK(sums.are_right());
}

TEST_CASE("a value with its mark has no padding behind them", "[unit]") {
    using upsweep::detail::flagged_of;
    // Size, alignment, and the words behind the mark.
    const std::size_t cases[][3] = {{8, 8, 1}, {12, 4, 0}, {16, 8, 1}, {16, 16, 3}, {2, 2, 0}, {24, 8, 1}};
    for (const auto& each : cases) {
        const bool is_double = each[0] == 8;
        const upsweep::detail::type_text value{is_double ? "double" : "own", is_double ? "" : "typedef ... own;",
                                               each[0]};
        const upsweep::detail::flagged_type flagged = flagged_of(value, each[1], false);
        CAPTURE(each[0], each[1], flagged.type.definition, flagged.functions);
        const std::size_t words = (each[0] + 3) / 4 + 1 + each[2];
        CHECK(flagged.type.size == 4 * words);
        const std::string member = "uint unused[" + std::to_string(each[2]) + "]";
        CHECK((flagged.type.definition.find(member) != std::string::npos) == (each[2] > 0));
        for (std::size_t i = 0; i < 4; ++i) {
            const std::string set = "upsweep_marked.unused[" + std::to_string(i) + "] = 0;";
            CHECK((flagged.functions.find(set) != std::string::npos) == (i < each[2]));
        }
    }
}
