// SPDX-License-Identifier: MIT
// One scan on two devices or more, each with a part of the elements. A part begins with the sum of all parts before it,
// so every device first reduces its part, all at the same time; one value each goes to the host. Then every device
// scans. Integers are exact; floats would be combined in another order than on one device.
// (15_device_group.cpp has it as one call, with the bits of one device for floats, too.)
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

namespace {

using numbers = std::vector<std::uint64_t>;

/// A part of the input on one device, with its own context and queue: devices of two platforms share nothing.
class part {
public:
    part(const cl::Device& device, const std::uint64_t* in, std::uint64_t* out, std::size_t n)
        : context_(device)
        , queue_(context_, device)
        , n_(n)
        , out_(out)
        , buffer_(context_, CL_MEM_READ_WRITE, n * sizeof(std::uint64_t))
        , result_(context_, CL_MEM_READ_WRITE, sizeof(std::uint64_t)) {
        queue_.enqueueWriteBuffer(buffer_, CL_FALSE, 0, n * sizeof(std::uint64_t), in);
    }

    /// Enqueues the sum of the part; nothing waits.
    void start_sum() const {
        upsweep::reduce(queue_, view(), upsweep::span<std::uint64_t>(result_, 1));
        queue_.flush();
    }
    /// Waits for the sum.
    std::uint64_t sum() const {
        std::uint64_t value = 0;
        queue_.enqueueReadBuffer(result_, CL_TRUE, 0, sizeof value, &value);
        return value;
    }
    /// Enqueues the scan of the part, given the sum of all parts before it, and the download; nothing waits.
    void start_scan(std::uint64_t before) const {
        upsweep::exclusive_scan(queue_, view(), view(), before);
        queue_.enqueueReadBuffer(buffer_, CL_FALSE, 0, n_ * sizeof(std::uint64_t), out_);
        queue_.flush();
    }
    void finish() const { queue_.finish(); }

private:
    upsweep::span<std::uint64_t> view() const { return {buffer_, n_}; }

    cl::Context context_;
    cl::CommandQueue queue_;
    std::size_t n_;
    std::uint64_t* out_;
    cl::Buffer buffer_;
    cl::Buffer result_;
};

} // namespace

int main() try {
    // All devices of the kind that is used anyway; with one device only, it takes both parts.
    const upsweep::device_info preferred = upsweep::default_device();
    std::vector<upsweep::device_info> devices;
    for (const upsweep::device_info& device : upsweep::devices())
        if (device.type == preferred.type) devices.push_back(device);
    if (devices.size() == 1) devices.push_back(preferred);

    constexpr std::size_t n = 2000001;
    std::mt19937_64 random(1);
    numbers in(n), out(n), expected(n);
    for (std::uint64_t& x : in) x = random() % 1000;

    std::vector<part> parts;
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const std::size_t begin = n * d / devices.size(), end = n * (d + 1) / devices.size();
        parts.emplace_back(devices[d].device, &in[begin], &out[begin], end - begin);
        std::cout << "elements from " << begin << " on: " << devices[d] << '\n';
    }
    for (const part& p : parts) p.start_sum();
    numbers sums;
    for (const part& p : parts) sums.push_back(p.sum());
    std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), std::uint64_t{0});
    for (std::size_t d = 0; d < parts.size(); ++d) parts[d].start_scan(sums[d]);
    for (const part& p : parts) p.finish();

    std::exclusive_scan(in.begin(), in.end(), expected.begin(), std::uint64_t{0});
    const bool is_right = out == expected;
    std::cout << n << " elements: " << (is_right ? "right" : "wrong") << '\n';
    return is_right ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
