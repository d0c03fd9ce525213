// SPDX-License-Identifier: MIT
// Tuning entries that last as long as a test.
#pragma once

#include <upsweep/upsweep.hpp>

#include "environment.hpp"
#include "internals.hpp"

#include <sstream>
#include <string>

namespace test {

/// No entry is loaded within the scope but those that the test loads, and none is left behind.
struct clean_tuning {
    environment_variable variable{"UPSWEEP_TUNING", ""};

    clean_tuning() { upsweep::unload_tuning(); }
    ~clean_tuning() { upsweep::unload_tuning(); }
};

/// A line of a tuning file that is right.
inline const std::string usual = "device=gpu operation=scan operator=exact size=4 n=2^16..2^24 work_items=128 items=32";

/// Loads lines of a tuning file, which errors call "test"; the first is line 2.
inline void load(const std::string& lines) {
    std::istringstream in("upsweep tuning 1\n" + lines);
    upsweep::load_tuning(in, "test");
}

} // namespace test
