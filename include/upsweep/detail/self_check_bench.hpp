#pragma once

#include <upsweep/detail/enqueue.hpp>
#include <upsweep/device.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace upsweep::detail {

/// Where self-checks run: a queue of their own in the caller's context, so that the caller's neither waits nor is
/// waited for. Every OpenCL call that fails is an error of the function that the user called.
class check_bench {
public:
    check_bench(const char* function, cl_context context, cl_device_id device)
        : function_(function)
        , context_(context)
        , device_(device)
        , queue_(create_queue(function, context, device, 0)) {}

    const char* function() const { return function_; }
    queue_facts queue() const { return {queue_(), context_, device_, true}; }

    /// Not by way of the cache on disk: what is remembered there is that the check was passed, and giving out a binary
    /// can cost as much as building.
    cl::Program build(const program_text& text, const std::string& source, const std::string& options) const {
        return build_from_source(function_, context_, device_, text, source, options);
    }

    owned<cl_mem> make_buffer(std::size_t bytes) const {
        cl_int status = CL_SUCCESS;
        owned<cl_mem> buffer(clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status));
        check_status(status, function_, "clCreateBuffer (self-check)");
        return buffer;
    }
    void write(cl_mem buffer, const std::vector<unsigned char>& bytes) const {
        check_status(
            clEnqueueWriteBuffer(queue_(), buffer, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
            function_, "clEnqueueWriteBuffer");
    }
    std::vector<unsigned char> read(cl_mem buffer, std::size_t count) const {
        std::vector<unsigned char> bytes(count);
        check_status(clEnqueueReadBuffer(queue_(), buffer, CL_TRUE, 0, count, bytes.data(), 0, nullptr, nullptr),
                     function_, "clEnqueueReadBuffer");
        return bytes;
    }

    /// One launch of a kernel from a buffer to another.
    std::vector<unsigned char> run_kernel(cl_program program, const char* name, const std::vector<unsigned char>& in,
                                          std::size_t out_bytes, std::size_t work_items) const {
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
    const char* function_;
    cl_context context_;
    cl_device_id device_;
    owned<cl_command_queue> queue_;
};

} // namespace upsweep::detail
