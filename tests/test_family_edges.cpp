// SPDX-License-Identifier: MIT
// Faults that were found at the edges of the family: plans for more than 2^31 elements, arrays that begin anywhere
// behind counted views, rows far apart, and mistakes that a plan or a later step did not see.
#include "device_fixture.hpp"
#include "internals.hpp"
#include "support.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace detail = upsweep::detail;
using fixture::expect_error;
using test::guarded_array;
using test::queue;
using upsweep::first;
using upsweep::span;

namespace {

std::vector<int> one_to(std::size_t n) {
    std::vector<int> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<int>(i) + 1;
    return x;
}

} // namespace

TEST_CASE("a partition whose places take 64 bits has a count of 32 bits, wherever that lies", "[select]") {
    const std::size_t n = 1000, capacity = (std::size_t{1} << 31) + 1;
    const upsweep::partition_plan<int> plan(queue(), capacity, "a % 2 == 0");
    const guarded_array<int> in(one_to(n));
    std::vector<int> expected;
    for (int i = 2; i <= 1000; i += 2) expected.push_back(i);
    for (int i = 1; i <= 1000; i += 2) expected.push_back(i);
    for (const std::size_t before : {66, 67}) {
        const guarded_array<int> out(n);
        const guarded_array<std::uint32_t> count(std::vector<std::uint32_t>{1500}, before);
        plan.partition(queue(), in.view(), out.view(), count.view());
        CHECK(count.values()[0] == 500);
        CHECK(count.untouched_outside(1));
        CHECK(out.values() == expected);
        CHECK(out.untouched_outside(n));
    }
}

TEST_CASE("arrays behind counted views are no more aligned than they are", "[views]") {
    const std::size_t n = 5000;
    const std::vector<int> numbers = one_to(n);
    const guarded_array<std::uint32_t> count(std::vector<std::uint32_t>{4321});
    const auto parametrised = upsweep::make_operator<int>("return left + right + z;").with("z", 0);
    for (const std::size_t guard : {64, 65, 66, 67}) {
        const guarded_array<int> in(numbers, guard), out(n, 64), sums(n, 64);
        detail::call_arguments a;
        const detail::computed_input counted = first(in.view(), count.view()).input();
        const upsweep::wait_list none;
        a.function = "inclusive_scan";
        a.queue = queue()();
        a.computed = &counted;
        a.in = {nullptr, n, 0, sizeof(int)};
        a.out = detail::untyped(out.view());
        a.value_name = "int";
        a.after = &none;
        const detail::checked_call call = detail::check_arguments(a, detail::inspect_queue("f", queue()()));
        CHECK(detail::is_aligned(a, call) == (guard % 4 == 0));

        upsweep::inclusive_scan(queue(), first(in.view(), count.view()), out.view());
        upsweep::inclusive_scan(queue(), in.view(), sums.view(), parametrised);
        for (std::size_t i = 0; i < 4321; ++i) REQUIRE(out.values()[i] == static_cast<int>((i + 1) * (i + 2) / 2));
        CHECK(out.untouched_outside(4321));
        CHECK(sums.values()[n - 1] == static_cast<int>(n * (n + 1) / 2));
        CHECK(sums.untouched_outside(n));
    }
}

TEST_CASE("rows may be further apart than 32 bits count", "[views]") {
    const std::size_t height = 3, width = 100;
    for (const std::uint64_t pitch : {std::uint64_t{1000}, std::uint64_t{1} << 31, (std::uint64_t{1} << 38) + 12345}) {
        CAPTURE(pitch);
        const guarded_array<std::uint64_t> out(height), down(width);
        const auto all = upsweep::counting<std::uint64_t>(static_cast<std::size_t>(pitch * height));
        upsweep::reduce(queue(), upsweep::rows(all, height, width, static_cast<std::size_t>(pitch)), out.view(), 0U);
        upsweep::reduce(queue(), upsweep::columns(all, height, width, static_cast<std::size_t>(pitch)), down.view(),
                        0U);
        for (std::size_t r = 0; r < height; ++r) CHECK(out.values()[r] == r * pitch * width + width * (width - 1) / 2);
        for (std::size_t c = 0; c < width; ++c) CHECK(down.values()[c] == 3 * pitch + height * c);
    }
}

