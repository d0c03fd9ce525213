// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/event_keeper.hpp>
#include <upsweep/detail/plan/launch_plan.hpp>
#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/run/check_arguments.hpp>
#include <upsweep/detail/run/kernel_arguments.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <array>
#include <cstring>
#include <utility>

namespace upsweep::detail {

/// One checked call, types erased.
struct run_request {
    const char* function = "";
    queue_facts queue;
    location in;
    location out;
    const view_buffers* in_view = nullptr;  ///< an input that is no plain array; `in` is empty then
    const view_buffers* out_view = nullptr; ///< likewise of a scan's output
    location count;                         ///< the number of elements, where that is read on the device
    operand_buffers operands;               ///< parameters of the operator
    bool exclusive = false;
    bool has_init = false;
    value_bytes init;    ///< always set: without an initial value, any value
    location init_place; ///< of an initial value on the device
    const wait_list* after = nullptr;
    bool in_place = false;
    bool begins_anywhere = false; ///< arrays are aligned as their elements, and maybe to no more
    bool last_tile_first = false; ///< for self-checks; see run_once
    cl_mem workspace = nullptr;   ///< the caller's, or null
};

/// The programs of a run.
struct run_programs {
    std::shared_ptr<built_program> elements; ///< reads the caller's elements
    std::shared_ptr<built_program> to_sums;  ///< the same where it writes sums only; null: `elements` does that, too
    std::shared_ptr<built_program> sums;     ///< reads sums
};

/// Enqueues the commands of one call in order: the first waits for the caller's events, the others, where the queue
/// does not already order them, for the one before.
template <class Later>
class command_chain_of {
public:
    command_chain_of(const run_request& request, std::size_t commands)
        : request_(request)
        , left_(commands)
        , keeps_events_(!request.after->events().empty()) {
        check_wait_list(request.function, request.queue, *request.after); // again: to make programs takes long
        if (keeps_events_) kept_.reserve(commands + 1);
    }
    ~command_chain_of() {
        if (!keeps_events_) return;
        if (last_()) kept_.push_back(std::move(last_));
        try {
            event_keeper_of<Later>::get().keep(request_.queue.context, std::move(kept_));
        } catch (const std::bad_alloc&) { // as if there were no keeper
        }
    }
    command_chain_of(const command_chain_of&) = delete;
    command_chain_of& operator=(const command_chain_of&) = delete;

    UPSWEEP_INLINE void launch(cl_kernel kernel, std::uint64_t work_groups, std::uint64_t work_items) {
        const std::size_t local = static_cast<std::size_t>(work_items);
        const std::size_t global = static_cast<std::size_t>(work_groups) * local;
        add("clEnqueueNDRangeKernel", [&](cl_uint count, const cl_event* waits, cl_event* event) {
            return clEnqueueNDRangeKernel(request_.queue.queue, kernel, 1, nullptr, &global, &local, count, waits,
                                          event);
        });
    }

    /// Sets `bytes` bytes of a buffer, from `offset` on, to zero; both are multiples of 4.
    UPSWEEP_INLINE void clear(cl_mem buffer, std::size_t bytes, std::size_t offset = 0) {
        const cl_uint zero = 0;
        add("clEnqueueFillBuffer", [&](cl_uint count, const cl_event* waits, cl_event* event) {
            return clEnqueueFillBuffer(request_.queue.queue, buffer, &zero, sizeof zero, offset, bytes, count, waits,
                                       event);
        });
    }

    /// For a call without work: an event that is complete once the caller's are.
    UPSWEEP_INLINE void marker() {
        const std::vector<cl_event>& outside = request_.after->events();
        cl_event event = nullptr;
        check_status(clEnqueueMarkerWithWaitList(request_.queue.queue, static_cast<cl_uint>(outside.size()),
                                                 outside.empty() ? nullptr : outside.data(), &event),
                     request_.function, "clEnqueueMarkerWithWaitList");
        last_ = owned<cl_event>(event);
    }

    cl_event last() const { return last_(); }
    /// The last event, for the caller.
    UPSWEEP_INLINE cl::Event take_last() {
        if (request_.queue.in_order && !request_.after->wants_event()) return cl::Event();
        owned<cl_event> another;
        if (keeps_events_ && another.share(last_()) == CL_SUCCESS) kept_.push_back(std::move(another));
        return cl::Event(last_.give());
    }
    /// The last command gets an event even if the caller wants none.
    void watch_last() { watches_last_ = true; }

private:
    template <class Enqueue>
    void add(const char* call, const Enqueue& enqueue) {
        cl_event event = nullptr;
        --left_;
        const bool wanted = keeps_events_ || !request_.queue.in_order ||
                            (left_ == 0 && (watches_last_ || request_.after->wants_event()));
        const cl_event before = last_();
        const std::vector<cl_event>& outside = request_.after->events();
        const cl_event* waits = before ? &before : outside.empty() || !first_ ? nullptr : outside.data();
        const cl_uint count = before ? 1 : first_ ? static_cast<cl_uint>(outside.size()) : 0;
        check_status(enqueue(count, waits, wanted ? &event : nullptr), request_.function, call);
        first_ = false;
        if (!wanted) return;
        if (keeps_events_ && before) kept_.push_back(std::move(last_));
        last_ = owned<cl_event>(event);
    }

