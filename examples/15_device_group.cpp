// SPDX-License-Identifier: MIT
// One array on several devices: a host range that is divided among them, and views that lie on each already. The floats
// have the bits of one device.
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/device_group.hpp>
#include <upsweep/upsweep.hpp>

#include <cstddef>
#include <exception>
#include <iostream>
#include <random>
#include <vector>

namespace {

/// A queue for each device of the kind that is used anyway, each of a context of its own; two queues for a single one.
std::vector<cl::CommandQueue> some_queues() {
    const upsweep::device_info preferred = upsweep::default_device();
    std::vector<cl::CommandQueue> queues;
    const auto add = [&](const cl::Device& device) { queues.emplace_back(cl::Context(device), device); };
    for (const upsweep::device_info& device : upsweep::devices())
        if (device.type == preferred.type) add(device.device);
    if (queues.size() == 1) add(preferred.device);
    return queues;
}

} // namespace

int main() try {
    upsweep::device_group group(some_queues());
    group.measure_speeds(1 << 20); // unless told, all are taken to be as fast as each other

    constexpr std::size_t n = 1000003;
    std::mt19937 random(1);
    std::vector<float> in(n), out(n), on_one(n);
    for (float& x : in) x = static_cast<float>(random()) / 65536.0F - 32768.0F;
    upsweep::inclusive_scan(group.queue(0), in.begin(), in.end(), on_one.begin());
    const float sum_on_one = upsweep::reduce(group.queue(0), in.begin(), in.end());

    upsweep::inclusive_scan(group, in.begin(), in.end(), out.begin());
    const float sum = upsweep::reduce(group, in.begin(), in.end());
    const bool is_same = out == on_one && sum == sum_on_one;
    std::cout << n << " floats on " << group.size() << " queues: " << (is_same ? "the bits of one" : "wrong") << '\n';

    // Parts that live on the devices: any sizes, here two thirds on the first queue's.
    std::vector<cl::Buffer> buffers;
    std::vector<upsweep::span<float>> parts;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
        const std::size_t count = i + 1 == group.size() ? n - begin : i == 0 ? 2 * n / 3 : 0;
        buffers.emplace_back(group.queue(i).getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE,
                             (count + 1) * sizeof(float));
        group.queue(i).enqueueWriteBuffer(buffers[i], CL_TRUE, 0, count * sizeof(float), in.data() + begin);
        parts.emplace_back(buffers[i], count);
        begin += count;
    }
    const std::vector<cl::Event> scanned = upsweep::inclusive_scan(group, parts, parts); // in place
    float last = 0;
    const std::vector<cl::Event> done{scanned.back()};
    group.queue(group.size() - 1)
        .enqueueReadBuffer(buffers.back(), CL_TRUE, (parts.back().size() - 1) * sizeof(float), sizeof last, &last,
                           &done);
    std::cout << "two thirds and the rest: " << (last == sum ? "the same sum" : "wrong") << '\n';
    return is_same && last == sum ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
