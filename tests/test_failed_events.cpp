// SPDX-License-Identifier: MIT
// Calls that wait for an event which then fails: the call's own events fail too, and the process goes on.
#include <upsweep/device_group.hpp>

#include "catch.hpp"
#include "device_fixture.hpp"
#include "internals.hpp"
#include "support.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace {

using upsweep::span;
using upsweep::strategy;

constexpr std::size_t element_count = 100000;

upsweep::options options_of(strategy s) {
    upsweep::options o = fixture::small_tiles(s, s == strategy::chunked ? 1 : 8, 4);
    o.work_groups = 8;
    return o;
}

/// One call of each kind that waits for an event that fails while, or after, the caller holds the call's own.
template <class Call>
void check_failing(const cl::CommandQueue& queue, const Call& call) {
    for (const bool keeps_event : {true, false}) {
        cl::UserEvent gate(queue.getInfo<CL_QUEUE_CONTEXT>());
        cl::Event done = call(upsweep::after({gate}));
        queue.flush();
        if (!keeps_event) done = cl::Event();
        gate.setStatus(-5);
        if (!keeps_event || !done()) continue;
        clWaitForEvents(1, &done());
        CHECK(done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() < 0);
    }
}

void check_strategy(const cl::CommandQueue& queue, strategy s, const span<unsigned char>& workspace) {
    const upsweep::options o = options_of(s);
    const upsweep::scan_plan<float> scan(queue, element_count, {}, o);
    const upsweep::reduce_plan<float> reduce(queue, element_count, {}, o);
    const test::guarded_array<float> in(std::vector<float>(element_count, 1.0F));
    const test::guarded_array<float> out(element_count);
    check_failing(queue, [&](const upsweep::wait_list& after) {
        return scan.exclusive_scan(queue, in.view(), out.view(), 0.0F, after, workspace);
    });
    check_failing(queue, [&](const upsweep::wait_list& after) {
        return reduce.reduce(queue, in.view(), out.view(1), 0.0F, after, workspace);
    });
    // On a queue of its own: what follows a failed command on the same queue may fail, too.
    const cl::CommandQueue fresh(upsweep::detail::create_queue("test", queue.getInfo<CL_QUEUE_CONTEXT>()(),
                                                               queue.getInfo<CL_QUEUE_DEVICE>()(), 0));
    reduce.reduce(fresh, in.view(), out.view(1), 0.0F).wait();
    CHECK(out.values()[0] == static_cast<float>(element_count));
}

/// A call whose launches before the scan wait, too.
void check_segments(const cl::CommandQueue& queue) {
    const test::guarded_array<float> in(std::vector<float>(element_count, 1.0F));
    const test::guarded_array<std::uint32_t> offsets({0, 7, 7, static_cast<std::uint32_t>(element_count)});
    const test::guarded_array<float> out(3);
    check_failing(queue, [&](const upsweep::wait_list& after) {
        return upsweep::reduce(queue, upsweep::segments(in.view(), offsets.view()), out.view(), 0.0F, upsweep::plus{},
                               after);
    });
}

/// Simulators never end commands that wait for an event that fails.
bool skips() {
    const bool is_simulator = test::limits().name.find("Oclgrind") != std::string::npos;
    if (is_simulator) test::skip("commands that wait for an event that fails never end");
    return is_simulator;
}

/// A call that waits for its result is an error where an event that it waits for fails meanwhile. On queues of its own;
/// what is slow to build is built before.
template <class Call>
void check_throwing(const Call& call) {
    call(fixture::in_order_queue(test::queue()), upsweep::wait_list());
    for (const cl::CommandQueue& queue : fixture::queues_of_each_kind(test::queue())) {
        cl::UserEvent gate(queue.getInfo<CL_QUEUE_CONTEXT>());
        std::thread failing([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            gate.setStatus(-5);
        });
        CHECK_THROWS_AS(call(queue, upsweep::after({gate})), upsweep::error);
        failing.join();
    }
}

} // namespace

TEST_CASE("an event that fails fails the call that waits for it, and no more", "[threads]") {
    if (skips()) return;
    const std::vector<cl::CommandQueue> queues = fixture::queues_of_each_kind(test::queue());
    const cl::Buffer memory = fixture::poisoned_buffer(test::queue(), 1 << 22);
    for (const cl::CommandQueue& queue : queues) check_segments(queue);
    for (const cl::CommandQueue& queue : queues)
        for (const strategy s :
             {strategy::reduce_then_scan, strategy::scan_then_propagate, strategy::chunked, strategy::look_back})
            for (const bool own_workspace : {true, false}) {
                if (s == strategy::look_back && !test::limits().has_atomics64) continue;
                CAPTURE(s, own_workspace);
                check_strategy(queue, s, own_workspace ? span<unsigned char>(memory, 1 << 22) : span<unsigned char>());
            }
    upsweep::release_cached();
}

