// SPDX-License-Identifier: MIT
// Eight threads at once: on queues of their own and on one shared queue, in order and out of order, with plans shared
// and with free functions. Also run under ThreadSanitizer (tests/threads.cmake).
#include "device_fixture.hpp"
#include "support.hpp"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

using namespace fixture;
using upsweep::span;
using upsweep::strategy;

namespace {

constexpr unsigned thread_count = 8;
constexpr unsigned rounds = 6;
constexpr std::size_t capacity = 3000;

const upsweep::plus plus;

/// Those that the device can run.
std::vector<strategy> strategies(const cl::CommandQueue& queue) {
    std::vector<strategy> all{strategy::reduce_then_scan, strategy::scan_then_propagate, strategy::chunked};
    if (limits_of(queue).has_atomics64)
        all.push_back(strategy::look_back);
    else
        test::leave_out("look_back, which needs cl_khr_int64_base_atomics");
    return all;
}

/// What all threads share.
struct shared_work {
    std::vector<int> input = test::make_input<int>(capacity, 31);
    std::vector<int> sums = test::reference_scan<int>(input, false, std::optional<int>(), plus);
    upsweep::options opts;
    upsweep::scan_plan<int> scan;
    upsweep::reduce_plan<int> reduce;

    shared_work(const cl::CommandQueue& queue, strategy s)
        : opts(small_tiles(s))
        , scan(queue, capacity, plus, opts)
        , reduce(queue, capacity, plus, opts) {}
};

/// PoCL before 6.0 aborts when a kernel is wanted with more work-groups than ever before while a launch of it with
/// fewer is running, so the largest size of every kernel comes first, by one thread.
void warm_up(const cl::CommandQueue& queue, const shared_work& work) {
    const guarded_array<int> data(queue, work.input);
    const guarded_array<int> result(queue, 1);
    work.scan.inclusive_scan(queue, data.input(), data.view());
    work.reduce.reduce(queue, data.input(), result.view());
    queue.finish();
}

/// One thread's calls.
/// @return how many results were wrong
unsigned use(const cl::CommandQueue& queue, const shared_work& work, unsigned thread) {
    unsigned wrong = 0;
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    for (unsigned round = 0; round < rounds; ++round) {
        const std::size_t n = capacity - 100 * thread - round;
        const std::size_t bytes = n * sizeof(int);
        const cl::Buffer in(clCreateBuffer(context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                                           const_cast<int*>(work.input.data()), nullptr));
        const cl::Buffer out(clCreateBuffer(context(), CL_MEM_READ_WRITE, bytes, nullptr, nullptr));
        const cl::Buffer total(clCreateBuffer(context(), CL_MEM_READ_WRITE, sizeof(int), nullptr, nullptr));
        const span<const int> from(in, n);
        const span<int> to(out, n);
        // By turns the shared plans and the free functions, which find their programs in the shared cache.
        const bool planned = (round + thread) % 2 == 0;
        const cl::Event scanned = planned ? work.scan.inclusive_scan(queue, from, to)
                                          : upsweep::inclusive_scan(queue, from, to, plus, {}, work.opts);
        const auto after = upsweep::after({scanned});
        const cl::Event reduced =
            planned ? work.reduce.reduce(queue, from, span<int>(total, 1), upsweep::no_init, after)
                    : upsweep::reduce(queue, from, span<int>(total, 1), upsweep::no_init, plus, after, work.opts);
        std::vector<int> result(n);
        int sum = 0;
        const cl_event done = reduced();
        clEnqueueReadBuffer(queue(), out(), CL_TRUE, 0, bytes, result.data(), 1, &done, nullptr);
        clEnqueueReadBuffer(queue(), total(), CL_TRUE, 0, sizeof sum, &sum, 1, &done, nullptr);
        wrong += !std::equal(result.begin(), result.end(), work.sums.begin());
        wrong += sum != work.sums[n - 1];
    }
    return wrong;
}

/// Runs `body(thread)` in all threads at once.
/// @return the sum of what they return; far too much if one throws
template <class Body>
unsigned in_threads(const Body& body) {
    std::atomic<unsigned> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < thread_count; ++t)
        threads.emplace_back([&, t] {
            try {
                wrong += body(t);
            } catch (const std::exception&) {
                wrong += 1000000;
            }
        });
    for (std::thread& thread : threads) thread.join();
    return wrong;
}

} // namespace

TEST_CASE("eight threads on queues of their own", "[threads]") {
    const cl::CommandQueue common = upsweep::default_queue();
    for (const strategy s : strategies(common)) {
        CAPTURE(s);
        const shared_work work(common, s);
        warm_up(common, work);
        CHECK(in_threads([&](unsigned t) {
                  const bool in_order = t % 2 == 0 || !has_out_of_order(common);
                  return use(in_order ? upsweep::default_queue() : out_of_order_queue(common), work, t);
              }) == 0);
    }
}

TEST_CASE("eight threads on one queue", "[threads]") {
    const cl::CommandQueue common = upsweep::default_queue();
    for (const bool in_order : {true, false}) {
        if (!in_order && !has_out_of_order(common)) continue;
        const cl::CommandQueue queue = in_order ? common : out_of_order_queue(common);
        for (const strategy s : strategies(queue)) {
            CAPTURE(in_order, s);
            const shared_work work(queue, s);
            warm_up(queue, work);
            CHECK(in_threads([&](unsigned t) { return use(queue, work, t); }) == 0);
        }
    }
}

TEST_CASE("eight threads want the same new programs, while caches are emptied", "[threads]") {
    const cl::CommandQueue common = upsweep::default_queue();
    const std::vector<int> input = test::make_input<int>(500, 32);
    int expected = 0;
    for (const int x : input) expected = static_cast<int>(static_cast<unsigned>(expected) + static_cast<unsigned>(x));
    CHECK(in_threads([&](unsigned t) {
              const cl::CommandQueue queue = upsweep::default_queue();
              unsigned wrong = 0;
              for (std::uint32_t round = 1; round <= rounds; ++round) {
                  // Another number of elements per work-item is another program; n is the same for all, as PoCL asks.
                  const upsweep::options opts = small_tiles(strategy::reduce_then_scan, 4, round);
                  wrong += upsweep::reduce(queue, input.begin(), input.end(), 0, plus, opts) != expected;
                  if (t == 0) upsweep::release_cached();
                  wrong += upsweep::devices().empty();
              }
              return wrong;
          }) == 0);
}

TEST_CASE("eight threads stream ranges through one device", "[threads]") {
    const test::disguise others_memory([](auto& limits) { limits.uses_host_memory = false; });
    const cl::CommandQueue common = upsweep::default_queue();
    const std::vector<int> input = test::make_input<int>(5000, 33);
    const std::vector<int> sums = test::reference_scan<int>(input, false, std::optional<int>(), plus);
    upsweep::options opts;
    opts.device_memory = 1 << 14;
    const auto is_right = [&](const cl::CommandQueue& queue) {
        std::vector<int> out(input.size());
        upsweep::inclusive_scan(queue, input.begin(), input.end(), out.begin(), plus, opts);
        return out == sums;
    };
    CHECK(is_right(common)); // the largest size of every kernel first, as for warm_up
    CHECK(in_threads([&](unsigned t) {
              const cl::CommandQueue queue = t % 2 == 0 ? upsweep::default_queue() : common;
              return is_right(queue) ? 0U : 1U;
          }) == 0);
}
