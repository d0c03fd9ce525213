// SPDX-License-Identifier: MIT
// How much scratch plans ask for. No device is touched.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using namespace upsweep::detail;
using upsweep::strategy;
using upsweep::tuning;

namespace {

device_limits a_device(bool is_cpu, std::uint32_t compute_units, lanes_backend lanes) {
    device_limits limits;
    limits.name = "doctored";
    limits.is_cpu = is_cpu;
    limits.has_double = limits.has_atomics64 = true;
    limits.lanes = lanes;
    limits.has_ptx = limits.has_async_copy = lanes == lanes_backend::ptx;
    limits.compute_units = compute_units;
    limits.max_work_group_size = 1024;
    limits.local_memory_bytes = limits.tile_memory_bytes = 49152;
    limits.max_allocation_bytes = std::uint64_t{1} << 36;
    return limits;
}

/// Numbers of elements in rising order: every 4096, where chunks begin to be many, and around powers of two.
std::vector<std::uint64_t> rising_sizes() {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t i = 0; i < 1200; ++i) sizes.insert(sizes.end(), {i * 4096, i * 4096 + 1});
    for (unsigned k = 3; k < 34; ++k)
        for (std::uint64_t eighths = 8; eighths < 16; ++eighths)
            for (const std::uint64_t more : {0U, 1U, 1000U}) sizes.push_back((eighths << k >> 3U) + more);
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

/// The first n that needs less scratch than fewer elements do; 0 if there is none.
std::uint64_t first_shrinking(operation op, const tuning& t, std::size_t value_size) {
    static const std::vector<std::uint64_t> sizes = rising_sizes();
    std::uint64_t most = 0;
    for (const std::uint64_t n : sizes) {
        const std::uint64_t bytes = plan_passes(op, n, t, value_size).scratch_bytes;
        if (bytes < most) return n;
        most = bytes;
    }
    return 0;
}

} // namespace

TEST_CASE("scratch is a hundredth of the input and 64 KiB at most, where automatic chooses", "[unit]") {
    for (const lanes_backend lanes : {lanes_backend::ptx, lanes_backend::khr})
        for (const operation op : {operation::scan, operation::reduce})
            for (const std::size_t size : {1U, 2U, 4U, 8U, 12U, 16U, 32U})
                for (const bool exact : {true, false}) {
                    CAPTURE(lanes == lanes_backend::ptx, op == operation::scan, size, exact);
                    const device_limits device = a_device(false, 132, lanes);
                    std::uint64_t first_large = 0;
                    for (const std::uint64_t n : rising_sizes()) {
                        const tuning t = choose_tuning("f", {}, device, {op, n, size, exact, size});
                        if (plan_passes(op, n, t, size).scratch_bytes <= n * size / 100 + (64 << 10)) continue;
                        first_large = n;
                        break;
                    }
                    CHECK(first_large == 0);
                }
}

TEST_CASE("what a plan needs for its capacity is enough for fewer elements", "[unit]") {
    std::vector<std::pair<std::size_t, tuning>> tried[2]; // most of the choices are the same
    device_limits no_atomics = a_device(true, 16, lanes_backend::none);
    no_atomics.has_atomics64 = false;
    for (const device_limits& device :
         {a_device(true, 2, lanes_backend::none), a_device(true, 96, lanes_backend::none), no_atomics,
          a_device(false, 132, lanes_backend::ptx), a_device(false, 20, lanes_backend::khr),
          a_device(false, 64, lanes_backend::none)})
        for (const strategy s : {strategy::automatic, strategy::scan_then_propagate, strategy::reduce_then_scan,
                                 strategy::look_back, strategy::chunked})
            for (const operation op : {operation::scan, operation::reduce})
                for (const std::uint32_t groups : {0U, 7U, 1000U})
                    for (const std::size_t size : {1U, 4U, 12U, 16U})
                        for (const bool exact : {true, false})
                            for (const std::uint64_t capacity : {std::uint64_t{100000}, std::uint64_t{1} << 33U}) {
                                CAPTURE(device.is_cpu, device.compute_units, groups, size, exact, capacity);
                                INFO(s);
                                if (s == strategy::look_back && !device.has_atomics64) continue; // an error
                                upsweep::options opts;
                                opts.strategy = s;
                                opts.work_groups = groups;
                                const tuning t = choose_tuning("f", opts, device, {op, capacity, size, exact, size});
                                auto& same_operation = tried[op == operation::scan ? 0 : 1];
                                if (std::find(same_operation.begin(), same_operation.end(), std::pair(size, t)) !=
                                    same_operation.end())
                                    continue;
                                same_operation.emplace_back(size, t);
                                CHECK(first_shrinking(op, t, size) == 0);
                            }
}
