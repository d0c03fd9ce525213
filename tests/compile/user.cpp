// SPDX-License-Identifier: MIT
// What a user's first program looks like, compiled once per set of choices that a user can make.
#include <upsweep/device_group.hpp>
#include <upsweep/upsweep.hpp>

#include <cstdio>
#include <vector>

int main() {
    const std::vector<int> in{3, 1, 7, 0, 4, 1, 6, 3};
    const std::vector<int> expected{3, 4, 11, 11, 15, 16, 22, 25};
    std::vector<int> out(in.size());

    cl::CommandQueue queue = upsweep::default_queue();
    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin());
    std::vector<unsigned char> bytes(in.size()); // of another type than the values
    upsweep::inclusive_scan(queue, in.begin(), in.end(), bytes.begin());
    const int total = upsweep::reduce(queue, in.begin(), in.end());

    for (const int value : out) std::printf("%d ", value);
    std::printf("| %d\n", total);
    const bool narrowed = std::vector<int>(bytes.begin(), bytes.end()) == expected;
    return out == expected && narrowed && total == expected.back() ? 0 : 1;
}
