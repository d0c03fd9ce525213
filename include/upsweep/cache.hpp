// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/version.hpp>

#include <string>

namespace upsweep {
inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Turns the cache of program binaries on disk off for this process, or on again. It is on at first. May be called at
/// any time from any thread; programs that are in use stay as they are.
///
/// The cache spares later processes the compiling of kernels. The environment variable `UPSWEEP_CACHE=off` turns it off
/// whatever a program says. Files may be deleted at any time.
UPSWEEP_DECLARED void use_binary_cache(bool use);

/// Where program binaries are kept, as the text of a path: the environment variable `UPSWEEP_CACHE_DIR`, else "upsweep"
/// in the user's cache folder (`XDG_CACHE_HOME` or ~/.cache; ~/Library/Caches on macOS; `LOCALAPPDATA` on Windows).
/// Empty when the cache is off or no folder is known; then nothing is read or written.
///
/// Binaries are run as they are read, so a folder of one's own choice should be writable by oneself only.
UPSWEEP_DECLARED std::string binary_cache_folder();

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/values/cache_inl.hpp>
#endif
