// SPDX-License-Identifier: MIT
// The shortest useful program: scan and reduce a few numbers on the best OpenCL device.
#include <upsweep/upsweep.hpp>

#include <iostream>
#include <vector>

int main() try {
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::vector<int> in{3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<int> out(in.size());

    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin());
    std::cout << "inclusive scan:";
    for (int x : out) std::cout << ' ' << x;

    upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), 0);
    std::cout << "\nexclusive scan:";
    for (int x : out) std::cout << ' ' << x;

    std::cout << "\nsum: " << upsweep::reduce(queue, in.begin(), in.end())
              << ", largest: " << upsweep::reduce(queue, in.begin(), in.end(), upsweep::no_init, upsweep::maximum{})
              << '\n';
} catch (const upsweep::error& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
