// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/run/check_arguments.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/streamed/job.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>

#include <cstdint>

namespace upsweep::detail {

/// A buffer that is host memory.
class host_buffer {
public:
    UPSWEEP_INLINE host_buffer(const char* function, const queue_facts& queue, const device_limits& device,
                               const void* memory, std::size_t count, std::size_t element_size, cl_mem_flags flags)
        : function_(function)
        , queue_(queue.queue)
        , offset_(host_alignment(device, element_size).offset_of(memory))
        , bytes_(offset_ + count * element_size) {
        void* const begin = const_cast<unsigned char*>(static_cast<const unsigned char*>(memory)) - offset_;
        cl_int status = CL_SUCCESS;
        buffer_ = owned<cl_mem>(clCreateBuffer(queue.context, flags | CL_MEM_USE_HOST_PTR, bytes_, begin, &status));
        check_status(status, function, "clCreateBuffer (host memory)");
    }

    ~host_buffer() {
        if (visible_) // after a failure
            clEnqueueUnmapMemObject(queue_, buffer_(), const_cast<unsigned char*>(visible_), 0, nullptr, nullptr);
    }
    host_buffer(const host_buffer&) = delete;
    host_buffer& operator=(const host_buffer&) = delete;

    cl_mem buffer() const { return buffer_(); }
    std::size_t offset() const { return offset_; }

    /// What commands on the queue, which is in order, wrote is in host memory once this returns. Gives the address of
    /// the first element.
    UPSWEEP_INLINE const unsigned char* make_visible() {
        if (!visible_) {
            cl_int status = CL_SUCCESS;
            cl_event event = nullptr; // waited for, as in transfer.hpp
            visible_ = static_cast<const unsigned char*>(clEnqueueMapBuffer(
                queue_, buffer_(), CL_FALSE, CL_MAP_READ, offset_, bytes_ - offset_, 0, nullptr, &event, &status));
            check_status(status, function_, "clEnqueueMapBuffer");
            const owned<cl_event> mapped(event);
            await_command(function_, queue_, event);
        }
        return visible_;
    }
    /// Ends that: the event after which OpenCL does not touch the memory any more.
    UPSWEEP_INLINE owned<cl_event> let_go() {
        cl_event event = nullptr;
        void* const mapped = const_cast<unsigned char*>(make_visible());
        check_status(clEnqueueUnmapMemObject(queue_, buffer_(), mapped, 0, nullptr, &event), function_,
                     "clEnqueueUnmapMemObject");
        visible_ = nullptr;
        return owned<cl_event>(event);
    }

private:
    const char* function_;
    cl_command_queue queue_;
    std::size_t offset_;
    std::size_t bytes_;
    owned<cl_mem> buffer_;
    const unsigned char* visible_ = nullptr;
};

/// Works on the pieces one after another.
UPSWEEP_INLINE void work_in_host_memory(const stream_job& job, const queue_facts& queue, const device_limits& device) {
    const auto* in = static_cast<const unsigned char*>(job.in);
    auto* out = static_cast<unsigned char*>(job.out);
    const bool in_place = job.out == job.in;
    owned<cl_event> last; // of the piece before
    const auto wait_for_last = [&] {
        const cl_event event = last();
        if (event) check_status(clWaitForEvents(1, &event), job.function, "clWaitForEvents");
    };
    for (std::uint64_t i = 0; i < job.pieces.count(); ++i) {
        const std::size_t n = job.pieces.size(i);
        const auto begin = static_cast<std::size_t>(job.pieces.begin(i));
        piece_on_device piece;
        piece.number = i;
        host_buffer elements(job.function, queue, device, in + begin * job.element_size, n, job.element_size,
                             in_place ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY);
        maybe<host_buffer> own;
        if (out && !in_place)
            own.emplace(job.function, queue, device, out + begin * job.value_size, n, job.value_size,
                        cl_mem_flags{CL_MEM_READ_WRITE});
        host_buffer& results = own ? *own : elements;
        piece.in = elements.buffer();
        piece.in_offset = elements.offset();
        piece.out = results.buffer();
        piece.out_offset = results.offset();
        piece.results_in_host_memory = [&results] { return results.make_visible(); };
        job.work(piece);
        if (out) {
            results.make_visible();
            wait_for_last();
            last = results.let_go();
        }
        report_progress(job.function, *job.opts, job.pieces.begin(i) + n, job.pieces.n);
    }
    wait_for_last();
}

/// Works on the pieces where they are: for devices that use the host's memory.
/// @param queue  in order
UPSWEEP_INLINE void stream_in_host_memory(const stream_job& job, const queue_facts& queue,
                                          const device_limits& device) {
    try {
        work_in_host_memory(job, queue, device);
    } catch (...) {
        clFinish(queue.queue); // nothing uses the caller's memory any more
        throw;
    }
}

} // namespace upsweep::detail
