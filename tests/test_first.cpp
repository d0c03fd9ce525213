// SPDX-License-Identifier: MIT
// Inputs whose number of elements is read on the device: what a call on so many elements gives, and nothing behind
// them.
#include "canonical.hpp"
#include "device_fixture.hpp"
#include "families.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using test::guarded_array;
using test::queue;
using test::same_bits;
using upsweep::first;
using upsweep::span;

namespace {

constexpr std::uint32_t most_counted = 4200;

/// A number of elements on the device.
template <class Count>
void set_count(const guarded_array<Count>& on_device, Count count) {
    const span<Count> to = on_device.view();
    clEnqueueWriteBuffer(queue()(), to.buffer(), CL_TRUE, to.byte_offset(), sizeof count, &count, 0, nullptr, nullptr);
}

/// 0, the edges of runs, tiles and chunks, all, and more than there are.
std::vector<std::uint32_t> counts_to_test() {
    return {0, 1, 2, 31, 32, 33, 127, 128, 129, 512, 513, 1000, 2048, 4095, 4096, 4097, most_counted, most_counted + 1};
}

std::size_t clamped(std::uint64_t count) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(count, most_counted));
}

/// Ways to run a call that all give the canonical order.
std::vector<upsweep::options> canonical_ways() {
    std::vector<upsweep::options> ways{{}, test::in_tiles(64, 8), test::in_tiles(8, 4)};
    if (test::has_lanes()) ways.push_back(test::in_sub_groups());
    if (test::limits().is_cpu) ways.push_back(test::in_chunks(3));
    return ways;
}

} // namespace

TEST_CASE("the operator sees counted elements only, in every family and around every edge", "[counted]") {
    using test::segment;
    // Behind the count is what breaks a segment that it is combined with.
    const guarded_array<std::uint32_t> count(1, 3);
    const segment init = test::make_init<segment>();
    for (const upsweep::options& opts : test::families()) {
        if (opts.strategy == upsweep::strategy::scan_then_propagate) continue;
        for (const std::uint32_t c : counts_to_test()) {
            const std::size_t n = clamped(c);
            std::vector<segment> input(most_counted, segment{-77, -77, 1});
            const std::vector<segment> real = test::make_input<segment>(n, 1);
            std::copy(real.begin(), real.end(), input.begin());
            const guarded_array<segment> x(input);
            const guarded_array<segment> out(most_counted), result(1);
            set_count(count, c);
            CAPTURE(c, static_cast<int>(opts.strategy), opts.work_items);
            upsweep::exclusive_scan(queue(), first(x.view(), count.view()), out.view(), init, test::join_segments(), {},
                                    opts);
            const std::vector<segment> got = out.values();
            std::size_t broken = 0;
            for (std::size_t i = 0; i < n; ++i) broken += !(got[i] == segment{-5, static_cast<std::int32_t>(i) - 1, 0});
            CHECK(broken == 0);
            CHECK(out.untouched_outside(n));
            upsweep::reduce(queue(), first(x.view(), count.view()), result.view(), init, test::join_segments(), {},
                            opts);
            CHECK(result.values()[0] == segment{-5, static_cast<std::int32_t>(n) - 1, 0});
            upsweep::reduce(queue(), first(x.view(), count.view()), result.view(), upsweep::no_init,
                            test::join_segments(), {}, opts);
            CHECK(result.values()[0] == (n > 0 ? segment{0, static_cast<std::int32_t>(n) - 1, 0} : segment{}));
        }
    }
}

