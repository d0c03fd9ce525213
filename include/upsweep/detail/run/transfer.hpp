// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/run/check_arguments.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <thread>

// Small arrays and values between host memory and buffers.

namespace upsweep::detail {

UPSWEEP_INLINE owned<cl_mem> make_buffer(const char* function, const queue_facts& queue, std::size_t bytes) {
    cl_int status = CL_SUCCESS;
    owned<cl_mem> buffer(clCreateBuffer(queue.context, CL_MEM_READ_WRITE, bytes, nullptr, &status));
    check_status(status, function, "clCreateBuffer");
    return buffer;
}

// Neither command blocks, and its event is waited for. A blocking read of PoCL 3.1 waits for all that its queue has, be
// it out of order and without relation, and succeeds where a command before it failed. A blocking write of Intel's CPU
// runtime may return before it is done (tests/reproducers/intel_blocking_write.c).

/// Waits for a command that was enqueued last, also where waiting itself fails: then the command may still run, and
/// nobody must let the memory go that it uses.
UPSWEEP_INLINE void await_command(const char* function, cl_command_queue queue, cl_event event) {
    const cl_int status = clWaitForEvents(1, &event);
    if (status == CL_SUCCESS) return;
    clFlush(queue);
    cl_int state = CL_QUEUED; // negative: the command failed, and does not run any more
    while (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr) == CL_SUCCESS &&
           state > CL_COMPLETE)
        std::this_thread::yield();
    check_status(status, function, "clWaitForEvents");
}

/// Writes bytes into a buffer, and waits until they are there.
UPSWEEP_INLINE void write_bytes(const char* function, cl_command_queue queue, cl_mem buffer, std::size_t offset,
                                const void* data, std::size_t bytes) {
    cl_event event = nullptr;
    check_status(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, offset, bytes, data, 0, nullptr, &event), function,
                 "clEnqueueWriteBuffer");
    const owned<cl_event> written(event);
    await_command(function, queue, event);
}

/// Copies bytes into a new buffer.
UPSWEEP_INLINE owned<cl_mem> upload(const char* function, const queue_facts& queue, const void* data,
                                    std::size_t bytes) {
    owned<cl_mem> buffer = make_buffer(function, queue, bytes);
    write_bytes(function, queue.queue, buffer(), 0, data, bytes);
    return buffer;
}

/// Waits for events, copies bytes of a buffer to host memory, and waits until they are there.
/// @param waits  as many as `count`
UPSWEEP_INLINE void read_bytes(const char* function, cl_command_queue queue, cl_mem buffer, std::size_t offset,
                               void* to, std::size_t bytes, cl_uint count = 0, const cl_event* waits = nullptr) {
    cl_event event = nullptr;
    check_status(clEnqueueReadBuffer(queue, buffer, CL_FALSE, offset, bytes, to, count, waits, &event), function,
                 "clEnqueueReadBuffer");
    const owned<cl_event> done(event);
    await_command(function, queue, event);
}

/// Waits for `done` and copies the first bytes of a buffer.
UPSWEEP_INLINE void download(const char* function, const queue_facts& queue, cl_mem buffer, const cl::Event& done,
                             void* to, std::size_t bytes) {
    const cl_event event = done();
    read_bytes(function, queue.queue, buffer, 0, to, bytes, 1, &event);
}

} // namespace upsweep::detail
