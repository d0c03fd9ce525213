// SPDX-License-Identifier: MIT
// Segments for tests, and their scans on the host.
#pragma once

#include "canonical.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace test {

/// x -> a * x + b, which do not commute, with integers that wrap.
struct affine {
    std::uint32_t a;
    std::uint32_t b;
    std::uint32_t c; ///< always 7: an odd number of words
};

template <class T>
struct flagged {
    T value;
    bool head;
};

/// What a scan gives by the definition in segments.hpp, on the host.
template <class T, class In, class Combine>
std::vector<T> segments_on_host(const std::vector<In>& x, const std::vector<bool>& heads, Combine combine,
                                const T* init, bool exclusive) {
    std::vector<flagged<T>> in, scanned(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const T value = static_cast<T>(x[i]);
        in.push_back({heads[i] && init ? combine(*init, value) : value, heads[i]});
    }
    upsweep::reference::inclusive_scan(in.begin(), in.end(), scanned.begin(), [&](flagged<T> left, flagged<T> right) {
        return right.head ? right : flagged<T>{combine(left.value, right.value), left.head};
    });
    std::vector<T> out;
    for (std::size_t i = 0; i < x.size(); ++i)
        out.push_back(!exclusive ? scanned[i].value : heads[i] ? *init : scanned[i - 1].value);
    return out;
}

/// Lengths of segments, n elements in all.
inline std::vector<std::size_t> lengths(std::size_t n, const std::string& kind, std::uint32_t seed) {
    std::vector<std::size_t> result;
    for (std::size_t left = n; left > 0; left -= result.back()) {
        seed = seed * 1664525U + 1013904223U;
        std::size_t length = 1;
        if (kind == "one") length = n;
        if (kind == "tiles") length = 127 + result.size() % 3; // the edges of tiles and runs, one off either way
        if (kind == "random") length = std::size_t{1} << (seed >> 24) % 11;
        if (kind == "giant") length = result.size() == 40 ? n / 2 : 1 + (seed >> 28);
        result.push_back(std::min(length, left));
    }
    return result;
}

/// Where segments of `width` elements each begin.
inline std::vector<bool> heads_of_rows(std::size_t n, std::size_t width) {
    std::vector<bool> heads(n);
    for (std::size_t i = 0; i < n; i += width) heads[i] = true;
    return heads;
}

/// Offsets that break the rules, of segments of n elements.
inline std::vector<std::uint32_t> wrong_offsets(std::size_t n, std::uint32_t seed) {
    std::vector<std::uint32_t> wrong;
    std::uint32_t x = seed;
    for (std::size_t k = 0; k < 5000; ++k) {
        x = x * 1664525U + 1013904223U;
        wrong.push_back(seed % 2 == 0 ? x : (x >> 8) % static_cast<std::uint32_t>(2 * n));
    }
    return wrong;
}

inline std::vector<bool> heads_of(const std::vector<std::size_t>& all) {
    std::vector<bool> heads;
    for (const std::size_t length : all)
        for (std::size_t i = 0; i < length; ++i) heads.push_back(i == 0);
    return heads;
}

/// Where these segments begin, and the end of the last: their offsets.
inline std::vector<std::uint32_t> begins_of(const std::vector<bool>& heads) {
    std::vector<std::uint32_t> begins;
    for (std::size_t i = 0; i < heads.size(); ++i)
        if (heads[i]) begins.push_back(static_cast<std::uint32_t>(i));
    begins.push_back(static_cast<std::uint32_t>(heads.size()));
    return begins;
}

/// Keys of these segments: neighbours differ, others may be equal.
template <class Key>
std::vector<Key> keys_of(const std::vector<bool>& heads) {
    std::vector<Key> keys;
    std::uint32_t key = 1;
    for (const bool head : heads) keys.push_back(static_cast<Key>((key += head ? 1 : 0) % 3));
    return keys;
}

} // namespace test

template <>
struct upsweep::type<test::affine> {
    static constexpr const char* name = "affine";
    static constexpr const char* definition = "typedef struct { uint a, b, c; } affine;";
};
