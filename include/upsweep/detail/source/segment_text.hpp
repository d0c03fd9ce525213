// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/detail/source/read_text.hpp>
#include <upsweep/detail/source/segment_heads.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/source/store_text.hpp>
#include <upsweep/detail/source/transform_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

// A segmented scan is a plain one of flagged values, with an operator that drops what stands before a segment's first
// element: G. Blelloch, Prefix Sums and Their Applications (1990), section 1.5. The texts here make such a scan of the
// user's types and operator.

namespace upsweep::detail {

/// Segments begin where a key differs from the one before.
/// @param equality  an expression on `left` and `right`, or statements that return whether they are equal
UPSWEEP_INLINE head_text heads_of_keys(const type_text& key, const std::string& equality) {
    head_text heads{segment_cut::keys, {{"keys", key.name}}, {}, key, {}};
    heads.functions = "bool upsweep_are_equal(" + key.name + " left, " + key.name + " right)\n{\n" +
                      give_text(equality, {key.definition}) + "#line 1 \"keys\"\n" + equality +
                      "\n;\n}\n#line 1 \"load hook\"\n" +
                      head_functions(heads, "return (i == 0) | !upsweep_are_equal(keys[i - (i > 0)], keys[i]);",
                                     "return !upsweep_are_equal(keys[i - 1], keys[i]);", "return i;");
    return heads;
}

/// Values of so many bytes, at most, are taken by tiles of segments on NVIDIA devices.
constexpr std::size_t most_segment_bytes = 32;

/// Whether values are numbers that tiles of segments take on every device.
UPSWEEP_INLINE bool are_segment_numbers(const type_text& value) {
    return is_scalar(value) && value.name != "half" && value.size <= sizeof(std::uint64_t);
}

/// Whether values are such that tiles of segments take them.
UPSWEEP_INLINE bool fit_segment_tiles(const type_text& value, bool has_ptx) {
    return are_segment_numbers(value) || (has_ptx && !is_scalar(value) && value.size <= most_segment_bytes);
}

/// A value with a mark: whether a segment begins in the elements that it was combined from, or how many do.
struct flagged_type {
    type_text type;            ///< in OpenCL C; an integer where both fit one
    std::size_t alignment = 1; ///< in bytes
    bool is_integer = false;
    bool in_words = false; ///< for a device whose compiler loses parts of words
    /// upsweep_flag(value, head), upsweep_unflag(flagged), upsweep_has_head(flagged), and upsweep_end(): what stands
    /// behind the last element, a head.
    std::string functions;
    std::string macros; ///< for kernels
};

inline constexpr const char* flagged_name = "upsweep_flagged";
inline constexpr const char* flagged_members = " value; uint head;";

/// The user's type in a value with its mark, of `flagged_of`; empty of all others.
UPSWEEP_INLINE std::string type_in_flagged(const type_text& value) {
    if (value.name != flagged_name) return {};
    const std::size_t end = value.definition.rfind(flagged_members);
    const std::size_t begin = value.definition.rfind("{ ", end) + 2;
    return users_name(value.definition.substr(begin, end - begin));
}

/// The functions of a value with its mark, of their bodies.
/// @param has_head  an expression
UPSWEEP_INLINE std::string functions_of_flagged(const std::string& value, const std::string& flag,
                                                const std::string& unflag, const std::string& has_head,
                                                const std::string& end) {
    return "upsweep_value upsweep_flag(" + value + " value, uint head)\n{\n" + flag + "\n}\n" + value +
           " upsweep_unflag(upsweep_value upsweep_marked)\n{\n" + unflag +
           "\n}\nuint upsweep_has_head(upsweep_value upsweep_marked)\n{\nreturn " + has_head +
           ";\n}\nupsweep_value upsweep_end(void)\n{\n" + end + "\n}\n";
}

/// A struct and its mark as words.
UPSWEEP_INLINE flagged_type flagged_words_of(const type_text& value) {
    const std::size_t count = (value.size + 3) / sizeof(std::uint32_t) + 1;
    const std::string head = std::to_string(count - 1), last = std::to_string(count - 2);
    flagged_type flagged;
    flagged.alignment = sizeof(std::uint32_t);
    flagged.type = {flagged_name,
                    value.definition + "\n" + own_name_definition(value) + "typedef union { struct { " + value.name +
                        flagged_members + " } parts; uint words[" + std::to_string(count) +
                        "]; } upsweep_flagged_words;\ntypedef struct { uint words[" + std::to_string(count) + "]; } " +
                        flagged_name + ";",
                    count * sizeof(std::uint32_t)};
    std::string flag, unflag;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string word = "words[" + std::to_string(i) + "]";
        flag += "upsweep_marked." + word + " = upsweep_both." + word + ";\n";
        unflag +=
            "upsweep_both." + word + " = upsweep_marked." + word + ";\nUPSWEEP_OF_LANE(upsweep_both." + word + ")\n";
    }
    flagged.functions = functions_of_flagged(
        value.name,
        "upsweep_value upsweep_marked;\nupsweep_flagged_words upsweep_both;\nupsweep_both.words[" + last +
            "] = 0;\nupsweep_both.parts.value = value;\nupsweep_both.words[" + head + "] = head;\n" + flag +
            "return upsweep_marked;",
        "upsweep_flagged_words upsweep_both;\n" + unflag + "return upsweep_both.parts.value;",
        "upsweep_marked.words[" + head + "]",
        "upsweep_value upsweep_marked = {0};\nupsweep_marked.words[" + head + "] = 1;\nreturn upsweep_marked;");
    return flagged;
}

