// SPDX-License-Identifier: MIT
// An operator that traps on anything but real neighbours: the library promises to call it on nothing else.

#include "canonical.hpp"
#include "device_fixture.hpp"
#include "device_image.hpp"
#include "families.hpp"
#include "small_forms.hpp"

namespace {

using test::describe;
using test::form;
using test::kind;
using upsweep::strategy;
using upsweep::tile_algorithm;

/// The interval [begin, end) of the input that a value stands for. Combining anything but real neighbours sets `broken`
/// for good, and writes to an address that nothing has, which ends the program or the context: so calls are noticed
/// whose results are dropped, too. (Dividing by zero would not do: PoCL makes that harmless.)
struct interval {
    std::uint32_t begin, end, broken;
};

} // namespace

template <>
struct upsweep::type<interval> {
    static constexpr const char* name = "interval";
    static constexpr const char* definition = "typedef struct { uint begin; uint end; uint broken; } interval;";
};

namespace {

constexpr const char* join_or_trap = "interval joined = {left.begin, right.end, left.broken | right.broken};\n"
                                     "if (left.end != right.begin) {\n"
                                     "    joined.broken = 1;\n"
                                     "    *(volatile __global uint*)8 = 1;\n"
                                     "}\n"
                                     "return joined;";

/// Where the first element lies: intervals before it, in front of the view and in the initial value, have room below.
constexpr std::uint32_t origin = 1000;

enum class surroundings { look_alike, garbage };

/// Elements before and after the input: views that lie at a multiple of 16 bytes, and others.
std::size_t margin_of(surroundings what) {
    return what == surroundings::garbage ? 44 : 41;
}

/// The input with what stands before and after it: the intervals that would come next, or anything at all.
std::vector<unsigned char> surround(std::size_t n, surroundings what) {
    std::mt19937 random(static_cast<std::uint32_t>(n));
    const std::size_t margin = margin_of(what);
    std::vector<interval> all(n + 2 * margin);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto at = static_cast<std::uint32_t>(origin - margin + i);
        const bool real = i >= margin && i < margin + n;
        if (real || what == surroundings::look_alike)
            all[i] = {at, at + 1, 0};
        else
            all[i] = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()),
                      static_cast<std::uint32_t>(random())};
    }
    std::vector<unsigned char> bytes(all.size() * sizeof(interval));
    std::memcpy(bytes.data(), all.data(), bytes.size());
    return bytes;
}

std::vector<interval> expected_intervals(std::size_t n, kind what) {
    const std::uint32_t begin = what == kind::inclusive ? origin : origin - 7;
    std::vector<interval> all(n);
    for (std::size_t i = 0; i < n; ++i)
        all[i] = {begin, static_cast<std::uint32_t>(origin + i + (what == kind::exclusive ? 0 : 1)), 0};
    return all;
}

const interval first_interval{origin - 7, origin, 0};

void check_interval_scan(const upsweep::options& o, std::size_t n, kind what, surroundings around, bool in_place) {
    INFO(describe(o, n) << ", kind " << static_cast<int>(what) << (in_place ? ", in place" : "")
                        << (around == surroundings::garbage ? ", garbage around" : ", look-alikes around"));
    const auto op = upsweep::make_operator<interval>(join_or_trap);
    const cl_context context = test::context_of(test::queue());
    const std::size_t offset = margin_of(around) * sizeof(interval);
    test::device_image in(context, test::queue()(), surround(n, around));
    test::device_image separate(context, test::queue()(), surround(in_place ? 0 : n, around));
    test::device_image& out = in_place ? in : separate;
    const upsweep::span<const interval> from(in.buffer(), n, offset);
    const upsweep::span<interval> to(out.buffer(), n, offset);
    if (what == kind::inclusive)
        upsweep::inclusive_scan(test::queue(), from, to, op, {}, o);
    else if (what == kind::inclusive_with_init)
        upsweep::inclusive_scan(test::queue(), from, to, op, first_interval, {}, o);
    else
        upsweep::exclusive_scan(test::queue(), from, to, first_interval, op, {}, o);
    const std::vector<interval> expected = expected_intervals(n, what);
    out.expect(offset, expected.data(), n * sizeof(interval));
    CHECK(out.first_difference() == -1);
    CHECK(in.first_difference() == -1);
}

