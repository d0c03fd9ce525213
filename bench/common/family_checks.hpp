// SPDX-License-Identifier: MIT
#pragma once

// What the family's results have to be. No OpenCL and no CUDA.

#include "family_inputs.hpp"
#include "windows.hpp"

namespace bench {

/// The result of a reduction, and the poison behind it.
inline std::string check_value(std::int32_t expected, const reader<std::int32_t>& read) {
    return check_results<std::int32_t>(1, read, [=](std::uint64_t) { return expected; });
}

inline std::string check_count(std::uint64_t expected, const reader<std::uint32_t>& read) {
    std::uint32_t count = 0;
    read(0, 1, &count);
    if (count == expected) return "";
    return "wrong count: " + std::to_string(count) + ", not " + std::to_string(expected);
}

template <class Term>
std::uint32_t sum_of_terms(std::uint64_t n, Term term) {
    const std::vector<index_range> ranges = split_for_threads(0, n);
    std::vector<std::uint32_t> sums(ranges.size());
    in_parallel(ranges.size(), [&](std::size_t share) {
        std::uint32_t sum = 0;
        for (std::uint64_t i = ranges[share].begin; i < ranges[share].end; ++i) sum += term(i);
        sums[share] = sum;
    });
    std::uint32_t sum = 0;
    for (const std::uint32_t share : sums) sum += share;
    return sum;
}

/// Of the elements that are chosen: how many there are, the first ones and the last ones, each in their order.
template <class T>
struct selection {
    std::uint64_t count = 0;
    std::vector<T> first;
    std::vector<T> last;

    /// The one that comes i-th.
    T at(std::uint64_t i) const {
        return i < first.size() ? first[static_cast<std::size_t>(i)]
                                : last[static_cast<std::size_t>(i - (count - last.size()))];
    }
};

template <class T, class Chosen>
selection<T> select_values(std::uint64_t n, Chosen chosen) {
    selection<T> made;
    made.count = sum_of_terms(n, [&](std::uint64_t i) { return chosen(i) ? 1U : 0U; });
    const std::uint64_t most = made.count <= checked_whole ? made.count : window_elements;
    for (std::uint64_t i = 0; made.first.size() < most; ++i)
        if (chosen(i)) made.first.push_back(value_at<T>(i));
    for (std::uint64_t i = n; made.last.size() < most; --i)
        if (chosen(i - 1)) made.last.push_back(value_at<T>(i - 1));
    std::reverse(made.last.begin(), made.last.end());
    return made;
}

template <class T>
std::string check_selection(const selection<T>& expected, const reader<T>& read) {
    return check_results<T>(expected.count, read, [&](std::uint64_t i) { return expected.at(i); });
}

/// A partition of n elements: those chosen in their order, then the others in theirs or, as CUB has them, backwards.
template <class T>
std::string check_partition(std::uint64_t n, const selection<T>& chosen, const selection<T>& others, bool backwards,
                            const reader<T>& read) {
    return check_results<T>(n, read, [&](std::uint64_t i) {
        if (i < chosen.count) return chosen.at(i);
        return others.at(backwards ? n - 1 - i : i - chosen.count);
    });
}

/// One value for each segment: `expected(k)`.
template <class T, class Expected>
std::string check_segments(const segment_list& list, const reader<T>& read, Expected expected) {
    return check_results<T>(list.size() - 1, read, expected);
}

template <class T>
std::string check_segment_sums(const segment_list& list, const reader<T>& read) {
    return check_segments(list, read, [&](std::uint64_t k) {
        return static_cast<T>(
            sum_of_values<T>(list[static_cast<std::size_t>(k)], list[static_cast<std::size_t>(k) + 1]));
    });
}

template <class Key>
std::string check_run_keys(const segment_list& runs, const reader<Key>& read) {
    return check_segments(runs, read, key_of_run<Key>);
}

inline std::string check_run_lengths(const segment_list& runs, const reader<std::int32_t>& read) {
    return check_segments(runs, read, [&](std::uint64_t k) {
        return static_cast<std::int32_t>(runs[static_cast<std::size_t>(k) + 1] - runs[static_cast<std::size_t>(k)]);
    });
}

/// A scan of n values, each segment on its own.
template <class T>
std::string check_segment_scan(const segment_list& list, std::uint64_t n, bool exclusive, const reader<T>& read) {
    std::size_t segment = list.size();
    std::uint64_t running = 0;
    std::uint64_t next = 0;
    return check_results<T>(n, read, [&](std::uint64_t i) {
        if (segment == list.size() || i > next) {
            segment = segment_of(list, i);
            running = sum_of_values<T>(list[segment], i);
        }
        if (i == list[segment + 1]) {
            ++segment;
            running = 0;
        }
        next = i + 1;
        const std::uint64_t before = running;
        running += static_cast<std::uint64_t>(value_at<T>(i));
        return static_cast<T>(exclusive ? before : running);
    });
}

/// The first of the smallest of n values.
inline std::uint64_t place_of_smallest(std::uint64_t n) {
    std::uint64_t place = 0;
    for (std::uint64_t i = 0; i < n && value_at(place) > 0; ++i)
        if (value_at(i) < value_at(place)) place = i;
    return place;
}

} // namespace bench
