// SPDX-License-Identifier: MIT
// Plans of selections, and of scans and reductions of segments. Their results for all types, options and sizes:
// tests/fuzz.
#include "device_fixture.hpp"
#include "families.hpp"
#include "plan_scratch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

using fixture::expect_error;
using fixture::programs_built;
using test::guarded_array;
using test::queue;
using upsweep::span;
using plan_number = std::int32_t;

namespace {

constexpr std::size_t capacity = 5000;

/// Numbers in runs, and what selections make of the first n of them.
struct plan_input {
    std::vector<plan_number> all = test::make_input<plan_number>(capacity, 3);

    plan_input() {
        for (std::size_t i = 0; i < capacity; ++i) all[i] = all[i - i % 3] % 100;
    }
    std::vector<plan_number> first(std::size_t n) const {
        return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)};
    }
    template <class Keep>
    std::vector<plan_number> kept(std::size_t n, const Keep& keep) const {
        std::vector<plan_number> result;
        for (std::size_t i = 0; i < n; ++i)
            if (keep(i)) result.push_back(all[i]);
        return result;
    }
    std::vector<plan_number> positive(std::size_t n) const {
        return kept(n, [&](std::size_t i) { return all[i] > 0; });
    }
    std::vector<plan_number> parted(std::size_t n) const {
        std::vector<plan_number> result = positive(n);
        const std::vector<plan_number> others = kept(n, [&](std::size_t i) { return all[i] <= 0; });
        result.insert(result.end(), others.begin(), others.end());
        return result;
    }
    std::vector<plan_number> heads(std::size_t n) const {
        return kept(n, [&](std::size_t i) { return i == 0 || all[i] != all[i - 1]; });
    }
};

/// Room for results, and scratch.
struct plan_output : test::plan_scratch {
    using test::plan_scratch::plan_scratch;

    guarded_array<plan_number> out{capacity}, lengths{capacity};
    guarded_array<std::uint32_t> count{1};
};

/// The output has these elements, the count says so, and nothing else was written.
void check_kept(const guarded_array<plan_number>& out, const guarded_array<std::uint32_t>& count, std::size_t chosen,
                const std::vector<plan_number>& expected) {
    CHECK(count.values()[0] == chosen);
    CHECK(count.untouched_outside(1));
    std::vector<plan_number> values = out.values();
    values.resize(expected.size());
    CHECK(test::first_difference(values, expected) == -1);
    CHECK(out.untouched_outside(expected.size()));
}

} // namespace

TEST_CASE("plans of selections serve every size up to their capacity, in scratch of the caller's", "[select]") {
    const plan_input x;
    const guarded_array<plan_number> in(x.all);
    for (const upsweep::options& opts : test::families()) {
        if (opts.strategy == upsweep::strategy::scan_then_propagate) continue;
        INFO(opts.strategy << ", " << opts.algorithm);
        const upsweep::copy_if_plan<plan_number> positive(queue(), capacity, "a > 0", opts);
        const upsweep::partition_plan<plan_number> parts(queue(), capacity, "a > 0", opts);
        const upsweep::unique_plan<plan_number> heads(queue(), capacity, "left == right", opts);
        const upsweep::run_length_encode_plan<plan_number, plan_number> runs(queue(), capacity, "left == right", opts);
        for (const std::size_t n : {capacity, std::size_t{0}, std::size_t{1}, capacity / 2, capacity - 1}) {
            INFO("n = " << n);
            const plan_output a(positive), b(parts), c(heads), d(runs);
            positive.copy_if(queue(), in.view(n), a.out.view(), a.count.view(), {}, a.workspace());
            check_kept(a.out, a.count, x.positive(n).size(), x.positive(n));
            parts.partition(queue(), in.view(n), b.out.view(), b.count.view(), {}, b.workspace());
            check_kept(b.out, b.count, x.positive(n).size(), x.parted(n));
            heads.unique(queue(), in.view(n), c.out.view(), c.count.view(), {}, c.workspace());
            check_kept(c.out, c.count, x.heads(n).size(), x.heads(n));
            runs.run_length_encode(queue(), in.view(n), d.out.view(), d.lengths.view(), d.count.view(), {},
                                   d.workspace());
            check_kept(d.out, d.count, x.heads(n).size(), x.heads(n));
            for (const plan_output* each : {&a, &b, &c, &d}) CHECK(each->is_intact_behind());
        }
    }
}

