// SPDX-License-Identifier: MIT
// Scans that also give their total, in every kernel family.
#include "canonical.hpp"
#include "device_fixture.hpp"
#include "families.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using test::guarded_array;
using test::queue;

namespace {

template <class T>
void check_total(std::size_t n, const upsweep::options& opts) {
    const std::vector<T> input = test::numbers<T>(n, n + 1);
    const guarded_array<T> in(input, 5);
    const guarded_array<T> plain(n);
    const guarded_array<T> out(n, 3);
    const guarded_array<T> total(1);
    upsweep::inclusive_scan(queue(), in.view(), plain.view(), upsweep::plus{}, {}, opts);
    upsweep::inclusive_scan(queue(), in.view(), upsweep::with_total(out.view(), total.view()), upsweep::plus{}, {},
                            opts);
    CAPTURE(n, static_cast<int>(opts.strategy), opts.work_items);
    CHECK(test::same_bits(out.values(), plain.values()));
    CHECK(out.untouched_outside(n));
    CHECK(total.untouched_outside(1));
    CHECK(test::same_bits(total.values(), {n > 0 ? plain.values().back() : T{}}));
    // In place.
    upsweep::inclusive_scan(queue(), in.view(), upsweep::with_total(in.view(), total.view()), upsweep::plus{}, {},
                            opts);
    CHECK(test::same_bits(in.values(), plain.values()));
    CHECK(test::same_bits(total.values(), {n > 0 ? plain.values().back() : T{}}));
}

/// Whether scans and reductions of floats are combined in the canonical order with these options.
bool keeps_order(const upsweep::options& opts) {
    using upsweep::strategy;
    return opts.strategy == strategy::automatic || opts.strategy == strategy::reduce_then_scan ||
           opts.algorithm == upsweep::tile_algorithm::sub_group ||
           (opts.strategy == strategy::chunked && opts.work_items == 1);
}

/// An exclusive scan's total is P(n). With whole numbers, whose sums are exact, where the order is another.
template <class T>
void check_exclusive_total(std::size_t n, const upsweep::options& opts) {
    const std::vector<T> input = keeps_order(opts) ? test::numbers<T>(n, n + 1) : test::make_input<T>(n, 9);
    const T init = T{3};
    std::vector<T> expected(n);
    upsweep::reference::exclusive_scan(input.begin(), input.end(), expected.begin(), init, std::plus<>{});
    const T sum = upsweep::reference::reduce(input.begin(), input.end(), init, std::plus<>{});
    const guarded_array<T> in(input, 5);
    const guarded_array<T> out(n, 3);
    const guarded_array<T> total(1);
    CAPTURE(n, static_cast<int>(opts.strategy), opts.work_items);
    upsweep::exclusive_scan(queue(), in.view(), upsweep::with_total(out.view(), total.view()), init, upsweep::plus{},
                            {}, opts);
    CHECK(test::same_bits(out.values(), expected));
    CHECK(test::same_bits(total.values(), {sum}));
    CHECK(out.untouched_outside(n));
    CHECK(total.untouched_outside(1));
    // In place, where the total is reduced before, by kernels that other tests try in every family.
    if (opts.strategy != upsweep::strategy::automatic && opts.strategy != upsweep::strategy::chunked) return;
    const guarded_array<T> again(1);
    upsweep::exclusive_scan(queue(), in.view(), upsweep::with_total(in.view(), again.view()), init, upsweep::plus{}, {},
                            opts);
    CHECK(test::same_bits(in.values(), expected));
    CHECK(test::same_bits(again.values(), {sum}));
    CHECK(in.untouched_outside(n));
}

} // namespace

TEST_CASE("the total of a scan is its last result, in every family and around every edge", "[views]") {
    for (const std::size_t n : {0, 1, 2, 127, 128, 129, 511, 512, 513, 4096, 4097, 70001}) {
        for (const upsweep::options& opts : test::families()) check_total<float>(n, opts);
        check_total<std::int32_t>(n, {});
    }
}

