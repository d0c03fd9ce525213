// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <string>
#include <vector>

namespace upsweep::detail {

/// How kernels name what a store hook first reads.
struct read_names {
    const char* type;     ///< the struct of all that is read
    const char* function; ///< that reads it for an element of the output
};

/// What a store hook has in scope, as parameters and as arguments of its functions.
struct store_scope {
    std::string parameters;
    std::string arguments;
};

/// The function of a store hook that first reads what the body needs.
UPSWEEP_INLINE std::string reads_text(const std::vector<hook_read>& reads, const read_names& names,
                                      const store_scope& scope) {
    const std::string type = names.type, function = names.function;
    const std::string members = join(reads, "", [](const hook_read& r) { return r.type + " " + r.name + "; "; });
    return "typedef struct { " + (reads.empty() ? "char upsweep_nothing; " : members) + "} " + type + ";\n" + type +
           " " + function + "_at(ulong i" + scope.parameters + ")\n{\n" + type + " read;\n" +
           join(reads, "", [](const hook_read& r) { return "read." + r.name + " = " + r.text + ";\n"; }) +
           (reads.empty() ? "read.upsweep_nothing = 0;\n" : "") + "return read;\n}\n" + type + " " + function +
           "(upsweep_output out, ulong i)\n{\nreturn " + function + "_at((upsweep_index)(i + out.upsweep_first)" +
           scope.arguments + ");\n}\n";
}

/// The words of elements of 12 bytes, which are loaded and stored by functions of their own.
inline constexpr const char* three_words = "uint3";

/// Words for elements of so many bytes that are copied and nothing else; empty: there are none.
UPSWEEP_INLINE std::string words_of(std::size_t size) {
    if (size == 12) return three_words;
    if (size == 16) return "uint4";
    return is_power_of_two(size) && size <= 8 ? bits_type(size) : "";
}

UPSWEEP_INLINE std::string load_listed_text(const listed_elements& listed) {
    const std::string array = "((in).upsweep_" + listed.input + " + (in).upsweep_first)";
    const std::string load = !listed.are_words            ? array + "[i]"
                             : listed.type == three_words ? "vload3(i, (const __global uint*)" + array + ")"
                                                          : "((const __global " + listed.type + "*)" + array + ")[i]";
    return "#define UPSWEEP_LOAD_LISTED(in, i) (" + load + ")\n";
}

/// The part of a store hook that kernels use which list elements with their places.
UPSWEEP_INLINE std::string listed_reads_text(const listed_elements& listed, const hook_read& read) {
    return load_listed_text(listed) + "#define UPSWEEP_LISTED_READ " + listed.type +
           "\n#define UPSWEEP_READ_LISTED(element) upsweep_read_listed(element)\nupsweep_marked_reads "
           "upsweep_read_listed(" +
           listed.type + " element)\n{\nupsweep_marked_reads read;\nread." + read.name +
           " = element;\nreturn read;\n}\n";
}

/// The part of a store hook that kernels use which list elements.
UPSWEEP_INLINE std::string listed_elements_text(const listed_elements& listed) {
    const std::string others = listed.count.empty() ? "0" : "((ulong)*(out).upsweep_" + listed.count + ")";
    const std::string array = "(out).upsweep_" + listed.output;
    const std::string store = !listed.are_words ? array + "[place] = (element)"
                              : listed.type == three_words
                                  ? "vstore3(element, place, (__global uint*)" + array + ")"
                                  : "((__global " + listed.type + "*)" + array + ")[place] = (element)";
    return load_listed_text(listed) + "#define UPSWEEP_LISTED " + listed.type + "\n#define UPSWEEP_LISTED_SIZE " +
           std::to_string(listed.size) + "\n#define UPSWEEP_LISTED_OTHERS(out) " + others +
           "\n#define UPSWEEP_LISTED_ROOM(out) ((out).upsweep_" + listed.room +
           ")\n#define UPSWEEP_STORE_LISTED(out, place, element) (" + store + ")\n";
}

/// The part of a store hook that kernels use which list places.
UPSWEEP_INLINE std::string listed_places_text(const listed_marks& marks, const store_scope& scope) {
    return "#define UPSWEEP_READ_MARKED(out, i) upsweep_read_marked(out, i)\n"
           "#define UPSWEEP_STORE_MARKED(out, i, value, mark, real, read) upsweep_store_marked(out, i, value, mark, "
           "real, &(read))\n" +
           reads_text(marks.reads, {"upsweep_marked_reads", "upsweep_read_marked"}, scope) +
           "void upsweep_store_marked_body(ulong i, upsweep_value value, uint upsweep_mark, uint upsweep_real" +
           scope.parameters + join(marks.reads, "", [](const hook_read& r) { return ", " + r.type + " " + r.name; }) +
           ")\n{\n" + marks.body +
           "}\nvoid upsweep_store_marked(upsweep_output out, ulong i, upsweep_value value, uint upsweep_mark, uint "
           "upsweep_real, const upsweep_marked_reads* read)\n{\nupsweep_store_marked_body((upsweep_index)(i + "
           "out.upsweep_first), value, upsweep_mark, upsweep_real" +
           scope.arguments + join(marks.reads, "", [](const hook_read& r) { return ", read->" + r.name; }) + ");\n}\n";
}

/// The part of a store hook that kernels use which list marks.
UPSWEEP_INLINE std::string listed_marks_text(const listed_marks& marks, const store_scope& scope) {
    if (marks.is_marked.empty()) return {};
    const bool lists_elements = !marks.elements.type.empty();
    const bool lists_places = !lists_elements || marks.elements.with_places;
    return std::string("#define UPSWEEP_LISTS_MARKS ") + (marks.stores_all ? "2" : "1") +
           "\n#define UPSWEEP_IS_MARKED(element) (" + marks.is_marked + ")\n#define UPSWEEP_MARKS_VALUE(count, last) " +
           marks.value +
           "\n#define UPSWEEP_PLACE(out, i) ((i) + (out).upsweep_first)\n"
           "#define UPSWEEP_STORE_END(out, i, value) upsweep_store_end(out, i, value)\n" +
           (lists_places ? listed_places_text(marks, scope) : listed_elements_text(marks.elements)) +
           (lists_places && lists_elements ? listed_reads_text(marks.elements, marks.reads.front()) : "") +
           "void upsweep_store_end_body(ulong i, upsweep_value value" + scope.parameters + ")\n{\n" + marks.end +
           "}\nvoid upsweep_store_end(upsweep_output out, ulong i, upsweep_value value)\n{\nupsweep_store_end_body("
           "(upsweep_index)(i + out.upsweep_first), value" +
           scope.arguments + ");\n}\n";
}

/// The store hook of an output of which `body` says what happens with each result. In scope are the result's place `i`,
/// a `ulong`, its `value`, pointers to the elements of `arrays`, `numbers`, which are `ulong`, and what it `reads`
/// before. Nothing can be read back through it.
/// @param chosen  an expression on place, arrays and numbers: whether the body does anything; empty: perhaps
/// @param marks   the same for kernels that list the elements which the body does something with
UPSWEEP_INLINE std::string store_text(const std::vector<hook_array>& arrays, const std::vector<std::string>& numbers,
                                      const std::vector<hook_read>& reads, const std::string& chosen,
                                      const std::string& body, const listed_marks& marks = {}) {
    const store_scope scope{join(arrays, "", [](const hook_array& a) { return ", " + pointer_to(a, ""); }) +
                                join(numbers, "", [](const std::string& name) { return ", ulong " + name; }),
                            join(arrays, "", [](const hook_array& a) { return ", out.upsweep_" + a.name; }) +
                                join(numbers, "", [](const std::string& name) { return ", out.upsweep_" + name; })};
    const std::string &parameters = scope.parameters, &arguments = scope.arguments;
    const bool ahead = !reads.empty();
    std::string out = hook_view_text("output", "OUTPUT", arrays, numbers);
    out += "#define UPSWEEP_STORE(out, i, value) upsweep_store_element(out, i, value)\n"
           "#define UPSWEEP_STORE_WIDE(out, i, values) upsweep_store_wide(out, i, values)\n"
           "#define UPSWEEP_STORED(out, i) upsweep_never_stored()\n";
    if (ahead)
        out += "#define UPSWEEP_READ_FOR_STORE(out, i) upsweep_read_for_store(out, i)\n"
               "#define UPSWEEP_STORE_WITH(out, i, value, read) upsweep_store_with(out, i, value, &(read))\n" +
               reads_text(reads, {"upsweep_read_values", "upsweep_read_for_store"}, scope);
    out += listed_marks_text(marks, scope);
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
    const std::string stored =
        ahead ? "const upsweep_read_values read = upsweep_read_for_store(out, i);\n"
                "upsweep_store_with(out, i, value, &read);\n}\n"
              : "upsweep_store_body((upsweep_index)(i + out.upsweep_first), value" + arguments + ");\n}\n";
    if (!chosen.empty())
        out += "#define UPSWEEP_STORE_CHOSEN(out, i, value) upsweep_store_chosen(out, i, value)\n"
               "void upsweep_store_chosen(upsweep_output out, ulong i, upsweep_value value)\n{\n" +
               stored;
    out += "void upsweep_store_element(upsweep_output out, ulong i, upsweep_value value)\n{\n";
    out += chosen.empty() ? stored : "if (upsweep_stores_at(out, i)) upsweep_store_chosen(out, i, value);\n}\n";
    out += "#ifdef UPSWEEP_WIDE\nvoid upsweep_store_wide(upsweep_output out, ulong i, UPSWEEP_WIDE values)\n{\n"
           "upsweep_value each[16];\nvstore16(values, 0, each);\n"
           "for (uint k = 0; k < 16; ++k) upsweep_store_element(out, 16 * i + k, each[k]);\n}\n#endif\n";
    // The kernels that would ask for it are compiled, but never launched.
    out += "upsweep_value upsweep_never_stored(void)\n{\nunion { uchar upsweep_byte; upsweep_value value; } "
           "upsweep_none;\nupsweep_none.upsweep_byte = 0;\nreturn upsweep_none.value;\n}\n";
    return out;
}

/// The store hook of an exclusive scan that gives its total: shifts an inclusive one.
UPSWEEP_INLINE const std::string& shifted_store() {
    static const auto* const text = // never destroyed: used at exit, perhaps
        new std::string("#define UPSWEEP_STORES_SHIFTED\n" + std::string(kernels::store_total.text));
    return *text;
}

} // namespace upsweep::detail
