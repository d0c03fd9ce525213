// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/self_check/subject.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/reference.hpp>

#include <cfloat>
#include <cstring>
#include <limits>
#include <vector>

namespace upsweep::detail {

/// A problem and its solution, as bytes.
struct known_answers {
    std::vector<unsigned char> elements; ///< n
    std::vector<unsigned char> before; ///< n + 1 values: the initial value, then that and the first i elements combined
    std::vector<unsigned char> through; ///< n values: the first i + 1 elements combined
};

/// SplitMix64 (G. Steele, D. Lea, C. Flood 2014): the same numbers wherever the check runs.
UPSWEEP_INLINE std::uint64_t scramble(std::uint64_t i) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// Writes a number, which must be one that the class has, as a value of that class.
template <class T>
void write_number(value_class c, T x, unsigned char* to) {
    const auto put = [&](auto value) { std::memcpy(to, &value, sizeof value); };
    const bool floats = c.kind == number_kind::floating;
    if (c.size == 1) return put(static_cast<std::uint8_t>(x));
    if (c.size == 2) return floats ? put(half(static_cast<float>(x))) : put(static_cast<std::uint16_t>(x));
    if (c.size == 4) return floats ? put(static_cast<float>(x)) : put(static_cast<std::uint32_t>(x));
    return floats ? put(static_cast<double>(x)) : put(static_cast<std::uint64_t>(x));
}

/// Scalars of one type as bytes, or structs all of whose words are the same number.
class scalars {
public:
    UPSWEEP_INLINE scalars(value_class type, std::uint64_t n)
        : type_(type)
        , bytes_(static_cast<std::size_t>(n) * type.size, poison) {}

    UPSWEEP_INLINE void put(std::uint64_t i, std::uint64_t number) {
        const value_class part = part_of(type_);
        const std::size_t begin = static_cast<std::size_t>(i) * type_.size;
        for (std::size_t at = 0; at < type_.size; at += part.size) write_number(part, number, &bytes_[begin + at]);
    }
    const std::vector<unsigned char>& bytes() const { return bytes_; }

