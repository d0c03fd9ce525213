#pragma once

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

/// The definitions of the inputs' types, each once, but for that of the element, which the program has already.
inline std::string definitions_of(const std::vector<type_text>& inputs, const type_text& element) {
    std::vector<std::string> known{std::string(), element.definition};
    std::string out;
    for (const type_text& input : inputs) {
        if (std::find(known.begin(), known.end(), input.definition) != known.end()) continue;
        out.append("#line 1 \"type\"\n").append(input.definition).append("\n");
        known.push_back(input.definition);
    }
    return out;
}

/// The load hook of a transform: element i is what `body` makes of the elements i of `inputs`. The body is an
/// expression, or statements that return the element.
inline std::string transform_text(const std::vector<type_text>& inputs, const type_text& element,
                                  const std::string& body) {
    const std::size_t count = inputs.size();
    std::string parameters, members, values;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = "upsweep_" + transform_name(i);
        const std::string pointer = "__global const " + inputs[i].name + "* " + name;
        parameters.append(i > 0 ? ", " : "").append(pointer).append(", ulong ").append(name).append("_begin");
        members.append(pointer).append("; ");
        values.append(", ").append(inputs[i].name).append(" ").append(transform_name(i));
    }
    std::string out = definitions_of(inputs, element);
    out += "typedef struct { " + members + "ulong upsweep_first; } upsweep_input;\n";
    out += "#define UPSWEEP_INPUT_PARAMETERS " + parameters + "\n";
    std::string arrays;
    for (std::size_t i = 0; i < count; ++i)
        arrays.append("upsweep_" + transform_name(i) + " + upsweep_" + transform_name(i) + "_begin, ");
    out += "#define UPSWEEP_INPUT(offset) upsweep_input_of(" + arrays + "offset)\n";
    out += "#define UPSWEEP_INPUT_AT(in, offset) upsweep_input_at(in, offset)\n"
           "#define UPSWEEP_LOAD(in, i) upsweep_load_element(in, i)\n";
    std::string pointers;
    for (std::size_t i = 0; i < count; ++i)
        pointers.append("__global const " + inputs[i].name + "* upsweep_" + transform_name(i) + ", ");
    out += "upsweep_input upsweep_input_of(" + pointers + "ulong first)\n{\nupsweep_input in = {" +
           for_each_name(count, "upsweep_", ", ", "") + "first};\nreturn in;\n}\n";
    out += "upsweep_input upsweep_input_at(upsweep_input in, ulong offset)\n{\nin.upsweep_first += offset;\n"
           "return in;\n}\n";
    const char* give = can_return(body, {}) ? "" : "return\n";
    out += "upsweep_element upsweep_transform(ulong i" + values + ")\n{\n" + give + "#line 1 \"load\"\n" + body +
           "\n;\n}\n#line 1 \"load hook\"\n";
    out += "upsweep_element upsweep_load_element(upsweep_input in, ulong i)\n{\ni += in.upsweep_first;\n"
           "return upsweep_transform(i, " +
           for_each_name(count, "in.upsweep_", "[i]", ", ") + ");\n}\n";
    return out;
}

} // namespace upsweep::detail
