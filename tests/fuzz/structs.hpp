// SPDX-License-Identifier: MIT
// Structs of 3 to 24 bytes, and scalars, under operators of one's own. None of the operators commutes.
#pragma once

#include "numbers.hpp"

namespace fuzz {

/// Triangular matrices ((1 a c) (0 1 b) (0 0 1)) of wrapping integers, under multiplication.
template <class T>
struct triangle {
    T a, b, c;
};

/// x -> a * x + b modulo 65521.
struct affine {
    std::uint32_t a, b;
};

/// The interval [begin, end) of the input; `broken` once anything but neighbours was combined.
struct interval {
    std::uint32_t begin, end, broken;
};

/// ((a b) (c d)) of wrapping integers.
struct matrix {
    std::uint32_t a, b, c, d;
};

} // namespace fuzz

template <>
struct upsweep::type<fuzz::triangle<std::uint8_t>> {
    static constexpr const char* name = "triangle_uchar";
    static constexpr const char* definition = "typedef struct { uchar a; uchar b; uchar c; } triangle_uchar;";
};
template <>
struct upsweep::type<fuzz::triangle<std::uint64_t>> {
    static constexpr const char* name = "triangle_ulong";
    static constexpr const char* definition = "typedef struct { ulong a; ulong b; ulong c; } triangle_ulong;";
};
template <>
struct upsweep::type<fuzz::affine> {
    static constexpr const char* name = "affine";
    static constexpr const char* definition = "typedef struct { uint a; uint b; } affine;";
};
template <>
struct upsweep::type<fuzz::interval> {
    static constexpr const char* name = "interval";
    static constexpr const char* definition = "typedef struct { uint begin; uint end; uint broken; } interval;";
};
template <>
struct upsweep::type<fuzz::matrix> {
    static constexpr const char* name = "matrix";
    static constexpr const char* definition = "typedef struct { uint a; uint b; uint c; uint d; } matrix;";
};

namespace fuzz {

/// What the subjects here have in common.
template <class T>
struct own_operator {
    using in = T;
    using out = T;
    static constexpr bool approximate = false;
    static constexpr need needs = need_of<T>;

    static std::vector<T> fill(dice& d, std::size_t n) {
        std::vector<T> values(n);
        for (T& x : values) {
            unsigned char bytes[sizeof(T)];
            for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(d.bits());
            std::memcpy(&x, bytes, sizeof x);
        }
        return values;
    }
    static T init(dice& d, const T*) { return fill(d, 1)[0]; }
};

template <class T>
struct triangles : own_operator<triangle<T>> {
    using value = triangle<T>;
    static std::string name() { return upsweep::type<value>::name; }
    static auto op() {
        const std::string type = upsweep::type<value>::name;
        return upsweep::make_operator<value>(type + " m;\nm.a = left.a + right.a;\nm.b = left.b + right.b;\n"
                                                    "m.c = left.c + right.c + left.a * right.b;\nreturn m;");
    }
    static value combine(value l, value r) {
        return {static_cast<T>(l.a + r.a), static_cast<T>(l.b + r.b), static_cast<T>(l.c + r.c + l.a * r.b)};
    }
};

struct affine_maps : own_operator<affine> {
    static std::string name() { return "affine modulo 65521"; }
    static auto op() {
        return upsweep::make_operator<affine>(
            "affine f = {left.a * right.a % 65521u, (right.a * left.b + right.b) % 65521u};\nreturn f;");
    }
    static affine combine(affine l, affine r) { return {l.a * r.a % 65521U, (r.a * l.b + r.b) % 65521U}; }
    static std::vector<affine> fill(dice& d, std::size_t n) {
        std::vector<affine> values(n);
        for (affine& f : values)
            f = {static_cast<std::uint32_t>(1 + d.below(65520)), static_cast<std::uint32_t>(d.below(65521))};
        return values;
    }
    static affine init(dice& d, const affine*) { return fill(d, 1)[0]; }
};

struct intervals : own_operator<interval> {
    static std::string name() { return "intervals"; }
    static auto op() {
        return upsweep::make_operator<interval>("interval i = {left.begin, right.end, left.broken | right.broken};\n"
                                                "if (left.end != right.begin) i.broken = 1;\nreturn i;");
    }
    static interval combine(interval l, interval r) {
        return {l.begin, r.end, l.broken | r.broken | (l.end != r.begin ? 1U : 0U)};
    }
    static std::vector<interval> fill(dice& d, std::size_t n) {
        std::vector<interval> values(n);
        std::uint32_t at = 1000 + static_cast<std::uint32_t>(d.below(1000));
        for (interval& i : values) {
            i = {at, at + 1, 0};
            ++at;
        }
        return values;
    }
    static interval init(dice& d, const interval* first) {
        const std::uint32_t end = first ? first->begin : 5;
        return {end - static_cast<std::uint32_t>(d.below(5)), end, 0};
    }
};

struct matrices : own_operator<matrix> {
    static std::string name() { return "matrices"; }
    static auto op() {
        return upsweep::make_operator<matrix>(
            "matrix m;\nm.a = left.a * right.a + left.b * right.c;\nm.b = left.a * right.b + left.b * right.d;\n"
            "m.c = left.c * right.a + left.d * right.c;\nm.d = left.c * right.b + left.d * right.d;\nreturn m;");
    }
    static matrix combine(matrix l, matrix r) {
        return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
    }
    static std::vector<matrix> fill(dice& d, std::size_t n) {
        std::vector<matrix> values(n);
        for (matrix& m : values) { // of determinant 1, so that products never become zero
            const auto x = static_cast<std::uint32_t>(d.below(9));
            m = d.once_in(2) ? matrix{1, x, 0, 1} : matrix{1, 0, x, 1};
        }
        return values;
    }
    static matrix init(dice& d, const matrix*) { return fill(d, 1)[0]; }
};

/// The first of all elements, or the last.
template <class T, bool First>
struct selection : own_operator<T> {
    static std::string name() { return std::string(upsweep::type<T>::name) + (First ? ", first" : ", last"); }
    static auto op() { return upsweep::make_operator<T>(First ? "return left;" : "return right;"); }
    static T combine(T left, T right) { return First ? left : right; }
    static std::vector<T> fill(dice& d, std::size_t n) {
        if constexpr (std::is_integral<T>::value) return own_operator<T>::fill(d, n);
        std::vector<T> values(n);
        for (T& x : values) x = any_number<T>(d);
        return values;
    }
    static T init(dice& d, const T*) { return fill(d, 1)[0]; }
};

} // namespace fuzz
