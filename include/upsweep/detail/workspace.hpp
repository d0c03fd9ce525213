#pragma once

#include <upsweep/detail/call.hpp>

#include <list>
#include <mutex>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// What a scratch buffer is used for. The two are never exchanged: look-back state must hold nothing but words that
/// bear the number of an earlier launch.
enum class scratch_use { sums, look_back_state };

/// Scratch buffers kept between calls, so that a warm call allocates nothing. A buffer is lent again once the work that
/// used it is done, or at once to the same in-order queue, whose commands run one after another anyway.
class workspace_pool {
public:
    static workspace_pool& get() {
        static auto* const pool = new workspace_pool; // not destroyed: see program_cache
        return *pool;
    }

    struct entry {
        cl::Context context;
        std::size_t bytes = 0;
        cl::Buffer buffer;
        scratch_use use = scratch_use::sums;
        cl_uint epoch = 0;   ///< look_back: number of the last launch
        cl_uint tickets = 0; ///< look_back: what the ticket counter has reached
        bool lent = false;
        cl::CommandQueue queue; ///< retained, so that its address cannot come to mean another queue
        bool in_order = false;
        cl::Event last;
    };

    /// A buffer of at least `bytes` bytes, for work on `queue`.
    entry& take(const char* function, cl_context context, cl_command_queue queue, bool in_order, std::size_t bytes,
                scratch_use use) {
        const std::lock_guard<std::mutex> guard(lock_);
        for (entry& e : entries_)
            if (!e.lent && e.use == use && e.context() == context && e.bytes >= bytes && free_for(e, queue, in_order)) {
                e.lent = true;
                return e;
            }
        // A larger size than asked for lets calls of similar sizes share one buffer.
        std::size_t rounded = 1 << 12;
        while (rounded < bytes && rounded < (std::size_t{1} << 24)) rounded *= 2;
        if (rounded < bytes) rounded = bytes;
        cl_int status = CL_SUCCESS;
        cl::Buffer buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, rounded, nullptr, &status));
        check(status, function, "clCreateBuffer (scratch)");
        if (use == scratch_use::look_back_state) {
            // State begins as zeros, which bear the number of no launch.
            const std::vector<unsigned char> zeros(rounded);
            check(clEnqueueWriteBuffer(queue, buffer(), CL_TRUE, 0, rounded, zeros.data(), 0, nullptr, nullptr),
                  function, "clEnqueueWriteBuffer (scratch)");
        }
        entries_.emplace_back();
        entry& e = entries_.back();
        e.context = cl::Context(context, true);
        e.bytes = rounded;
        e.use = use;
        e.buffer = std::move(buffer);
        e.lent = true;
        return e;
    }

    /// Returns a buffer; `last` is the event after which nothing touches it any more.
    void put(entry& e, cl_command_queue queue, bool in_order, const cl::Event& last) {
        const std::lock_guard<std::mutex> guard(lock_);
        // State of a launch that failed, or whose numbers have run out, is of no further use.
        if (e.use == scratch_use::look_back_state && (!last() || e.epoch == 0xffffffffU)) {
            entries_.remove_if([&](const entry& other) { return &other == &e; });
            return;
        }
        e.queue = cl::CommandQueue(queue, true);
        e.in_order = in_order;
        e.last = last;
        e.lent = false;
    }

    /// Forgets buffers of one context that are not lent; with nullptr, of all.
    void release(cl_context context) {
        const std::lock_guard<std::mutex> guard(lock_);
        entries_.remove_if([&](const entry& e) { return !e.lent && (!context || e.context() == context); });
    }

private:
    static bool free_for(const entry& e, cl_command_queue queue, bool in_order) {
        if (!e.last()) return true;
        if (in_order && e.in_order && e.queue() == queue) return true;
        cl_int state = CL_QUEUED;
        const cl_int status =
            clGetEventInfo(e.last(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr);
        return status == CL_SUCCESS && state <= CL_COMPLETE; // negative: it failed, and will not run any more
    }

    std::mutex lock_;
    std::list<entry> entries_;
};

/// Scratch for one call: the caller's buffer, or one from the pool until the end of the scope.
class workspace_loan {
public:
    workspace_loan(const char* function, cl_context context, cl_command_queue queue, bool in_order, std::size_t bytes,
                   cl_mem own, scratch_use use = scratch_use::sums)
        : queue_(queue)
        , in_order_(in_order)
        , buffer_(own) {
        if (bytes == 0 || own) return;
        entry_ = &workspace_pool::get().take(function, context, queue, in_order, bytes, use);
        buffer_ = entry_->buffer();
    }
    ~workspace_loan() {
        if (entry_) workspace_pool::get().put(*entry_, queue_, in_order_, last_);
    }
    workspace_loan(const workspace_loan&) = delete;
    workspace_loan& operator=(const workspace_loan&) = delete;

    cl_mem buffer() const { return buffer_; }
    /// Numbers for one look-back launch of `tiles` tiles: the epoch, and what the ticket counter starts from. The
    /// caller's own memory is cleared for each launch and always starts anew.
    std::pair<cl_uint, cl_uint> next_launch(std::uint64_t tiles) {
        if (!entry_) return {1, 0};
        const cl_uint tickets = entry_->tickets;
        entry_->tickets += static_cast<cl_uint>(tiles);
        return {++entry_->epoch, tickets};
    }
    bool is_callers() const { return !entry_; }

    /// Notes the event of the newest command that uses the buffer.
    void used_until(const cl::Event& last) { last_ = last; }

private:
    cl_command_queue queue_;
    bool in_order_;
    cl_mem buffer_;
    workspace_pool::entry* entry_ = nullptr;
    cl::Event last_;
};

} // namespace upsweep::detail
