// SPDX-License-Identifier: MIT
// Reductions of what is computed, and results that are returned to the host, against <numeric> and <algorithm>.
#include "canonical.hpp"
#include "device_fixture.hpp"
#include "families.hpp"

#include <algorithm>
#include <cstdint>
#include <list>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using test::guarded_array;
using test::queue;
using upsweep::span;

TEST_CASE("a reduction of what is computed has the bits of that of an array", "[views]") {
    for (const std::size_t n : {0, 1, 129, 30001}) {
        const std::vector<float> a = test::numbers<float>(n, 1);
        const std::vector<float> b = test::numbers<float>(n, 2);
        const guarded_array<float> x(a);
        const guarded_array<float> y(b);
        std::vector<float> products, squares;
        for (std::size_t i = 0; i < n; ++i) {
            products.push_back(a[i] * b[i]);
            squares.push_back(a[i] * a[i]);
        }
        const auto sum_of = [](const std::vector<float>& all, const auto& init) {
            return upsweep::reference::reduce(all.begin(), all.end(), init, std::plus<>{});
        };
        const auto is = [](float value, float expected) { return test::same_bits<float>({value}, {expected}); };
        const guarded_array<float> result(1);
        upsweep::transform_reduce(queue(), x.view(), y.view(), result.view(), 0.5F);
        CHECK(is(result.values()[0], sum_of(products, 0.5F)));
        upsweep::transform_reduce(queue(), x.view(), result.view(), upsweep::no_init, upsweep::plus{}, "a * a");
        CHECK(is(result.values()[0], sum_of(squares, upsweep::no_init)));
        CHECK(result.untouched_outside(1));
        // On the host: the same programs.
        CHECK(is(upsweep::transform_reduce(queue(), a.begin(), a.end(), b.begin(), 0.5F), sum_of(products, 0.5F)));
        const std::list<float> list(a.begin(), a.end());
        CHECK(is(upsweep::transform_reduce(queue(), list.begin(), list.end(), 2.0F, upsweep::plus{}, "a * a"),
                 sum_of(squares, 2.0F)));
    }
}

TEST_CASE("elements are counted in the type of the count, whatever the test's type", "[views]") {
    for (const std::size_t n : {0, 1, 1000, 70001}) {
        const std::vector<std::int8_t> in = test::make_input<std::int8_t>(n, 3);
        const guarded_array<std::int8_t> x(in);
        const auto expected = std::count_if(in.begin(), in.end(), [](int a) { return (a & 0x40) != 0; });
        const guarded_array<std::uint32_t> count(1);
        upsweep::count_if(queue(), x.view(), count.view(), "a & 0x40");
        CHECK(count.values()[0] == static_cast<std::uint32_t>(expected));
        CHECK(count.untouched_outside(1));
        CHECK(upsweep::count_if(queue(), x.view(), "a & 0x40") == static_cast<std::uint64_t>(expected));
        CHECK(upsweep::count_if(queue(), in.begin(), in.end(), "a & 0x40") == expected);
        // Half of a float is true, too; statements; places.
        const auto halves = upsweep::transform<float>("(float)(i % 2) / 2", n);
        CHECK(upsweep::count_if(queue(), halves, "if (i == 0) return 0;\nreturn a;") == n / 2);
    }
}

