// SPDX-License-Identifier: MIT
#pragma once

#include <string>

// Load hooks of inputs whose number of elements is read on the device. Kernels ask for it by the macros that prelude.cl
// defines for all other inputs.

namespace upsweep::detail {

/// The macros, for kernels whose parameters have the number in upsweep_input_count, from upsweep_input_count_begin on.
/// @param count  an expression of that number
inline std::string count_macros(const std::string& count) {
    return "#define UPSWEEP_IS_COUNTED\n#undef UPSWEEP_REAL\n#undef UPSWEEP_LIMIT\n#undef UPSWEEP_LEAVE_IF\n"
           "#define UPSWEEP_REAL(n) min((ulong)(n), " +
           count +
           ")\n"
           "#define UPSWEEP_LIMIT(n) n = UPSWEEP_REAL(n);\n"
           "#define UPSWEEP_LEAVE_IF(is_behind) if (is_behind) return;\n";
}

/// The number of elements, an expression.
inline std::string count_of_elements() {
    return "(ulong)upsweep_input_count[upsweep_input_count_begin]";
}

/// An array, as tile/load.cl, with its number of elements.
/// @param type     of the number
/// @param numbers  more parameters of kernels
/// @param count    an expression of the number of the array's elements
inline std::string counted_array_text(const std::string& type, const std::string& numbers, const std::string& count) {
    return "#define UPSWEEP_INPUT_IS_ARRAY\ntypedef __global const upsweep_element* upsweep_input;\n"
           "#define UPSWEEP_INPUT_PARAMETERS __global const upsweep_element *upsweep_in, ulong upsweep_in_begin, "
           "__global const " +
           type + " *upsweep_input_count, ulong upsweep_input_count_begin" + numbers +
           "\n#define UPSWEEP_INPUT(offset) (upsweep_in + upsweep_in_begin + (offset))\n"
           "#define UPSWEEP_INPUT_AT(in, offset) ((in) + (offset))\n"
           "#define UPSWEEP_LOAD(in, i) ((in)[i])\n" +
           count_macros(count);
}

/// The caller's elements.
inline std::string counted_elements_text(const std::string& type) {
    return counted_array_text(type, {}, count_of_elements());
}

/// Sums of `unit` elements each, of which the last may be of fewer where `rounds_up` is 1.
inline std::string counted_sums_text(const std::string& type) {
    return counted_array_text(type, ", ulong upsweep_input_unit, ulong upsweep_input_rounds_up",
                              "upsweep_count_sums(" + count_of_elements() +
                                  ", upsweep_input_unit, upsweep_input_rounds_up)") +
           "ulong upsweep_count_sums(ulong elements, ulong unit, ulong rounds_up)\n{\n"
           "return elements / unit + (rounds_up && elements % unit != 0);\n}\n";
}

} // namespace upsweep::detail
