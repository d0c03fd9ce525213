// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/call_types.hpp>
#include <upsweep/detail/source/check_return.hpp>
#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/type.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace upsweep::detail {

/// How a transform's body names its input number `i`: a, b, c ... There are eight at most: each is two arguments of
/// every kernel.
inline std::string transform_name(std::size_t i) {
    return std::string(1, "abcdefgh"[i]);
}

/// A stage as a function of the element's place and of what the stage reads.
inline std::string stage_text(const transform_stage& stage, const std::string& name, const std::string& parameters) {
    const std::string& type = stage.is_test ? "bool" : stage.result.name;
    const char* give = can_return(stage.body, {}) ? "" : "return\n";
    return type + " " + name + "(ulong i" + parameters + ")\n{\n" + give + "#line 1 \"load\"\n" + stage.body +
           "\n;\n}\n#line 1 \"load hook\"\n";
}

/// Stages as text.
struct stages_text {
    std::string functions;
    std::string value; ///< the expression that calls them for the elements at a place of `in`
};

/// The first stage is given the elements of `arrays` at `place`, each other one what the stage before it returned.
inline stages_text text_of_stages(const std::vector<hook_array>& arrays, const std::vector<transform_stage>& stages,
                                  const std::string& place) {
    stages_text out;
    std::string parameters = join(arrays, "", [](const hook_array& a) { return ", " + a.type + " " + a.name; });
    out.value = join(arrays, "", [&](const hook_array& a) { return ", in.upsweep_" + a.name + "[" + place + "]"; });
    for (std::size_t k = 0; k < stages.size(); ++k) {
        const std::string name = "upsweep_transform" + (k > 0 ? "_" + std::to_string(k) : std::string());
        out.functions += stage_text(stages[k], name, parameters);
        parameters = ", " + stages[k].result.name + " a";
        out.value = name + "(" + place + (k > 0 ? ", " : "") + out.value + ")";
    }
    return out;
}

/// The arrays that the first stage reads.
inline std::vector<hook_array> arrays_of(const std::vector<type_text>& inputs) {
    std::vector<hook_array> arrays;
    for (const type_text& input : inputs) arrays.push_back({transform_name(arrays.size()), input.name});
    return arrays;
}

/// The types of a computed input's arrays and results, of which a program needs the definitions.
inline std::vector<type_text> types_of(const std::vector<type_text>& inputs,
                                       const std::vector<transform_stage>& stages) {
    std::vector<type_text> types = inputs;
    for (const transform_stage& stage : stages) types.push_back(stage.result);
    return types;
}

/// The load hook of a computed input: the last stage returns element i.
inline std::string transform_text(const std::vector<type_text>& inputs, const std::vector<transform_stage>& stages) {
    const std::vector<hook_array> arrays = arrays_of(inputs);
    std::vector<std::string> known{stages.back().result.definition};
    // Without arrays the kernels' parameter is a number that nothing reads.
    const std::vector<std::string> numbers(inputs.empty() ? 1 : 0, "nothing");
    const stages_text text = text_of_stages(arrays, stages, "i");
    return definitions_of(types_of(inputs, stages), known) + hook_view_text("input", "INPUT", arrays, numbers) +
           "#define UPSWEEP_LOAD(in, i) upsweep_load_element(in, i)\n" + text.functions +
           "upsweep_element upsweep_load_element(upsweep_input in, ulong i)\n{\ni += in.upsweep_first;\nreturn " +
           text.value + ";\n}\n";
}

} // namespace upsweep::detail
