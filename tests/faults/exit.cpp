// SPDX-License-Identifier: MIT
// Ends with caches, plans and a queue alive, in static objects. After main() has ended no OpenCL call may be made,
// because the driver may have ended before; the exit code must be 0.
#include <upsweep/upsweep.hpp>

#include "faults.hpp"
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

namespace {

/// The first object of all, so the last to be destroyed.
struct last_look {
    ~last_look() {
        const std::vector<std::string> calls = faults::stop();
        for (const std::string& call : calls) std::fprintf(stderr, "%s after main()\n", call.c_str());
        if (!calls.empty()) _exit(2);
    }
} const at_the_end;

constexpr int elements = 50000; // in many tiles, so that there is scratch memory

// Made before main() begins, so destroyed after whatever the driver sets up later.
std::optional<upsweep::scan_plan<int>> early_plan;
std::optional<upsweep::reduce_plan<int>> early_reduction;

bool works(const cl::CommandQueue& queue, const upsweep::scan_plan<int>& plan) {
    std::vector<int> values(elements, 1);
    const auto bytes = values.size() * sizeof(int);
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const cl::Buffer data(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, values.data());
    const cl::Buffer sum(context, CL_MEM_READ_WRITE, sizeof(int));
    const upsweep::span<int> view(data, values.size());
    plan.inclusive_scan(queue, view, view);
    early_reduction->reduce(queue, view, upsweep::span<int>(sum, 1));
    int total = 0;
    clEnqueueReadBuffer(queue(), sum(), CL_TRUE, 0, sizeof total, &total, 0, nullptr, nullptr);
    return total == elements / 2 * (elements + 1) && upsweep::reduce(queue, values.begin(), values.end()) == elements;
}

} // namespace

/// With the argument "released" the caches are emptied first, so that the plans are the last to hold their programs.
int main(int argc, char** argv) {
    static const cl::CommandQueue* const queue = new cl::CommandQueue(upsweep::default_queue());
    upsweep::options opts;
    opts.strategy = upsweep::strategy::reduce_then_scan;
    opts.work_items = 8;
    opts.items = 4;
    early_plan.emplace(*queue, elements, upsweep::plus{}, opts);
    early_reduction.emplace(*queue, elements);
    bool right = works(*queue, *early_plan);
    if (argc > 1 && std::strcmp(argv[1], "released") == 0) {
        upsweep::release_cached();
    } else {
        static const upsweep::scan_plan<int> late_plan(*queue, elements);
        right = right && works(*queue, late_plan);
    }
    std::puts(right ? "right" : "wrong");
    faults::watch(faults::never, CL_SUCCESS);
    return right ? 0 : 1;
}
