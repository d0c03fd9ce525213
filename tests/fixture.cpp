// SPDX-License-Identifier: MIT
// What the fixtures do through the library's own functions: compiled once here, not again in each test file.
#include "device_fixture.hpp"
#include "forced_tuning.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace fixture {

cl::Buffer buffer_of(const cl::CommandQueue& queue, const std::vector<unsigned char>& bytes, cl_mem_flags flags) {
    cl_int status = CL_SUCCESS;
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    cl::Buffer buffer(clCreateBuffer(context(), flags | CL_MEM_COPY_HOST_PTR, bytes.size(),
                                     const_cast<unsigned char*>(bytes.data()), &status));
    REQUIRE(status == CL_SUCCESS);
    return buffer;
}

std::vector<unsigned char> bytes_of(const cl::CommandQueue& queue, cl_mem buffer, std::size_t bytes) {
    std::vector<unsigned char> all(bytes);
    REQUIRE(clEnqueueReadBuffer(queue(), buffer, CL_TRUE, 0, bytes, all.data(), 0, nullptr, nullptr) == CL_SUCCESS);
    return all;
}

own_context::own_context(const cl::CommandQueue& common) {
    cl_int status = CL_SUCCESS;
    const cl_device_id device = device_of(common)();
    context = cl::Context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status));
    REQUIRE(status == CL_SUCCESS);
    queue = cl::CommandQueue(detail::create_queue("test", context(), device, 0));
}

const detail::device_limits& limits_of(const cl::CommandQueue& queue) {
    return detail::limits_of("test", device_of(queue)());
}

namespace {

cl::CommandQueue another_queue(const cl::CommandQueue& queue, cl_command_queue_properties properties) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    return cl::CommandQueue(detail::create_queue("test", context(), device_of(queue)(), properties));
}

} // namespace

cl::CommandQueue in_order_queue(const cl::CommandQueue& queue) {
    return another_queue(queue, 0);
}

cl::CommandQueue out_of_order_queue(const cl::CommandQueue& queue) {
    return another_queue(queue, out_of_order_of(queue));
}

std::vector<cl::CommandQueue> queues_of_each_kind(const cl::CommandQueue& queue) {
    std::vector<cl::CommandQueue> queues{in_order_queue(queue)};
    if (has_out_of_order(queue)) queues.push_back(out_of_order_queue(queue));
    return queues;
}

std::vector<upsweep::options> few_kernels(std::uint32_t items) {
    using upsweep::strategy;
    using upsweep::tile_algorithm;
    using upsweep::tile_loading;
    using upsweep::tree_reduce;
    const auto make = [&](strategy s, tile_algorithm a, tree_reduce r, tile_loading l) {
        upsweep::options o = small_tiles(s, 8, items);
        o.algorithm = a;
        o.reduction = r;
        o.loading = l;
        return o;
    };
    return {
        make(strategy::reduce_then_scan, tile_algorithm::blelloch, tree_reduce::interleaved, tile_loading::staged),
        make(strategy::scan_then_propagate, tile_algorithm::hillis_steele, tree_reduce::compacted,
             tile_loading::direct),
        make(strategy::reduce_then_scan, tile_algorithm::brent_kung, tree_reduce::sequential, tile_loading::direct),
        make(strategy::chunked, tile_algorithm::blelloch, tree_reduce::sequential, tile_loading::staged),
        small_tiles(strategy::chunked, 1, items),
    };
}

detail::engine forced_engine(const detail::queue_facts& queue, detail::operation what, std::size_t n,
                             const detail::call_types& types, const upsweep::options& opts, bool wide_index) {
    detail::engine e = detail::make_engine("test", queue, what, n, types, opts);
    detail::program_key key = detail::key_of(queue, n, types.text);
    key.wide_index = wide_index;
    key.kind = detail::family_of(what, e.tuning);
    key.tuning = detail::compiled_tuning(e.tuning, key.kind);
    e.programs = detail::find_programs("test", e, key, opts);
    return e;
}

void run_forced(const cl::CommandQueue& queue, const detail::call_arguments& call, const detail::call_types& types,
                const upsweep::options& opts, bool wide_index) {
    const auto facts = detail::inspect_queue("test", queue);
    const auto e = forced_engine(facts, call.op, static_cast<std::size_t>(call.in.size), types, opts, wide_index);
    detail::run_prepared(e, facts, call).wait();
}

