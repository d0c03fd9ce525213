// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/detail/source/kernel_text.hpp>

#include <string>
#include <vector>

namespace upsweep::detail {

/// Something that a store hook reads before it stores anything: an expression on the place `i`, the arrays and the
/// numbers, which is in scope of the body under a name. It is read for every result, and should have no branch:
/// NVIDIA's compiler makes reads behind branches one after another.
struct hook_read {
    std::string type;
    std::string name;
    std::string text;
};

/// The kind of scan that a store hook is for.
enum class scan_kind { any, exclusive, inclusive };

/// What makes kernels of that kind only (prelude.cl).
inline std::string scan_kind_text(scan_kind kind) {
    if (kind == scan_kind::any) return {};
    const std::string value = kind == scan_kind::exclusive ? "1u" : "0u";
    return "#undef UPSWEEP_IS_EXCLUSIVE\n#define UPSWEEP_IS_EXCLUSIVE(flags) " + value + "\n";
}

/// The functions of a store hook that first reads what the body needs (tile/store.cl).
inline std::string reads_text(const std::vector<hook_read>& reads, const std::string& parameters,
                              const std::string& arguments) {
    const std::string members = join(reads, "", [](const hook_read& r) { return r.type + " " + r.name + "; "; });
    std::string out = "#define UPSWEEP_READ_FOR_STORE(out, i) upsweep_read_for_store(out, i)\n"
                      "#define UPSWEEP_STORE_WITH(out, i, value, read) upsweep_store_with(out, i, value, &(read))\n"
                      "typedef struct { " +
                      members + "} upsweep_read_values;\n";
    out += "upsweep_read_values upsweep_read_at(ulong i" + parameters + ")\n{\nupsweep_read_values read;\n" +
           join(reads, "", [](const hook_read& r) { return "read." + r.name + " = " + r.text + ";\n"; }) +
           "return read;\n}\n";
    return out +
           "upsweep_read_values upsweep_read_for_store(upsweep_output out, ulong i)\n{\n"
           "return upsweep_read_at((upsweep_index)(i + out.upsweep_first)" +
           arguments + ");\n}\n";
}

/// The store hook of an output of which `body` says what happens with each result. In scope are the result's place `i`,
/// a `ulong`, its `value`, pointers to the elements of `arrays`, `numbers`, which are `ulong`, and what it `reads`
/// before. Nothing can be read back through it.
/// @param chosen  an expression on place, arrays and numbers: whether the body does anything; empty: perhaps
inline std::string store_text(const std::vector<hook_array>& arrays, const std::vector<std::string>& numbers,
                              const std::vector<hook_read>& reads, const std::string& chosen, const std::string& body) {
    const std::string parameters = join(arrays, "", [](const hook_array& a) { return ", " + pointer_to(a, ""); }) +
                                   join(numbers, "", [](const std::string& name) { return ", ulong " + name; });
    const std::string arguments = join(arrays, "", [](const hook_array& a) { return ", out.upsweep_" + a.name; }) +
                                  join(numbers, "", [](const std::string& name) { return ", out.upsweep_" + name; });
    const bool ahead = !reads.empty();
    std::string out = hook_view_text("output", "OUTPUT", arrays, numbers);
    out += "#define UPSWEEP_STORE(out, i, value) upsweep_store_element(out, i, value)\n"
           "#define UPSWEEP_STORE_WIDE(out, i, values) upsweep_store_wide(out, i, values)\n"
           "#define UPSWEEP_STORED(out, i) upsweep_never_stored()\n";
    if (ahead) out += reads_text(reads, parameters, arguments);
    if (!chosen.empty())
        out += "#define UPSWEEP_STORES_AT(out, i) upsweep_stores_at(out, i)\n"
               "uint upsweep_is_chosen(ulong i" +
               parameters + ")\n{\nreturn " + chosen +
               ";\n}\nuint upsweep_stores_at(upsweep_output out, ulong i)\n{\n"
               "return upsweep_is_chosen((upsweep_index)(i + out.upsweep_first)" +
               arguments + ");\n}\n";
    out += "void upsweep_store_body(ulong i, upsweep_value value" + parameters +
           join(reads, "", [](const hook_read& r) { return ", " + r.type + " " + r.name; }) +
           ")\n{\n#line 1 \"store\"\n" + body + "\n}\n#line 1 \"store hook\"\n";
    if (ahead)
        out +=
            "void upsweep_store_with(upsweep_output out, ulong i, upsweep_value value, const upsweep_read_values* read)"
            "\n{\nupsweep_store_body((upsweep_index)(i + out.upsweep_first), value" +
            arguments + join(reads, "", [](const hook_read& r) { return ", read->" + r.name; }) + ");\n}\n";
    if (!chosen.empty())
        out += "#define UPSWEEP_STORE_CHOSEN(out, i, value) upsweep_store_chosen(out, i, value)\n"
               "void upsweep_store_chosen(upsweep_output out, ulong i, upsweep_value value)\n{\n"
               "upsweep_store_body((upsweep_index)(i + out.upsweep_first), value" +
               arguments + ");\n}\n";
    out += "void upsweep_store_element(upsweep_output out, ulong i, upsweep_value value)\n{\n";
    if (!chosen.empty())
        out += "if (upsweep_stores_at(out, i)) upsweep_store_chosen(out, i, value);\n}\n";
    else
        out += ahead ? "const upsweep_read_values read = upsweep_read_for_store(out, i);\n"
                       "upsweep_store_with(out, i, value, &read);\n}\n"
                     : "upsweep_store_body((upsweep_index)(i + out.upsweep_first), value" + arguments + ");\n}\n";
    out += "#ifdef UPSWEEP_WIDE\nvoid upsweep_store_wide(upsweep_output out, ulong i, UPSWEEP_WIDE values)\n{\n"
           "upsweep_value each[16];\nvstore16(values, 0, each);\n"
           "for (uint k = 0; k < 16; ++k) upsweep_store_element(out, 16 * i + k, each[k]);\n}\n#endif\n";
    // The kernels that would ask for it are compiled, but never launched.
    out += "upsweep_value upsweep_never_stored(void)\n{\nunion { uchar byte; upsweep_value value; } none;\nnone.byte = "
           "0;\nreturn none.value;\n}\n";
    return out;
}

/// The store hook of an exclusive scan that gives its total: shifts an inclusive one.
inline const std::string& shifted_store() {
    static const auto* const text = // never destroyed: used at exit, perhaps
        new std::string("#define UPSWEEP_STORES_SHIFTED\n" + std::string(kernels::store_total.text));
    return *text;
}

} // namespace upsweep::detail
