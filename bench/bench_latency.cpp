// SPDX-License-Identifier: MIT
// One call and its finish by the host's clock, for arrays so small that nothing else counts, beside one empty kernel
// and its finish.

#include "common/device_rows.hpp"
#include "common/upsweep_side.hpp"

#if defined(UPSWEEP_BENCH_BOOST_COMPUTE)
#include "common/boost_compute_peer.hpp"
#endif

namespace {

using namespace bench;
using element = std::int32_t;

/// The same call, its check and its poison; the clock over one call with its own finish.
prepared_call as_latency(prepared_call prepared, enqueue_call call) {
    prepared.seconds = [call = std::move(call)] { return host_seconds(call, 1); };
    return prepared;
}

/// A prepared call whose `run` is one call and one finish already.
prepared_call as_latency(prepared_call prepared) {
    prepared.seconds = [run = prepared.run] {
        const auto start = std::chrono::steady_clock::now();
        run();
        return seconds_since(start);
    };
    return prepared;
}

prepared_call empty_kernel() {
    cl::Program program(target().context, "__kernel void empty(void) {}");
    check(program.build(), "clBuildProgram");
    const cl::Kernel kernel(program, "empty");
    const enqueue_call call = [kernel](const cl::CommandQueue& queue) {
        check(queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1)),
              "clEnqueueNDRangeKernel");
    };
    prepared_call prepared = as_latency(time_call(1, call), call);
    prepared.poison = [] {};
    prepared.check = [] { return std::string(); };
    return prepared;
}

/// The free functions look up their program in every call; a plan has it at hand.
prepared_call free_scan(std::uint64_t n) {
    const auto in = arrays<element>(n).input_span(n);
    const auto out = arrays<element>(n).output_span(n);
    return prepare_scan<element, sum>(
        n, true, [=](const cl::CommandQueue& queue) { upsweep::exclusive_scan(queue, in, out, 0); });
}

prepared_call free_reduce(std::uint64_t n) {
    const auto in = arrays<element>(n).input_span(n);
    const auto out = arrays<element>(n).output_span(1);
    return prepare_reduce<element, sum>(n, [=](const cl::CommandQueue& queue) { upsweep::reduce(queue, in, out); });
}

} // namespace

int main(int argc, char** argv) {
    describe_target();
    const auto add = [](const char* operation, const char* library, const char* variant, std::uint64_t n,
                        std::function<prepared_call()> prepare) {
        add_row(std::string("latency/") + row_name(operation, library, variant, "int32", n), 0, std::move(prepare));
    };
    add("empty_kernel", "opencl", "default", 1, empty_kernel);
    for (const unsigned exponent : {6, 10, 16, 20}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        add("scan", "upsweep", "plan", n, [=] { return as_latency(upsweep_scan<element, sum>(n)); });
        add("scan", "upsweep", "function", n, [=] { return as_latency(free_scan(n)); });
        add("reduce", "upsweep", "plan", n, [=] { return as_latency(upsweep_reduce<element, sum>(n)); });
        add("reduce", "upsweep", "function", n, [=] { return as_latency(free_reduce(n)); });
#if defined(UPSWEEP_BENCH_BOOST_COMPUTE)
        add("scan", "boost_compute", "default", n,
            [=] { return as_latency(boost_compute_scan<element, sum>(n, true)); });
        add("reduce", "boost_compute", "default", n, [=] { return as_latency(boost_compute_reduce<element, sum>(n)); });
#endif
    }
    return run_rows(argc, argv);
}
