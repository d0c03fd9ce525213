// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/joined_text.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/type.hpp>

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
    static_assert(std::is_same<Index, std::uint64_t>::value || std::is_same<Index, std::uint32_t>::value,
                  "upsweep: the index of an extremum is std::uint64_t or std::uint32_t");
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

template <class T, class Index>
struct extremum_name {
    static constexpr std::string_view parts[] = {"upsweep_extremum_", type<T>::name, "_", type<Index>::name};
};
template <class T, class Index>
struct extremum_definition {
    static constexpr std::string_view parts[] = {"typedef struct { ",
                                                 type<T>::name,
                                                 " value; ",
                                                 type<Index>::name,
                                                 " index; } ",
                                                 joined_text<extremum_name<T, Index>>::text.data(),
                                                 ";"};
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

/// @{ Operators on extrema. The right is chosen where it is better, or where it is a number and the left is NaN, with
/// which every comparison is false. They keep the left of equals, so they do not commute; but any order of combination
/// that keeps left before right gives the same.
struct extremum_operator {
    static constexpr operator_traits traits = {false, false, false, true};
};
template <class T, bool MayBeNaN = !std::is_integral<T>::value>
struct first_smallest : extremum_operator {
    static constexpr const char* name = "first smallest";
    static constexpr const char* body =
        MayBeNaN ? "return !(left.value <= right.value) && right.value == right.value ? right : left;"
                 : "return right.value < left.value ? right : left;";
};
template <class T, bool MayBeNaN = !std::is_integral<T>::value>
struct first_largest : extremum_operator {
    static constexpr const char* name = "first largest";
    static constexpr const char* body =
        MayBeNaN ? "return !(left.value >= right.value) && right.value == right.value ? right : left;"
                 : "return left.value < right.value ? right : left;";
};
template <class T, bool MayBeNaN = !std::is_integral<T>::value>
struct first_extrema : extremum_operator {
    static constexpr const char* name = "first extrema";
    static constexpr const char* body =
        MayBeNaN
            ? "upsweep_value both = left;\n"
              "if (!(left.smallest.value <= right.smallest.value) && right.smallest.value == right.smallest.value)\n"
              "    both.smallest = right.smallest;\n"
              "if (!(left.largest.value >= right.largest.value) && right.largest.value == right.largest.value)\n"
              "    both.largest = right.largest;\n"
              "return both;"
            : "upsweep_value both = left;\n"
              "if (right.smallest.value < left.smallest.value) both.smallest = right.smallest;\n"
              "if (left.largest.value < right.largest.value) both.largest = right.largest;\n"
              "return both;";
};

/// @}

} // namespace detail
} // namespace upsweep
