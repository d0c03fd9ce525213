// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/access.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/span.hpp>

#include <string>

namespace upsweep::detail {

/// What a call knows of its queue.
struct queue_facts {
    cl_command_queue queue = nullptr;
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    bool in_order = true;
};

UPSWEEP_INLINE queue_facts inspect_queue(const char* function, queue_handle handle) {
    if (!handle.get()) throw error(function, "queue", "null handle");
    const auto read = [&](auto zero, cl_uint what) {
        return get_info<decltype(zero)>(function, "queue: clGetCommandQueueInfo", clGetCommandQueueInfo, handle.get(),
                                        what);
    };
    queue_facts facts;
    facts.queue = handle.get();
    facts.context = read(cl_context{}, CL_QUEUE_CONTEXT);
    facts.device = read(cl_device_id{}, CL_QUEUE_DEVICE);
    facts.in_order =
        (read(cl_command_queue_properties{}, CL_QUEUE_PROPERTIES) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    return facts;
}

/// A checked view: the memory it lies in, whatever sub-buffer it was named through.
struct view_facts {
    cl_mem root = nullptr;
    std::uint64_t begin = 0; ///< bytes from the root's start
    std::uint64_t end = 0;
    const void* type = nullptr;
    bool is_aligned = false;    ///< begins at a multiple of `packed_bytes` in device memory, as far as is known
    bool is_of_host = false;    ///< in memory of the host's, which may begin anywhere
    bool is_write_only = false; ///< kernels must not read it
};

/// Bytes that kernels move at once where an array lies at a multiple of them. Buffers do: OpenCL's largest type is
/// larger.
constexpr std::uint64_t packed_bytes = 16;

/// Checks one device view and says where it lies. An empty view needs no buffer.
UPSWEEP_INLINE view_facts check_view(const char* function, const char* argument, const queue_facts& queue,
                                     cl_mem buffer, std::uint64_t count, std::uint64_t byte_offset,
                                     std::size_t element_size, access use) {
    const auto refuse = [&](const std::string& cause) { throw error(function, argument, cause); };
    const auto read = [&](auto zero, cl_uint what) {
        return get_info<decltype(zero)>(function, argument, clGetMemObjectInfo, buffer, what);
    };
    if (!buffer) {
        if (count > 0) refuse("null handle");
        return {};
    }
    if (read(cl_mem_object_type{}, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER) refuse("a memory object that is no buffer");
    if (read(cl_context{}, CL_MEM_CONTEXT) != queue.context)
        refuse("the buffer belongs to another context than the queue");
    const cl_mem_flags flags = read(cl_mem_flags{}, CL_MEM_FLAGS);
    if (use != access::input && (flags & CL_MEM_READ_ONLY)) refuse("the buffer is read-only for kernels");
    if (use != access::output && (flags & CL_MEM_WRITE_ONLY)) refuse("the buffer is write-only for kernels");
    if (byte_offset % element_size != 0)
        refuse("offset of " + std::to_string(byte_offset) + " bytes is not a multiple of the element's " +
               std::to_string(element_size));
    const std::uint64_t size = read(std::size_t{}, CL_MEM_SIZE);
    if (byte_offset > size || count > (size - byte_offset) / element_size)
        refuse("view of " + std::to_string(count) + " elements of " + std::to_string(element_size) +
               " bytes at offset " + std::to_string(byte_offset) + " is larger than its buffer of " +
               std::to_string(size) + " bytes");
    view_facts facts;
    facts.root = read(cl_mem{}, CL_MEM_ASSOCIATED_MEMOBJECT);
    facts.begin = byte_offset + (facts.root ? read(std::size_t{}, CL_MEM_OFFSET) : 0);
    facts.end = facts.begin + count * element_size;
    facts.is_of_host = (flags & CL_MEM_USE_HOST_PTR) != 0; // a device may use it itself
    facts.is_aligned = facts.begin % packed_bytes == 0 && !facts.is_of_host;
    facts.is_write_only = (flags & CL_MEM_WRITE_ONLY) != 0;
    if (!facts.root) facts.root = buffer;
    return facts;
}

UPSWEEP_INLINE bool overlap(const view_facts& a, const view_facts& b) {
    return a.root && a.root == b.root && a.begin < b.end && b.begin < a.end;
}

/// Input and output may be the same elements (in place) or have none in common. A kernel reads and writes each element
/// of a tile before it goes on, so anything in between would read results as input.
UPSWEEP_INLINE void check_overlap(const char* function, const view_facts& in, const view_facts& out, bool same_type) {
    if (!overlap(in, out)) return;
    if (in.begin != out.begin || in.end != out.end)
        throw error(function, "output", "overlaps the input without being the same elements");
    if (!same_type) throw error(function, "output", "in place needs input and output of the same type");
}

/// Checks what a call waits for. An event that has failed is an error here, because some implementations never end a
/// command that waits for one: PoCL 3.1.
UPSWEEP_INLINE void check_wait_list(const char* function, const queue_facts& queue, const wait_list& after) {
    for (cl_event event : after.events()) {
        if (!event) throw error(function, "after", "null event");
        const auto context = get_info<cl_context>(function, "after", clGetEventInfo, event, CL_EVENT_CONTEXT);
        if (context != queue.context)
            throw error(function, "after", "an event belongs to another context than the queue");
        const auto status =
            get_info<cl_int>(function, "after", clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
        if (status < 0)
            throw error(function, "after", "an event has failed, with status " + std::to_string(status), status);
    }
}

/// What both runs of a call that is made of two wait for. A queue's order is enough unless the caller's events may
/// fail, and with them the first run: then somebody must hold its event (event_keeper).
class two_runs {
public:
    /// @param after  what the call waits for, and whether it returns an event
    UPSWEEP_INLINE two_runs(const queue_facts& queue, const wait_list& after)
        : wants_event_(after.wants_event())
        , is_ordered_(queue.in_order && after.events().empty())
        , first_(is_ordered_ ? after.without_event() : wait_list(after.events())) {}

    const wait_list& first() const { return first_; }
    /// What a run between the two waits for.
    /// @param done  the event of the run before; null where the queue's order is enough
    UPSWEEP_INLINE wait_list between(const cl::Event& done) const { return is_ordered_ ? first_ : after({done}); }
    /// @param done  the first run's event; null where the queue's order is enough. Must outlive the second run's start.
    UPSWEEP_INLINE wait_list second(const cl::Event& done) const {
        const wait_list result = is_ordered_ ? wait_list() : after({done});
        return wants_event_ ? result : result.without_event();
    }

private:
    bool wants_event_;
    bool is_ordered_;
    wait_list first_;
};

} // namespace upsweep::detail