    static constexpr unsigned char poison = 0xa5;

private:
    value_class type_;
    std::vector<unsigned char> bytes_;
};

/// Whole numbers small enough that no sum of 2^21 of them is rounded, nor overflows a signed integer, wherever the
/// device's kernels convert them.
UPSWEEP_INLINE std::uint64_t small_number(const check_subject& s, std::uint64_t i) {
    const std::uint64_t x = scramble(i);
    if (s.value.kind == number_kind::floating) return s.value.size == 2 ? (x % 2048 == 0 ? 1 : 0) : x % 8;
    const std::size_t size = (std::min)(s.element.size, s.value.size);
    if (s.element.kind != number_kind::integer || size < 4) return x % 128;
    return x % (std::uint64_t{1} << (size == 4 ? 9 : 40));
}

/// What check_operator.cl computes of single words in any order.
UPSWEEP_INLINE std::uint64_t compose_words(std::uint64_t left, std::uint64_t right, std::size_t bits) {
    const std::size_t half_bits = bits / 2;
    const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
    const std::uint64_t a = ((left & mask) * (right & mask)) & mask;
    const std::uint64_t b = ((right & mask) * (left >> half_bits) + (right >> half_bits)) & mask;
    return a | (b << half_bits);
}

/// Whether the host computes as its own reference has to: that cannot be asked of programs compiled with fast-math.
UPSWEEP_INLINE bool host_keeps_bits() {
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

/// Of either sign, of sizes from 2^-8 to 2^8, and with so many bits that nearly every sum is rounded.
template <class T>
T long_number(std::uint64_t i) {
    const std::uint64_t x = scramble(i);
    const T mantissa = static_cast<T>(x >> 12) / static_cast<T>(std::uint64_t{1} << 52) + T{1};
    const T scale = static_cast<T>(1U << (x & 15U)) / T{256};
    return (x & 16U) != 0 ? -mantissa * scale : mantissa * scale;
}

/// The number of a value that stands for one place in each element.
template <class T>
T number_of(T x) {
    return x;
}

/// Fills in the answers for the numbers of one place in each element: a scalar, or one of a struct's words.
/// @param element  gives the value of element i
/// @param combine  of such values, whose number is the place's
template <class T, class Element, class Combine>
void solve(known_answers& a, const check_subject& s, std::size_t place, T init, const Element& element,
           const Combine& combine) {
    std::vector<T> elements(a.elements.size() / s.element.size);
    std::vector<T> before(elements.size() + 1);
    std::vector<T> through(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = element(i);
    reference::inclusive_scan(elements.begin(), elements.end(), through.begin(), combine);
    before[0] = init;
    reference::inclusive_scan(elements.begin(), elements.end(), before.begin() + 1, combine, init);
    const auto write = [&](const std::vector<T>& values, value_class type, std::vector<unsigned char>& to) {
        const value_class part = part_of(type);
        for (std::size_t i = 0; i < values.size(); ++i)
            write_number(part, number_of(values[i]), &to[i * type.size + place * part.size]);
    };
    write(elements, s.element, a.elements);
    write(before, s.value, a.before);
    write(through, s.value, a.through);
}

/// Sums of whole numbers: the same in any order.
UPSWEEP_INLINE void solve_sums(known_answers& a, const check_subject& s) {
    const auto plus = [](std::uint64_t left, std::uint64_t right) { return left + right; };
    solve(
        a, s, 0, std::uint64_t{3}, [&](std::uint64_t i) { return small_number(s, i); }, plus);
}

/// The map x -> factor x + sum modulo 2^64, and so modulo the range of any word.
struct word_map {
    std::uint64_t factor, sum;
};
UPSWEEP_INLINE std::uint64_t number_of(word_map m) {
    return m.sum;
}

/// Maps, composed: their order shows, rounding does not exist. Of several words the first is the factor.
UPSWEEP_INLINE void solve_maps(known_answers& a, const check_subject& s) {
    const std::size_t words = words_in(s);
    const auto word = [&](std::uint64_t i, std::size_t w) { return scramble(i * words + w); };
    const auto multiply = [](std::uint64_t left, std::uint64_t right) { return left * right; };
    solve(
        a, s, 0, word(0, 0) | 1U, [&](std::uint64_t i) { return word(i + 1, 0) | 1U; }, multiply);
    const auto compose = [](word_map left, word_map right) {
        return word_map{left.factor * right.factor, left.sum * right.factor + right.sum};
    };
    for (std::size_t w = 1; w < words; ++w) {
        const auto map = [&](std::uint64_t i) { return word_map{word(i, 0) | 1U, word(i, w)}; };
        solve(
            a, s, w, map(0), [&](std::uint64_t i) { return map(i + 1); }, compose);
    }
}

/// Single words: maps modulo the range of their halves, or their left operands scaled.
UPSWEEP_INLINE void solve_words(known_answers& a, const check_subject& s, bool canonical) {
    const std::size_t bits = 8 * part_of(s.value).size;
    const std::uint64_t most = !(s.element == s.value) ? 127 : ~std::uint64_t{0} >> (64 - bits);
    const bool scales = scales_left(s, canonical);
    const auto combine = [&](std::uint64_t left, std::uint64_t right) {
        return scales ? word_factor * left + right : compose_words(left, right, bits);
    };
    const auto word = [&](std::uint64_t i) { return (scramble(i) & most) | 1U; };
    solve(
        a, s, 0, word(0), [&](std::uint64_t i) { return word(i + 1); }, combine);
}

/// Sums that are rounded, in the canonical order.
template <class T>
void solve_rounding(known_answers& a, const check_subject& s) {
    const bool scales = scales_left(s, true);
    const auto combine = [scales](T left, T right) {
        const volatile T product = scales ? left * (T{left_factor} / T{1024}) : left; // volatile: never fused
        return product + right;
    };
    solve(a, s, 0, T{1} / T{3}, long_number<T>, combine);
}

/// @param canonical  whether the order of combination is to show, and rounding
UPSWEEP_INLINE known_answers answers_of(const check_subject& s, std::uint64_t n, bool canonical) {
    const std::size_t count = static_cast<std::size_t>(n);
    known_answers a;
    a.elements.resize(count * s.element.size);
    a.before.resize((count + 1) * s.value.size);
    a.through.resize(count * s.value.size);
    if (uses_words(s) && words_in(s) > 1)
        solve_maps(a, s);
    else if (uses_words(s))
        solve_words(a, s, canonical);
    else if (!canonical)
        solve_sums(a, s);
    else if (s.value.size == 4)
        solve_rounding<float>(a, s);
    else
        solve_rounding<double>(a, s);
    return a;
}

} // namespace upsweep::detail
