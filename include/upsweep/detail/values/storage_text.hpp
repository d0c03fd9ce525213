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

/// Statements that return the float of the bits `a`. By integers, so that devices without cl_khr_fp16 can do it.
template <class T>
std::string widening_body() {
    if constexpr (std::is_same<T, bfloat16>::value)
        return "return as_float((uint)a << 16);";
    else
        return "const uint upsweep_exponent = a >> 10 & 31u, upsweep_fraction = a & 1023u;\n"
               "const uint upsweep_sign = (a & 0x8000u) << 16;\n"
               "if (upsweep_exponent == 0)\n"
               "return as_float(upsweep_sign | as_uint((float)upsweep_fraction * 0x1p-24f));\n"
               "return as_float(upsweep_sign | (upsweep_exponent == 31 ? 255u : upsweep_exponent + 112u) << 23 |\n"
               "upsweep_fraction << 13);";
}

/// upsweep_narrowed(value): what is stored of a result. Rounds to nearest, ties to even, as the types on the host do.
template <class T>
std::string narrowing_functions() {
    if constexpr (std::is_same<T, bfloat16>::value)
        return "ushort upsweep_narrowed(float value)\n{\nconst uint x = as_uint(value);\n"
               "if ((x & 0x7fffffffu) > 0x7f800000u) return (ushort)(x >> 16 | 0x40u);\n"
               "return (ushort)((x + 0x7fffu + (x >> 16 & 1u)) >> 16);\n}\n";
    else if constexpr (is_storage<T>)
        return "ushort upsweep_narrowed(float value)\n{\nconst uint x = as_uint(value);\n"
               "const uint upsweep_sign = x >> 16 & 0x8000u, size = x & 0x7fffffffu, upsweep_exponent = size >> 23;\n"
               "if (size > 0x7f800000u) return (ushort)(upsweep_sign | 0x7e00u);\n"
               "if (size >= 0x477ff000u) return (ushort)(upsweep_sign | 0x7c00u);\n"
               "if (size < 0x33000001u) return (ushort)upsweep_sign;\n"
               "const uint upsweep_is_small = upsweep_exponent < 113u;\n"
               "const uint shift = upsweep_is_small ? 126u - upsweep_exponent : 13u;\n"
               "const uint upsweep_fraction = (size & 0x7fffffu) | (upsweep_is_small ? 0x800000u : 0u);\n"
               "const uint upsweep_bits = upsweep_is_small ? 0u : (upsweep_exponent - 112u) << 10;\n"
               "const uint kept = (upsweep_fraction >> shift) + upsweep_bits;\n"
               "const uint rest = upsweep_fraction & ((1u << shift) - 1u), middle = 1u << (shift - 1u);\n"
               "return (ushort)(upsweep_sign | (kept + (rest > middle || (rest == middle && (kept & 1u)))));\n}\n";
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
