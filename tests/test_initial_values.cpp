// SPDX-License-Identifier: MIT
// Initial values that lie on the device.
#include "canonical.hpp"
#include "device_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

using test::guarded_array;
using test::queue;
using test::same_bits;
using upsweep::from;
using upsweep::span;

namespace {

/// All calls with an initial value from the device give what they give with the same value from the host.
template <class T, class Op>
void check_both_ways(const std::vector<T>& input, const std::vector<T>& inits, const Op& op,
                     const upsweep::options& opts) {
    const guarded_array<T> x(input), on_device(inits, 3);
    for (std::size_t k = 0; k < inits.size(); ++k) {
        const span<T> all = on_device.view();
        const span<const T> place(all.buffer(), 1, all.byte_offset() + k * sizeof(T));
        const auto check = [&](std::size_t written, const auto& call) {
            const guarded_array<T> a(input.size() + 1), b(input.size() + 1);
            call(a, inits[k]);
            call(b, from(place));
            CHECK(same_bits(a.values(), b.values()));
            CHECK(b.untouched_outside(written));
        };
        const std::size_t n = input.size();
        check(n, [&](const auto& out, const auto& init) {
            upsweep::exclusive_scan(queue(), x.view(), out.view(), init, op, {}, opts);
        });
        check(n, [&](const auto& out, const auto& init) {
            upsweep::inclusive_scan(queue(), x.view(), out.view(), op, init, {}, opts);
        });
        check(1, [&](const auto& out, const auto& init) {
            upsweep::reduce(queue(), x.view(), out.view(), init, op, {}, opts);
        });
    }
    CHECK(same_bits(on_device.values(), inits));
    CHECK(on_device.untouched_outside(inits.size()));
}

} // namespace

TEST_CASE("an initial value from the device gives the bits of the same value from the host", "[views]") {
    std::vector<upsweep::options> ways{
        {}, test::in_tiles(64, 8), fixture::small_tiles(upsweep::strategy::scan_then_propagate)};
    if (test::has_lanes()) ways.push_back(test::in_sub_groups());
    for (const upsweep::options& opts : ways) {
        CAPTURE(static_cast<int>(opts.strategy), opts.work_items);
        for (const std::size_t n : {0, 1, 33, 4097})
            check_both_ways<float>(test::numbers<float>(n, 3), {0.75F, -3.5e5F, 1e-3F}, upsweep::plus{}, opts);
    }
    check_both_ways<test::segment>(test::make_input<test::segment>(5000, 1), {{-5, -1, 0}, {-9, -1, 1}},
                                   test::join_segments(), {});
}

TEST_CASE("an initial value from the device, with totals, of views and of segments", "[views]") {
    const std::vector<std::int32_t> input = test::make_input<std::int32_t>(3000, 7);
    const guarded_array<std::int32_t> x(input), init(std::vector<std::int32_t>{41}, 5);
    const auto check = [&](std::size_t written, const auto& call) {
        const guarded_array<std::int32_t> a(input.size()), b(input.size()), total_a(1), total_b(1);
        call(a.view(), total_a.view(), 41);
        call(b.view(), total_b.view(), from(init.view()));
        CHECK(a.values() == b.values());
        CHECK(total_a.values() == total_b.values());
        CHECK(b.untouched_outside(written));
        CHECK(total_b.untouched_outside(1));
    };
    const auto view = upsweep::transform<std::int32_t>("a ^ 3", x.view());
    check(3000, [&](const auto& out, const auto& total, const auto& given) {
        upsweep::exclusive_scan(queue(), x.view(), upsweep::with_total(out, total), given);
    });
    check(3000, [&](const auto& out, const auto& total, const auto& given) {
        upsweep::inclusive_scan(queue(), view, upsweep::with_total(out, total), upsweep::plus{}, given);
    });
    check(3000, [&](const auto& out, const auto&, const auto& given) {
        upsweep::exclusive_scan(queue(), view, out, given, upsweep::maximum{});
    });
    check(0, [&](const auto&, const auto& total, const auto& given) {
        upsweep::transform_reduce(queue(), x.view(), total, given, upsweep::plus{}, "a % 7");
    });
    check(3000, [&](const auto& out, const auto&, const auto& given) {
        upsweep::exclusive_scan(queue(), upsweep::rows(x.view(), 30, 100), out, given);
    });
    check(30, [&](const auto& out, const auto&, const auto& given) {
        upsweep::reduce(queue(), upsweep::rows(view, 30, 100), out, given);
    });
    // What one call leaves is where the next one begins, without a word from the host between them.
    const guarded_array<std::int32_t> out(input.size()), total(1), last(1);
    upsweep::reduce(queue(), x.view(1000), total.view(), 0);
    const span<std::int32_t> whole = x.view();
    const span<std::int32_t> rest(whole.buffer(), 2000, whole.byte_offset() + 1000 * sizeof(std::int32_t));
    upsweep::reduce(queue(), rest, last.view(), from(total.view()));
    CHECK(last.values()[0] == upsweep::reduce(queue(), x.view(), 0));
}

