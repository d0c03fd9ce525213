// SPDX-License-Identifier: MIT
// Selections: views as inputs, host ranges, queues and events, outputs that are short, and mistakes.
#include "families.hpp"
#include "internals.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <list>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using fixture::expect_error;
using test::guarded_array;
using test::queue;
using upsweep::span;

namespace {

std::vector<int> some_numbers(std::size_t n) {
    std::vector<int> numbers = test::make_input<int>(n, 3);
    for (int& x : numbers) x &= 15;
    return numbers;
}

} // namespace

TEST_CASE("the input and the choice of a selection may be computed", "[select]") {
    const std::vector<int> a = some_numbers(5000);
    const guarded_array<int> x(a);
    const guarded_array<int> y(std::vector<int>(a.rbegin(), a.rend()));
    const guarded_array<std::uint32_t> places(a.size());
    const guarded_array<std::uint64_t> count(1);
    // The places of what is less than its counterpart.
    upsweep::copy_if(queue(), upsweep::counting<std::uint32_t>(a.size()), places.view(), count.view(),
                     upsweep::transform<float>("a < b ? 0.5f : 0.0f", x.view(), y.view()));
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] < a[a.size() - 1 - i]) expected.push_back(static_cast<std::uint32_t>(i));
    REQUIRE(count.values()[0] == expected.size());
    std::vector<std::uint32_t> found = places.values();
    found.resize(expected.size());
    CHECK(found == expected);
    // Products of neighbours in two stages, chosen by their place too, converted to the output's type.
    const guarded_array<float> products(a.size());
    upsweep::copy_if(queue(), upsweep::transform<int>("a + 1", upsweep::transform<int>("a * b", x.view(), y.view())),
                     products.view(), count.view(), "int odd = a & 1;\nreturn odd && i > 9;");
    std::vector<float> odd;
    for (std::size_t i = 10; i < a.size(); ++i)
        if (const int product = a[i] * a[a.size() - 1 - i] + 1; product % 2 == 1)
            odd.push_back(static_cast<float>(product));
    REQUIRE(count.values()[0] == odd.size());
    std::vector<float> kept = products.values();
    kept.resize(odd.size());
    CHECK(kept == odd);
    // Computed elements, which no list has, stay in order on both sides.
    const guarded_array<int> parted(a.size());
    upsweep::partition(queue(), upsweep::transform<int>("16 * a + b", x.view(), y.view()), parted.view(), count.view(),
                       "a % 3 == 0");
    std::vector<int> both;
    for (std::size_t i = 0; i < a.size(); ++i) both.push_back(16 * a[i] + a[a.size() - 1 - i]);
    std::stable_partition(both.begin(), both.end(), [](int v) { return v % 3 == 0; });
    CHECK(parted.values() == both);
}

TEST_CASE("selections of host ranges", "[select]") {
    const std::vector<int> input = some_numbers(3001);
    const auto is_small = [](int x) { return x < 5; };
    std::vector<int> expected, out;
    std::copy_if(input.begin(), input.end(), std::back_inserter(expected), is_small);
    upsweep::copy_if(queue(), input.begin(), input.end(), std::back_inserter(out), "a < 5");
    CHECK(out == expected);
    std::vector<int> same = input;
    same.erase(upsweep::copy_if(queue(), same.begin(), same.end(), same.begin(), "a < 5"), same.end());
    CHECK(same == expected);

    std::vector<int> parted = input;
    expected = input;
    const auto middle = std::stable_partition(expected.begin(), expected.end(), is_small);
    CHECK(upsweep::partition(queue(), parted.begin(), parted.end(), parted.begin(), "a < 5") - parted.begin() ==
          middle - expected.begin());
    CHECK(parted == expected);

    std::list<double> firsts;
    upsweep::unique(queue(), input.begin(), input.end(), std::back_inserter(firsts), "left / 4 == right / 4");
    std::vector<int> runs;
    std::unique_copy(input.begin(), input.end(), std::back_inserter(runs), [](int a, int b) { return a / 4 == b / 4; });
    CHECK(std::equal(firsts.begin(), firsts.end(), runs.begin(), runs.end()));

    std::istringstream text("aaabccccd");
    std::string letters;
    std::vector<short> lengths;
    upsweep::run_length_encode(queue(), std::istreambuf_iterator<char>(text), {}, std::back_inserter(letters),
                               std::back_inserter(lengths));
    CHECK(letters == "abcd");
    CHECK(lengths == std::vector<short>{3, 1, 4, 1});

    out.clear();
    const int* const none = nullptr;
    upsweep::copy_if(queue(), none, none, std::back_inserter(out), "a < 5");
    CHECK(upsweep::partition(queue(), none, none, out.begin(), "a < 5") == out.begin());
    CHECK(out.empty());
}

