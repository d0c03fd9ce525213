// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/launch_plan.hpp>
#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/kernel_arguments.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>

#include <array>
#include <cstring>

namespace upsweep::detail {

/// What a launch over sums is given of its input where that is more than an array (sums_text). Where the number of
/// elements is read on the device: how many elements a sum is of, and whether the last may be of fewer.
UPSWEEP_INLINE view_buffers view_of_sums(const launch_plan& s, const pass& p, cl_mem sums, const run_request& r) {
    view_buffers view{{sums, 0}};
    append_all(view, r.operands.arrays);
    if (s.is_counted) view.push_back(r.count);
    append_all(view, r.operands.numbers);
    if (!s.is_counted) return view;
    const std::uint64_t step = s.tuning.strategy == strategy::chunked ? s.chunk : s.tuning.tile();
    std::uint64_t unit = 1;
    for (std::uint32_t level = 0; level < p.level; ++level)
        unit = unit > s.n / step ? s.n : unit * step; // a sum of more elements than there are is one of all
    view.push_back({nullptr, unit});
    view.push_back({nullptr, p.what == pass::kind::append_tile ? 0U : 1U});
    return view;
}

/// Whether a pass reduces each tile, or chunk, to its sum.
UPSWEEP_INLINE bool reduces_parts(const pass& p) {
    return p.what == pass::kind::reduce_tiles || p.what == pass::kind::reduce_chunks;
}

/// Where a pass reads and writes, and what it does with the initial value.
struct pass_operands {
    location in;
    location out;
    location sums;
    location result; ///< of a reduction
    bool exclusive = false;
    bool has_init = false;
};

UPSWEEP_INLINE pass_operands operands_of(const launch_plan& s, const pass& p, const run_request& r, cl_mem scratch) {
    const bool elements = p.level == 0;
    const auto sums_of = [&](std::size_t level) -> location {
        return level < s.sums_offsets.size() ? location{scratch, s.sums_offsets[level]} : location{r.out.buffer, 0};
    };
    // The sums of level k are the elements of level k + 1 and are scanned in place, inclusively, without init; in the
    // canonical order with init, which then comes down from the highest level.
    pass_operands o;
    o.in = elements ? r.in : sums_of(p.level - 1);
    o.out = elements ? r.out : o.in;
    o.sums = sums_of(p.level);
    o.result = p.writes_sums ? o.sums : r.out;
    o.exclusive = elements && r.exclusive;
    // scan_then_propagate applies init when it adds back: init belongs to the pass that writes the final values.
    o.has_init = (reduces_parts(p) || elements || s.tuning.canonical) && r.has_init && !p.writes_sums;
    return o;
}

/// Sets the arguments of one pass, which follow the kernels' parameter lists.
/// @param view  what the pass reads if it is no plain array; null: it is one
UPSWEEP_INLINE void set_pass_arguments(const launch_plan& s, const pass& p, const run_request& r, cl_kernel kernel,
                                       const view_buffers* view, const pass_operands& o, const init_argument& init) {
    using kind = pass::kind;
    const view_argument input{o.in.buffer, view};
    const view_argument output{o.out.buffer, p.level == 0 ? r.out_view : nullptr};
    const cl_ulong n = p.elements;
    const auto set = [&](const auto&... arguments) { set_arguments(r.function, kernel, arguments...); };
    switch (p.what) {
    case kind::scan_tiles:
        return set(input, o.in.offset, output, o.out.offset, n, o.sums.buffer, o.sums.offset, p.reads_sums,
                   p.writes_sums, o.exclusive, o.has_init, init);
    case kind::propagate_tiles:
        return set(output, o.out.offset, n, o.sums.buffer, o.sums.offset, o.exclusive, o.has_init, init);
    case kind::reduce_tiles:
        return set(input, o.in.offset, n, o.result.buffer, o.result.offset, o.has_init, init);
    case kind::reduce_chunks:
        return set(input, o.in.offset, n, p.level == 0 ? cl_ulong{s.chunk} : n, o.result.buffer, o.result.offset,
                   o.has_init, init);
    case kind::finish_parts: {
        const location rest = p.reads_sums ? o.sums : location{r.out.buffer, 0};
        return set(input, o.in.offset, n, cl_ulong{s.chunk}, rest.buffer, rest.offset, r.out.buffer, r.out.offset,
                   r.has_init, init);
    }
    case kind::append_tile:
        return set(input, o.in.offset, n, r.out.buffer, r.out.offset, p.reads_sums, r.has_init, init);
    case kind::scan_chunks:
        return set(input, o.in.offset, output, o.out.offset, n, cl_ulong{s.chunk}, o.sums.buffer, o.sums.offset,
                   o.exclusive, o.has_init, init);
    case kind::count_marks:
    case kind::look_back:
    case kind::reduce_once:
    case kind::reduce_chunks_once:
    case kind::reduce_few:
        return; // launched by run_once
    }
}

/// Binds the arguments of one pass and launches it.
UPSWEEP_INLINE void run_pass(const launch_plan& s, const pass& p, const run_programs& programs, const run_request& r,
                             const init_argument& init, cl_mem scratch, command_chain& chain) {
    const bool elements = p.level == 0;
    const bool only_sums = reduces_parts(p) && p.writes_sums && programs.to_sums;
    built_program& program = !elements ? *programs.sums : only_sums ? *programs.to_sums : *programs.elements;
    const built_program::loan kernel(program, record_of(p.what).kernel, r.function);
    const pass_operands operands = operands_of(s, p, r, scratch);
    const bool has_view = !elements && (s.is_counted || !r.operands.empty());
    const view_buffers of_sums = has_view ? view_of_sums(s, p, operands.in.buffer, r) : view_buffers();
    const view_buffers* view = elements ? r.in_view : has_view ? &of_sums : nullptr;
    set_pass_arguments(s, p, r, kernel(), view, operands, init);
    chain.launch(kernel(), p.work_groups, s.tuning.work_items);
}

/// Sets the numbers of a single launch that are often those of the launch before, if they are not: each argument adds
/// 0.05 us to a call on an NVIDIA H200. (Buffers are always set: another one may have the handle of one that is gone.
/// So nothing is kept where one has the initial value.) `first`: the number of argument `where`.
UPSWEEP_INLINE void set_kept_arguments(const char* function, built_program::loan& kernel, cl_uint first,
                                       value_bytes where, const init_argument& given) {
    std::vector<unsigned char>& kept = kernel.kept_arguments();
    const value_bytes init = given.bytes();
    if (given.has_place()) {
        kept.clear();
        cl_uint next = first + 2;
        check_status(set_argument(kernel(), first, where), function, "clSetKernelArg");
        return set_next(function, kernel(), next, given);
    }
    const auto same = [&](std::size_t begin, value_bytes bytes) {
        return std::memcmp(kept.data() + begin, bytes.data, bytes.size) == 0;
    };
    if (kept.size() == where.size + init.size && same(0, where) && same(where.size, init)) return;
    kept.clear(); // so that nothing is taken for set if a call fails
    check_status(set_argument(kernel(), first, where), function, "clSetKernelArg");
    check_status(set_argument(kernel(), first + 2, given), function, "clSetKernelArg");
    if (given.is_in_memory()) return;
    kept.resize(where.size + init.size);
    std::memcpy(kept.data(), where.data, where.size);
    std::memcpy(kept.data() + where.size, init.data, init.size);
}

/// The flags of a launch.
UPSWEEP_INLINE cl_uint flags_of(const launch_plan& s, const pass& p, const run_request& r) {
    // An even number of tiles, so that nearly all those before a tile are silent; an odd number begins in order.
    const bool is_checked = r.last_tile_first && p.work_groups % 2 == 0;
    const bool is_behind_count = p.what != s.passes.front().what; // see count_marks.cl
    return (r.has_init ? launch_has_init : 0U) | (r.exclusive ? launch_exclusive : 0U) |
           (r.in_place ? launch_in_place : 0U) | (is_checked || is_behind_count ? launch_last_first : 0U);
}

/// A launch whose work-groups share a state.
/// @param epoch  of the state
UPSWEEP_INLINE void launch_once(const launch_plan& s, const pass& p, const run_programs& programs, const run_request& r,
                                const init_argument& init, cl_mem state, cl_uint epoch, command_chain& chain) {
    built_program::loan kernel(*programs.elements, record_of(p.what).kernel, r.function);
    // Numbers travel as two vectors: on an NVIDIA H200 each argument adds 0.05 us to a call.
    const bool scans = p.what == pass::kind::look_back || p.what == pass::kind::count_marks;
    const bool in_chunks = p.what == pass::kind::reduce_chunks_once;
    const std::array<cl_ulong, 4> where{r.in.offset, r.out.offset, s.n,
                                        scans       ? s.tuning.tile()
                                        : in_chunks ? s.chunk
                                                    : s.static_parts};
    const std::uint32_t number = scans ? s.tuning.max_polls : p.what == pass::kind::reduce_once ? log2_of(s.chunk) : 0;
    const std::array<cl_uint, 4> launch{epoch, 0, flags_of(s, p, r), number};
    const cl_uint next = set_arguments(r.function, kernel(), view_argument{r.in.buffer, r.in_view},
                                       view_argument{r.out.buffer, r.out_view}, state);
    check_status(set_argument(kernel(), next + 1, as_bytes(launch)), r.function, "clSetKernelArg");
    set_kept_arguments(r.function, kernel, next, as_bytes(where), init);
    chain.launch(kernel(), p.work_groups, s.tuning.work_items);
}

/// A run of launches whose work-groups share a state, after clearing the caller's memory if that is what holds it.
UPSWEEP_INLINE cl::Event run_once(const launch_plan& s, const run_programs& programs, const run_request& r,
                                  const init_argument& init) {
    const auto bytes = static_cast<std::size_t>(s.scratch_bytes);
    workspace_loan state(r.function, r.queue.context, r.queue.queue, r.queue.in_order, bytes, r.workspace,
                         scratch_use::look_back_state);
    const bool clears = state.is_callers() && bytes > 0;
    command_chain chain(r, s.passes.size() + (clears ? 1 : 0));
    const cl_uint epoch = state.next_launch();
    if (clears) chain.clear(state.buffer(), bytes);
    for (const pass& p : s.passes) launch_once(s, p, programs, r, init, state.buffer(), epoch, chain);
    state.used_until(chain.last());
    return chain.take_last();
}

/// Launches the passes of a run and returns the event of the last.
UPSWEEP_INLINE cl::Event run(const launch_plan& s, const run_programs& programs, const run_request& r) {
    command_chain chain(r, s.passes.size());
    if (s.passes.empty()) {
        chain.nothing();
        return chain.take_last();
    }
    const init_argument init(r.function, r.queue.context, r.init, r.init_place);
    if (record_of(s.passes.front().what).role == pass_role::whole_run) return run_once(s, programs, r, init);
    workspace_loan scratch(r.function, r.queue.context, r.queue.queue, r.queue.in_order,
                           static_cast<std::size_t>(s.scratch_bytes), r.workspace);
    for (const pass& p : s.passes) {
        run_pass(s, p, programs, r, init, scratch.buffer(), chain);
        scratch.used_until(chain.last());
    }
    return chain.take_last();
}

} // namespace upsweep::detail
