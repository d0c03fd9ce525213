// SPDX-License-Identifier: MIT
// What the interposed functions call: whether a call must fail, and notes of what it made, retained or released.
#pragma once

#include "faults.hpp"
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace faults {

/// Notes a call of this function; whether it is the one that must fail, with failure_status().
bool must_fail(const char* name);
cl_int failure_status();

/// Adds to the references that this program holds to a handle.
void count(kind k, const void* handle, long by);

/// Notes an argument's size, and the memory object that it is, which is known by the references that are counted.
void note_argument(cl_kernel kernel, cl_uint index, size_t size, const void* value);
void forget_arguments(cl_kernel kernel);

/// Whether this launch is to fail later; then its event, if one is asked for, never completes.
bool launch_fails_later(cl_command_queue queue, cl_event* event);
bool has_failed(cl_event event);

/// Whether this launch has more work-items in a work-group than it may (`limit_work_groups`).
bool is_refused(const size_t* local);

/// Answers a question to a device, if there is an answer (`answer`).
bool answers(cl_device_info what, size_t size, void* to, size_t* used);

/// What the compiler is to see of a program's texts.
std::string rewritten(cl_uint n, const char** texts, const size_t* sizes);

/// The function of the same name in the OpenCL library, whose file the build names. The second argument only tells the
/// type.
template <class Function>
Function* real(const char* name, Function*) {
    static void* const library = dlopen(UPSWEEP_OPENCL_LIBRARY, RTLD_NOW);
    void* const found = library ? dlsym(library, name) : nullptr;
    if (!found) {
        std::fprintf(stderr, "faults: no %s in %s\n", name, UPSWEEP_OPENCL_LIBRARY);
        std::abort();
    }
    return reinterpret_cast<Function*>(found);
}

template <class Function, class... Args>
cl_int plain(const char* name, Function* self, Args... args) {
    return must_fail(name) ? failure_status() : real(name, self)(args...);
}

/// A call whose answer is an address; null when it fails.
template <class Function, class... Args>
void* look_up(const char* name, Function* self, Args... args) {
    return must_fail(name) ? nullptr : real(name, self)(args...);
}

template <class Function, class... Args>
auto make(kind k, const char* name, Function* self, cl_int* status, Args... args) {
    decltype(self(args..., status)) handle = nullptr;
    if (must_fail(name)) {
        if (status) *status = failure_status();
        return handle;
    }
    handle = real(name, self)(args..., status);
    count(k, handle, 1);
    return handle;
}

template <class Function, class Handle>
cl_int retain(kind k, const char* name, Function* self, Handle handle) {
    if (must_fail(name)) return failure_status();
    const cl_int status = real(name, self)(handle);
    if (status == CL_SUCCESS) count(k, handle, 1);
    return status;
}

template <class Function, class Handle>
cl_int release(kind k, const char* name, Function* self, Handle handle) {
    const bool fails = must_fail(name);
    count(k, handle, -1); // before the release, after which the address may come to mean another object
    const cl_int status = real(name, self)(handle);
    return fails ? failure_status() : status;
}

template <class Function, class... Args>
cl_int enqueue(const char* name, Function* self, cl_event* event, Args... args) {
    if (must_fail(name)) return failure_status();
    const cl_int status = real(name, self)(args..., event);
    if (status == CL_SUCCESS && event) count(kind::event, *event, 1);
    return status;
}

/// A command whose answer is an address; null when it fails.
template <class Function, class... Args>
void* map(const char* name, Function* self, cl_event* event, cl_int* status, Args... args) {
    if (must_fail(name)) {
        if (status) *status = failure_status();
        return nullptr;
    }
    cl_int done = CL_SUCCESS;
    void* const mapped = real(name, self)(args..., event, &done);
    if (done == CL_SUCCESS && event) count(kind::event, *event, 1);
    if (status) *status = done;
    return mapped;
}

} // namespace faults
