// SPDX-License-Identifier: MIT
// Every OpenCL call that the library makes fails once: an error that names function and cause, or a right result; no
// handle lost; nothing written outside the output; and the next call works.
#include "faults.hpp"
#include "scenarios.hpp"

#include <algorithm>

using faults::scenario;
using faults::trial;

namespace {

cl::CommandQueue make_queue(bool in_order) {
    const cl::CommandQueue common = upsweep::default_queue();
    const cl::CommandQueue first = fixture::queue_of_own_context(common);
    return in_order ? first : fixture::out_of_order_queue(first);
}

/// Runs one trial with the given call failing.
/// @return the calls it made
std::vector<std::string> attempt(const scenario& s, const cl::CommandQueue& queue, std::size_t fail_at, cl_int status) {
    const trial t = s.prepare(queue);
    std::string problem;
    bool threw = false;
    faults::watch(fail_at, status);
    try {
        t.call();
    } catch (const upsweep::error& e) {
        threw = true;
        if (std::find(s.functions.begin(), s.functions.end(), e.function()) == s.functions.end())
            problem = "an error of another function: ";
        if (e.argument().empty() || e.cause().empty()) problem = "an error without argument or cause: ";
        if (e.status() != status) problem = "an error of another status: ";
        if (!problem.empty()) problem += e.what();
    } catch (const std::exception& e) {
        threw = true;
        problem = std::string("not an upsweep::error: ") + e.what();
    }
    const std::vector<std::string> calls = faults::stop();
    const std::string failed = fail_at < calls.size() ? calls[fail_at] : "nothing";
    CAPTURE(fail_at, failed);
    if (fail_at == faults::never && threw) problem = "an error though nothing failed: " + problem;
    CHECK(problem == "");
    queue.finish();
    upsweep::detail::event_keeper::get().release(nullptr); // else the events of a call stay until a later call
    CHECK(t.contained());
    if (!threw) CHECK(t.right());
    return calls;
}

/// Every call of one scenario in turn, with programs and scratch kept from call to call (warm), or with none (cold).
void fail_each_call(const scenario& s, const cl::CommandQueue& queue, bool cold) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const auto forget = [&] { upsweep::release_cached(context()); };
    CAPTURE(s.name, cold);
    forget();
    const faults::balance empty = faults::live_handles();
    const long excess = faults::excess_releases();
    // The first call of all also asks for the device's limits and checks its kernels, on a queue of the check's own.
    attempt(s, queue, faults::never, CL_SUCCESS);
    // Whether scratch of that queue is idle is a matter of time.
    upsweep::detail::workspace_pool::get().release(context());
    attempt(s, queue, faults::never, CL_SUCCESS);
    if (cold) forget();
    const faults::balance before = faults::live_handles();
    const std::vector<std::string> usual = attempt(s, queue, faults::never, CL_SUCCESS);
    const std::size_t calls = usual.size();
    REQUIRE(calls > 3);
    std::size_t failed = 0;
    for (std::size_t k = 0; k < calls; ++k) {
        // Of equal calls in a row the first and the last: each attempt builds programs, and warm calls try them all.
        if (cold && k > 0 && k + 1 < calls && usual[k] == usual[k - 1] && usual[k] == usual[k + 1]) continue;
        if (cold) forget();
        const std::vector<std::string> made =
            attempt(s, queue, k, k % 2 == 0 ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES);
        if (made.size() <= k) continue; // a call fewer than before, so none failed
        ++failed;
        attempt(s, queue, faults::never, CL_SUCCESS); // the next call works
        if (cold) forget();
        CAPTURE(k, made[k]);
        CHECK(faults::to_string(faults::live_handles()) == faults::to_string(before));
        CHECK(faults::excess_releases() == excess);
    }
    CHECK(failed > 3);
    forget();
    CHECK(faults::to_string(faults::live_handles()) == faults::to_string(empty));
}

/// Device queries: an error or what they give otherwise.
template <class Ask>
void fail_each_query(const char* function, const Ask& ask) {
    CAPTURE(function);
    const std::string expected = ask();
    const faults::balance before = faults::live_handles();
    for (std::size_t k = 0;; ++k) {
        faults::watch(k, CL_OUT_OF_HOST_MEMORY);
        std::string problem;
        try {
            if (ask() != expected) problem = "another answer";
        } catch (const upsweep::error& e) {
            if (e.function() != function || e.cause().empty()) problem = e.what();
        } catch (const std::exception& e) {
            problem = std::string("not an upsweep::error: ") + e.what();
        }
        const std::vector<std::string> made = faults::stop();
        if (made.size() <= k) break;
        // A platform that cannot list its devices is passed over, so that those of others can be used.
        if (made[k] == "clGetDeviceIDs") continue;
        CAPTURE(k, made[k]);
        CHECK(problem == "");
        CHECK(faults::to_string(faults::live_handles()) == faults::to_string(before));
    }
    CHECK(ask() == expected);
}

// The other program tries both; whether the bindings throw has nothing to do with the kind of queue.
const std::vector<bool> kinds_of_queues =
    faults::bindings_throw ? std::vector<bool>{true} : std::vector<bool>{true, false};

using upsweep::strategy;
const std::vector<strategy> every_strategy{strategy::single_tile, strategy::reduce_then_scan,
                                           strategy::scan_then_propagate, strategy::look_back, strategy::chunked};
/// What a first call does besides is the same for all: it builds a program or two, takes kernels from them, one or
/// several, and makes scratch, cleared or not. To build takes longest, so each of that once; with bindings that throw
/// one call of each kind.
std::vector<scenario> scenarios_of_first_calls() {
    std::vector<scenario> all = faults::first_scenarios();
    if (faults::bindings_throw) all.erase(all.begin() + 3, all.end());
    return all;
}

} // namespace

TEST_CASE("each OpenCL call of a warm call fails in turn", "[faults]") {
    for (const bool in_order : kinds_of_queues) {
        if (!in_order && !fixture::has_out_of_order(upsweep::default_queue())) continue;
        const cl::CommandQueue queue = make_queue(in_order);
        for (const scenario& s : faults::device_scenarios(every_strategy)) fail_each_call(s, queue, false);
        for (const scenario& s : faults::other_scenarios()) fail_each_call(s, queue, false);
        for (const scenario& s : faults::streamed_scenarios()) fail_each_call(s, queue, false);
    }
}

TEST_CASE("each OpenCL call of a first call fails in turn", "[faults]") {
    const cl::CommandQueue queue = make_queue(true);
    for (const scenario& s : scenarios_of_first_calls()) fail_each_call(s, queue, true);
}

TEST_CASE("each OpenCL call of a look at the devices fails in turn", "[faults]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const cl::Device device = fixture::device_of(queue);
    fail_each_query("limits", [&] { return upsweep::detail::read_limits("limits", device()).name; });
    fail_each_query("default_queue", [] { return upsweep::default_queue()() ? "a queue" : "none"; });
    fail_each_query("devices", [] {
        std::string all;
        for (const upsweep::device_info& d : upsweep::devices()) all += d.name + d.platform + d.driver;
        return all;
    });
}
