#pragma once

#include <upsweep/detail/call/iterator.hpp>
#include <upsweep/detail/call/scan_call.hpp>
#include <upsweep/no_init.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

namespace upsweep::detail {

/// An initial value given by value, in whose type a host range is combined: neither options nor a tag.
template <class T>
using require_value = std::enable_if_t<!std::is_same<T, options>::value && !std::is_same<T, no_init_t>::value>;

template <class It>
constexpr bool check_host_iterator() {
    static_assert(
        !is_device_iterator<It>::value,
        "upsweep: this iterator runs over device memory; pass a span instead: upsweep::span<T>(buffer, count)");
    return true;
}

/// A host range must fit one buffer, as elements and as values.
inline void check_fits(const char* function, const device_limits& limits, std::uint64_t n, std::size_t element_size,
                       std::size_t value_size) {
    const std::size_t larger = (std::max)(element_size, value_size);
    const std::uint64_t most = limits.max_allocation_bytes / larger;
    if (n > most)
        throw error(function, "input",
                    std::to_string(n) + " elements of " + std::to_string(larger) +
                        " bytes do not fit a buffer: device " + limits.name + " allocates at most " +
                        std::to_string(limits.max_allocation_bytes) + " bytes; pass parts of at most " +
                        std::to_string(most) + " elements, each with the result of those before as its initial value");
}

/// The elements of a host range in one piece: where they are, or copied.
template <class T, class It>
class host_elements {
public:
    /// Reads each element once at most. `check_count` may throw; where the range can be read twice, before it is
    /// copied.
    template <class Check>
    host_elements(It first, It last, const Check& check_count) {
        if constexpr (is_contiguous<T, It>) {
            count_ = static_cast<std::size_t>(last - first);
            check_count(count_);
            if (count_ > 0) data_ = &*first;
        } else {
            if constexpr (is_multi_pass<It>) {
                count_ = count(first, last);
                check_count(count_);
                copy_.reserve(count_);
            }
            for (; first != last; ++first) copy_.push_back(*first);
            count_ = copy_.size();
            check_count(count_);
            data_ = copy_.data();
        }
    }

    const T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return count_; }

private:
    static std::size_t count(It first, const It& last) {
        std::size_t n = 0;
        for (; first != last; ++first) ++n;
        return n;
    }

    std::vector<T> copy_;
    const T* data_ = nullptr;
    std::size_t count_ = 0;
};

inline cl::Buffer make_buffer(const char* function, const queue_facts& queue, std::size_t bytes, cl_mem_flags flags) {
    cl_int status = CL_SUCCESS;
    cl::Buffer buffer(clCreateBuffer(queue.context, flags, bytes, nullptr, &status));
    check_status(status, function, "clCreateBuffer");
    return buffer;
}

/// Copies n elements into a new buffer.
template <class T>
cl::Buffer upload(const char* function, const queue_facts& queue, const T* elements, std::size_t n) {
    cl::Buffer buffer = make_buffer(function, queue, n * sizeof(T), CL_MEM_READ_WRITE);
    check_status(clEnqueueWriteBuffer(queue.queue, buffer(), CL_TRUE, 0, n * sizeof(T), elements, 0, nullptr, nullptr),
                 function, "clEnqueueWriteBuffer");
    return buffer;
}

/// Waits for `done` and copies n values from the start of a buffer to a host range, converting them to its type.
template <class T, class It>
It download(const char* function, const queue_facts& queue, cl_mem buffer, const cl::Event& done, It out,
            std::size_t n) {
    const cl_event event = done();
    const auto read = [&](T* data) {
        check_status(clEnqueueReadBuffer(queue.queue, buffer, CL_TRUE, 0, n * sizeof(T), data, 1, &event, nullptr),
                     function, "clEnqueueReadBuffer");
    };
    if constexpr (is_contiguous<T, It> && !std::is_same<It, const T*>::value) {
        read(&*out);
        return out + static_cast<typename std::iterator_traits<It>::difference_type>(n);
    } else {
        std::vector<T> copy(n);
        read(copy.data());
        if constexpr (std::is_assignable<decltype(*out), const T&>::value)
            return std::copy(copy.begin(), copy.end(), out);
        else // half and float convert only where that is said
            return std::transform(copy.begin(), copy.end(), out,
                                  [](const T& value) { return static_cast<input_value<It>>(value); });
    }
}

template <class T, class InputIt, class OutputIt, class Op>
OutputIt scan_checked_host(const char* function, queue_handle handle, InputIt first, InputIt last, OutputIt out,
                           bool exclusive, const T* init, const Op& op, const options& opts) {
    using In = input_value<InputIt>;
    const queue_facts queue = inspect_queue(function, handle);
    const host_elements<In, InputIt> elements(first, last, [&](std::uint64_t n) {
        check_fits(function, limits_of(function, queue.device), n, sizeof(In), sizeof(T));
    });
    const std::size_t n = elements.size();
    const engine e = make_engine<In, T>(function, queue, operation::scan, n, op, opts);
    if (n == 0) return out;
    const cl::Buffer in_buffer = upload(function, queue, elements.data(), n);
    cl::Buffer converted;
    if (!is_same_on_device<In, T>) converted = make_buffer(function, queue, n * sizeof(T), CL_MEM_READ_WRITE);
    const cl_mem out_buffer = converted() ? converted() : in_buffer();
    const cl::Event done =
        scan<In, T>(function, e, queue, span<const In>(in_buffer, n), span<T>(out_buffer, n), exclusive, init, {}, {});
    return download<T>(function, queue, out_buffer, done, out, n);
}

/// The blocking scans: upload, scan in type T (in place where the types allow), download.
template <class T, class InputIt, class OutputIt, class Op>
OutputIt scan_host(const char* function, queue_handle handle, InputIt first, InputIt last, OutputIt out, bool exclusive,
                   const T* init, const Op& op, const options& opts) {
    static_assert(check_host_iterator<InputIt>() && check_host_iterator<OutputIt>(), "");
    if constexpr (check_types<input_value<InputIt>, T, Op>())
        return scan_checked_host(function, handle, first, last, out, exclusive, init, op, opts);
    else
        return out;
}

} // namespace upsweep::detail
