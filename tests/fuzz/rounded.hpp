// SPDX-License-Identifier: MIT
// Sums and products that are rounded at every step: compared with a reference of higher precision, within the bound
// that holds for any order of operations.
#pragma once

#include "numbers.hpp"

namespace fuzz {

/// What a result may be: value - tolerance .. value + tolerance.
struct bounded {
    long double value;
    long double tolerance;
};

/// n - 1 roundings of a relative error of at most u each add up to no more than n * u, and a little for the square
/// terms; a sum has it relative to the sum of the absolute values, a product relative to itself.
template <class T, class Op>
class bound {
public:
    void append(T x) {
        const auto wide = static_cast<long double>(x);
        constexpr bool sums = std::is_same<Op, upsweep::plus>::value;
        value_ = count_ == 0 ? wide : sums ? value_ + wide : value_ * wide;
        magnitude_ += std::fabs(wide);
        ++count_;
    }
    bounded get() const {
        constexpr bool sums = std::is_same<Op, upsweep::plus>::value;
        const long double unit = std::numeric_limits<T>::epsilon(); // twice u
        const long double scale = sums ? magnitude_ : std::fabs(value_);
        return {value_, static_cast<long double>(count_ - 1) * unit * scale};
    }

private:
    long double value_ = 0;
    long double magnitude_ = 0;
    std::size_t count_ = 0;
};

/// float or double of any fraction, under plus or multiplies.
template <class T, class Op>
struct rounded_numbers {
    using in = T;
    using out = T;
    using bound_type = bound<T, Op>;
    static constexpr bool approximate = true;
    static constexpr need needs = need_of<T>;

    static Op op() { return {}; }
    static std::string name() { return std::string(upsweep::type<T>::name) + ", rounded " + Op::name; }
    static T combine(T left, T right) { return fuzz::combine(left, right, Op{}); }

    static std::vector<T> fill(dice& d, std::size_t n) {
        std::vector<T> values(n);
        double level = 1;
        for (T& x : values) {
            if (std::is_same<Op, upsweep::plus>::value) {
                x = static_cast<T>(std::ldexp(d.fraction() - 0.5, d.between(-12, 12)));
            } else { // products of neighbours stay between 1/4 and 4
                const double next = 0.5 + 1.5 * d.fraction();
                x = static_cast<T>(next / level);
                level = next;
            }
        }
        return values;
    }
    static T init(dice& d, const T*) { return static_cast<T>(0.25 + d.fraction()); }
};

} // namespace fuzz
