// SPDX-License-Identifier: MIT
#pragma once

// Checks of large results by their beginning and their end, and the rows that are checked so. No OpenCL and no CUDA.

#include "costly_elements.hpp"
#include "reference.hpp"
#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace bench {

/// Up to so many elements a result is checked as a whole.
constexpr std::uint64_t checked_whole = std::uint64_t{1} << 22;
/// Of a larger one, so many at its beginning and at its end.
constexpr std::uint64_t window_elements = std::uint64_t{1} << 16;

/// 2^exponent, or 2^UPSWEEP_BENCH_MAX_LOG2 where that is less.
inline std::uint64_t limited_size(unsigned exponent) {
    const char* text = std::getenv("UPSWEEP_BENCH_MAX_LOG2");
    const auto most = text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : exponent;
    return std::uint64_t{1} << std::min(exponent, most);
}

/// What is checked of n results: all of them, or both ends.
inline std::vector<index_range> windows(std::uint64_t n) {
    if (n <= checked_whole) return {{0, n}};
    return {{0, window_elements}, {n - window_elements, n}};
}

/// Compares results with what is expected of them: `expected(i)` is asked for rising i.
/// @param capacity  of the output: what lies behind n results must be untouched, also one element behind the output
template <class T, class Expected>
std::string check_results(std::uint64_t n, const reader<T>& read, Expected expected) {
    std::vector<T> result;
    for (const index_range window : windows(n)) {
        result.resize(static_cast<std::size_t>(window.end - window.begin));
        if (!result.empty()) read(window.begin, window.end - window.begin, result.data());
        for (std::uint64_t i = window.begin; i < window.end; ++i)
            if (!(result[static_cast<std::size_t>(i - window.begin)] == expected(i))) return wrong_element(i);
    }
    std::vector<T> behind(1);
    read(n, 1, behind.data());
    return is_poison(behind[0]) ? "" : "wrong result: wrote behind the output";
}

/// Sums that stand for a device's: log_sum_exp in double, all others as they are.
template <class T, class Op>
using exact_sum = std::conditional_t<std::is_same_v<Op, log_sum_exp>, double, T>;

/// What `check_results` compares with.
template <class T, class Op>
struct expected_sum {
    exact_sum<T, Op> value;
};

template <class T, class Op>
bool is_right(const T& result, const exact_sum<T, Op>& expected) {
    if constexpr (std::is_same_v<Op, log_sum_exp>)
        return std::abs(static_cast<double>(result) - expected) < (sizeof(T) == 4 ? 1e-3 : 1e-9);
    else
        return result == expected;
}

template <class T, class Op>
bool operator==(const T& result, const expected_sum<T, Op>& expected) {
    return is_right<T, Op>(result, expected.value);
}

/// Input elements of a range, one after another, by all threads.
template <class In, class Out, class Op>
exact_sum<Out, Op> sum_of_input(index_range range) {
    using sum_type = exact_sum<Out, Op>;
    const std::vector<index_range> ranges = split_for_threads(range.begin, range.end);
    std::vector<sum_type> sums(ranges.size(), Op::template identity<sum_type>());
    in_parallel(ranges.size(), [&](std::size_t share) {
        sum_type sum = sums[share];
        for (std::uint64_t i = ranges[share].begin; i < ranges[share].end; ++i)
            sum = Op{}(sum, static_cast<sum_type>(input_element<In>(i)));
        sums[share] = sum;
    });
    sum_type sum = Op::template identity<sum_type>();
    for (const sum_type& share : sums) sum = Op{}(sum, share);
    return sum;
}

/// Compares a scan of n input elements from element `first` on with the plain loop.
template <class In, class Out, class Op>
std::string check_scan_windows(std::uint64_t first, std::uint64_t n, bool exclusive, const reader<Out>& read) {
    using sum_type = exact_sum<Out, Op>;
    sum_type running = Op::template identity<sum_type>();
    std::uint64_t next = 0;
    return check_results<Out>(n, read, [&](std::uint64_t i) {
        if (i > next) running = Op{}(running, sum_of_input<In, Out, Op>({first + next, first + i}));
        next = i + 1;
        const sum_type before = running;
        running = Op{}(running, static_cast<sum_type>(input_element<In>(first + i)));
        return expected_sum<Out, Op>{exclusive ? before : running};
    });
}

template <class In, class Out, class Op>
std::string check_reduce_of(std::uint64_t first, std::uint64_t n, const reader<Out>& read) {
    Out result[2];
    read(0, 2, result);
    if (!is_poison(result[1])) return "wrong result: wrote behind the output";
    return is_right<Out, Op>(result[0], sum_of_input<In, Out, Op>({first, first + n})) ? "" : wrong_element(0);
}

/// The host's clock over up to 20 calls and one wait, per call: the median of as many samples as take 20 ms, 1 to 10.
inline double seconds_per_call(const std::function<double(int)>& host_seconds) {
    constexpr double enough = 0.02;
    const double once = host_seconds(1);
    const int calls = static_cast<int>(std::clamp(enough / once, 1.0, static_cast<double>(calls_per_sample)));
    if (calls == 1) return once;
    std::vector<double> samples;
    for (double spent = 0; samples.empty() || (spent < enough && samples.size() < 10); spent += samples.back() * calls)
        samples.push_back(host_seconds(calls));
    std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2), samples.end());
    return samples[samples.size() / 2];
}

/// A row whose whole result is checked for a smaller input, and the beginning and the end of it for its own.
inline void add_window_row(const std::string& name, std::uint64_t bytes, std::uint64_t n,
                           std::function<prepared_call(std::uint64_t)> prepare) {
    auto checked = std::make_shared<bool>(n <= checked_whole);
    add_row(name, bytes, [=] {
        if (!*checked) {
            const prepared_call call = prepare(checked_whole);
            call.poison();
            call.run();
            const std::string wrong = call.check();
            if (!wrong.empty()) throw std::runtime_error(wrong + " of " + std::to_string(checked_whole));
            *checked = true;
        }
        return prepare(n);
    })->Iterations(1);
}

} // namespace bench
