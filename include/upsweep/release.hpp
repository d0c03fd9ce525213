// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/version.hpp>

#include <type_traits>

namespace upsweep {
inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Forgets what the library keeps for a context, so that it can be destroyed: programs, idle scratch buffers, events of
/// calls that are done, and memory and queues of streamed calls. Calls that are under way and plans keep what they use.
/// With nullptr: those of all contexts.
UPSWEEP_DECLARED void release_cached(cl_context context = nullptr);

} // namespace UPSWEEP_VERSION_NAMESPACE

/// The same of the bindings' context.
template <class Context, class = std::enable_if_t<std::is_same<Context, cl::Context>::value>>
void release_cached(const Context& context) {
    release_cached(context());
}

} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/streamed/release_inl.hpp>
#endif
