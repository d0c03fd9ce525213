// SPDX-License-Identifier: MIT
// Plans of searches for extremes and of counts. Their results for more types, options and views: tests/fuzz.
#include "device_fixture.hpp"
#include "families.hpp"
#include "plan_scratch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using fixture::expect_error;
using fixture::programs_built;
using test::guarded_array;
using test::queue;
using upsweep::extrema;
using upsweep::extremum;
using upsweep::span;
using number = std::int32_t;

namespace {

constexpr std::size_t capacity = 5000;

/// Where <algorithm> finds the extremes of the first n of numbers.
template <class Index>
void check_place(const extremum<number, Index>& found, const std::vector<number>& numbers, std::size_t n,
                 std::vector<number>::const_iterator expected) {
    CHECK(found.index == (n == 0 ? found.none : static_cast<Index>(expected - numbers.begin())));
    CHECK(found.value == (n == 0 ? 0 : *expected));
}

} // namespace

TEST_CASE("plans of extremes and counts serve every size up to their capacity, in scratch of the caller's", "[views]") {
    const std::vector<number> numbers = test::make_input<number>(capacity, 3);
    const guarded_array<number> in(numbers, 1);
    for (const upsweep::options& opts : test::families()) {
        if (opts.strategy == upsweep::strategy::scan_then_propagate) continue;
        INFO(opts.strategy << ", " << opts.algorithm);
        const upsweep::min_element_plan<number> least(queue(), capacity, opts);
        const upsweep::max_element_plan<number> most(queue(), capacity, opts);
        const upsweep::minmax_element_plan<number, std::uint32_t> both(queue(), capacity, opts);
        const upsweep::count_if_plan<number, std::uint32_t> positive(queue(), capacity, "a > 0", opts);
        CHECK(positive.capacity() == capacity);
        CHECK(positive.launches().n == capacity);
        CHECK(positive.launches(capacity / 2).n == capacity / 2);
        const test::plan_scratch a(least);
        const test::plan_scratch b(most);
        const test::plan_scratch c(both);
        const test::plan_scratch d(positive);
        for (const std::size_t n : {capacity, std::size_t{0}, std::size_t{1}, capacity / 2, capacity - 1}) {
            INFO("n = " << n);
            const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(n);
            const guarded_array<extremum<number>> smallest(1, 2), largest(1, 2);
            const guarded_array<extrema<number, std::uint32_t>> pair(1, 1);
            const guarded_array<std::uint32_t> count(1, 3);
            least.min_element(queue(), in.view(n), smallest.view(), {}, a.workspace());
            most.max_element(queue(), in.view(n), largest.view(), {}, b.workspace());
            both.minmax_element(queue(), in.view(n), pair.view(), {}, c.workspace());
            positive.count_if(queue(), in.view(n), count.view(), {}, d.workspace());
            check_place(smallest.values()[0], numbers, n, std::min_element(numbers.begin(), end));
            check_place(largest.values()[0], numbers, n, std::max_element(numbers.begin(), end));
            check_place(pair.values()[0].smallest, numbers, n, std::min_element(numbers.begin(), end));
            check_place(pair.values()[0].largest, numbers, n, std::max_element(numbers.begin(), end));
            const auto expected = std::count_if(numbers.begin(), end, [](number x) { return x > 0; });
            CHECK(count.values()[0] == static_cast<std::uint32_t>(expected));
            CHECK((smallest.untouched_outside(1) && largest.untouched_outside(1)));
            CHECK((pair.untouched_outside(1) && count.untouched_outside(1)));
        }
        CHECK((a.is_intact_behind() && b.is_intact_behind() && c.is_intact_behind() && d.is_intact_behind()));
    }
}

