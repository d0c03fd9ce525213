// SPDX-License-Identifier: MIT
// Parameters of operators: values and arrays that calls give, without another program, in every kernel family.
#include <upsweep/device_group.hpp>
#include <upsweep/vector_types.hpp>
#include <upsweep/work_group_source.hpp>

#include "device_fixture.hpp"
#include "families.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using fixture::expect_error;
using test::guarded_array;
using test::queue;
using upsweep::span;

namespace {

using element = std::uint32_t;

/// left + right + what the parameters say.
const auto add_more = upsweep::make_operator<element>("const uint more = shift + (uint)segment.broken + lanes.z + "
                                                      "(uint)(large >> 32);\nreturn twice(left, right) + more + "
                                                      "table[size - 1];",
                                                      "uint twice(uint left, uint right) { return left + right; }");

struct addends {
    std::uint8_t shift;
    std::int64_t large;
    test::segment segment;
    cl_uint4 lanes;
    std::vector<element> table;

    element sum() const {
        return shift + static_cast<element>(large >> 32) + static_cast<element>(segment.broken) + lanes.s[2] +
               table.back();
    }
};
const addends first_addends{1, std::int64_t{5} << 33, {4, 5, 6}, {{7, 8, 9, 10}}, {11, 12, 13}};
const addends other_addends{3, -8, {-4, -5, -6}, {{70, 80, 90, 100}}, {9, 7}};

upsweep::custom_operator<element> with_addends(const addends& a, const guarded_array<element>& table) {
    return add_more.with("shift", a.shift)
        .with("table", table.view())
        .with("large", a.large)
        .with("segment", a.segment)
        .with("lanes", a.lanes)
        .with("size", static_cast<std::uint16_t>(a.table.size()));
}

struct with_prose {
    int value;
};

/// Families of kernels that take parameters.
std::vector<upsweep::options> ways_of_operands() {
    std::vector<upsweep::options> all = test::families();
    const auto comes_back = [](const upsweep::options& o) {
        return o.strategy == upsweep::strategy::scan_then_propagate;
    };
    all.erase(std::remove_if(all.begin(), all.end(), comes_back), all.end());
    return all;
}

std::uint64_t builds_of_programs() {
    const auto& counts = upsweep::detail::build_counts::get();
    return counts.from_source.load() + counts.from_binary.load();
}

} // namespace

template <>
struct upsweep::type<with_prose> {
    static constexpr const char* name = "with_prose";
    static constexpr const char* definition =
        "#if 0\n it's prose } } {\n#endif\ntypedef struct { int value; } with_prose;";
};

TEST_CASE("parameters of every type reach the operator, in every family", "[views]") {
    for (const upsweep::options& opts : ways_of_operands())
        for (const std::size_t n : {0, 129, 5000})
            for (const addends* given : {&first_addends, &other_addends}) {
                CAPTURE(n, static_cast<int>(opts.strategy), opts.work_items);
                const std::vector<element> in = test::make_input<element>(n, 1);
                const guarded_array<element> x(in), table(given->table, 3), out(n), result(1);
                const auto op = with_addends(*given, table);
                std::vector<element> expected;
                element sum = 7;
                for (const element each : in) {
                    expected.push_back(sum);
                    sum += each + given->sum();
                }
                upsweep::exclusive_scan(queue(), x.view(), out.view(), 7U, op, {}, opts);
                CHECK(out.values() == expected);
                CHECK(out.untouched_outside(n));
                upsweep::reduce(queue(), x.view(), result.view(), 7U, op, {}, opts);
                CHECK(result.values()[0] == sum);
                if (opts != test::families().front()) continue;
                // Of as many elements as the device says, and of computed ones.
                const element half = static_cast<element>(n / 2);
                const guarded_array<element> count(std::vector<element>{half});
                upsweep::reduce(queue(), upsweep::first(x.view(), count.view()), result.view(), 7U, op, {}, opts);
                CHECK(result.values()[0] == (n == 0 ? 7U : expected[half]));
                const auto view = upsweep::transform<element>("a - given", x.view()).with("given", given->sum());
                upsweep::inclusive_scan(queue(), view, x.view(), op, {}, opts);
                sum = n == 0 ? 0 : 0 - given->sum();
                for (element& each : expected) each = sum += in[static_cast<std::size_t>(&each - expected.data())];
                CHECK(x.values() == expected);
            }
}

