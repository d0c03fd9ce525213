// SPDX-License-Identifier: MIT
#pragma once

// Structs of several sizes and operators of several costs, for every side of a comparison. Results are exact whatever
// the order of combination is, but for log_sum_exp.

#include "elements.hpp"

#include <cmath>

namespace bench {

/// A struct of so many words, added one by one.
template <int Count>
struct words {
    std::uint32_t word[Count];

    static BENCH_HOST_DEVICE words from_hash(std::uint32_t hash) {
        words made{};
        for (int i = 0; i < Count; ++i) made.word[i] = hash + static_cast<std::uint32_t>(i) * 0x9e3779b9U;
        return made;
    }
    friend BENCH_HOST_DEVICE bool operator==(const words& a, const words& b) {
        for (int i = 0; i < Count; ++i)
            if (a.word[i] != b.word[i]) return false;
        return true;
    }
};

struct add_words {
    template <int Count>
    BENCH_HOST_DEVICE words<Count> operator()(const words<Count>& left, const words<Count>& right) const {
        words<Count> made{};
        for (int i = 0; i < Count; ++i) made.word[i] = left.word[i] + right.word[i];
        return made;
    }
    template <class T>
    static constexpr T identity() {
        return T{};
    }
};

/// log(exp(left) + exp(right)) without overflow.
struct log_sum_exp {
    template <class T>
    BENCH_HOST_DEVICE T operator()(const T& left, const T& right) const {
        const T high = left < right ? right : left;
        const T low = left < right ? left : right;
        return high + std::log1p(std::exp(low - high));
    }
    /// Finite, because the difference of two infinities is none.
    template <class T>
    static constexpr T identity() {
        return static_cast<T>(-1e30);
    }
};

/// A 2 x 2 matrix modulo a prime.
struct modular_matrix {
    std::uint32_t a, b, c, d;

    static constexpr std::uint32_t prime = 998244353;

    static BENCH_HOST_DEVICE modular_matrix from_hash(std::uint32_t hash) {
        return {hash % prime, (hash ^ 0x5bd1e995U) % prime, (hash * 3U) % prime, (hash + 0x9e3779b9U) % prime};
    }
    friend BENCH_HOST_DEVICE bool operator==(const modular_matrix& x, const modular_matrix& y) {
        return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
    }
};

struct multiply_modular {
    static BENCH_HOST_DEVICE std::uint32_t entry(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        return static_cast<std::uint32_t>((std::uint64_t{a} * b + std::uint64_t{c} * d) % modular_matrix::prime);
    }
    BENCH_HOST_DEVICE modular_matrix operator()(const modular_matrix& x, const modular_matrix& y) const {
        return {entry(x.a, y.a, x.b, y.c), entry(x.a, y.b, x.b, y.d), entry(x.c, y.a, x.d, y.c),
                entry(x.c, y.b, x.d, y.d)};
    }
    template <class T>
    static constexpr T identity() {
        return {1, 0, 0, 1};
    }
};

/// A 4 x 4 matrix. The input's have one entry of 1 or -1 in each row and each column, so their products are exact.
struct matrix4 {
    float m[16];

    static BENCH_HOST_DEVICE matrix4 from_hash(std::uint32_t hash) {
        matrix4 made{};
        unsigned column[4] = {0, 1, 2, 3};
        for (unsigned row = 0; row < 4; ++row) {
            const unsigned other = row + (hash >> (4 * row)) % (4 - row);
            const unsigned chosen = column[other];
            column[other] = column[row];
            column[row] = chosen;
            made.m[4 * row + chosen] = (hash >> (16 + row) & 1U) != 0 ? -1.0F : 1.0F;
        }
        return made;
    }
    friend BENCH_HOST_DEVICE bool operator==(const matrix4& x, const matrix4& y) {
        for (int i = 0; i < 16; ++i)
            if (!(x.m[i] == y.m[i])) return false;
        return true;
    }
};

struct multiply4 {
    BENCH_HOST_DEVICE matrix4 operator()(const matrix4& x, const matrix4& y) const {
        matrix4 made{};
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column) {
                float sum = 0;
                for (int k = 0; k < 4; ++k) sum += x.m[4 * row + k] * y.m[4 * k + column];
                made.m[4 * row + column] = sum;
            }
        return made;
    }
    template <class T>
    static constexpr T identity() {
        return {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    }
};

/// x -> scale * x + shift in floats. The input's scales are 1 or -1, so compositions are exact.
struct affine_float {
    float scale;
    float shift;

    static BENCH_HOST_DEVICE affine_float from_hash(std::uint32_t hash) {
        return {(hash & 16U) != 0 ? -1.0F : 1.0F, static_cast<float>(hash & 15U) - 7.5F};
    }
    friend BENCH_HOST_DEVICE bool operator==(const affine_float& a, const affine_float& b) {
        return a.scale == b.scale && a.shift == b.shift;
    }
};

/// `left` first, then `right`.
struct compose_float {
    BENCH_HOST_DEVICE affine_float operator()(const affine_float& left, const affine_float& right) const {
        return {right.scale * left.scale, right.scale * left.shift + right.shift};
    }
    template <class T>
    static constexpr T identity() {
        return {1, 0};
    }
};

} // namespace bench
