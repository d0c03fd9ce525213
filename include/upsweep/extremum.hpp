// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/joined_text.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/type.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep {

/// An element and its place. Of an empty input: T{} and `none`.
///
/// @tparam T      an integer, `half`, `float` or `double`
/// @tparam Index  `std::uint64_t`; or `std::uint32_t`, for fewer than 2^32 elements, which takes half the memory for T
///                of up to 4 bytes
template <class T, class Index = std::uint64_t>
struct extremum {
    static_assert(detail::is_count<Index>, "upsweep: the index of an extremum is std::uint64_t or std::uint32_t");
    /// The index where there is no element.
    static constexpr Index none = static_cast<Index>(-1);

    T value{};                         ///< the element
    alignas(Index) Index index = none; ///< its place: in[index]; aligned as on the device
};

/// The smallest and the largest element.
template <class T, class Index = std::uint64_t>
struct extrema {
    extremum<T, Index> smallest; ///< the first of the smallest
    extremum<T, Index> largest;  ///< the first of the largest
};

namespace detail {

/// Members that fill a struct in OpenCL C where there would be padding, from `offset` on, before a member of `size`
/// bytes. NVIDIA's compiler keeps structs with padding in memory, and others in registers. H200, 2^28 int32 with an
/// index of 64 bits, us, without and with: min_element 7149 and 441, minmax_element 9367 and 763. Not for others: with
/// it PoCL 3.1 took up to ten times as long.
constexpr std::string_view fill_text(std::size_t offset, std::size_t size) {
    constexpr std::string_view all = "uchar upsweep_fill_1; ushort upsweep_fill_2; uint upsweep_fill_4; ";
    const std::size_t ushort_at = all.find("ushort"), uint_at = all.find("uint");
    const std::size_t first = offset == 1 ? 0 : offset == 2 ? ushort_at : uint_at;
    const std::size_t last = size == 8 ? all.size() : size == 4 ? uint_at : ushort_at;
    return offset % size == 0 ? std::string_view() : all.substr(first, last - first);
}
inline constexpr std::string_view fill_begin = "\n#ifdef __NV_CL_C_VERSION\n";
inline constexpr std::string_view fill_end = "\n#endif\n";

template <class T, class Index>
struct extremum_name {
    static constexpr std::string_view parts[] = {"upsweep_extremum_", type<T>::name, "_", type<Index>::name};
};
template <class T, class Index>
struct extremum_definition {
    static constexpr std::string_view parts[] = {"#ifndef HAS_",
                                                 joined_text<extremum_name<T, Index>>::text.data(),
                                                 "\n#define HAS_",
                                                 joined_text<extremum_name<T, Index>>::text.data(),
                                                 "\ntypedef struct { ",
                                                 type<T>::name,
                                                 " value; ",
                                                 fill_begin,
                                                 fill_text(sizeof(T), sizeof(Index)),
                                                 fill_end,
                                                 type<Index>::name,
                                                 " index; ",
                                                 fill_begin,
                                                 fill_text(sizeof(Index), sizeof(T)),
                                                 fill_end,
                                                 "} ",
                                                 joined_text<extremum_name<T, Index>>::text.data(),
                                                 ";\n#endif"};
};
template <class T, class Index>
struct extrema_name {
    static constexpr std::string_view parts[] = {"upsweep_extrema_", type<T>::name, "_", type<Index>::name};
};
template <class T, class Index>
struct extrema_definition {
    static constexpr std::string_view parts[] = {
        joined_text<extremum_definition<T, Index>>::text.data(), "\ntypedef struct { ",
        joined_text<extremum_name<T, Index>>::text.data(),       " smallest, largest; } ",
        joined_text<extrema_name<T, Index>>::text.data(),        ";"};
};

} // namespace detail

/// An extremum in OpenCL C.
template <class T, class Index>
struct type<extremum<T, Index>> {
    /// As any type's.
    static constexpr const char* name = detail::joined_text<detail::extremum_name<T, Index>>::text.data();
    /// As any type's.
    static constexpr const char* definition = detail::joined_text<detail::extremum_definition<T, Index>>::text.data();
};

/// Both extrema in OpenCL C.
template <class T, class Index>
struct type<extrema<T, Index>> {
    /// As any type's.
    static constexpr const char* name = detail::joined_text<detail::extrema_name<T, Index>>::text.data();
    /// As any type's.
    static constexpr const char* definition = detail::joined_text<detail::extrema_definition<T, Index>>::text.data();
};

