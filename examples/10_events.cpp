// SPDX-License-Identifier: MIT
// Calls on an out-of-order queue: nothing but events says what runs before what, so that the two halves of this program
// may run at the same time.
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <numeric>
#include <vector>

namespace {

using numbers = std::vector<std::uint32_t>;

constexpr std::size_t n = 300000;
constexpr std::size_t bytes = n * sizeof(std::uint32_t);

/// upload -> inclusive scan in place -> download; each waits for the event of the one before.
cl::Event enqueue_scan(const cl::CommandQueue& queue, const cl::Buffer& buffer, const numbers& in, numbers& out) {
    const upsweep::span<std::uint32_t> x(buffer, n);
    cl::Event uploaded, downloaded;
    queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, bytes, in.data(), nullptr, &uploaded);
    const cl::Event scanned = upsweep::inclusive_scan(queue, x, x, upsweep::plus{}, upsweep::after({uploaded}));
    const std::vector<cl::Event> before{scanned};
    queue.enqueueReadBuffer(buffer, CL_FALSE, 0, bytes, out.data(), &before, &downloaded);
    return downloaded;
}

/// A queue that may reorder commands; the device need not do so.
cl::CommandQueue unordered_queue() {
    const cl::Device device = upsweep::default_device().device;
    const auto can = device.getInfo<CL_DEVICE_QUEUE_PROPERTIES>() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    return upsweep::default_queue(can);
}

} // namespace

int main() try {
    const cl::CommandQueue queue = unordered_queue();
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const cl::Buffer first(context, CL_MEM_READ_WRITE, bytes), second(context, CL_MEM_READ_WRITE, bytes);
    const cl::Buffer result(context, CL_MEM_READ_WRITE, sizeof(std::uint32_t));
    const numbers ones(n, 1), twos(n, 2);
    numbers ones_scanned(n), twos_scanned(n);

    // Two chains that know nothing of one another. A call returns at once, here and below.
    const cl::Event first_done = enqueue_scan(queue, first, ones, ones_scanned);
    const cl::Event second_done = enqueue_scan(queue, second, twos, twos_scanned);

    // They meet: the largest sum of two results at one place. Each chain's last event is waited for.
    const auto both = upsweep::transform<std::uint32_t>("a + b", upsweep::span<std::uint32_t>(first, n),
                                                        upsweep::span<std::uint32_t>(second, n));
    const cl::Event reduced = upsweep::reduce(queue, both, upsweep::span<std::uint32_t>(result, 1), upsweep::no_init,
                                              upsweep::maximum{}, upsweep::after({first_done, second_done}));

    std::uint32_t most = 0;
    const std::vector<cl::Event> before{reduced};
    queue.enqueueReadBuffer(result, CL_TRUE, 0, sizeof most, &most, &before);

    numbers expected(n);
    std::iota(expected.begin(), expected.end(), 1U);
    const bool right = ones_scanned == expected && twos_scanned.back() == 2 * n && most == 3 * n;
    std::cout << "two chains of events, " << n << " elements each: " << (right ? "right" : "wrong") << '\n';
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
