// SPDX-License-Identifier: MIT
// A user whose other headers define many common words as macros: everything compiles, and works.
#include "macros_of_others.hpp"

#include <upsweep/device_group.hpp>
#include <upsweep/upsweep.hpp>

int main() {
    const std::vector<int> in{3, 1, 7, 0, 4, 1, 6, 3};
    const std::vector<int> expected{3, 4, 11, 11, 15, 16, 22, 25};
    std::vector<int> out(in.size());
    const cl::CommandQueue queue = upsweep::default_queue();
    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin());
    bool right = out == expected && upsweep::reduce(queue, in.begin(), in.end()) == 25;

    const std::size_t bytes = in.size() * sizeof(int);
    const cl::Buffer data(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, bytes);
    const cl::Buffer sum(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, sizeof(int));
    queue.enqueueWriteBuffer(data, CL_TRUE, 0, bytes, in.data());
    const upsweep::span<int> view(data, in.size());
    const auto largest = upsweep::make_operator<int>("return left > right ? left : right;");
    const upsweep::reduce_plan<int, int, upsweep::custom_operator<int>> reduction(queue, in.size(), largest);
    reduction.reduce(queue, view, upsweep::span<int>(sum, 1));
    const upsweep::scan_plan<int> scan(queue, in.size());
    scan.inclusive_scan(queue, view, view);
    int most = 0;
    queue.enqueueReadBuffer(sum, CL_TRUE, 0, sizeof most, &most);
    queue.enqueueReadBuffer(data, CL_TRUE, 0, bytes, out.data());
    right = right && most == 7 && out == expected;
    try {
        upsweep::reduce(queue, view, upsweep::span<int>(sum, 0));
        right = false;
    } catch (const upsweep::error& e) {
        std::puts(e.what());
    }
    return right ? 0 : 1;
}
