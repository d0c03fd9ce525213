// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/detail/values/inline.hpp>

namespace upsweep::detail {

/// @{ One name for what each kind of OpenCL object calls its own.
UPSWEEP_INLINE cl_int retain(cl_context c) noexcept {
    return clRetainContext(c);
}
UPSWEEP_INLINE cl_int retain(cl_command_queue q) noexcept {
    return clRetainCommandQueue(q);
}
UPSWEEP_INLINE cl_int retain(cl_event e) noexcept {
    return clRetainEvent(e);
}
UPSWEEP_INLINE void release(cl_context c) noexcept {
    clReleaseContext(c);
}
UPSWEEP_INLINE void release(cl_command_queue q) noexcept {
    clReleaseCommandQueue(q);
}
UPSWEEP_INLINE void release(cl_mem m) noexcept {
    clReleaseMemObject(m);
}
UPSWEEP_INLINE void release(cl_event e) noexcept {
    clReleaseEvent(e);
}
/// @}

/// One reference to an OpenCL object, given up at the end of the scope. Unlike the classes of the bindings it counts on
/// no reference that it was refused, throws nothing, and is the same with and without CL_HPP_ENABLE_EXCEPTIONS.
template <class T>
class owned {
public:
    owned() = default;
    /// Takes over a reference.
    explicit owned(T handle) noexcept
        : handle_(handle) {}
    owned(owned&& other) noexcept
        : handle_(other.give()) {}
    owned& operator=(owned&& other) noexcept {
        reset(other.give());
        return *this;
    }
    ~owned() { reset(nullptr); }

    T operator()() const noexcept { return handle_; }

    /// Gives the reference away.
    T give() noexcept {
        const T handle = handle_;
        handle_ = nullptr;
        return handle;
    }
    /// Holds a reference of its own to `handle`, or, if that is refused, nothing.
    cl_int share(T handle) noexcept {
        const cl_int status = handle ? retain(handle) : CL_SUCCESS;
        reset(status == CL_SUCCESS ? handle : nullptr);
        return status;
    }

private:
    void reset(T handle) noexcept {
        if (handle_) release(handle_);
        handle_ = handle;
    }

    T handle_ = nullptr;
};

} // namespace upsweep::detail