TEST_CASE("segments, totals and initial values on the device with an operator that has parameters", "[views]") {
    const std::size_t n = 600;
    std::vector<element> in = test::make_input<element>(n, 3);
    for (element& each : in) each %= 1009;
    const guarded_array<element> x(in), offsets(std::vector<element>{0, 7, 7, 300, 600}), sums(4), out(n), total(1);
    const guarded_array<element> init(std::vector<element>{3});
    const auto op = upsweep::make_operator<element>("return (left + right) % modulus;").with("modulus", 1009U);
    upsweep::reduce(queue(), upsweep::segments(x.view(), offsets.view()), sums.view(), 2U, op);
    upsweep::exclusive_scan(queue(), x.view(), upsweep::with_total(out.view(), total.view()),
                            upsweep::from(init.view()), op);
    std::vector<element> expected(4, 2U), scanned;
    element sum = 3;
    for (std::size_t i = 0; i < n; ++i) {
        element& segment = expected[i < 7 ? 0 : i < 300 ? 2 : 3];
        segment = (segment + in[i]) % 1009;
        scanned.push_back(sum);
        sum = (sum + in[i]) % 1009;
    }
    CHECK(sums.values() == expected);
    CHECK(out.values() == scanned);
    CHECK(total.values()[0] == sum);
    CHECK(upsweep::transform_reduce(queue(), in.begin(), in.end(), 3U, op, "a") == sum);
}

TEST_CASE("texts beside an operator's parameters are taken as they are without any", "[views]") {
    struct texts {
        const char* body;
        const char* helpers = "";
        const char* of_view = "a";
        const char* of_keys = "left == right";
    };
    const char* const plain = "return left + right * m;";
    for (const texts& t : {
             texts{"#if 0\n don't } ) { ((\n#endif\nreturn left + right * m;"},
             texts{"#if 1\nif (left >= 0) {\n#else\nif (right >= 0) {\n#endif\nreturn left + right * m; }\nreturn 0;"},
             texts{"#ifdef NEVER\n#error can't {\n#endif\nreturn left + right * m;"},
             texts{"#define G(x) \\\r\n (x) // it's {\r\n// don't \\\r\n can't {\r\nreturn left + G(right) * m;\r\n"},
             texts{"// don't \\ \n or can't {\nreturn left + right * m;"},
             texts{"if (left < 0) <% return right; %> return left + right * m;"},
             texts{"/*upsweep as it is: 99999*/ return left + right * m;"},
             texts{plain, "#if 0\n it's prose } } {\n#endif\n"},
             texts{plain, "#if 1\nint f(int a) {\n#else\nint f(uint a) {\n#endif\n return a; }\n"},
             texts{plain, "", "#if 0\n it's prose } {\n#endif\nreturn a;"},
             texts{plain, "", "#if 1\nif (a >= 0) {\n#else\nif (a > 0) {\n#endif\nreturn a; }\nreturn 0;"},
             texts{plain, "", "a", "#if 0\n it's prose } {\n#endif\nreturn left == right;"},
         }) {
        CAPTURE(t.body, t.helpers, t.of_view, t.of_keys);
        const std::vector<int> in{1, 2, 3, 4, 5, 6};
        const guarded_array<int> x(in), keys(std::vector<int>{7, 7, 8, 8, 8, 9}), out(in.size());
        const auto op = upsweep::make_operator<int>(t.body, t.helpers).with("m", 1);
        const auto view = upsweep::transform<int>(t.of_view, x.view());
        upsweep::inclusive_scan(queue(), view, out.view(), op);
        CHECK(out.values() == std::vector<int>{1, 3, 6, 10, 15, 21});
        upsweep::inclusive_scan(queue(), upsweep::keyed(view, keys.view(), t.of_keys), out.view(), op);
        CHECK(out.values() == std::vector<int>{1, 3, 3, 7, 12, 6});
    }
    const guarded_array<with_prose> x(std::vector<with_prose>{{1}, {2}, {3}}), result(1);
    const auto op = upsweep::make_operator<with_prose>("left.value += right.value * m;\nreturn left;").with("m", 1);
    upsweep::reduce(queue(), x.view(), result.view(), with_prose{5}, op);
    CHECK(result.values()[0].value == 11);
}

