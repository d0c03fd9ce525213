// SPDX-License-Identifier: MIT
// Must not compile: bool is no element of any call. The compiler says so once, and nothing else. (Outputs may be of
// bool: test_select_calls.cpp.)
#include <upsweep/device_group.hpp>
#include <upsweep/upsweep.hpp>

#include <iterator>
#include <vector>

int main() {
    const cl::CommandQueue queue = upsweep::default_queue();
    const upsweep::device_group group({queue});
    const std::vector<int> in(8);
    std::vector<int> out(8);
    std::vector<bool> flags(8);
    const upsweep::span<bool> bits;

    upsweep::inclusive_scan(queue, flags.begin(), flags.end(), flags.begin());
    upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), true);
    upsweep::reduce(queue, flags.begin(), flags.end());
    upsweep::copy_if(queue, flags.begin(), flags.end(), flags.begin(), "a");
    upsweep::partition(queue, flags.begin(), flags.end(), out.begin(), "a");
    upsweep::unique(queue, flags.begin(), flags.end(), std::back_inserter(out));
    upsweep::run_length_encode(queue, flags.begin(), flags.end(), flags.begin(), out.begin());
    upsweep::minmax_element(queue, flags.begin(), flags.end());
    upsweep::min_element(queue, bits);
    upsweep::count_if(queue, flags.begin(), flags.end(), "a");
    upsweep::transform_reduce(queue, in.begin(), in.end(), flags.begin(), 0);
    upsweep::inclusive_scan(group, flags.begin(), flags.end(), out.begin());
    upsweep::exclusive_scan(group, in.begin(), in.end(), out.begin(), true);
    upsweep::reduce(group, flags.begin(), flags.end());
}