namespace detail {

// How operators choose of two extrema, `left` and `right`. `Side` has the `member` of the operands that is compared,
// with a dot, and how it compares where it is not better: with a NaN that is false. Of integers compilers warn where
// one is compared with itself.

/// The right where it is better, or where it is a number and the left is NaN. So of equals the first, where the left
/// stands before the right.
template <class Side, bool MayBeNaN>
struct chooses_text {
    static constexpr std::string_view m = Side::member, compares = Side::compares;
    static constexpr std::string_view parts[] = {"!(left",           m, ".value ",         compares, " right", m,
                                                 ".value) & (right", m, ".value == right", m,        ".value)"};
};
template <class Side>
struct chooses_text<Side, false> {
    static constexpr std::string_view m = Side::member;
    static constexpr std::string_view parts[] = {"!(left", m, ".value ", Side::compares, " right", m, ".value)"};
};

/// The same where either may stand before the other.
template <class Side, bool MayBeNaN>
struct chooses_any_text {
    static constexpr std::string_view m = Side::member;
    static constexpr std::string_view parts[] = {
        "right",           m, ".index < left",   m,
        ".index ? (right", m, ".value ",         Side::compares,
        " left",           m, ".value) | (left", m,
        ".value != left",  m, ".value) : ",      joined_text<chooses_text<Side, true>>::text.data()};
};
template <class Side>
struct chooses_any_text<Side, false> {
    static constexpr std::string_view m = Side::member;
    static constexpr std::string_view parts[] = {
        "right",          m, ".index < left", m,
        ".index ? right", m, ".value ",       Side::compares,
        " left",          m, ".value : ",     joined_text<chooses_text<Side, false>>::text.data()};
};

/// Puts what is chosen, by a condition, into `chosen`, which has the left. NVIDIA's compiler would choose between
/// addresses of structs, so it is given their members.
template <class Side, class Condition>
struct choose_text {
    static constexpr std::string_view m = Side::member;
    static constexpr std::string_view parts[] = {"{\nconst int is_right = ",
                                                 joined_text<Condition>::text.data(),
                                                 ";\n#ifdef __NV_CL_C_VERSION\nchosen",
                                                 m,
                                                 ".value = is_right ? right",
                                                 m,
                                                 ".value : left",
                                                 m,
                                                 ".value;\nchosen",
                                                 m,
                                                 ".index = is_right ? right",
                                                 m,
                                                 ".index : left",
                                                 m,
                                                 ".index;\n#else\nif (is_right) chosen",
                                                 m,
                                                 " = right",
                                                 m,
                                                 ";\n#endif\n}\n"};
};

struct of_smallest {
    static constexpr std::string_view member{};
    static constexpr std::string_view compares = "<=";
};
struct of_largest {
    static constexpr std::string_view member{};
    static constexpr std::string_view compares = ">=";
};
struct of_both_smallest {
    static constexpr std::string_view member = ".smallest";
    static constexpr std::string_view compares = "<=";
};
struct of_both_largest {
    static constexpr std::string_view member = ".largest";
    static constexpr std::string_view compares = ">=";
};

template <bool MayBeNaN, class... Sides>
struct choose_body {
    static constexpr std::string_view parts[] = {
        "upsweep_value chosen = left;\n",
        joined_text<choose_text<Sides, chooses_text<Sides, MayBeNaN>>>::text.data()..., "return chosen;"};
};
template <bool MayBeNaN, class... Sides>
struct choose_any_function {
    static constexpr std::string_view parts[] = {
        "upsweep_value upsweep_combine_any(upsweep_value left, upsweep_value right)\n{\nupsweep_value chosen = left;\n",
        joined_text<choose_text<Sides, chooses_any_text<Sides, MayBeNaN>>>::text.data()..., "return chosen;\n}"};
};

/// An operator on extrema of elements of type T. Any order of combination gives the same, where kernels that change it
/// call upsweep_combine_any.
template <class T, class... Sides>
struct extremum_operator {
    static constexpr bool may_be_nan = !std::is_integral<T>::value;
    static constexpr operator_traits traits = [] {
        operator_traits t;
        t.commutative = true;
        t.exact = true;
        t.has_any_order = true;
        return t;
    }();
    static constexpr const char* body = joined_text<choose_body<may_be_nan, Sides...>>::text.data();
    static constexpr const char* helpers = joined_text<choose_any_function<may_be_nan, Sides...>>::text.data();
};
/// @{ Operators on extrema.
template <class T>
struct first_smallest : extremum_operator<T, of_smallest> {
    static constexpr const char* name = "first smallest";
};
template <class T>
struct first_largest : extremum_operator<T, of_largest> {
    static constexpr const char* name = "first largest";
};
template <class T>
struct first_extrema : extremum_operator<T, of_both_smallest, of_both_largest> {
    static constexpr const char* name = "first extrema";
};
/// @}

} // namespace detail
} // namespace upsweep
