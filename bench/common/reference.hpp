// SPDX-License-Identifier: MIT
#pragma once

#include "host_memory.hpp"

#include <functional>
#include <optional>
#include <string>

namespace bench {

/// Copies `count` result elements from `offset` on to `into`.
template <class T>
using reader = std::function<void(std::uint64_t offset, std::uint64_t count, T* into)>;

template <class T>
bool is_poison(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    return std::all_of(std::begin(bytes), std::end(bytes), [](unsigned char b) { return b == poison_byte; });
}

inline std::string wrong_element(std::uint64_t i) {
    return "wrong result: element " + std::to_string(i);
}

/// `before`, then input elements `range` one after another.
template <class T, class Op>
T append_input(T before, index_range range) {
    for (std::uint64_t i = range.begin; i < range.end; ++i) before = Op{}(before, input_element<T>(i));
    return before;
}

/// Input elements of consecutive ranges, each added up by a thread: no input's sum depends on where it is cut
/// (elements.hpp). Returns what each range has before it, and `before` and all of them at last.
template <class T, class Op>
std::vector<T> sums_before(const std::vector<index_range>& ranges, T before) {
    std::vector<T> sums(ranges.size() + 1, before);
    in_parallel(ranges.size(),
                [&](std::size_t i) { sums[i + 1] = append_input<T, Op>(Op::template identity<T>(), ranges[i]); });
    for (std::size_t i = 1; i < sums.size(); ++i) sums[i] = Op{}(sums[i - 1], sums[i]);
    return sums;
}

/// The first element in which a scan's result, from index range.begin on, differs from the plain loop.
template <class T, class Op>
std::optional<std::uint64_t> first_difference(const T* result, index_range range, T running, bool exclusive) {
    for (std::uint64_t i = range.begin; i < range.end; ++i) {
        const T before = running;
        running = Op{}(running, input_element<T>(i));
        if (!(*result++ == (exclusive ? before : running))) return i;
    }
    return std::nullopt;
}

/// Compares a scan of the first n input elements, all of them, with the plain loop, which the host's threads share, and
/// looks at the element behind it. Inclusive without an initial value, or exclusive from the identity. Returns what is
/// wrong, or "".
template <class T, class Op>
std::string check_scan(std::uint64_t n, bool exclusive, const reader<T>& read) {
    std::vector<T> result(static_cast<std::size_t>(std::min(n, piece_elements)));
    T running = Op::template identity<T>();
    for (std::uint64_t begin = 0; begin < n; begin += piece_elements) {
        const std::uint64_t end = std::min(n, begin + piece_elements);
        read(begin, end - begin, result.data());
        const std::vector<index_range> ranges = split_for_threads(begin, end);
        const std::vector<T> before = sums_before<T, Op>(ranges, running);
        std::vector<std::optional<std::uint64_t>> wrong(ranges.size());
        in_parallel(ranges.size(), [&](std::size_t i) {
            wrong[i] =
                first_difference<T, Op>(result.data() + (ranges[i].begin - begin), ranges[i], before[i], exclusive);
        });
        for (const auto& found : wrong)
            if (found) return wrong_element(*found);
        running = before.back();
    }
    T behind{};
    read(n, 1, &behind);
    return is_poison(behind) ? "" : "wrong result: wrote behind the output";
}

template <class T, class Op>
std::string check_reduce(std::uint64_t n, const reader<T>& read) {
    const T expected = sums_before<T, Op>(split_for_threads(0, n), Op::template identity<T>()).back();
    T result[2];
    read(0, 2, result);
    if (!is_poison(result[1])) return "wrong result: wrote behind the output";
    return result[0] == expected ? "" : wrong_element(0);
}

} // namespace bench
