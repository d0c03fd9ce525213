// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

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

} // namespace upsweep::detail
