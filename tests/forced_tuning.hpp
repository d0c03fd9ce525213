// SPDX-License-Identifier: MIT
// Calls with a tuning that is chosen for another device than the one at hand.
#pragma once

#include <upsweep/detail/tuning/resolve_options.hpp>

#include "device_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace fixture {

/// A device like an NVIDIA H200.
inline detail::device_limits large_nvidia_gpu() {
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

/// Whether the device is PoCL's of version 6 or later, whose driver version begins with that number.
inline bool is_pocl_6() {
    const cl::Device device(upsweep::default_device().device());
    const std::string platform = cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>();
    return platform == "Portable Computing Language" && std::atoi(device.getInfo<CL_DRIVER_VERSION>().c_str()) >= 6;
}

/// The same tuning for the device at hand: the same sizes and the same order of work, by its own sub-groups or, in
/// tiles, by none. None if the device lacks what it needs.
inline std::optional<upsweep::tuning> adapted(upsweep::tuning t, const detail::device_limits& to) {
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
    if (t.work_items > to.max_work_group_size) return std::nullopt;
    if (detail::keeps_runs(t) && is_pocl_6()) {
        test::leave_out("kept runs: PoCL 6.0 compiles them wrongly, or ends the process");
        return std::nullopt;
    }
    return t;
}

/// An engine with this tuning, without a self-check.
template <class T, class Op>
detail::engine engine_of(const detail::queue_facts& queue, detail::operation what, std::uint64_t n, const Op& op,
                         const upsweep::tuning& t) {
    detail::engine e;
    e.context = queue.context;
    e.device = queue.device;
    e.limits = &detail::limits_of("test", queue.device);
    e.op = what;
    e.value_size = sizeof(T);
    detail::program_key key = detail::key_of(queue, n, detail::view_text<T, T>(op));
    detail::use_tuning("test", e, key, t, n);
    e.programs = detail::find_programs("test", e, key, {});
    return e;
}

/// How a call with a tuning differs from the plainest.
struct tuned_form {
    bool exclusive = false;
    bool in_place = false;
    bool clears_scratch = false; ///< so that what a launch counts begins at zero
    std::size_t guard = 64;      ///< elements before the arrays, which decide their alignment
};

/// What a call with this tuning gives: one value per element, or one. Checks the guards.
/// @param init  null: none
template <class T, class Op>
std::vector<T> run_tuned(const cl::CommandQueue& queue, detail::operation what, const std::vector<T>& input,
                         const T* init, const Op& op, const upsweep::tuning& t, const tuned_form& form = {}) {
    const auto results = static_cast<std::size_t>(detail::results_of(what, input.size()));
    const guarded_array<T> from(queue, input, form.guard);
    const guarded_array<T> separate(queue, form.in_place ? 0 : results, form.guard);
    const guarded_array<T>& to = form.in_place ? from : separate;
    const auto facts = detail::inspect_queue("test", queue);
    const detail::engine e = engine_of<T>(facts, what, input.size(), op, t);
    const T any{};
    const upsweep::wait_list none;
    detail::call_arguments call;
    call.function = "test";
    call.op = what;
    call.queue = queue();
    call.in = detail::untyped(from.input());
    call.out = detail::untyped(to.view());
    call.exclusive = form.exclusive;
    call.has_init = init != nullptr;
    call.init = init ? init : &any;
    call.after = &none;
    const auto scratch = static_cast<std::size_t>(e.full.scratch_bytes);
    const cl::Buffer cleared = buffer_of(queue, std::vector<unsigned char>((std::max)(scratch, std::size_t{1})));
    if (form.clears_scratch) call.workspace = detail::untyped(upsweep::span<unsigned char>(cleared, scratch));
    detail::run_prepared(e, facts, call).wait();
    CHECK(to.guards_intact());
    return to.values();
}

} // namespace fixture
