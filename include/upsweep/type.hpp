// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/round_to_odd.hpp>

#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>

namespace upsweep {

/// IEEE 754 binary16, stored as its bits. Usable as an element type on devices with `cl_khr_fp16`.
struct half {
    std::uint16_t bits = 0; ///< sign, 5 bits of exponent, 10 bits of fraction

    /// Zero.
    half() = default;
    /// Rounds to nearest, ties to even; overflow gives infinity.
    explicit half(float value) noexcept
        : bits(from_float(value)) {}
    /// The same of other numbers, which are rounded once.
    template <class T, class = detail::require_other_number<T>>
    explicit half(T value) noexcept
        : half(detail::round_to_odd(value)) {}
    /// Exact.
    explicit operator float() const noexcept { return to_float(bits); }

    /// As floats compare: both zeros are equal, a NaN is equal to nothing.
    friend bool operator==(half a, half b) noexcept { return float(a) == float(b); }
    /// The opposite of `==`.
    friend bool operator!=(half a, half b) noexcept { return !(a == b); }

private:
    static std::uint16_t from_float(float value) noexcept {
        std::uint32_t x = 0;
        std::memcpy(&x, &value, sizeof x);
        const std::uint32_t sign = (x >> 16) & 0x8000U;
        const std::uint32_t magnitude = x & 0x7fffffffU;
        if (magnitude > 0x7f800000U) return static_cast<std::uint16_t>(sign | 0x7e00U);  // NaN stays quiet
        if (magnitude >= 0x477ff000U) return static_cast<std::uint16_t>(sign | 0x7c00U); // rounds past the largest
        if (magnitude < 0x33000001U) return static_cast<std::uint16_t>(sign);            // rounds to zero
        const std::uint32_t exponent = magnitude >> 23;
        const bool subnormal = exponent < 113;
        const std::uint32_t mantissa = (magnitude & 0x7fffffU) | (subnormal ? 0x800000U : 0U);
        const std::uint32_t shift = subnormal ? 126U - exponent : 13U;
        const std::uint32_t kept = (mantissa >> shift) + (subnormal ? 0U : (exponent - 112U) << 10);
        const std::uint32_t dropped = mantissa & ((1U << shift) - 1U);
        const std::uint32_t halfway = 1U << (shift - 1U);
        const std::uint32_t up = dropped > halfway || (dropped == halfway && (kept & 1U)) ? 1U : 0U;
        return static_cast<std::uint16_t>(sign | (kept + up));
    }

