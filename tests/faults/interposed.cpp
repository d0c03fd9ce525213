// SPDX-License-Identifier: MIT
// Functions with the names of OpenCL's, which the linker finds before the library's. One line each: what varies is
// whether a call makes, retains or releases a handle.
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "noted.hpp"

using faults::kind;

extern "C" {

// What asks and what sets.
cl_int clGetPlatformIDs(cl_uint n, cl_platform_id* ids, cl_uint* count) {
    return faults::plain(__func__, clGetPlatformIDs, n, ids, count);
}
cl_int clGetPlatformInfo(cl_platform_id p, cl_platform_info what, size_t size, void* to, size_t* used) {
    return faults::plain(__func__, clGetPlatformInfo, p, what, size, to, used);
}
cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id* ids, cl_uint* count) {
    return faults::plain(__func__, clGetDeviceIDs, p, type, n, ids, count);
}
cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t size, void* to, size_t* used) {
    if (faults::answers(what, size, to, used)) return CL_SUCCESS;
    return faults::plain(__func__, clGetDeviceInfo, d, what, size, to, used);
}
cl_int clRetainDevice(cl_device_id d) {
    return faults::plain(__func__, clRetainDevice, d);
}
cl_int clReleaseDevice(cl_device_id d) {
    return faults::plain(__func__, clReleaseDevice, d);
}
cl_int clGetContextInfo(cl_context c, cl_context_info what, size_t size, void* to, size_t* used) {
    return faults::plain(__func__, clGetContextInfo, c, what, size, to, used);
}
cl_int clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info what, size_t size, void* to, size_t* used) {
    return faults::plain(__func__, clGetCommandQueueInfo, q, what, size, to, used);
}
cl_int clGetMemObjectInfo(cl_mem m, cl_mem_info what, size_t size, void* to, size_t* used) {
    return faults::plain(__func__, clGetMemObjectInfo, m, what, size, to, used);
}
cl_int clGetProgramInfo(cl_program p, cl_program_info what, size_t size, void* to, size_t* used) {
    return faults::plain(__func__, clGetProgramInfo, p, what, size, to, used);
}
cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what, size_t size, void* to,
                             size_t* used) {
    return faults::plain(__func__, clGetProgramBuildInfo, p, d, what, size, to, used);
}
cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id* ids, const char* options,
                      void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
    return faults::plain(__func__, clBuildProgram, p, n, ids, options, notify, data);
}
void* clGetExtensionFunctionAddressForPlatform(cl_platform_id p, const char* name) {
    return faults::look_up(__func__, clGetExtensionFunctionAddressForPlatform, p, name);
}
cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t size, void* to,
                                size_t* used) {
    return faults::plain(__func__, clGetKernelWorkGroupInfo, k, d, what, size, to, used);
}
cl_int clSetKernelArg(cl_kernel k, cl_uint i, size_t size, const void* value) {
    faults::note_argument(k, i, size, value);
    return faults::plain(__func__, clSetKernelArg, k, i, size, value);
}
cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t size, void* to, size_t* used) {
    const cl_int status = faults::plain(__func__, clGetEventInfo, e, what, size, to, used);
    if (status == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS && to && faults::has_failed(e))
        *static_cast<cl_int*>(to) = CL_OUT_OF_RESOURCES;
    return status;
}
cl_int clSetUserEventStatus(cl_event e, cl_int status) {
    return faults::plain(__func__, clSetUserEventStatus, e, status);
}
cl_int clWaitForEvents(cl_uint n, const cl_event* events) {
    return faults::plain(__func__, clWaitForEvents, n, events);
}
cl_int clFlush(cl_command_queue q) {
    return faults::plain(__func__, clFlush, q);
}
cl_int clFinish(cl_command_queue q) {
    return faults::plain(__func__, clFinish, q);
}

// What makes handles.
cl_context clCreateContext(const cl_context_properties* properties, cl_uint n, const cl_device_id* ids,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data, cl_int* s) {
    return faults::make(kind::context, __func__, clCreateContext, s, properties, n, ids, notify, data);
}
cl_command_queue clCreateCommandQueue(cl_context c, cl_device_id d, cl_command_queue_properties properties, cl_int* s) {
    return faults::make(kind::queue, __func__, clCreateCommandQueue, s, c, d, properties);
}
cl_mem clCreateBuffer(cl_context c, cl_mem_flags flags, size_t size, void* from, cl_int* s) {
    return faults::make(kind::memory, __func__, clCreateBuffer, s, c, flags, size, from);
}
cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char** texts, const size_t* sizes, cl_int* s) {
    const std::string whole = faults::rewritten(n, texts, sizes);
    const char* text = whole.data();
    const size_t size = whole.size();
    return faults::make(kind::program, __func__, clCreateProgramWithSource, s, c, cl_uint{1}, &text, &size);
}
cl_program clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id* ids, const size_t* sizes,
                                     const unsigned char** binaries, cl_int* each, cl_int* s) {
    return faults::make(kind::program, __func__, clCreateProgramWithBinary, s, c, n, ids, sizes, binaries, each);
}
cl_kernel clCreateKernel(cl_program p, const char* name, cl_int* s) {
    const cl_kernel kernel = faults::make(kind::kernel, __func__, clCreateKernel, s, p, name);
    faults::forget_arguments(kernel);
    return kernel;
}
cl_event clCreateUserEvent(cl_context c, cl_int* s) {
    return faults::make(kind::event, __func__, clCreateUserEvent, s, c);
}

