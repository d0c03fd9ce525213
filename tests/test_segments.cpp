// SPDX-License-Identifier: MIT
// Scans of segments: the results of the flagged operator on the host, in every kernel family.
#include "device_fixture.hpp"
#include "families.hpp"
#include "segmented.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
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

/// Scans of a view against the host; the inclusive one only where nothing is asked for.
template <class Out, class View, class In, class Op, class Combine>
void check_scans(const View& view, const std::vector<In>& x, const std::vector<bool>& heads, const Op& op,
                 Combine combine, const Out& init, const upsweep::options& opts) {
    const std::size_t n = x.size();
    const guarded_array<Out> out(n);
    if (opts.strategy == upsweep::strategy::automatic) {
        upsweep::inclusive_scan(queue(), view, out.view(), op, {}, opts);
        CHECK(same_bits(out.values(), segments_on_host<Out>(x, heads, combine, nullptr, false)));
    }
    upsweep::exclusive_scan(queue(), view, out.view(), init, op, {}, opts);
    CHECK(same_bits(out.values(), segments_on_host<Out>(x, heads, combine, &init, true)));
    CHECK(out.untouched_outside(n));
}

const auto compose = upsweep::make_operator<affine>(
    "affine r = left; r.a = left.a * right.a; r.b = right.a * left.b + right.b; return r;");
const auto compose_on_host = [](affine left, affine right) {
    return affine{left.a * right.a, right.a * left.b + right.b, left.c};
};

/// Every family that scans segments.
std::vector<upsweep::options> ways() {
    std::vector<upsweep::options> all = test::families();
    all.erase(
        std::remove_if(all.begin(), all.end(),
                       [](const upsweep::options& o) { return o.strategy == upsweep::strategy::scan_then_propagate; }),
        all.end());
    return all;
}

/// Those that keep the canonical order.
std::vector<upsweep::options> canonical_ways() {
    std::vector<upsweep::options> all{{}, test::in_tiles(64, 8)};
    if (test::limits().is_cpu) all.push_back(test::in_chunks(3));
    if (test::has_lanes()) all.push_back(test::in_sub_groups());
    return all;
}

} // namespace

TEST_CASE("scans of keyed elements restart at each key, in every family and around every edge", "[sizes]") {
    for (const upsweep::options& opts : ways())
        for (const std::size_t n : {0, 1, 2, 128, 129, 4097})
            for (const char* kind : {"one", "all", "tiles", "random", "giant"}) {
                const std::vector<bool> heads = heads_of(lengths(n, kind, static_cast<std::uint32_t>(n)));
                const std::vector<std::uint32_t> x = test::make_input<std::uint32_t>(n, 1);
                const guarded_array<std::uint32_t> in(x, 5);
                const guarded_array<std::uint16_t> keys(keys_of<std::uint16_t>(heads), 3);
                CAPTURE(n, kind, static_cast<int>(opts.strategy), opts.work_items);
                check_scans<std::uint32_t>(upsweep::keyed(in.view(), keys.view()), x, heads, upsweep::plus{},
                                           std::plus<>{}, 7U, opts);
            }
}

TEST_CASE("floats of segments have the bits of the flagged operator on the host", "[sizes]") {
    for (const upsweep::options& opts : canonical_ways())
        for (const char* kind : {"one", "tiles", "giant"}) {
            const std::size_t n = 9001;
            const std::vector<bool> heads = heads_of(lengths(n, kind, 1));
            const std::vector<float> x = test::numbers<float>(n, 5);
            const guarded_array<float> in(x);
            std::vector<std::int8_t> marks(heads.begin(), heads.end());
            marks[0] = 0; // the first element begins a segment in any case
            const guarded_array<std::int8_t> flags(marks, 1);
            CAPTURE(kind, static_cast<int>(opts.strategy), opts.work_items);
            check_scans<float>(upsweep::flagged(in.view(), flags.view()), x, heads, upsweep::plus{}, std::plus<>{},
                               2.5F, opts);
        }
}

