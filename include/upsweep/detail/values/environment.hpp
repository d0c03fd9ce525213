// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>

#include <cstdlib>
#include <string_view>

namespace upsweep::detail {

/// An environment variable; empty when it is not set.
UPSWEEP_INLINE std::string_view environment(const char* name) {
#if defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4996) // what it proposes instead is no standard function
#endif
    const char* value = std::getenv(name);
#if defined(_MSC_VER)
#pragma warning(pop)
#endif
    return value ? std::string_view(value) : std::string_view();
}

/// Whether the value of an environment variable turns off what the variable names, whatever the program asks for.
UPSWEEP_INLINE bool is_off(std::string_view value) {
    return value == "off" || value == "0";
}

} // namespace upsweep::detail
