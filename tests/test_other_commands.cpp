// SPDX-License-Identifier: MIT
// Calls beside a command of an out-of-order queue that does not end before they have returned.
#include <upsweep/device_group.hpp>

#include "catch.hpp"
#include "device_fixture.hpp"
#include "support.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using upsweep::span;

constexpr std::size_t element_count = 100000;

/// An event that is complete once it is opened, or after a quarter of an hour: then what is tested hangs.
class late_gate {
public:
    explicit late_gate(const cl::Context& context)
        : event_(context)
        , watch_([this] {
            std::unique_lock<std::mutex> guard(lock_);
            if (!changed_.wait_for(guard, std::chrono::minutes(15), [this] { return opened_; })) set();
        }) {}
    ~late_gate() {
        open();
        watch_.join();
    }
    late_gate(const late_gate&) = delete;
    late_gate& operator=(const late_gate&) = delete;

    const cl::Event& event() const { return event_; }
    /// Returns false if the time was over.
    bool open() {
        const std::lock_guard<std::mutex> guard(lock_);
        const bool was_set = set_;
        opened_ = true;
        set();
        changed_.notify_all();
        return !was_set;
    }

private:
    void set() {
        if (!set_) event_.setStatus(CL_COMPLETE);
        set_ = true;
    }

    cl::UserEvent event_;
    std::mutex lock_;
    std::condition_variable changed_;
    bool opened_ = false;
    bool set_ = false;
    std::thread watch_; ///< begins last
};

/// Whether the implementation itself ends a command in an out-of-order queue while another one waits.
bool ends_out_of_order(const cl::CommandQueue& queue) {
    cl::UserEvent gate(queue.getInfo<CL_QUEUE_CONTEXT>());
    const cl::Buffer a = fixture::poisoned_buffer(queue, 4), b = fixture::poisoned_buffer(queue, 4);
    const std::vector<cl::Event> waits{gate};
    cl::Event waiting, free;
    std::int32_t value = 0;
    queue.enqueueCopyBuffer(a, b, 0, 0, 4, &waits, &waiting);
    queue.enqueueReadBuffer(a, CL_FALSE, 0, 4, &value, nullptr, &free);
    queue.flush();
    bool has_ended = false;
    for (int i = 0; i < 500 && !has_ended; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        has_ended = free.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() == CL_COMPLETE;
    }
    gate.setStatus(CL_COMPLETE);
    queue.finish();
    return has_ended;
}

/// Runs `calls` beside a command of an out-of-order queue that waits until they have returned.
template <class Calls>
void check_beside_waiting(const Calls& calls) {
    if (!fixture::has_out_of_order(test::queue())) return test::skip("no out-of-order queues");
    const cl::CommandQueue queue = fixture::out_of_order_queue(test::queue());
    if (test::limits().name.find("Oclgrind") != std::string::npos) return test::skip("commands run in order");
    if (!ends_out_of_order(queue)) return test::skip("out-of-order queues wait for their first command");
    const test::guarded_array<std::int32_t> in(std::vector<std::int32_t>(element_count, 1)), out(element_count);
    late_gate gate(queue.getInfo<CL_QUEUE_CONTEXT>());
    const cl::Event waiting =
        upsweep::inclusive_scan(queue, in.view(), out.view(), upsweep::plus{}, upsweep::after({gate.event()}));
    queue.flush();
    calls(queue, in);
    CHECK(gate.open());
    waiting.wait();
    CHECK(out.values().back() == static_cast<std::int32_t>(element_count));
}

} // namespace

TEST_CASE("blocking calls do not wait for other commands of an out-of-order queue", "[threads]") {
    constexpr auto n = static_cast<std::int32_t>(element_count);
    std::vector<std::int32_t> host(element_count, 1), results(element_count), kept;
    check_beside_waiting([&](const cl::CommandQueue& queue, const test::guarded_array<std::int32_t>& in) {
        CHECK(upsweep::reduce(queue, in.view(), 0) == n);
        CHECK(upsweep::min_element(queue, in.view()).index == 0);
        upsweep::inclusive_scan(queue, host.begin(), host.end(), results.begin());
        CHECK(results.back() == n);
        CHECK(upsweep::reduce(queue, host.begin(), host.end(), 0) == n);
        upsweep::copy_if(queue, host.begin(), host.end(), std::back_inserter(kept), "a > 0");
        CHECK(kept.size() == host.size());
    });
}

TEST_CASE("calls that are cancelled, have no work, or are a group's do not wait for them either", "[threads]") {
    std::vector<std::int32_t> host(element_count, 1), results(element_count);
    check_beside_waiting([&](const cl::CommandQueue& queue, const test::guarded_array<std::int32_t>& in) {
        upsweep::options opts;
        opts.device_memory = 1 << 14;
        upsweep::inclusive_scan(queue, host.begin(), host.end(), results.begin(), {}, opts);
        CHECK(results.back() == static_cast<std::int32_t>(element_count));
        opts.progress = [](std::uint64_t done, std::uint64_t total) { return done < total / 2; };
        CHECK_THROWS_AS(upsweep::inclusive_scan(queue, host.begin(), host.end(), results.begin(), {}, opts),
                        upsweep::error);
        cl::UserEvent complete(queue.getInfo<CL_QUEUE_CONTEXT>());
        complete.setStatus(CL_COMPLETE);
        for (const upsweep::wait_list& after : {upsweep::wait_list(), upsweep::after({complete})}) {
            upsweep::inclusive_scan(queue, in.view(0), in.view(0), upsweep::plus{}, after).wait();
            upsweep::reduce(queue, upsweep::columns(in.view(0), 0, 0), in.view(0), upsweep::no_init, {}, after).wait();
        }
        upsweep::device_group group({queue, queue});
        upsweep::inclusive_scan(group, host.begin(), host.end(), results.begin());
        const std::vector<span<std::int32_t>> parts{in.view(0), in.view(0)};
        for (const cl::Event& done : upsweep::inclusive_scan(group, parts, parts)) done.wait();
        group.measure_speeds(element_count);
    });
}