void check_interval_reduce(const upsweep::options& o, std::size_t n, bool with_init, surroundings around) {
    INFO("reduce, " << describe(o, n) << ", tree " << o.reduction << (with_init ? ", with init" : ""));
    const auto op = upsweep::make_operator<interval>(join_or_trap);
    const cl_context context = test::context_of(test::queue());
    const std::size_t offset = margin_of(around) * sizeof(interval);
    test::device_image in(context, test::queue()(), surround(n, around));
    test::device_image out(context, test::queue()(), surround(1, around));
    const upsweep::span<const interval> from(in.buffer(), n, offset);
    const upsweep::span<interval> to(out.buffer(), 1, offset);
    if (with_init)
        upsweep::reduce(test::queue(), from, to, first_interval, op, {}, o);
    else
        upsweep::reduce(test::queue(), from, to, upsweep::no_init, op, {}, o);
    const interval expected = expected_intervals(n, with_init ? kind::inclusive_with_init : kind::inclusive).back();
    out.expect(offset, &expected, sizeof expected);
    CHECK(out.first_difference() == -1);
    CHECK(in.first_difference() == -1);
}

/// Scans in sub-groups, with an operator that counts how often it is called on other than neighbours.
std::uint32_t count_strangers(std::size_t n, const upsweep::options& o, bool exclusive) {
    std::vector<interval> input(n);
    for (std::size_t i = 0; i < n; ++i)
        input[i] = {static_cast<std::uint32_t>(origin + i), static_cast<std::uint32_t>(origin + i + 1), 0};
    const fixture::guarded_array<interval> from(test::queue(), input, 64);
    const fixture::guarded_array<interval> to(test::queue(), n, 64);
    const fixture::guarded_array<std::uint32_t> strangers(test::queue(), std::vector<std::uint32_t>{0}, 64);
    const auto op = upsweep::make_operator<interval>(
                        "interval joined = {left.begin, right.end, left.broken | right.broken};\n"
                        "if (left.end != right.begin) atomic_inc((volatile __global uint*)strangers);\n"
                        "return joined;")
                        .with("strangers", strangers.view());
    if (exclusive)
        upsweep::exclusive_scan(test::queue(), from.input(), to.view(), first_interval, op, {}, o);
    else
        upsweep::inclusive_scan(test::queue(), from.input(), to.view(), op, {}, o);
    const std::vector<interval> expected = expected_intervals(n, exclusive ? kind::exclusive : kind::inclusive);
    const std::vector<interval> results = to.values();
    CHECK(std::memcmp(results.data(), expected.data(), n * sizeof(interval)) == 0);
    return strangers.values()[0];
}

/// Keys in runs of `length`, and intervals of which the first of each run begins at the origin.
struct interval_runs {
    std::vector<int> keys;
    std::vector<interval> values;
};

interval_runs make_runs(std::size_t n, std::size_t length) {
    interval_runs made;
    for (std::size_t i = 0; i < n; ++i) {
        const auto begin = static_cast<std::uint32_t>(origin + i % length);
        made.keys.push_back(static_cast<int>(i / length));
        made.values.push_back({begin, begin + 1, 0});
    }
    return made;
}

void check_interval_runs(const upsweep::options& o, std::size_t n, std::size_t length) {
    INFO("runs of " << length << ", " << describe(o, n));
    const auto op = upsweep::make_operator<interval>(join_or_trap);
    const interval_runs made = make_runs(n, length);
    const fixture::guarded_array<interval> values(test::queue(), made.values), scanned(test::queue(), n),
        exclusive(test::queue(), n), sums(test::queue(), n);
    const fixture::guarded_array<int> keys(test::queue(), made.keys), unique(test::queue(), n);
    const fixture::guarded_array<std::uint32_t> count(test::queue(), 1);
    const auto runs = upsweep::keyed(values.input(), keys.input());
    upsweep::inclusive_scan(test::queue(), runs, scanned.view(), op, {}, o);
    upsweep::exclusive_scan(test::queue(), runs, exclusive.view(), first_interval, op, {}, o);
    upsweep::reduce_by_key(test::queue(), runs, unique.view(), sums.view(), count.view(), op, {}, o);
    std::vector<interval> inclusive = made.values, before = made.values, totals;
    for (std::size_t i = 0; i < n; ++i) {
        inclusive[i].begin = origin;
        before[i] = {origin - 7, made.values[i].begin, 0};
        if (i + 1 == n || i % length == length - 1) totals.push_back(inclusive[i]);
    }
    CHECK(count.values()[0] == totals.size());
    CHECK(unique.intact_beyond(totals.size()));
    CHECK(sums.intact_beyond(totals.size()));
    const std::vector<interval> all[] = {scanned.values(), exclusive.values(), sums.values()};
    CHECK(std::memcmp(all[0].data(), inclusive.data(), n * sizeof(interval)) == 0);
    CHECK(std::memcmp(all[1].data(), before.data(), n * sizeof(interval)) == 0);
    CHECK(std::memcmp(all[2].data(), totals.data(), totals.size() * sizeof(interval)) == 0);
}

