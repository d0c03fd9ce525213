// SPDX-License-Identifier: MIT
#pragma once

// Element types, inputs and operators that every side of a comparison uses; no OpenCL and no CUDA in here.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__CUDACC__)
#define BENCH_HOST_DEVICE __host__ __device__
#else
#define BENCH_HOST_DEVICE
#endif

namespace bench {

/// x -> scale * x + shift, modulo 2^32: eight bytes, and composing two of them is associative but not commutative.
struct affine {
    std::uint32_t scale;
    std::uint32_t shift;

    friend BENCH_HOST_DEVICE bool operator==(const affine& a, const affine& b) {
        return a.scale == b.scale && a.shift == b.shift;
    }
};

/// The name of a type in a benchmark's name.
template <class T>
constexpr const char* type_name() {
    if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
    if constexpr (std::is_same_v<T, std::uint16_t>) return "uint16";
    if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
    if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
    if constexpr (std::is_same_v<T, float>) return "float";
    if constexpr (std::is_same_v<T, double>) return "double";
    if constexpr (std::is_same_v<T, affine>) return "affine";
}

/// Element i of the input. Numbers are small and even out, so that no sum of up to 2^30 of them overflows an int32 or
/// is rounded in a float: every side has one right answer, whatever order it adds in.
template <class T>
BENCH_HOST_DEVICE T input_element(std::uint64_t i) {
    auto hash = static_cast<std::uint32_t>(i ^ (i >> 32)) * 2654435761U;
    hash ^= hash >> 16;
    hash *= 2246822519U;
    hash ^= hash >> 13;
    if constexpr (std::is_same_v<T, affine>)
        return {hash | 1U, hash ^ 0x5bd1e995U};
    else if constexpr (std::is_class_v<T>)
        return T::from_hash(hash);
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(hash & 15U) - static_cast<T>(7.5);
    else
        return static_cast<T>(static_cast<std::int32_t>(hash & 15U) - 8);
}

struct sum {
    template <class T>
    BENCH_HOST_DEVICE T operator()(const T& left, const T& right) const {
        return static_cast<T>(left + right);
    }
    template <class T>
    static constexpr T identity() {
        return T{};
    }
};

struct larger {
    template <class T>
    BENCH_HOST_DEVICE T operator()(const T& left, const T& right) const {
        return left < right ? right : left;
    }
    template <class T>
    static constexpr T identity() {
        return std::numeric_limits<T>::lowest();
    }
};

/// `left` first, then `right`.
struct compose {
    BENCH_HOST_DEVICE affine operator()(const affine& left, const affine& right) const {
        return {right.scale * left.scale, right.scale * left.shift + right.shift};
    }
    template <class T>
    static constexpr T identity() {
        return {1, 0};
    }
};

/// Calls `visit(T{}, Op{}, operation suffix)` for every benchmarked combination of type and operator.
template <class Visit>
void for_each_combination(Visit visit) {
    visit(std::int32_t{}, sum{}, "");
    visit(std::int32_t{}, larger{}, "_maximum");
    visit(std::uint8_t{}, sum{}, "");
    visit(std::uint16_t{}, sum{}, "");
    visit(float{}, sum{}, "");
    visit(std::int64_t{}, sum{}, "");
    visit(double{}, sum{}, "");
    visit(affine{}, compose{}, "");
}

} // namespace bench
