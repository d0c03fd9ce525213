#pragma once

#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/self_check/ladder.hpp>

#include <string>
#include <type_traits>

namespace upsweep::detail {

enum class number_kind { integer, floating, other };

/// All that a self-check knows of a type.
struct value_class {
    number_kind kind = number_kind::other;
    std::size_t size = 1;

    friend bool operator==(value_class a, value_class b) { return a.kind == b.kind && a.size == b.size; }
};

template <class T>
constexpr value_class class_of() {
    constexpr bool floating = std::is_floating_point<T>::value || std::is_same<T, half>::value;
    return {std::is_integral<T>::value ? number_kind::integer
            : floating                 ? number_kind::floating
                                       : number_kind::other,
            sizeof(T)};
}

/// One call, as a self-check sees it.
struct check_subject {
    operation op = operation::scan;
    value_class element;
    value_class value;
    bool own_operator = false;
    bool promises_bits = false; ///< the canonical order is what `automatic` chose
    program_key key;            ///< of the call's program; its tuning is the chosen one
    program_text text;          ///< of the call's program
};

inline std::string to_string(value_class c) {
    const char* kind = c.kind == number_kind::integer    ? "integers"
                       : c.kind == number_kind::floating ? "floating-point numbers"
                                                         : "structs";
    return std::string(kind) + " of " + std::to_string(c.size) + (c.size == 1 ? " byte" : " bytes");
}

/// Names what one check covers.
inline std::string class_name(const check_subject& s) {
    std::string name = to_string(s.element);
    if (!(s.value == s.element)) name += " into " + to_string(s.value);
    return name + (s.own_operator ? ", operator of one's own" : "");
}

/// The operator on words of `bits` bits that stands for a user's: x -> a * x + b modulo half the word's range, a in its
/// low half and b in the other, composed. Associative, exact, and for odd a no operand is ever forgotten; it does not
/// commute.
inline std::string word_body(const std::string& word, std::size_t bits, const std::string& left,
                             const std::string& right, const std::string& result) {
    const std::string half_bits = std::to_string(bits / 2);
    const std::string mask = "((((" + word + ")1) << " + half_bits + ") - 1)";
    const std::string l = "((" + word + ")" + left + ")";
    const std::string r = "((" + word + ")" + right + ")";
    return result + "((((" + l + " & " + mask + ") * (" + r + " & " + mask + ")) & " + mask + ") | (((((" + r + " & " +
           mask + ") * (" + l + " >> " + half_bits + ")) + (" + r + " >> " + half_bits + ")) & " + mask + ") << " +
           half_bits + "));";
}

inline std::string word_name(std::size_t size) {
    return size == 1 ? "uchar" : size == 2 ? "ushort" : size == 4 ? "uint" : "ulong";
}

/// The words that a struct of that size is made of in a check.
inline std::size_t word_size(value_class c) {
    if (c.kind == number_kind::integer) return c.size;
    return c.size % 4 == 0 ? 4 : c.size % 2 == 0 ? 2 : 1;
}

/// Whether the check's operator is `word_body`.
inline bool uses_words(const check_subject& s) {
    return s.value.kind == number_kind::other || (s.own_operator && s.value.kind == number_kind::integer);
}

/// Factor of the left operand in the check's floating-point operator: of few bits, so that the product is inexact and
/// would come out otherwise if it were fused with the addition.
constexpr double left_factor = 922.0 / 1024.0;

/// Whether the check's operator is left * left_factor + right. It is not associative, so only the canonical order has
/// an answer.
inline bool scales_left(const check_subject& s, bool canonical) {
    return canonical && s.own_operator && s.value.kind == number_kind::floating && s.value.size >= 4 &&
           s.element == s.value;
}

/// What the check's program computes: the call's own types with an operator whose results are known; words in a
/// struct's place.
inline program_text check_text_of(const check_subject& s, bool canonical) {
    program_text text{s.text.element, s.text.value, {}};
    const std::size_t size = word_size(s.value);
    if (s.value.kind == number_kind::other) {
        const std::string count = std::to_string(s.value.size / size);
        text.value.name = "upsweep_words";
        text.value.definition = "typedef struct { " + word_name(size) + " word[" + count + "]; } upsweep_words;";
        text.element = text.value;
        text.op.body = "upsweep_words both;\nfor (uint k = 0; k < " + count + "; ++k)\n    " +
                       word_body(word_name(size), 8 * size, "left.word[k]", "right.word[k]",
                                 "both.word[k] = (" + word_name(size) + ")") +
                       "\nreturn both;";
    } else if (uses_words(s)) {
        text.op.body = word_body(word_name(size), 8 * size, "left", "right", "return (" + s.text.value.name + ")");
    } else if (scales_left(s, canonical)) {
        text.op.body = "return left * (" + s.text.value.name + ")(922.0f / 1024.0f) + right;";
    } else {
        text.op.body = plus::body;
    }
    text.op.name = s.own_operator ? "user operator" : plus::name;
    if (!s.own_operator && !uses_words(s)) text.op.traits = {true, true};
    return text;
}

} // namespace upsweep::detail