TEST_CASE("calls of two runs hold the events of both where an event fails", "[threads]") {
    if (skips()) return;
    const test::guarded_array<std::int32_t> in(std::vector<std::int32_t>(element_count, 1)), out(element_count);
    const test::guarded_array<std::uint32_t> count(1), number({static_cast<std::uint32_t>(element_count / 2)});
    const auto half = upsweep::first(in.view(), number.view());
    for (const strategy s : {strategy::automatic, strategy::reduce_then_scan})
        for (const cl::CommandQueue& queue : fixture::queues_of_each_kind(test::queue())) {
            const upsweep::options o = s == strategy::automatic ? upsweep::options() : options_of(s);
            check_failing(queue, [&](const upsweep::wait_list& after) {
                return upsweep::partition(queue, in.view(), out.view(), count.view(), "a > 0", after, o);
            });
            check_failing(queue, [&](const upsweep::wait_list& after) {
                return upsweep::copy_if(queue, half, out.view(), count.view(), "a > 0", after, o);
            });
        }
    for (const std::size_t width : {33, 35}) // CPUs take sixteen columns at a time, and then the others
        for (const cl::CommandQueue& queue : fixture::queues_of_each_kind(test::queue())) {
            const std::size_t height = element_count / width;
            check_failing(queue, [&](const upsweep::wait_list& after) {
                return upsweep::inclusive_scan(queue, upsweep::columns(in.view(height * width), height, width),
                                               out.view(height * width), upsweep::plus{}, after);
            });
        }
    upsweep::release_cached();
}

TEST_CASE("a result on the host is none where an event fails", "[threads]") {
    if (skips()) return;
    const test::guarded_array<std::int32_t> in(std::vector<std::int32_t>(element_count, 1));
    const upsweep::span<const std::int32_t> x = in.view();
    const auto op = upsweep::make_operator<std::int32_t>("return left + right;");
    const auto reduce_in_two = [&](const cl::CommandQueue& queue, const upsweep::wait_list& after) {
        const upsweep::device_group group({queue, fixture::in_order_queue(test::queue())});
        return upsweep::reduce(group, std::vector<upsweep::span<const std::int32_t>>{x, x}, 0, op, {after, {}});
    };
    using upsweep::wait_list;
    check_throwing(
        [&](const cl::CommandQueue& q, const wait_list& after) { return upsweep::reduce(q, x, 0, op, after); });
    check_throwing(
        [&](const cl::CommandQueue& q, const wait_list& after) { return upsweep::count_if(q, x, "a > 0", after); });
    check_throwing(
        [&](const cl::CommandQueue& q, const wait_list& after) { return upsweep::max_element(q, x, after); });
    check_throwing(reduce_in_two);
    CHECK(upsweep::reduce(fixture::in_order_queue(test::queue()), x, 0, op) ==
          static_cast<std::int32_t>(element_count));
    upsweep::release_cached();
}

TEST_CASE("an event that fails while a program is built fails the call", "[threads]") {
    namespace detail = upsweep::detail;
    const test::guarded_array<std::int32_t> in(std::vector<std::int32_t>(element_count, 1)), out(element_count);
    const detail::queue_facts queue = detail::inspect_queue("f", test::queue()());
    const detail::call_types types = detail::types_of<std::int32_t, std::int32_t>(upsweep::plus{});
    for (const auto op : {detail::operation::scan, detail::operation::reduce}) {
        const detail::engine e = detail::make_engine("f", queue, op, element_count, types, {});
        cl::UserEvent gate(test::queue().getInfo<CL_QUEUE_CONTEXT>());
        const upsweep::wait_list after = upsweep::after({gate});
        const std::int32_t zero = 0;
        detail::call_arguments call;
        call.init = &zero;
        call.function = "f";
        call.op = op;
        call.queue = queue.queue;
        call.in = detail::untyped(in.view());
        call.out = detail::untyped(out.view());
        call.after = &after;
        detail::checked_call checked = detail::check_arguments(call, queue);
        gate.setStatus(-5);
        fixture::expect_error("f", "after", "an event has failed, with status -5", [&] { detail::start(e, checked); });
    }
    CHECK(out.untouched_outside(0));
}