TEST_CASE("numbers are initial values of half, rounded once", "[views]") {
    using upsweep::half;
    const upsweep::detail::initial_value<half> given(2049.0000001); // as a float first, it would be 2048
    CHECK(given.of_host("reduce")->bits == half(2050.0F).bits);
    const upsweep::detail::initial_value_or_none<half> integer(3);
    CHECK(integer.get().value->bits == half(3.0F).bits);

    const guarded_array<half> x(std::vector<half>(100, half(0.5F))), out(100);
    const auto calls = [&] {
        upsweep::exclusive_scan(queue(), x.view(), out.view(), 0.25F);
        CHECK(out.values()[99].bits == half(49.75F).bits);
        upsweep::inclusive_scan(queue(), x.view(), out.view(), upsweep::plus{}, 1);
        CHECK(out.values()[99].bits == half(51.0F).bits);
        upsweep::reduce(queue(), x.view(), out.view(), 2.0);
        CHECK(out.values()[0].bits == half(52.0F).bits);
    };
    if (fixture::limits_of(queue()).has_half)
        calls();
    else
        fixture::expect_error("exclusive_scan", "type half", "cl_khr_fp16", calls);
}

TEST_CASE("plans scan without an initial value behind events, with the caller's scratch, in segments too", "[views]") {
    using fixture::expect_error;
    const std::vector<int> input(1000, 2);
    const guarded_array<int> x(input), out(1000);
    cl::UserEvent failed(queue().getInfo<CL_QUEUE_CONTEXT>());
    failed.setStatus(-9);
    const upsweep::options o = fixture::small_tiles(upsweep::strategy::reduce_then_scan);
    const auto view = upsweep::transform<int>("a", x.view());
    const auto rows = upsweep::rows(x.view(), 10, 100);
    const auto plan = upsweep::make_scan_plan<int, int>(queue(), 1000, upsweep::plus{}, o);
    const auto plan_of_view = upsweep::make_scan_plan(queue(), view, upsweep::plus{}, o);
    const auto plan_of_rows = upsweep::make_scan_plan(queue(), rows);
    const cl::Buffer scratch(queue().getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, plan.workspace_bytes());
    const span<unsigned char> workspace(scratch, plan.workspace_bytes()), overlapping(out.view().buffer(), 4000);

    const upsweep::wait_list no_events;
    const cl::Event scanned = plan.exclusive_scan(queue(), x.view(), out.view(), no_events, workspace);
    CHECK(out.values().back() == 1998);
    plan_of_view.exclusive_scan(queue(), view, out.view(), scanned, workspace);
    CHECK(out.values().back() == 1998);
    plan_of_rows.exclusive_scan(queue(), rows, out.view());
    CHECK(out.values().back() == 198);
    const auto refused = [](const char* argument, const auto& call) {
        expect_error("exclusive_scan", argument, "", call);
    };
    refused("after", [&] { plan.exclusive_scan(queue(), x.view(), out.view(), upsweep::after({failed})); });
    refused("after", [&] { plan_of_view.exclusive_scan(queue(), view, out.view(), upsweep::after({failed})); });
    refused("after", [&] { plan_of_rows.exclusive_scan(queue(), rows, out.view(), upsweep::after({failed})); });
    refused("workspace", [&] { plan.exclusive_scan(queue(), x.view(), out.view(), no_events, overlapping); });
    refused("workspace", [&] { plan_of_view.exclusive_scan(queue(), view, out.view(), no_events, overlapping); });
}

TEST_CASE("mistakes in an initial value on the device are named, before anything is built", "[views][errors]") {
    using fixture::expect_error;
    const guarded_array<int> x(100), out(100), init(1);
    const auto scan = [&](const span<int>& place) {
        upsweep::exclusive_scan(queue(), x.view(), out.view(), from(place));
    };
    expect_error("exclusive_scan", "initial value", "must have one element", [&] { scan(init.view(0)); });
    expect_error("exclusive_scan", "initial value", "null handle", [&] { scan(span<int>(cl_mem{}, 1)); });
    expect_error("exclusive_scan", "output", "overlaps the initial value", [&] { scan(out.view()); });
    expect_error("reduce", "result", "overlaps the initial value",
                 [&] { upsweep::reduce(queue(), x.view(), init.view(), from(init.view())); });
    expect_error("exclusive_scan", "total", "overlaps the initial value", [&] {
        upsweep::exclusive_scan(queue(), x.view(), upsweep::with_total(out.view(), init.view()), from(init.view()));
    });
    expect_error("exclusive_scan", "initial value", "overlaps the output", [&] {
        upsweep::exclusive_scan(queue(), upsweep::rows(x.view(), 10, 10), out.view(), from(out.view()));
    });
    expect_error("exclusive_scan", "initial value", "plans take initial values from the host", [&] {
        upsweep::make_scan_plan<int>(queue(), 100).exclusive_scan(queue(), x.view(), out.view(), from(init.view()));
    });
    queue().finish();
    CHECK(out.untouched_outside(0));
}

