// SPDX-License-Identifier: MIT
#pragma once

// What the benchmarks of one array on several devices share.

#include <upsweep/upsweep.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {

/// A part of an array on one device: its numbers are made there, by a scan with the right operand alone.
class array_part {
public:
    array_part(const cl::CommandQueue& queue, std::size_t begin, std::size_t n)
        : queue_(queue)
        , n_(n)
        , in_(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, (n + 1) * sizeof(std::int32_t))
        , out_(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, (n + 1) * sizeof(std::int32_t)) {
        // A mixture of the place, which passes for random: the same however the array is divided.
        const auto mixed = upsweep::transform<std::int32_t>(
            "ulong z = (i + " + std::to_string(begin) + "ul) * 0x9e3779b97f4a7c15ul; return (int)(z >> 40) - 8388608;",
            n);
        upsweep::inclusive_scan(queue, mixed, in(), upsweep::make_operator<std::int32_t>("return right;"));
        queue_.finish();
    }
    upsweep::span<std::int32_t> in() const { return {in_, n_}; }
    upsweep::span<std::int32_t> out() const { return {out_, n_}; }
    std::size_t size() const { return n_; }

    /// Of the results, a sum of each mixed with its place in the whole array.
    std::uint64_t hash(std::size_t begin) const {
        const std::string place = "(i + " + std::to_string(begin) + "ul + 1)";
        const std::string body = "ulong z = ((ulong)(uint)a ^ (" + place +
                                 " << 32)) * 0x9e3779b97f4a7c15ul;"
                                 "z = (z ^ (z >> 29)) * 0x94d049bb133111ebul; return z ^ (z >> 32);";
        return upsweep::reduce(queue_, upsweep::transform<std::uint64_t>(body, out()));
    }

private:
    cl::CommandQueue queue_;
    std::size_t n_;
    cl::Buffer in_;
    cl::Buffer out_;
};

/// Calls and waits, after two rounds that are not counted.
template <class Call>
double median_seconds(const std::vector<cl::CommandQueue>& queues, const Call& call) {
    std::vector<double> seconds;
    constexpr int rounds = 11;
    for (int round = 0; round < rounds + 2; ++round) {
        using clock = std::chrono::steady_clock;
        const auto start = clock::now();
        call();
        for (const cl::CommandQueue& queue : queues) clFinish(queue());
        if (round >= 2) seconds.push_back(std::chrono::duration<double>(clock::now() - start).count());
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

/// The devices of the default one's name.
inline std::vector<cl::Device> devices_alike() {
    const upsweep::device_info preferred = upsweep::default_device();
    std::vector<cl::Device> result;
    for (const upsweep::device_info& device : upsweep::devices())
        if (device.name == preferred.name) result.push_back(device.device);
    return result;
}

inline void print_row(const char* work, double alone, double together) {
    std::printf("%-15s one %8.3f ms   all %8.3f ms   %.2f x\n", work, alone * 1e3, together * 1e3, alone / together);
}

} // namespace bench
