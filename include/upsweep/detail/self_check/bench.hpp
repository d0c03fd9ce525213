// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/create_queue.hpp>
#include <upsweep/detail/run/enqueue.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/values/environment.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace upsweep::detail {

/// Whether a device takes a launch, but for the number of its work-items. How many a kernel may have is known once it
/// is built, and may be fewer than CL_DEVICE_MAX_WORK_GROUP_SIZE.
constexpr bool is_too_large_a_work_group(int status) {
    return status == CL_INVALID_WORK_GROUP_SIZE || status == CL_INVALID_WORK_ITEM_SIZE;
}
constexpr const char* too_large_a_work_group = "the device takes no work-groups of that size for it";

/// Numbers to check with. A plain congruential sequence would not do: sums of aligned parts of it by an operator such
/// as ordered_operator are all the same.
class check_numbers {
public:
    UPSWEEP_INLINE std::uint32_t next() {
        last_ = last_ * 1664525U + 1013904223U;
        return last_ ^ (last_ >> 15);
    }

private:
    std::uint32_t last_ = 1;
};

/// Thrown where a self-check's time is over; never reaches the caller.
struct check_timeout {};

/// The time that one self-check may take: `UPSWEEP_SELF_CHECK_SECONDS`, by a clock that only goes forward.
class check_time {
public:
    using clock = std::chrono::steady_clock;

    UPSWEEP_INLINE check_time()
        : limit_(limit_of(std::string(environment("UPSWEEP_SELF_CHECK_SECONDS"))))
        , end_(clock::now() + limit_) {}

    bool is_over() const { return clock::now() >= end_; }
    UPSWEEP_INLINE void throw_if_over() const {
        if (is_over()) throw check_timeout();
    }
    std::chrono::seconds limit() const { return limit_; }

private:
    /// A number of seconds, up to a day; 60 for anything else.
    UPSWEEP_INLINE static std::chrono::seconds limit_of(const std::string& text) {
        const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        constexpr long day = 24L * 60 * 60;
        return std::chrono::seconds(is_number ? (std::min)(std::strtol(text.c_str(), nullptr, 10), day) : 60L);
    }

    std::chrono::seconds limit_;
    clock::time_point end_;
};

/// Where self-checks run: a queue of their own in the caller's context, so that the caller's neither waits nor is
/// waited for. Every OpenCL call that fails is an error of the function that the user called.
class check_bench {
public:
    /// @param time  outlives the bench; once it is over, whatever runs here throws check_timeout
    UPSWEEP_INLINE check_bench(const char* function, cl_context context, cl_device_id device, const check_time& time)
        : time_(time)
        , function_(function)
        , context_(context)
        , device_(device)
        , queue_(create_queue(function, context, device, 0)) {}

    const char* function() const { return function_; }
    queue_facts queue() const { return {queue_(), context_, device_, true}; }

    /// Not by way of the cache on disk: what is remembered there is that the check was passed, and giving out a binary
    /// can cost as much as building.
    UPSWEEP_INLINE cl::Program build(const program_text& text, const std::string& source,
                                     const std::string& options) const {
        return build_from_source(function_, context_, device_, text, source, options);
    }

    UPSWEEP_INLINE owned<cl_mem> make_buffer(std::size_t bytes) const {
        cl_int status = CL_SUCCESS;
        owned<cl_mem> buffer(clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status));
        check_status(status, function_, "clCreateBuffer (self-check)");
        return buffer;
    }
    /// A buffer with these numbers.
    template <class T>
    owned<cl_mem> upload(const std::vector<T>& numbers) const {
        std::vector<unsigned char> bytes(numbers.size() * sizeof(T));
        std::memcpy(bytes.data(), numbers.data(), bytes.size());
        owned<cl_mem> buffer = make_buffer(bytes.size());
        write(buffer(), bytes);
        return buffer;
    }
    /// Scratch memory of a launch plan; none where it needs none.
    UPSWEEP_INLINE owned<cl_mem> make_scratch(std::uint64_t bytes) const {
        return bytes > 0 ? make_buffer(static_cast<std::size_t>(bytes)) : owned<cl_mem>();
    }
    UPSWEEP_INLINE void write(cl_mem buffer, const std::vector<unsigned char>& bytes, std::size_t offset = 0) const {
        check_status(
            clEnqueueWriteBuffer(queue_(), buffer, CL_TRUE, offset, bytes.size(), bytes.data(), 0, nullptr, nullptr),
            function_, "clEnqueueWriteBuffer");
    }
    UPSWEEP_INLINE std::vector<unsigned char> read(cl_mem buffer, std::size_t count) const {
        await();
        std::vector<unsigned char> bytes(count);
        read_bytes(function_, queue_(), buffer, 0, bytes.data(), count);
        return bytes;
    }

    /// One launch of a kernel from a buffer to another.
    UPSWEEP_INLINE std::vector<unsigned char> run_kernel(cl_program program, const char* name,
                                                         const std::vector<unsigned char>& in, std::size_t out_bytes,
                                                         std::size_t work_items) const {
        const owned<cl_mem> from = make_buffer(in.size());
        const owned<cl_mem> to = make_buffer(out_bytes);
        write(from(), in);
        cl_int status = CL_SUCCESS;
        const cl::Kernel kernel(clCreateKernel(program, name, &status));
        check_status(status, function_, "clCreateKernel");
        set_arguments(function_, kernel(), from(), to());
        check_status(clEnqueueNDRangeKernel(queue_(), kernel(), 1, nullptr, &work_items, nullptr, 0, nullptr, nullptr),
                     function_, "clEnqueueNDRangeKernel");
        return read(to(), out_bytes);
    }

private:
    /// Until all that was enqueued is done, or the time is over. Then the queue is given up for good: releasing it may
    /// wait for a command that never ends, such as one whose kernel a driver compiles for hours.
    UPSWEEP_INLINE void await() const {
        cl_event event = nullptr;
        check_status(clEnqueueMarkerWithWaitList(queue_(), 0, nullptr, &event), function_,
                     "clEnqueueMarkerWithWaitList");
        const owned<cl_event> done(event);
        check_status(clFlush(queue_()), function_, "clFlush");
        long pause_us = 10;
        for (;;) {
            const auto status = get_info<cl_int>(function_, "clGetEventInfo", clGetEventInfo, done(),
                                                 CL_EVENT_COMMAND_EXECUTION_STATUS);
            if (status <= CL_COMPLETE) break; // a failed one is reported by what follows
            if (time_.is_over()) {
                queue_.give();
                throw check_timeout();
            }
            std::this_thread::sleep_for(std::chrono::microseconds(pause_us));
            pause_us = (std::min)(2 * pause_us, 1000L);
        }
        time_.throw_if_over();
    }

    const check_time& time_;
    const char* function_;
    cl_context context_;
    cl_device_id device_;
    mutable owned<cl_command_queue> queue_;
};

} // namespace upsweep::detail
