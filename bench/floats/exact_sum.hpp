// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

/// A sum of doubles as an unevaluated sum of two, by the error-free addition of D. E. Knuth (The Art of Computer
/// Programming, volume 2, section 4.2.2): for n numbers its error is about n * 2^-106 of their absolute values' sum, so
/// it counts as exact beside sums in float and in double. Compile without fast-math.
class exact_sum {
public:
    void add(double x) {
        const double low = add_exactly(high_, x);
        low_ += low;
        const double rest = add_exactly(high_, low_);
        low_ = rest;
    }
    double value() const { return high_ + low_; }
    /// The sum less `approximation`, which is near to it.
    double minus(double approximation) const { return (high_ - approximation) + low_; }

private:
    /// sum += x. @return what rounding took away
    static double add_exactly(double& sum, double x) {
        const double before = sum;
        sum = before + x;
        const double part = sum - before;
        return (before - (sum - part)) + (x - part);
    }

    double high_ = 0;
    double low_ = 0;
};