void expect_error(const std::string& function, const std::string& argument, const std::string& phrase,
                  const std::function<void()>& call) {
    try {
        call();
    } catch (const upsweep::error& e) {
        INFO("thrown: " << e.what());
        CHECK(e.function() == function);
        CHECK(e.argument() == argument);
        CHECK_THAT(e.cause(), Catch::Matchers::ContainsSubstring(phrase));
        CHECK(std::string(e.what()) == function + ": " + argument + ": " + e.cause());
        return;
    }
    FAIL_CHECK("no error from " << function << " about " << argument << ": " << phrase);
}

detail::device_limits large_nvidia_gpu() {
    detail::device_limits d;
    d.name = "like an H200";
    d.has_double = d.has_atomics64 = d.has_ptx = d.has_async_copy = true;
    d.lanes = detail::lanes_backend::ptx;
    d.compute_units = 132;
    d.max_work_group_size = 1024;
    d.local_memory_bytes = 48 << 10;
    d.tile_memory_bytes = 227 << 10;
    d.max_allocation_bytes = std::uint64_t{1} << 36;
    return d;
}

bool breaks_kept_runs() {
    const cl::Device device(upsweep::default_device().device());
    const std::string platform = cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>();
    return platform == "Portable Computing Language" && std::atoi(device.getInfo<CL_DRIVER_VERSION>().c_str()) >= 5;
}

std::optional<upsweep::tuning> adapted(upsweep::tuning t, const detail::device_limits& to) {
    if (t.work_items > to.max_work_group_size) return std::nullopt;
    if (to.lanes == detail::lanes_backend::ptx && to.has_atomics64) return t;
    const bool has_lanes = detail::are_sub_groups(to.lanes) && to.has_atomics64;
    if (t.algorithm == upsweep::tile_algorithm::sub_group && !has_lanes) return std::nullopt;
    if (t.strategy == upsweep::strategy::look_back && !to.has_atomics64) return std::nullopt;
    if (t.lanes != detail::lanes_backend::none) {
        t.lanes = has_lanes ? to.lanes : detail::lanes_backend::none;
        t.sub_group_size = has_lanes ? to.sub_group_size : 0;
        t.opencl_c = has_lanes ? to.opencl_c : 12;
    }
    t.ptx = t.async_copy = false;
    t.registers = t.ahead_tiles = 0;
    if (detail::keeps_runs(t) && breaks_kept_runs()) {
        test::leave_out("kept runs: PoCL 5 and 6 compile them wrongly, or end the process");
        return std::nullopt;
    }
    return t;
}

detail::engine engine_of(const detail::queue_facts& queue, detail::operation what, std::uint64_t n,
                         const detail::call_types& types, const upsweep::tuning& t) {
    detail::engine e;
    e.context = queue.context;
    e.device = queue.device;
    e.limits = &detail::limits_of("test", queue.device);
    e.op = what;
    e.value_size = types.text.value.size;
    detail::program_key key = detail::key_of(queue, n, types.text);
    detail::use_tuning("test", e, key, t, n);
    e.programs = detail::find_programs("test", e, key, {});
    return e;
}

void run_with(const cl::CommandQueue& queue, detail::call_arguments& call, std::uint64_t n,
              const detail::call_types& types, const upsweep::tuning& t, bool clears_scratch) {
    const auto facts = detail::inspect_queue("test", queue);
    const detail::engine e = engine_of(facts, call.op, n, types, t);
    const auto scratch = static_cast<std::size_t>(e.full.scratch_bytes);
    const cl::Buffer cleared = buffer_of(queue, std::vector<unsigned char>((std::max)(scratch, std::size_t{1})));
    if (clears_scratch) call.workspace = detail::untyped(upsweep::span<unsigned char>(cleared, scratch));
    detail::run_prepared(e, facts, call).wait();
}

} // namespace fixture

namespace test {

const upsweep::detail::device_limits& limits() {
    return upsweep::detail::limits_of("test", upsweep::default_device().device());
}

std::string describe(const upsweep::options& o, std::size_t n) {
    std::ostringstream text;
    text << o.strategy << ", " << o.algorithm << ", tree " << o.reduction << ", " << o.work_items << " x " << o.items
         << ", n = " << n;
    return text.str();
}

} // namespace test
