// SPDX-License-Identifier: MIT
// A scan of more elements than the device has room for, in chunks. The last result of a chunk is the initial value of
// the next. A plan is made once, for the largest chunk.
//
//   07_chunks [<count>]     10^7 by default
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t chunk = std::size_t{1} << 20;

/// out[i] = in[0] + ... + in[i], of any length, with room for a chunk on the device.
///
/// Integers are exact, so the results are those of one call. Floats would be combined in another order than by one
/// call, since a chunk's sum is rounded before the next begins. The first chunk has no initial value, so that an
/// operator without an identity can take the place of the sum.
void scan_in_chunks(const cl::CommandQueue& queue, const std::vector<std::uint32_t>& in,
                    std::vector<std::uint64_t>& out) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const cl::Buffer elements(context, CL_MEM_READ_ONLY, chunk * sizeof(std::uint32_t));
    const cl::Buffer sums(context, CL_MEM_READ_WRITE, chunk * sizeof(std::uint64_t));
    const upsweep::scan_plan<std::uint32_t, std::uint64_t> plan(queue, chunk);

    for (std::size_t begin = 0; begin < in.size(); begin += chunk) {
        const std::size_t n = std::min(chunk, in.size() - begin);
        const upsweep::span<const std::uint32_t> x(elements, n);
        const upsweep::span<std::uint64_t> y(sums, n);
        // The queue is in order. Only the last command of a chunk waits: the next chunk needs its last result.
        queue.enqueueWriteBuffer(elements, CL_FALSE, 0, n * sizeof(std::uint32_t), &in[begin]);
        if (begin == 0)
            plan.inclusive_scan(queue, x, y);
        else
            plan.inclusive_scan(queue, x, y, out[begin - 1]);
        queue.enqueueReadBuffer(sums, CL_TRUE, 0, n * sizeof(std::uint64_t), &out[begin]);
    }
}

} // namespace

int main(int argc, char** argv) try {
    const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 10000000;
    std::mt19937 random(1);
    std::vector<std::uint32_t> in(n);
    for (std::uint32_t& x : in) x = static_cast<std::uint32_t>(random());
    std::vector<std::uint64_t> out(n), expected(n);

    scan_in_chunks(upsweep::default_queue(), in, out);

    std::inclusive_scan(in.begin(), in.end(), expected.begin(), std::plus<>{}, std::uint64_t{0});
    const bool right = out == expected;
    std::cout << n << " elements in chunks of " << chunk << ": " << (right ? "right" : "wrong") << '\n';
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