/// Around the edges of tiles, of levels of tiles, and of chunks.
std::vector<std::size_t> edge_sizes(const upsweep::options& o) {
    const std::size_t tile = std::size_t{o.work_items} * o.items;
    std::vector<std::size_t> sizes{1, 2, 3, tile - 1, tile};
    if (o.strategy == strategy::single_tile) return sizes;
    for (std::size_t edge : {tile, 2 * tile, 32 * tile, 33 * tile, tile * tile, std::size_t{4096}, std::size_t{8192}})
        for (std::size_t n : {edge - 1, edge, edge + 1}) sizes.push_back(n);
    return sizes;
}

} // namespace

TEST_CASE("scans call the operator on real neighbours only", "[adversity]") {
    for (const upsweep::options& o : test::all_forms())
        for (std::size_t n : edge_sizes(o))
            for (surroundings around : {surroundings::look_alike, surroundings::garbage})
                for (kind what : {kind::inclusive, kind::inclusive_with_init, kind::exclusive})
                    check_interval_scan(o, n, what, around, n % 2 == (what == kind::exclusive ? 0U : 1U));
}

TEST_CASE("sub-groups that look back call the operator on the sums of real tiles only", "[adversity]") {
    if (!test::has_lanes()) return test::skip("no sub-groups");
    upsweep::options o = form(strategy::look_back, tile_algorithm::sub_group, 32, 2);
    o.run_packs = 1;
    // The first groups of 32 tiles have fewer groups before them than are read at once; then groups of 1024 tiles.
    for (std::size_t n : {64, 65, 64 * 31, 64 * 33 + 1, 64 * 100 + 5, 64 * 1030 + 7})
        for (const bool exclusive : {false, true}) {
            INFO("n = " << n << (exclusive ? ", exclusive" : ", inclusive"));
            CHECK(count_strangers(n, o, exclusive) == 0);
        }
}

TEST_CASE("reductions call the operator on real neighbours only", "[adversity]") {
    using upsweep::tree_reduce;
    std::vector<upsweep::options> forms;
    for (tree_reduce rung :
         {tree_reduce::interleaved, tree_reduce::compacted, tree_reduce::sequential, tree_reduce::serial})
        for (strategy s : {strategy::single_tile, strategy::reduce_then_scan, strategy::chunked}) {
            forms.push_back(form(s, tile_algorithm::automatic, 8, 4));
            forms.back().reduction = rung;
        }
    forms.push_back(form(strategy::chunked, tile_algorithm::automatic, 1, 16));
    if (test::has_lanes()) forms.push_back(form(strategy::automatic, tile_algorithm::sub_group, 32, 4));
    for (const upsweep::options& o : forms)
        for (std::size_t n : edge_sizes(o))
            for (surroundings around : {surroundings::look_alike, surroundings::garbage}) {
                check_interval_reduce(o, n, false, around);
                check_interval_reduce(o, n, true, around);
            }
}

TEST_CASE("rows are reduced by calls on real neighbours only", "[adversity]") {
    const auto op = upsweep::make_operator<interval>(join_or_trap);
    const upsweep::options o = test::has_lanes() ? test::in_sub_groups() : upsweep::options{};
    for (std::size_t width : {1, 32, 33, 64, 100, 5000}) {
        const std::size_t height = 7;
        std::vector<interval> input(height * width);
        std::vector<interval> expected;
        for (std::size_t i = 0; i < input.size(); ++i) { // nothing follows the end of a row
            const auto begin = static_cast<std::uint32_t>(origin + i + i / width);
            input[i] = {begin, begin + 1, 0};
            if (i % width == width - 1)
                expected.push_back({begin + 1 - static_cast<std::uint32_t>(width), begin + 1, 0});
        }
        INFO("width " << width);
        const fixture::guarded_array<interval> from(test::queue(), input);
        const fixture::guarded_array<interval> to(test::queue(), height);
        upsweep::reduce(test::queue(), upsweep::rows(from.input(), height, width), to.view(), upsweep::no_init, op, {},
                        o);
        const std::vector<interval> results = to.values();
        CHECK(std::memcmp(results.data(), expected.data(), height * sizeof(interval)) == 0);
    }
}

TEST_CASE("segments are scanned and reduced by calls on real neighbours only", "[adversity]") {
    for (const upsweep::options& o : test::tilings())
        for (std::size_t length : {1, 7, 40, 100000})
            for (std::size_t n : {1, 33, 1023, 1024, 1025, 5000, 8191, 8192}) check_interval_runs(o, n, length);
}

TEST_CASE("what automatic chooses calls the operator on real neighbours only", "[adversity]") {
    for (std::size_t n : {1, 1000, 4097, 100003, 1 << 20})
        for (kind what : {kind::inclusive, kind::inclusive_with_init, kind::exclusive}) {
            check_interval_scan({}, n, what, surroundings::look_alike, false);
            check_interval_reduce({}, n, what == kind::exclusive, surroundings::garbage);
        }
}
