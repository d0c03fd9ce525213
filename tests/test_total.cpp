// SPDX-License-Identifier: MIT
// Scans that also give their total, in every kernel family.
#include "canonical.hpp"
#include "device_fixture.hpp"
#include "families.hpp"

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
    CHECK(total.untouched_outside(n == 0 ? 0 : 1));
    if (n > 0) CHECK(test::same_bits(total.values(), {plain.values().back()}));
    // In place.
    upsweep::inclusive_scan(queue(), in.view(), upsweep::with_total(in.view(), total.view()), upsweep::plus{}, {},
                            opts);
    CHECK(test::same_bits(in.values(), plain.values()));
    if (n > 0) CHECK(test::same_bits(total.values(), {plain.values().back()}));
}

} // namespace

TEST_CASE("the total of a scan is its last result, in every family and around every edge", "[views]") {
    for (const std::size_t n : {0, 1, 2, 127, 128, 129, 511, 512, 513, 4096, 4097, 70001}) {
        for (const upsweep::options& opts : test::families()) check_total<float>(n, opts);
        check_total<std::int32_t>(n, {});
    }
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
    queue().finish();
    CHECK(out.untouched_outside(0));
}