/// Scalars of up to 4 bytes and their mark are one integer, because compilers keep it in registers. Other values are a
/// member of a struct, without padding behind the mark, because NVIDIA's compiler keeps structs with padding in memory.
/// @param alignment  of a value on the host, in bytes
/// @param counts     the mark is a number of segments
/// @param in_words   a struct that does not fill its last word is moved as words. NVIDIA's compiler loses parts of one
///                   (tests/GUARANTEES.md)
UPSWEEP_INLINE flagged_type flagged_of(const type_text& value, std::size_t alignment, bool counts,
                                       bool in_words = false) {
    flagged_type flagged;
    flagged.in_words = in_words;
    const std::string& name = value.name;
    if (is_scalar(value) && value.size <= 4) {
        const bool is_wide = value.size == 4 || counts;
        const std::string bits = value.size == 4 ? "uint" : value.size == 2 ? "ushort" : "uchar";
        const std::string whole = is_wide ? "ulong" : "uint";
        const std::string shift = is_wide ? "32" : "16";
        flagged.type = {whole, {}, is_wide ? std::size_t{8} : std::size_t{4}};
        flagged.alignment = flagged.type.size;
        flagged.is_integer = true;
        flagged.functions = functions_of_flagged(
            name, "return (" + whole + ")head << " + shift + " | as_" + bits + "(value);",
            "return as_" + name + "((" + bits + ")upsweep_marked);", "(uint)(upsweep_marked >> " + shift + ")",
            "return (" + whole + ")1 << " + shift + ";");
        return flagged;
    }
    if (in_words && value.size > 4 && value.size % 4 != 0) return flagged_words_of(value);
    const auto round_up = [](std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; };
    flagged.alignment = (std::max)({alignment, alignment_on_device(value), sizeof(std::uint32_t)});
    const std::size_t end = round_up(value.size, sizeof(std::uint32_t)) + sizeof(std::uint32_t);
    const std::size_t size = round_up(end, flagged.alignment);
    const std::size_t unused = (size - end) / sizeof(std::uint32_t); // words that would be padding
    const std::string member = unused > 0 ? " uint unused[" + std::to_string(unused) + "];" : "";
    flagged.type = {flagged_name,
                    value.definition + "\n" + own_name_definition(value) + "typedef struct { " + name +
                        flagged_members + member + " } " + flagged_name + ";",
                    size};
    std::string flag = "upsweep_value upsweep_marked;\nupsweep_marked.value = value;\nupsweep_marked.head = head;\n";
    for (std::size_t i = 0; i < unused; ++i) flag += "upsweep_marked.unused[" + std::to_string(i) + "] = 0;\n";
    flagged.functions = functions_of_flagged(
        name, flag + "return upsweep_marked;", "return upsweep_marked.value;", "upsweep_marked.head",
        "upsweep_value upsweep_marked = {0};\nupsweep_marked.head = 1;\nreturn upsweep_marked;");
    if (unused > 0) flagged.macros = "#define UPSWEEP_MOVED_PIECES " + std::to_string(end / 4) + "\n";
    return flagged;
}

