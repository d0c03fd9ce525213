// SPDX-License-Identifier: MIT
// A call that must fail fails before anything is built: programs are compiled for valid calls only.
#include "faults.hpp"
#include "first_uses.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using fixture::guarded_array;
using upsweep::span;

namespace {

struct bad_call {
    std::string name;
    std::function<void()> call;
};

/// Runs each call in a process state in which nothing was built before.
void check_builds_nothing(const faults::first_uses& first, const std::vector<bad_call>& calls) {
    for (const bad_call& bad : calls) {
        INFO(bad.name);
        first.forget();
        faults::watch(faults::never, CL_SUCCESS);
        bool thrown = false;
        try {
            bad.call();
        } catch (const upsweep::error& e) {
            INFO(e.what());
            thrown = true;
        }
        const std::vector<std::string> made = faults::stop();
        CHECK(thrown);
        for (const char* call : {"clCreateProgramWithSource", "clCreateProgramWithBinary", "clBuildProgram",
                                 "clCreateKernel", "clCreateBuffer", "clEnqueueNDRangeKernel"}) {
            INFO(call);
            CHECK(std::count(made.begin(), made.end(), call) == 0);
        }
    }
    first.forget();
}

upsweep::options with_work_items(std::uint32_t n) {
    upsweep::options o;
    o.work_items = n;
    return o;
}

const std::vector<int> ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

} // namespace

TEST_CASE("bad views build nothing", "[calls]") {
    const faults::first_uses first;
    const cl::CommandQueue& queue = first.queue;
    const guarded_array<int> in(queue, ten);
    const guarded_array<int> out(queue, 10);
    const fixture::own_context another(upsweep::default_queue());
    const guarded_array<int> foreign(another.queue, 10);
    const guarded_array<int> read_only(queue, 10, 0, CL_MEM_READ_ONLY);
    const cl::CommandQueue no_queue;
    const auto of = [&](std::size_t n, std::size_t byte_offset) { return span<int>(in.buffer(), n, byte_offset); };
    const span<const int> good = in.input();
    std::vector<bad_call> calls;
    const auto add = [&](const std::string& name, const cl::CommandQueue& q, span<const int> from, span<int> to) {
        calls.push_back({"inclusive_scan, " + name, [=] { upsweep::inclusive_scan(q, from, to); }});
        calls.push_back({"exclusive_scan, " + name, [=] { upsweep::exclusive_scan(q, from, to, 3); }});
        calls.push_back({"reduce, " + name, [=] { upsweep::reduce(q, from, to); }});
    };
    add("null queue", no_queue, good, out.view());
    add("null input", queue, span<const int>(cl_mem{}, 10), out.view());
    add("null output", queue, good, span<int>(cl_mem{}, 10));
    add("input of another context", queue, foreign.input(), out.view());
    add("output of another context", queue, good, foreign.view());
    add("input too large", queue, span<const int>(in.buffer(), 1000), span<int>(out.buffer(), 1000));
    add("output too small", queue, good, span<int>());
    add("offset", queue, good, span<int>(out.buffer(), 10, 2));
    add("read-only output", queue, good, read_only.view());
    add("overlap", queue, of(10, 8), of(10, 12));
    check_builds_nothing(first, calls);
    CHECK(out.untouched());
}

