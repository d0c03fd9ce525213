#pragma once

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace upsweep {

namespace detail {

inline std::atomic<bool>& binary_cache_wanted() {
    static std::atomic<bool> wanted{true};
    return wanted;
}

/// An environment variable; empty when it is not set.
inline std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? std::string_view(value) : std::string_view();
}

/// Whether the value of an environment variable turns off what the variable names, whatever the program asks for.
inline bool is_off(std::string_view value) {
    return value == "off" || value == "0";
}

/// The folder where this user's programs keep what they can make again; empty where none is known.
inline std::filesystem::path user_cache_folder() {
#if defined(_WIN32)
    return environment("LOCALAPPDATA");
#else
    // The XDG rules: a folder that is no absolute path counts as not set.
    const std::filesystem::path chosen = environment("XDG_CACHE_HOME");
    if (chosen.is_absolute()) return chosen;
    const std::filesystem::path home = environment("HOME");
    if (!home.is_absolute()) return {};
#if defined(__APPLE__)
    return home / "Library" / "Caches";
#else
    return home / ".cache";
#endif
#endif
}

} // namespace detail

/// Turns the cache of program binaries on disk off for this process, or on again. It is on at first. May be called at
/// any time from any thread; programs that are in use stay as they are.
///
/// The cache spares later processes the compiling of kernels. The environment variable `UPSWEEP_CACHE=off` turns it off
/// whatever a program says. Files may be deleted at any time.
inline void use_binary_cache(bool use) {
    detail::binary_cache_wanted() = use;
}

/// Where program binaries are kept: the environment variable `UPSWEEP_CACHE_DIR`, else "upsweep" in the user's cache
/// folder (`XDG_CACHE_HOME` or ~/.cache; ~/Library/Caches on macOS; `LOCALAPPDATA` on Windows). Empty when the cache is
/// off or no folder is known; then nothing is read or written.
///
/// Binaries are run as they are read, so a folder of one's own choice should be writable by oneself only.
inline std::filesystem::path binary_cache_folder() {
    if (!detail::binary_cache_wanted() || detail::is_off(detail::environment("UPSWEEP_CACHE"))) return {};
    const std::filesystem::path chosen = detail::environment("UPSWEEP_CACHE_DIR");
    if (!chosen.empty()) return chosen;
    const std::filesystem::path folder = detail::user_cache_folder();
    return folder.empty() ? folder : folder / "upsweep";
}

} // namespace upsweep
