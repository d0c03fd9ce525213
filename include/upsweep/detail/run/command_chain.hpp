// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/event_keeper.hpp>
#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/run/check_arguments.hpp>
#include <upsweep/detail/run/kernel_arguments.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace upsweep::detail {

UPSWEEP_INLINE owned<cl_event> completed_event(const char* function, cl_context context) {
    cl_int status = CL_SUCCESS;
    owned<cl_event> event(clCreateUserEvent(context, &status));
    check_status(status, function, "clCreateUserEvent");
    check_status(clSetUserEventStatus(event(), CL_COMPLETE), function, "clSetUserEventStatus");
    return event;
}

/// For a call without work: an event that is complete once all of these are.
///
/// A marker that waits for no event waits for all that its queue has, and one of PoCL does so in any case
/// (tests/reproducers/pocl_marker.c). So an out-of-order queue gets one only where there are several events.
UPSWEEP_INLINE owned<cl_event> event_behind(const char* function, const queue_facts& queue,
                                            const std::vector<cl_event>& events) {
    if (!queue.in_order && events.empty()) return completed_event(function, queue.context);
    owned<cl_event> result;
    if (!queue.in_order && events.size() == 1) {
        check_status(result.share(events.front()), function, "clRetainEvent");
        return result;
    }
    cl_event marker = nullptr;
    check_status(clEnqueueMarkerWithWaitList(queue.queue, static_cast<cl_uint>(events.size()),
                                             events.empty() ? nullptr : events.data(), &marker),
                 function, "clEnqueueMarkerWithWaitList");
    return owned<cl_event>(marker);
}

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

    /// For a call without work: its event is complete once the caller's are.
    UPSWEEP_INLINE void nothing() { last_ = event_behind(request_.function, request_.queue, request_.after->events()); }

    cl_event last() const { return last_(); }
    /// The last event, for the caller.
    UPSWEEP_INLINE cl::Event take_last() {
        if (request_.queue.in_order && !request_.after->wants_event()) return cl::Event();
        owned<cl_event> another;
        if (keeps_events_ && another.share(last_()) == CL_SUCCESS) kept_.push_back(std::move(another));
        return cl::Event(last_.give());
    }

private:
    template <class Enqueue>
    void add(const char* call, const Enqueue& enqueue) {
        cl_event event = nullptr;
        --left_;
        const bool wanted = keeps_events_ || !request_.queue.in_order || (left_ == 0 && request_.after->wants_event());
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
    bool keeps_events_; ///< the caller's events may fail: see event_keeper
    owned<cl_event> last_;
    std::vector<owned<cl_event>> kept_;
};
using command_chain = command_chain_of<void>;

} // namespace upsweep::detail
