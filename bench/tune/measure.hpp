// SPDX-License-Identifier: MIT
#pragma once

// Preparing, checking and timing one candidate against another.

#include "../common/upsweep_side.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune {

using upsweep::detail::operation;

/// The result of a candidate was not the host's: the library or the driver is at fault, never the search.
class wrong_result : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A call on n elements that are in place, its result compared with the host's element by element, with poison in the
/// output before and an untouched element behind it after.
/// @throws upsweep::error where the device refuses it, wrong_result where the result is wrong
template <class T>
bench::prepared_call prepare_checked(operation op, std::uint64_t n, const upsweep::options& choices) {
    const bench::prepared_call call = op == operation::scan ? bench::upsweep_scan<T, bench::sum>(n, choices)
                                                            : bench::upsweep_reduce<T, bench::sum>(n, choices);
    call.poison();
    call.run();
    const std::string wrong = call.check();
    if (!wrong.empty()) throw wrong_result(wrong);
    return call;
}

/// One measurement, by the benchmarks' clock, but of fewer calls where they are long: seconds per call.
inline double sample(const bench::prepared_call& call, std::uint64_t n, int calls) {
    return n >= bench::device_clock_from ? call.seconds() : call.host_seconds(calls);
}

/// As many calls as take 4 ms, at most the benchmarks' number.
inline int calls_for(const bench::prepared_call& call) {
    const double once = std::max(1e-9, call.host_seconds(1));
    return std::max(1, static_cast<int>(std::min<double>(bench::calls_per_sample, 4e-3 / once)));
}

inline double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

/// Two calls, measured in turn: whatever else the machine does meets both.
struct duel {
    std::vector<double> ratios; ///< the default's time through the candidate's, per pair
    std::vector<double> default_seconds;
    std::vector<double> seconds;

    double ratio() const { return quantile(ratios, 0.5); }
    /// What three pairs of four show at least.
    double sure_ratio() const { return quantile(ratios, 0.25); }
};

inline duel measure_in_turn(const bench::prepared_call& usual, const bench::prepared_call& candidate, std::uint64_t n,
                            int pairs) {
    const int calls = calls_for(usual);
    duel d;
    for (int i = 0; i < pairs; ++i) {
        double a = 0;
        double b = 0;
        if (i % 2 == 0) a = sample(usual, n, calls);
        b = sample(candidate, n, calls);
        if (i % 2 != 0) a = sample(usual, n, calls);
        d.default_seconds.push_back(a);
        d.seconds.push_back(b);
        d.ratios.push_back(a / b);
    }
    return d;
}

} // namespace tune
