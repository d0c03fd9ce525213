// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/plan/launch_plan.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/version.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// All that the public templates call of what is no template. With UPSWEEP_COMPILED it is in the library that
// compiled.cpp makes, else in calls_inl.hpp.

namespace upsweep::detail {

class plan_engines;

// The version is part of these functions' names, so that headers do not link with the library of another version.
inline namespace UPSWEEP_VERSION_NAMESPACE {

/// The device of a queue.
/// @throws upsweep::error where there is no queue
UPSWEEP_DECLARED cl_device_id device_of(const char* function, cl_command_queue queue);

/// A host range that cannot be streamed must fit one buffer, as elements and as values.
UPSWEEP_DECLARED void check_fits(const char* function, cl_device_id device, std::uint64_t n, std::size_t element_size,
                                 std::size_t value_size);

/// The load hook of a computed input, of which the text itself is not set yet.
UPSWEEP_DECLARED std::string transform_text(const computed_input& in);

/// Sets a parameter of the last stage, by its name. Returns whether that changes the load hook.
UPSWEEP_DECLARED bool set_parameter(computed_input& in, const stage_parameter& parameter,
                                    const computed_input::parameter& given);

/// The store hook of a computed output, of which the text itself is not set yet.
/// @param in  the call's input, whose types the program has already
UPSWEEP_DECLARED std::string store_text(const computed_output& out, const computed_input& in);

/// A call on device memory. Gives the caller a reference to the event, which may be null.
UPSWEEP_DECLARED cl_event call_once(const call_arguments& a, const call_types& types, const options& opts);

/// A reduction that waits for its result, and writes it to `result`. The arguments name no output.
UPSWEEP_DECLARED void call_for_value(const call_arguments& a, const call_types& types, const options& opts,
                                     void* result);

/// The same of host memory.
/// @param in    what is computed; its arrays are not set yet
/// @param data  the elements of each array
UPSWEEP_DECLARED void call_for_value(const call_arguments& a, const computed_input& in,
                                     const std::vector<const void*>& data, const call_types& types, const options& opts,
                                     void* result);

/// A blocking call on host memory, of any size. Without elements nothing is written.
UPSWEEP_DECLARED void call_on_host(const host_arguments& a, const call_types& types, const options& opts);

/// Prepares calls of up to n elements.
/// @param view  what the calls compute, of which the arrays do not matter yet; null: they read arrays
UPSWEEP_DECLARED std::shared_ptr<const plan_engines> make_plan(const char* function, cl_command_queue queue,
                                                               operation op, std::uint64_t n, const call_types& types,
                                                               const options& opts,
                                                               const computed_input* view = nullptr);
/// A call with a plan; else as `call_once`.
UPSWEEP_DECLARED cl_event call_plan(const plan_engines& plan, const call_arguments& a);

/// @{ What a plan says of itself.
UPSWEEP_DECLARED const tuning& tuning_of(const plan_engines& plan);
UPSWEEP_DECLARED const launch_plan& launches_of(const plan_engines& plan);
UPSWEEP_DECLARED launch_plan launches_of(const plan_engines& plan, std::uint64_t n);
UPSWEEP_DECLARED std::uint64_t scratch_bytes_of(const plan_engines& plan);
/// @}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/call/calls_inl.hpp>
#endif
