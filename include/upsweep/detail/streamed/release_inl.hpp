// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/event_keeper.hpp>
#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/streamed/staging.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/release.hpp>

namespace upsweep {
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED void release_cached(cl_context context) {
    detail::workspace_pool_of<UPSWEEP_LATER>::get().release(context);
    detail::staging_pool_of<UPSWEEP_LATER>::get().release(context);
    detail::event_keeper_of<UPSWEEP_LATER>::get().release(context);
    detail::program_cache<UPSWEEP_LATER>::get().release(context);
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep
