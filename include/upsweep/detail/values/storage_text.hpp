// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/bfloat16.hpp>
#include <upsweep/type.hpp>

#include <string>
#include <type_traits>

namespace upsweep::detail {

/// Whether T is for storage only: kernels see its bits, and compute in float.
template <class T>
constexpr bool is_storage = std::is_same<T, half>::value || std::is_same<T, bfloat16>::value;

/// The type that kernels see in memory.
template <class T>
type_text stored_type() {
    if constexpr (is_storage<T>)
        return {"ushort", {}, sizeof(T)};
    else
        return describe_type<T>();
}

/// Statements that return the float of the bits `a`, without cl_khr_fp16 and without branches (after F. Giesen's
/// half_to_float_fast5, 2012): a number below 2^-14 is what it is more than that, once it has the exponent of 2^-14.
template <class T>
std::string widening_body() {
    if constexpr (std::is_same<T, bfloat16>::value)
        return "return as_float((uint)a << 16);";
    else
        return "const uint upsweep_sign = (a & 0x8000u) << 16, upsweep_moved = (a & 0x7fffu) << 13;\n"
               "const float upsweep_small = as_float(upsweep_moved + 0x38800000u) - 0x1p-14f;\n"
               "const uint upsweep_normal = upsweep_moved + (upsweep_moved < 0xf800000u ? 0x38000000u : 0x70000000u);\n"
               "return as_float((upsweep_moved < 0x800000u ? as_uint(upsweep_small) : upsweep_normal) | upsweep_sign);";
}

/// upsweep_narrowed(value): what is stored of a result. Rounds to nearest, ties to even, as the types on the host do
/// (half after F. Giesen's float_to_half_fast3_rtne): below 2^-14 by adding 0.5, whose last bit is the smallest half.
template <class T>
std::string narrowing_functions() {
    if constexpr (std::is_same<T, bfloat16>::value)
        return "ushort upsweep_narrowed(float value)\n{\nconst uint x = as_uint(value);\n"
               "if ((x & 0x7fffffffu) > 0x7f800000u) return (ushort)(x >> 16 | 0x40u);\n"
               "return (ushort)((x + 0x7fffu + (x >> 16 & 1u)) >> 16);\n}\n";
    else if constexpr (is_storage<T>)
        return "ushort upsweep_narrowed(float value)\n{\nconst uint x = as_uint(value), size = x & 0x7fffffffu;\n"
               "const uint upsweep_small = as_uint(as_float(size) + 0.5f) - 0x3f000000u;\n"
               "const uint upsweep_normal = (size + 0xc8000fffu + (size >> 13 & 1u)) >> 13;\n"
               "const uint upsweep_none = size > 0x7f800000u ? 0x7e00u : 0x7c00u;\n"
               "const uint kept = size < 0x38800000u ? upsweep_small : upsweep_normal;\n"
               "return (ushort)((x >> 16 & 0x8000u) | (size < 0x47800000u ? kept : upsweep_none));\n}\n";
    else
        return {};
}

/// What happens with a result (store_text.hpp).
template <class T>
std::string narrowing_body() {
    if (!is_storage<T>) return "out[i] = value;";
    // Rounded to odd first, as on the host (round_to_odd.hpp): so values of more digits than a float are rounded once.
    return "const float upsweep_cut = convert_float_rtz(value);\n"
           "const uint upsweep_is_cut = (upsweep_value)upsweep_cut != value;\n"
           "out[i] = upsweep_narrowed(as_float(as_uint(upsweep_cut) | upsweep_is_cut));";
}

} // namespace upsweep::detail
