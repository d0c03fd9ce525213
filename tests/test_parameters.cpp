// SPDX-License-Identifier: MIT
// Parameters of views: values and arrays that calls give, without another program, wherever a view may stand.
#include <upsweep/vector_types.hpp>

#include "device_fixture.hpp"
#include "families.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using fixture::expect_error;
using fixture::programs_built;
using test::guarded_array;
using test::queue;
using upsweep::span;

namespace {

using number = std::uint32_t;

/// What a text is given, and the same on the host.
struct given_values {
    number factor;
    std::uint8_t shift;
    std::int64_t large;
    test::segment segment;
    cl_uint4 lanes;
    std::vector<number> table;
};

const given_values first_values{3, 1, std::int64_t{5} << 33, {4, 5, 6}, {{7, 8, 9, 10}}, {11, 12, 13, 14, 15}};
const given_values other_values{1000003, 3, -8, {-4, -5, -6}, {{70, 80, 90, 100}}, {9, 8, 7}};

const std::string parameter_body = "uint sum = a * factor + (uint)(large >> shift) + (uint)segment.broken;\n"
                                   "return sum + lanes.z + table[(a ^ (uint)i) % size];";

number element_of(number a, std::size_t i, const given_values& v) {
    const number sum = a * v.factor + static_cast<number>(v.large >> v.shift) + static_cast<number>(v.segment.broken);
    return sum + v.lanes.s[2] + v.table[(a ^ static_cast<number>(i)) % v.table.size()];
}

upsweep::transform_view<number> with_values(const upsweep::transform_view<number>& view, const given_values& v,
                                            const guarded_array<number>& table) {
    return view.with("factor", v.factor)
        .with("shift", v.shift)
        .with("table", table.view())
        .with("large", v.large)
        .with("segment", v.segment)
        .with("lanes", v.lanes)
        .with("size", static_cast<number>(v.table.size()));
}

} // namespace

TEST_CASE("parameters of every type reach the text, by scans and reductions of every family", "[views]") {
    std::vector<upsweep::options> ways{{}, test::in_tiles(64, 8, upsweep::tile_loading::staged)};
    if (test::limits().has_atomics64) ways.push_back(fixture::small_tiles(upsweep::strategy::look_back, 8, 16));
    if (test::has_lanes()) ways.push_back(test::in_sub_groups());
    for (const upsweep::options& opts : ways)
        for (const std::size_t n : {0, 129, 5000})
            for (const given_values* values : {&first_values, &other_values}) {
                CAPTURE(n, static_cast<int>(opts.strategy), values->factor);
                const std::vector<number> in = test::make_input<number>(n, 1);
                std::vector<number> elements, expected(n);
                for (std::size_t i = 0; i < n; ++i) elements.push_back(element_of(in[i], i, *values));
                const guarded_array<number> x(in);
                const guarded_array<number> table(values->table, 3);
                const guarded_array<number> out(n);
                const auto view = with_values(upsweep::transform<number>(parameter_body, x.view()), *values, table);
                upsweep::exclusive_scan(queue(), view, out.view(), 7U, upsweep::plus{}, {}, opts);
                upsweep::reference::exclusive_scan(elements.begin(), elements.end(), expected.begin(), 7U,
                                                   std::plus<>{});
                CHECK(out.values() == expected);
                CHECK(out.untouched_outside(n));
                if (opts != ways.front()) continue;
                CHECK(upsweep::reduce(queue(), view, 5U, upsweep::plus{}, {}, opts) ==
                      upsweep::reference::reduce(elements.begin(), elements.end(), 5U, std::plus<>{}));
            }
}