    const run_request& request_;
    std::size_t left_;
    bool first_ = true;
    bool watches_last_ = false;
    bool keeps_events_; ///< the caller's events may fail: see event_keeper
    owned<cl_event> last_;
    std::vector<owned<cl_event>> kept_;
};
using command_chain = command_chain_of<void>;

/// What a launch over sums is given of its input where that is more than an array (sums_text). Where the number of
/// elements is read on the device: how many elements a sum is of, and whether the last may be of fewer.
UPSWEEP_INLINE view_buffers view_of_sums(const launch_plan& s, const pass& p, cl_mem sums, const run_request& r) {
    view_buffers view{{sums, 0}};
    view.insert(view.end(), r.operands.arrays.begin(), r.operands.arrays.end());
    if (s.is_counted) view.push_back(r.count);
    view.insert(view.end(), r.operands.numbers.begin(), r.operands.numbers.end());
    if (!s.is_counted) return view;
    const std::uint64_t step = s.tuning.strategy == strategy::chunked ? s.chunk : s.tuning.tile();
    std::uint64_t unit = 1;
    for (std::uint32_t level = 0; level < p.level; ++level)
        unit = unit > s.n / step ? s.n : unit * step; // a sum of more elements than there are is one of all
    view.push_back({nullptr, unit});
    view.push_back({nullptr, p.what == pass::kind::append_tile ? 0U : 1U});
    return view;
}

/// Binds the arguments of one pass, which follow the kernels' parameter lists, and launches it.
UPSWEEP_INLINE void run_pass(const launch_plan& s, const pass& p, const run_programs& programs, const run_request& r,
                             const init_argument& init, cl_mem scratch, command_chain& chain) {
    using kind = pass::kind;
    const bool elements = p.level == 0;
    const bool reduces = p.what == kind::reduce_tiles || p.what == kind::reduce_chunks;
    const bool only_sums = reduces && p.writes_sums && programs.to_sums;
    built_program& program = !elements ? *programs.sums : only_sums ? *programs.to_sums : *programs.elements;
    const built_program::loan kernel(program, record_of(p.what).kernel, r.function);
    const auto sums_of = [&](std::size_t level) -> location {
        return level < s.sums_offsets.size() ? location{scratch, s.sums_offsets[level]} : location{r.out.buffer, 0};
    };
    // The sums of level k are the elements of level k + 1 and are scanned in place, inclusively, without init; in the
    // canonical order with init, which then comes down from the highest level.
    const location in = elements ? r.in : sums_of(p.level - 1);
    const location out = elements ? r.out : in;
    const location sums = sums_of(p.level);
    const bool has_view = !elements && (s.is_counted || !r.operands.empty());
    const view_buffers of_sums = has_view ? view_of_sums(s, p, in.buffer, r) : view_buffers();
    const view_argument input{in.buffer, elements ? r.in_view : has_view ? &of_sums : nullptr};
    const view_argument output{out.buffer, elements ? r.out_view : nullptr};
    const cl_ulong n = p.elements;
    const bool exclusive = elements && r.exclusive;
    // scan_then_propagate applies init when it adds back: init belongs to the pass that writes the final values.
    const bool has_init = (elements || s.tuning.canonical) && r.has_init && !p.writes_sums;
    const location result = p.writes_sums ? sums : r.out; // of a reduction
    switch (p.what) {
    case kind::scan_tiles:
        set_arguments(r.function, kernel(), input, in.offset, output, out.offset, n, sums.buffer, sums.offset,
                      p.reads_sums, p.writes_sums, exclusive, has_init, init);
        break;
    case kind::propagate_tiles:
        set_arguments(r.function, kernel(), output, out.offset, n, sums.buffer, sums.offset, exclusive, has_init, init);
        break;
    case kind::reduce_tiles:
        set_arguments(r.function, kernel(), input, in.offset, n, result.buffer, result.offset,
                      r.has_init && !p.writes_sums, init);
        break;
    case kind::reduce_chunks: {
        const cl_ulong chunk = elements ? s.chunk : n;
        set_arguments(r.function, kernel(), input, in.offset, n, chunk, result.buffer, result.offset,
                      r.has_init && !p.writes_sums, init);
        break;
    }
    case kind::finish_parts:
        set_arguments(r.function, kernel(), input, in.offset, n, cl_ulong{s.chunk},
                      p.reads_sums ? scratch : r.out.buffer, p.reads_sums ? s.sums_offsets[0] : 0, r.out.buffer,
                      r.out.offset, r.has_init, init);
        break;
    case kind::append_tile:
        set_arguments(r.function, kernel(), input, in.offset, n, r.out.buffer, r.out.offset, p.reads_sums, r.has_init,
                      init);
        break;
    case kind::look_back:
    case kind::reduce_once:
    case kind::reduce_few:
        return; // launched by run_once
    case kind::scan_chunks:
        set_arguments(r.function, kernel(), input, in.offset, output, out.offset, n, cl_ulong{s.chunk}, sums.buffer,
                      sums.offset, exclusive, has_init, init);
        break;
    }
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

/// A run of one launch whose work-groups share a state, after clearing the caller's memory if that is what holds it.
UPSWEEP_INLINE cl::Event run_once(const launch_plan& s, const run_programs& programs, const run_request& r,
                                  const init_argument& init) {
    const pass& p = s.passes.front();
    const auto bytes = static_cast<std::size_t>(s.scratch_bytes);
    // A launch that waits for events fails if they do; state is lent to the next one only once that is known.
    const bool in_order = r.queue.in_order && r.after->events().empty();
    workspace_loan state(r.function, r.queue.context, r.queue.queue, in_order, bytes, r.workspace,
                         scratch_use::look_back_state);
    built_program::loan kernel(*programs.elements, record_of(p.what).kernel, r.function);
    const bool clears = state.is_callers() && bytes > 0;
    command_chain chain(r, clears ? 2 : 1);
    const bool warps = s.tuning.lanes == lanes_backend::ptx;
    const auto [epoch, count_base] = state.next_launch(s.tickets);
    // Tickets of a launch that fails later were counted, but never taken, and a wrong ticket reads out of bounds.
    // (On NVIDIA's devices, a context does not outlive a failed launch.)
    if (!warps) chain.watch_last();
    // Numbers travel as two vectors: on an NVIDIA H200 each argument adds 0.05 us to a call.
    const bool scans = p.what == pass::kind::look_back;
    const std::array<cl_ulong, 4> where{r.in.offset, r.out.offset, s.n, scans ? s.tuning.tile() : s.static_parts};
    // An even number of tiles, so that nearly all those before a tile are silent; an odd number begins in order.
    const bool last_first = r.last_tile_first && p.work_groups % 2 == 0;
    const cl_uint flags = (r.has_init ? launch_has_init : 0U) | (r.exclusive ? launch_exclusive : 0U) |
                          (r.in_place ? launch_in_place : 0U) | (last_first ? launch_last_first : 0U);
    const std::uint32_t number = scans ? s.tuning.max_polls : p.what == pass::kind::reduce_once ? log2_of(s.chunk) : 0;
    const std::array<cl_uint, 4> launch{epoch, count_base, flags, number};
    const cl_uint next = set_arguments(r.function, kernel(), view_argument{r.in.buffer, r.in_view},
                                       view_argument{r.out.buffer, r.out_view}, state.buffer());
    check_status(set_argument(kernel(), next + 1, as_bytes(launch)), r.function, "clSetKernelArg");
    set_kept_arguments(r.function, kernel, next, as_bytes(where), init);
    if (clears) chain.clear(state.buffer(), bytes);
    chain.launch(kernel(), p.work_groups, s.tuning.work_items);
    state.used_until(chain.last());
    return chain.take_last();
}

/// Launches the passes of a run and returns the event of the last.
UPSWEEP_INLINE cl::Event run(const launch_plan& s, const run_programs& programs, const run_request& r) {
    command_chain chain(r, s.passes.size());
    if (s.passes.empty()) {
        chain.marker();
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
