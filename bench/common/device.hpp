// SPDX-License-Identifier: MIT
#pragma once

// The OpenCL device under test: its queues, its arrays and its clock.

#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/upsweep.hpp>

#include "host_memory.hpp"
#include "prepared_call.hpp"
#include "reference.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <vector>

namespace bench {

inline void check(cl_int status, const char* call) {
    upsweep::detail::check_status(status, "benchmark", call);
}

/// One queue for the host's clock and one that takes time stamps, which may cost time by itself.
struct device {
    upsweep::device_info info = upsweep::default_device();
    cl::CommandQueue queue = upsweep::default_queue();
    cl::CommandQueue stamped_queue = upsweep::default_queue(CL_QUEUE_PROFILING_ENABLE);
    cl::Context context = queue.getInfo<CL_QUEUE_CONTEXT>();
    bool is_cpu = (info.type & CL_DEVICE_TYPE_CPU) != 0;
    std::uint64_t memory = info.device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
    std::uint64_t largest_buffer = info.device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();

    /// Problem sizes that fit the device and a short benchmark.
    std::vector<unsigned> exponents(std::uint64_t element_size) const {
        const unsigned usual = is_cpu ? 27 : element_size <= 4 ? 30 : 28;
        return size_exponents(usual, element_size, std::min(memory - memory / 4, 2 * largest_buffer - 128));
    }
};

/// Never destroyed: a driver may be gone when the process ends.
inline const device& target() {
    static const auto* const one = new device;
    return *one;
}

/// @param memory  what the buffer is to use of the host's, or null
inline cl::Buffer make_buffer(std::size_t bytes, void* memory = nullptr) {
    cl_int status = CL_SUCCESS;
    const cl_mem_flags where = memory ? CL_MEM_USE_HOST_PTR : 0;
    cl::Buffer buffer(target().context, CL_MEM_READ_WRITE | where, bytes, memory, &status);
    check(status, "clCreateBuffer");
    return buffer;
}

/// Input and output of one type in device memory; see `host_arrays`. On a CPU the two share their memory: how fast some
/// pages are read depends on where they happen to lie, on two cores by up to 20 %.
template <class T>
class device_arrays {
public:
    void reserve(std::uint64_t n) {
        if (n <= count_) return;
        input_ = cl::Buffer();
        output_ = cl::Buffer();
        if (target().is_cpu) {
            host_input_ = host<T>().input(n);
            host_output_ = host<T>().output(n);
        }
        const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
        input_ = make_buffer(bytes, host_input_.get());
        output_ = make_buffer(bytes + sizeof(T), host_output_.get());
        if (!target().is_cpu) write_input(n);
        count_ = n;
    }

    const cl::Buffer& input() const { return input_; }
    const cl::Buffer& output() const { return output_; }
    upsweep::span<const T> input_span(std::uint64_t n) const { return {input_, static_cast<std::size_t>(n)}; }
    upsweep::span<T> output_span(std::uint64_t n) const { return {output_, static_cast<std::size_t>(n)}; }

    /// Poisons the first n elements and the one behind them: fills a first part and doubles it by copies, because
    /// NVIDIA's driver 580.159 never ends a fill of 2^31 bytes, fills nothing when asked for 2^32, and drops the upper
    /// half of a fill's offset.
    void poison_output(std::uint64_t n) const {
        const std::size_t bytes = static_cast<std::size_t>(n + 1) * sizeof(T);
        std::size_t done = std::min(bytes, std::size_t{1} << 24);
        check(target().queue.enqueueFillBuffer(output_, poison_byte, 0, done), "clEnqueueFillBuffer");
        while (done < bytes) {
            const std::size_t next = std::min(done, bytes - done);
            check(target().queue.enqueueCopyBuffer(output_, output_, 0, done, next), "clEnqueueCopyBuffer");
            done += next;
        }
        check(target().queue.finish(), "clFinish");
        std::vector<T> last(1);
        read_output()(n, 1, last.data());
        if (!is_poison(last[0])) throw std::runtime_error("the output could not be poisoned");
    }