TEST_CASE("each text of a view that is made of a view has parameters of its own", "[views]") {
    const std::size_t n = 1000;
    const std::vector<number> in = test::make_input<number>(n, 2);
    const guarded_array<number> x(in);
    const guarded_array<number> out(n);
    const auto inner = upsweep::transform<number>("a + shift", x.view()).with("shift", 5U);
    const auto view = upsweep::transform<number>("a * shift", inner).with("shift", std::uint16_t{3});
    upsweep::inclusive_scan(queue(), view, out.view());
    std::vector<number> expected;
    number sum = 0;
    for (const number a : in) expected.push_back(sum += (a + 5) * 3);
    CHECK(out.values() == expected);
    // Without arrays of elements, too.
    const auto places = upsweep::transform<number>("scale * i", n).with("scale", 9U);
    CHECK(upsweep::reduce(queue(), places) == 9U * 999U * 500U);
}

TEST_CASE("other values and arrays of a parameter build nothing, by calls and by plans", "[views]") {
    const guarded_array<float> x(std::vector<float>(100, 1.0F));
    const guarded_array<float> tables[2] = {guarded_array<float>(std::vector<float>{2, 3}),
                                            guarded_array<float>(std::vector<float>{5, 7})};
    const guarded_array<float> out(100);
    const auto view = upsweep::transform<float>("a * scale + table[1] /* built once */", x.view())
                          .with("table", tables[0].view())
                          .with("scale", 1.0F);
    CHECK(upsweep::reduce(queue(), view) == 400);
    const upsweep::scan_plan plan(queue(), view);
    const std::uint64_t before = programs_built();
    CHECK(upsweep::reduce(queue(), view.with("scale", 4.0F)) == 700);
    CHECK(upsweep::reduce(queue(), view.with("table", tables[1].view()).with("scale", -1.0F)) == 600);
    plan.inclusive_scan(queue(), view.with("scale", 2.0F), out.view());
    CHECK(out.values().back() == 500);
    plan.inclusive_scan(queue(), view.with("table", tables[1].view()), out.view());
    CHECK(out.values().back() == 800);
    CHECK(programs_built() == before);
    // One of another type is another text.
    CHECK(upsweep::reduce(queue(), view.with("scale", 4)) == 700);
    CHECK(programs_built() > before);
    expect_error("inclusive_scan", "input", "another text than the plan was made for",
                 [&] { plan.inclusive_scan(queue(), view.with("scale", 4), out.view()); });
}

TEST_CASE("segments of views with parameters", "[views]") {
    const std::size_t n = 600;
    const std::vector<number> in = test::make_input<number>(n, 3);
    const guarded_array<number> x(in);
    const guarded_array<number> table(first_values.table, 1);
    const auto view = with_values(upsweep::transform<number>(parameter_body, x.view()), first_values, table);
    const guarded_array<number> offsets(std::vector<number>{0, 7, 7, 300, 600});
    const guarded_array<number> sums(4);
    upsweep::reduce(queue(), upsweep::segments(view, offsets.view()), sums.view(), 2U);
    std::vector<number> expected_sums(4, 2U), expected_scan;
    for (std::size_t i = 0; i < n; ++i) {
        expected_sums[i < 7 ? 0 : i < 300 ? 2 : 3] += element_of(in[i], i, first_values);
        const number before = i % 100 == 0 ? 0 : expected_scan.back();
        expected_scan.push_back(before + element_of(in[i], i, first_values));
    }
    CHECK(sums.values() == expected_sums);
    const guarded_array<number> out(n);
    upsweep::inclusive_scan(queue(), upsweep::rows(view, 6, 100), out.view());
    CHECK(out.values() == expected_scan);
    CHECK(out.untouched_outside(n));
}