/// The operator on flagged values. What stands before a segment's first element is never an operand of the user's, but
/// may be one of the library's own, whose result is dropped then.
/// @param counts    the mark is a number of segments
/// @param is_exact  the user's operator is the library's own, on integers
UPSWEEP_INLINE operator_text segmented_operator(const flagged_type& flagged, const type_text& value,
                                                const operator_text& op, bool counts, bool is_exact) {
    const char* const combine = "upsweep_combine_values";
    const bool divides = divides_words(value, op), is_lanes = flagged.in_words && !op.traits.hides_members && divides;
    operator_text out{{}, {}, {}, {}, op.operands};
    out.name = is_exact ? "segmented operator" : "user operator";
    out.traits.exact = is_exact;
    if (!op.helpers.empty()) out.helpers = op.helpers + "\n#line 1 \"segments\"\n";
    out.helpers += flagged.functions;
    // NVIDIA's compiler puts some 150 copies of it into a program, of which the device waits for instructions if it is
    // costly. H100, 2^27 float by log-sum-exp, us, many copies and one: reduce_by_key 1175 and 1032, scans of rows 1203
    // and 919, by key 969 and 947. Structs go to functions through memory, which costs more.
    if (op.traits.costly && flagged.is_integer) out.helpers += "UPSWEEP_ONE_COPY ";
    out.helpers += operator_opening(false, false, is_lanes ? "upsweep_combine_members" : combine, value.name) +
                   "#line 1 \"operator\"\n" + op.body + "\n}\n#line 1 \"segments\"\n";
    if (is_lanes)
        out.helpers += function_on_members(operator_opening(false, false, combine, value.name), value.name, value,
                                           "upsweep_combine_members", true);
    out.traits.hides_members = true;
    out.traits.divides_words = divides;
    const std::string marks =
        std::string("upsweep_has_head(left) ") + (counts ? "+" : "|") + " upsweep_has_head(right)";
    const std::string both = "upsweep_combine_values(upsweep_unflag(left), upsweep_unflag(right))";
    // Without a branch, CPUs mispredict none and work on vectors, and GPUs need few instructions.
    if (flagged.is_integer && !is_users(op))
        out.body = "const " + value.name + " both = " + both + ";\nreturn upsweep_flag(upsweep_has_head(right) ? " +
                   "upsweep_unflag(right) : both, " + marks + ");";
    else
        out.body = "if (upsweep_has_head(right)) return upsweep_flag(upsweep_unflag(right), " + marks +
                   ");\nreturn upsweep_flag(" + both + ", upsweep_has_head(left));";
    return out;
}

UPSWEEP_INLINE segment_init init_of_segments(const type_text& value, bool has_init) {
    if (!has_init) return segment_init::none;
    return is_scalar(value) ? segment_init::number : segment_init::memory;
}

/// What the load hook refers to: arrays of elements, what decides where segments begin, the initial value, the number
/// of elements.
struct segment_view_text {
    std::vector<hook_array> arrays;
    std::vector<std::string> numbers;
};

UPSWEEP_INLINE segment_view_text segment_view(const std::vector<hook_array>& arrays,
                                              const std::vector<transform_stage>& stages, const head_text& heads,
                                              const type_text& value, segment_form form) {
    segment_view_text view{with_parameters(arrays, stages), parameter_numbers(stages)};
    append_all(view.numbers, heads.numbers);
    append_all(view.arrays, heads.arrays);
    if (form.init == segment_init::memory) view.arrays.push_back({"init", value.name});
    if (form.init == segment_init::number) view.numbers.emplace_back("init");
    if (reduces(form.results)) view.numbers.emplace_back("end");
    return view;
}

