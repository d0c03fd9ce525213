// SPDX-License-Identifier: MIT
// Structs and vectors of integers of 1 to 8 bytes, with operators that work on their members, for tests.
#pragma once

#include "support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace test {

/// One integer in a struct or a vector.
struct member {
    std::size_t offset, size;
    std::string name; ///< in OpenCL C
};

constexpr std::size_t next_multiple(std::size_t x, std::size_t of) {
    return (x + of - 1) / of * of;
}

/// Members of so many bytes each, laid out as C does.
template <std::size_t... Sizes>
struct members {
    static constexpr std::size_t alignment = std::max({Sizes...});
    static constexpr std::size_t size() {
        std::size_t end = 0;
        for (const std::size_t each : {Sizes...}) end = next_multiple(end, each) + each;
        return next_multiple(end, alignment);
    }
    alignas(alignment) unsigned char bytes[size()];
};

/// What a type is made of.
template <class T>
struct layout;
template <std::size_t... Sizes>
struct layout<members<Sizes...>> {
    static std::vector<member> all() {
        std::vector<member> result;
        std::size_t end = 0;
        for (const std::size_t size : {Sizes...}) {
            result.push_back({next_multiple(end, size), size, "m" + std::to_string(result.size())});
            end = result.back().offset + size;
        }
        return result;
    }
};
template <std::size_t Size, std::size_t Count>
struct layout_of_vector {
    static std::vector<member> all() {
        std::vector<member> result;
        for (std::size_t i = 0; i < Count; ++i)
            result.push_back({i * Size, Size, std::string("s") + "0123456789abcdef"[i]});
        return result;
    }
};
template <>
struct layout<cl_ushort2> : layout_of_vector<2, 2> {};
template <>
struct layout<cl_uchar4> : layout_of_vector<1, 4> {};
template <>
struct layout<cl_ushort4> : layout_of_vector<2, 4> {};
template <>
struct layout<cl_uchar8> : layout_of_vector<1, 8> {};
template <>
struct layout<cl_ushort8> : layout_of_vector<2, 8> {};
template <>
struct layout<cl_uchar16> : layout_of_vector<1, 16> {};

/// A member's number. Low bytes are first on the host, as on all devices.
template <class T>
std::uint64_t number_of(const T& value, const member& m) {
    std::uint64_t number = 0;
    std::memcpy(&number, reinterpret_cast<const unsigned char*>(&value) + m.offset, m.size);
    return number;
}
template <class T>
void put_number(T& value, const member& m, std::uint64_t number) {
    std::memcpy(reinterpret_cast<unsigned char*>(&value) + m.offset, &number, m.size);
}

/// What an operator makes of each member.
enum class rule {
    sum,   ///< of each
    mixed, ///< in turns: the last that is not 0, the larger one, the exclusive or. It does not commute.
};
inline std::uint64_t combine_numbers(rule r, std::size_t place, std::uint64_t left, std::uint64_t right) {
    if (r == rule::sum) return left + right;
    if (place % 3 == 0) return right != 0 ? right : left;
    return place % 3 == 1 ? std::max(left, right) : left ^ right;
}

/// The operator on the host. Padding is 0.
template <class T>
auto combine_members(rule r) {
    return [r, all = layout<T>::all()](const T& left, const T& right) {
        T result;
        std::memset(&result, 0, sizeof result);
        for (std::size_t i = 0; i < all.size(); ++i)
            put_number(result, all[i], combine_numbers(r, i, number_of(left, all[i]), number_of(right, all[i])));
        return result;
    };
}

/// A text that sums the members of values of these names, each with its like, in a value of its own.
template <class T>
std::string sums_of_members(const std::vector<std::string>& names) {
    std::string body = std::string(upsweep::type<T>::name) + " both;\n";
    for (const member& m : layout<T>::all()) {
        std::string sum;
        for (const std::string& name : names) sum += (sum.empty() ? "" : " + ") + name + "." + m.name;
        body += "both." + m.name + " = " + sum + ";\n";
    }
    return body + "return both;";
}

/// The operator on devices: sums in a third value, the others in the right operand's place.
template <class T>
auto member_operator(rule r) {
    if (r == rule::sum) return upsweep::make_operator<T>(sums_of_members<T>({"left", "right"}));
    std::string body;
    std::size_t i = 0;
    for (const member& m : layout<T>::all()) {
        const std::string a = "left." + m.name, b = "right." + m.name;
        if (i % 3 == 0)
            body += "if (" + b + " == 0) " + b + " = " + a + ";\n";
        else
            body += i % 3 == 1 ? "if (" + b + " < " + a + ") " + b + " = " + a + ";\n" : b + " ^= " + a + ";\n";
        ++i;
    }
    return upsweep::make_operator<T>(body + "return right;");
}

/// Values of random members, of which some are 0.
template <class T>
std::vector<T> random_members(std::size_t n, std::uint32_t seed) {
    std::vector<T> values(n);
    std::memset(static_cast<void*>(values.data()), 0, n * sizeof(T));
    std::mt19937_64 random(seed);
    const std::vector<member> all = layout<T>::all();
    for (T& value : values)
        for (const member& m : all) put_number(value, m, random() % 4 == 0 ? 0 : random());
    return values;
}

/// Whether the members of all values are equal, whatever lies between them.
template <class T>
bool same_members(const std::vector<T>& a, const std::vector<T>& b) {
    if (a.size() != b.size()) return false;
    const std::vector<member> all = layout<T>::all();
    for (std::size_t i = 0; i < a.size(); ++i)
        for (const member& m : all)
            if (number_of(a[i], m) != number_of(b[i], m)) return false;
    return true;
}

} // namespace test

template <std::size_t... Sizes>
struct upsweep::type<test::members<Sizes...>> {
    static std::string text_of_name() {
        std::string text = "members";
        for (const std::size_t size : {Sizes...}) text += '_' + std::to_string(size);
        return text;
    }
    static std::string text_of_definition() {
        std::string text = "typedef struct {";
        for (const test::member& m : test::layout<test::members<Sizes...>>::all())
            text += std::string(" ") + detail::bits_type(m.size) + ' ' + m.name + ';';
        return text + " } " + text_of_name() + ';';
    }
    static inline const std::string kept_name = text_of_name(), kept_definition = text_of_definition();
    static inline const char* const name = kept_name.c_str();
    static inline const char* const definition = kept_definition.c_str();
};
