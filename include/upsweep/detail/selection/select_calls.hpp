// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/choice.hpp>
#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/plan/launch_plan.hpp>
#include <upsweep/detail/selection/select_arguments.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/version.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

// What the public templates of selections call of what is no template; see call/calls.hpp.

namespace upsweep::detail {

/// What a selection from host memory leaves on the device.
struct host_selection_results {
    std::uint64_t count = 0; ///< elements that were chosen, or runs
    owned<cl_mem> kept;      ///< null: the input is empty
    owned<cl_mem> lengths;   ///< of runs, each an `ulong`, where they are asked for
};

class prepared_selection;

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Marks by a choice of the elements of the first column.
UPSWEEP_DECLARED void mark_by_choice(selection_arguments& a, computed_input source, const choice& which);
/// Marks the first of each run of them. `equal` is a user's text.
UPSWEEP_DECLARED void mark_by_equality(selection_arguments& a, computed_input source, const std::string& equal);

/// A selection on device memory. Gives the caller a reference to the event, which may be null.
UPSWEEP_DECLARED cl_event call_selection(selection what, const selection_arguments& a, const options& opts);

/// Prepares selections from up to as many elements as `a` has, whose arrays do not matter yet.
UPSWEEP_DECLARED std::shared_ptr<const prepared_selection>
prepare_selection(selection what, const selection_arguments& a, const options& opts);
/// A selection with a plan; else as the one without.
UPSWEEP_DECLARED cl_event call_selection(const prepared_selection& plan, selection_arguments& a);
/// @{ Of a plan's scan; as of other plans (calls.hpp).
UPSWEEP_DECLARED const tuning& tuning_of(const prepared_selection& plan);
UPSWEEP_DECLARED const launch_plan& launches_of(const prepared_selection& plan);
UPSWEEP_DECLARED launch_plan launches_of(const prepared_selection& plan, std::uint64_t n);
UPSWEEP_DECLARED std::uint64_t scratch_bytes_of(const prepared_selection& plan);
/// @}

/// A selection from host memory. Of the arguments, what names device memory is not set yet.
/// @param elements  of the only column, which has no stages
UPSWEEP_DECLARED host_selection_results select_on_host(selection what, selection_arguments& a, const void* elements,
                                                       const options& opts);

/// Copies the first bytes of a buffer, blocking.
UPSWEEP_DECLARED void read_results(const char* function, cl_command_queue queue, cl_mem buffer, void* to,
                                   std::size_t bytes);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/selection/select_calls_inl.hpp>
#endif