TEST_CASE("what has no room in a selection's output is counted, but not written", "[select]") {
    const std::vector<int> input = some_numbers(1000);
    const guarded_array<int> in(input);
    const guarded_array<int> out(1000);
    const guarded_array<std::uint8_t> lengths(1000);
    const guarded_array<std::uint32_t> count(1);
    upsweep::copy_if(queue(), in.view(), out.view(7), count.view(), "a < 8");
    CHECK(count.values()[0] ==
          static_cast<std::uint32_t>(std::count_if(input.begin(), input.end(), [](int x) { return x < 8; })));
    CHECK(out.untouched_outside(7));
    upsweep::copy_if(queue(), upsweep::transform<int>("a + 1", in.view()), out.view(7), count.view(), "a < 9");
    CHECK(out.untouched_outside(7));
    upsweep::copy_if(queue(), in.view(), span<int>(), count.view(), "a < 8");
    CHECK(count.values()[0] > 7);
    upsweep::run_length_encode(queue(), in.view(), out.view(7), lengths.view(5), count.view());
    CHECK(count.values()[0] > 7);
    CHECK(out.untouched_outside(7));
    CHECK(lengths.untouched_outside(5));
}

TEST_CASE("a selection from nothing writes its count, after what it waits for", "[select]") {
    const guarded_array<int> out(1);
    const guarded_array<std::uint64_t> count(1);
    cl_int status = CL_SUCCESS;
    const cl::Event gate(clCreateUserEvent(test::context_of(queue()), &status));
    REQUIRE(status == CL_SUCCESS);
    const cl::Event done =
        upsweep::partition(queue(), span<int>(), out.view(0), count.view(), "a", upsweep::after({gate}));
    CHECK(done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
    clSetUserEventStatus(gate(), CL_COMPLETE);
    done.wait();
    CHECK(count.values()[0] == 0);
    CHECK(count.untouched_outside(1));
    CHECK(out.untouched_outside(0));
    upsweep::run_length_encode(queue(), span<int>(), out.view(), span<std::uint32_t>(), count.view());
    CHECK(count.values()[0] == 0);
}

TEST_CASE("selections on queues out of order, with and without events", "[select]") {
    const std::vector<int> input = some_numbers(20000);
    const guarded_array<int> in(input);
    const guarded_array<int> out(input.size());
    const guarded_array<std::uint64_t> count(1);
    std::vector<int> expected = input;
    std::stable_partition(expected.begin(), expected.end(), [](int x) { return x > 3; });
    const cl::CommandQueue others =
        fixture::has_out_of_order(queue()) ? fixture::out_of_order_queue(queue()) : cl::CommandQueue();
    if (others()) {
        const cl::Event done = upsweep::partition(others, in.view(), out.view(), count.view(), "a > 3");
        REQUIRE(done());
        done.wait();
        CHECK(out.values() == expected);
        upsweep::partition(others, out.view(), span<int>(in.view()), count.view(), "a > 3", upsweep::after({done}))
            .wait();
        CHECK(in.values() == expected);
    }
    CHECK_FALSE(upsweep::partition(queue(), in.view(), out.view(), count.view(), "a > 3", upsweep::without_event())());
    CHECK(out.values() == expected);
}

TEST_CASE("outputs of host ranges may be of bool", "[select]") {
    const std::vector<int> in{0, 0, 3, 4, 0, 1};
    std::vector<bool> chosen(6), lengths(6), sums(6);
    const auto end = upsweep::copy_if(queue(), in.begin(), in.end(), chosen.begin(), "a != 3");
    CHECK(std::vector<bool>(chosen.begin(), end) == std::vector<bool>{false, false, true, false, true});
    const auto ends = upsweep::run_length_encode(queue(), in.begin(), in.end(), chosen.begin(), lengths.begin());
    CHECK(std::vector<bool>(chosen.begin(), ends.first) == std::vector<bool>{false, true, true, false, true});
    CHECK(std::vector<bool>(lengths.begin(), ends.second) == std::vector<bool>(5, true));
    upsweep::exclusive_scan(queue(), in.begin(), in.end(), sums.begin(), 0);
    CHECK(sums == std::vector<bool>{false, false, false, true, true, true});
}

TEST_CASE("places of 64 bits", "[select]") {
    // As for more than 2^31 elements.
    const std::vector<int> input = some_numbers(3000);
    const guarded_array<int> in(input);
    const guarded_array<int> out(input.size());
    const guarded_array<std::uint64_t> lengths(input.size());
    const guarded_array<std::uint64_t> count(1);
    namespace detail = upsweep::detail;
    const upsweep::wait_list after;
    detail::device_selection parts("f", queue(), count.view(), after);
    parts.mark(in.view(), "a < 5").keep(in.view(), out.view(), "output").run(detail::selection::partition, {}, true);
    std::vector<int> expected = input;
    std::stable_partition(expected.begin(), expected.end(), [](int x) { return x < 5; });
    CHECK(out.values() == expected);
    detail::device_selection runs("f", queue(), count.view(), after);
    runs.mark_runs(in.view(), "left == right").keep(in.view(), out.view(), "output").lengths(lengths.view());
    runs.run(detail::selection::run_length_encode, {}, true);
    std::vector<int> again;
    for (std::size_t i = 0; i < count.values()[0]; ++i)
        again.insert(again.end(), static_cast<std::size_t>(lengths.values()[i]), out.values()[i]);
    CHECK(again == input);
}

TEST_CASE("mistakes in a selection are named", "[select][errors]") {
    const guarded_array<int> in(std::vector<int>(100, 1));
    const guarded_array<int> out(100);
    const guarded_array<std::uint32_t> count(1);
    const auto copy = [&](const upsweep::choice& which) {
        upsweep::copy_if(queue(), in.view(), out.view(), count.view(), which);
    };
    expect_error("copy_if", "predicate", "predicate:2", [&] { copy("int x = a;\nreturn mistake > x;"); });
    expect_error("copy_if", "predicate", "the text is empty", [&] { copy(" /* a > 1 */ "); });
    expect_error("copy_if", "predicate", "line 1: '}' closes nothing",
                 [&] { copy("a > 1; } int f(void) { return 1"); });
    expect_error("copy_if", "choice", "choice:1", [&] { copy(upsweep::transform<int>("a.mistake", in.view())); });
    expect_error("copy_if", "choice", "99 elements, but 100 of the input", [&] { copy(in.view(99)); });
    expect_error("copy_if", "input", "line 1: '}' closes nothing", [&] {
        upsweep::copy_if(queue(), upsweep::transform<int>("a; }", in.view()), out.view(), count.view(), in.view());
    });
    expect_error("copy_if", "choice a", "null handle", [&] { copy(span<int>(cl_mem{}, 100)); });
    expect_error("copy_if", "input a", "null handle",
                 [&] { upsweep::copy_if(queue(), span<int>(cl_mem{}, 100), out.view(), count.view(), "a"); });
    expect_error("copy_if", "count", "1 are needed",
                 [&] { upsweep::copy_if(queue(), in.view(), out.view(), count.view(0), "a"); });
    expect_error("copy_if", "output", "overlaps the input",
                 [&] { upsweep::copy_if(queue(), in.view(), in.view(), count.view(), "a"); });
    expect_error("copy_if", "output", "overlaps the choice", [&] {
        upsweep::copy_if(queue(), in.view(), in.view(50), count.view(), upsweep::transform<int>("a", in.view()));
    });
    const guarded_array<int> flags(std::vector<int>(100, 1));
    expect_error("copy_if", "output", "overlaps the input a",
                 [&] { upsweep::copy_if(queue(), in.view(), in.view(), count.view(), flags.view()); });
    expect_error("copy_if", "output", "overlaps the choice",
                 [&] { upsweep::copy_if(queue(), in.view(), flags.view(), count.view(), flags.view()); });
    const span<std::uint32_t> inside(out.view().buffer(), 1, out.view().byte_offset());
    expect_error("partition", "count", "overlaps the output",
                 [&] { upsweep::partition(queue(), in.view(), out.view(), inside, "a"); });
    expect_error("partition", "output", "99 elements, but 100 are needed",
                 [&] { upsweep::partition(queue(), in.view(), out.view(99), count.view(), "a"); });
    expect_error("unique", "equality", "equality:1",
                 [&] { upsweep::unique(queue(), in.view(), out.view(), count.view(), "left.x == right.x"); });
    expect_error("unique_by_key", "values", "values:1", [&] {
        upsweep::unique_by_key(queue(), in.view(), upsweep::transform<int>("a.mistake", in.view()), out.view(),
                               flags.view(), count.view());
    });
    expect_error("unique_by_key", "values", "99 elements, but 100 of the keys", [&] {
        upsweep::unique_by_key(queue(), in.view(), flags.view(99), out.view(), flags.view(), count.view());
    });
    expect_error("run_length_encode", "lengths", "overlaps the output", [&] {
        upsweep::run_length_encode(queue(), in.view(), out.view(), span<std::int32_t>(out.view()), count.view());
    });
    upsweep::options opts;
    opts.strategy = upsweep::strategy::scan_then_propagate;
    expect_error("copy_if", "options", "stores results twice",
                 [&] { upsweep::copy_if(queue(), in.view(), out.view(), count.view(), "a", {}, opts); });
    const std::size_t many = (std::size_t{1} << 32) + 1;
    expect_error("copy_if", "count", "need a count of std::uint64_t",
                 [&] { upsweep::copy_if(queue(), upsweep::counting<int>(many), out.view(), count.view(), "a"); });
    queue().finish();
    CHECK(out.untouched_outside(0));
    CHECK(count.untouched_outside(0));
    CHECK(in.values() == std::vector<int>(100, 1));
}
