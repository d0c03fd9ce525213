// SPDX-License-Identifier: MIT
#pragma once

// What the tests of the canonical order share: input in which every change of order shows, everything that the library
// computes of it on the device and on the host, and the ways to ask for it.

#include <upsweep/reference.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <cstring>
#include <functional>
#include <vector>

namespace test {

/// The same numbers everywhere (splitmix64, S. Vigna): of both signs and of many magnitudes, so that every change of
/// order shows.
template <class T>
std::vector<T> numbers(std::size_t n, std::uint64_t seed) {
    std::vector<T> result(n);
    for (T& x : result) {
        seed += 0x9e3779b97f4a7c15;
        std::uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        z ^= z >> 31;
        const auto magnitude = static_cast<T>(std::uint64_t{1} << (z & 15));
        x = static_cast<T>(static_cast<std::int32_t>(z >> 32)) / (magnitude * static_cast<T>(65536));
    }
    return result;
}

/// FNV-1a over bytes.
template <class T>
std::uint64_t hash_of(const T* values, std::size_t count) {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto* bytes = reinterpret_cast<const unsigned char*>(values);
    for (std::size_t i = 0; i < count * sizeof(T); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Whether an array begins with these values and nothing else of it was written.
template <class T>
void check_begins(const guarded_array<T>& out, const std::vector<T>& expected) {
    std::vector<T> values = out.values();
    values.resize(expected.size());
    CHECK(same_bits(values, expected));
    CHECK(out.untouched_outside(expected.size()));
}

/// Everything that the library computes of `input`, one array behind the other.
template <class T>
std::vector<T> on_device(const std::vector<T>& input, const upsweep::options& o = {}) {
    std::vector<T> out(2 * input.size() + 2);
    const auto n = static_cast<std::ptrdiff_t>(input.size());
    upsweep::exclusive_scan(queue(), input.begin(), input.end(), out.begin(), T{3}, upsweep::plus{}, o);
    upsweep::inclusive_scan(queue(), input.begin(), input.end(), out.begin() + n, upsweep::plus{}, o);
    out[2 * input.size()] = upsweep::reduce(queue(), input.begin(), input.end(), T{5}, upsweep::plus{}, o);
    out[2 * input.size() + 1] =
        upsweep::reduce(queue(), input.begin(), input.end(), upsweep::no_init, upsweep::plus{}, o);
    return out;
}

template <class T>
std::vector<T> on_host(const std::vector<T>& input) {
    std::vector<T> out(2 * input.size() + 2);
    const auto n = static_cast<std::ptrdiff_t>(input.size());
    namespace reference = upsweep::reference;
    reference::exclusive_scan(input.begin(), input.end(), out.begin(), T{3}, std::plus<>{});
    reference::inclusive_scan(input.begin(), input.end(), out.begin() + n, std::plus<>{});
    out[2 * input.size()] = reference::reduce(input.begin(), input.end(), T{5}, std::plus<>{});
    out[2 * input.size() + 1] = reference::reduce(input.begin(), input.end(), upsweep::no_init, std::plus<>{});
    return out;
}

/// Left open on GPUs, asked for elsewhere.
inline upsweep::options in_sub_groups() {
    upsweep::options o;
    o.algorithm = upsweep::tile_algorithm::sub_group;
    return o;
}

/// What GPUs without sub-groups are given.
inline upsweep::options in_tiles(std::uint32_t work_items, std::uint32_t items,
                                 upsweep::tile_loading loading = upsweep::tile_loading::automatic) {
    upsweep::options o;
    o.strategy = upsweep::strategy::reduce_then_scan;
    o.work_items = work_items;
    o.items = items;
    o.loading = loading;
    return o;
}

/// What CPUs without 64-bit atomics are given for scans.
inline upsweep::options in_chunks(std::uint32_t chunks) {
    upsweep::options o;
    o.strategy = upsweep::strategy::chunked;
    o.work_items = 1;
    o.work_groups = chunks;
    return o;
}

} // namespace test