// What enqueues; an event is a handle.
cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dimensions, const size_t* offset,
                              const size_t* global, const size_t* local, cl_uint n, const cl_event* waits,
                              cl_event* event) {
    if (faults::is_refused(local)) return CL_INVALID_WORK_GROUP_SIZE;
    if (faults::launch_fails_later(q, event)) return CL_SUCCESS;
    return faults::enqueue(__func__, clEnqueueNDRangeKernel, event, q, k, dimensions, offset, global, local, n, waits);
}
cl_int clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void* pattern, size_t pattern_size, size_t offset,
                           size_t size, cl_uint n, const cl_event* waits, cl_event* event) {
    return faults::enqueue(__func__, clEnqueueFillBuffer, event, q, m, pattern, pattern_size, offset, size, n, waits);
}
cl_int clEnqueueCopyBuffer(cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                           size_t size, cl_uint n, const cl_event* waits, cl_event* event) {
    return faults::enqueue(__func__, clEnqueueCopyBuffer, event, q, from, to, from_offset, to_offset, size, n, waits);
}
cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocks, size_t offset, size_t size, const void* from,
                            cl_uint n, const cl_event* waits, cl_event* event) {
    return faults::enqueue(__func__, clEnqueueWriteBuffer, event, q, m, blocks, offset, size, from, n, waits);
}
cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocks, size_t offset, size_t size, void* to,
                           cl_uint n, const cl_event* waits, cl_event* event) {
    return faults::enqueue(__func__, clEnqueueReadBuffer, event, q, m, blocks, offset, size, to, n, waits);
}
cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event* waits, cl_event* event) {
    return faults::enqueue(__func__, clEnqueueMarkerWithWaitList, event, q, n, waits);
}
void* clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocks, cl_map_flags flags, size_t offset, size_t size,
                         cl_uint n, const cl_event* waits, cl_event* event, cl_int* s) {
    return faults::map(__func__, clEnqueueMapBuffer, event, s, q, m, blocks, flags, offset, size, n, waits);
}
cl_int clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void* mapped, cl_uint n, const cl_event* waits,
                               cl_event* event) {
    return faults::enqueue(__func__, clEnqueueUnmapMemObject, event, q, m, mapped, n, waits);
}

// What retains and releases them.
cl_int clRetainContext(cl_context c) {
    return faults::retain(kind::context, __func__, clRetainContext, c);
}
cl_int clReleaseContext(cl_context c) {
    return faults::release(kind::context, __func__, clReleaseContext, c);
}
cl_int clRetainCommandQueue(cl_command_queue q) {
    return faults::retain(kind::queue, __func__, clRetainCommandQueue, q);
}
cl_int clReleaseCommandQueue(cl_command_queue q) {
    return faults::release(kind::queue, __func__, clReleaseCommandQueue, q);
}
cl_int clRetainProgram(cl_program p) {
    return faults::retain(kind::program, __func__, clRetainProgram, p);
}
cl_int clReleaseProgram(cl_program p) {
    return faults::release(kind::program, __func__, clReleaseProgram, p);
}
cl_int clRetainKernel(cl_kernel k) {
    return faults::retain(kind::kernel, __func__, clRetainKernel, k);
}
cl_int clReleaseKernel(cl_kernel k) {
    return faults::release(kind::kernel, __func__, clReleaseKernel, k);
}
cl_int clRetainMemObject(cl_mem m) {
    return faults::retain(kind::memory, __func__, clRetainMemObject, m);
}
cl_int clReleaseMemObject(cl_mem m) {
    return faults::release(kind::memory, __func__, clReleaseMemObject, m);
}
cl_int clRetainEvent(cl_event e) {
    return faults::retain(kind::event, __func__, clRetainEvent, e);
}
cl_int clReleaseEvent(cl_event e) {
    return faults::release(kind::event, __func__, clReleaseEvent, e);
}

} // extern "C"