TEST_CASE("counted floats have the bits of a call on so many elements", "[counted]") {
    const guarded_array<std::uint64_t> count(1);
    const std::vector<float> all = test::numbers<float>(most_counted, 5);
    for (const upsweep::options& opts : canonical_ways())
        for (const std::uint32_t c : counts_to_test()) {
            const std::size_t n = clamped(c);
            std::vector<float> real(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)), expected(n);
            std::vector<float> input = real;
            input.resize(most_counted, std::numeric_limits<float>::quiet_NaN());
            const guarded_array<float> x(input, 64), out(most_counted, 5), result(1);
            set_count<std::uint64_t>(count, c == most_counted + 1 ? ~std::uint64_t{0} : c);
            CAPTURE(c, static_cast<int>(opts.strategy), opts.work_items);
            const auto view = first(x.view(), count.view());
            upsweep::inclusive_scan(queue(), view, out.view(), upsweep::plus{}, {}, opts);
            upsweep::reference::inclusive_scan(real.begin(), real.end(), expected.begin(), std::plus<>{});
            std::vector<float> got = out.values();
            got.resize(n);
            CHECK(same_bits(got, expected));
            CHECK(out.untouched_outside(n));
            upsweep::reduce(queue(), view, result.view(), upsweep::no_init, upsweep::plus{}, {}, opts);
            CHECK(result.values()[0] == (n > 0 ? expected.back() : 0.0F));
            // In place, with a total, of which the initial value is part.
            upsweep::exclusive_scan(queue(), view, upsweep::with_total(x.view(), result.view()), 0.75F, upsweep::plus{},
                                    {}, opts);
            upsweep::reference::exclusive_scan(real.begin(), real.end(), expected.begin(), 0.75F, std::plus<>{});
            got = x.values();
            CHECK(std::all_of(got.begin() + static_cast<std::ptrdiff_t>(n), got.end(), [](float f) { return f != f; }));
            got.resize(n);
            CHECK(same_bits(got, expected));
            CHECK(result.values()[0] == upsweep::reference::reduce(real.begin(), real.end(), 0.75F, std::plus<>{}));
        }
}

TEST_CASE("large numbers of counted elements, of many levels, parts and tickets", "[counted]") {
    const std::size_t most = 300001;
    const std::vector<std::uint32_t> input = test::make_input<std::uint32_t>(most, 3);
    std::vector<std::uint32_t> sums(most);
    upsweep::reference::inclusive_scan(input.begin(), input.end(), sums.begin(), std::plus<>{});
    const guarded_array<std::uint32_t> x(input), count(1), result(1);
    for (const upsweep::options& opts : test::families()) {
        if (opts.strategy == upsweep::strategy::scan_then_propagate) continue;
        for (const std::uint32_t c : {0U, 5U, 65536U, 299999U, 300001U}) {
            const guarded_array<std::uint32_t> out(most);
            set_count(count, c);
            CAPTURE(c, static_cast<int>(opts.strategy), opts.work_items);
            const auto view = first(upsweep::transform<std::uint32_t>("a", x.view()), count.view());
            upsweep::inclusive_scan(queue(), view, out.view(), upsweep::plus{}, {}, opts);
            std::vector<std::uint32_t> got = out.values();
            got.resize(c);
            CHECK(same_bits(got, std::vector<std::uint32_t>(sums.begin(), sums.begin() + c)));
            CHECK(out.untouched_outside(c));
            upsweep::reduce(queue(), view, result.view(), upsweep::no_init, upsweep::plus{}, {}, opts);
            CHECK(result.values()[0] == (c > 0 ? sums[c - 1] : 0));
        }
    }
}

TEST_CASE("counted elements are chosen, transformed and compared; a plan reads the count of each call", "[counted]") {
    const std::vector<std::int32_t> input = test::make_input<std::int32_t>(most_counted, 9);
    const guarded_array<std::int32_t> x(input);
    const guarded_array<std::uint32_t> count(1);
    const auto view = first(x.view(), count.view());
    const auto plan = upsweep::make_scan_plan(queue(), upsweep::transform<std::int32_t>("a ^ 5", view));
    for (const std::uint32_t c : {0U, 1U, 1000U, most_counted, most_counted + 9}) {
        const std::size_t n = clamped(c);
        CAPTURE(c);
        set_count(count, c);
        std::vector<std::int32_t> kept, parted, mixed;
        for (std::size_t i = 0; i < n; ++i) {
            mixed.push_back(input[i] ^ 5);
            if (input[i] % 3 == 0) kept.push_back(input[i]);
        }
        parted = kept;
        for (std::size_t i = 0; i < n; ++i)
            if (input[i] % 3 != 0) parted.push_back(input[i]);
        for (const bool parts : {false, true}) {
            const guarded_array<std::int32_t> out(most_counted);
            const guarded_array<std::uint64_t> chosen(1);
            if (parts)
                upsweep::partition(queue(), view, out.view(), chosen.view(), "a % 3 == 0");
            else
                upsweep::copy_if(queue(), view, out.view(), chosen.view(), "a % 3 == 0");
            const std::vector<std::int32_t>& expected = parts ? parted : kept;
            std::vector<std::int32_t> got = out.values();
            got.resize(expected.size());
            CHECK(same_bits(got, expected));
            CHECK(out.untouched_outside(expected.size()));
            CHECK(chosen.values()[0] == kept.size());
            CHECK(chosen.untouched_outside(1));
        }
        std::vector<std::int32_t> expected(n);
        upsweep::reference::inclusive_scan(mixed.begin(), mixed.end(), expected.begin(), std::plus<>{});
        const guarded_array<std::int32_t> out(most_counted);
        plan.inclusive_scan(queue(), upsweep::transform<std::int32_t>("a ^ 5", view), out.view());
        std::vector<std::int32_t> got = out.values();
        got.resize(n);
        CHECK(same_bits(got, expected));
        CHECK(out.untouched_outside(n));
        if (c == 1000 || c == 0) {
            const auto found = upsweep::min_element(queue(), view);
            const auto at = std::min_element(input.begin(), input.begin() + c);
            CHECK(found.index == (c == 0 ? found.none : static_cast<decltype(found.index)>(at - input.begin())));
            CHECK(upsweep::count_if(queue(), view, "a % 3 == 0") == kept.size());
        }
    }
}

