// SPDX-License-Identifier: MIT
// Scans of rows whose tiles read what precedes them in their row (kernels/sub_group_tile/row_before.cl).
#include "device_fixture.hpp"
#include "families.hpp"
#include "segmented.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

using test::guarded_array;
using test::queue;
using test::same_bits;
using test::segments_on_host;

namespace {

template <class T, class Op, class Combine>
void check_rows(const std::vector<T>& numbers, T init, const Op& op, Combine combine, const upsweep::options& opts) {
    // A row of one element more than a small tile has is not read again, nor is a longer one.
    for (const std::size_t width : {1, 7, 100, 500, 1000, 1023, 1024, 1025, 3000}) {
        const std::size_t height = numbers.size() / width, n = height * width;
        CAPTURE(width, opts.work_items, sizeof(T));
        const std::vector<T> x(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
        const std::vector<bool> heads = test::heads_of_rows(n, width);
        const guarded_array<T> in(x, 3), out(n);
        const std::vector<T> inclusive = segments_on_host<T>(x, heads, combine, nullptr, false);
        upsweep::inclusive_scan(queue(), upsweep::rows(in.view(), height, width), out.view(), op, {}, opts);
        CHECK(same_bits(out.values(), inclusive));
        upsweep::exclusive_scan(queue(), upsweep::rows(in.view(), height, width), out.view(), init, op, {}, opts);
        CHECK(same_bits(out.values(), segments_on_host<T>(x, heads, combine, &init, true)));
        CHECK(out.untouched_outside(n));
        upsweep::inclusive_scan(queue(), upsweep::rows(in.view(), height, width), in.view(), op, {}, opts);
        CHECK(same_bits(in.values(), inclusive));
    }
}

} // namespace

TEST_CASE("rows no wider than a tile are scanned, in place and not, with the bits of the host", "[canonical]") {
    for (const upsweep::options& opts : test::tilings()) {
        check_rows<std::int32_t>(test::make_input<std::int32_t>(9001, 1), 7, upsweep::plus{}, std::plus<>{}, opts);
        check_rows<float>(test::make_input<float>(9001, 2), 0.1F, upsweep::plus{}, std::plus<>{}, opts);
    }
}