TEST_CASE("reductions return their result to the host", "[views][api]") {
    const std::vector<std::uint8_t> in = test::make_input<std::uint8_t>(5000, 4);
    const guarded_array<std::uint8_t> x(in);
    const std::uint64_t sum = std::accumulate(in.begin(), in.end(), std::uint64_t{0});
    CHECK(upsweep::reduce(queue(), x.view(), std::uint64_t{5}) == sum + 5);
    CHECK(upsweep::reduce(queue(), x.view()) == static_cast<std::uint8_t>(sum));
    CHECK(upsweep::reduce(queue(), span<const std::uint8_t>(x.view()), upsweep::no_init, upsweep::maximum{}) ==
          *std::max_element(in.begin(), in.end()));
    CHECK(upsweep::reduce(queue(), upsweep::transform<std::uint64_t>("a + 1", x.view())) == sum + 5000);
    CHECK(upsweep::reduce(queue(), upsweep::counting<std::uint32_t>(100), std::uint64_t{1}, upsweep::maximum{}) == 99);
    CHECK(upsweep::reduce(queue(), upsweep::counting<std::uint32_t>(0), 7, upsweep::plus{}) == 7);
    CHECK(upsweep::reduce(queue(), span<std::uint8_t>()) == 0);
    CHECK(upsweep::reduce(queue(), x.view(), std::uint64_t{5}, upsweep::plus{}, upsweep::without_event()) == sum + 5);
    // What it waits for, on a queue that is out of order.
    const auto free = fixture::out_of_order_queue(queue());
    const guarded_array<std::uint32_t> places(60000);
    for (int i = 0; i < 3; ++i) {
        const cl::Event filled =
            upsweep::inclusive_scan(free, upsweep::counting<std::uint32_t>(60000), places.view(), upsweep::plus{});
        CHECK(upsweep::reduce(free, places.view(), 0U, upsweep::maximum{}, upsweep::after({filled}).without_event()) ==
              60000U * 59999U / 2);
    }
}

TEST_CASE("mistakes in reductions of what is computed are named", "[errors]") {
    using fixture::expect_error;
    const guarded_array<int> x(100);
    const guarded_array<int> result(1);
    const std::vector<int> in(10, 1);
    expect_error("transform_reduce", "input", "load:1", [&] {
        upsweep::transform_reduce(queue(), x.view(), result.view(), 0, upsweep::plus{}, "a + mistake");
    });
    expect_error("transform_reduce", "input b", "50 elements, but input a has 100",
                 [&] { upsweep::transform_reduce(queue(), x.view(), x.view(50), result.view(), 0); });
    expect_error("count_if", "input", "load:2", [&] { upsweep::count_if(queue(), x.view(), "a +\nmistake"); });
    expect_error("count_if", "input", "the text is empty",
                 [&] { upsweep::count_if(queue(), in.begin(), in.end(), " "); });
    expect_error("count_if", "result", "overlaps the input",
                 [&] { upsweep::count_if(queue(), x.view(), x.view(1), "a"); });
    expect_error("reduce", "input", "null handle", [&] { upsweep::reduce(queue(), span<int>(cl_mem{}, 3), 0); });
    expect_error("transform_reduce", "queue", "null handle",
                 [&] { upsweep::transform_reduce(cl_command_queue{}, in.begin(), in.end(), in.begin(), 0); });
    queue().finish();
    CHECK(result.untouched_outside(0));
}

TEST_CASE("texts of calls may be views of strings", "[views][select]") {
    const std::vector<int> numbers = test::make_input<int>(1000, 3);
    const guarded_array<int> x(numbers), kept(numbers.size());
    const guarded_array<std::uint32_t> count(1);
    const std::string_view text = "a % 3 == 0 and more";
    const std::string_view predicate = text.substr(0, 10);
    const auto expected = std::count_if(numbers.begin(), numbers.end(), [](int a) { return a % 3 == 0; });
    CHECK(upsweep::count_if(queue(), numbers.begin(), numbers.end(), predicate) == expected);
    CHECK(upsweep::count_if(queue(), x.view(), predicate) == static_cast<std::uint64_t>(expected));
    const upsweep::count_if_plan<int> plan(queue(), 1000, predicate);
    upsweep::copy_if(queue(), x.view(), kept.view(), count.view(), predicate);
    CHECK(count.values()[0] == static_cast<std::uint32_t>(expected));
    const auto marks = upsweep::transform<int>(predicate, x.view());
    CHECK(upsweep::reduce(queue(), marks, 0) == static_cast<int>(expected));
    upsweep::unique(queue(), marks, kept.view(), count.view(), std::string_view("left == right"));
    std::vector<bool> runs;
    for (const int a : numbers)
        if (runs.empty() || runs.back() != (a % 3 == 0)) runs.push_back(a % 3 == 0);
    CHECK(count.values()[0] == runs.size());
}
