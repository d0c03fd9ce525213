// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <string>
#include <vector>

// Load hooks of inputs whose number of elements is read on the device. Kernels ask for it by the macros that prelude.cl
// defines for all other inputs.

namespace upsweep::detail {

/// The macros, for kernels whose parameters have the number in upsweep_input_count, from upsweep_input_count_begin on.
/// @param count  an expression of that number
UPSWEEP_INLINE std::string count_macros(const std::string& count) {
    return "#define UPSWEEP_IS_COUNTED\n#undef UPSWEEP_REAL\n#undef UPSWEEP_LIMIT\n#undef UPSWEEP_LEAVE_IF\n"
           "#define UPSWEEP_REAL(n) min((ulong)(n), " +
           count +
           ")\n"
           "#define UPSWEEP_LIMIT(n) n = UPSWEEP_REAL(n);\n"
           "#define UPSWEEP_LEAVE_IF(is_behind) if (is_behind) return;\n";
}

/// The number of elements, an expression.
UPSWEEP_INLINE std::string count_of_elements() {
    return "(ulong)upsweep_input_count[upsweep_input_count_begin]";
}

/// An array, as tile/load.cl.
/// @param arrays   more that kernels are given: each two parameters, as in hook_view_text,
/// @param numbers  and numbers
UPSWEEP_INLINE std::string array_text(const std::vector<hook_array>& arrays, const std::vector<std::string>& numbers) {
    std::string more;
    for (const hook_array& array : arrays)
        more += ", " + pointer_to(array, "upsweep_input_") + ", ulong upsweep_input_" + array.name + "_begin";
    for (const std::string& number : numbers) more += ", ulong upsweep_input_" + number;
    return "#define UPSWEEP_INPUT_IS_ARRAY\ntypedef __global const upsweep_element* upsweep_input;\n"
           "#define UPSWEEP_INPUT_PARAMETERS __global const upsweep_element *upsweep_in, ulong upsweep_in_begin" +
           more +
           "\n#define UPSWEEP_INPUT(offset) (upsweep_in + upsweep_in_begin + (offset))\n"
           "#define UPSWEEP_INPUT_AT(in, offset) ((in) + (offset))\n"
           "#define UPSWEEP_LOAD(in, i) ((in)[i])\n";
}

/// The macros for sums of `unit` elements each, of which the last may be of fewer where `rounds_up` is 1.
UPSWEEP_INLINE std::string count_of_sums_text() {
    return count_macros("upsweep_count_sums(" + count_of_elements() +
                        ", upsweep_input_unit, upsweep_input_rounds_up)") +
           "ulong upsweep_count_sums(ulong elements, ulong unit, ulong upsweep_rounds_up)\n{\n"
           "return elements / unit + (upsweep_rounds_up && elements % unit != 0);\n}\n";
}

} // namespace upsweep::detail