/// The load hook: element i as a flagged value; a segment's first one is combined with the initial value before.
/// @param inputs  of the stages that compute an element
UPSWEEP_INLINE std::string segment_load_text(const std::vector<type_text>& inputs,
                                             const std::vector<transform_stage>& stages, const head_text& heads,
                                             const type_text& value, segment_form form) {
    const std::vector<hook_array> arrays = arrays_of(inputs);
    const stages_text elements = text_of_stages(inputs, stages, {"at", "at"});
    const segment_view_text view = segment_view(arrays, stages, heads, value, form);
    std::vector<type_text> types = types_of(inputs, stages);
    types.push_back(heads.type);
    std::vector<std::string> known = known_definitions(value, stages);
    std::string out = definitions_of(types, known) + hook_view_text("input", "INPUT", view.arrays, view.numbers);
    out += "#define UPSWEEP_LOAD(in, i) upsweep_load_element(in, i)\n";
    out += heads.functions + elements.functions;
    const bool begins_apart = form.in_tiles && form.init != segment_init::none && !form.is_empty;
    out += std::string("upsweep_value ") + (begins_apart ? "upsweep_load_alone" : "upsweep_load_element") +
           "(upsweep_input in, ulong i)\n{\ni = (upsweep_index)(i + in.upsweep_first);\n";
    if (form.is_empty) return out + "return upsweep_end();\n}\n";
    out += "uint head = 0;\n";
    // The end is a head; nothing follows that its value could be combined with. So the last element's will do, without
    // a branch: NVIDIA's compiler makes loads behind branches one after another.
    if (reduces(form.results)) out += "head = i == in.upsweep_end;\ni = min(i, in.upsweep_end - 1);\n";
    out += "head |= " + call_of(heads, "upsweep_begins", "in.upsweep_") + ";\n";
    const std::string element = "const ulong at = " + call_of(heads, "upsweep_place", "in.upsweep_") + ";\n" +
                                value.name + " value = " + elements.value + ";\n";
    out += element + (begins_apart ? "" : if_head_text(value, form)) + "return upsweep_flag(value, head);\n}\n";
    if (begins_apart) out += load_with_begin_text(value, form);
    if (form.in_tiles) out += inner_load_text(heads, value, form, arrays.empty() ? "" : arrays[0].name, element);
    // H200, 2^28 int32, us, without and with: scans of rows 1110 and 1015, reductions by key 1975 and 1880; but scans
    // by key 1245 and 1465, and in tiles of segments scans of rows 613 and 691, reductions by key 730 and 812.
    if (form.in_tiles) return out;
    if (heads.cut == segment_cut::rows)
        return out + prefetch_text(arrays, call_of(heads, "upsweep_place", "in.upsweep_"));
    if (heads.cut != segment_cut::keys || !reduces(form.results)) return out;
    std::vector<hook_array> both = arrays;
    append_all(both, heads.arrays);
    return out + prefetch_text(both, "i");
}

/// What a reduction does with what stands before each element, and before the end.
UPSWEEP_INLINE std::string segment_result_body(const head_text& heads, const type_text& value, segment_form form) {
    const std::string number =
        must_count(heads.cut) ? "upsweep_has_head(value) - 1" : call_of(with_search(heads), "upsweep_segment", "");
    std::string out;
    if (form.is_empty && are_of_one_length(heads.cut))
        return "for (ulong k = 0; k < room; ++k) out[k] = " + init_text(value, form.init, "") + ";";
    if (form.is_empty) return form.results == segment_results::per_key ? "total[0] = upsweep_has_head(value);" : "";
    if (form.results == segment_results::per_key)
        out += "if (i == end)\ntotal[0] = upsweep_has_head(value);\nelse if (upsweep_has_head(value) < room)\n"
               "upsweep_unique[upsweep_has_head(value)] = upsweep_key;\n";
    return out + "if (i == 0) return;\nconst ulong segment = " + number + ";\n" +
           "if (segment < room) out[segment] = upsweep_unflag(value);";
}

/// What a scan does with each result (store_text.hpp).
UPSWEEP_INLINE std::string segment_store_body(const head_text& heads, const type_text& value, segment_form form) {
    if (reduces(form.results)) return segment_result_body(heads, value, form);
    const std::string place = "out[" + call_of(heads, "upsweep_place", "") + "] = ";
    if (form.results == segment_results::inclusive) return place + "upsweep_unflag(value);";
    return place + "begins ? " + init_text(value, form.init, "") + " : upsweep_unflag(value);";
}

/// What it reads before it stores anything.
UPSWEEP_INLINE std::vector<hook_read> segment_store_reads(const head_text& heads, segment_form form) {
    if (form.results == segment_results::per_key && !form.is_empty)
        return {{heads.type.name, "upsweep_key", "keys[min(i, end - 1)]"}};
    if (form.results != segment_results::exclusive) return {};
    return {{"uint", "begins", call_of(heads, "upsweep_begins", "", "min(i, end - 1)")}};
}

/// Of a reduction: whether what stands before element i is a result.
UPSWEEP_INLINE std::string segment_store_chosen(const head_text& heads, segment_form form) {
    if (!reduces(form.results) || form.is_empty) return {};
    // No segment need end with the last element.
    if (heads.cut == segment_cut::offsets) return call_of(heads, "upsweep_begins_inside", "", "min(i, end)");
    return "(i == end) | " + call_of(heads, "upsweep_begins", "", "min(i, end - 1)");
}

} // namespace upsweep::detail