TEST_CASE("a plan's choice and input may be of other arrays", "[select]") {
    const plan_input x;
    const guarded_array<plan_number> in(x.all);
    std::vector<std::uint8_t> some(capacity), others(capacity);
    for (std::size_t i = 0; i < capacity; ++i) (i % 3 == 0 ? some : others)[i] = 1;
    const guarded_array<std::uint8_t> flags(some), other_flags(others);
    const guarded_array<plan_number> out(capacity), values(capacity);
    const guarded_array<std::uint32_t> count(1);
    const upsweep::copy_if_plan<plan_number> plan(queue(), capacity, flags.view());
    const auto chosen = [&](const std::vector<std::uint8_t>& by) {
        return x.kept(capacity, [&](std::size_t i) { return by[i] != 0; });
    };
    plan.copy_if(queue(), in.view(), out.view(), count.view());
    check_kept(out, count, chosen(some).size(), chosen(some));
    plan.copy_if(queue(), in.view(), values.view(), count.view(), other_flags.view());
    check_kept(values, count, chosen(others).size(), chosen(others));

    // Computed elements; arrays that do not exist yet when the plan is made.
    const span<const plan_number> none(nullptr, capacity);
    const auto twice = [](const span<const plan_number>& a) { return upsweep::transform<plan_number>("2 * a", a); };
    const upsweep::unique_by_key_plan<plan_number, plan_number> by_key(queue(), twice(none), none);
    const guarded_array<plan_number> keys(capacity), kept(capacity);
    by_key.unique_by_key(queue(), twice(in.view()), in.view(), keys.view(), kept.view(), count.view());
    std::vector<plan_number> doubled = x.heads(capacity);
    check_kept(kept, count, doubled.size(), doubled);
    for (plan_number& each : doubled) each *= 2;
    check_kept(keys, count, doubled.size(), doubled);
}

TEST_CASE("plans of segments serve other sizes, arrays and kinds of calls", "[select]") {
    const plan_input x;
    const guarded_array<plan_number> in(x.all);
    const guarded_array<plan_number> out(capacity), sums(capacity);
    const auto scans =
        upsweep::make_scan_plan(queue(), upsweep::rows(span<const plan_number>(nullptr, capacity), 50, 100));
    const auto reductions = upsweep::make_reduce_plan(queue(), upsweep::columns(in.view(), 50, 100));
    const struct {
        std::size_t height, width, pitch;
    } sizes[] = {{50, 100, 100}, {7, 100, 131}, {1, 4999, 4999}, {4, 3, 3},
                 {700, 7, 7},    {9, 2, 2},     {9, 1, 1},       {0, 0, 0}};
    for (const auto& s : sizes) {
        INFO(s.height << " rows of " << s.width);
        const auto rows = upsweep::rows(in.view(), s.height, s.width, s.pitch);
        std::vector<plan_number> inclusive = out.values(), exclusive, results(s.width, 5);
        scans.inclusive_scan(queue(), rows, out.view());
        for (std::size_t row = 0; row < s.height; ++row)
            for (std::size_t i = 0; i < s.width; ++i) {
                const std::size_t at = row * s.pitch + i;
                inclusive[at] = x.all[at] + (i > 0 ? inclusive[at - 1] : 0);
                results[i] += x.all[at];
            }
        CHECK(test::first_difference(out.values(), inclusive) == -1);
        scans.exclusive_scan(queue(), rows, out.view(), 5);
        exclusive = inclusive;
        for (std::size_t row = 0; row < s.height; ++row)
            for (std::size_t i = s.width; i-- > 0;)
                exclusive[row * s.pitch + i] = i > 0 ? inclusive[row * s.pitch + i - 1] + 5 : 5;
        CHECK(test::first_difference(out.values(), exclusive) == -1);
        scans.inclusive_scan(queue(), rows, out.view(), 0);
        CHECK(test::first_difference(out.values(), inclusive) == -1);
        reductions.reduce(queue(), upsweep::columns(in.view(), s.height, s.width, s.pitch), sums.view(), 5);
        std::vector<plan_number> values = sums.values();
        values.resize(s.width);
        CHECK(values == results);
    }
}

TEST_CASE("calls of plans of the family build nothing", "[select]") {
    const plan_input x;
    const guarded_array<plan_number> in(x.all);
    const guarded_array<std::uint32_t> offsets(std::vector<std::uint32_t>{0, 70, 70, 4000});
    const guarded_array<plan_number> out(capacity), other(capacity);
    const guarded_array<std::uint32_t> count(1);
    // Texts of their own, so that no other test has built the programs.
    const auto view = upsweep::transform<plan_number>("a + 77770", in.view());
    const upsweep::copy_if_plan<plan_number> choice(queue(), view, "a > 77770");
    const upsweep::partition_plan<plan_number> parts(queue(), view, "a > 77771");
    const auto by_offsets = upsweep::make_reduce_plan(queue(), upsweep::segments(view, offsets.view()));
    const auto by_rows = upsweep::make_reduce_plan(queue(), upsweep::rows(view, 50, 100));
    const auto by_key = upsweep::make_reduce_by_key_plan(queue(), upsweep::keyed(view, in.view(), "left == right/**/"));
    const auto scans = upsweep::make_scan_plan(queue(), upsweep::segments(view, offsets.view()));
    const std::uint64_t before = programs_built();
    choice.copy_if(queue(), view, out.view(), count.view());
    parts.partition(queue(), view, out.view(), count.view());
    by_offsets.reduce(queue(), upsweep::segments(view, offsets.view()), out.view());
    by_offsets.reduce(queue(), upsweep::segments(view, offsets.view()), out.view(), 3);
    by_rows.reduce(queue(), upsweep::rows(view, 50, 100), out.view());
    by_rows.reduce(queue(), upsweep::rows(view, 50, 100), out.view(), 3);
    by_key.reduce_by_key(queue(), upsweep::keyed(view, in.view(), "left == right/**/"), out.view(), other.view(),
                         count.view());
    scans.inclusive_scan(queue(), upsweep::segments(view, offsets.view()), out.view());
    scans.exclusive_scan(queue(), upsweep::segments(view, offsets.view()), out.view(), 3);
    queue().finish();
    CHECK(programs_built() == before);
}

