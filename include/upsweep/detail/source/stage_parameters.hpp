// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/call_types.hpp>
#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/text_memo.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/type.hpp>

#include <cstddef>
#include <string>
#include <vector>

// Parameters of stages, and of operators, as text. An array is one of the view that the hook is given; a value travels
// as numbers of 8 bytes, because views have numbers already (hook_view_text), and is put together where it is used.

namespace upsweep::detail {

/// A parameter's name in the library's text, behind its prefix. It ends as no other name there does: those of words end
/// with a digit, those of places with "_begin".
UPSWEEP_INLINE std::string inner_name(const std::string& name) {
    return name + "_";
}

/// The name, in a hook's view, of what stage number `k` calls `name`.
UPSWEEP_INLINE std::string name_in_view(std::size_t k, const std::string& name) {
    return "s" + std::to_string(k) + "_" + inner_name(name);
}

/// How number `word` of a parameter's value is called behind its prefix.
/// @param inner  its inner name
UPSWEEP_INLINE std::string word_name(const std::string& inner, std::size_t word) {
    return inner + "_" + std::to_string(word);
}

/// Calls visit(stage number, parameter) for the parameters of all stages, in the order of `computed_input::parameters`.
template <class Visit>
void for_each_parameter(const std::vector<transform_stage>& stages, const Visit& visit) {
    for (std::size_t k = 0; k < stages.size(); ++k)
        for (const stage_parameter& parameter : stages[k].parameters) visit(k, parameter);
}

/// Arrays of elements, and behind them those that are parameters.
UPSWEEP_INLINE std::vector<hook_array> with_parameters(std::vector<hook_array> arrays,
                                                       const std::vector<transform_stage>& stages) {
    for_each_parameter(stages, [&](std::size_t k, const stage_parameter& parameter) {
        if (parameter.is_array) arrays.push_back({name_in_view(k, parameter.name), parameter.type.name});
    });
    return arrays;
}

/// The numbers that the values of parameters are.
UPSWEEP_INLINE std::vector<std::string> parameter_numbers(const std::vector<transform_stage>& stages) {
    std::vector<std::string> numbers;
    for_each_parameter(stages, [&](std::size_t k, const stage_parameter& parameter) {
        for (std::size_t word = 0; word < parameter.words(); ++word)
            numbers.push_back(word_name(name_in_view(k, parameter.name), word));
    });
    return numbers;
}

/// As parameters of a stage's function.
UPSWEEP_INLINE std::string parameters_text(const std::vector<stage_parameter>& parameters) {
    std::string out;
    for (const stage_parameter& parameter : parameters) {
        if (parameter.is_array) out += ", " + pointer_to({parameter.name, parameter.type.name}, "");
        for (std::size_t word = 0; word < parameter.words(); ++word)
            out += ", ulong upsweep_" + word_name(inner_name(parameter.name), word);
    }
    return out;
}

/// As arguments of the function of stage number `k`.
/// @param prefix  what stands before their names
UPSWEEP_INLINE std::string arguments_text(const std::vector<stage_parameter>& parameters, std::size_t k,
                                          const std::string& prefix) {
    std::string out;
    for (const stage_parameter& parameter : parameters) {
        const std::string name = prefix + name_in_view(k, parameter.name);
        if (parameter.is_array) out += ", " + name;
        for (std::size_t word = 0; word < parameter.words(); ++word) out += ", " + word_name(name, word);
    }
    return out;
}

/// The values, in the body of a stage's function or of the operator.
UPSWEEP_INLINE std::string values_text(const std::vector<stage_parameter>& parameters) {
    std::string out;
    for (const stage_parameter& parameter : parameters) {
        if (parameter.is_array) continue;
        const std::string& type = parameter.type.name;
        const std::string own = "upsweep_" + inner_name(parameter.name);
        std::string value = own + ".value";
        if (is_scalar(parameter.type)) {
            value = "as_" + type + "((" + bits_type(parameter.type.size) + ")" + word_name(own, 0) + ")";
        } else {
            out +=
                "union { ulong words[" + std::to_string(parameter.words()) + "]; " + type + " value; } " + own + ";\n";
            for (std::size_t word = 0; word < parameter.words(); ++word)
                out += own + ".words[" + std::to_string(word) + "] = " + word_name(own, word) + ";\n";
        }
        out += "const " + type + " " + parameter.name + " = " + value + ";\n";
    }
    return out;
}

/// The type of what kernels pass on to an operator with parameters, and the definitions of their types.
/// @param known  definitions that the program has
UPSWEEP_INLINE std::string operands_type(const std::vector<stage_parameter>& parameters,
                                         std::vector<std::string> known) {
    std::vector<type_text> types;
    std::string members;
    for (const stage_parameter& parameter : parameters) {
        types.push_back(parameter.type);
        const std::string name = inner_name(parameter.name);
        if (parameter.is_array) members += pointer_to({name, parameter.type.name}, "upsweep_") + "; ";
        for (std::size_t word = 0; word < parameter.words(); ++word)
            members += "ulong upsweep_" + word_name(name, word) + "; ";
    }
    return definitions_of(types, known) + "typedef struct { " + members + "} upsweep_operands;\n";
}

/// The parameters by their names, at the beginning of the operator's body.
UPSWEEP_INLINE std::string operands_text(const std::vector<stage_parameter>& parameters) {
    std::string out;
    for (const stage_parameter& parameter : parameters) {
        const std::string own = "upsweep_given->upsweep_";
        if (parameter.is_array)
            out += pointer_to({parameter.name, parameter.type.name}, "") + " = " + own + inner_name(parameter.name) +
                   ";\n";
        for (std::size_t word = 0; word < parameter.words(); ++word) {
            const std::string name = word_name(inner_name(parameter.name), word);
            out += "const ulong upsweep_" + name + " = " + own + name + ";\n";
        }
    }
    return out + values_text(parameters);
}

/// UPSWEEP_OPERANDS: what the operator is given, of kernels' parameters. Empty without parameters of an operator.
UPSWEEP_INLINE std::string operands_macro(const std::vector<transform_stage>& stages) {
    if (stages.empty() || !stages.back().is_operands) return {};
    std::string values;
    for (const stage_parameter& parameter : stages.back().parameters) {
        const std::string name = "upsweep_input_" + name_in_view(stages.size() - 1, parameter.name);
        if (parameter.is_array) values += name + " + " + name + "_begin, ";
        for (std::size_t word = 0; word < parameter.words(); ++word) values += word_name(name, word) + ", ";
    }
    return "#define UPSWEEP_OPERANDS {" + values + "}\n";
}

/// Definitions that a program with these stages has before its load hook: those of one type, and of the operator's
/// parameters.
UPSWEEP_INLINE std::vector<std::string> known_definitions(const type_text& type,
                                                          const std::vector<transform_stage>& stages) {
    std::vector<type_text> types{type};
    if (!stages.empty() && stages.back().is_operands)
        for (const stage_parameter& parameter : stages.back().parameters) types.push_back(parameter.type);
    return known_definitions(types);
}

/// @{ What texts are made of (text_memo.hpp): all members, or it does not compile.
UPSWEEP_INLINE void add_members(text_key& key, const type_text& type) {
    const auto& [name, definition, size] = type;
    key.add(name, definition, size);
}
UPSWEEP_INLINE void add_members(text_key& key, const stage_parameter& parameter) {
    const auto& [name, type, is_array] = parameter;
    key.add(name, type, is_array);
}
UPSWEEP_INLINE void add_members(text_key& key, const transform_stage& stage) {
    const auto& [body, result, is_test, of_neighbours, label, parameters, is_operands] = stage;
    key.add(body, result, is_test, of_neighbours, label, parameters, is_operands);
}
UPSWEEP_INLINE void add_members(text_key& key, const hook_array& array) {
    const auto& [name, type, is_written] = array;
    key.add(name, type, is_written);
}
UPSWEEP_INLINE void add_members(text_key& key, const hook_read& read) {
    const auto& [type, name, text] = read;
    key.add(type, name, text);
}
UPSWEEP_INLINE void add_members(text_key& key, const listed_elements& listed) {
    const auto& [type, size, are_words, input, with_places, output, room, count] = listed;
    key.add(type, size, are_words, input, with_places, output, room, count);
}
UPSWEEP_INLINE void add_members(text_key& key, const listed_marks& marks) {
    const auto& [is_marked, value, reads, body, end, stores_all, elements] = marks;
    key.add(is_marked, value, reads, body, end, stores_all, elements);
}
UPSWEEP_INLINE void add_members(text_key& key, const operator_traits& traits) {
    const auto& [commutative, vectors, copies, exact, costly, has_long_text, any_order, difference, hides, divides] =
        traits;
    key.add(commutative, vectors, copies, exact, costly, has_long_text, any_order, difference, hides, divides);
}
UPSWEEP_INLINE void add_members(text_key& key, const operator_text& op) {
    const auto& [name, body, helpers, traits, operands] = op;
    key.add(name, body, helpers, traits, operands);
}
/// @}

} // namespace upsweep::detail
