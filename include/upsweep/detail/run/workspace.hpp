// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// What a scratch buffer is used for. The two are never exchanged: look-back state must hold nothing but words that
/// have the epoch of an earlier launch.
enum class scratch_use { sums, look_back_state };

/// Scratch buffers kept between calls, so that a warm call allocates nothing. A buffer is lent again once the work that
/// used it is done, or at once to the same in-order queue, whose commands run one after another anyway.
template <class>
class workspace_pool_of {
public:
    UPSWEEP_INLINE static workspace_pool_of& get() {
        static auto* const pool = new workspace_pool_of; // not destroyed: see program_cache
        return *pool;
    }

    struct entry {
        owned<cl_context> context; ///< retained, so that its address cannot come to mean another context
        std::size_t bytes = 0;
        owned<cl_mem> buffer;
        scratch_use use = scratch_use::sums;
        cl_uint epoch = 0; ///< look_back: number of the last launch
        bool lent = false;
        owned<cl_command_queue> queue; ///< retained, for the same reason
        bool in_order = false;
        owned<cl_event> last;
    };

    /// A buffer of at least `bytes` bytes, for work on `queue`.
    UPSWEEP_INLINE entry& take(const char* function, cl_context context, cl_command_queue queue, bool in_order,
                               std::size_t bytes, scratch_use use) {
        const std::lock_guard<std::mutex> guard(lock_);
        for (auto at = entries_.begin(); at != entries_.end();) {
            entry& e = **at;
            const bool fits = !e.lent && e.use == use && e.context() == context && e.bytes >= bytes;
            const condition now = fits ? condition_of(e, queue, in_order) : condition::busy;
            if (now == condition::free) {
                e.lent = true;
                return e;
            }
            at = now == condition::useless ? entries_.erase(at) : at + 1;
        }
        auto fresh = std::make_shared<entry>();
        allocate(*fresh, function, context, bytes, use);
        entries_.push_back(std::move(fresh));
        return *entries_.back();
    }

    /// Returns a buffer. Unless `is_enqueued`, it is not used again: a call failed half-way, and what it enqueued may
    /// still be running. (OpenCL keeps the memory until then.) `last` is the event after which nothing touches it any
    /// more; null for an in-order queue whose order is enough.
    UPSWEEP_INLINE void put(entry& e, cl_command_queue queue, bool in_order, owned<cl_event> last, bool is_enqueued) {
        const std::lock_guard<std::mutex> guard(lock_);
        const bool out_of_numbers = e.use == scratch_use::look_back_state && e.epoch == 0xffffffffU;
        if (!is_enqueued || out_of_numbers || (e.queue() != queue && e.queue.share(queue) != CL_SUCCESS)) {
            forget([&](const entry& other) { return &other == &e; });
            return;
        }
        e.in_order = in_order;
        e.last = std::move(last);
        e.lent = false;
    }

    /// Forgets buffers of one context that are not lent; with nullptr, of all.
    UPSWEEP_INLINE void release(cl_context context) {
        const std::lock_guard<std::mutex> guard(lock_);
        forget([&](const entry& e) { return !e.lent && (!context || e.context() == context); });
    }

private:
    /// @param which  whether an entry is to go
    template <class Which>
    void forget(const Which& which) {
        const auto is_gone = [&](const std::shared_ptr<entry>& e) { return which(*e); };
        entries_.erase(std::remove_if(entries_.begin(), entries_.end(), is_gone), entries_.end());
    }

