// SPDX-License-Identifier: MIT
// Outputs of which a text says what happens with each result: the store hook that the host makes.
#include "canonical.hpp"
#include "device_fixture.hpp"
#include "families.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace detail = upsweep::detail;
using detail::access;
using fixture::expect_error;
using test::guarded_array;
using test::queue;

namespace {

/// The families whose scans store each result once.
std::vector<upsweep::options> families_that_store_once() {
    std::vector<upsweep::options> some;
    for (const upsweep::options& opts : test::families())
        if (detail::stores_once(opts.strategy)) some.push_back(opts);
    return some;
}

/// An exclusive scan from 0 of computed numbers, whose results go where `out` says.
template <class T>
void scan_to(const upsweep::transform_view<T>& in, detail::computed_output out, const upsweep::options& opts) {
    out.text = detail::store_text(out, in.input());
    const upsweep::wait_list after;
    const T zero{};
    detail::call_arguments a;
    a.function = "f";
    a.queue = queue()();
    a.computed = &in.input();
    a.in = {nullptr, in.size(), 0, sizeof(T)};
    a.stored = &out;
    a.out = {nullptr, in.size(), 0, sizeof(T)};
    a.exclusive = a.has_init = true;
    a.init = &zero;
    a.after = &after;
    const cl::Event done(detail::call_once(a, detail::types_of<T, T>(upsweep::plus{}), opts));
}

template <class T>
detail::computed_output::part part_of(const char* name, upsweep::span<T> view, access use) {
    return {name, name, detail::untyped(view), view.size(), detail::describe_type<std::remove_const_t<T>>(), use};
}

} // namespace

TEST_CASE("results are stored once each, where a text says, in every family that promises it", "[views]") {
    for (const upsweep::options& opts : families_that_store_once())
        for (const std::size_t n : {1, 2, 127, 128, 129, 513, 4097, 20001}) {
            // Reversed, and counted.
            const std::vector<std::int32_t> input = test::make_input<std::int32_t>(n, 5);
            const guarded_array<std::int32_t> in(input, 3);
            const guarded_array<std::uint32_t> reversed(n);
            const guarded_array<std::uint32_t> times(std::vector<std::uint32_t>(n, 0));
            detail::computed_output out;
            out.stores_once = true;
            out.parts = {part_of("elements", upsweep::span<const std::int32_t>(in.view()), access::input),
                         part_of("reversed", reversed.view(), access::output),
                         part_of("times", times.view(), access::output)};
            out.numbers = {{"n", n}, {"mask", 0xffff}};
            out.body = "reversed[n - 1 - i] = value ^ (elements[i] & (uint)mask);\ntimes[i] += 1;";
            scan_to(upsweep::transform<std::uint32_t>("(uint)a & 7", in.view()), out, opts);
            std::vector<std::uint32_t> expected(n);
            std::uint32_t sum = 0;
            for (std::size_t i = 0; i < n; ++i) {
                expected[n - 1 - i] = sum ^ (static_cast<std::uint32_t>(input[i]) & 0xffffU);
                sum += static_cast<std::uint32_t>(input[i]) & 7U;
            }
            CAPTURE(n, static_cast<int>(opts.strategy), opts.work_items);
            CHECK(test::first_difference(reversed.values(), expected) == -1);
            CHECK(test::first_difference(times.values(), std::vector<std::uint32_t>(n, 1)) == -1);
            CHECK(reversed.untouched_outside(n));
            CHECK(times.untouched_outside(n));
        }
}

TEST_CASE("floats are stored in the canonical order through a text, and may replace their own input", "[views]") {
    const std::vector<float> input = test::numbers<float>(30001, 5);
    const guarded_array<float> in(input);
    const guarded_array<float> plain(input.size());
    upsweep::exclusive_scan(queue(), upsweep::span<const float>(in.view()), plain.view(), 0.0F);
    detail::computed_output out;
    out.stores_once = true;
    out.parts = {part_of("out", in.view(), access::output)};
    out.parts[0].at_own_place = true;
    out.body = "out[i] = value;";
    scan_to(upsweep::transform<float>("a", in.view()), out, {});
    CHECK(test::same_bits(in.values(), plain.values()));
    CHECK(in.untouched_outside(input.size()));
}

TEST_CASE("mistakes in a computed output are named", "[views][errors]") {
    const guarded_array<int> in(std::vector<int>(100, 1));
    const guarded_array<int> other(100);
    const auto view = upsweep::transform<int>("a", in.view());
    const auto scan = [&](std::vector<detail::computed_output::part> parts, const upsweep::options& opts = {},
                          const char* body = "x[i] = value;") {
        detail::computed_output out;
        out.parts = std::move(parts);
        out.body = body;
        out.stores_once = true;
        scan_to(view, out, opts);
    };
    const auto to = [&](const upsweep::span<int>& x) { return part_of("x", x, access::output); };
    expect_error("f", "output", "store:2", [&] { scan({to(other.view())}, {}, "int y = 1;\nx[i] = mistake;"); });
    expect_error("f", "x", "null handle", [&] { scan({to(upsweep::span<int>(cl_mem{}, 100))}); });
    expect_error("f", "x", "is not a multiple of the element's 4",
                 [&] { scan({to(upsweep::span<int>(other.view().buffer(), 100, 2))}); });
    expect_error("f", "x", "is larger than its buffer",
                 [&] { scan({to(upsweep::span<int>(other.view().buffer(), 10000))}); });
    expect_error("f", "x", "overlaps the input", [&] { scan({to(in.view())}); });
    expect_error("f", "y", "overlaps the x", [&] {
        scan({to(other.view()), part_of("y", other.view(50), access::input)});
    });
    auto larger = to(other.view());
    larger.needed = 101;
    expect_error("f", "x", "100 elements, but 101 are needed", [&] { scan({larger}); });
    auto shifted = to(upsweep::span<int>(in.view().buffer(), 100, in.view().byte_offset() + 4));
    shifted.at_own_place = true;
    expect_error("f", "x", "overlaps the input", [&] { scan({shifted}); });
    auto retyped = part_of("x", upsweep::span<float>(in.view().buffer(), 100, in.view().byte_offset()), access::output);
    retyped.at_own_place = true;
    expect_error("f", "x", "overlaps the input", [&] { scan({retyped}); });
    upsweep::options propagate;
    propagate.strategy = upsweep::strategy::scan_then_propagate;
    expect_error("f", "options", "scan_then_propagate stores results twice",
                 [&] { scan({to(other.view())}, propagate); });
    queue().finish();
    CHECK(other.untouched_outside(0));
    CHECK(test::first_difference(in.values(), std::vector<int>(100, 1)) == -1);
}
