// SPDX-License-Identifier: MIT
#pragma once

// Inputs of the family's rows, for every side of a comparison: what is element i is computed from i alone, so the input
// of n elements is the beginning of that of more. No OpenCL and no CUDA.

#include "elements.hpp"
#include "parallel.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace bench {

inline std::uint32_t mixed(std::uint64_t i, std::uint32_t salt) {
    auto hash = (static_cast<std::uint32_t>(i) ^ salt) * 2654435761U;
    hash ^= hash >> 16;
    hash *= 2246822519U;
    hash ^= hash >> 13;
    hash *= 3266489917U;
    return hash ^ (hash >> 16);
}

/// Values are below this: a float has the sum of a run or a row exactly.
template <class T>
constexpr std::uint32_t values_below = std::is_same_v<T, std::int32_t> ? 1000 : 100;

/// Whole numbers from 0 on, evenly.
template <class T = std::int32_t>
T value_at(std::uint64_t i) {
    return static_cast<T>(std::uint64_t{mixed(i, 1)} * values_below<T> >> 32);
}
/// The value that so many percent of them are below.
template <class T>
constexpr T percentile(int percent) {
    return static_cast<T>(values_below<T> / 100 * static_cast<std::uint32_t>(percent));
}
/// The dot product's other array; of other types than int32 what a plain scan adds up exactly.
template <class T = std::int32_t>
T other_at(std::uint64_t i) {
    if constexpr (std::is_same_v<T, std::int32_t>)
        return static_cast<T>(mixed(i, 2) >> 22);
    else
        return input_element<T>(i);
}
/// Every other element, by chance.
inline std::uint8_t flag_at(std::uint64_t i) {
    return static_cast<std::uint8_t>(mixed(i, 3) >> 31);
}
/// The key of run r; those of neighbours differ, whatever the type.
template <class Key>
Key key_of_run(std::uint64_t r) {
    return static_cast<Key>(static_cast<std::int32_t>(static_cast<std::uint32_t>(r) * 2654435761U));
}

/// Where segments begin, and the number of elements at last.
using segment_list = std::vector<std::uint32_t>;

/// Lengths from 1 to twice the average.
inline segment_list random_segments(std::uint64_t n, std::uint32_t average) {
    segment_list list;
    for (std::uint64_t begin = 0, r = 0; begin < n; begin += 1 + mixed(r, average) % (2 * average - 1), ++r)
        list.push_back(static_cast<std::uint32_t>(begin));
    list.push_back(static_cast<std::uint32_t>(n));
    return list;
}

inline segment_list equal_segments(std::uint64_t n, std::uint64_t width) {
    segment_list list;
    for (std::uint64_t begin = 0; begin < n; begin += width) list.push_back(static_cast<std::uint32_t>(begin));
    list.push_back(static_cast<std::uint32_t>(n));
    return list;
}

/// One segment of half the elements, in the middle.
/// @param average  length of the others
inline segment_list one_giant(std::uint64_t n, std::uint32_t average) {
    segment_list list = random_segments(n, average);
    const auto inside = [n](std::uint32_t begin) { return begin > n / 4 && begin < n / 4 * 3; };
    list.erase(std::remove_if(list.begin(), list.end(), inside), list.end());
    return list;
}

/// A million empty segments, or as many as a sixteenth of the elements, among others of ten on average.
/// @param together  one behind the other, else everywhere
inline segment_list many_empty(std::uint64_t n, bool together) {
    const segment_list others = random_segments(n, 10);
    const std::uint64_t empty = std::min(n / 16, std::uint64_t{1} << 20);
    const std::uint64_t every = others.size() / empty;
    segment_list list;
    for (std::size_t k = 0; k < others.size(); ++k) {
        list.push_back(others[k]);
        if (together && k == others.size() / 2) list.insert(list.end(), static_cast<std::size_t>(empty), others[k]);
        if (!together && k % every == every / 2) list.push_back(others[k]);
    }
    return list;
}

/// From none to four elements each, as the rows of sparse matrices.
inline segment_list short_or_empty(std::uint64_t n) {
    segment_list list;
    for (std::uint64_t begin = 0, r = 0; begin < n; begin += mixed(r, 5) % 5, ++r)
        list.push_back(static_cast<std::uint32_t>(begin));
    list.push_back(static_cast<std::uint32_t>(n));
    return list;
}

/// Segments by the name of their distribution: "2", "10", "1000", "giant", "giant1000", "empty", "short_or_empty",
/// "rows64" ...
inline segment_list segments_named(const std::string& name, std::uint64_t n) {
    if (name == "giant" || name == "giant1000") return one_giant(n, name == "giant" ? 10 : 1000);
    if (name == "short_or_empty") return short_or_empty(n);
    if (name == "empty" || name == "empty_together") return many_empty(n, name == "empty_together");
    if (name.substr(0, 4) == "rows") return equal_segments(n, std::stoull(name.substr(4)));
    return random_segments(n, static_cast<std::uint32_t>(std::stoul(name)));
}

/// The segment, none of which is empty, that element i belongs to.
inline std::size_t segment_of(const segment_list& list, std::uint64_t i) {
    return static_cast<std::size_t>(std::upper_bound(list.begin(), list.end(), static_cast<std::uint32_t>(i)) -
                                    list.begin()) -
           1;
}

/// As a whole number, which in the type of the values is exact or wraps around.
template <class T>
std::uint64_t sum_of_values(std::uint64_t begin, std::uint64_t end) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = begin; i < end; ++i) sum += static_cast<std::uint64_t>(value_at<T>(i));
    return sum;
}

/// The keys of elements from `begin` on.
template <class Key>
void make_keys(const segment_list& runs, std::uint64_t begin, std::uint64_t count, Key* into) {
    std::size_t run = segment_of(runs, begin);
    for (std::uint64_t i = begin; i < begin + count; ++i) {
        while (runs[run + 1] <= i) ++run;
        into[i - begin] = key_of_run<Key>(run);
    }
}

} // namespace bench
