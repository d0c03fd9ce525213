#pragma once

#include "host_memory.hpp"

#include <functional>
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

/// Compares a scan of the first n input elements, piece by piece, with the plain loop, and looks at the element behind
/// it. Inclusive without an initial value, or exclusive from the identity. Returns what is wrong, or "".
template <class T, class Op>
std::string check_scan(std::uint64_t n, bool exclusive, const reader<T>& read) {
    constexpr std::uint64_t piece = std::uint64_t{1} << 22;
    const std::vector<T>& input = host<T>().input(n);
    std::vector<T> result(static_cast<std::size_t>(std::min(n + 1, piece)));
    T running = Op::template identity<T>();
    for (std::uint64_t begin = 0; begin <= n; begin += piece) {
        const std::uint64_t count = std::min(piece, n + 1 - begin);
        read(begin, count, result.data());
        for (std::uint64_t i = begin; i < begin + count; ++i) {
            const T& got = result[static_cast<std::size_t>(i - begin)];
            if (i == n) return is_poison(got) ? "" : "wrong result: wrote behind the output";
            const T before = running;
            running = Op{}(running, input[static_cast<std::size_t>(i)]);
            if (!(got == (exclusive ? before : running))) return wrong_element(i);
        }
    }
    return "";
}

template <class T, class Op>
std::string check_reduce(std::uint64_t n, const reader<T>& read) {
    const std::vector<T>& input = host<T>().input(n);
    T expected = Op::template identity<T>();
    for (std::uint64_t i = 0; i < n; ++i) expected = Op{}(expected, input[static_cast<std::size_t>(i)]);
    T result[2];
    read(0, 2, result);
    if (!is_poison(result[1])) return "wrong result: wrote behind the output";
    return result[0] == expected ? "" : wrong_element(0);
}

} // namespace bench
