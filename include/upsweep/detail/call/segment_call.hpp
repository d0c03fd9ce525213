// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/options.hpp>
#include <upsweep/version.hpp>

namespace upsweep::detail {

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// A scan or reduction of segments on device memory. Gives the caller a reference to the event, which may be null.
/// @param types  of the elements and of the values, with the operator on values
UPSWEEP_DECLARED cl_event call_segments(const segment_arguments& a, const call_types& types, const options& opts);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/call/segment_call_inl.hpp>
#endif
