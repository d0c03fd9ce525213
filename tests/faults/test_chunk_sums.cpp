// SPDX-License-Identifier: MIT
// Reductions by work-items on their own, whose one launch is broken on its way to the compiler.
#include "first_uses.hpp"
#include "scenarios.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace {

/// Whether a reduction by so many work-groups of one work-item each is right.
bool chunks_are_reduced(const faults::first_uses& first, std::uint32_t work_groups) {
    const std::vector<int> in = test::make_input<int>(100000, 8);
    const int expected = test::reference_scan<int>(in, false, std::optional<int>(7), upsweep::plus{}).back();
    return upsweep::reduce(first.queue, in.begin(), in.end(), 7, upsweep::plus{}, faults::chunks(work_groups)) ==
           expected;
}

} // namespace

TEST_CASE("sums of chunks that are combined wrongly are noticed, and two launches take their place", "[self_check]") {
    const upsweep::detail::device_limits limits = fixture::limits_of(upsweep::default_queue());
    if (!limits.is_cpu || !limits.has_atomics64 || limits.ends_loops) return test::skip("no reductions in one launch");
    faults::first_uses first({faults::change{"words + k * UPSWEEP_STATE_WORDS", "words"}});
    upsweep::use_self_check(false);
    CHECK_FALSE(chunks_are_reduced(first, 3)); // or the test would show nothing
    upsweep::use_self_check(true);
    first.forget();
    CHECK(chunks_are_reduced(first, 3));
    REQUIRE(first.reports.size() == 1);
    CHECK(first.reports[0].instead == "reduction, chunked, one work-item per work-group");
    // A single chunk has nothing to combine, but its program is that of three.
    first.forget();
    CHECK(chunks_are_reduced(first, 1));
    CHECK(chunks_are_reduced(first, 3));
}