TEMPLATE_TEST_CASE("the identities of the library's operators change nothing", "[views]", std::int8_t, std::uint8_t,
                   std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, float) {
    namespace up = upsweep;
    using T = TestType;
    using limits = std::numeric_limits<T>;
    std::vector<T> values{T{0}, T{1}, T{2}, static_cast<T>(limits::max() / 2), limits::max(), limits::lowest()};
    if (limits::has_infinity) values.insert(values.end(), {limits::infinity(), -limits::infinity(), T(-0.5)});
    for (const T x : values) {
        CHECK(up::identity_of<T>() + x == x);
        CHECK(up::identity_of<T>(up::multiplies{}) * x == x);
        CHECK((std::min)(up::identity_of<T>(up::minimum{}), x) == x);
        CHECK((std::max)(up::identity_of<T>(up::maximum{}), x) == x);
        CHECK((up::identity_of<T>(up::logical_and{}) != 0 && x != 0) == (x != 0));
        CHECK((up::identity_of<T>(up::logical_or{}) != 0 || x != 0) == (x != 0));
        if constexpr (std::is_integral<T>::value) {
            CHECK((up::identity_of<T>(up::bit_and{}) & x) == x);
            CHECK((up::identity_of<T>(up::bit_or{}) | x) == x);
            CHECK((up::identity_of<T>(up::bit_xor{}) ^ x) == x);
        }
    }
}

TEST_CASE("exclusive scans without an initial value begin with the operator's identity", "[views]") {
    namespace reference = upsweep::reference;
    const std::vector<std::int32_t> input = test::make_input<std::int32_t>(1000, 4);
    const guarded_array<std::int32_t> x(input);
    std::vector<std::int32_t> sums(input.size()), least(input.size());
    reference::exclusive_scan(input.begin(), input.end(), sums.begin(), 0, std::plus<>{});
    reference::exclusive_scan(input.begin(), input.end(), least.begin(), std::numeric_limits<std::int32_t>::max(),
                              [](std::int32_t a, std::int32_t b) { return (std::min)(a, b); });
    const auto check = [&](const std::vector<std::int32_t>& expected, const auto& call) {
        const guarded_array<std::int32_t> out(input.size());
        call(out.view());
        CHECK(out.values() == expected);
        CHECK(out.untouched_outside(input.size()));
    };
    const auto view = upsweep::transform<std::int32_t>("a", x.view());
    const guarded_array<std::int32_t> total(1);
    check(sums, [&](const auto& out) { upsweep::exclusive_scan(queue(), x.view(), out); });
    check(sums, [&](const auto& out) { upsweep::exclusive_scan(queue(), view, out); });
    check(sums, [&](const auto& out) { upsweep::exclusive_scan<std::int32_t>(queue(), x.view(), out); });
    check(least, [&](const auto& out) { upsweep::exclusive_scan(queue(), x.view(), out, upsweep::minimum{}); });
    check(least, [&](const auto& out) { upsweep::exclusive_scan(queue(), view, out, upsweep::minimum{}); });
    check(sums,
          [&](const auto& out) { upsweep::exclusive_scan(queue(), x.view(), upsweep::with_total(out, total.view())); });
    CHECK(total.values()[0] == reference::reduce(input.begin(), input.end(), 0, std::plus<>{}));
    check(least, [&](const auto& out) {
        upsweep::exclusive_scan(queue(), view, upsweep::with_total(out, total.view()), upsweep::minimum{});
    });
    check(sums, [&](const auto& out) { upsweep::exclusive_scan(queue(), upsweep::rows(x.view(), 1, 1000), out); });
    check(least, [&](const auto& out) {
        upsweep::exclusive_scan(queue(), upsweep::rows(x.view(), 1, 1000), out, upsweep::minimum{});
    });
    const auto plan = upsweep::make_scan_plan<std::int32_t, std::int32_t>(queue(), 1000, upsweep::minimum{});
    check(least, [&](const auto& out) { plan.exclusive_scan(queue(), x.view(), out); });
    std::vector<std::int32_t> on_host(input.size());
    CHECK(upsweep::exclusive_scan(queue(), input.begin(), input.end(), on_host.begin()) == on_host.end());
    CHECK(on_host == sums);
    upsweep::exclusive_scan(queue(), input.begin(), input.end(), on_host.begin(), upsweep::minimum{});
    CHECK(on_host == least);
    std::vector<upsweep::half> halves;
    halves.push_back(upsweep::identity_of<upsweep::half>(upsweep::minimum{}));
    halves.push_back(upsweep::identity_of<upsweep::half>(upsweep::multiplies{}));
    CHECK(halves[0].bits == 0x7c00);
    CHECK(halves[1].bits == 0x3c00);
    const cl_uint4 all = upsweep::identity_of<cl_uint4>(upsweep::bit_and{});
    CHECK((all.s[0] & all.s[1] & all.s[2] & all.s[3]) == 0xffffffffU);
}
