// SPDX-License-Identifier: MIT
// One array on several devices against one: 2^31 int32, or as many as asked for, that live in equal parts on each of
// the devices. Prints medians of seconds, the ratio, and whether the results have the same hash.
//
//     bench_group [n [queues]]         # all devices of the default one's kind, or so many queues on them in turn
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/device_group.hpp>
#include <upsweep/upsweep.hpp>

#include "common/array_part.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

struct measured {
    double scan = 0;
    double reduce = 0;
    std::uint64_t hash = 0;
    std::int32_t sum = 0;
};

measured measure(const std::vector<cl::CommandQueue>& queues, std::size_t n) {
    const upsweep::device_group group(queues);
    std::vector<bench::array_part> parts;
    std::vector<upsweep::span<std::int32_t>> in, out;
    std::size_t begin = 0;
    for (std::size_t count : group.split(n)) {
        parts.emplace_back(queues[parts.size()], begin, count);
        in.push_back(parts.back().in());
        out.push_back(parts.back().out());
        begin += count;
    }
    measured m;
    m.scan = bench::median_seconds(queues, [&] {
        if (queues.size() == 1)
            upsweep::inclusive_scan(queues[0], in[0], out[0]);
        else
            upsweep::inclusive_scan(group, in, out);
    });
    begin = 0;
    for (const bench::array_part& p : parts) {
        m.hash += p.hash(begin);
        begin += p.size();
    }
    m.reduce = bench::median_seconds(
        queues, [&] { m.sum = queues.size() == 1 ? upsweep::reduce(queues[0], in[0]) : upsweep::reduce(group, in); });
    return m;
}

} // namespace

int main(int argc, char** argv) try {
    const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::size_t{1} << 31;
    const std::size_t asked = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
    const std::vector<cl::Device> devices = bench::devices_alike();
    std::vector<cl::CommandQueue> queues;
    for (std::size_t i = 0; i < (asked ? asked : devices.size()); ++i) {
        const cl::Device& device = devices[i % devices.size()];
        queues.emplace_back(cl::Context(device), device);
    }
    std::printf("%zu int32 on %zu of %s\n", n, queues.size(), devices[0].getInfo<CL_DEVICE_NAME>().c_str());

    const measured one = measure({queues[0]}, n);
    const measured all = measure(queues, n);
    bench::print_row("inclusive scan", one.scan, all.scan);
    bench::print_row("reduce", one.reduce, all.reduce);
    const bool is_same = one.hash == all.hash && one.sum == all.sum;
    std::printf("hash %016llx, sum %d: %s\n", static_cast<unsigned long long>(all.hash), static_cast<int>(all.sum),
                is_same ? "the same" : "different");
    return is_same ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
