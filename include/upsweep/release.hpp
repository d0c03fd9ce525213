#pragma once

#include <upsweep/detail/opencl/event_keeper.hpp>
#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/run/workspace.hpp>

namespace upsweep {

/// Forgets the programs, idle scratch buffers and events of calls that are done that the library keeps for a context,
/// so that it can be destroyed. Calls that are under way and plans keep what they use. With nullptr: those of all
/// contexts.
inline void release_cached(cl_context context = nullptr) {
    detail::workspace_pool::get().release(context);
    detail::event_keeper::get().release(context);
    detail::program_cache& cache = detail::program_cache::get();
    const std::lock_guard<std::mutex> guard(cache.lock);
    cache.release(context);
}

} // namespace upsweep
