// One include for both Catch2 generations: v2 is what Debian 12 packages, v3 what Ubuntu 24.04 does.
// Tests write Catch::Approx and Catch::Matchers::ContainsSubstring, the names of v3.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>

#include <string>

namespace Catch {
using Detail::Approx;

namespace Matchers {
inline auto ContainsSubstring(const std::string& text) {
    return Contains(text);
}
} // namespace Matchers
} // namespace Catch
#endif
