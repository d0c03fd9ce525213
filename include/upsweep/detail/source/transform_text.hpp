// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/call_types.hpp>
#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/detail/source/read_text.hpp>
#include <upsweep/detail/source/stage_parameters.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/pass_variable.hpp>
#include <upsweep/detail/values/text_memo.hpp>
#include <upsweep/type.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::detail {

/// How a transform's body names its input number `i`: a, b, c ... There are eight at most: each is two arguments of
/// every kernel.
UPSWEEP_INLINE std::string transform_name(std::size_t i) {
    return std::string(1, "abcdefgh"[i]);
}

/// The name of the function of stage number `k`.
UPSWEEP_INLINE std::string stage_name(const std::string& functions, std::size_t k) {
    return k > 0 ? functions + "_" + std::to_string(k) : functions;
}

/// The arrays that the first stage reads.
UPSWEEP_INLINE std::vector<hook_array> arrays_of(const std::vector<type_text>& inputs) {
    std::vector<hook_array> arrays;
    for (const type_text& input : inputs) arrays.push_back({transform_name(arrays.size()), input.name});
    return arrays;
}

/// The types of a computed input's arrays, parameters and results, of which a program needs the definitions.
UPSWEEP_INLINE std::vector<type_text> types_of(const std::vector<type_text>& inputs,
                                               const std::vector<transform_stage>& stages) {
    std::vector<type_text> types = inputs;
    for (const transform_stage& stage : stages) {
        for (const stage_parameter& parameter : stage.parameters) types.push_back(parameter.type);
        types.push_back(stage.result);
    }
    return types;
}

/// A stage as a function of the element's place and of what the stage reads.
/// @param before  definitions that stand before it
UPSWEEP_INLINE std::string stage_text(const transform_stage& stage, const std::string& name,
                                      const std::vector<hook_array>& read,
                                      const std::vector<std::string_view>& before) {
    const bool is_test = stage.is_test || stage.of_neighbours;
    const std::string& type = is_test ? "bool" : stage.result.name;
    const std::string elements = join(read, "", [](const hook_array& a) { return ", " + a.type + " " + a.name; });
    return type + " " + name + "(ulong i" + elements + parameters_text(stage.parameters) + ")\n{\n" +
           values_text(stage.parameters) + give_text(stage.body, before) +
           as_it_is("#line 1 \"" + std::string(stage.label) + "\"\n" + stage.body) + "\n;\n}\n#line 1 \"load hook\"\n";
}

/// The functions of all stages. The first is given elements of `inputs`, each other one what the stage before it
/// returned.
UPSWEEP_INLINE std::string stage_functions(const std::string& functions, const std::vector<type_text>& inputs,
                                           const std::vector<transform_stage>& stages) {
    std::string out;
    std::vector<hook_array> read = arrays_of(inputs);
    const std::vector<type_text> types = types_of(inputs, stages);
    std::vector<std::string_view> before;
    for (const type_text& type : types) before.push_back(type.definition);
    for (std::size_t k = 0; k < stages.size() && !stages[k].is_operands; ++k) {
        if (stages[k].of_neighbours) read = {{"left", read[0].type}, {"right", read[0].type}};
        out += stage_text(stages[k], stage_name(functions, k), read, before);
        read = {{transform_name(0), stages[k].result.name}};
    }
    return out;
}

/// Which element a text is about, as expressions of 64 bits.
struct element_place {
    std::string at;    ///< in the arrays, from where the pointers to them point
    std::string place; ///< in the whole input: what bodies are given as `i`
};

/// What the first `count` stages make of an element; without stages the element of the only array.
/// @param arrays      expressions that point to the elements
/// @param parameters  what stands before the names of parameters (parameter_arrays, parameter_numbers)
UPSWEEP_INLINE std::string element_text(const std::string& functions, const std::vector<transform_stage>& stages,
                                        std::size_t count, const std::vector<std::string>& arrays,
                                        const std::string& parameters, const element_place& e) {
    if (count == 0) return join(arrays, ", ", [&](const std::string& array) { return array + "[" + e.at + "]"; });
    const auto read = [&](const element_place& other) {
        return element_text(functions, stages, count - 1, arrays, parameters, other);
    };
    if (stages[count - 1].is_operands) return read(e);
    const std::string name = stage_name(functions, count - 1);
    const std::string given = arguments_text(stages[count - 1].parameters, count - 1, parameters);
    // The place before is kept within the array by arithmetic: Intel's CPU runtime makes loads that a condition
    // forbids. And no condition stands before a load, because then it would wait for those before.
    if (stages[count - 1].of_neighbours) {
        const std::string back = " - (" + e.place + " != 0))";
        return "((" + e.place + " == 0) | !" + name + "(" + e.place + ", " +
               read({"(" + e.at + back, "(" + e.place + back}) + ", " + read(e) + given + "))";
    }
    const std::string values = read(e);
    return name + "(" + e.place + (values.empty() ? "" : ", ") + values + given + ")";
}

/// Stages as text.
struct stages_text {
    std::string functions;
    std::string value; ///< the expression that calls them for the elements at a place of `in`
};

/// All stages, for an element of a load hook's `in`.
UPSWEEP_INLINE stages_text text_of_stages(const std::vector<type_text>& inputs,
                                          const std::vector<transform_stage>& stages, const element_place& place) {
    const std::string functions = "upsweep_transform";
    std::vector<std::string> pointers;
    for (const hook_array& array : arrays_of(inputs)) pointers.push_back("in.upsweep_" + array.name);
    return {operands_macro(stages) + stage_functions(functions, inputs, stages),
            element_text(functions, stages, stages.size(), pointers, "in.upsweep_", place)};
}