    static float to_float(std::uint16_t h) noexcept {
        const std::uint32_t sign = (h & 0x8000U) << 16;
        const std::uint32_t exponent = (h >> 10) & 0x1fU;
        const std::uint32_t mantissa = h & 0x3ffU;
        if (exponent == 0) { // zero and subnormals: a multiple of 2^-24
            const float value = static_cast<float>(mantissa) * 5.9604644775390625e-8F;
            return sign ? -value : value;
        }
        const std::uint32_t x = sign | ((exponent == 31 ? 255U : exponent + 112U) << 23) | (mantissa << 13);
        float value = 0;
        std::memcpy(&value, &x, sizeof value);
        return value;
    }
};

/// How a C++ type is written in OpenCL C.
///
/// Known for the integers of 8 to 64 bits, `half`, `float`, `double` and vectors of them (vector_types.hpp). On the
/// host OpenCL's `cl_half` is a `std::uint16_t`, so sums of it are sums of integers; a buffer of half is a
/// `span<upsweep::half>`, of the same bits. Specialise it to use a struct of your own:
///
/// @code
/// struct affine { float a, b; };
/// template <> struct upsweep::type<affine> {
///     static constexpr const char* name = "affine";
///     static constexpr const char* definition = "typedef struct { float a, b; } affine;";
/// };
/// @endcode
///
/// `name` is the type's name in kernels, `definition` the text that defines it there, empty for a type that OpenCL C
/// knows. Where a struct has members of another struct of your own, its definition has that one's before it, each in
/// `#ifndef HAS_x`, `#define HAS_x` and `#endif`, because both may stand in one program. The struct must be trivially
/// copyable, have a default constructor, and have the same size and layout on both sides (the size is checked when the
/// kernel is built); the device may align it to more than the host does. (Scans of segments by such a type read that
/// from `definition`. They are an error where it does not show there: in names of build options or of an included file,
/// and in alignments of more than 128 bytes that are no plain number.) Any size is fine, powers of two or
/// not, as long as two structs fit the device's local memory; larger ones are an error. A CPU's threads keep
/// up to 16 structs of more than 600 bytes on their stack, of which 2 MiB are used: those of more than 128 KiB are an
/// error there, or a little larger ones where the order of combination is free.
///
/// Padding costs nothing in scans and reductions of plain arrays. Where elements are computed or in segments, name the
/// gaps: a member in place of each padding, on both sides. NVIDIA's compiler keeps structs with padding in memory, and
/// reductions of them took 4 to 6 times as long (bench/README.md).
template <class T, class Enable = void>
struct type;

namespace detail {

template <class T>
constexpr const char* integer_name() {
    constexpr bool is_signed = std::is_signed<T>::value;
    if (sizeof(T) == 1) return is_signed ? "char" : "uchar";
    if (sizeof(T) == 2) return is_signed ? "short" : "ushort";
    if (sizeof(T) == 4) return is_signed ? "int" : "uint";
    return is_signed ? "long" : "ulong";
}

} // namespace detail

/// @cond the specializations that `type` names

template <class T>
struct type<T, std::enable_if_t<std::is_integral<T>::value && sizeof(T) <= 8 &&
                                !std::is_same<std::remove_cv_t<T>, bool>::value>> {
    static constexpr const char* name = detail::integer_name<T>();
    static constexpr const char* definition = "";
};

template <>
struct type<float> {
    static constexpr const char* name = "float";
    static constexpr const char* definition = "";
};

template <>
struct type<double> {
    static constexpr const char* name = "double";
    static constexpr const char* definition = "";
};

template <>
struct type<half> {
    static constexpr const char* name = "half";
    static constexpr const char* definition = "";
};

/// @endcond

namespace detail {

/// Whether two types are one in OpenCL C, as `long` and `long long` are where both have 64 bits.
template <class A, class B>
constexpr bool is_same_on_device = std::is_same<A, B>::value ||
                                   (std::is_integral<A>::value && std::is_integral<B>::value &&
                                    sizeof(A) == sizeof(B) && std::is_signed<A>::value == std::is_signed<B>::value &&
                                    std::is_const<A>::value == std::is_const<B>::value &&
                                    !std::is_same<A, bool>::value && !std::is_same<B, bool>::value);

/// Whether T is a number of elements on the device.
template <class T>
constexpr bool is_count = is_same_on_device<T, std::uint32_t> || is_same_on_device<T, std::uint64_t>;

/// The type of a vector's components; void where T is not known to be a vector.
template <class T, class = void>
struct scalar_of {
    using type = void;
};
template <class T>
struct scalar_of<T, std::void_t<typename upsweep::type<T>::scalar>> {
    using type = typename upsweep::type<T>::scalar;
};

template <class T>
constexpr bool is_vector = !std::is_void<typename scalar_of<T>::type>::value;

/// Whether two vectors are equal, in OpenCL C. Vectors of small integers are compared as wider ones, because NVIDIA's
/// compiler keeps them in memory.
template <class T>
constexpr const char* equality_of_vectors() {
    using number = typename scalar_of<T>::type;
    if (!std::is_integral<number>::value || sizeof(T) > 16) return "all(left == right)";
    if (sizeof(T) == 2) return "as_ushort(left) == as_ushort(right)";
    if (sizeof(T) == 4) return "as_uint(left) == as_uint(right)";
    if (sizeof(T) == 8) return "as_ulong(left) == as_ulong(right)";
    return "all(as_uint4(left) == as_uint4(right))";
}

/// Whether T is an integer or a vector of integers.
template <class T>
constexpr bool has_integers = std::is_integral<T>::value || std::is_integral<typename scalar_of<T>::type>::value;

/// A type as the source stage sees it.
struct type_text {
    std::string name; ///< in the library's text (own_name)
    std::string definition;
    std::size_t size = 0;
};

inline constexpr const char* own_name_prefix = "upsweep_type_";

/// How the library's text calls a type that a user defines: by a name that no variable of that text has, so that the
/// user's may be `value` or `left`.
inline std::string own_name(const std::string& name, std::string_view definition) {
    const bool is_word = name.find_first_of(" \t") == std::string::npos; // not "struct pair"
    const bool is_own = name.compare(0, 8, "upsweep_") == 0;
    return !definition.empty() && is_word && !is_own ? own_name_prefix + name : name;
}

/// How the user calls it.
inline std::string users_name(std::string_view name) {
    const std::string_view prefix = own_name_prefix;
    return std::string(name.substr(name.substr(0, prefix.size()) == prefix ? prefix.size() : 0));
}

/// Defines the library's name for a type, where there is one, behind the type's definition.
inline std::string own_name_definition(const type_text& type) {
    const std::string user = users_name(type.name);
    return user == type.name ? std::string() : "typedef " + user + " " + type.name + ";\n";
}

/// A `type_text` that lies elsewhere. Made anew by every call, so it must not allocate.
struct type_view {
    std::string_view name;
    std::string_view definition;
    std::size_t size = 0;
};

inline type_text text_of(const type_view& t) {
    return {std::string(t.name), std::string(t.definition), t.size};
}
/// The view is valid as long as the text is, and stays where it is.
inline type_view view_of(const type_text& t) {
    return {t.name, t.definition, t.size};
}

/// How the library's text calls T.
template <class T>
const char* own_name() {
    if (std::string_view(type<T>::definition).empty()) return type<T>::name;
    static const auto* const name = // never destroyed: used at exit, perhaps
        new std::string(own_name(type<T>::name, type<T>::definition));
    return name->c_str();
}

template <class T, class = void>
struct has_type : std::false_type {};
template <class T>
struct has_type<T, std::void_t<decltype(upsweep::type<T>::name)>> : std::true_type {};

/// What a call would return that does not compile: one error has said why, and a T{} could need another.
template <class T>
[[noreturn]] T no_result() {
    std::terminate();
}

/// @return whether OpenCL C has a name for T; one error that says what to do if not
template <class T>
constexpr bool check_type() {
    static_assert(!std::is_same<T, bool>::value,
                  "upsweep: bool is no element type of OpenCL C; use std::uint8_t instead, also for std::vector<bool>");
    static_assert(std::is_same<T, bool>::value || has_type<T>::value,
                  "upsweep: this element type needs a specialization of upsweep::type, with its name and definition in "
                  "OpenCL C");
    return !std::is_same<T, bool>::value && has_type<T>::value;
}

template <class T>
type_view view_type() {
    static_assert(std::is_trivially_copyable<T>::value, "upsweep: element types must be trivially copyable");
    if constexpr (check_type<T>())
        return {own_name<T>(), type<T>::definition, sizeof(T)};
    else
        return {};
}

template <class T>
type_text describe_type() {
    return text_of(view_type<T>());
}

} // namespace detail
} // namespace upsweep
