// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/check_text.hpp>
#include <upsweep/detail/source/hook_text.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/pass_variable.hpp>
#include <upsweep/type.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace upsweep::detail {

/// A pointer to an array's elements, called `prefix` and the array's name.
UPSWEEP_INLINE std::string pointer_to(const hook_array& array, const std::string& prefix) {
    return std::string("__global ") + (array.is_written ? "" : "const ") + array.type + "* " + prefix + array.name;
}

/// `each(item)` for all items, with `between` them.
template <class Items, class Each>
std::string join(const Items& items, const char* between, const Each& each) {
    std::string out;
    for (const auto& item : items) {
        if (!out.empty()) out += between;
        out += each(item);
    }
    return out;
}

/// Does not compile where the device has another size of a type than the host. The name says which, for build logs
/// (size_mismatch in program.hpp). The function is declared only, each time with the same type.
UPSWEEP_INLINE std::string size_check_of(const type_text& type) {
    std::string name = users_name(type.name);
    for (char& c : name)
        if (!is_identifier_part(c)) c = '_';
    const std::string size = std::to_string(type.size);
    return "void upsweep_check_sizes(char (*upsweep_check_" + size + "_bytes_of_" + name + ")[sizeof(" + type.name +
           ") == " + size + " ? 1 : -1]);\n";
}

/// The definitions of types, each once, but for those that the program has `known`, to which they are added. Behind
/// them the sizes of types that are no scalars are checked.
UPSWEEP_INLINE std::string definitions_of(const std::vector<type_text>& types, std::vector<std::string>& known) {
    std::string out, checks;
    for (const type_text& type : types) {
        const bool is_sized = type.size > 0 && !is_scalar(type);
        const std::string check = is_sized ? size_check_of(type) : std::string();
        if (is_sized && std::find(known.begin(), known.end(), check) == known.end()) {
            checks += check;
            known.push_back(check);
        }
        // One definition may be that of several types.
        for (const std::string& each : {type.definition, own_name_definition(type)}) {
            if (each.empty() || std::find(known.begin(), known.end(), each) != known.end()) continue;
            out.append(as_it_is("#line 1 \"type\"\n" + each + "\n"));
            known.push_back(each);
        }
    }
    return checks.empty() ? out : out + "#line 1 \"sizes\"\n" + checks;
}

/// The definitions of types that a program has already.
UPSWEEP_INLINE std::vector<std::string> known_definitions(const std::vector<type_text>& types) {
    std::vector<std::string> known;
    definitions_of(types, known);
    return known;
}

/// What kernels see of a view of several arrays and numbers (tile/load.cl, tile/store.cl), but for how its elements are
/// loaded or stored: the struct upsweep_`side`, which has them as upsweep_`name` and the place that it is seen from as
/// upsweep_first, the kernels' parameters, and the macros that make one of them. Each array is two parameters, its
/// buffer and the place in it, and each number is one. Places are of upsweep_index: GPUs compute in 32 bits.
/// @param side   "input" or "output"
/// @param macro  the same in capitals
UPSWEEP_INLINE std::string hook_view_text(const std::string& side, const std::string& macro,
                                          const std::vector<hook_array>& arrays,
                                          const std::vector<std::string>& numbers) {
    const std::string own = "upsweep_" + side + "_"; // parameters of kernels, which have both sides
    std::string members, parameters, given, taken, values;
    for (const hook_array& array : arrays) {
        members += pointer_to(array, "upsweep_") + "; ";
        parameters += pointer_to(array, own) + ", ulong " + own + array.name + "_begin, ";
        given += own + array.name + " + " + own + array.name + "_begin, ";
        taken += pointer_to(array, "upsweep_") + ", ";
        values += "upsweep_" + array.name + ", ";
    }
    for (const std::string& number : numbers) {
        members += "ulong upsweep_" + number + "; ";
        parameters += "ulong " + own + number + ", ";
        given += own + number + ", ";
        taken += "ulong upsweep_" + number + ", ";
        values += "upsweep_" + number + ", ";
    }
    parameters.resize(parameters.size() - 2); // without the last comma
    std::string out = "typedef struct { " + members + "upsweep_index upsweep_first; } upsweep_" + side + ";\n";
    out += "#define UPSWEEP_" + macro + "_PARAMETERS " + parameters + "\n";
    out += "#define UPSWEEP_" + macro + "(offset) upsweep_" + side + "_of(" + given + "offset)\n";
    out += "#define UPSWEEP_" + macro + "_AT(view, offset) upsweep_" + side + "_at(view, offset)\n";
    out += "upsweep_" + side + " upsweep_" + side + "_of(" + taken + "ulong first)\n{\nupsweep_" + side +
           " upsweep_view = {" + values + "first};\nreturn upsweep_view;\n}\n";
    out += "upsweep_" + side + " upsweep_" + side + "_at(upsweep_" + side +
           " upsweep_view, ulong offset)\n{\nupsweep_" + side +
           " upsweep_moved_view = upsweep_view;\nupsweep_moved_view.upsweep_first += offset;\n" +
           "return upsweep_moved_view;\n}\n"; // a copy moves: see advance_text
    return out;
}

/// Where the first element of a view's array lies, as an expression. Memory of any type may be read and written so.
UPSWEEP_INLINE std::string first_of_view(const std::string& view, const std::string& array) {
    return "((__global uchar*)(" + view + ".upsweep_" + array + " + " + view + ".upsweep_first))";
}

/// The load hook by words (sub_group_tile/segment_moves.cl) of an array of a view.
UPSWEEP_INLINE std::string load_words_text(const std::string& array) {
    return "#define UPSWEEP_INNER_SHIFT(in) ((uint)((size_t)" + first_of_view("(in)", array) +
           " & 3))\n#define UPSWEEP_LOAD_INNER_WORD(in, k) upsweep_load_inner_word(in, k)\n"
           "uint upsweep_load_inner_word(upsweep_input in, uint k)\n{\nreturn ((const __global uint*)(" +
           first_of_view("in", array) + " - UPSWEEP_INNER_SHIFT(in)))[k];\n}\n";
}

/// The store hook by words.
UPSWEEP_INLINE std::string store_words_text(const std::string& array) {
    const std::string begin = first_of_view("out", array) + " - UPSWEEP_SEGMENT_SHIFT(out)";
    return "#define UPSWEEP_SEGMENT_SHIFT(out) ((uint)((size_t)" + first_of_view("(out)", array) +
           " & 3))\n#define UPSWEEP_STORE_SEGMENT_WORD(out, k, word) upsweep_store_segment_word(out, k, word)\n"
           "void upsweep_store_segment_word(upsweep_output out, uint k, uint word)\n{\n((__global uint*)(" +
           begin +
           "))[k] = word;\n}\n#define UPSWEEP_STORE_SEGMENT_BYTES(out, k, word, begin, end) "
           "upsweep_store_segment_bytes(out, k, word, begin, end)\n"
           "void upsweep_store_segment_bytes(upsweep_output out, uint k, uint word, uint begin, uint end)\n{\n"
           "__global uchar* to = " +
           begin + " + (size_t)k * 4;\nfor (uint i = begin; i < end; ++i) to[i] = (uchar)(word >> i * 8);\n}\n";
}

} // namespace upsweep::detail
