// SPDX-License-Identifier: MIT
#pragma once

// What is measured, whatever measures it. No OpenCL and no benchmark library in here.

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One call of one library on arrays that are in place.
struct prepared_call {
    std::function<void()> poison;            ///< fills the output with `poison_byte`
    std::function<void()> run;               ///< one call, waited for
    std::function<std::string()> check;      ///< "" when the output is right
    std::function<double()> seconds;         ///< one measurement: seconds per call
    std::function<double(int)> host_seconds; ///< by the host's clock over so many calls and one wait, per call
};

/// The clock, the same for every device library: below this many elements the host's, over `calls_per_sample` calls
/// enqueued and one wait; from there on the device's own time stamps around one call.
constexpr std::uint64_t device_clock_from = std::uint64_t{1} << 27;
constexpr int calls_per_sample = 20;

/// The exponents of the problem sizes: 10 up to UPSWEEP_BENCH_MAX_LOG2, or else `usual`, as far as two arrays of such
/// elements fit in `bytes`.
inline std::vector<unsigned> size_exponents(unsigned usual, std::uint64_t element_size, std::uint64_t bytes) {
    const char* text = std::getenv("UPSWEEP_BENCH_MAX_LOG2");
    const auto most = text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : usual;
    std::vector<unsigned> exponents;
    for (unsigned e = 10; e <= most && e < 40; ++e)
        if ((element_size << e) <= bytes / 2) exponents.push_back(e);
    return exponents;
}

} // namespace bench