TEST_CASE("bad wait lists, options, sizes and text build nothing", "[calls]") {
    const faults::first_uses first;
    const cl::CommandQueue& queue = first.queue;
    const guarded_array<int> in(queue, ten);
    const guarded_array<int> out(queue, 10);
    const fixture::own_context another(upsweep::default_queue());
    cl_int status = CL_SUCCESS;
    const cl::Event foreign(clCreateUserEvent(another.context(), &status));
    REQUIRE(status == CL_SUCCESS);
    const auto from = in.input();
    const auto to = out.view();
    const auto after_null = upsweep::after(std::vector<cl_event>{nullptr});
    const auto after_foreign = upsweep::after({foreign});
    const auto unbalanced = upsweep::make_operator<int>("return left + (right;");
    const auto broken_helpers = upsweep::make_operator<int>("return left;", "/* never ends");
    const std::size_t endless = std::size_t{1} << 60;
    upsweep::options tiles = with_work_items(1);
    tiles.strategy = upsweep::strategy::reduce_then_scan;

    check_builds_nothing(
        first,
        {{"scan after null", [&] { upsweep::inclusive_scan(queue, from, to, upsweep::plus{}, after_null); }},
         {"reduce after null", [&] { upsweep::reduce(queue, from, to, 0, upsweep::plus{}, after_null); }},
         {"scan after a foreign event",
          [&] { upsweep::inclusive_scan(queue, from, to, upsweep::plus{}, after_foreign); }},
         {"reduce after a foreign event", [&] { upsweep::reduce(queue, from, to, 0, upsweep::plus{}, after_foreign); }},
         {"scan, options",
          [&] { upsweep::exclusive_scan(queue, from, to, 0, upsweep::plus{}, {}, with_work_items(3)); }},
         {"reduce, options", [&] { upsweep::reduce(queue, from, to, 0, upsweep::plus{}, {}, with_work_items(3)); }},
         {"scan, text", [&] { upsweep::inclusive_scan(queue, from, to, unbalanced); }},
         {"reduce, text", [&] { upsweep::reduce(queue, from, to, 0, broken_helpers); }},
         {"host scan, options",
          [&] {
              std::vector<int> host = ten;
              upsweep::inclusive_scan(queue, ten.begin(), ten.end(), host.begin(), upsweep::plus{}, with_work_items(3));
          }},
         {"host copy_if, options",
          [&] {
              std::vector<int> host = ten;
              upsweep::copy_if(queue, ten.begin(), ten.end(), host.begin(), "a > 3", with_work_items(3));
          }},
         {"host run_length_encode, text",
          [&] {
              std::vector<int> host = ten, lengths = ten;
              upsweep::run_length_encode(queue, ten.begin(), ten.end(), host.begin(), lengths.begin(),
                                         "(left == right");
          }},
         {"host transform_reduce, options",
          [&] {
              upsweep::transform_reduce(queue, ten.begin(), ten.end(), 0, upsweep::plus{}, "a * a", with_work_items(3));
          }},
         {"host min_element, options",
          [&] { upsweep::min_element(queue, ten.begin(), ten.end(), with_work_items(3)); }},
         {"scan_plan, options", [&] { upsweep::scan_plan<int>(queue, 10, upsweep::plus{}, with_work_items(3)); }},
         {"scan_plan, scratch", [&] { upsweep::scan_plan<int>(queue, endless, upsweep::plus{}, tiles); }},
         {"reduce_plan, scratch", [&] { upsweep::reduce_plan<int>(queue, endless, upsweep::plus{}, tiles); }},
         {"reduce_plan, text",
          [&] { upsweep::reduce_plan<int, int, upsweep::custom_operator<int>>(queue, 10, unbalanced); }}});
    CHECK(out.untouched());
}

TEST_CASE("a plan's bad workspace launches nothing", "[calls]") {
    const faults::first_uses first;
    const cl::CommandQueue& queue = first.queue;
    upsweep::options tiles = with_work_items(1);
    tiles.items = 16;
    tiles.strategy = upsweep::strategy::reduce_then_scan;
    const upsweep::scan_plan<int> plan(queue, 1000, upsweep::plus{}, tiles);
    REQUIRE(plan.workspace_bytes() > 1);
    const guarded_array<int> in(queue, std::vector<int>(1000, 1));
    const guarded_array<int> out(queue, 1000);
    const guarded_array<unsigned char> scratch(queue, plan.workspace_bytes() - 1, 0);
    faults::watch(faults::never, CL_SUCCESS);
    CHECK_THROWS_AS(plan.inclusive_scan(queue, in.input(), out.view(), {}, scratch.view()), upsweep::error);
    const std::vector<std::string> made = faults::stop();
    CHECK(std::count(made.begin(), made.end(), "clEnqueueNDRangeKernel") == 0);
    CHECK(std::count(made.begin(), made.end(), "clBuildProgram") == 0);
    CHECK(out.untouched());
}
