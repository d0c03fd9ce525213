// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls.hpp>
#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/call/operand_call.hpp>
#include <upsweep/detail/call/streamed_call.hpp>
#include <upsweep/detail/call/total_call_inl.hpp>
#include <upsweep/detail/engine/plan_engines.hpp>
#include <upsweep/detail/opencl/create_queue.hpp>
#include <upsweep/detail/opencl/read_limits.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/source/store_text.hpp>
#include <upsweep/detail/source/transform_text.hpp>
#include <upsweep/detail/streamed/in_host_memory.hpp>
#include <upsweep/detail/streamed/pipeline.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// The store hook of a computed output, whose types and functions the program has.
UPSWEEP_INLINE std::string store_text(const computed_output& out) {
    std::vector<hook_array> arrays;
    for (const computed_output::part& part : out.parts)
        arrays.push_back({part.name, part.type.name, part.use == access::output});
    std::vector<std::string> numbers;
    for (const computed_output::number& each : out.numbers) numbers.push_back(each.name);
    const auto make = [&] { return store_text(arrays, numbers, out.reads, out.chosen, out.body, out.marks); };
    return text_made_once(make, "store_text", arrays, numbers, out.reads, out.chosen, out.body, out.marks);
}

/// Finds what is wrong with a reduction of computed elements, or does not compile, while its arrays are not made yet.
/// The call that follows finds its program built. An operator with parameters is checked by that call.
UPSWEEP_INLINE void check_computed_call(const call_arguments& a, const queue_facts& queue, call_types types,
                                        const computed_input& in, const options& opts) {
    check_stages(a.function, in);
    if (in.size == 0 || types.text.op.parameters) return;
    types.text.is_aligned = true; // buffers of its own
    types.text.scan = kind_of(a);
    make_engine(a.function, queue, a.op, in.size, types, opts);
}

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED cl_device_id device_of(const char* function, cl_command_queue queue) {
    return inspect_queue(function, queue).device;
}

UPSWEEP_DEFINED void check_fits(const char* function, cl_device_id device, std::uint64_t n, std::size_t element_size,
                                std::size_t value_size) {
    const device_limits& limits = limits_of(function, device);
    const std::size_t larger = (std::max)(element_size, value_size);
    const std::uint64_t most = limits.max_allocation_bytes / larger;
    if (n > most)
        throw error(function, "input",
                    std::to_string(n) + " elements of " + std::to_string(larger) +
                        " bytes do not fit a buffer: device " + limits.name + " allocates at most " +
                        std::to_string(limits.max_allocation_bytes) + " bytes; pass parts of at most " +
                        std::to_string(most) + " elements, each with the result of those before as its initial value");
}

UPSWEEP_DEFINED std::string transform_text(const computed_input& in) {
    return transform_text(in.part_types(), in.stages, in.counter_type.name, in.is_prefetched);
}

UPSWEEP_DEFINED bool set_parameter(computed_input& in, const stage_parameter& parameter,
                                   const computed_input::parameter& given) {
    if (in.stages.empty()) return false; // elements of an array: there is no text
    std::vector<stage_parameter>& own = in.stages.back().parameters;
    const std::size_t before = in.parameters.size() - own.size();
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i].name != parameter.name) continue;
        const bool is_same = own[i].type.name == parameter.type.name && own[i].is_array == parameter.is_array;
        own[i] = parameter;
        in.parameters[before + i] = given;
        return !is_same;
    }
    own.push_back(parameter);
    in.parameters.push_back(given);
    return true;
}

UPSWEEP_DEFINED std::string store_text(const computed_output& out, const computed_input& in) {
    std::vector<std::string> known = known_definitions(types_of(in.part_types(), in.stages));
    std::vector<type_text> types = out.types;
    for (const computed_output::part& part : out.parts) types.push_back(part.type);
    return definitions_of(types, known) + out.functions + store_text(out);
}

UPSWEEP_DEFINED cl_event call_once(const call_arguments& a, const call_types& types, const options& opts) {
    if (types.text.op.parameters) {
        const operand_call own(a, types);
        return call_once(own.arguments(), own.types(), opts);
    }
    const queue_facts queue = inspect_queue(a.function, a.queue);
    checked_call call = check_arguments(a, queue);
    if (may_precede_total(a, call, types)) return scan_before_total(a, call, queue, types, opts);
    if (needs_reduction(a, call)) return scan_behind_reduction(a, queue, types, opts);
    const engine e = make_engine(a.function, queue, a.op, a.in.size, with_hooks(a, call, types), opts);
    return give(start(e, call));
}

UPSWEEP_DEFINED void call_for_value(const call_arguments& a, const call_types& types, const options& opts,
                                    void* result) {
    const queue_facts queue = inspect_queue(a.function, a.queue);
    const owned<cl_mem> buffer = make_buffer(a.function, queue, types.value.size);
    const wait_list with_event(a.after->events());
    call_arguments whole = a;
    whole.out = {buffer(), 1, 0, types.value.size};
    whole.after = &with_event;
    const cl::Event done(call_once(whole, types, opts));
    download(a.function, queue, buffer(), done, result, types.value.size);
}

