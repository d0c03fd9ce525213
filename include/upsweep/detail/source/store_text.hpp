// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/hook_arrays.hpp>

#include <string>
#include <vector>

namespace upsweep::detail {

/// The store hook of an output of which `body` says what happens with each result. In scope are the result's place `i`,
/// a `ulong`, its `value`, pointers to the elements of `arrays`, and `numbers`, which are `ulong`. Nothing can be read
/// back through it.
inline std::string store_text(const std::vector<hook_array>& arrays, const std::vector<std::string>& numbers,
                              const std::string& body) {
    const auto number_parameter = [](const std::string& name) { return ", ulong " + name; };
    const auto number_value = [](const std::string& name) { return ", out.upsweep_" + name; };
    std::string out = hook_view_text("output", "OUTPUT", arrays, numbers);
    out += "#define UPSWEEP_STORE(out, i, value) upsweep_store_element(out, i, value)\n"
           "#define UPSWEEP_STORE_WIDE(out, i, values) upsweep_store_wide(out, i, values)\n"
           "#define UPSWEEP_STORED(out, i) upsweep_never_stored()\n";
    out += "void upsweep_store_body(ulong i, upsweep_value value" +
           join(arrays, "", [](const hook_array& a) { return ", " + pointer_to(a, ""); }) +
           join(numbers, "", number_parameter) + ")\n{\n#line 1 \"store\"\n" + body + "\n}\n#line 1 \"store hook\"\n";
    out += "void upsweep_store_element(upsweep_output out, ulong i, upsweep_value value)\n{\n"
           "upsweep_store_body(i + out.upsweep_first, value" +
           join(arrays, "", [](const hook_array& a) { return ", out.upsweep_" + a.name; }) +
           join(numbers, "", number_value) + ");\n}\n";
    out += "#ifdef UPSWEEP_WIDE\nvoid upsweep_store_wide(upsweep_output out, ulong i, UPSWEEP_WIDE values)\n{\n"
           "upsweep_value each[16];\nvstore16(values, 0, each);\n"
           "for (uint k = 0; k < 16; ++k) upsweep_store_element(out, 16 * i + k, each[k]);\n}\n#endif\n";
    // The kernels that would ask for it are compiled, but never launched.
    out += "upsweep_value upsweep_never_stored(void)\n{\nunion { uchar byte; upsweep_value value; } none;\nnone.byte = "
           "0;\nreturn none.value;\n}\n";
    return out;
}

} // namespace upsweep::detail
