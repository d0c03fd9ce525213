// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace upsweep::detail {

/// A value passed to a kernel by its bytes.
struct value_bytes {
    const void* data = nullptr;
    std::size_t size = 0;
};

/// The bits of a scalar as a number.
UPSWEEP_INLINE std::uint64_t bits_of(const void* value, std::size_t size) {
    const auto read = [&](auto number) {
        std::memcpy(&number, value, sizeof number);
        return std::uint64_t{number};
    };
    return size == 8   ? read(std::uint64_t{})
           : size == 4 ? read(std::uint32_t{})
           : size == 2 ? read(std::uint16_t{})
                       : read(std::uint8_t{});
}

/// A place in device memory, in elements.
struct location {
    cl_mem buffer = nullptr;
    std::uint64_t offset = 0;
};

/// One call's initial value as an argument of its kernels. Where it has to lie in memory, it lies in a buffer of the
/// call's own, which OpenCL keeps until the commands that use it are done.
class init_argument {
public:
    /// @param place  of an initial value that the caller has on the device; else no buffer
    UPSWEEP_INLINE init_argument(const char* function, cl_context context, value_bytes init, location place)
        : bytes_(init)
        , place_(place) {
        if (has_place() || init.size <= most_argument_bytes) return;
        cl_int status = CL_SUCCESS;
        buffer_ = owned<cl_mem>(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, init.size,
                                               const_cast<void*>(init.data), &status));
        check_status(status, function, "clCreateBuffer (initial value)");
    }

    bool has_place() const { return place_.buffer != nullptr; }
    location place() const { return place_; }
    bool is_in_memory() const { return buffer_() != nullptr; }
    value_bytes bytes() const { return bytes_; }
    cl_mem buffer() const { return buffer_(); }

private:
    value_bytes bytes_;
    location place_;
    owned<cl_mem> buffer_;
};

UPSWEEP_INLINE cl_int set_argument(cl_kernel k, cl_uint i, cl_mem m) {
    return clSetKernelArg(k, i, sizeof m, &m);
}
UPSWEEP_INLINE cl_int set_argument(cl_kernel k, cl_uint i, cl_ulong x) {
    return clSetKernelArg(k, i, sizeof x, &x);
}
UPSWEEP_INLINE cl_int set_argument(cl_kernel k, cl_uint i, cl_uint x) {
    return clSetKernelArg(k, i, sizeof x, &x);
}
UPSWEEP_INLINE cl_int set_argument(cl_kernel k, cl_uint i, bool b) {
    const cl_uint x = b ? 1 : 0;
    return clSetKernelArg(k, i, sizeof x, &x);
}
/// Local memory of a work-group.
struct local_room {
    std::size_t bytes = 0;
};
UPSWEEP_INLINE cl_int set_argument(cl_kernel k, cl_uint i, local_room memory) {
    return clSetKernelArg(k, i, memory.bytes, nullptr);
}
UPSWEEP_INLINE cl_int set_argument(cl_kernel k, cl_uint i, value_bytes v) {
    return clSetKernelArg(k, i, v.size, v.data);
}
UPSWEEP_INLINE cl_int set_argument(cl_kernel k, cl_uint i, const init_argument& init) {
    if (init.has_place()) return set_argument(k, i, init.place().buffer);
    return init.is_in_memory() ? set_argument(k, i, init.buffer()) : set_argument(k, i, init.bytes());
}

/// Several numbers as one OpenCL vector.
template <class Number>
value_bytes as_bytes(const std::array<Number, 4>& vector) {
    return {vector.data(), sizeof vector};
}

/// What the hook of an input or output that is no plain array takes: buffers, and numbers, which have no buffer.
using view_buffers = std::vector<location>;

/// The same of an operator's parameters.
struct operand_buffers {
    view_buffers arrays;
    view_buffers numbers;

    bool empty() const { return arrays.empty() && numbers.empty(); }
};

/// An input or output as kernels take it: the buffer of a plain array, whose offset is an argument of its own, or what
/// the hook of a view takes.
struct view_argument {
    cl_mem buffer = nullptr;
    const view_buffers* view = nullptr;
};

/// Sets argument `i`, and counts it.
template <class Arg>
void set_next(const char* function, cl_kernel kernel, cl_uint& i, const Arg& arg) {
    check_status(set_argument(kernel, i++, arg), function, "clSetKernelArg");
}
UPSWEEP_INLINE void set_next(const char* function, cl_kernel kernel, cl_uint& i, const init_argument& init) {
    check_status(set_argument(kernel, i++, init), function, "clSetKernelArg");
    if (init.has_place()) set_next(function, kernel, i, cl_ulong{init.place().offset});
}
UPSWEEP_INLINE void set_next(const char* function, cl_kernel kernel, cl_uint& i, const view_argument& arg) {
    if (!arg.view) return set_next(function, kernel, i, arg.buffer);
    for (const location& part : *arg.view) {
        if (part.buffer) set_next(function, kernel, i, part.buffer);
        set_next(function, kernel, i, part.offset);
    }
}

/// Sets a kernel's first arguments. Returns the number of the one behind them.
template <class... Args>
cl_uint set_arguments(const char* function, cl_kernel kernel, const Args&... args) {
    cl_uint i = 0;
    (set_next(function, kernel, i, args), ...);
    return i;
}

} // namespace upsweep::detail