UPSWEEP_DEFINED void call_for_value(const call_arguments& a, const computed_input& in,
                                    const std::vector<const void*>& data, const call_types& types, const options& opts,
                                    void* result) {
    const queue_facts queue = inspect_queue(a.function, a.queue);
    std::vector<owned<cl_mem>> buffers;
    computed_input own = in;
    own.text = transform_text(in);
    check_computed_call(a, queue, with_input(types, own), own, opts); // before anything is copied
    for (std::size_t i = 0; i < data.size(); ++i) {
        const std::size_t size = in.parts[i].type.size;
        if (in.size > 0)
            buffers.push_back(upload(a.function, queue, data[i], static_cast<std::size_t>(in.size) * size));
        own.parts[i].array = {in.size > 0 ? buffers.back()() : nullptr, in.size, 0, size};
    }
    call_arguments whole = a;
    whole.computed = &own;
    whole.in = {nullptr, own.size, 0, types.element.size};
    call_for_value(whole, types, opts, result);
}

/// A call on host memory, piece by piece.
UPSWEEP_INLINE void stream_on_host(const host_arguments& h, const queue_facts& queue, const call_types& types,
                                   const stream_choice& how, const options& opts) {
    if (how.in_host_memory && !queue.in_order) { // whose other commands are not to be waited for, whatever happens
        const owned<cl_command_queue> own(create_queue(h.function, queue.context, queue.device, 0));
        host_arguments in_order = h;
        in_order.queue = own();
        return stream_on_host(in_order, inspect_queue(h.function, own()), types, how, opts);
    }
    streamed_call call(h, queue, types, how.pieces, opts);
    stream_job job;
    job.function = h.function;
    job.pieces = how.pieces;
    job.element_size = types.element.size;
    job.value_size = types.value.size;
    job.in = h.in;
    job.out = h.op == operation::scan ? h.out : nullptr;
    job.in_place = h.op == operation::scan && h.same_type;
    job.work = [&](const piece_on_device& piece) { call(piece); };
    job.opts = &opts;
    if (how.in_host_memory)
        stream_in_host_memory(job, queue, limits_of(h.function, queue.device));
    else
        stream_through_device(job, queue, stream_settings::in_use());
    if (!job.out) std::memcpy(h.out, call.result().data(), types.value.size);
}

UPSWEEP_DEFINED void call_on_host(const host_arguments& h, const call_types& types, const options& opts) {
    refuse_operands(h.function, types, "host ranges; pass a span");
    const queue_facts queue = inspect_queue(h.function, h.queue);
    const stream_choice how = choose_stream(h, types, limits_of(h.function, queue.device), opts);
    if (how.streams) return stream_on_host(h, queue, types, how, opts);
    call_types own = of_kind(types, kind_of(h.op, h.exclusive));
    own.text.is_aligned = true; // buffers of its own
    const engine e = make_engine(h.function, queue, h.op, h.n, own, opts);
    if (h.n == 0) return report_progress(h.function, opts, 0, 0);
    const auto n = static_cast<std::size_t>(h.n);
    const auto values = static_cast<std::size_t>(results_of(h.op, h.n));
    const std::size_t out_bytes = values * types.value.size;
    const owned<cl_mem> in = upload(h.function, queue, h.in, n * types.element.size);
    // In place where each element has a result and the types allow.
    const bool in_place = record_of(h.op).results == result_count::per_element && h.same_type;
    const owned<cl_mem> other = in_place ? owned<cl_mem>() : make_buffer(h.function, queue, out_bytes);
    const wait_list none;
    call_arguments a;
    a.function = h.function;
    a.op = h.op;
    a.queue = h.queue;
    a.in = {in(), n, 0, types.element.size};
    a.out = {in_place ? in() : other(), values, 0, types.value.size};
    a.same_type = h.same_type;
    a.exclusive = h.exclusive;
    a.has_init = h.has_init;
    a.init = h.init;
    a.after = &none;
    const cl::Event done = run_prepared(e, queue, a);
    download(h.function, queue, a.out.buffer, done, h.out, out_bytes);
    report_progress(h.function, opts, h.n, h.n);
}

UPSWEEP_DEFINED std::shared_ptr<const plan_engines> make_plan(const char* function, cl_command_queue queue,
                                                              operation op, std::uint64_t n, const call_types& types,
                                                              const options& opts, const computed_input* view) {
    refuse_operands(function, types, "plans; call the free function");
    const queue_facts facts = inspect_queue(function, queue);
    if (view) check_stages(function, *view);
    return std::shared_ptr<const plan_engines>(
        new plan_engines(function, facts, op, n, view ? with_input(types, *view) : types, opts));
}

UPSWEEP_DEFINED cl_event call_plan(const plan_engines& plan, const call_arguments& a) {
    if (a.init_on_device)
        throw error(a.function, "initial value", "lies on the device, but plans take initial values from the host");
    const queue_facts queue = inspect_queue(a.function, a.queue);
    plan.check_call(a.function, queue, a.in.size, a.computed ? std::string_view(a.computed->text) : std::string_view());
    checked_call call = check_arguments(a, queue);
    return give(start(plan.of(a.function, queue, kind_of(a), is_aligned(a, call)), call));
}

UPSWEEP_DEFINED const tuning& tuning_of(const plan_engines& plan) {
    return plan.main().tuning;
}
UPSWEEP_DEFINED const launch_plan& launches_of(const plan_engines& plan) {
    return plan.main().full;
}
UPSWEEP_DEFINED launch_plan launches_of(const plan_engines& plan, std::uint64_t n) {
    return launches_of(plan.main(), n);
}
UPSWEEP_DEFINED std::uint64_t scratch_bytes_of(const plan_engines& plan) {
    return plan.scratch_bytes();
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail
