// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/hook_text.hpp>
#include <upsweep/detail/source/kernels.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/tuning.hpp>
#include <upsweep/type.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/// What a program computes, and the pieces that its text is put together from: kernel files, and the operator, with
/// functions around the user's.
namespace upsweep::detail {

/// What a program computes: everything but the numbers of the tuning.
struct program_text {
    type_text element;
    type_text value;
    operator_text op;
    hook_text hooks = {};
    bool init_on_device = false;    ///< kernels read the initial value from the caller's memory
    std::string build_options = {}; ///< the user's
    scan_kind scan = scan_kind::any;
    bool is_aligned = false; ///< arrays that are read or written as they are begin at multiples of 16 bytes
};

/// What makes kernels of that kind only (prelude.cl).
UPSWEEP_INLINE std::string scan_kind_text(scan_kind kind) {
    if (kind == scan_kind::any) return {};
    const std::string value = kind == scan_kind::exclusive ? "1u" : "0u";
    return "#undef UPSWEEP_IS_EXCLUSIVE\n#define UPSWEEP_IS_EXCLUSIVE(flags) " + value + "\n";
}

UPSWEEP_INLINE void append_define(std::string& out, const char* name, const std::string& value) {
    out.append("#define ").append(name).append(" ").append(value).append("\n");
}

/// The text of a program while it is put together.
struct program_source {
    std::string text;
    std::vector<std::string_view> files; ///< paths of the kernel files that are in it
};

/// Appends a kernel file, unless it is in the text already, after the files that it includes.
///
/// An `#include` inside an `#if` of its own is not followed: it is the default for a place that several files can fill,
/// and a program gets the file that its tuning asks for, before the one that includes it.
UPSWEEP_INLINE void append_file(program_source& out, const kernel_file& file) {
    if (std::find(out.files.begin(), out.files.end(), file.path) != out.files.end()) return;
    out.files.push_back(file.path);
    for (const std::string_view path : file.includes)
        for (const kernel_file& other : kernels::all)
            if (other.path == path) append_file(out, other);
    out.text.append("#line 1 \"").append(file.path).append("\"\n").append(file.text).append("\n");
}

/// The beginning of the operator's function, before its body.
/// @param outlined  it stays a function where UPSWEEP_OUTLINE says so
UPSWEEP_INLINE std::string operator_opening(bool outlined, bool copies_operands, const char* name = "upsweep_combine",
                                            const std::string& type = "upsweep_value") {
    std::string out = (outlined ? "UPSWEEP_OUTLINE " : "") + type + " " + name;
    if (!copies_operands) return out + "(" + type + " left, " + type + " right)\n{\n";
    return out + "(" + type + " upsweep_left, " + type + " upsweep_right)\n{\n" + type +
           " left = upsweep_left, right = upsweep_right;\n";
}

/// Whether the operator is the user's own text.
UPSWEEP_INLINE bool is_users(const operator_text& op) {
    return op.name == "user operator";
}

/// Whether the operator is more than an instruction or a few.
UPSWEEP_INLINE bool is_own_or_of_structs(const program_text& text) {
    return is_users(text.op) || !text.value.definition.empty();
}

/// Whether a type is one of OpenCL C's scalars, of which there are vectors.
/// @param type  a type_text or a view of one
template <class Type>
bool is_scalar(const Type& type) {
    if (!type.definition.empty()) return false;
    for (const char* name :
         {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"})
        if (type.name == name) return true;
    return false;
}

/// The name of a scalar or a vector of OpenCL C in parts: the scalar, empty in any other name, and how many there are,
/// 0 where there is no such vector.
struct numbers_name {
    std::string scalar;
    std::uint32_t count = 0;
};
UPSWEEP_INLINE numbers_name split_numbers_name(const std::string& name) {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    const type_text scalar{name.substr(0, digits), {}, 0};
    if (!is_scalar(scalar)) return {};
    if (digits == name.size()) return {scalar.name, 1};
    for (const std::uint32_t count : {2U, 3U, 4U, 8U, 16U})
        if (name.substr(digits) == std::to_string(count)) return {scalar.name, count};
    return {scalar.name, 0};
}

/// The size of one of OpenCL C's scalars on devices.
UPSWEEP_INLINE std::size_t size_of_scalar(std::string_view name) {
    if (name[0] == 'u') name.remove_prefix(1);
    return name == "char" ? 1 : name == "short" || name == "half" ? 2 : name == "int" || name == "float" ? 4 : 8;
}

/// The unsigned integer of a scalar's size.
UPSWEEP_INLINE const char* bits_type(std::size_t size) {
    return size == 8 ? "ulong" : size == 4 ? "uint" : size == 2 ? "ushort" : "uchar";
}

/// Whether a type is one of OpenCL C's floating-point types.
UPSWEEP_INLINE bool is_floating(std::string_view name) {
    return name == "half" || name == "float" || name == "double";
}

/// Whether elements become values in vectors as they do one by one: between integers, and where a floating-point type
/// holds every element. (PoCL 5.0 has `half` without the functions that load and store vectors of it.)
UPSWEEP_INLINE bool converts_vectors(const type_text& element, const type_text& value) {
    if (!is_scalar(element) || !is_scalar(value) || element.name == "half" || value.name == "half") return false;
    if (element.name == value.name) return true;
    return is_floating(value.name) ? element.size < value.size : !is_floating(element.name);
}

/// Whether the operator gives the same bits in any order: the library's own arithmetic on an integer, or it says so.
UPSWEEP_INLINE bool is_exact(const program_text& text) {
    return text.op.traits.exact ||
           (text.op.traits.combines_vectors && is_scalar(text.value) && !is_floating(text.value.name));
}

/// Whether kernels apply the operator in few places, because it is costly (upsweep_combine_inline in prelude.cl).
UPSWEEP_INLINE bool has_costly_operator(const program_text& text, const tuning& t, family kind) {
    const bool reduces = kind == family::reduce && t.algorithm == tile_algorithm::sub_group;
    return keeps_runs(t) || (reduces && (text.op.traits.costly || t.step_rounds > 1));
}

/// Whether kernels move structs as arrays of words, and only the operator sees their members. NVIDIA's compiler keeps
/// structs with padding in memory. H200, 2^26 elements, us, scans and reductions, as they are and as words: of {int,
/// double} 2454 and 786, 1071 and 253; of {uchar, float} 1026 and 330, 855 and 128.
/// @param text  a program_text or a view of one
template <class Text>
bool moves_words(const Text& text, const tuning& t) {
    return t.struct_words && !text.value.definition.empty() && text.value.size % 4 == 0 &&
           text.value.name == text.element.name && text.value.definition == text.element.definition &&
           text.hooks.load.empty() && text.hooks.store.empty() && !text.op.traits.has_any_order;
}

inline constexpr const char* moved_type = "upsweep_moved";

UPSWEEP_INLINE std::string moved_type_definition(const type_text& value) {
    return "#line 1 \"moved\"\ntypedef struct { uint words[" + std::to_string(value.size / 4) + "]; } upsweep_moved;\n";
}

/// The size of the smallest numbers that a text names: 1, 2, or 4 for any larger ones.
UPSWEEP_INLINE std::size_t smallest_number(std::string_view text) {
    const auto has = [&](const char* name) { return text.find(name) != std::string_view::npos; };
    return has("char") || has("bool") ? 1 : has("short") || has("half") ? 2 : 4;
}

/// The same of a struct or a vector; a struct's name says nothing.
/// @param type  a type_text or a view of one
template <class Type>
std::size_t smallest_number_of(const Type& type) {
    return smallest_number(type.definition.empty() ? type.name : type.definition);
}

/// Larger values go to functions through memory, which is a work-item's own. Follows UPSWEEP_OUTLINE in prelude.cl.
constexpr std::size_t most_register_bytes = 256;

/// Whether a value's words hold several numbers each, of which NVIDIA's compiler loses some (UPSWEEP_OF_LANE).
template <class Type>
bool shares_words(const Type& type) {
    return type.size <= most_register_bytes && !is_scalar(type) && smallest_number_of(type) < 4;
}

/// Whether an operator may take such numbers out of words.
UPSWEEP_INLINE bool divides_words(const type_text& value, const operator_text& op) {
    if (op.traits.hides_members) return op.traits.divides_words;
    const bool names_small = is_users(op) && (smallest_number(op.body) < 4 || smallest_number(op.helpers) < 4);
    return shares_words(value) || (names_small && value.size <= most_register_bytes);
}

inline constexpr const char* members_whole = " whole; ";
inline constexpr const char* members_value = " value; ";

/// A function of two values by another one, on the type whose members that one sees.
/// @param opening  of the function
/// @param whole    the type that it takes and returns
/// @param value    the type with members, of as many bytes
/// @param by       the other function
/// @param is_lanes  operands are made a lane's own
UPSWEEP_INLINE std::string function_on_members(const std::string& opening, const std::string& whole,
                                               const type_text& value, const char* by, bool is_lanes) {
    const std::size_t words = (value.size + 3) / 4;
    std::string out = "typedef union { " + whole + members_whole + value.name + members_value + "uint words[" +
                      std::to_string(words) + "]; } upsweep_members;\n" + opening +
                      "upsweep_members first, second, both;\n";
    for (const char* const operand : {"first", "second"}) {
        const std::string name = operand, last = name + ".words[" + std::to_string(words - 1) + "]";
        if (is_lanes && value.size % 4 != 0) out += last + " = 0;\n";
        out += name + ".whole = " + (name == "first" ? "left;\n" : "right;\n");
        for (std::size_t i = 0; is_lanes && i < words; ++i)
            out += "UPSWEEP_OPERAND_OF_LANE(" + name + ".words[" + std::to_string(i) + "])\n";
    }
    return out + "both.value = " + by + "(first.value, second.value);\nreturn both.whole;\n}\n";
}

/// Functions of the operator, each by the one before it: the user's on structs, with words in their place, and as a
/// function that stays one.
UPSWEEP_INLINE void append_operator(std::string& out, const program_text& text, const tuning& t, bool is_costly,
                                    bool in_kernels) {
    const bool is_moved = moves_words(text, t);
    const bool is_lanes = t.ptx && !text.op.traits.hides_members && divides_words(text.value, text.op);
    const char* const combine = is_costly ? "upsweep_combine_inline" : "upsweep_combine";
    if (is_moved) append_define(out, "upsweep_value", text.value.name); // in helpers and body
    if (!text.op.helpers.empty()) out.append("#line 1 \"helpers\"\n").append(text.op.helpers).append("\n");
    out.append(operator_opening(in_kernels && is_own_or_of_structs(text), text.op.traits.copies_operands,
                                is_moved || is_lanes ? "upsweep_combine_structs" : combine));
    out.append("#line 1 \"operator\"\n").append(text.op.body).append("\n}\n");
    if (is_moved) out.append("#undef upsweep_value\n");
    if (is_moved || is_lanes)
        out.append(function_on_members(operator_opening(false, false, combine), is_moved ? moved_type : text.value.name,
                                       text.value, "upsweep_combine_structs", is_lanes));
    const bool is_outlined = t.ptx && (keeps_runs(t) || t.step_rounds > 1 || text.op.traits.has_long_text);
    if (is_costly)
        out.append(is_outlined ? "__attribute__((noinline)) " : "")
            .append(operator_opening(false, false))
            .append("return upsweep_combine_inline(left, right);\n}\n");
}

/// The files of families that have one each.
struct family_file {
    family kind;
    const kernel_file* file;
};
inline constexpr family_file family_files[] = {{family::chunks_once, &kernels::reduce_chunks_once},
                                               {family::fold, &kernels::fold},
                                               {family::marks, &kernels::mark_ends},
                                               {family::rows, &kernels::reduce_rows},
                                               {family::small_segments, &kernels::reduce_small},
                                               {family::parted_segments, &kernels::reduce_in_parts},
                                               {family::merged, &kernels::reduce_merged},
                                               {family::segments, &kernels::reduce_segments},
                                               {family::each, &kernels::reduce_each},
                                               {family::columns, &kernels::scan_columns},
                                               {family::reduced_columns, &kernels::reduce_columns},
                                               {family::columns_look_back, &kernels::columns_look_back}};

} // namespace upsweep::detail
