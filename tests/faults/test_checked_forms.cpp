// SPDX-License-Identifier: MIT
// Kernels of a program that the first call does not run are broken on their way to the compiler: what its self-check
// found of some does not stand for them.
#include "first_uses.hpp"
#include "scenarios.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using faults::change;
using faults::first_uses;

namespace {

/// Whether a scan by so many work-groups of one work-item each is right.
bool chunks_are_scanned(const first_uses& first, std::uint32_t work_groups) {
    const std::vector<int> in = test::make_input<int>(100000, 11);
    std::vector<int> out(in.size());
    upsweep::inclusive_scan(first.queue, in.begin(), in.end(), out.begin(), upsweep::plus{},
                            faults::chunks(work_groups));
    return out == test::reference_scan<int>(in, false, std::optional<int>(), upsweep::plus{});
}

/// Whether sums of rows with gaps between them are right.
template <class T>
bool rows_are_reduced(const first_uses& first, std::size_t width) {
    constexpr std::size_t height = 50;
    const std::size_t pitch = width + 5;
    std::vector<T> in(height * pitch), expected(height);
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<T>(i * 7 % 11);
        if (i % pitch < width) expected[i / pitch] += in[i];
    }
    const fixture::guarded_array<T> elements(first.queue, in);
    const fixture::guarded_array<T> sums(first.queue, height);
    upsweep::reduce(first.queue, upsweep::rows(elements.input(), height, width, pitch), sums.view(), upsweep::no_init)
        .wait();
    return sums.values() == expected;
}

} // namespace

TEST_CASE("scans of several chunks are checked though one chunk was scanned before", "[self_check]") {
    first_uses first({change{"upsweep_append(&has_carry, &carry, sums[sums_offset + i]);", "{}"}});
    upsweep::use_self_check(false);
    CHECK_FALSE(chunks_are_scanned(first, 3)); // or the test would show nothing
    upsweep::use_self_check(true);
    first.forget();
    CHECK(chunks_are_scanned(first, 1));
    CHECK(first.reports.empty());
    CHECK(chunks_are_scanned(first, 3));
    CHECK(first.reports.size() == 1);
}

TEST_CASE("rows that a CPU's work-items reduce are checked as rows, and of each kind of vectors", "[self_check]") {
    const upsweep::detail::device_limits limits = fixture::limits_of(upsweep::default_queue());
    if (!limits.is_cpu || limits.ends_loops) return test::skip("rows are not reduced by single work-items");
    first_uses first({change{"UPSWEEP_INPUT_AT(in, k * gap)", "in"}});
    upsweep::use_self_check(false);
    CHECK_FALSE(rows_are_reduced<int>(first, 20)); // or the test would show nothing
    upsweep::use_self_check(true);
    first.forget();
    std::size_t reports = 0;
    CHECK(rows_are_reduced<int>(first, 20));
    CHECK(first.reports.size() == ++reports);
    CHECK(rows_are_reduced<int>(first, 1000));
    CHECK(first.reports.size() == ++reports);
    CHECK(rows_are_reduced<float>(first, 1000));
    CHECK(first.reports.size() == ++reports);
}