TEST_CASE("selections from and by views with parameters", "[views]") {
    const std::size_t n = 3000;
    const std::vector<number> in = test::make_input<number>(n, 4);
    const guarded_array<number> x(in);
    const guarded_array<number> table(first_values.table, 2);
    const auto view = with_values(upsweep::transform<number>(parameter_body, x.view()), first_values, table);
    const auto below = upsweep::transform<std::uint8_t>("a < limits[place]", x.view())
                           .with("limits", table.view())
                           .with("place", std::uint8_t{1});
    for (const number limit : {0U, 1U << 30, 1U << 31}) {
        const guarded_array<number> limits(std::vector<number>{1, 2, limit});
        const guarded_array<number> out(n), count(1), parted(n);
        const auto chosen = below.with("limits", limits.view()).with("place", std::uint8_t{2});
        upsweep::copy_if(queue(), view, out.view(), count.view(), chosen);
        std::vector<number> expected, others;
        for (std::size_t i = 0; i < n; ++i)
            (in[i] < limit ? expected : others).push_back(element_of(in[i], i, first_values));
        REQUIRE(count.values()[0] == expected.size());
        std::vector<number> kept = out.values();
        kept.resize(expected.size());
        CHECK(kept == expected);
        CHECK(out.untouched_outside(expected.size()));
        upsweep::partition(queue(), view, parted.view(), count.view(), chosen);
        expected.insert(expected.end(), others.begin(), others.end());
        CHECK(parted.values() == expected);
    }
    const guarded_array<number> out(n), count(1);
    upsweep::copy_if(queue(), view, out.view(), count.view(), "a % 2 == 1"); // chosen by what is computed
    std::size_t odd = 0;
    for (std::size_t i = 0; i < n; ++i) odd += element_of(in[i], i, first_values) % 2;
    CHECK(count.values()[0] == odd);
}

TEST_CASE("mistakes in parameters are named, and nothing is enqueued", "[errors]") {
    const guarded_array<number> x(test::make_input<number>(10, 1));
    const guarded_array<number> out(10), count(1);
    const auto view = upsweep::transform<number>("a + p[0]", x.view());
    const auto scan = [&](const upsweep::transform_view<number>& in) {
        return [&, in] { upsweep::inclusive_scan(queue(), in, out.view()); };
    };
    for (const char* name : {"", "1p", "p q"})
        expect_error("inclusive_scan", "parameter \"" + std::string(name) + "\"", "no identifier",
                     scan(view.with(name, 1)));
    for (const char* name : {"a", "h", "i"})
        expect_error("inclusive_scan", "parameter \"" + std::string(name) + "\"", "names a to i",
                     scan(view.with(name, 1)));
    expect_error("inclusive_scan", "parameter \"left\"", "have this name", scan(view.with("left", 1)));
    expect_error("inclusive_scan", "parameter \"upsweep_p\"", "the library's own names",
                 scan(view.with("upsweep_p", 1)));
    expect_error("inclusive_scan", "parameter \"p\"", "null", scan(view.with("p", span<number>(cl_mem{}, 3))));
    expect_error("inclusive_scan", "parameter \"p\"", "is larger than its buffer",
                 scan(view.with("p", span<number>(out.view().buffer(), std::size_t{1} << 30))));
    expect_error("inclusive_scan", "output", "overlaps an array that is a parameter",
                 scan(view.with("p", out.view(2))));
    auto many = view;
    for (char name = 'A'; name < 'A' + 17; ++name) many = many.with(std::string(1, name), 1);
    expect_error("inclusive_scan", "input", "17 parameters are more than 16", scan(many));
    const auto good = view.with("p", x.view());
    expect_error("copy_if", "output", "overlaps",
                 [&] { upsweep::copy_if(queue(), view.with("p", out.view(2)), out.view(), count.view(), "a > 1"); });
    expect_error("copy_if", "output", "overlaps", [&] {
        upsweep::copy_if(queue(), x.view(), out.view(), count.view(),
                         upsweep::transform<number>("p[0]", 10).with("p", out.view(2)));
    });
    expect_error("inclusive_scan", "output", "overlaps", [&] {
        upsweep::inclusive_scan(queue(), upsweep::rows(view.with("p", out.view(1)), 2, 5), out.view());
    });
    expect_error("reduce", "result", "overlaps", [&] { upsweep::reduce(queue(), good, x.view(1), 0U); });
    queue().finish();
    CHECK(out.untouched_outside(0));
    CHECK(count.untouched_outside(0));
    // The array of the elements may be a parameter as well.
    upsweep::inclusive_scan(queue(), good, out.view());
    CHECK(out.values()[0] == 2 * x.values()[0]);
}
