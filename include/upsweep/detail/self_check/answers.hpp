#pragma once

#include <upsweep/detail/self_check/subject.hpp>
#include <upsweep/reference.hpp>

#include <cfloat>
#include <cstring>
#include <limits>
#include <vector>

namespace upsweep::detail {

/// A problem and its solution, as bytes.
struct known_answers {
    std::vector<unsigned char> elements; ///< n
    std::vector<unsigned char> init;     ///< one value
    std::vector<unsigned char> before;   ///< n + 1 values: init and the first i elements combined
    std::vector<unsigned char> through;  ///< n values: the first i + 1 elements combined
};

/// SplitMix64 (G. Steele, D. Lea, C. Flood 2014): the same numbers wherever the check runs.
inline std::uint64_t scramble(std::uint64_t i) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// Writes a whole number as a value of that class.
inline void write_number(value_class c, std::uint64_t x, unsigned char* to) {
    const auto put = [&](auto value) { std::memcpy(to, &value, sizeof value); };
    if (c.kind == number_kind::floating) {
        if (c.size == 2) return put(half(static_cast<float>(x)));
        if (c.size == 4) return put(static_cast<float>(x));
        return put(static_cast<double>(x));
    }
    if (c.size == 1) return put(static_cast<std::uint8_t>(x));
    if (c.size == 2) return put(static_cast<std::uint16_t>(x));
    if (c.size == 4) return put(static_cast<std::uint32_t>(x));
    put(x);
}

/// Whole numbers small enough that no sum of 2^21 of them is rounded, nor overflows a signed integer, wherever the
/// device's kernels convert them.
inline std::uint64_t small_number(const check_subject& s, std::uint64_t i) {
    const std::uint64_t x = scramble(i);
    if (s.value.kind == number_kind::floating) return s.value.size == 2 ? (x % 2048 == 0 ? 1 : 0) : x % 8;
    const std::size_t size = (std::min)(s.element.size, s.value.size);
    if (s.element.kind != number_kind::integer || size < 4) return x % 128;
    return x % (std::uint64_t{1} << (size == 4 ? 9 : 40));
}

/// Sums of whole numbers: the same in any order.
inline known_answers answers_of_sums(const check_subject& s, std::uint64_t n) {
    const std::size_t size = s.value.size;
    known_answers a;
    a.elements.resize(static_cast<std::size_t>(n) * s.element.size);
    a.init.resize(size);
    a.before.resize(static_cast<std::size_t>(n + 1) * size);
    a.through.resize(static_cast<std::size_t>(n) * size);
    constexpr std::uint64_t init = 3;
    write_number(s.value, init, a.init.data());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i <= n; ++i) {
        write_number(s.value, init + sum, &a.before[i * size]);
        if (i == n) break;
        const std::uint64_t x = small_number(s, i);
        sum += x;
        write_number(s.element, x, &a.elements[i * s.element.size]);
        write_number(s.value, sum, &a.through[i * size]);
    }
    return a;
}

/// What `word_body` computes.
inline std::uint64_t compose_words(std::uint64_t left, std::uint64_t right, std::size_t bits) {
    const std::size_t half_bits = bits / 2;
    const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
    const std::uint64_t a = ((left & mask) * (right & mask)) & mask;
    const std::uint64_t b = ((right & mask) * (left >> half_bits) + (right >> half_bits)) & mask;
    return a | (b << half_bits);
}

/// The same for maps, word by word: order shows, rounding does not exist.
inline known_answers answers_of_words(const check_subject& s, std::uint64_t n) {
    const value_class word{number_kind::integer, word_size(s.value)};
    const std::size_t words = s.value.size / word.size;
    const std::uint64_t all = word.size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * word.size) - 1;
    const bool converts = !(s.element == s.value);
    known_answers a;
    a.elements.resize(static_cast<std::size_t>(n) * s.element.size);
    a.init.resize(s.value.size);
    a.before.resize(static_cast<std::size_t>(n + 1) * s.value.size);
    a.through.resize(static_cast<std::size_t>(n) * s.value.size);
    for (std::size_t w = 0; w < words; ++w) {
        const auto at = [&](std::size_t i) { return i * s.value.size + w * word.size; };
        std::uint64_t before = (scramble(w) & (converts ? 127 : all)) | 1U;
        std::uint64_t through = 1; // x -> x
        write_number(word, before, &a.init[at(0)]);
        for (std::size_t i = 0; i <= n; ++i) {
            write_number(word, before, &a.before[at(i)]);
            if (i == n) break;
            const std::uint64_t x = (scramble(words + i * words + w) & (converts ? 127 : all)) | 1U;
            before = compose_words(before, x, 8 * word.size);
            through = compose_words(through, x, 8 * word.size);
            write_number(converts ? s.element : word, x, &a.elements[converts ? i * s.element.size : at(i)]);
            write_number(word, through, &a.through[at(i)]);
        }
    }
    return a;
}

/// Whether the host computes as its own reference has to: that cannot be asked of programs compiled with fast-math.
inline bool host_keeps_bits() {
#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
    return false;
#else
    // Linking with fast-math is enough to make a process flush denormals.
    volatile float smallest = std::numeric_limits<float>::denorm_min();
    volatile float one = 1.0F;
    const volatile float twice = smallest + smallest;
    const volatile float rounded = one + std::numeric_limits<float>::epsilon() / 2;
    return twice > 0.0F && rounded == 1.0F;
#endif
}

/// Sums that are rounded at nearly every step, in the canonical order.
template <class T>
known_answers answers_of_rounding(const check_subject& s, std::uint64_t n) {
    std::vector<T> elements(static_cast<std::size_t>(n) + 1);
    for (std::size_t i = 0; i <= n; ++i) { // of either sign, and of sizes from 2^-8 to 2^8
        const std::uint64_t x = scramble(i);
        const T mantissa = static_cast<T>(x >> 12) / static_cast<T>(std::uint64_t{1} << 52) + T{1};
        const T scale = static_cast<T>(1U << (x & 15U)) / T{256};
        elements[i] = (x & 16U) != 0 ? -mantissa * scale : mantissa * scale;
    }
    const bool scales = scales_left(s, true);
    const auto combine = [scales](T left, T right) {
        const volatile T product = scales ? left * static_cast<T>(left_factor) : left; // volatile: never fused
        return product + right;
    };
    const T init = static_cast<T>(1) / static_cast<T>(3);
    std::vector<T> before(elements.size());
    std::vector<T> through(elements.size() - 1);
    reference::exclusive_scan(elements.begin(), elements.end(), before.begin(), init, combine);
    reference::inclusive_scan(elements.begin(), elements.end() - 1, through.begin(), combine);
    elements.pop_back();
    const auto bytes = [](const std::vector<T>& values) {
        std::vector<unsigned char> all(values.size() * sizeof(T));
        if (!all.empty()) std::memcpy(all.data(), values.data(), all.size());
        return all;
    };
    return {bytes(elements), bytes({init}), bytes(before), bytes(through)};
}

/// @param bits  whether rounding and the order of combination are to show, which takes the canonical order
inline known_answers answers_of(const check_subject& s, std::uint64_t n, bool bits) {
    if (uses_words(s)) return answers_of_words(s, n);
    if (bits && s.value.size == 4) return answers_of_rounding<float>(s, n);
    if (bits) return answers_of_rounding<double>(s, n);
    return answers_of_sums(s, n);
}

} // namespace upsweep::detail
