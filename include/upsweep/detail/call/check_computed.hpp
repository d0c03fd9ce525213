// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/run/check_arguments.hpp>
#include <upsweep/detail/run/kernel_arguments.hpp>
#include <upsweep/detail/source/read_text.hpp>
#include <upsweep/detail/source/transform_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>
#include <upsweep/detail/values/text_memo.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace upsweep::detail {

/// Where kernels find an array.
UPSWEEP_INLINE location location_of(const untyped_span& array) {
    return {array.buffer, array.byte_offset / array.element_size};
}

UPSWEEP_INLINE view_facts check_span(const char* function, const char* argument, const queue_facts& queue,
                                     const untyped_span& view, std::uint64_t count, access use) {
    return check_view(function, argument, queue, view.buffer, count, view.byte_offset, view.element_size, use);
}

/// Calls visit(parameter, what it is given) for all parameters.
template <class Visit>
void for_each_value(const computed_input& in, const Visit& visit) {
    std::size_t number = 0;
    for_each_parameter(
        in.stages, [&](std::size_t, const stage_parameter& parameter) { visit(parameter, in.parameters[number++]); });
}

/// Whether a name is one of the constants of OpenCL C, which are macros.
UPSWEEP_INLINE bool is_constant(const std::string& name) {
    for (const char* type : {"CHAR", "SCHAR", "UCHAR", "SHRT", "USHRT", "INT", "UINT", "LONG", "ULONG"})
        for (const char* end : {"_MAX", "_MIN", "_BIT"})
            if (name == std::string(type) + end) return true;
    for (const char* type : {"FLT_", "DBL_", "HALF_"})
        for (const char* end :
             {"DIG", "MANT_DIG", "MAX_10_EXP", "MAX_EXP", "MIN_10_EXP", "MIN_EXP", "RADIX", "MAX", "MIN", "EPSILON"})
            if (name == std::string(type) + end) return true;
    if (name.compare(0, 4, "CLK_") == 0) return true;
    if (name.compare(0, 2, "M_") != 0) return false;
    for (const char* number :
         {"E", "LOG2E", "LOG10E", "LN2", "LN10", "PI", "PI_2", "PI_4", "1_PI", "2_PI", "2_SQRTPI", "SQRT2", "SQRT1_2"})
        for (const char* type : {"", "_F", "_H"})
            if (name == std::string("M_") + number + type) return true;
    return false;
}

/// Whether a name is a word of OpenCL C that compilers take for no variable.
UPSWEEP_INLINE bool is_keyword(const std::string& name) {
    for (const char* word :
         {"auto",       "break",      "case",        "char",         "const",    "continue", "default",   "do",
          "double",     "else",       "enum",        "extern",       "float",    "for",      "goto",      "if",
          "inline",     "int",        "long",        "register",     "restrict", "return",   "short",     "signed",
          "sizeof",     "static",     "struct",      "switch",       "typedef",  "union",    "void",      "unsigned",
          "volatile",   "while",      "kernel",      "global",       "local",    "constant", "private",   "read_only",
          "write_only", "read_write", "half",        "bool",         "uchar",    "ushort",   "uint",      "ulong",
          "size_t",     "NULL",       "NAN",         "INFINITY",     "MAXFLOAT", "HUGE_VAL", "HUGE_VALF", "true",
          "false",      "_Bool",      "_Complex",    "_Imaginary",   "generic",  "pipe",     "vec_step",  "event_t",
          "sampler_t",  "queue_t",    "clk_event_t", "reserve_id_t", "ndrange_t"})
        if (name == word || name == std::string("__") + word) return true;
    for (const char* dimensions : {"1d", "1d_buffer", "1d_array", "2d", "2d_array", "3d"})
        if (name == std::string("image") + dimensions + "_t") return true;
    return is_constant(name);
}

/// Checks a parameter's name and type.
/// @param of_operator  which has no elements a to h
UPSWEEP_INLINE void check_parameter(const char* function, const stage_parameter& parameter, bool of_operator) {
    const std::string& name = parameter.name;
    const auto refuse = [&](const char* cause) { throw error(function, "parameter \"" + name + "\"", cause); };
    bool is_identifier = !name.empty() && (name[0] < '0' || name[0] > '9');
    for (const char c : name) is_identifier = is_identifier && is_identifier_part(c);
    if (!is_identifier) refuse("the name is no identifier");
    if (is_keyword(name)) refuse("the name is a word of OpenCL C");
    if (!of_operator && name.size() == 1 && std::strchr("abcdefghi", name[0]))
        refuse("inputs and the place have the names a to i");
    if (name == "left" || name == "right")
        refuse(of_operator ? "operands have this name" : "elements that are compared have this name");
    if (name.compare(0, 8, "upsweep_") == 0) refuse("the library's own names begin so");
    check_whole(function, "type " + users_name(parameter.type.name), "type", parameter.type.definition);
}

