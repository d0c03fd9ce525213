// SPDX-License-Identifier: MIT
// Must not compile: what stands behind an operator, in its place. LATE is a wait list or options. The compiler says so
// once, and nothing else.
#include <upsweep/upsweep.hpp>

#include <cstdint>
#include <vector>

int main() {
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::vector<int> in(8);
    std::vector<int> out(8);
    const upsweep::span<const int> x;
    const upsweep::span<int> y;
    const upsweep::span<std::uint32_t> count;
    const auto view = upsweep::transform<int>("-a", x);
    const auto rows = upsweep::rows(x, 2, 4);

    upsweep::inclusive_scan(queue, x, y, LATE);
    upsweep::exclusive_scan(queue, x, y, LATE);
    upsweep::exclusive_scan(queue, x, y, 0, LATE);
    upsweep::reduce(queue, x, y, 0, LATE);
    upsweep::reduce(queue, x, y, upsweep::no_init, LATE);
    upsweep::reduce(queue, x, 0, LATE);
    upsweep::inclusive_scan(queue, view, y, LATE);
    upsweep::reduce(queue, view, 0, LATE);
    upsweep::inclusive_scan(queue, x, upsweep::with_total(y, y), LATE);
    upsweep::exclusive_scan(queue, rows, y, 0, LATE);
    upsweep::reduce(queue, rows, y, 0, LATE);
    upsweep::reduce_by_key(queue, upsweep::keyed(x, x), y, y, count, LATE);
    upsweep::transform_reduce(queue, x, y, 0, LATE, "-a");

    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), LATE);
    upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), LATE);
    upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), 0, LATE);
    upsweep::reduce(queue, in.begin(), in.end(), 0, LATE);
    upsweep::reduce(queue, in.begin(), in.end(), upsweep::no_init, LATE);
}
