// SPDX-License-Identifier: MIT
// One include for both Catch2 generations: v2 is what Debian 12 packages, v3 what Ubuntu 24.04 does.
// Tests write Catch::Approx and Catch::Matchers::ContainsSubstring, the names of v3.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>

namespace Catch {
using Detail::Approx;

namespace Matchers {
inline auto ContainsSubstring(const std::string& text) {
    return Contains(text);
}
} // namespace Matchers
} // namespace Catch
#endif

namespace test {

/// Says that this device lacks what the test is about; tests/matrix.py counts it as skipped, not as passed.
inline void skip(const std::string& why) {
    WARN("skipped: " << why);
}

/// Says that a part of the test needs what this device lacks; tests/matrix.py notes it.
inline void leave_out(const std::string& what) {
    WARN("left out: " << what);
}

} // namespace test