/// Checks the text of a stage.
/// @param input  what the view is called in errors
UPSWEEP_INLINE void check_stage(const char* function, const char* input, const transform_stage& stage) {
    const std::string label = stage.label;
    const std::string argument = label == "load" ? input : label;
    if (!stage.is_operands && says_nothing(stage.body)) throw error(function, argument, label + ": the text is empty");
    check_whole(function, argument, stage.label, stage.body);
    check_whole(function, "type " + users_name(stage.result.name), "type", stage.result.definition);
    for (const stage_parameter& parameter : stage.parameters) check_parameter(function, parameter, stage.is_operands);
}

/// Checks the texts of all stages.
UPSWEEP_INLINE void check_stages(const char* function, const computed_input& in) {
    // An array's text is the library's own.
    if (in.is_array() && in.parts[0].type.definition.empty()) return;
    const std::vector<type_text> types = in.part_types();
    const auto check = [&] {
        for (const transform_stage& stage : in.stages) check_stage(function, in.argument, stage);
        for (const type_text& type : types)
            check_whole(function, "type " + users_name(type.name), "type", type.definition);
    };
    bool has_texts = !in.stages.empty();
    for (const type_text& type : types) has_texts = has_texts || !type.definition.empty();
    if (has_texts) check_once(check, "stages", in.argument, in.stages, types);
    constexpr std::size_t most_parameters = 16; // each takes up to 16 bytes of a kernel's arguments
    if (in.parameters.size() > most_parameters)
        throw error(function, in.argument,
                    std::to_string(in.parameters.size()) + " parameters are more than " +
                        std::to_string(most_parameters));
}

/// Checks a computed input: that its texts stay within themselves, each of its arrays, and that these have the same
/// number of elements.
UPSWEEP_INLINE std::vector<view_facts> check_computed(const char* function, const queue_facts& queue,
                                                      const computed_input& in) {
    check_stages(function, in);
    std::vector<view_facts> facts;
    facts.reserve(in.parts.size());
    for (const computed_input::part& part : in.parts) {
        const std::string name = std::string(in.argument) + " " + transform_name(facts.size());
        if (part.array.size != in.size)
            throw error(function, name,
                        std::to_string(part.array.size) + " elements, but input a has " + std::to_string(in.size));
        facts.push_back(check_span(function, name.c_str(), queue, part.array, part.array.size, access::input));
    }
    return facts;
}

/// Checks what has the number of elements, where that is read on the device.
UPSWEEP_INLINE view_facts check_counter(const char* function, const queue_facts& queue, const computed_input& in) {
    if (!in.is_counted()) return {};
    if (in.counter.size < 1) throw error(function, "number of elements", "must have one element");
    return check_span(function, "number of elements", queue, in.counter, 1, access::input);
}

/// Checks the arrays that are parameters, which may have any number of elements.
UPSWEEP_INLINE std::vector<view_facts> check_parameter_arrays(const char* function, const queue_facts& queue,
                                                              const computed_input& in) {
    std::vector<view_facts> facts;
    for_each_value(in, [&](const stage_parameter& parameter, const computed_input::parameter& given) {
        const std::string name = "parameter \"" + parameter.name + "\"";
        if (parameter.is_array)
            facts.push_back(check_span(function, name.c_str(), queue, given.array, given.array.size, access::input));
    });
    return facts;
}

/// Elements of an array that is a parameter may be read at any time: no output may lie there.
UPSWEEP_INLINE void check_apart(const char* function, const std::string& output, const view_facts& out,
                                const std::vector<view_facts>& parameters) {
    for (const view_facts& parameter : parameters)
        if (overlap(parameter, out)) throw error(function, output, "overlaps an array that is a parameter");
}

/// The array of a computed input that the output is; none: it has nothing in common with any.
UPSWEEP_INLINE view_facts check_overlaps(const call_arguments& a, const std::vector<view_facts>& parts,
                                         const view_facts& out) {
    view_facts in_place;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!overlap(parts[i], out)) continue;
        in_place = parts[i];
        // Of a reduction's result the caller says that it may overlap nothing.
        const bool is_same = a.computed->parts[i].type.name == a.value_name;
        if (a.op == operation::scan) check_overlap(a.function, in_place, out, is_same);
    }
    return in_place;
}

/// Whether an array of a computed output may be one of the input's: each of its elements is written after all that is
/// read of it.
UPSWEEP_INLINE bool may_be_input(const call_arguments& a, const computed_output::part& part, const view_facts& facts,
                                 const view_facts& input, std::size_t number) {
    const std::string& type = a.computed->parts[number].type.name;
    return part.at_own_place && facts.begin == input.begin && (type == part.type.name || type == part.packed);
}