TEST_CASE("an operator of one's own that does not commute, on segments of structs with keys that are structs",
          "[operators]") {
    for (const upsweep::options& opts : {upsweep::options(), test::in_tiles(64, 8)}) {
        const std::size_t n = 5000;
        const std::vector<bool> heads = heads_of(lengths(n, "random", 3));
        const std::vector<std::uint32_t> numbers = test::make_input<std::uint32_t>(2 * n, 1);
        const std::vector<std::uint32_t> colours = keys_of<std::uint32_t>(heads);
        std::vector<affine> x, tags;
        for (std::size_t i = 0; i < n; ++i) {
            x.push_back({numbers[2 * i], numbers[2 * i + 1], 7});
            tags.push_back({colours[i], static_cast<std::uint32_t>(i), 0});
        }
        const guarded_array<affine> in(x);
        const guarded_array<affine> keys(tags);
        check_scans<affine>(upsweep::keyed(in.view(), keys.view(), "if (left.a != right.a)\n  return 0;\nreturn 1;"), x,
                            heads, compose, compose_on_host, affine{3, 5, 7}, opts);
    }
}

TEST_CASE("keys are equal wherever their text is true, in bits of any height or between 0 and 1", "[segments]") {
    const std::uint64_t high = std::uint64_t{1} << 40;
    const guarded_array<std::uint64_t> keys(std::vector<std::uint64_t>{high, high, high, 0});
    const guarded_array<std::uint32_t> x(std::vector<std::uint32_t>(4, 1)), out(4);
    for (const char* equal : {"left & right", "left == right ? 0.25f : 0.0f", "return left & right;"}) {
        CAPTURE(equal);
        upsweep::inclusive_scan(queue(), upsweep::keyed(x.view(), keys.view(), equal), out.view());
        CHECK(out.values() == std::vector<std::uint32_t>{1, 2, 3, 1});
    }
}

TEST_CASE("segments in a simulator", "[segments][simulated]") {
    const std::size_t n = 300;
    const std::vector<bool> heads = heads_of(lengths(n, "random", 2));
    const std::vector<std::uint32_t> x = test::make_input<std::uint32_t>(n, 1);
    const guarded_array<std::uint32_t> in(x);
    const guarded_array<std::uint16_t> keys(keys_of<std::uint16_t>(heads));
    check_scans<std::uint32_t>(upsweep::keyed(in.view(), keys.view()), x, heads, upsweep::plus{}, std::plus<>{}, 7U,
                               fixture::small_tiles(upsweep::strategy::reduce_then_scan, 8, 4));
}

TEST_CASE("rows are scanned in one call, and what lies between them stays as it is", "[sizes]") {
    struct image {
        std::size_t height, width, pitch;
    };
    for (const upsweep::options& opts : {upsweep::options()})
        for (const image& size : {image{0, 5, 5}, image{5, 0, 0}, image{1, 1, 1}, image{300, 1, 3},
                                  image{1, 3000, 3000}, image{31, 127, 127}, image{64, 64, 70}, image{33, 129, 130}}) {
            CAPTURE(size.height, size.width, size.pitch, static_cast<int>(opts.strategy), opts.work_items);
            const std::size_t room = size.height * size.pitch;
            const std::vector<std::uint8_t> all = test::make_input<std::uint8_t>(room, 2);
            std::vector<std::uint8_t> x;
            std::vector<bool> heads;
            for (std::size_t r = 0; r < size.height; ++r)
                for (std::size_t c = 0; c < size.width; ++c) {
                    x.push_back(all[r * size.pitch + c]);
                    heads.push_back(c == 0);
                }
            const guarded_array<std::uint8_t> in(all, 3);
            const std::vector<std::uint32_t> before(room, 0xabababab);
            const guarded_array<std::uint32_t> out(before);
            const std::uint32_t init = 1000;
            upsweep::exclusive_scan(queue(), upsweep::rows(in.view(), size.height, size.width, size.pitch), out.view(),
                                    init, upsweep::plus{}, {}, opts);
            const std::vector<std::uint32_t> sums =
                segments_on_host<std::uint32_t>(x, heads, std::plus<>{}, &init, true);
            std::vector<std::uint32_t> expected = before;
            for (std::size_t i = 0; i < sums.size(); ++i)
                expected[i / size.width * size.pitch + i % size.width] = sums[i];
            CHECK(test::first_difference(out.values(), expected) == -1);
            CHECK(out.untouched_outside(room));
        }
}

