// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/segment_arguments.hpp>
#include <upsweep/options.hpp>

namespace upsweep::detail {
inline namespace v0_1_0 {

/// A scan or reduction of segments on device memory. Gives the caller a reference to the event, which may be null.
/// @param types  of the elements and of the values, with the operator on values
cl_event call_segments(const segment_arguments& a, const call_types& types, const options& opts);

} // namespace v0_1_0
} // namespace upsweep::detail

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/call/segment_call_inl.hpp>
#endif