// Load hooks of inputs whose number of elements is read on the device. Kernels ask for it by the macros that prelude.cl
// defines for all other inputs.

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

/// The load hook of an array that has a number of elements on the device, or parameters of the operator, or both.
/// @param stages   parameters of the operator, or none
/// @param counter  the type of the number; empty: there is none
UPSWEEP_INLINE std::string elements_text(const std::vector<transform_stage>& stages, const std::string& counter) {
    std::vector<hook_array> arrays = with_parameters({}, stages);
    if (!counter.empty()) arrays.push_back({"count", counter});
    return array_text(arrays, parameter_numbers(stages)) + operands_macro(stages) +
           (counter.empty() ? std::string() : count_macros(count_of_elements()));
}

/// The load hook of launches over sums, with the same; empty for a plain array.
UPSWEEP_INLINE std::string sums_text(const transform_stage* operands, const std::string& counter) {
    if (!operands && counter.empty()) return {};
    std::vector<transform_stage> stages;
    if (operands) stages.push_back(*operands);
    std::vector<hook_array> arrays = with_parameters({}, stages);
    std::vector<std::string> numbers = parameter_numbers(stages);
    if (!counter.empty()) {
        arrays.push_back({"count", counter});
        numbers.insert(numbers.end(), {"unit", "rounds_up"});
    }
    return array_text(arrays, numbers) + operands_macro(stages) +
           (counter.empty() ? std::string() : count_of_sums_text());
}

/// What kernels prefetch of a computed input: element i of each array, from the place `at` of the first element on
/// (single_pass/prefetch.cl).
UPSWEEP_INLINE std::string prefetch_text(const std::vector<hook_array>& arrays, const std::string& at) {
    if (arrays.empty()) return {};
    return "#if defined(UPSWEEP_PTX) && UPSWEEP_PTX\n"
           "void upsweep_prefetch_bytes(__global const char* begin, uint bytes, uint lane, uint lanes);\n#define "
           "UPSWEEP_PREFETCH_PARTS(in, begin, count, lane, lanes) "
           "upsweep_prefetch_parts(in, begin, count, lane, lanes)\n"
           "void upsweep_prefetch_parts(upsweep_input in, uint begin, uint count, uint lane, uint lanes)\n{\n"
           "const ulong i = (upsweep_index)(begin + in.upsweep_first);\nconst ulong upsweep_at = " +
           at + ";\n" +
           join(arrays, "",
                [](const hook_array& a) {
                    return "upsweep_prefetch_bytes((__global const char*)(in.upsweep_" + a.name +
                           " + upsweep_at), count * (uint)sizeof(*in.upsweep_" + a.name + "), lane, lanes);\n";
                }) +
           "}\n#endif\n";
}

/// Statements that make a load hook's pointers point to element 0 of a view. So the elements of a tile are at constant
/// distances from one pointer, where kernels ask for them by constants. They change a copy of the function's parameter:
/// with rusticl 22.3.6 the parameter is the caller's own view (engine/rusticl.hpp).
UPSWEEP_INLINE std::string advance_text(const std::vector<hook_array>& arrays) {
    return join(arrays, "", [](const hook_array& a) { return "in.upsweep_" + a.name + " += in.upsweep_first;\n"; });
}

/// The load hook of what stages compute, of which there is one at least.
UPSWEEP_INLINE std::string computed_text(const std::vector<type_text>& inputs,
                                         const std::vector<transform_stage>& stages, const std::string& counter,
                                         bool is_prefetched) {
    const std::vector<hook_array> arrays = arrays_of(inputs);
    std::vector<hook_array> all = with_parameters(arrays, stages);
    std::vector<std::string> known = known_definitions(stages.back().result, stages);
    std::vector<std::string> numbers = parameter_numbers(stages);
    // Without any the kernels' parameter is a number that nothing reads.
    if (all.empty() && numbers.empty()) numbers.emplace_back("nothing");
    if (!counter.empty()) all.push_back({"count", counter});
    const stages_text text = text_of_stages(inputs, stages, {"upsweep_at", "i"});
    return definitions_of(types_of(inputs, stages), known) + hook_view_text("input", "INPUT", all, numbers) +
           (counter.empty() ? std::string() : count_macros(count_of_elements())) +
           "#define UPSWEEP_LOAD(in, i) upsweep_load_element(in, i)\n" + text.functions +
           "upsweep_element upsweep_load_element(upsweep_input upsweep_view, ulong upsweep_at)\n{\n"
           "upsweep_input in = upsweep_view;\n" +
           advance_text(arrays) + "const ulong i = (upsweep_index)(upsweep_at + in.upsweep_first);\nreturn " +
           text.value + ";\n}\n" + (is_prefetched ? prefetch_text(arrays, "i") : std::string());
}

/// The load hook of a computed input: the last stage returns element i, which must not be negative: places are of 64
/// bits here.
/// @param counter        the type of the number of elements, where that is read on the device; else empty
/// @param is_prefetched  by kernels that look back. H200, 2^28 int32, us, without and with: copy_if of 10 % 535, 492;
///                       unique 570, 491; but a scan of computed elements 745, 820
UPSWEEP_INLINE std::string transform_text(const std::vector<type_text>& inputs,
                                          const std::vector<transform_stage>& stages, const std::string& counter = {},
                                          bool is_prefetched = false) {
    if (compute_nothing(stages)) return elements_text(stages, counter);
    const auto make = [&] { return computed_text(inputs, stages, counter, is_prefetched); };
    return text_made_once(make, "transform_text", inputs, stages, counter, is_prefetched);
}

} // namespace upsweep::detail
