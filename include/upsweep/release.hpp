// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/version.hpp>

namespace upsweep {
inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Forgets the programs, idle scratch buffers and events of calls that are done that the library keeps for a context,
/// so that it can be destroyed. Calls that are under way and plans keep what they use. With nullptr: those of all
/// contexts.
void release_cached(cl_context context = nullptr);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/run/release_inl.hpp>
#endif
