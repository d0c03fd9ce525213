// SPDX-License-Identifier: MIT
// Scans and reductions of computed elements: the same results as for an array that holds them, in every kernel family.
#include "canonical.hpp"
#include "device_fixture.hpp"
#include "families.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

using test::guarded_array;
using test::queue;
using test::same_bits;
using upsweep::span;

namespace {

struct point {
    std::int32_t x;
    std::int32_t y;
};

/// The first and the last of them.
std::vector<upsweep::options> two_families() {
    const std::vector<upsweep::options> all = test::families();
    return {all.front(), all.back()};
}

/// All calls on a view, whose elements are `elements`, against the host's reference. The order of sums cannot be seen.
template <class View, class T>
void check_calls(const View& view, const std::vector<T>& elements, const upsweep::options& opts) {
    namespace reference = upsweep::reference;
    const std::size_t n = elements.size();
    const guarded_array<T> out(n);
    std::vector<T> expected(n);
    upsweep::inclusive_scan(queue(), view, out.view(), upsweep::plus{}, {}, opts);
    reference::inclusive_scan(elements.begin(), elements.end(), expected.begin(), std::plus<>{});
    CHECK(test::first_difference(out.values(), expected) == -1);
    upsweep::inclusive_scan(queue(), view, out.view(), upsweep::plus{}, T{7}, {}, opts);
    for (T& x : expected) x = static_cast<T>(x + T{7});
    CHECK(test::first_difference(out.values(), expected) == -1);
    upsweep::exclusive_scan(queue(), view, out.view(), T{5}, upsweep::plus{}, {}, opts);
    reference::exclusive_scan(elements.begin(), elements.end(), expected.begin(), T{5}, std::plus<>{});
    CHECK(test::first_difference(out.values(), expected) == -1);
    CHECK(out.untouched_outside(n));

    const guarded_array<T> result(1);
    upsweep::reduce(queue(), view, result.view(), T{9}, upsweep::plus{}, {}, opts);
    CHECK(result.values()[0] == reference::reduce(elements.begin(), elements.end(), T{9}, std::plus<>{}));
    upsweep::reduce(queue(), view, result.view(), upsweep::no_init, upsweep::plus{}, {}, opts);
    CHECK(result.values()[0] == reference::reduce(elements.begin(), elements.end(), upsweep::no_init, std::plus<>{}));
    CHECK(result.untouched_outside(1));
}

} // namespace

template <>
struct upsweep::type<point> {
    static constexpr const char* name = "point";
    static constexpr const char* definition = "typedef struct { int x, y; } point;";
};

TEST_CASE("computed elements are combined as if an array held them, in every family and around every edge", "[views]") {
    for (const upsweep::options& opts : test::families())
        for (const std::size_t n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 1000, 4096, 4097, 70001}) {
            const std::vector<std::int32_t> a = test::make_input<std::int32_t>(n, 1);
            const std::vector<std::uint8_t> b = test::make_input<std::uint8_t>(n, 2);
            std::vector<std::uint32_t> elements(n);
            for (std::size_t i = 0; i < n; ++i)
                elements[i] = static_cast<std::uint32_t>(a[i]) * b[i] + static_cast<std::uint32_t>(i);
            // Guards of different sizes: the inputs begin at different offsets, and the second is not aligned.
            const guarded_array<std::int32_t> x(a, 64);
            const guarded_array<std::uint8_t> y(b, 3);
            CAPTURE(n, static_cast<int>(opts.strategy), opts.work_items);
            check_calls(upsweep::transform<std::uint32_t>("(uint)a * b + (uint)i", x.view(), y.view()), elements, opts);
        }
}

