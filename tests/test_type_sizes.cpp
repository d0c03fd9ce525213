// SPDX-License-Identifier: MIT
// Types, names of parameters and kinds of views that programs have besides their elements and values.
#include "device_fixture.hpp"
#include "support.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using test::guarded_array;
using test::queue;

namespace {

/// Three floats, which OpenCL C's float3 is not.
struct wide_on_device {
    float x, y, z;
};

/// Two structs, the outer with a definition that has the inner one's.
struct inner_pair {
    int a, b;
};
struct outer_pair {
    inner_pair pair;
    int c;
};

} // namespace

template <>
struct upsweep::type<wide_on_device> {
    static constexpr const char* name = "wide_on_device";
    static constexpr const char* definition = "typedef float3 wide_on_device;";
};
template <>
struct upsweep::type<inner_pair> {
    static constexpr const char* name = "inner_pair";
    static constexpr const char* definition = "#ifndef HAS_inner_pair\n#define HAS_inner_pair\n"
                                              "typedef struct { int a, b; } inner_pair;\n#endif";
};
template <>
struct upsweep::type<outer_pair> {
    static constexpr const char* name = "outer_pair";
    static constexpr const char* definition = "#ifndef HAS_inner_pair\n#define HAS_inner_pair\n"
                                              "typedef struct { int a, b; } inner_pair;\n#endif\n"
                                              "typedef struct { inner_pair pair; int c; } outer_pair;";
};

TEST_CASE("types of all arrays and parameters have the host's size on the device, or a call is refused",
          "[errors][views]") {
    const std::size_t n = 100;
    std::vector<wide_on_device> host(n, {1, 2, 3});
    const guarded_array<wide_on_device> x(host), kept(n);
    const guarded_array<float> y(std::vector<float>(n, 1.0F)), z(n);
    const guarded_array<std::uint32_t> count(1);
    const auto refused = [&](const char* function, const auto& call) {
        fixture::expect_error(function, "type wide_on_device", "its size on the device is not the host's 12 bytes",
                              call);
    };
    refused("reduce", [&] { upsweep::reduce(queue(), upsweep::transform<float>("a.x", x.view()), 0.0F); });
    refused("count_if", [&] { upsweep::count_if(queue(), host.begin(), host.end(), "a.x > 0"); });
    refused("transform_reduce",
            [&] { upsweep::transform_reduce(queue(), host.begin(), host.end(), 0.0F, upsweep::plus{}, "a.x"); });
    refused("copy_if", [&] { upsweep::copy_if(queue(), x.view(), kept.view(), count.view(), "a.x > 0"); });
    refused("unique", [&] { upsweep::unique(queue(), x.view(), kept.view(), count.view(), "left.x == right.x"); });
    refused("inclusive_scan", [&] {
        upsweep::inclusive_scan(queue(), upsweep::keyed(y.view(), x.view(), "left.x == right.x"), z.view());
    });
    refused("reduce",
            [&] { upsweep::reduce(queue(), upsweep::transform<float>("t[i].x", n).with("t", x.view()), 0.0F); });
    refused("reduce",
            [&] { upsweep::reduce(queue(), upsweep::transform<float>("a * k.y", y.view()).with("k", host[0]), 0.0F); });
    refused("reduce", [&] {
        const auto op = upsweep::make_operator<float>("return left + right * t[1].x;").with("t", x.view());
        upsweep::reduce(queue(), y.view(), z.view(1), 0.0F, op);
    });
    CHECK(kept.untouched_outside(0));
    CHECK(z.untouched_outside(0));
}

TEST_CASE("parameters may have names that end as the library's own do", "[views][operators]") {
    const std::size_t n = 1000;
    const guarded_array<float> x(std::vector<float>(n, 2.0F)), ones(std::vector<float>(n, 1.0F)), result(1);
    CHECK(upsweep::reduce(queue(),
                          upsweep::transform<float>("a * x + x_0[i] + x__0", x.view())
                              .with("x", 3.0F)
                              .with("x_0", ones.view())
                              .with("x__0", 0.5F),
                          0.0F) == 7500.0F);
    CHECK(upsweep::reduce(queue(),
                          upsweep::transform<float>("table[i] + table_begin[i] + table__begin[0]", n)
                              .with("table", x.view())
                              .with("table_begin", ones.view())
                              .with("table__begin", ones.view()),
                          0.0F) == 4000.0F);
    const auto op = upsweep::make_operator<float>("return left + right + (w - w_0[0]) * w_;")
                        .with("w", 2.0F)
                        .with("w_0", x.view())
                        .with("w_", 5.0F);
    upsweep::reduce(queue(), x.view(), result.view(), 0.0F, op);
    CHECK(result.values()[0] == 2000.0F);
    for (const char* word : {"kernel", "__global", "float", "while"})
        fixture::expect_error("reduce", std::string("parameter \"") + word + "\"", "a word of OpenCL C", [&] {
            upsweep::reduce(queue(), upsweep::transform<float>("a", x.view()).with(word, 1.0F), 0.0F);
        });
}

TEST_CASE("types whose definitions have another type's stand beside it", "[views]") {
    const std::size_t n = 300;
    const guarded_array<outer_pair> x(std::vector<outer_pair>(n, {{1, 2}, 3}));
    const guarded_array<inner_pair> sums(n);
    const auto plus =
        upsweep::make_operator<inner_pair>("inner_pair r = {left.a + right.a, left.b + right.b}; return r;");
    upsweep::inclusive_scan(queue(), upsweep::transform<inner_pair>("a.pair", x.view()), sums.view(), plus);
    CHECK(sums.values()[n - 1].b == 600);

    using both = upsweep::extrema<float>;
    const std::vector<float> values = test::make_input<float>(n, 3);
    const guarded_array<float> all(values);
    const guarded_array<both> found(1);
    upsweep::minmax_element(queue(), all.view(), found.view());
    const auto least = upsweep::make_operator<upsweep::extremum<float>>("return left;");
    const guarded_array<upsweep::extremum<float>> first(1);
    upsweep::reduce(queue(), upsweep::transform<upsweep::extremum<float>>("a.smallest", found.view()), first.view(),
                    upsweep::no_init, least);
    CHECK(first.values()[0].index == found.values()[0].smallest.index);
}

TEST_CASE("rows and columns of counted elements may be further apart than 64 bits count in all", "[views]") {
    using place = std::uint64_t;
    const auto all = upsweep::counting<place>((std::numeric_limits<place>::max)());
    const guarded_array<place> sums(8, 1);
    const place far = place{1} << 61;
    upsweep::reduce(queue(), upsweep::rows(all, 8, 5, far), sums.view());
    std::vector<place> expected;
    for (place row = 0; row < 8; ++row) expected.push_back(5 * row * far + 10);
    CHECK(sums.values() == expected);
    const guarded_array<place> down(4, 1);
    if (!test::limits().rusticl.empty()) return; // it is refused there
    upsweep::reduce(queue(), upsweep::columns(all, 3, 4, 2 * far), down.view());
    expected.clear();
    for (place column = 0; column < 4; ++column) expected.push_back(3 * column + 3 * 2 * far);
    CHECK(down.values() == expected);
}

TEST_CASE("more elements than an index of 64 bits counts are named so", "[extremes][errors]") {
    using place = std::uint64_t;
    const auto all = upsweep::counting<place>((std::numeric_limits<place>::max)());
    const guarded_array<upsweep::extremum<place>> result(1);
    fixture::expect_error("max_element", "result", "more than an index of 64 bits counts",
                          [&] { upsweep::max_element(queue(), all, result.view()); });
}
