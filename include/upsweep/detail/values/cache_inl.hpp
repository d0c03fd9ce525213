// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/cache.hpp>
#include <upsweep/detail/values/environment.hpp>
#include <upsweep/detail/values/files.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/shared_value.hpp>

#include <string>

namespace upsweep {
namespace detail {

UPSWEEP_INLINE shared_value<bool>& binary_cache_wanted() {
    static auto* const wanted = new shared_value<bool>(true); // never destroyed: see shared_value
    return *wanted;
}

/// The folder where this user's programs keep what they can make again; empty where none is known.
UPSWEEP_INLINE std::string user_cache_folder() {
#if defined(_WIN32)
    return std::string(environment("LOCALAPPDATA"));
#else
    // The XDG rules: a folder that is no absolute path counts as not set.
    const auto is_absolute = [](const std::string& folder) { return !folder.empty() && folder.front() == '/'; };
    std::string chosen(environment("XDG_CACHE_HOME"));
    if (is_absolute(chosen)) return chosen;
    const std::string home(environment("HOME"));
    if (!is_absolute(home)) return {};
#if defined(__APPLE__)
    return path_in(home, "Library/Caches");
#else
    return path_in(home, ".cache");
#endif
#endif
}

} // namespace detail

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED void use_binary_cache(bool use) {
    detail::binary_cache_wanted() = use;
}

UPSWEEP_DEFINED std::string binary_cache_folder() {
    if (!detail::binary_cache_wanted() || detail::is_off(detail::environment("UPSWEEP_CACHE"))) return {};
    std::string chosen(detail::environment("UPSWEEP_CACHE_DIR"));
    if (!chosen.empty()) return chosen;
    const std::string folder = detail::user_cache_folder();
    return folder.empty() ? folder : detail::path_in(folder, "upsweep");
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep
