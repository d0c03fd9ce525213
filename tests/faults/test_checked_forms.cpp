// SPDX-License-Identifier: MIT
// Kernels of a program that the first call does not run are broken on their way to the compiler: what its self-check
// found of some does not stand for them.
#include "first_uses.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using faults::change;
using faults::first_uses;

namespace {

/// Whether an inclusive scan with these options is right.
bool is_scanned(const first_uses& first, const upsweep::options& opts, std::optional<int> init = {}) {
    const std::vector<int> in = test::make_input<int>(100000, 11);
    std::vector<int> out(in.size());
    if (init)
        upsweep::inclusive_scan(first.queue, in.begin(), in.end(), out.begin(), upsweep::plus{}, *init, opts);
    else
        upsweep::inclusive_scan(first.queue, in.begin(), in.end(), out.begin(), upsweep::plus{}, opts);
    return out == test::reference_scan<int>(in, false, init, upsweep::plus{});
}

/// The same by so many work-groups of one work-item each.
bool chunks_are_scanned(const first_uses& first, std::uint32_t work_groups) {
    return is_scanned(first, faults::chunks(work_groups));
}

/// Tiles of so many elements, by work-items on their own.
upsweep::options tiles_of(std::uint32_t items) {
    upsweep::options o;
    o.strategy = upsweep::strategy::look_back;
    o.work_items = 1;
    o.items = items;
    return o;
}

/// Whether a scan of arrays that begin behind the beginning of their buffers is right.
bool is_scanned_behind(const first_uses& first, const upsweep::options& opts) {
    const std::vector<int> in = test::make_input<int>(5000, 11);
    const fixture::guarded_array<int> elements(first.queue, in), out(first.queue, in.size());
    upsweep::inclusive_scan(first.queue, elements.input(), out.view(), upsweep::plus{}, {}, opts).wait();
    return out.values() == test::reference_scan<int>(in, false, std::optional<int>(), upsweep::plus{});
}

/// Whether a selection is right, of elements as they are or of computed ones.
bool is_selected(const first_uses& first, bool are_computed) {
    const std::vector<std::uint32_t> in = test::make_input<std::uint32_t>(10000, 5);
    std::vector<std::uint32_t> expected, counted;
    for (const std::uint32_t x : in)
        if (x % 3 == 0) expected.push_back(x);
    const fixture::guarded_array<std::uint32_t> elements(first.queue, in), chosen(first.queue, in.size());
    const fixture::guarded_array<std::uint32_t> count(first.queue, 1);
    upsweep::options opts;
    opts.work_items = 1;
    if (are_computed)
        upsweep::copy_if(first.queue, upsweep::transform<std::uint32_t>("a + 0", elements.input()), chosen.view(),
                         count.view(), "a % 3 == 0", {}, opts)
            .wait();
    else
        upsweep::copy_if(first.queue, elements.input(), chosen.view(), count.view(), "a % 3 == 0", {}, opts).wait();
    std::vector<std::uint32_t> found = chosen.values();
    found.resize((std::min)(found.size(), std::size_t{count.values()[0]}));
    return found == expected;
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

TEST_CASE("inclusive scans with an initial value are checked", "[self_check]") {
    first_uses first({change{"uint has_carry = has_init;", "uint has_carry = has_init && exclusive;"}});
    upsweep::use_self_check(false);
    CHECK(is_scanned(first, faults::chunks(3)));
    CHECK_FALSE(is_scanned(first, faults::chunks(3), 7)); // or the test would show nothing
    upsweep::use_self_check(true);
    first.forget();
    CHECK(is_scanned(first, faults::chunks(3), 7));
    CHECK(first.reports.size() == 1);
}

TEST_CASE("scans are checked of arrays that do not begin their buffers", "[self_check]") {
    for (const char* where : {"UPSWEEP_INPUT(where.x)", "UPSWEEP_OUTPUT(where.y)"}) {
        first_uses first({change{where, std::string(where).substr(0, std::string(where).find('(')) + "(0)"}});
        upsweep::use_self_check(false);
        CHECK_FALSE(is_scanned_behind(first, tiles_of(1000))); // or the test would show nothing
        upsweep::use_self_check(true);
        first.forget();
        CHECK(is_scanned(first, tiles_of(1000))); // arrays that do
        CHECK(first.reports.size() == 1);
        CHECK(is_scanned_behind(first, tiles_of(1000)));
    }
}

TEST_CASE("tiles of any size are checked though tiles of one element were used before", "[self_check]") {
    first_uses first({change{"((uint)(launched))", "1u"}});
    upsweep::use_self_check(false);
    CHECK(is_scanned(first, tiles_of(1)));
    CHECK_FALSE(is_scanned(first, tiles_of(1000))); // or the test would show nothing
    upsweep::use_self_check(true);
    first.forget();
    CHECK(is_scanned(first, tiles_of(1)));
    CHECK(is_scanned(first, tiles_of(1000)));
    CHECK(first.reports.size() == 1);
}

TEST_CASE("selections of computed elements are checked though those of an array were before", "[self_check]") {
    first_uses first({change{"UPSWEEP_STORE_MARKED(out, at, upsweep_combine(prefix, before), marked, 1, read)",
                             "UPSWEEP_STORE_MARKED(out, at, before, marked, 1, read)"}});
    upsweep::use_self_check(false);
    CHECK(is_selected(first, false));
    CHECK_FALSE(is_selected(first, true)); // or the test would show nothing
    upsweep::use_self_check(true);
    first.forget();
    CHECK(is_selected(first, false));
    CHECK(first.reports.empty());
    CHECK(is_selected(first, true));
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