TEST_CASE("a number of elements on the device is refused where it would be dropped", "[views][errors]") {
    const guarded_array<int> x(one_to(10)), out(10);
    const guarded_array<std::uint32_t> three(std::vector<std::uint32_t>{3}), count(1);
    const auto counted = first(x.view(), three.view());
    expect_error("first", "input", "on the device already", [&] { first(counted, three.view()); });
    expect_error("first", "input", "on the device already",
                 [&] { first(upsweep::transform<int>("a", counted), three.view()); });
    expect_error("copy_if", "choice", "without one of its own",
                 [&] { upsweep::copy_if(queue(), x.view(), out.view(), count.view(), counted); });
    expect_error("copy_if_plan", "choice", "without one of its own",
                 [&] { upsweep::copy_if_plan<int>(queue(), 10, counted); });
    const std::string cause = "cannot be cut into segments";
    expect_error("segmented_reduce_plan", "input", cause,
                 [&] { upsweep::make_reduce_plan(queue(), upsweep::rows(counted, 2, 5)); });
    expect_error("segmented_scan_plan", "input", cause,
                 [&] { upsweep::make_scan_plan(queue(), upsweep::keyed(counted, x.view())); });
    CHECK(out.untouched_outside(0));
    CHECK(count.untouched_outside(0));
}

TEST_CASE("outputs of accumulate_in overlap neither the number of elements nor the initial value", "[views][errors]") {
    const guarded_array<std::uint32_t> x(std::vector<std::uint32_t>(8, 1)), y(std::vector<std::uint32_t>(8, 5));
    const guarded_array<std::uint64_t> wide(std::vector<std::uint64_t>(8, 5));
    const span<std::uint32_t> count = y.view(1), out = y.view();
    expect_error("inclusive_scan", "output", "overlaps the number of elements", [&] {
        upsweep::inclusive_scan(queue(), first(x.view(), count), upsweep::accumulate_in<std::uint64_t>(out));
    });
    expect_error("exclusive_scan", "output", "overlaps the initial value", [&] {
        upsweep::exclusive_scan(queue(), x.view(), upsweep::accumulate_in<std::uint32_t>(wide.view()),
                                upsweep::from(span<std::uint32_t>(wide.view().buffer(), 1, wide.view().byte_offset())));
    });
    CHECK(y.values() == std::vector<std::uint32_t>(8, 5));
    CHECK(wide.values() == std::vector<std::uint64_t>(8, 5));
}

TEST_CASE("a selection's scratch is checked before its count is touched", "[select][errors]") {
    const std::size_t n = 1 << 16;
    const guarded_array<int> in(one_to(n)), out(n);
    const guarded_array<std::uint32_t> count(std::vector<std::uint32_t>{77}), five(std::vector<std::uint32_t>{5});
    const upsweep::options opts = fixture::small_tiles(upsweep::strategy::reduce_then_scan, 1, 64);
    const upsweep::partition_plan<int> parts(queue(), n, "a > 0", opts);
    const upsweep::copy_if_plan<int> counted(queue(), first(in.view(), five.view()), "a > 0", opts);
    REQUIRE(parts.workspace_bytes() > 0);
    const auto overlapping = [&](std::size_t bytes) { return span<unsigned char>(out.view().buffer(), bytes); };
    expect_error("partition", "workspace", "overlaps the input or the output", [&] {
        parts.partition(queue(), in.view(), out.view(), count.view(), {}, overlapping(parts.workspace_bytes()));
    });
    expect_error("copy_if", "workspace", "overlaps the input or the output", [&] {
        counted.copy_if(queue(), first(in.view(), five.view()), out.view(), count.view(), {},
                        overlapping(counted.workspace_bytes()));
    });
    queue().finish();
    CHECK(count.values()[0] == 77);
    CHECK(out.untouched_outside(0));
}

TEST_CASE("plans see what is wrong with texts and sizes when they are made", "[select][errors]") {
    const guarded_array<int> x(100);
    expect_error("copy_if_plan", "predicate", "the text is empty",
                 [&] { upsweep::copy_if_plan<int>(queue(), 100, ""); });
    expect_error("copy_if_plan", "predicate", "", [&] { upsweep::copy_if_plan<int>(queue(), 100, "a > 0 /*"); });
    expect_error("unique_plan", "equality", "the text is empty", [&] { upsweep::unique_plan<int>(queue(), 100, ""); });
    for (const std::string equal : {"", "left == right /*", "return left == right; }\n__kernel void f(void) {"})
        expect_error("segmented_scan_plan", "keys", "",
                     [&] { upsweep::make_scan_plan(queue(), upsweep::keyed(x.view(), x.view(), equal)); });
    expect_error("segmented_scan_plan", "input", "pitch 9 is less than the width 10",
                 [&] { upsweep::make_scan_plan(queue(), upsweep::rows(x.view(), 10, 10, 9)); });
    expect_error("segmented_reduce_plan", "input", "are more than the input's 100 elements",
                 [&] { upsweep::make_reduce_plan(queue(), upsweep::rows(x.view(), 11, 10)); });
}

TEST_CASE("what is kept for a context of the bindings is released", "[api]") {
    const fixture::own_context another(queue());
    const cl::Context context(test::context_of(another.queue), true);
    upsweep::release_cached(context);
    upsweep::release_cached(context());
}