TEST_CASE("runs of counted elements are encoded, flags choose among them", "[counted][select]") {
    std::vector<std::int32_t> input(most_counted);
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::int32_t>(i / 7 % 5);
    const guarded_array<std::int32_t> x(input);
    const guarded_array<std::uint32_t> count(1), runs(1);
    for (const std::uint32_t c : {0U, 1U, 703U, most_counted}) {
        set_count(count, c);
        CAPTURE(c);
        const guarded_array<std::int32_t> values(most_counted);
        const guarded_array<std::uint32_t> lengths(most_counted);
        upsweep::run_length_encode(queue(), first(x.view(), count.view()), values.view(), lengths.view(), runs.view());
        const std::size_t expected = (c + 6) / 7;
        CHECK(runs.values()[0] == expected);
        CHECK(values.untouched_outside(expected));
        CHECK(lengths.untouched_outside(expected));
        if (c > 0) CHECK(lengths.values()[expected - 1] == (c % 7 == 0 ? 7 : c % 7));
        // As many flags as there may be elements.
        const guarded_array<std::int32_t> chosen(most_counted);
        upsweep::copy_if(queue(), first(x.view(), count.view()), chosen.view(), runs.view(), x.view());
        std::size_t flagged = 0;
        for (std::uint32_t i = 0; i < c; ++i) flagged += input[i] != 0;
        CHECK(runs.values()[0] == flagged);
        CHECK(chosen.untouched_outside(flagged));
    }
}

TEST_CASE("mistakes in a count are named, before anything is built", "[errors]") {
    using fixture::expect_error;
    const guarded_array<std::uint32_t> x(100), out(100), count(1);
    const auto view = first(x.view(), count.view());
    upsweep::options opts;
    opts.strategy = upsweep::strategy::scan_then_propagate;
    expect_error("inclusive_scan", "options", "none for elements whose number is read on the device",
                 [&] { upsweep::inclusive_scan(queue(), view, out.view(), upsweep::plus{}, {}, opts); });
    const auto scan = [&](const auto& in) { upsweep::inclusive_scan(queue(), in, out.view()); };
    expect_error("inclusive_scan", "number of elements", "must have one element",
                 [&] { scan(first(x.view(), count.view(0))); });
    expect_error("inclusive_scan", "number of elements", "null handle",
                 [&] { scan(first(x.view(), span<std::uint32_t>(cl_mem{}, 1))); });
    expect_error("inclusive_scan", "output", "overlaps the number of elements",
                 [&] { scan(first(x.view(), out.view())); });
    expect_error("reduce", "result", "overlaps the number of elements",
                 [&] { upsweep::reduce(queue(), view, count.view()); });
    expect_error("inclusive_scan", "input", "cannot be cut into segments",
                 [&] { upsweep::inclusive_scan(queue(), upsweep::rows(view, 10, 10), out.view()); });
    expect_error("copy_if", "count", "overlaps the number of elements",
                 [&] { upsweep::copy_if(queue(), view, out.view(), count.view(), "a"); });
    expect_error("unique_by_key", "values", "its number of elements is that of the keys",
                 [&] { upsweep::unique_by_key(queue(), x.view(), view, out.view(), out.view(), count.view()); });
    queue().finish();
    CHECK(out.untouched_outside(0));
}