TEST_CASE("plans of extremes and counts are made for views of any arrays, and build nothing in calls", "[views]") {
    const guarded_array<number> in(test::make_input<number>(capacity, 3)), other(std::vector<number>(capacity, 7));
    // A text of its own, so that no other test has built the programs.
    const auto halves = [](const span<const number>& a) { return upsweep::transform<number>("a / 2 + 88880", a); };
    const span<const number> none(nullptr, capacity);
    const upsweep::max_element_plan<number> most(queue(), halves(none));
    const upsweep::count_if_plan<number> even(queue(), halves(none), "a % 2 == 0");
    const guarded_array<extremum<number>> found(1);
    const guarded_array<std::uint64_t> count(1);
    const std::uint64_t before = programs_built();
    for (const guarded_array<number>* array : {&in, &other}) {
        std::vector<number> expected = array->values();
        for (number& x : expected) x = x / 2 + 88880;
        most.max_element(queue(), halves(array->view()), found.view());
        even.count_if(queue(), halves(array->view()), count.view());
        const auto largest = std::max_element(expected.begin(), expected.end());
        check_place(found.values()[0], expected, capacity, largest);
        const auto evens = std::count_if(expected.begin(), expected.end(), [](number x) { return x % 2 == 0; });
        CHECK(count.values()[0] == static_cast<std::uint64_t>(evens));
    }
    CHECK(programs_built() == before);
}

TEST_CASE("mistakes in calls of plans of extremes and counts are named", "[errors]") {
    const guarded_array<number> in(test::make_input<number>(capacity + 1, 3));
    const guarded_array<extremum<number>> found(1);
    const guarded_array<std::uint64_t> count(1);
    const fixture::own_context another(queue());
    const upsweep::min_element_plan<number> least(queue(), capacity,
                                                  fixture::small_tiles(upsweep::strategy::reduce_then_scan, 1, 8));
    const upsweep::count_if_plan<number> positive(queue(), capacity, "a > 0");
    expect_error("min_element", "input", "5001 elements are more than the plan's 5000",
                 [&] { least.min_element(queue(), in.view(), found.view()); });
    expect_error("min_element", "input", "another text than the plan was made for", [&] {
        least.min_element(queue(), upsweep::transform<number>("-a", in.view(capacity)), found.view());
    });
    expect_error("min_element", "queue", "of another context or device",
                 [&] { least.min_element(another.queue, in.view(capacity), found.view()); });
    expect_error("min_element", "result", "must have room for one element",
                 [&] { least.min_element(queue(), in.view(capacity), found.view(0)); });
    REQUIRE(least.workspace_bytes() > 0);
    const guarded_array<unsigned char> scratch(least.workspace_bytes(), 0);
    expect_error("min_element", "workspace", "bytes are less than the", [&] {
        least.min_element(queue(), in.view(capacity), found.view(), {}, scratch.view(least.workspace_bytes() - 1));
    });
    expect_error("count_if", "result", "overlaps the input", [&] {
        const span<number> all = in.view(capacity);
        positive.count_if(queue(), all, span<std::uint64_t>(all.buffer(), 1, 800));
    });
    expect_error("count_if_plan", "input", "the text is empty",
                 [&] { upsweep::count_if_plan<number>(queue(), capacity, ""); });
    expect_error("max_element_plan", "result", "4294967295 elements need an index of 64 bits",
                 [&] { upsweep::max_element_plan<number, std::uint32_t>(queue(), std::size_t{0xffffffffU}); });
    CHECK((found.untouched_outside(0) && count.untouched_outside(0)));
}

TEST_CASE("calls of plans of extremes and counts take braces for their arrays", "[views]") {
    const guarded_array<number> in(std::vector<number>{3, -1, 4, -1, 5});
    const guarded_array<extremum<number>> found(1);
    const guarded_array<extrema<number>> both(1);
    const guarded_array<std::uint64_t> count(1);
    const cl_mem x = in.view().buffer();
    const std::size_t at = in.view().byte_offset();
    const upsweep::min_element_plan<number> least(queue(), 5);
    least.min_element(queue(), {x, 5, at}, found.view());
    CHECK(found.values()[0].index == 1);
    const upsweep::max_element_plan<number> most(queue(), 5);
    most.max_element(queue(), {x, 5, at}, found.view());
    CHECK(found.values()[0].index == 4);
    const upsweep::minmax_element_plan<number> pair(queue(), 5);
    pair.minmax_element(queue(), {x, 4, at}, both.view());
    CHECK(both.values()[0].largest.index == 2);
    const upsweep::count_if_plan<number> positive(queue(), 5, "a > 0");
    positive.count_if(queue(), {x, 5, at}, count.view());
    CHECK(count.values()[0] == 3);
}
