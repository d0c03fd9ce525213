// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/detail/source/segment_form.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/source/transform_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>
#include <upsweep/detail/values/text_memo.hpp>

#include <cstdint>
#include <string>
#include <vector>

// Where segments begin and end, as the texts of hooks ask for it.

namespace upsweep::detail {

/// What decides where segments begin, as text.
struct head_text {
    segment_cut cut = segment_cut::rows;
    std::vector<hook_array> arrays;
    std::vector<std::string> numbers;
    type_text type; ///< of what the caller gives: keys, flags or offsets
    /// upsweep_begins(i, arrays, numbers): 1 where a segment begins at element i, else 0; upsweep_begins_inside, the
    /// same where i is not 0; upsweep_place(i, arrays, numbers): where element i lies in the arrays of the input and of
    /// the output; upsweep_segment(i, arrays, numbers), which also takes what the two below name: the number of the
    /// segment that ends before element i, unless segments must be counted.
    std::string functions;
    std::vector<hook_array> search_arrays = {};
    std::vector<std::string> search_numbers = {};
};

UPSWEEP_INLINE void add_members(text_key& key, const head_text& heads) {
    const auto& [cut, arrays, numbers, type, functions, search_arrays, search_numbers] = heads;
    key.add(cut, arrays, numbers, type, functions, search_arrays, search_numbers);
}
UPSWEEP_INLINE void add_members(text_key& key, const segment_form& form) {
    const auto& [results, init, is_empty, in_tiles, reads_row, in_words] = form;
    key.add(results, init, is_empty, in_tiles, reads_row, in_words);
}

// Intel's CPU runtime may make loads that a condition forbids (sub_group/stage_blocks.cl), so places are brought into
// the arrays, and not only tested.

/// A call of one of these functions.
/// @param before  what stands before the name of an array or a number
/// @param place   an expression
UPSWEEP_INLINE std::string call_of(const head_text& heads, const std::string& function, const std::string& before,
                                   const std::string& place = "i") {
    std::string out = function + "(" + place;
    for (const hook_array& array : heads.arrays) out += ", " + before + array.name;
    for (const std::string& number : heads.numbers) out += ", " + before + number;
    return out + ")";
}

/// A function of a place, of the arrays and of the numbers.
UPSWEEP_INLINE std::string head_function(const head_text& heads, const std::string& head, const std::string& body) {
    std::string parameters = "(ulong i";
    for (const hook_array& array : heads.arrays) parameters += ", " + pointer_to(array, "");
    for (const std::string& number : heads.numbers) parameters += ", ulong " + number;
    return head + parameters + ")\n{\n" + body + "\n}\n";
}

/// The same, where all is taken that upsweep_segment takes.
UPSWEEP_INLINE head_text with_search(head_text heads) {
    append_all(heads.arrays, heads.search_arrays);
    append_all(heads.numbers, heads.search_numbers);
    return heads;
}

/// The functions, of their bodies.
/// @param inner  says whether a segment begins at an element that is not the first one
UPSWEEP_INLINE std::string head_functions(const head_text& heads, const std::string& begins, const std::string& inner,
                                          const std::string& place) {
    return head_function(heads, "uint upsweep_begins", begins) +
           head_function(heads, "uint upsweep_begins_inside", inner) +
           head_function(heads, "ulong upsweep_place", place);
}

/// Segments begin where a flag is not zero, and at the first element.
UPSWEEP_INLINE head_text heads_of_flags(const type_text& flag) {
    head_text heads{segment_cut::flags, {{"flags", flag.name}}, {}, flag, {}};
    heads.functions = head_functions(heads, "return (i == 0) | (flags[i] != 0);", "return flags[i] != 0;", "return i;");
    return heads;
}

/// The functions of segments of `width` elements each. Their inverse is 2^64 / width, rounded up, modulo 2^64. With it,
/// for numbers below 2^32, products give the quotient, in whose computation nothing overflows, and whether there is a
/// remainder (D. Lemire, O. Kaser, N. Kurz, Faster Remainder by Direct Computation, 2019).
/// @param place  the body that says where element i lies
UPSWEEP_INLINE std::string functions_of_rows(const head_text& heads, const std::string& place) {
    const char* begins = "if (sizeof(upsweep_index) == 8) return i / width * width == i;\n"
                         "return i * upsweep_inverse <= upsweep_inverse - 1;";
    return "ulong upsweep_row_number(ulong i, ulong width, ulong upsweep_inverse)\n{\n"
           "if (sizeof(upsweep_index) == 8) return i / width;\n"
           "const ulong row = (i * (upsweep_inverse >> 32) + (i * (uint)upsweep_inverse >> 32)) >> 32;\n"
           "return width == 1 ? i : row;\n}\n" +
           head_functions(heads, begins, begins, place) +
           head_function(heads, "ulong upsweep_segment", "return upsweep_row_number(i, width, upsweep_inverse) - 1;");
}

/// Segments are rows of `width` elements, each of which begins `gap` elements behind the end of the one before, or
/// right there.
UPSWEEP_INLINE head_text heads_of_rows(bool has_gap) {
    head_text heads{segment_cut::rows, {}, {"width", "upsweep_inverse"}, {}, {}};
    if (has_gap) heads.numbers.emplace_back("gap");
    heads.functions = functions_of_rows(
        heads, has_gap ? "return i + upsweep_row_number(i, width, upsweep_inverse) * gap;" : "return i;");
    return heads;
}

/// Segment k is of the elements from offsets[k] up to offsets[k + 1]; there are `count` offsets, in order. Where
/// segments end was marked before (launch/segments/mark_ends.cl). A word's first segment and the marks before i in that
/// word give the number of the one that ends before i, but for empty segments between them. If the word has any, the
/// first offset that is not less than i is searched from there on, in steps that double: that is upsweep_offset_behind.
UPSWEEP_INLINE head_text heads_of_offsets(const type_text& offset) {
    head_text heads{segment_cut::offsets, {{"marks", "uint"}}, {}, offset, {}};
    heads.search_arrays = {{"firsts", "ulong"}, {"gaps", "uchar"}, {"offsets", offset.name}};
    heads.search_numbers = {"count"};
    heads.functions = head_functions(heads, "return (i == 0) | (marks[i / 32] >> (uint)(i % 32) & 1);",
                                     "return marks[i / 32] >> (uint)(i % 32) & 1;", "return i;") +
                      "ulong upsweep_offset_behind(__global const " + offset.name +
                      "* offsets, ulong count, ulong begin, ulong i)\n{\nulong end = begin, step = 1;\n"
                      "while (end < count && (ulong)offsets[min(end, count - 1)] < i) {\n"
                      "begin = end + 1;\nend += step;\nstep *= 2;\n}\n"
                      "end = min(end, count);\n"
                      "while (begin < end) {\nconst ulong middle = begin + (end - begin) / 2;\n"
                      "if ((ulong)offsets[middle] < i)\nbegin = middle + 1;\nelse\nend = middle;\n}\n"
                      "return begin;\n}\n" +
                      head_function(with_search(heads), "ulong upsweep_segment",
                                    "const uint before = marks[i / 32] & ((1u << (uint)(i % 32)) - 1);\n"
                                    "const ulong begin = firsts[i / 32] + popcount(before) + 1;\n"
                                    "return (gaps[i / 32] == 0 ? begin : upsweep_offset_behind(offsets, count, begin, "
                                    "i)) - 1;") +
                      head_function(with_search(heads), "uint upsweep_has_elements",
                                    "return (i + 1 < count) & (offsets[min(i, count - 1)] != offsets[min(i + 1, count "
                                    "- 1)]);") +
                      head_function(with_search(heads), "ulong upsweep_next_with_elements",
                                    "if (i >= count) return i;\n"
                                    "return upsweep_offset_behind(offsets, count, i, (ulong)offsets[i] + 1) - 1;");
    return heads;
}

// What hooks have for tiles of segments (sub_group_tile/segment_tiles.cl).

/// The initial value in a hook's text.
UPSWEEP_INLINE std::string init_text(const type_text& value, segment_init init, const std::string& before) {
    if (init == segment_init::memory) return before + "init[0]";
    return "as_" + value.name + "((" + bits_type(value.size) + ")" + before + "init)";
}

/// What kernels are told of the values.
UPSWEEP_INLINE std::string segment_tiles_macros(const type_text& value, bool counts, bool is_exact) {
    const auto define = [](const char* name, const std::string& what) {
        return std::string("#define ") + name + " " + what + "\n";
    };
    return define("UPSWEEP_SEGMENT_VALUE", value.name) +
           define("UPSWEEP_SEGMENT_VALUE_SIZE", std::to_string(value.size)) +
           define("UPSWEEP_COUNTS_SEGMENTS", counts ? "1" : "0") +
           define("UPSWEEP_EXACT_SEGMENTS", is_exact ? "1" : "0");
}

/// The first value of a segment with the initial value before it.
UPSWEEP_INLINE std::string begin_value_text(const type_text& value, segment_form form, const std::string& in) {
    return "upsweep_combine_values(" + init_text(value, form.init, in + ".upsweep_") + ", value)";
}

/// Makes that of `value`, if there is an initial value and `head` says that a segment begins.
UPSWEEP_INLINE std::string if_head_text(const type_text& value, segment_form form) {
    if (form.init == segment_init::none) return {};
    return "if (head) value = " + begin_value_text(value, form, "in") + ";\n";
}

/// The load hook of another that leaves the initial value to its caller.
UPSWEEP_INLINE std::string load_with_begin_text(const type_text& value, segment_form form) {
    return "#define UPSWEEP_LOAD_ALONE(in, i) upsweep_load_alone(in, i)\n"
           "upsweep_value upsweep_load_element(upsweep_input in, ulong i)\n{\nconst upsweep_value upsweep_alone = "
           "upsweep_load_alone(in, i);\nconst uint head = upsweep_has_head(upsweep_alone);\n" +
           value.name + " value = upsweep_unflag(upsweep_alone);\n" + if_head_text(value, form) +
           "return upsweep_flag(value, head);\n}\n";
}

/// The load hook for the marks of a run, where a few instructions tell them: those of rows and of segments by offsets.
UPSWEEP_INLINE std::string run_marks_text(const head_text& heads) {
    if (must_count(heads.cut)) return {};
    const char* const of_rows =
        "const ulong place = upsweep_place_in_row(in, i), end = in.upsweep_width;\nuint marks = 0;\n"
        "for (uint k = (uint)min(place == 0 ? 0 : end - place, 32ul); k < count; k += "
        "(uint)min(end, 32ul))\nmarks |= 1u << k;\nreturn marks;\n";
    const char* const of_offsets = "const ulong high = in.upsweep_marks[(i + count - 1) / 32];\n"
                                   "return (uint)((high << 32 | in.upsweep_marks[i / 32]) >> i % 32) & "
                                   "(uint)((1ul << count) - 1);\n";
    return std::string("#define UPSWEEP_MARKS_OF_RUN(in, i, count) upsweep_marks_at(in, i, count)\n"
                       "uint upsweep_marks_at(upsweep_input in, upsweep_index i, uint count)\n{\n"
                       "i += in.upsweep_first;\n") +
           (heads.cut == segment_cut::rows ? of_rows : of_offsets) + "}\n";
}

/// The load hook for a mark alone, of segments whose runs' marks no hook tells.
UPSWEEP_INLINE std::string has_head_text(const head_text& heads) {
    return "#define UPSWEEP_HAS_HEAD_INNER(in, i) upsweep_has_head_inner(in, i)\n"
           "uint upsweep_has_head_inner(upsweep_input in, ulong i)\n{\ni += in.upsweep_first;\nreturn " +
           call_of(heads, "upsweep_begins_inside", "in.upsweep_") + ";\n}\n";
}

/// The load hook where elements precede and follow. Places are 64 bits, so that compilers add what they know to
/// pointers. The initial value is a hook of its own, but in reductions in any order, for when all values are in local
/// memory: NVIDIA's compiler makes loads one after another where a value is combined with something as soon as it is
/// there. H100, 2^27 float in runs of 1000, exclusive scan by key 856 us with it, inclusive 585.
/// @param array    the name of the array whose elements these are
/// @param element  makes `value` of the element's place `i`
UPSWEEP_INLINE std::string inner_load_text(const head_text& heads, const type_text& value, segment_form form,
                                           const std::string& array, const std::string& element) {
    const bool is_scan = !reduces(form.results);
    const std::string end = is_scan ? "" : " && (ulong)(in).upsweep_first + (count) <= (in).upsweep_end";
    const std::string begin = "#define UPSWEEP_BEGIN_VALUE(in, value) " + begin_value_text(value, form, "(in)") + "\n";
    const std::string with_init =
        form.init == segment_init::none ? ""
        : is_scan                       ? begin
                  : "#if UPSWEEP_EXACT_SEGMENTS\n" + if_head_text(value, form) + "#else\n" + begin + "#endif\n";
    const std::string in_row =
        !is_scan || heads.cut != segment_cut::rows
            ? ""
            : (form.reads_row ? "#define UPSWEEP_PLACE_IN_ROW(in, i) upsweep_place_in_row(in, i)\n" : std::string()) +
                  "upsweep_index upsweep_place_in_row(upsweep_input in, upsweep_index i)\n{\nreturn i - "
                  "(upsweep_index)(upsweep_row_number(i, in.upsweep_width, in.upsweep_upsweep_inverse) * "
                  "in.upsweep_width);\n}\n";
    const std::string is_end = "#define UPSWEEP_IS_END_OF_SEGMENTS(in, i) ((ulong)(in).upsweep_first + (i) == "
                               "(in).upsweep_end)\n";
    return in_row + (is_scan ? std::string() : is_end) + "#define UPSWEEP_IS_INNER(in, count) ((in).upsweep_first > 0" +
           end +
           ")\n#define UPSWEEP_LOAD_INNER(in, i) upsweep_load_inner(in, i)\n"
           "upsweep_value upsweep_load_inner(upsweep_input in, ulong i)\n{\ni += in.upsweep_first;\nconst uint head "
           "= " +
           call_of(heads, "upsweep_begins_inside", "in.upsweep_") + ";\n" + element + with_init +
           "return upsweep_flag(value, head);\n}\n" + (is_scan ? run_marks_text(heads) : "") +
           (form.in_words ? load_words_text(array) : "") +
           (form.in_words && must_count(heads.cut) ? has_head_text(heads) : "");
}

/// The store hook of a scan for values without marks.
UPSWEEP_INLINE std::string inner_store_text(const head_text& heads, const type_text& value, segment_form form) {
    const bool exclusive = form.results == segment_results::exclusive;
    return "#define UPSWEEP_SEGMENT_BEGIN(out, value) (" +
           (exclusive ? init_text(value, form.init, "(out).upsweep_") : "value") +
           ")\n#define UPSWEEP_STORE_SEGMENT(out, i, value) upsweep_store_segment(out, i, value)\n"
           "void upsweep_store_segment(upsweep_output out, ulong i, " +
           value.name + " value)\n{\ni += out.upsweep_first;\nout.upsweep_out[" +
           call_of(heads, "upsweep_place", "out.upsweep_") + "] = value;\n}\n" +
           (form.in_words ? store_words_text("out") : "");
}

/// Whether tiles list keys of a type with sums. Of others they list where these are.
UPSWEEP_INLINE bool are_listed(const type_text& key) {
    return is_scalar(key) && key.name != "half" && key.size <= sizeof(std::uint32_t);
}

/// What stores the result of a segment of a number.
UPSWEEP_INLINE std::string result_store_text(const type_text& value) {
    return "#define UPSWEEP_STORE_RESULT(out, segment, value) upsweep_store_result(out, segment, value)\n"
           "void upsweep_store_result(upsweep_output out, ulong segment, " +
           value.name + " value)\n{\nif (segment < out.upsweep_room) out.upsweep_out[segment] = value;\n}\n";
}

/// The hooks of a reduction whose segments are counted, for tiles in which elements precede and follow. Small keys are
/// listed when they are read, and not read again: by then, other work-groups have replaced them in a GPU's cache.
UPSWEEP_INLINE std::string counted_store_text(const head_text& heads, const type_text& value, segment_form form) {
    if (form.results != segment_results::per_key) return result_store_text(value);
    if (!are_listed(heads.type)) return {};
    return result_store_text(value) + "#define UPSWEEP_SEGMENT_KEY " + heads.type.name +
           "\n#define UPSWEEP_LOAD_SEGMENT_KEY(in, i) (((in).upsweep_keys + (in).upsweep_first)[i])\n"
           "#define UPSWEEP_LOAD_KEY_AT_END(in, i) ((in).upsweep_keys[min((ulong)(in).upsweep_first + (i), "
           "(in).upsweep_end - 1)])\n"
           "#define UPSWEEP_STORE_KEY(out, segment, key) upsweep_store_key(out, segment, key)\n"
           "void upsweep_store_key(upsweep_output out, ulong segment, " +
           heads.type.name +
           " upsweep_key)\n{\nif (segment < out.upsweep_room) out.upsweep_upsweep_unique[segment] = upsweep_key;\n}\n";
}

/// The store hook of a reduction whose segments have numbers that need not be counted.
UPSWEEP_INLINE std::string numbered_store_text(const head_text& heads, const type_text& value) {
    return "#define UPSWEEP_ROW_HAS_GAPS(out, i) ((out).upsweep_gaps[((out).upsweep_first + (i)) / 32])\n"
           "#define UPSWEEP_FIRST_OF_ROW(out, i) ((out).upsweep_firsts[((out).upsweep_first + (i)) / 32])\n"
           "#define UPSWEEP_END_OF_SEGMENTS(out) ((out).upsweep_count - 1)\n"
           "#define UPSWEEP_SEGMENT_HAS_ELEMENTS(out, k) upsweep_has_elements_at(out, k)\n"
           "uint upsweep_has_elements_at(upsweep_output out, ulong k)\n{\nreturn " +
           call_of(with_search(heads), "upsweep_has_elements", "out.upsweep_", "k") +
           ";\n}\n#define UPSWEEP_NEXT_WITH_ELEMENTS(out, k) upsweep_next_behind(out, k)\n"
           "ulong upsweep_next_behind(upsweep_output out, ulong k)\n{\nreturn " +
           call_of(with_search(heads), "upsweep_next_with_elements", "out.upsweep_", "k") + ";\n}\n" +
           result_store_text(value);
}

} // namespace upsweep::detail