/// Checks the arrays of a computed output, which must not overlap one another nor the input's.
/// @param inputs      those of the input
/// @param parameters  arrays that are parameters of the input
/// @param checked     receives those of the output
/// @return the array that is both the output's and the input's; none: there is no such array
UPSWEEP_INLINE view_facts check_stored(const call_arguments& a, const queue_facts& queue,
                                       const std::vector<view_facts>& inputs, const std::vector<view_facts>& parameters,
                                       std::vector<view_facts>& checked) {
    view_facts in_place;
    checked.reserve(a.stored->parts.size());
    for (const computed_output::part& part : a.stored->parts) {
        const auto refuse = [&](const std::string& cause) { throw error(a.function, part.argument, cause); };
        if (part.array.size < part.needed)
            refuse(std::to_string(part.array.size) + " elements, but " + std::to_string(part.needed) + " are needed");
        const view_facts facts =
            check_span(a.function, part.argument.c_str(), queue, part.array, part.array.size, part.use);
        const bool is_written = part.use == access::output;
        if (is_written) check_apart(a.function, part.argument, facts, parameters);
        for (std::size_t i = 0; is_written && i < inputs.size(); ++i) {
            if (!overlap(facts, inputs[i])) continue;
            if (!may_be_input(a, part, facts, inputs[i], i))
                refuse(std::string("overlaps the ") + a.computed->argument);
            in_place = facts;
        }
        for (std::size_t i = 0; i < checked.size(); ++i) {
            const computed_output::part& other = a.stored->parts[i];
            if ((is_written || other.use == access::output) && overlap(facts, checked[i]))
                refuse("overlaps the " + other.argument);
        }
        checked.push_back(facts);
    }
    return in_place;
}

/// A buffer of a call with a computed output, for a kernel's argument that nothing reads.
UPSWEEP_INLINE cl_mem any_buffer(const call_arguments& a) {
    for (const computed_output::part& part : a.stored->parts)
        if (part.array.buffer) return part.array.buffer;
    return nullptr;
}

/// What kernels are given of a computed output, whose arrays without elements may come without buffers.
UPSWEEP_INLINE view_buffers buffers_of(const computed_output& out, cl_mem any) {
    view_buffers buffers;
    buffers.reserve(out.parts.size() + out.numbers.size());
    for (const computed_output::part& part : out.parts)
        buffers.push_back(part.array.buffer ? location_of(part.array) : location{any, 0});
    for (const computed_output::number& number : out.numbers) buffers.push_back({nullptr, number.value});
    return buffers;
}

/// The arrays of a computed input as kernels are given them, those of elements before parameters. An empty one may come
/// without a buffer; kernels want a valid one, and do not look at it.
UPSWEEP_INLINE view_buffers arrays_of(const computed_input& in, cl_mem any) {
    view_buffers buffers;
    const auto add = [&](const untyped_span& array) {
        buffers.push_back(array.size > 0 ? location_of(array) : location{any, 0});
    };
    for (const computed_input::part& part : in.parts) add(part.array);
    for_each_value(in, [&](const stage_parameter& parameter, const computed_input::parameter& given) {
        if (parameter.is_array) add(given.array);
    });
    return buffers;
}

/// The numbers of a computed input's parameters.
UPSWEEP_INLINE view_buffers numbers_of(const computed_input& in) {
    view_buffers numbers;
    for_each_value(in, [&](const stage_parameter& parameter, const computed_input::parameter& given) {
        for (std::size_t word = 0; word < parameter.words(); ++word) numbers.push_back({nullptr, given.words[word]});
    });
    return numbers;
}

/// What kernels are given of the operator's parameters, which are the input's last.
UPSWEEP_INLINE operand_buffers operands_of(const computed_input& in, cl_mem any) {
    operand_buffers operands;
    if (in.stages.empty() || !in.stages.back().is_operands) return operands;
    const auto part = [](const view_buffers& all, std::size_t count) {
        return view_buffers(all.end() - static_cast<std::ptrdiff_t>(count), all.end());
    };
    std::size_t arrays = 0, numbers = 0;
    for (const stage_parameter& parameter : in.stages.back().parameters) {
        arrays += parameter.is_array ? 1 : 0;
        numbers += parameter.words();
    }
    operands.arrays = part(arrays_of(in, any), arrays);
    operands.numbers = part(numbers_of(in), numbers);
    return operands;
}

/// What kernels are given of a computed input: a number that nothing reads, where there is neither an array nor another
/// number. A number of elements on the device is behind the arrays.
UPSWEEP_INLINE view_buffers buffers_of(const computed_input& in, cl_mem any) {
    view_buffers buffers = arrays_of(in, any);
    const view_buffers numbers = numbers_of(in);
    const bool is_empty = buffers.empty() && numbers.empty();
    if (in.is_counted()) buffers.push_back(location_of(in.counter));
    append_all(buffers, numbers);
    if (is_empty) buffers.push_back({nullptr, 0});
    return buffers;
}

} // namespace upsweep::detail
