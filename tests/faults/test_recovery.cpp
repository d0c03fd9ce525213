// SPDX-License-Identifier: MIT
// Work that fails, or has not begun, after the call has returned: scratch memory must not carry that into later calls.
#include "faults.hpp"
#include "scenarios.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <set>

using faults::elements;
using upsweep::span;
using upsweep::strategy;

namespace {

const upsweep::plus plus;
const std::vector<strategy> strategies{strategy::reduce_then_scan, strategy::scan_then_propagate, strategy::look_back,
                                       strategy::chunked};

cl::CommandQueue second_queue(const cl::CommandQueue& queue, cl_command_queue_properties properties = 0) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    return cl::CommandQueue(upsweep::detail::create_queue("test", context(), fixture::device_of(queue)(), properties));
}

std::vector<int> input() {
    return test::make_input<int>(elements, 21);
}

bool scan_is_right(const cl::CommandQueue& queue, const upsweep::options& opts) {
    const fixture::guarded_array<int> in(queue, input());
    const fixture::guarded_array<int> out(queue, elements);
    upsweep::inclusive_scan(queue, in.input(), out.view(), plus, {}, opts);
    queue.finish();
    return out.values() == test::reference_scan<int>(input(), false, std::optional<int>(), plus) && out.guards_intact();
}

/// Several chunks in one launch, where the device may.
upsweep::options in_chunks() {
    upsweep::options opts;
    opts.strategy = strategy::chunked;
    opts.work_groups = 5;
    return opts;
}

bool reduction_is_right(const cl::CommandQueue& queue) {
    const fixture::guarded_array<int> in(queue, input());
    const fixture::guarded_array<int> out(queue, 1);
    upsweep::reduce(queue, in.input(), out.view(), 3, plus, {}, in_chunks());
    queue.finish();
    const int expected = test::reference_scan<int>(input(), false, std::optional<int>(3), plus).back();
    return out.values()[0] == expected && out.guards_intact();
}

} // namespace

TEST_CASE("a launch that fails after the call has returned spoils no later call", "[recovery]") {
    const cl::CommandQueue common = upsweep::default_queue();
    for (const bool in_order : {true, false}) {
        if (!in_order && !fixture::has_out_of_order(common)) continue;
        const cl::CommandQueue queue = in_order ? common : fixture::out_of_order_queue(common);
        CAPTURE(in_order);
        // What a launch counts lies in scratch that the next launch has, too.
        const upsweep::options opts = fixture::small_tiles(strategy::look_back);
        const fixture::guarded_array<int> in(queue, input());
        for (int i = 0; i < 2; ++i) CHECK((scan_is_right(queue, opts) && reduction_is_right(queue)));
        for (const upsweep::wait_list& after : {upsweep::after(std::vector<cl::Event>()), upsweep::without_event()})
            for (const bool is_known : {true, false}) {
                CAPTURE(after.wants_event(), is_known);
                faults::fail_next_launch_later(is_known);
                upsweep::inclusive_scan(queue, in.input(), in.view(), plus, after, opts);
                for (int i = 0; i < 3; ++i) CHECK(scan_is_right(queue, opts));
                faults::fail_next_launch_later(is_known);
                upsweep::reduce(queue, in.input(), span<int>(in.buffer(), 1), 0, plus, after, in_chunks());
                for (int i = 0; i < 3; ++i) CHECK(reduction_is_right(queue));
            }
    }
}

TEST_CASE("what a call could not tell its kernel, the next one does", "[recovery]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const upsweep::scan_plan<int> plan(queue, elements, plus, fixture::small_tiles(strategy::look_back));
    const fixture::guarded_array<int> in(queue, input());
    const std::size_t fewer = elements / 2;
    std::vector<int> first_half = input();
    first_half.resize(fewer);
    const auto expected = test::reference_scan<int>(first_half, true, std::optional<int>(7), plus);
    const auto scan = [&](const fixture::guarded_array<int>& out, std::size_t n, int init) {
        plan.exclusive_scan(queue, span<const int>(in.buffer(), n, in.guard() * sizeof(int)),
                            span<int>(out.buffer(), n, out.guard() * sizeof(int)), init);
    };
    for (std::size_t k = 0;; ++k) {
        const fixture::guarded_array<int> more(queue, elements);
        const fixture::guarded_array<int> out(queue, fewer);
        scan(more, elements, 5);
        queue.finish();
        faults::watch(k, CL_OUT_OF_RESOURCES);
        try {
            scan(out, fewer, 7);
        } catch (const upsweep::error&) {
        }
        const std::vector<std::string> made = faults::stop();
        queue.finish();
        if (made.size() <= k) break;
        CAPTURE(k, made[k]);
        scan(out, fewer, 7);
        queue.finish();
        CHECK(out.values() == expected);
        CHECK(out.guards_intact());
    }
}