    reader<T> read_output() const {
        return [this](std::uint64_t offset, std::uint64_t count, T* into) {
            check(target().queue.enqueueReadBuffer(output_, CL_TRUE, static_cast<std::size_t>(offset) * sizeof(T),
                                                   static_cast<std::size_t>(count) * sizeof(T), into),
                  "clEnqueueReadBuffer");
        };
    }

private:
    void write_input(std::uint64_t n) const {
        for_each_input_piece<T>(n, [this](std::uint64_t offset, std::uint64_t count, const T* data) {
            check(target().queue.enqueueWriteBuffer(input_, CL_TRUE, static_cast<std::size_t>(offset) * sizeof(T),
                                                    static_cast<std::size_t>(count) * sizeof(T), data),
                  "clEnqueueWriteBuffer");
        });
    }

    std::uint64_t count_ = 0;
    std::shared_ptr<T> host_input_; ///< outlives the buffers
    std::shared_ptr<T> host_output_;
    cl::Buffer input_;
    cl::Buffer output_;
};

/// Never destroyed, as the device itself.
inline only_one& device_slot() {
    static auto* const slot = new only_one;
    return *slot;
}

template <class T>
device_arrays<T>& arrays(std::uint64_t n) {
    auto& mine = device_slot().get<device_arrays<T>>();
    mine.reserve(n);
    return mine;
}

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Enqueues one call on a queue that is in order.
using enqueue_call = std::function<void(const cl::CommandQueue&)>;

/// The host's clock over several calls enqueued and one finish, per call.
inline double host_seconds(const enqueue_call& call, int calls = calls_per_sample) {
    const cl::CommandQueue& queue = target().queue;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call(queue);
    check(queue.finish(), "clFinish");
    return seconds_since(start) / calls;
}

/// The device's time stamps around one whole call: the event that a call returns covers its last launch only, so a
/// marker stands before and one behind it. A first call, not counted, keeps the device busy until everything is
/// enqueued, so that the host's share does not show.
inline double device_seconds(const enqueue_call& call) {
    const cl::CommandQueue& queue = target().stamped_queue;
    const auto marker = [&] {
        cl::Event event;
        check(queue.enqueueMarkerWithWaitList(nullptr, &event), "clEnqueueMarkerWithWaitList");
        return event;
    };
    call(queue);
    const cl::Event before = marker();
    call(queue);
    const cl::Event behind = marker();
    check(queue.finish(), "clFinish");
    const auto end = [](const cl::Event& event) { return event.getProfilingInfo<CL_PROFILING_COMMAND_END>(); };
    return static_cast<double>(end(behind) - end(before)) * 1e-9;
}

/// Everything of a row but poison and check.
inline prepared_call time_call(std::uint64_t n, enqueue_call call) {
    prepared_call prepared;
    prepared.run = [call] { host_seconds(call, 1); };
    prepared.host_seconds = [call](int calls) { return host_seconds(call, calls); };
    if (n >= device_clock_from)
        prepared.seconds = [call] { return device_seconds(call); };
    else
        prepared.seconds = [call] { return host_seconds(call); };
    return prepared;
}

template <class T, class Op>
prepared_call prepare_scan(std::uint64_t n, bool exclusive, enqueue_call call) {
    prepared_call prepared = time_call(n, std::move(call));
    prepared.poison = [n] { arrays<T>(n).poison_output(n); };
    prepared.check = [=] { return check_scan<T, Op>(n, exclusive, arrays<T>(n).read_output()); };
    return prepared;
}

/// A reduction writes the first element of the output array.
template <class T, class Op>
prepared_call prepare_reduce(std::uint64_t n, enqueue_call call) {
    prepared_call prepared = time_call(n, std::move(call));
    prepared.poison = [n] { arrays<T>(n).poison_output(1); };
    prepared.check = [=] { return check_reduce<T, Op>(n, arrays<T>(n).read_output()); };
    return prepared;
}

} // namespace bench
