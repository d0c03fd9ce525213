// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/event_keeper.hpp>
#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/streamed/staging.hpp>
#include <upsweep/release.hpp>

#include <mutex>

#if defined(UPSWEEP_COMPILED)
#define UPSWEEP_FUNCTION
#else
#define UPSWEEP_FUNCTION inline
#endif

namespace upsweep {
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_FUNCTION void release_cached(cl_context context) {
    detail::workspace_pool::get().release(context);
    detail::staging_pool::get().release(context);
    detail::event_keeper::get().release(context);
    detail::program_cache& cache = detail::program_cache::get();
    const std::lock_guard<std::mutex> guard(cache.lock);
    cache.release(context);
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#undef UPSWEEP_FUNCTION
