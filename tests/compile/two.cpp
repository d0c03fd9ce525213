// SPDX-License-Identifier: MIT
#include <upsweep/device_group.hpp>
#include <upsweep/upsweep.hpp>

#include <vector>

int total_of(const std::vector<int>& values);

int total_of(const std::vector<int>& values) {
    cl::CommandQueue queue = upsweep::default_queue();
    std::vector<int> out(values.size());
    upsweep::exclusive_scan(queue, values.begin(), values.end(), out.begin(), 0);
    const int total = upsweep::reduce(queue, values.begin(), values.end());
    return out.back() + values.back() == total ? total : -1;
}
