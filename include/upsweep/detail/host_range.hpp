#pragma once

#include <upsweep/detail/scan_call.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>
#include <vector>

namespace upsweep::detail {

template <class It>
using category = typename std::iterator_traits<It>::iterator_category;

template <class InputIt, class OutputIt>
using require_iterators =
    std::enable_if_t<std::is_convertible<category<InputIt>, std::forward_iterator_tag>::value, category<OutputIt>>;

/// What an output iterator holds; for those that do not say, such as std::back_inserter, what the input holds.
template <class InputIt, class OutputIt>
using output_value =
    std::remove_cv_t<std::conditional_t<std::is_void<typename std::iterator_traits<OutputIt>::value_type>::value,
                                        typename std::iterator_traits<InputIt>::value_type,
                                        typename std::iterator_traits<OutputIt>::value_type>>;

template <class T, class It>
constexpr bool is_contiguous = std::is_same<It, T*>::value || std::is_same<It, const T*>::value ||
                               std::is_same<It, typename std::vector<T>::iterator>::value ||
                               std::is_same<It, typename std::vector<T>::const_iterator>::value;

inline cl::Buffer make_buffer(const char* function, const queue_facts& queue, std::size_t bytes, cl_mem_flags flags) {
    cl_int status = CL_SUCCESS;
    cl::Buffer buffer(clCreateBuffer(queue.context, flags, bytes, nullptr, &status));
    check_status(status, function, "clCreateBuffer");
    return buffer;
}

/// Copies a host range into a new buffer.
template <class T, class It>
cl::Buffer upload(const char* function, const queue_facts& queue, It first, It last, std::size_t n) {
    cl::Buffer buffer = make_buffer(function, queue, n * sizeof(T), CL_MEM_READ_WRITE);
    const auto write = [&](const T* data) {
        check_status(clEnqueueWriteBuffer(queue.queue, buffer(), CL_TRUE, 0, n * sizeof(T), data, 0, nullptr, nullptr),
                     function, "clEnqueueWriteBuffer");
    };
    if constexpr (is_contiguous<T, It>) {
        (void)last;
        write(&*first);
    } else {
        const std::vector<T> copy(first, last);
        write(copy.data());
    }
    return buffer;
}

/// Waits for `done` and copies n values from the start of a buffer to a host range.
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
        return std::copy(copy.begin(), copy.end(), out);
    }
}

/// The blocking scans: upload, scan (in place where the types allow), download.
template <class Out, class InputIt, class OutputIt, class Op>
OutputIt scan_host(const char* function, queue_handle handle, InputIt first, InputIt last, OutputIt out, bool exclusive,
                   const Out* init, const Op& op, const options& wish) {
    using In = typename std::iterator_traits<InputIt>::value_type;
    const queue_facts queue = inspect_queue(function, handle);
    const auto n = static_cast<std::size_t>(std::distance(first, last));
    const engine e = make_engine<In, Out>(function, queue, operation::scan, n, op, wish);
    if (n == 0) return out;
    const cl::Buffer in_buffer = upload<In>(function, queue, first, last, n);
    cl::Buffer converted;
    if (!std::is_same<In, Out>::value) converted = make_buffer(function, queue, n * sizeof(Out), CL_MEM_READ_WRITE);
    const cl_mem out_buffer = converted() ? converted() : in_buffer();
    const cl::Event done = scan<In, Out>(function, e, queue, span<const In>(in_buffer, n), span<Out>(out_buffer, n),
                                         exclusive, init, {}, {});
    return download<Out>(function, queue, out_buffer, done, out, n);
}

} // namespace upsweep::detail
