// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/call_types.hpp>
#include <upsweep/detail/source/check_return.hpp>
#include <upsweep/type.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace upsweep::detail {

/// How a transform's body names its input number `i`: a, b, c ... There are eight at most: each is two arguments of
/// every kernel.
inline std::string transform_name(std::size_t i) {
    return std::string(1, "abcdefgh"[i]);
}

/// `before` and `after` around the name of each input, with `between` them.
inline std::string for_each_name(std::size_t count, const char* before, const char* after, const char* between) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out.append(i > 0 ? between : "").append(before + transform_name(i) + after);
    return out;
}

/// The definitions of the types that stages read and return, each once, but for that of the last result, the element,
/// which the program has already.
inline std::string definitions_of(const std::vector<type_text>& inputs, const std::vector<transform_stage>& stages) {
    std::vector<type_text> types = inputs;
    for (const transform_stage& stage : stages) types.push_back(stage.result);
    std::vector<std::string> known{std::string(), stages.back().result.definition};
    std::string out;
    for (const type_text& type : types) {
        if (std::find(known.begin(), known.end(), type.definition) != known.end()) continue;
        out.append("#line 1 \"type\"\n").append(type.definition).append("\n");
        known.push_back(type.definition);
    }
    return out;
}

/// The input as kernels take it: for each array a pointer and where to begin, without arrays only the latter.
inline std::string transform_input_text(const std::vector<type_text>& inputs) {
    std::string parameters, members, arrays, pointers;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string name = "upsweep_" + transform_name(i);
        const std::string pointer = "__global const " + inputs[i].name + "* " + name;
        parameters.append(i > 0 ? ", " : "").append(pointer).append(", ulong ").append(name).append("_begin");
        members.append(pointer).append("; ");
        arrays.append(name).append(" + ").append(name).append("_begin, ");
        pointers.append(pointer).append(", ");
    }
    if (inputs.empty()) parameters = "ulong upsweep_begin";
    std::string out = "typedef struct { " + members + "ulong upsweep_first; } upsweep_input;\n";
    out += "#define UPSWEEP_INPUT_PARAMETERS " + parameters + "\n";
    out += "#define UPSWEEP_INPUT(offset) upsweep_input_of(" + arrays +
           (inputs.empty() ? "upsweep_begin + (offset))\n" : "offset)\n");
    out += "#define UPSWEEP_INPUT_AT(in, offset) upsweep_input_at(in, offset)\n"
           "#define UPSWEEP_LOAD(in, i) upsweep_load_element(in, i)\n";
    out += "upsweep_input upsweep_input_of(" + pointers + "ulong first)\n{\nupsweep_input in = {" +
           for_each_name(inputs.size(), "upsweep_", ", ", "") + "first};\nreturn in;\n}\n";
    out += "upsweep_input upsweep_input_at(upsweep_input in, ulong offset)\n{\nin.upsweep_first += offset;\n"
           "return in;\n}\n";
    return out;
}

/// A stage as a function of the element's place and of what the stage reads.
inline std::string stage_text(const transform_stage& stage, const std::string& name, const std::string& parameters) {
    const std::string& type = stage.is_test ? "bool" : stage.result.name;
    const char* give = can_return(stage.body, {}) ? "" : "return\n";
    return type + " " + name + "(ulong i" + parameters + ")\n{\n" + give + "#line 1 \"load\"\n" + stage.body +
           "\n;\n}\n#line 1 \"load hook\"\n";
}

/// The load hook of a computed input: the first stage is given the elements i of `inputs`, each other one what the
/// stage before it returned; the last returns element i.
inline std::string transform_text(const std::vector<type_text>& inputs, const std::vector<transform_stage>& stages) {
    std::string out = definitions_of(inputs, stages) + transform_input_text(inputs);
    std::string parameters;
    for (std::size_t i = 0; i < inputs.size(); ++i) parameters += ", " + inputs[i].name + " " + transform_name(i);
    std::string value = for_each_name(inputs.size(), ", in.upsweep_", "[i]", "");
    for (std::size_t k = 0; k < stages.size(); ++k) {
        const std::string name = "upsweep_transform" + (k > 0 ? "_" + std::to_string(k) : std::string());
        out += stage_text(stages[k], name, parameters);
        parameters = ", " + stages[k].result.name + " a";
        value = name + "(i" + (k > 0 ? ", " : "") + value + ")";
    }
    out += "upsweep_element upsweep_load_element(upsweep_input in, ulong i)\n{\ni += in.upsweep_first;\nreturn " +
           value + ";\n}\n";
    return out;
}

} // namespace upsweep::detail
