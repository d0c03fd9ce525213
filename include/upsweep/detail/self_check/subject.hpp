// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/self_check/ladder.hpp>
#include <upsweep/detail/source/call_types.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <string>

namespace upsweep::detail {

/// One call, as a self-check sees it.
struct check_subject {
    operation op = operation::scan;
    value_class element;
    value_class value;
    bool own_operator = false;
    bool promises_bits = false; ///< the canonical order is what `automatic` chose
    bool has_own_check = false; ///< its kernels have: here only arithmetic is checked
    program_key key;            ///< of the call's program; its tuning is the chosen one
    program_text text;          ///< of the call's program
};

UPSWEEP_INLINE std::string to_string(value_class c) {
    const char* kind = c.kind == number_kind::integer    ? "integers"
                       : c.kind == number_kind::floating ? "floating-point numbers"
                                                         : "structs";
    const std::string size = std::to_string(c.size) + (c.size == 1 ? " byte" : " bytes");
    return std::string(kind) + " of " + size + (c.part != 0 ? " in parts of " + std::to_string(c.part) : "");
}

/// Names what one check covers.
UPSWEEP_INLINE std::string class_name(const check_subject& s) {
    std::string name = to_string(s.element);
    if (!(s.value == s.element)) name += " into " + to_string(s.value);
    const char* kinds[] = {"", ", exclusive", ", inclusive"};
    const operator_traits& traits = s.text.op.traits;
    name += s.own_operator ? ", operator of one's own" : "";
    name += traits.costly && record_of(s.op).results == result_count::one ? ", costly" : ""; // see source.hpp
    name += traits.has_long_text ? ", of long text" : "";
    return name + kinds[static_cast<int>(s.text.scan)];
}

/// The class of a type with that text: a struct or a vector is numbers as small as its smallest. NVIDIA's compiler
/// loses parts of words that 16-bit numbers share, and none of whole words.
UPSWEEP_INLINE value_class class_with_members(value_class c, const type_view& type) {
    if (c.kind != number_kind::other || !shares_words(type)) return c;
    const std::size_t part = smallest_number_of(type);
    if (c.size % part == 0) c.part = part;
    return c;
}

/// The numbers that a type is made of in a check: structs are words, or as small as their members.
UPSWEEP_INLINE value_class part_of(value_class c) {
    if (c.kind != number_kind::other) return c;
    if (c.part != 0) return {number_kind::integer, c.part};
    return {number_kind::integer, std::size_t{c.size % 4 == 0 ? 4U : c.size % 2 == 0 ? 2U : 1U}};
}

/// Whether the check's operator combines words (check_operator.cl).
UPSWEEP_INLINE bool uses_words(const check_subject& s) {
    return s.value.kind == number_kind::other || (s.own_operator && s.value.kind == number_kind::integer);
}

/// How many words a value is.
UPSWEEP_INLINE std::size_t words_in(const check_subject& s) {
    return s.value.size / part_of(s.value).size;
}

/// The left operand's factor in the check's operator: on floating-point numbers in 1024ths, on words.
constexpr std::uint16_t left_factor = 922;
constexpr std::uint16_t word_factor = 31;

/// Whether the check's operator multiplies the left operand by that factor. It is not associative, so only the
/// canonical order has an answer.
UPSWEEP_INLINE bool scales_left(const check_subject& s, bool canonical) {
    if (!canonical) return false;
    if (uses_words(s)) return words_in(s) == 1;
    return s.own_operator && s.value.kind == number_kind::floating && s.value.size >= 4 && s.element == s.value;
}

/// A struct of words, for checks in the place of one of that class.
UPSWEEP_INLINE type_text words_of(value_class c) {
    const std::size_t size = part_of(c).size;
    return {"upsweep_words",
            std::string("typedef struct { ") + bits_type(size) + " words[" + std::to_string(c.size / size) +
                "]; } upsweep_words;",
            c.size};
}

/// What the check's program computes: the call's own types with an operator whose results are known; words in a
/// struct's place.
UPSWEEP_INLINE program_text check_text_of(const check_subject& s, bool canonical) {
    const bool words = uses_words(s);
    program_text text{s.text.element, s.text.value, {plus::name, plus::body, {}}};
    text.scan = s.text.scan;
    text.is_aligned = s.text.is_aligned;
    if (s.own_operator) text.op.name = "user operator";
    if (!s.own_operator && !words) text.op.traits = {true, true};
    text.op.traits.costly = s.text.op.traits.costly; // both decide kernels, not results
    text.op.traits.has_long_text = s.text.op.traits.has_long_text;
    if (!words && !scales_left(s, canonical)) return text;

    if (words) append_define(text.op.helpers, "UPSWEEP_CHECK_WORD", bits_type(part_of(s.value).size));
    if (scales_left(s, canonical))
        append_define(text.op.helpers, "UPSWEEP_CHECK_FACTOR", std::to_string(words ? word_factor : left_factor));
    if (s.value.kind == number_kind::other) {
        append_define(text.op.helpers, "UPSWEEP_CHECK_WORDS", std::to_string(words_in(s)));
        text.element = text.value = words_of(s.value);
    }
    text.op.helpers.append(kernels::check_operator.text);
    text.op.body = "return upsweep_check_combine(left, right);";
    return text;
}

} // namespace upsweep::detail
