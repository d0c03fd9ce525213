// SPDX-License-Identifier: MIT
// What kernels are given by value fits every device: the least that CL_DEVICE_MAX_PARAMETER_SIZE may be is 256 bytes.
#include "../big_struct.hpp"
#include "faults.hpp"
#include "scenarios.hpp"

namespace {

constexpr std::size_t least_parameter_size = 256;

/// Scans and reductions from an initial value; the largest arguments of any kernel.
template <class T>
std::size_t largest_arguments_of(const cl::CommandQueue& queue, const std::vector<upsweep::strategy>& strategies) {
    const std::vector<T> input = test::big_elements<T>(5000);
    const fixture::guarded_array<T> in(queue, input);
    const fixture::guarded_array<T> out(queue, input.size());
    const auto op = test::big_operator<T>();
    faults::watch(faults::never, CL_SUCCESS);
    for (const auto how : strategies) {
        upsweep::options o;
        o.strategy = how;
        upsweep::exclusive_scan(queue, in.input(), out.view(), input[0], op, {}, o);
        upsweep::reduce(queue, in.input(), out.view(), input[0], op, {}, o);
    }
    const std::size_t largest = faults::largest_arguments();
    faults::stop();
    queue.finish();
    return largest;
}

} // namespace

TEST_CASE("arguments of a kernel fit the smallest parameter size that a device may have", "[faults]") {
    using upsweep::strategy;
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::vector<strategy> each{strategy::automatic, strategy::scan_then_propagate, strategy::reduce_then_scan,
                                     strategy::chunked};
    upsweep::use_self_check(false); // its kernels are the same ones
    const std::size_t of_small = largest_arguments_of<test::big_struct<12>>(queue, {strategy::automatic});
    const std::size_t of_largest_by_value = largest_arguments_of<test::big_struct<128>>(queue, each);
    CHECK(of_small > 12);
    CHECK(of_largest_by_value > 128);
    CHECK(of_largest_by_value < least_parameter_size);
    CHECK(largest_arguments_of<test::big_struct<132>>(queue, each) < 132);
    upsweep::use_self_check(true);
}
