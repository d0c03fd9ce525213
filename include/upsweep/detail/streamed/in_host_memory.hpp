// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/run/check_arguments.hpp>
#include <upsweep/detail/streamed/job.hpp>

#include <cstdint>

namespace upsweep::detail {

/// A buffer that is host memory.
class host_buffer {
public:
    host_buffer(const char* function, const queue_facts& queue, const device_limits& device, const void* memory,
                std::size_t count, std::size_t element_size, cl_mem_flags flags)
        : function_(function)
        , queue_(queue.queue)
        , offset_(host_alignment(device, element_size).offset_of(memory))
        , bytes_(offset_ + count * element_size) {
        void* const begin = const_cast<unsigned char*>(static_cast<const unsigned char*>(memory)) - offset_;
        cl_int status = CL_SUCCESS;
        buffer_ = owned<cl_mem>(clCreateBuffer(queue.context, flags | CL_MEM_USE_HOST_PTR, bytes_, begin, &status));
        check_status(status, function, "clCreateBuffer (host memory)");
    }

    cl_mem buffer() const { return buffer_(); }
    std::size_t offset() const { return offset_; }

    /// What kernels wrote is in host memory once this returns.
    void make_visible() const {
        cl_int status = CL_SUCCESS;
        void* const mapped = clEnqueueMapBuffer(queue_, buffer_(), CL_TRUE, CL_MAP_READ, offset_, bytes_ - offset_, 0,
                                                nullptr, nullptr, &status);
        check_status(status, function_, "clEnqueueMapBuffer");
        cl_event event = nullptr;
        check_status(clEnqueueUnmapMemObject(queue_, buffer_(), mapped, 0, nullptr, &event), function_,
                     "clEnqueueUnmapMemObject");
        const owned<cl_event> unmapped(event);
        check_status(clWaitForEvents(1, &event), function_, "clWaitForEvents");
    }

private:
    const char* function_;
    cl_command_queue queue_;
    std::size_t offset_;
    std::size_t bytes_;
    owned<cl_mem> buffer_;
};

/// Works on the pieces one after another, where they are: for devices that use the host's memory.
inline void stream_in_host_memory(const stream_job& job, const queue_facts& queue, const device_limits& device) {
    const auto* in = static_cast<const unsigned char*>(job.in);
    auto* out = static_cast<unsigned char*>(job.out);
    for (std::uint64_t i = 0; i < job.pieces.count(); ++i) {
        const std::size_t n = job.pieces.size(i);
        const auto begin = static_cast<std::size_t>(job.pieces.begin(i));
        const bool in_place = job.out == job.in;
        piece_on_device piece;
        piece.number = i;
        const host_buffer elements(job.function, queue, device, in + begin * job.element_size, n, job.element_size,
                                   in_place ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY);
        piece.in = piece.out = elements.buffer();
        piece.in_offset = piece.out_offset = elements.offset();
        if (!out || in_place) {
            job.work(piece);
            if (out) elements.make_visible();
        } else {
            const host_buffer results(job.function, queue, device, out + begin * job.value_size, n, job.value_size,
                                      CL_MEM_READ_WRITE);
            piece.out = results.buffer();
            piece.out_offset = results.offset();
            job.work(piece);
            results.make_visible();
        }
        report_progress(job.function, *job.opts, job.pieces.begin(i) + n, job.pieces.n);
    }
}

} // namespace upsweep::detail