TEST_CASE("elements may be computed from their place alone, or from those of another view", "[views]") {
    for (const std::size_t n : {0, 1, 33, 128, 129, 4097, 70001}) {
        std::vector<std::uint32_t> places(n), mixed(n);
        for (std::size_t i = 0; i < n; ++i) {
            places[i] = static_cast<std::uint32_t>(i);
            mixed[i] = static_cast<std::uint32_t>((i * 2654435761U ^ i >> 3) + 3 * i);
        }
        CAPTURE(n);
        for (const upsweep::options& opts : two_families())
            check_calls(upsweep::counting<std::uint32_t>(n), places, opts);
        const auto all = upsweep::transform<std::uint64_t>("i * 2654435761u ^ i >> 3", n);
        check_calls(upsweep::transform<std::uint32_t>("return (uint)a + 3 * (uint)i;", all), mixed, {});
    }
}

TEST_CASE("floats that are computed are combined in the canonical order", "[views]") {
    const std::vector<float> input = test::numbers<float>(30001, 5);
    const guarded_array<float> x(input);
    const guarded_array<float> out(input.size());
    std::vector<float> squares, expected(input.size());
    for (const float f : input) squares.push_back(f * f);
    upsweep::reference::inclusive_scan(squares.begin(), squares.end(), expected.begin(), std::plus<>{});
    std::vector<upsweep::options> ways{{}, test::in_tiles(64, 8)};
    if (test::has_lanes()) ways.push_back(test::in_sub_groups());
    if (test::limits().is_cpu) ways.push_back(test::in_chunks(1));
    for (const upsweep::options& opts : ways) {
        upsweep::inclusive_scan(queue(), upsweep::transform<float>("a * a", x.view()), out.view(), upsweep::plus{}, {},
                                opts);
        CHECK(same_bits(out.values(), expected));
        const guarded_array<float> sum(1);
        upsweep::reduce(queue(), upsweep::transform<float>("a * a", x.view()), sum.view(), upsweep::no_init,
                        upsweep::plus{}, {}, opts);
        CHECK(sum.values()[0] == expected.back());
    }
}

TEST_CASE("a body may be statements, and inputs and elements may be structs", "[views]") {
    std::vector<point> points;
    std::vector<std::int32_t> distances;
    for (std::int32_t i = 0; i < 5000; ++i) {
        points.push_back({i % 17 - 8, i % 5 - 2});
        const point q = points[static_cast<std::size_t>(i / 2)];
        distances.push_back(points.back().x * q.x > 0 ? points.back().y : 3 * q.y);
    }
    std::vector<point> halves;
    for (std::size_t i = 0; i < points.size(); ++i) halves.push_back(points[i / 2]);
    const guarded_array<point> p(points);
    const guarded_array<point> q(halves);
    const auto view = upsweep::transform<std::int32_t>("if (a.x * b.x > 0)\n  return a.y; // the rest\nreturn 3 * b.y;",
                                                       p.view(), q.view());
    for (const upsweep::options& opts : two_families()) check_calls(view, distances, opts);

    // A struct that is the element's type as well is defined once.
    const auto last = upsweep::make_operator<point>("point r = right; r.x = left.x + right.x; return r;");
    const guarded_array<point> result(1);
    upsweep::reduce(queue(), upsweep::transform<point>("a.x += 1; return a;", p.view()), result.view(),
                    upsweep::no_init, last);
    std::int32_t sum = 0;
    for (const point& each : points) sum += each.x + 1;
    CHECK(result.values()[0].x == sum);
    CHECK(result.values()[0].y == points.back().y);
}

TEST_CASE("the output may be an input of a transform", "[views]") {
    for (const upsweep::options& opts : two_families()) {
        const std::vector<std::int32_t> a = test::make_input<std::int32_t>(20000, 3);
        const std::vector<std::int32_t> b = test::make_input<std::int32_t>(20000, 4);
        const guarded_array<std::int32_t> x(a);
        const guarded_array<std::int32_t> y(b);
        std::vector<std::int32_t> expected(a.size());
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            expected[i] =
                static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(a[i]) ^ static_cast<std::uint32_t>(b[i]));
        upsweep::inclusive_scan(queue(), upsweep::transform<std::int32_t>("a ^ b", x.view(), y.view()), y.view(),
                                upsweep::plus{}, {}, opts);
        CHECK(test::first_difference(y.values(), expected) == -1);
        CHECK(y.untouched_outside(a.size()));
        CHECK(test::first_difference(x.values(), a) == -1);
    }
}

