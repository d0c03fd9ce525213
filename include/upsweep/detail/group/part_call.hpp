// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/parts/parts_plan.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/version.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// A call on one part of an array, in steps: what lies between them is the group's or the ranks' (device_group.hpp,
// mpi.hpp). What the public templates call of what is no template; see call/calls.hpp.

namespace upsweep::detail {

class part_call;

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Checks the arguments of a call on a part. They name no initial value, and no output of a reduction. All that they
/// refer to, and the operator of the types, must outlive the part's call.
UPSWEEP_DECLARED std::shared_ptr<part_call> check_part(const call_arguments& a, parts_call call,
                                                       const call_types& types, const options& opts);

/// Builds the programs that a part needs.
/// @param folds  whether it will fold values, too
UPSWEEP_DECLARED void build_part(part_call& part, const part_plan& plan, bool folds);

/// Enqueues the sums of the part's blocks.
UPSWEEP_DECLARED void start_sums(part_call& part);

/// Waits for the sums.
/// @param values  all values of the plan's fold program; those of the part's sums are written
UPSWEEP_DECLARED void read_sums(part_call& part, void* values);

/// Combines values on the part's device, and waits.
/// @param places  how many values there are
UPSWEEP_DECLARED void fold_values(part_call& part, const std::vector<fold_step>& steps, void* values,
                                  std::size_t places);

/// Enqueues the part's scans. Gives the caller a reference to an event that is complete once they are.
/// @param values  as they were folded
UPSWEEP_DECLARED cl_event start_scans(part_call& part, const void* values);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/group/part_call_inl.hpp>
#endif
