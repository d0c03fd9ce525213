// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/segment_call.hpp>
#include <upsweep/version.hpp>

#include <initializer_list>
#include <memory>

// Plans of scans and reductions of segments.

namespace upsweep::detail {

class prepared_segments;

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Prepares calls that give one of these kinds of results.
/// @param a  names the function, the queue and an input, whose arrays do not matter yet: the calls' have up to as many
///           elements
UPSWEEP_DECLARED std::shared_ptr<const prepared_segments>
prepare_segments(const segment_arguments& a, const call_types& types,
                 const std::initializer_list<segment_results>& results, const options& opts);
/// A call with a plan; else as the one without.
UPSWEEP_DECLARED cl_event call_segments(const prepared_segments& plan, const segment_arguments& a);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/call/segment_plan_inl.hpp>
#endif
