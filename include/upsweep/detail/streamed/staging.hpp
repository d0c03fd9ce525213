// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/create_queue.hpp>
#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/run/check_arguments.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// What a streamed call needs of memory, in bytes.
struct staging_size {
    std::size_t host = 0; ///< that transfers go through
    unsigned stage_slots = 1;
    std::size_t in = 0;  ///< of a slot's elements
    std::size_t out = 0; ///< of a slot's results; 0: they take the elements' place, or there are none

    friend bool operator==(const staging_size& a, const staging_size& b) {
        return a.host == b.host && a.stage_slots == b.stage_slots && a.in == b.in && a.out == b.out;
    }
};

/// Memory and queues of streamed calls on one device. The host's part is allocated by the implementation and mapped
/// once, so that transfers need not copy it (pinned memory).
template <class>
class staging_of {
public:
    struct slot {
        owned<cl_mem> in;
        owned<cl_mem> results; ///< none: in place

        cl_mem out() const { return results() ? results() : in(); }
    };

    UPSWEEP_INLINE staging_of(const char* function, const queue_facts& queue, const staging_size& wanted)
        : device(queue.device)
        , size(wanted) {
        check_status(context.share(queue.context), function, "clRetainContext");
        up = owned<cl_command_queue>(create_queue(function, queue.context, device, 0));
        down = owned<cl_command_queue>(create_queue(function, queue.context, device, 0));
        stage_slots.resize(size.stage_slots);
        for (slot& s : stage_slots) {
            s.in = allocate(function, size.in, 0);
            if (size.out > 0) s.results = allocate(function, size.out, 0);
        }
        pinned_ = allocate(function, size.host, CL_MEM_ALLOC_HOST_PTR);
        cl_int status = CL_SUCCESS;
        host_ = static_cast<unsigned char*>(clEnqueueMapBuffer(up(), pinned_(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                                               size.host, 0, nullptr, nullptr, &status));
        check_status(status, function, "clEnqueueMapBuffer");
    }
    /// All transfers must be done.
    ~staging_of() {
        if (!host_) return;
        clEnqueueUnmapMemObject(up(), pinned_(), host_, 0, nullptr, nullptr);
        clFinish(up());
    }
    staging_of(const staging_of&) = delete;
    staging_of& operator=(const staging_of&) = delete;

    unsigned char* host() const { return host_; }

    owned<cl_context> context;
    cl_device_id device = nullptr;
    staging_size size;
    owned<cl_command_queue> up; ///< in order, as is the other
    owned<cl_command_queue> down;
    std::vector<slot> stage_slots;

private:
    UPSWEEP_INLINE owned<cl_mem> allocate(const char* function, std::size_t bytes, cl_mem_flags flags) const {
        cl_int status = CL_SUCCESS;
        owned<cl_mem> buffer(clCreateBuffer(context(), CL_MEM_READ_WRITE | flags, bytes, nullptr, &status));
        check_status(status, function, flags ? "clCreateBuffer (pinned)" : "clCreateBuffer");
        return buffer;
    }

    owned<cl_mem> pinned_;
    unsigned char* host_ = nullptr;
};

/// Keeps what streamed calls used for the next one: to pin memory takes longer than to transfer through it. At most one
/// per context and device.
template <class Later>
class staging_pool_of {
public:
    using staging = staging_of<Later>;

    UPSWEEP_INLINE static staging_pool_of& get() {
        static auto* const pool = new staging_pool_of; // not destroyed: see program_cache
        return *pool;
    }

    UPSWEEP_INLINE std::shared_ptr<staging> take(const char* function, const queue_facts& queue,
                                                 const staging_size& size) {
        std::shared_ptr<staging> found = take_idle(queue);
        if (found && found->size == size) return found;
        found.reset(); // before the next is allocated
        return std::make_shared<staging>(function, queue, size);
    }

    /// Takes back what nothing uses any more.
    UPSWEEP_INLINE void put(std::shared_ptr<staging> used) {
        const std::lock_guard<std::mutex> guard(lock_);
        for (const auto& other : idle_)
            if (other->context() == used->context() && other->device == used->device) return;
        idle_.push_back(std::move(used));
    }

    /// Forgets what is kept for one context; with nullptr, for all.
    UPSWEEP_INLINE void release(cl_context context) {
        const std::lock_guard<std::mutex> guard(lock_);
        const auto is_gone = [&](const std::shared_ptr<staging>& s) { return !context || s->context() == context; };
        idle_.erase(std::remove_if(idle_.begin(), idle_.end(), is_gone), idle_.end());
    }

private:
    UPSWEEP_INLINE std::shared_ptr<staging> take_idle(const queue_facts& queue) {
        const std::lock_guard<std::mutex> guard(lock_);
        for (auto at = idle_.begin(); at != idle_.end(); ++at) {
            if ((*at)->context() != queue.context || (*at)->device != queue.device) continue;
            std::shared_ptr<staging> found = std::move(*at);
            idle_.erase(at);
            return found;
        }
        return nullptr;
    }

    std::mutex lock_;
    std::vector<std::shared_ptr<staging>> idle_;
};
using staging_pool = staging_pool_of<void>;

} // namespace upsweep::detail