TEST_CASE("the total of an exclusive scan is the reduction, in every family and around every edge", "[views]") {
    for (const std::size_t n : {0, 1, 2, 127, 128, 129, 512, 4097, 70001}) {
        for (const upsweep::options& opts : test::families()) check_exclusive_total<float>(n, opts);
        check_exclusive_total<std::int32_t>(n, {});
    }
}

TEST_CASE("the total of a large array is that of a small one", "[views]") {
    const auto check = [](auto element, auto value, const cl::CommandQueue& on) {
        using In = decltype(element);
        using Out = decltype(value);
        const std::size_t n = (upsweep::detail::total_behind_bytes + sizeof(Out)) / sizeof(Out);
        const std::vector<In> input = test::make_input<In>(n, 9);
        const std::vector<Out> values(input.begin(), input.end());
        const Out init = 3;
        std::vector<Out> expected(n);
        upsweep::reference::exclusive_scan(values.begin(), values.end(), expected.begin(), init, std::plus<>{});
        const Out sum = upsweep::reference::reduce(values.begin(), values.end(), init, std::plus<>{});
        const guarded_array<In> in(input, 1);
        const guarded_array<Out> in_place(values, 3);
        const guarded_array<Out> out(n, 2);
        const guarded_array<Out> total(1);
        const auto see = [&](const guarded_array<Out>& results, std::size_t first) {
            CHECK(std::equal(expected.begin() + static_cast<std::ptrdiff_t>(first), expected.end(),
                             results.values().begin()));
            CHECK(total.values() == std::vector<Out>{sum});
            CHECK(total.untouched_outside(1));
            CHECK(results.untouched_outside(n));
        };
        CAPTURE(n, upsweep::type<In>::name, upsweep::type<Out>::name);
        const auto to = upsweep::with_total(out.view(), total.view());
        upsweep::inclusive_scan(on, in.view(), to, upsweep::plus{}, init).wait();
        CHECK(out.values().back() == sum);
        see(out, 1);
        upsweep::exclusive_scan(on, in.view(), to, init).wait();
        see(out, 0);
        upsweep::exclusive_scan(on, in_place.view(), upsweep::with_total(in_place.view(), total.view()), init).wait();
        see(in_place, 0);
        // From an initial value on the device, behind an event.
        const guarded_array<Out> first(std::vector<Out>{init});
        cl::Event before;
        on.enqueueMarkerWithWaitList(nullptr, &before);
        upsweep::exclusive_scan(on, in.view(), to, upsweep::from(first.view()), upsweep::plus{},
                                upsweep::after({before}))
            .wait();
        see(out, 0);
        // Into what kernels must not read.
        const cl::Buffer unread(on.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_WRITE_ONLY, n * sizeof(Out));
        const auto to_unread = upsweep::with_total(upsweep::span<Out>(unread, n), total.view());
        upsweep::inclusive_scan(on, in.view(), to_unread, upsweep::plus{}, init).wait();
        CHECK(total.values() == std::vector<Out>{sum});
        upsweep::exclusive_scan(on, in.view(), to_unread, Out{0}).wait();
        CHECK(total.values() ==
              std::vector<Out>{upsweep::reference::reduce(values.begin(), values.end(), Out{0}, std::plus<>{})});
    };
    const cl::CommandQueue free = fixture::out_of_order_queue(queue());
    check(std::int32_t{}, std::int32_t{}, queue());
    check(std::uint8_t{}, std::uint32_t{}, free);
    check(float{}, float{}, queue()); // whole numbers
}

TEST_CASE("a total begins with the initial value, keeps the order of operands, and is done before the scan in place",
          "[views]") {
    const std::vector<test::segment> input = test::make_input<test::segment>(3000, 1);
    const test::segment init = test::make_init<test::segment>();
    const guarded_array<test::segment> in(input);
    const guarded_array<test::segment> out(input.size());
    const guarded_array<test::segment> total(1);
    const auto outputs = upsweep::with_total(out.view(), total.view());
    const test::segment all{init.first, input.back().last, 0};
    upsweep::inclusive_scan(queue(), in.view(), outputs, test::join_segments(), init);
    CHECK(total.values()[0] == all);
    CHECK(out.values().back() == all);
    upsweep::exclusive_scan(queue(), in.view(), outputs, init, test::join_segments());
    CHECK(total.values()[0] == all);
    CHECK(out.values()[0] == init);
    CHECK(out.values().back() == (test::segment{init.first, input.back().last - 1, 0}));
    // In place, out of order: the scan must not overwrite what is being reduced.
    const auto free = fixture::out_of_order_queue(queue());
    const auto in_place = upsweep::with_total(in.view(), total.view());
    upsweep::exclusive_scan(free, in.view(), in_place, init, test::join_segments()).wait();
    CHECK(total.values()[0] == all);
    CHECK(test::first_difference(in.values(), out.values()) == -1);
}

