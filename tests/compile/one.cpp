// SPDX-License-Identifier: MIT
#include <upsweep/device_group.hpp>
#include <upsweep/upsweep.hpp>

#include <vector>

int total_of(const std::vector<int>& values);

int main() {
    const std::vector<int> in{3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<int> out(in.size());
    cl::CommandQueue queue = upsweep::default_queue();
    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin());
    return out.back() == 25 && total_of(in) == 25 ? 0 : 1;
}