TEST_CASE("rows of computed elements, in place of an input, from an initial value", "[segments]") {
    if (!test::limits().has_double) return;
    const std::size_t height = 37, width = 100, pitch = 103;
    const std::vector<double> a = test::numbers<double>(height * pitch, 3);
    const std::vector<double> b = test::numbers<double>(height * pitch, 4);
    std::vector<double> x;
    std::vector<bool> heads;
    for (std::size_t i = 0; i < height * pitch; ++i)
        if (i % pitch < width) {
            x.push_back(a[i] * b[i]);
            heads.push_back(i % pitch == 0);
        }
    const guarded_array<double> in(a);
    const guarded_array<double> out(b);
    const auto products = upsweep::transform<double>("a * b", in.view(), out.view());
    const double init = -0.3;
    upsweep::inclusive_scan(queue(), upsweep::rows(products, height, width, pitch), out.view(), upsweep::plus{}, init);
    const std::vector<double> sums = segments_on_host<double>(x, heads, std::plus<>{}, &init, false);
    std::vector<double> expected = b;
    for (std::size_t i = 0; i < sums.size(); ++i) expected[i / width * pitch + i % width] = sums[i];
    CHECK(test::first_difference(out.values(), expected) == -1);
    CHECK(same_bits(in.values(), a));
    CHECK(out.untouched_outside(b.size()));
}

TEST_CASE("mistakes in segments are named, before anything is built", "[segments][errors]") {
    using fixture::expect_error;
    const std::uint64_t builds = upsweep::detail::build_counts::get().from_source;
    const guarded_array<int> x(100);
    const guarded_array<int> out(100);
    const guarded_array<short> keys(100);
    const auto scan = [&](const auto& view) { upsweep::inclusive_scan(queue(), view, out.view()); };
    expect_error("inclusive_scan", "keys", "99 elements, but the input has 100",
                 [&] { scan(upsweep::keyed(x.view(), keys.view(99))); });
    expect_error("inclusive_scan", "flags", "99 elements, but the input has 100",
                 [&] { scan(upsweep::flagged(x.view(), keys.view(99))); });
    expect_error("inclusive_scan", "keys", "null handle",
                 [&] { scan(upsweep::keyed(x.view(), span<short>(cl_mem{}, 100))); });
    expect_error("inclusive_scan", "keys", "overlaps the output", [&] { scan(upsweep::keyed(x.view(), out.view())); });
    expect_error("inclusive_scan", "keys", "the text is empty",
                 [&] { scan(upsweep::keyed(x.view(), keys.view(), " // nothing\n")); });
    expect_error("inclusive_scan", "keys", "line 1: '}' closes nothing",
                 [&] { scan(upsweep::keyed(x.view(), keys.view(), "1; } int f(void) { return 1")); });
    expect_error("inclusive_scan", "operator", "the text has no return statement", [&] {
        upsweep::inclusive_scan(queue(), upsweep::keyed(x.view(), keys.view()), out.view(),
                                upsweep::make_operator<int>("left + right;"));
    });
    expect_error("inclusive_scan", "output", "99 elements, but 100 are needed",
                 [&] { upsweep::inclusive_scan(queue(), upsweep::keyed(x.view(), keys.view()), out.view(99)); });
    expect_error("inclusive_scan", "output", "overlaps the input", [&] {
        const span<int> whole = x.view();
        upsweep::inclusive_scan(queue(), upsweep::keyed(x.view(50), keys.view(50)),
                                span<int>(whole.buffer(), 50, whole.byte_offset() + 4));
    });
    expect_error("inclusive_scan", "input", "pitch 9 is less than the width 10",
                 [&] { scan(upsweep::rows(x.view(), 10, 10, 9)); });
    expect_error("inclusive_scan", "input",
                 "10 rows of 10 elements, 11 from one to the next, are more than the input's 100 elements",
                 [&] { scan(upsweep::rows(x.view(), 10, 10, 11)); });
    expect_error("inclusive_scan", "input", "are more than the input's",
                 [&] { scan(upsweep::rows(x.view(), std::size_t{1} << 62, 4)); });
    CHECK(upsweep::detail::build_counts::get().from_source == builds);
    expect_error("inclusive_scan", "keys", "keys:2",
                 [&] { scan(upsweep::keyed(x.view(), keys.view(), "left ==\nmistake")); });
    expect_error("inclusive_scan", "operator", "operator:2", [&] {
        upsweep::inclusive_scan(queue(), upsweep::keyed(x.view(), keys.view()), out.view(),
                                upsweep::make_operator<int>("return left +\nmistake;"));
    });
    expect_error("inclusive_scan", "options", "scan_then_propagate", [&] {
        upsweep::inclusive_scan(queue(), upsweep::keyed(x.view(), keys.view()), out.view(), upsweep::plus{}, {},
                                fixture::small_tiles(upsweep::strategy::scan_then_propagate));
    });
    queue().finish();
    CHECK(out.untouched_outside(0));
}