TEST_CASE("computed elements have a total, too", "[views]") {
    const std::vector<std::int32_t> input = test::make_input<std::int32_t>(5000, 1);
    const guarded_array<std::int32_t> in(input);
    const guarded_array<std::uint64_t> out(input.size());
    const guarded_array<std::uint64_t> total(1);
    upsweep::inclusive_scan(queue(), upsweep::transform<std::uint64_t>("(ulong)a & 255", in.view()),
                            upsweep::with_total(out.view(), total.view()));
    std::uint64_t sum = 0;
    for (const std::int32_t x : input) sum += static_cast<std::uint64_t>(x) & 255;
    CHECK(total.values()[0] == sum);
    CHECK(out.values().back() == sum);
    upsweep::exclusive_scan(queue(), upsweep::counting<std::uint64_t>(5000),
                            upsweep::with_total(out.view(), total.view()), 7);
    CHECK(total.values()[0] == 7 + 4999ULL * 5000 / 2);
    CHECK(out.values().back() == 7 + 4998ULL * 4999 / 2);
}

TEST_CASE("mistakes about a total are named", "[views][errors]") {
    using fixture::expect_error;
    const guarded_array<int> in(100);
    const guarded_array<int> out(100);
    const guarded_array<int> total(1);
    const auto scan = [&](const upsweep::span<int>& where) {
        upsweep::inclusive_scan(queue(), in.view(), upsweep::with_total(out.view(), where));
    };
    expect_error("inclusive_scan", "total", "must have room for one element", [&] { scan(total.view(0)); });
    expect_error("inclusive_scan", "total", "null handle", [&] { scan(upsweep::span<int>(cl_mem{}, 1)); });
    expect_error("inclusive_scan", "total", "overlaps the input or the output", [&] { scan(out.view(1)); });
    expect_error("inclusive_scan", "total", "overlaps the input or the output", [&] { scan(in.view(1)); });
    expect_error("exclusive_scan", "total", "overlaps the input or the output", [&] {
        const guarded_array<int> other(100);
        const auto view = upsweep::transform<int>("a + b", other.view(), in.view());
        upsweep::exclusive_scan(queue(), view, upsweep::with_total(out.view(), in.view(1)), 0);
    });
    queue().finish();
    CHECK(out.untouched_outside(0));
}

TEST_CASE("totals in a simulator", "[oclgrind][views]") {
    const std::vector<std::int32_t> input = test::make_input<std::int32_t>(70, 1);
    const auto wrapping = [](std::int32_t a, std::int32_t b) { return test::combine(a, b, upsweep::plus{}); };
    std::vector<std::int32_t> expected(input.size());
    upsweep::reference::exclusive_scan(input.begin(), input.end(), expected.begin(), 5, wrapping);
    for (const upsweep::strategy s : {upsweep::strategy::look_back, upsweep::strategy::reduce_then_scan}) {
        if (s == upsweep::strategy::look_back && !test::limits().has_atomics64) continue;
        const guarded_array<std::int32_t> in(input);
        const guarded_array<std::int32_t> out(input.size());
        const guarded_array<std::int32_t> total(1);
        upsweep::exclusive_scan(queue(), in.view(), upsweep::with_total(out.view(), total.view()), 5, upsweep::plus{},
                                {}, fixture::small_tiles(s));
        CHECK(out.values() == expected);
        CHECK(total.values()[0] == wrapping(expected.back(), input.back()));
        CHECK(out.untouched_outside(input.size()));
    }
}
