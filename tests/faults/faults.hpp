// SPDX-License-Identifier: MIT
// Every OpenCL call of this program passes through functions of the same names here, which count it, keep the balance
// of handles, and can make one of them fail. Link faults.cpp and interposed.cpp into the program; calls of the loader
// and of drivers among themselves are not seen.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace faults {

/// Kinds of handles whose references are counted. (Those of root devices mean nothing to OpenCL.)
enum class kind { context, queue, program, kernel, memory, event };
constexpr std::size_t kinds = 6;
const char* to_string(kind k);

/// References that this program holds: made or retained, and not yet released.
struct balance {
    long references[kinds] = {};
    friend bool operator==(const balance& a, const balance& b) {
        for (std::size_t i = 0; i < kinds; ++i)
            if (a.references[i] != b.references[i]) return false;
        return true;
    }
};
std::string to_string(const balance& b);
balance live_handles();

/// Releases of handles to which this program held no reference, since the program began.
long excess_releases();

/// Starts noting calls. The `fail_at`-th one, counted from 0, does nothing and reports `status`; a release still
/// releases, and only reports it. Earlier notes are forgotten.
/// @param name counts only calls of this function; null: all
void watch(std::size_t fail_at, cl_int status, const char* name = nullptr);
constexpr std::size_t never = static_cast<std::size_t>(-1);

/// Ends it.
/// @return the names of the calls noted, in their order
std::vector<std::string> stop();

/// The memory objects that were given to kernels while calls were noted. Handles only: they are not retained.
std::set<cl_mem> buffers_of_kernels();

/// Bytes that one kernel was given as arguments, at most, while calls were noted: by value, all of them together.
std::size_t largest_arguments();

/// Makes the next launch of a kernel a command that fails later on: it is never run. (A user event that fails would do
/// the same, but PoCL 3.1 aborts on those.)
/// @param is_known  whether its event tells so at once; else it never does
void fail_next_launch_later(bool is_known);

/// From now on devices answer this question so; no bytes: as they do.
void answer(cl_device_info what, const std::string& bytes);

/// From now on launches are refused whose work-groups have more work-items.
void limit_work_groups(std::size_t most);

/// From now on the compiler gets `rewrite(text)` for each text; an empty function: the text as it is.
void rewrite_sources(std::function<std::string(const std::string&)> rewrite);

} // namespace faults