TEST_CASE("calls that were made before wait for no first call of another thread", "[recovery]") {
    const test::environment_variable no_cache("UPSWEEP_CACHE", "off"); // which would spare the build
    const cl::CommandQueue queue = fixture::queue_of_own_context(upsweep::default_queue());
    const fixture::guarded_array<int> in(queue, input());
    const fixture::guarded_array<int> out(queue, elements);
    const auto call = [&] {
        upsweep::inclusive_scan(queue, in.input(), out.view());
        upsweep::reduce(queue, upsweep::columns(in.input(), elements / 4, 4),
                        span<int>(out.buffer(), 4, out.guard() * sizeof(int)), 0);
        queue.finish();
    };
    call();
    std::promise<void> has_begun, may_end;
    std::atomic<bool> is_first{true};
    faults::rewrite_sources([&](const std::string& text) {
        if (is_first.exchange(false)) {
            has_begun.set_value();
            may_end.get_future().wait();
        }
        return text;
    });
    auto first = std::async(std::launch::async, [&] {
        const auto op = upsweep::make_operator<int>("return left ^ right ^ 29;");
        const fixture::guarded_array<int> result(queue, 1);
        upsweep::reduce(queue, in.input(), result.view(), 0, op);
    });
    has_begun.get_future().wait();
    auto warm = std::async(std::launch::async, call);
    // Only a call that waits for the other takes that long, however busy the machine is.
    CHECK(warm.wait_for(std::chrono::minutes(2)) == std::future_status::ready);
    may_end.set_value();
    first.get();
    warm.get();
    faults::rewrite_sources({});
}

TEST_CASE("a first call returns while its queue is held up", "[recovery]") {
    for (const strategy s : strategies) {
        CAPTURE(s);
        const cl::CommandQueue queue = fixture::queue_of_own_context(upsweep::default_queue());
        const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
        const fixture::guarded_array<int> in(queue, input());
        const fixture::guarded_array<int> out(queue, elements);
        cl::UserEvent gate(context);
        const cl_event held_up = gate();
        cl_event marker = nullptr;
        REQUIRE(clEnqueueMarkerWithWaitList(queue(), 1, &held_up, &marker) == CL_SUCCESS);
        const cl::Event owner(marker);
        queue.flush();
        auto call = std::async(std::launch::async, [&] {
            upsweep::inclusive_scan(queue, in.input(), out.view(), plus, {}, fixture::small_tiles(s));
        });
        // Only a call that waits for its queue takes that long, however busy the machine is.
        const bool returned = call.wait_for(std::chrono::minutes(5)) == std::future_status::ready;
        CHECK(returned);
        gate.setStatus(CL_COMPLETE);
        call.get();
        queue.finish();
        CHECK(out.values() == test::reference_scan<int>(input(), false, std::optional<int>(), plus));
        upsweep::release_cached(context());
    }
}

TEST_CASE("scratch of a call that failed half-way is not lent while its commands may run", "[recovery]") {
    const cl::CommandQueue queue = fixture::queue_of_own_context(upsweep::default_queue());
    const cl::CommandQueue other = second_queue(queue);
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const upsweep::options opts = fixture::small_tiles(strategy::reduce_then_scan, 1, 16);
    CHECK(scan_is_right(queue, opts)); // builds and checks, so that the calls below are all that use memory
    const fixture::guarded_array<int> in(queue, input());
    /// Scans in place, and gives the buffers that kernels got besides the caller's.
    const auto scratch_of = [&](const cl::CommandQueue& q, std::size_t failing_launch,
                                const upsweep::wait_list& after) {
        faults::watch(failing_launch, CL_OUT_OF_RESOURCES, "clEnqueueNDRangeKernel");
        try {
            upsweep::inclusive_scan(q, in.input(), in.view(), plus, after, opts);
            CHECK(failing_launch == faults::never);
        } catch (const upsweep::error& e) {
            CHECK(e.argument() == "clEnqueueNDRangeKernel");
        }
        faults::stop();
        std::set<cl_mem> buffers = faults::buffers_of_kernels();
        buffers.erase(in.buffer()());
        return buffers;
    };
    // Scratch of the calls above, idle or not, would only be lent first.
    upsweep::detail::workspace_pool::get().release(context());

    cl::UserEvent gate(context);
    const std::set<cl_mem> failed = scratch_of(queue, 1, upsweep::after({gate}));
    CHECK(failed.size() == 1);
    for (const cl_mem used : scratch_of(other, faults::never, {})) CHECK(failed.count(used) == 0);
    gate.setStatus(CL_COMPLETE);
    queue.finish();
    other.finish();
    CHECK(scan_is_right(queue, opts));
    upsweep::release_cached(context());
}