    UPSWEEP_INLINE static void allocate(entry& e, const char* function, cl_context context, std::size_t bytes,
                                        scratch_use use) {
        // A larger size than asked for lets calls of similar sizes share one buffer.
        std::size_t rounded = 1 << 12;
        while (rounded < bytes && rounded < (std::size_t{1} << 24)) rounded *= 2;
        if (rounded < bytes) rounded = bytes;
        // State begins as zeros: no launch uses epoch 0. They are given at creation, because a command would wait for
        // what is on the queue already.
        std::vector<unsigned char> zeros(use == scratch_use::look_back_state ? rounded : 0);
        const cl_mem_flags copy = zeros.empty() ? 0 : CL_MEM_COPY_HOST_PTR;
        cl_int status = CL_SUCCESS;
        e.buffer = owned<cl_mem>(clCreateBuffer(context, CL_MEM_READ_WRITE | copy, rounded,
                                                zeros.empty() ? nullptr : zeros.data(), &status));
        check_status(status, function, "clCreateBuffer (scratch)");
        check_status(e.context.share(context), function, "clRetainContext");
        e.bytes = rounded;
        e.use = use;
        e.lent = true;
    }

    enum class condition { free, busy, useless };

    UPSWEEP_INLINE static condition condition_of(entry& e, cl_command_queue queue, bool in_order) {
        const bool is_state = e.use == scratch_use::look_back_state;
        const bool next_in_order = in_order && e.in_order && e.queue() == queue;
        if (next_in_order && (!is_state || !e.last())) return condition::free;
        if (!e.last()) { // the call wanted none; now another queue has to know
            cl_event now = nullptr;
            if (clEnqueueMarkerWithWaitList(e.queue(), 0, nullptr, &now) != CL_SUCCESS) return condition::useless;
            e.last = owned<cl_event>(now);
            if (clFlush(e.queue()) != CL_SUCCESS) return condition::useless; // else nobody may ever submit it
        }
        cl_int status = CL_QUEUED;
        if (clGetEventInfo(e.last(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) != CL_SUCCESS)
            return condition::useless; // its state cannot be known
        // Negative: the command failed, and will not run any more. Where it failed half-way, its counter may be left
        // above zero.
        if (status < 0 && is_state) return condition::useless;
        return next_in_order || status <= CL_COMPLETE ? condition::free : condition::busy;
    }

    std::mutex lock_;
    std::vector<std::shared_ptr<entry>> entries_; ///< which stay where they are
};
using workspace_pool = workspace_pool_of<void>;

/// Scratch for one call: the caller's buffer, or one from the pool until the end of the scope.
template <class Later>
class workspace_loan_of {
public:
    workspace_loan_of(const char* function, cl_context context, cl_command_queue queue, bool in_order,
                      std::size_t bytes, cl_mem own, scratch_use use = scratch_use::sums)
        : queue_(queue)
        , in_order_(in_order)
        , buffer_(own) {
        if (bytes == 0 || own) return;
        entry_ = &workspace_pool_of<Later>::get().take(function, context, queue, in_order, bytes, use);
        buffer_ = entry_->buffer();
    }
    ~workspace_loan_of() {
        if (entry_) workspace_pool_of<Later>::get().put(*entry_, queue_, in_order_, std::move(last_), is_enqueued_);
    }
    workspace_loan_of(const workspace_loan_of&) = delete;
    workspace_loan_of& operator=(const workspace_loan_of&) = delete;

    cl_mem buffer() const { return buffer_; }
    /// The number of the next launch, its epoch. The caller's own memory is cleared for each launch.
    cl_uint next_launch() { return entry_ ? ++entry_->epoch : 1; }
    bool is_callers() const { return !entry_; }

    /// Notes the event of the newest command that uses the buffer; null only where the queue's order is enough. An
    /// event that cannot be kept makes the buffer useless.
    void used_until(cl_event last) { is_enqueued_ = !last || last_.share(last) == CL_SUCCESS; }

private:
    cl_command_queue queue_;
    bool in_order_;
    cl_mem buffer_;
    typename workspace_pool_of<Later>::entry* entry_ = nullptr;
    owned<cl_event> last_;
    bool is_enqueued_ = false;
};
using workspace_loan = workspace_loan_of<void>;

} // namespace upsweep::detail