TEST_CASE("mistakes in calls of plans of the family are named", "[select]") {
    const plan_input x;
    const guarded_array<plan_number> in(x.all), more(capacity + 1), out(capacity), other(capacity);
    const guarded_array<std::uint32_t> count(1);
    const fixture::own_context another(queue());
    const upsweep::copy_if_plan<plan_number> plan(queue(), capacity, "a > 0",
                                                  fixture::small_tiles(upsweep::strategy::reduce_then_scan, 1, 8));
    const auto copy = [&](const cl::CommandQueue& on, const auto& from, const upsweep::choice& which,
                          const span<unsigned char>& workspace) {
        plan.copy_if(on, from, out.view(), count.view(), which, {}, workspace);
    };
    const std::string text = "another text than the plan was made for";
    expect_error("copy_if", "input", "5001 elements are more than the plan's 5000",
                 [&] { copy(queue(), more.view(), "a > 0", {}); });
    expect_error("copy_if", "input", text, [&] { copy(queue(), in.view(), "a > 1", {}); });
    expect_error("copy_if", "input", text,
                 [&] { copy(queue(), upsweep::transform<plan_number>("-a", in.view()), "a > 0", {}); });
    expect_error("copy_if", "queue", "of another context or device",
                 [&] { copy(another.queue, in.view(), "a > 0", {}); });
    REQUIRE(plan.workspace_bytes() > 0);
    CHECK(plan.launches().n == capacity);
    CHECK(plan.launches(capacity / 2).scratch_bytes <= plan.workspace_bytes());
    CHECK(plan.launches(capacity / 2).n == capacity / 2);
    const auto reject = [&](const auto& array, std::size_t bytes, const std::string& cause) {
        const span<plan_number> view = array.view();
        const span<unsigned char> workspace(view.buffer(), bytes);
        expect_error("copy_if", "workspace", cause, [&] { copy(queue(), in.view(), "a > 0", workspace); });
    };
    reject(other, plan.workspace_bytes() - 1, "bytes are less than the");
    reject(in, plan.workspace_bytes() + 500, "overlaps the input or the output");
    reject(out, plan.workspace_bytes() + 500, "overlaps the input or the output");
    const auto rows = upsweep::make_scan_plan(queue(), upsweep::rows(in.view(), 50, 100));
    expect_error("inclusive_scan", "input", "other segments, or of another text, than the plan was made for",
                 [&] { rows.inclusive_scan(queue(), upsweep::columns(in.view(), 50, 100), out.view()); });
    expect_error("inclusive_scan", "input", "5001 elements are more than the plan's 5000",
                 [&] { rows.inclusive_scan(queue(), upsweep::rows(more.view(), 1, 5001), out.view()); });
    expect_error("inclusive_scan", "queue", "of another context or device",
                 [&] { rows.inclusive_scan(another.queue, upsweep::rows(in.view(), 50, 100), out.view()); });
    expect_error("copy_if_plan", "choice", "10 elements, but 5000 of the input",
                 [&] { upsweep::copy_if_plan<plan_number>(queue(), capacity, in.view(10)); });
    expect_error("segmented_reduce_plan", "operator", "", [&] {
        const auto op = upsweep::make_operator<plan_number>("return left + right * f;").with("f", 1);
        upsweep::make_reduce_plan(queue(), upsweep::rows(in.view(), 50, 100), op);
    });
}

TEST_CASE("threads share plans of the family", "[select]") {
    const plan_input x;
    const guarded_array<plan_number> in(x.all);
    const upsweep::copy_if_plan<plan_number> choice(queue(), capacity, "a > 0");
    const auto rows = upsweep::make_reduce_plan(queue(), upsweep::rows(in.view(), 50, 100));
    const auto work = [&] {
        const guarded_array<plan_number> out(capacity), sums(50);
        const guarded_array<std::uint32_t> count(1);
        for (std::size_t n = capacity; n > capacity - 10; --n) {
            choice.copy_if(queue(), in.view(n), out.view(), count.view());
            rows.reduce(queue(), upsweep::rows(in.view(), 50 - n % 3, 100), sums.view()); // other sizes
        }
        queue().finish();
        const std::vector<plan_number> expected = x.positive(capacity - 9);
        return count.values()[0] == expected.size() && out.values()[0] == expected[0];
    };
    std::vector<char> right(4);
    std::vector<std::thread> threads;
    for (char& each : right) threads.emplace_back([&each, &work] { each = work() ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    CHECK(right == std::vector<char>(4, 1));
}
