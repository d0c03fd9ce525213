// SPDX-License-Identifier: MIT
// Random draws that are the same on every platform, which the distributions of the standard library are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace fuzz {

/// One stream of draws for every (seed, stream): a case is drawn again without those before it.
class dice {
public:
    dice(std::uint64_t seed, std::uint64_t stream)
        : engine_(mix(mix(seed) + stream)) {}

    std::uint64_t bits() { return engine_(); }
    /// 0 .. count - 1
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
    /// first .. last
    int between(int first, int last) {
        return first + static_cast<int>(below(static_cast<std::size_t>(last - first) + 1));
    }
    bool once_in(std::size_t count) { return below(count) == 0; }
    /// 0 <= x < 1
    double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    template <class T>
    T pick(std::initializer_list<T> choices) {
        return choices.begin()[below(choices.size())];
    }

private:
    static std::uint64_t mix(std::uint64_t x) { // splitmix64: nearby seeds give unrelated streams
        x += 0x9e3779b97f4a7c15U;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }

    std::mt19937_64 engine_;
};

} // namespace fuzz
