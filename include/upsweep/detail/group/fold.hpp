// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/read_limits.hpp>
#include <upsweep/detail/parts/fold_program.hpp>
#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/run/check_arguments.hpp>
#include <upsweep/detail/run/kernel_arguments.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace upsweep::detail {

/// The program that combines values with an operator, by one work-item.
UPSWEEP_INLINE std::shared_ptr<built_program> find_fold(const char* function, const queue_facts& queue,
                                                        const call_types& types, const options& opts) {
    const device_limits& limits = limits_of(function, queue.device);
    program_key key;
    key.context = queue.context;
    key.device = queue.device;
    key.kind = family::fold;
    key.text.element = key.text.value = types.text.value;
    key.text.op = types.text.op;
    key.text.build_options = opts.build_options;
    key.text.op.traits.copies_operands = !types.text.value.definition.empty() && !limits.rusticl.empty();
    return find_program(function, limits, key);
}

/// A buffer with a copy of bytes.
UPSWEEP_INLINE owned<cl_mem> copied_to_device(const char* function, const queue_facts& queue, const void* data,
                                              std::size_t bytes) {
    cl_int status = CL_SUCCESS;
    owned<cl_mem> buffer(clCreateBuffer(queue.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                                        const_cast<void*>(data), &status));
    check_status(status, function, "clCreateBuffer");
    return buffer;
}

/// Combines values as the steps say, where the host can.
/// @param values  all places of the fold program; the steps' results are written
UPSWEEP_INLINE void fold_on_host(const call_types& types, const std::vector<fold_step>& steps, unsigned char* values) {
    const std::size_t size = types.value.size;
    for (const fold_step& step : steps)
        types.on_host(values + step.left * size, values + step.right * size, values + step.to * size);
}

/// Combines values as the steps say, and waits. Each step waits for the one before.
/// @param values  all places of the fold program; the steps' results are written
/// @param places  how many
UPSWEEP_INLINE void run_fold(const char* function, const queue_facts& queue, const call_types& types,
                             built_program& program, const std::vector<fold_step>& steps, unsigned char* values,
                             std::size_t places) {
    if (steps.empty()) return;
    const std::size_t bytes = places * types.value.size;
    const owned<cl_mem> on_device = copied_to_device(function, queue, values, bytes);
    static_assert(sizeof(fold_step) == 3 * sizeof(cl_uint), "as the kernel reads them");
    const owned<cl_mem> numbers = copied_to_device(function, queue, steps.data(), steps.size() * sizeof(fold_step));
    const built_program::loan kernel(program, "upsweep_fold", function);
    set_arguments(function, kernel(), on_device(), numbers(), static_cast<cl_uint>(steps.size()));
    const std::size_t one = 1;
    cl_event event = nullptr;
    check_status(clEnqueueNDRangeKernel(queue.queue, kernel(), 1, nullptr, &one, &one, 0, nullptr, &event), function,
                 "clEnqueueNDRangeKernel");
    const owned<cl_event> done(event);
    read_bytes(function, queue.queue, on_device(), 0, values, bytes, 1, &event);
}

} // namespace upsweep::detail
