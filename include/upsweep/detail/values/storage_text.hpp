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
        return "const uint exponent = a >> 10 & 31u, fraction = a & 1023u, sign = (a & 0x8000u) << 16;\n"
               "if (exponent == 0) return as_float(sign | as_uint((float)fraction * 0x1p-24f));\n"
               "return as_float(sign | (exponent == 31 ? 255u : exponent + 112u) << 23 | fraction << 13);";
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
               "const uint sign = x >> 16 & 0x8000u, size = x & 0x7fffffffu, exponent = size >> 23;\n"
               "if (size > 0x7f800000u) return (ushort)(sign | 0x7e00u);\n"
               "if (size >= 0x477ff000u) return (ushort)(sign | 0x7c00u);\n"
               "if (size < 0x33000001u) return (ushort)sign;\n"
               "const uint is_small = exponent < 113u, shift = is_small ? 126u - exponent : 13u;\n"
               "const uint fraction = (size & 0x7fffffu) | (is_small ? 0x800000u : 0u);\n"
               "const uint kept = (fraction >> shift) + (is_small ? 0u : (exponent - 112u) << 10);\n"
               "const uint rest = fraction & ((1u << shift) - 1u), middle = 1u << (shift - 1u);\n"
               "return (ushort)(sign | (kept + (rest > middle || (rest == middle && (kept & 1u)))));\n}\n";
    else
        return {};
}

/// What happens with a result (store_text.hpp).
template <class T>
std::string narrowing_body() {
    return is_storage<T> ? "out[i] = upsweep_narrowed((float)value);" : "out[i] = value;";
}

} // namespace upsweep::detail
