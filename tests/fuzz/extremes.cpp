// SPDX-License-Identifier: MIT
// Searches for extremes, count_if and transform_reduce.
#include "family.hpp"

#include <limits>
#include <string>
#include <vector>

namespace fuzz {

namespace {

/// Numbers with equals, zeros of both signs and NaN.
template <class T>
std::vector<T> draw_comparable(family_case& c) {
    std::vector<T> x = c.values<T>(c.n);
    if constexpr (std::is_floating_point<T>::value) {
        const std::size_t nans = c.d.pick<std::size_t>({1, 2, 1000, 1U << 30});
        for (T& e : x) {
            if (e == 0 && c.d.once_in(2)) e = -e;
            if (c.d.once_in(nans)) e = std::numeric_limits<T>::quiet_NaN();
            if (c.d.once_in(1000)) e = std::numeric_limits<T>::infinity();
        }
    }
    return x;
}

template <class T>
std::size_t place_of_extremum(const std::vector<T>& x, bool largest) {
    std::size_t found = x.size();
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] != x[i]) continue;
        if (found == x.size() || (largest ? x[i] > x[found] : x[i] < x[found])) found = i;
    }
    return found == x.size() ? 0 : found; // the first, where there are only NaN
}

template <class T, class Index>
void check_extremum(const upsweep::extremum<T, Index>& actual, const std::vector<T>& x, bool largest) {
    const std::size_t at = place_of_extremum(x, largest);
    const Index index = x.empty() ? actual.none : static_cast<Index>(at);
    const T value = x.empty() ? T{} : x[at];
    if (actual.index != index)
        throw failure("found at " + std::to_string(actual.index) + ", should be at " + std::to_string(index));
    if (std::memcmp(&actual.value, &value, sizeof value) != 0)
        throw failure("found " + hex(actual.value) + ", should be " + hex(value));
}

/// @param what  0: the smallest, 1: the largest, 2: both
template <class T, class Index>
outcome run_extremes(family_case& c, int what, bool counted) {
    std::vector<T> x = draw_comparable<T>(c);
    auto view = upsweep::transform<T>("a", c.memory.put(x));
    if (counted) {
        const auto few = static_cast<std::uint32_t>(c.d.below(c.n + 2));
        c.note("first " + std::to_string(few));
        view = upsweep::first(view, c.memory.put(std::vector<std::uint32_t>{few}));
        x.resize(std::min<std::size_t>(few, c.n));
    }
    const auto one = c.memory.room<upsweep::extremum<T, Index>>(what < 2 ? 1 : 0);
    const auto both = c.memory.room<upsweep::extrema<T, Index>>(what < 2 ? 0 : 1);
    const bool by_plan = c.draws_plan();
    const bool ran = c.runs([&] {
        if (by_plan) {
            if (what == 0) upsweep::min_element_plan<T, Index>(c.queue, view, c.opts).min_element(c.queue, view, one);
            if (what == 1) upsweep::max_element_plan<T, Index>(c.queue, view, c.opts).max_element(c.queue, view, one);
            if (what == 2)
                upsweep::minmax_element_plan<T, Index>(c.queue, view, c.opts).minmax_element(c.queue, view, both);
            return;
        }
        if (what == 0) upsweep::min_element(c.queue, view, one, {}, c.opts);
        if (what == 1) upsweep::max_element(c.queue, view, one, {}, c.opts);
        if (what == 2) upsweep::minmax_element(c.queue, view, both, {}, c.opts);
    });
    if (!ran) return outcome::refused;
    if (what < 2) {
        check_extremum(c.memory.first_of(one), x, what == 1);
    } else {
        const auto found = c.memory.first_of(both);
        check_extremum(found.smallest, x, false);
        check_extremum(found.largest, x, true);
    }
    return outcome::right;
}

template <class T, class Index>
family_call draw_extremes(dice& d, std::string& description) {
    const int what = d.between(0, 2);
    const bool counted = d.once_in(4);
    description += std::string(what == 0   ? ", smallest"
                               : what == 1 ? ", largest"
                                           : ", both") +
                   (counted ? ", counted" : "");
    return [=](family_case& c) { return run_extremes<T, Index>(c, what, counted); };
}

/// count_if to the device or to the host, or an inner product.
outcome run_count(family_case& c, int what) {
    const std::vector<std::int32_t> x = c.values<std::int32_t>(c.n), y = c.values<std::int32_t>(what < 2 ? 0 : c.n);
    const auto in = c.memory.put(x);
    const auto second = c.memory.put(y);
    const auto result = c.memory.room<std::int32_t>(what == 1 ? 0 : 1);
    std::uint64_t on_host = 0;
    const bool by_plan = what == 0 && c.draws_plan();
    const bool ran = c.runs([&] {
        using plan = upsweep::count_if_plan<std::int32_t, std::int32_t>;
        if (by_plan) return void(plan(c.queue, in, "a > (int)(i % 3)", c.opts).count_if(c.queue, in, result));
        if (what == 0) upsweep::count_if(c.queue, in, result, "a > (int)(i % 3)", {}, c.opts);
        if (what == 1) on_host = upsweep::count_if(c.queue, in, "a > (int)(i % 3)", {}, c.opts);
        if (what == 2) upsweep::transform_reduce(c.queue, in, second, result, 5, upsweep::plus{}, "a * b", {}, c.opts);
    });
    if (!ran) return outcome::refused;
    std::int32_t expected = what == 2 ? 5 : 0;
    for (std::size_t i = 0; i < c.n; ++i) expected += what == 2 ? x[i] * y[i] : x[i] > static_cast<std::int32_t>(i % 3);
    if (what == 1 && on_host != static_cast<std::uint64_t>(expected)) throw failure("another count");
    if (what != 1) c.memory.expect(result, {expected});
    return outcome::right;
}

family_call draw_count(dice& d, std::string& description) {
    const int what = d.between(0, 2);
    description += what == 0 ? ", count_if" : what == 1 ? ", count_if to the host" : ", inner product";
    return [what](family_case& c) { return run_count(c, what); };
}

} // namespace

void add_extremes(std::vector<family_member>& all) {
    all.push_back({"extremes of float", draw_extremes<float, std::uint64_t>});
    all.push_back({"extremes of int, short index", draw_extremes<std::int32_t, std::uint32_t>});
    all.push_back({"counts", draw_count});
}

} // namespace fuzz