TEST_CASE("mistakes in a transform are named", "[views][errors]") {
    using fixture::expect_error;
    const guarded_array<int> x(100);
    const guarded_array<int> out(100);
    const auto scan = [&](const auto& view) { upsweep::inclusive_scan(queue(), view, out.view()); };
    const auto with = [&](const std::string& body) { return upsweep::transform<int>(body, x.view()); };
    expect_error("inclusive_scan", "input", "load:2", [&] { scan(with("a +\nmistake")); });
    expect_error("inclusive_scan", "input", "load:3", [&] { scan(with("int b = a;\nb += 2;\nreturn mistake;")); });
    expect_error("inclusive_scan", "input", "load:2",
                 [&] { scan(upsweep::transform<int>("a +\nmistake", with("a"))); });
    expect_error("inclusive_scan", "input", "the text is empty",
                 [&] { scan(upsweep::transform<int>("a", upsweep::transform<float>("", 10))); });
    expect_error("inclusive_scan", "output", "null handle",
                 [&] { upsweep::inclusive_scan(queue(), upsweep::counting<int>(3), span<int>(cl_mem{}, 3)); });
    expect_error("inclusive_scan", "input", "line 1: '}' closes nothing",
                 [&] { scan(with("a; } int f(void) { return 1")); });
    expect_error("inclusive_scan", "input", "the text is empty", [&] { scan(with(" // nothing\n")); });
    expect_error("inclusive_scan", "input b", "99 elements, but input a has 100",
                 [&] { scan(upsweep::transform<int>("a + b", x.view(), x.view(99))); });
    expect_error("inclusive_scan", "input b", "null handle",
                 [&] { scan(upsweep::transform<int>("a + b", x.view(), span<int>(cl_mem{}, 100))); });
    expect_error("inclusive_scan", "output", "99 elements are fewer than the input's 100",
                 [&] { upsweep::inclusive_scan(queue(), with("a"), out.view(99)); });
    expect_error("exclusive_scan", "output", "overlaps the input without being the same elements", [&] {
        const span<int> whole = x.view();
        upsweep::exclusive_scan(queue(), upsweep::transform<int>("a", x.view(50)),
                                span<int>(whole.buffer(), 50, whole.byte_offset() + 4), 0);
    });
    expect_error("reduce", "result", "overlaps the input", [&] { upsweep::reduce(queue(), with("a"), x.view()); });
    queue().finish();
    CHECK(out.untouched_outside(0));
}

TEST_CASE("a transform is built once for each text", "[views]") {
    const guarded_array<int> x(std::vector<int>(10, 1));
    const guarded_array<int> out(10);
    const auto run = [&](const std::string& body) {
        const std::uint64_t before =
            upsweep::detail::build_counts::get().from_source + upsweep::detail::build_counts::get().from_binary;
        upsweep::inclusive_scan(queue(), upsweep::transform<int>(body, x.view()), out.view());
        return upsweep::detail::build_counts::get().from_source + upsweep::detail::build_counts::get().from_binary -
               before;
    };
    CHECK(run("a * 12345") > 0);
    CHECK(run("a * 12345") == 0);
    CHECK(out.values().back() == 123450);
    CHECK(run("a * 12346") > 0);
    CHECK(out.values().back() == 123460);
}