TEST_CASE("other values of an operator's parameters build nothing and leave the order as it is", "[views]") {
    const std::vector<float> in = test::numbers<float>(3000, 5);
    const guarded_array<float> x(in), out(3000);
    const auto op = upsweep::make_operator<float>("return left + right * scale /* built once */;");
    upsweep::inclusive_scan(queue(), x.view(), out.view(), op.with("scale", 1.0F));
    const std::uint64_t before = builds_of_programs();
    for (const float scale : {1.0F, 0.75F}) { // the second is not associative, so the order shows
        upsweep::inclusive_scan(queue(), x.view(), out.view(), op.with("scale", scale));
        std::vector<float> expected(in.size());
        upsweep::reference::inclusive_scan(in.begin(), in.end(), expected.begin(),
                                           [&](float left, float right) { return left + right * scale; });
        CHECK(test::same_bits(out.values(), expected));
    }
    CHECK(builds_of_programs() == before);
    // One of another type is another text.
    upsweep::inclusive_scan(queue(), x.view(), out.view(), op.with("scale", 2));
    CHECK(builds_of_programs() > before);
}

TEST_CASE("what takes no operator with parameters says so before anything is built", "[errors]") {
    const guarded_array<element> x(test::make_input<element>(10, 1)), out(10);
    const auto op = upsweep::make_operator<element>("return left + right + p /* never built */;").with("p", 1U);
    std::vector<element> host{1, 2, 3};
    const std::uint64_t before = builds_of_programs();
    const auto scan = [&](const auto& with) {
        return [&, with] { upsweep::inclusive_scan(queue(), x.view(), out.view(), with); };
    };
    expect_error("inclusive_scan", "operator", "none for host ranges",
                 [&] { upsweep::inclusive_scan(queue(), host.begin(), host.end(), host.begin(), op); });
    expect_error("reduce", "operator", "none for host ranges",
                 [&] { upsweep::reduce(queue(), host.begin(), host.end(), 0U, op); });
    expect_error("scan_plan", "operator", "none for plans", [&] { upsweep::make_scan_plan(queue(), 10, op); });
    expect_error("work_group_source", "operator", "none for texts of one's own",
                 [&] { upsweep::work_group_source<element>(op, 64); });
    const upsweep::device_group group({queue()});
    expect_error("inclusive_scan", "part 0: operator", "none for devices of a group", [&] {
        upsweep::inclusive_scan(group, std::vector<span<element>>{x.view()}, std::vector<span<element>>{out.view()},
                                op);
    });
    upsweep::options propagates;
    propagates.strategy = upsweep::strategy::scan_then_propagate;
    expect_error("inclusive_scan", "options", "none for operators with parameters",
                 [&] { upsweep::inclusive_scan(queue(), x.view(), out.view(), op, {}, propagates); });
    expect_error("inclusive_scan", "parameter \"left\"", "operands have this name", scan(op.with("left", 1)));
    expect_error("inclusive_scan", "parameter \"p q\"", "no identifier", scan(op.with("p q", 1)));
    expect_error("inclusive_scan", "output", "overlaps an array that is a parameter",
                 scan(op.with("table", out.view(2))));
    expect_error("inclusive_scan", "operator", "line 1",
                 scan(upsweep::make_operator<element>("return (left;").with("p", 1)));
    queue().finish();
    CHECK(builds_of_programs() == before);
    CHECK(out.untouched_outside(0));
}
