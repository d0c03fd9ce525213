// SPDX-License-Identifier: MIT
// Plans and their workspaces; order on in-order and out-of-order queues; threads; contexts that come and go.
#include "device_fixture.hpp"
#include "support.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace fixture;
using upsweep::span;
using upsweep::strategy;

namespace {

const std::vector<strategy> all_strategies{strategy::automatic, strategy::reduce_then_scan,
                                           strategy::scan_then_propagate, strategy::chunked};

std::vector<int> reference(const std::vector<int>& in, bool exclusive) {
    return test::reference_scan<int>(in, exclusive, exclusive ? std::optional<int>(0) : std::nullopt, upsweep::plus{});
}

cl::UserEvent gate_of(const cl::CommandQueue& queue) {
    return cl::UserEvent(queue.getInfo<CL_QUEUE_CONTEXT>());
}

/// Behind a gate nothing may be written; once it opens, everything is. `start(after, in, out)` enqueues a scan.
template <class Start>
void gated(const cl::CommandQueue& queue, const Start& start) {
    const cl::CommandQueue observer = upsweep::default_queue(); // of the same context, and not behind the gate
    const std::vector<int> input = test::make_input<int>(5000, 1);
    const guarded_array<int> in(observer, input);
    const guarded_array<int> out(observer, input.size());
    cl::UserEvent gate = gate_of(queue);
    const cl::Event done = start(upsweep::after({gate}), in, out);
    queue.flush();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    CHECK(done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
    CHECK(out.untouched());
    gate.setStatus(CL_COMPLETE);
    done.wait();
    CHECK(test::first_difference(out.values(), reference(input, false)) == -1);
    CHECK(out.guards_intact());
}

} // namespace

TEST_CASE("calls wait for the events they are given, in order and out of order", "[api]") {
    std::vector<cl::CommandQueue> queues{upsweep::default_queue()};
    if (has_out_of_order(queues[0])) queues.push_back(out_of_order_queue(queues[0]));
    for (const cl::CommandQueue& queue : queues)
        for (const strategy s : all_strategies) {
            INFO(s);
            const upsweep::options opts = small_tiles(s);
            const upsweep::plus plus;
            gated(queue, [&](const upsweep::wait_list& after, const auto& in, const auto& out) {
                return upsweep::inclusive_scan(queue, in.input(), out.view(), plus, after, opts);
            });
            gated(queue, [&](const upsweep::wait_list& after, const auto& in, const auto& out) {
                const upsweep::scan_plan<int> plan(queue, 5000, plus, opts); // gone before the work starts
                return plan.inclusive_scan(queue, in.input(), out.view(), after);
            });
            // A call without work is not done before the events are.
            cl::UserEvent gate = gate_of(queue);
            const cl::Event done =
                upsweep::inclusive_scan(queue, span<const int>(), span<int>(), plus, upsweep::after({gate}), opts);
            queue.flush();
            CHECK(done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
            gate.setStatus(CL_COMPLETE);
            done.wait();
        }
}

TEST_CASE("several events are all waited for, and calls chain by their events", "[api]") {
    const cl::CommandQueue observer = upsweep::default_queue();
    const cl::CommandQueue queue = has_out_of_order(observer) ? out_of_order_queue(observer) : observer;
    const std::vector<int> input = test::make_input<int>(3000, 2);
    for (const strategy s : all_strategies) {
        INFO(s);
        const upsweep::options opts = small_tiles(s);
        const guarded_array<int> in(observer, input);
        const guarded_array<int> result(observer, 1);
        cl::UserEvent first = gate_of(queue);
        cl::UserEvent second = gate_of(queue);
        // Scan in place twice, then reduce, nothing but events between them.
        const upsweep::plus plus;
        const cl::Event one = upsweep::inclusive_scan(queue, in.input(), in.view(), plus,
                                                      upsweep::after(std::vector<cl::Event>{first, second}), opts);
        const cl::Event two =
            upsweep::exclusive_scan(queue, in.input(), in.view(), 0, plus, upsweep::after({one}), opts);
        const cl::Event three =
            upsweep::reduce(queue, in.input(), result.view(), upsweep::no_init, plus, upsweep::after({two}), opts);
        queue.flush();
        first.setStatus(CL_COMPLETE);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        CHECK(one.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
        second.setStatus(CL_COMPLETE);
        three.wait();
        const std::vector<int> twice = reference(reference(input, false), true);
        CHECK(test::first_difference(in.values(), twice) == -1);
        CHECK(result.values()[0] == reference(twice, false).back());
    }
}

TEST_CASE("a plan serves every size up to its capacity", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const strategy s : all_strategies) {
        const upsweep::scan_plan<int> scan(queue, 20000, upsweep::plus{}, small_tiles(s));
        const upsweep::reduce_plan<int> reduce(queue, 20000, upsweep::plus{}, small_tiles(s));
        CHECK(scan.capacity() == 20000);
        CHECK(reduce.capacity() == 20000);
        for (const std::size_t n : {20000U, 1U, 24U, 25U, 577U, 0U, 13825U, 9999U}) {
            INFO(s << ", n = " << n);
            const std::vector<int> input = test::make_input<int>(n, 3);
            const guarded_array<int> in(queue, input);
            const guarded_array<int> out(queue, n);
            const guarded_array<int> result(queue, 1);
            scan.inclusive_scan(queue, in.input(), out.view());
            reduce.reduce(queue, in.input(), result.view());
            CHECK(test::first_difference(out.values(), reference(input, false)) == -1);
            CHECK(result.values()[0] == (n > 0 ? reference(input, false).back() : 0));
            scan.exclusive_scan(queue, in.input(), out.view(), 0);
            CHECK(test::first_difference(out.values(), reference(input, true)) == -1);
            CHECK(out.guards_intact());
            CHECK(scan.launches(n).n == n);
            CHECK(scan.launches(n).scratch_bytes <= scan.workspace_bytes());
        }
    }
}

TEST_CASE("a workspace of the caller's own is used, and not exceeded", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::vector<int> input = test::make_input<int>(20000, 4);
    const guarded_array<int> in(queue, input);
    std::vector<upsweep::options> all{small_tiles(strategy::reduce_then_scan),
                                      small_tiles(strategy::scan_then_propagate), small_tiles(strategy::chunked)};
    if (test::limits().has_atomics64) all.push_back(small_tiles(strategy::look_back, 1, 16));
    // By single work-items, with a state where CPUs reduce in one launch.
    all.push_back(small_tiles(strategy::chunked, 1));
    for (const upsweep::options& opts : all) {
        INFO(opts.strategy << " by " << opts.work_items << " work-items");
        const upsweep::scan_plan<int> scan(queue, 20000, upsweep::plus{}, opts);
        const upsweep::reduce_plan<int> reduce(queue, 20000, upsweep::plus{}, opts);
        const guarded_array<int> out(queue, input.size());
        const auto in_workspace = [&](std::size_t bytes, const auto& call) {
            const cl::Buffer room = poisoned_buffer(queue, bytes + 512);
            call(upsweep::span<unsigned char>{room, bytes});
            const auto after = bytes_of(queue, room(), bytes + 512);
            CHECK(is_poison(after, bytes, bytes + 512));
            if (bytes > 0) CHECK_FALSE(is_poison(after, 0, bytes));
        };
        in_workspace(scan.workspace_bytes(), [&](upsweep::span<unsigned char> room) {
            scan.inclusive_scan(queue, in.input(), out.view(), {}, room).wait();
            CHECK(test::first_difference(out.values(), reference(input, false)) == -1);
            scan.exclusive_scan(queue, in.input(), out.view(), 0, {}, room).wait();
            CHECK(test::first_difference(out.values(), reference(input, true)) == -1);
        });
        in_workspace(reduce.workspace_bytes(), [&](upsweep::span<unsigned char> room) {
            reduce.reduce(queue, in.input(), out.view(), upsweep::no_init, {}, room).wait();
            CHECK(out.values()[0] == reference(input, false).back());
        });
    }
}

TEST_CASE("plans and free functions from many threads", "[api]") {
    const cl::CommandQueue shared = upsweep::default_queue();
    const std::vector<int> input = test::make_input<int>(7000, 5);
    const std::vector<int> expected = reference(input, false);
    const upsweep::options opts = small_tiles(strategy::reduce_then_scan);
    const upsweep::scan_plan<int> plan(shared, 7000, upsweep::plus{}, opts);
    // PoCL before 6.0 aborts (its commit 9184812d6 tells) when a kernel is wanted with more work-groups than ever
    // before while a launch of it with fewer is running. Hence the largest size comes first: here, and by one n for all
    // threads in their reductions.
    {
        const guarded_array<int> data(shared, input);
        plan.inclusive_scan(shared, data.input(), data.view()).wait();
    }
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            try {
                const cl::CommandQueue own = upsweep::default_queue();
                const cl::CommandQueue& queue = t % 2 == 0 ? own : shared;
                std::vector<int> host(input.size());
                for (unsigned round = 0; round < 10; ++round) {
                    const std::size_t n = input.size() - 100 * t - round;
                    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
                    const cl::Buffer data(context, CL_MEM_READ_WRITE, n * sizeof(int));
                    clEnqueueWriteBuffer(queue(), data(), CL_TRUE, 0, n * sizeof(int), input.data(), 0, nullptr,
                                         nullptr);
                    plan.inclusive_scan(queue, span<const int>(data, n), span<int>(data, n)).wait();
                    clEnqueueReadBuffer(queue(), data(), CL_TRUE, 0, n * sizeof(int), host.data(), 0, nullptr, nullptr);
                    for (std::size_t i = 0; i < n; ++i) wrong += host[i] != expected[i];
                    // A program that all threads want for the first time at once.
                    const int sum = upsweep::reduce(queue, input.begin(), input.end(), 0, upsweep::plus{},
                                                    small_tiles(strategy::reduce_then_scan, 4, 1 + round));
                    wrong += sum != expected.back();
                }
            } catch (const std::exception&) {
                wrong += 1000000;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}

TEST_CASE("two contexts side by side", "[api]") {
    const cl::CommandQueue here = upsweep::default_queue();
    const own_context another(here);
    const cl::CommandQueue& there = another.queue;
    const std::vector<int> input = test::make_input<int>(4000, 6);
    for (int round = 0; round < 3; ++round)
        for (const cl::CommandQueue& queue : {here, there}) {
            const guarded_array<int> in(queue, input);
            const guarded_array<int> out(queue, input.size());
            upsweep::inclusive_scan(queue, in.input(), out.view(), upsweep::plus{}, {},
                                    small_tiles(strategy::reduce_then_scan))
                .wait();
            CHECK(test::first_difference(out.values(), reference(input, false)) == -1);
            upsweep::reduce(queue, in.input(), out.view()).wait();
            CHECK(out.values()[0] == reference(input, false).back());
        }
}

TEST_CASE("release_cached lets a context go, and plans live on", "[api]") {
    const own_context own;
    const cl::CommandQueue& queue = own.queue;
    const cl::Context& context = own.context;
    const auto references = [&] { return context.getInfo<CL_CONTEXT_REFERENCE_COUNT>(); };
    const std::vector<int> input = test::make_input<int>(4000, 7);
    const upsweep::options opts = small_tiles(strategy::reduce_then_scan);
    std::vector<int> out(input.size());
    const auto before = references();
    upsweep::inclusive_scan(queue, input.begin(), input.end(), out.begin(), upsweep::plus{}, opts);
    CHECK(upsweep::reduce(queue, input.begin(), input.end()) == out.back());
    upsweep::release_cached(context());
    // Drivers may let go of finished commands a little later, on a thread of their own; Mesa's rusticl does.
    for (int wait = 0; wait < 30000 && references() != before; ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(references() == before);

    const upsweep::scan_plan<int> plan(queue, 4000, upsweep::plus{}, opts);
    upsweep::release_cached();
    const guarded_array<int> in(queue, input);
    plan.inclusive_scan(queue, in.input(), in.view()).wait();
    CHECK(test::first_difference(in.values(), out) == -1);
    upsweep::release_cached(context());
}

TEST_CASE("calls without an event are right, and their scratch is shared with other queues", "[api]") {
    const std::size_t n = 300001;
    std::vector<float> input(n);
    for (std::size_t i = 0; i < n; ++i) input[i] = static_cast<float>(i % 5);
    const test::guarded_array<float> in(input);
    const test::guarded_array<float> out(n);
    const test::guarded_array<float> sum(1);
    const cl::CommandQueue other = upsweep::default_queue();
    const upsweep::scan_plan<float> plan(test::queue(), n);
    for (int round = 0; round < 20; ++round) {
        // The other queue is of the same context only where the default context is shared; else it has its own arrays.
        const cl::Event none =
            plan.exclusive_scan(test::queue(), in.view(), out.view(), 0.0F, upsweep::without_event());
        CHECK(none() == nullptr);
        upsweep::reduce(test::queue(), in.view(), sum.view(), upsweep::no_init, upsweep::plus{},
                        upsweep::without_event());
        std::vector<float> host(n);
        upsweep::inclusive_scan(other, input.begin(), input.end(), host.begin());
        REQUIRE(host.back() == static_cast<float>((n / 5) * 10 + 0)); // n = 5 k + 1: the last element is 0
        REQUIRE(out.values().back() == host.back());
        REQUIRE(sum.values().front() == host.back());
    }
}