TEST_CASE("plans of views run with any arrays and any count, and build nothing twice", "[views]") {
    const std::vector<std::int32_t> a = test::make_input<std::int32_t>(5000, 1);
    const std::vector<std::int32_t> b = test::make_input<std::int32_t>(5000, 2);
    const auto view_of = [](const span<std::int32_t>& x) { return upsweep::transform<std::uint32_t>("a ^ i", x); };
    // Only the text and the types of the view matter.
    const auto like = view_of(span<std::int32_t>(cl_mem{}, 5000));
    const upsweep::scan_plan plan(queue(), like);
    const auto sums = upsweep::make_reduce_plan(queue(), like);
    CHECK(plan.capacity() == 5000);
    const auto of_operator = [] { return upsweep::make_scan_plan(queue(), 9, test::join_segments()); };
    using plan_of_segments = upsweep::scan_plan<test::segment, test::segment, upsweep::custom_operator<test::segment>>;
    STATIC_REQUIRE(std::is_same<decltype(of_operator()), plan_of_segments>::value);
    const auto builds = [] {
        const auto& counts = upsweep::detail::build_counts::get();
        return counts.from_source.load() + counts.from_binary.load();
    };
    std::vector<std::uint64_t> built; // with the first arrays: what plans lack for arrays at their places
    const cl::Buffer mine = fixture::poisoned_buffer(queue(), plan.workspace_bytes() + 1);
    for (const std::vector<std::int32_t>& input : {a, b, std::vector<std::int32_t>(a.begin(), a.begin() + 77)}) {
        const std::size_t n = input.size();
        const guarded_array<std::int32_t> x(input);
        const guarded_array<std::uint32_t> out(n);
        const guarded_array<std::uint32_t> result(1);
        std::vector<std::uint32_t> elements, expected(n);
        for (std::size_t i = 0; i < n; ++i)
            elements.push_back(static_cast<std::uint32_t>(input[i]) ^ static_cast<std::uint32_t>(i));
        upsweep::reference::inclusive_scan(elements.begin(), elements.end(), expected.begin(), std::plus<>{});
        plan.inclusive_scan(queue(), view_of(x.view()), out.view(), {}, {mine, plan.workspace_bytes()});
        CHECK(out.values() == expected);
        sums.reduce(queue(), view_of(x.view()), result.view(), 5);
        CHECK(result.values()[0] == expected.back() + 5);
        sums.reduce(queue(), view_of(x.view()), result.view());
        CHECK(result.values()[0] == expected.back());
        plan.exclusive_scan(queue(), view_of(x.view()), out.view(), 3);
        CHECK(out.values()[0] == 3);
        CHECK(out.values().back() == expected[n - 2] + 3);
        plan.exclusive_scan(queue(), view_of(x.view()), out.view());
        CHECK(out.values()[0] == 0);
        CHECK(out.values().back() == expected[n - 2]);
        plan.inclusive_scan(queue(), view_of(x.view()), out.view(), 4);
        CHECK(out.values().back() == expected.back() + 4);
        CHECK(out.untouched_outside(n));
        built.push_back(builds());
    }
    CHECK(built == std::vector<std::uint64_t>(3, built[0]));
}

TEST_CASE("plans refuse views of another text, and arrays", "[views][errors]") {
    using fixture::expect_error;
    const guarded_array<int> x(100);
    const guarded_array<int> out(100);
    const auto view = upsweep::transform<int>("a + 1", x.view());
    const auto of_view = upsweep::make_scan_plan(queue(), view);
    const auto of_array = upsweep::make_scan_plan<int>(queue(), 100);
    expect_error("inclusive_scan", "input", "an array, but the plan was made for computed elements",
                 [&] { of_view.inclusive_scan(queue(), x.view(), out.view()); });
    expect_error("inclusive_scan", "input", "computed elements, but the plan was made for an array",
                 [&] { of_array.inclusive_scan(queue(), view, out.view()); });
    expect_error("exclusive_scan", "input", "computed by another text than the plan was made for",
                 [&] { of_view.exclusive_scan(queue(), upsweep::transform<int>("a + 2", x.view()), out.view(), 0); });
    expect_error("inclusive_scan", "input", "101 elements are more than the plan's 100", [&] {
        of_view.inclusive_scan(queue(), upsweep::transform<int>("a + 1", span<int>(x.view().buffer(), 101)),
                               out.view());
    });
    expect_error("reduce_plan", "input", "load:1",
                 [&] { upsweep::make_reduce_plan(queue(), upsweep::transform<int>("mistake", 10)); });
    expect_error("scan_plan", "input", "the text is empty",
                 [&] { upsweep::make_scan_plan(queue(), upsweep::transform<int>("", 10)); });
    queue().finish();
    CHECK(out.untouched_outside(0));
}
