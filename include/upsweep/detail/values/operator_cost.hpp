// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// What an operator costs, as far as its text tells.
namespace upsweep::detail {

/// From so many instructions on an operator counts as costly. Guess, from an NVIDIA H200: while it reads and writes a
/// float it executes about 50 instructions, of which a scan's own are some 20, and applies the operator twice or more.
constexpr unsigned costly_from = 32;
/// From so many on, for values of `size` bytes, programs of reductions call it as a function where it is seldom
/// applied. That shortens their build, and costs more the larger values are, which go to functions through memory.
/// NVIDIA H100, first call and later ones, without and with such calls: 2 x 2 matrices modulo a prime (16 bytes, 56
/// instructions as counted here) 3.2 s and 134 us, 2.6 s and 143 us; 4 x 4 matrices (64 bytes, 416) 4.2 s and 181
/// us, 3.6 s and 220 us; log(exp(a) + exp(b)) of 3 floats (200) 4.4 s and 284 us, 2.2 s and 265 us, of 16 (1088) 12.5 s
/// and 743 us, 4.1 s and 713 us.
constexpr unsigned long_from(std::size_t size) {
    return size <= 8 ? 64 : 8 * static_cast<unsigned>(size);
}
/// No text counts more; so sums of products do not overflow.
constexpr unsigned most_cost = 1 << 16;
/// So many loops in one another count as costly, whatever they do: each takes some of the host's stack while it is
/// read.
constexpr unsigned most_nested = 64;
/// About what a division, a remainder or a square root takes.
constexpr unsigned cost_of_division = 11;

/// What a word of OpenCL C costs, in instructions. Variants with native_ are cheap: a few instructions.
UPSWEEP_INLINE unsigned cost_of_word(std::string_view word) {
    constexpr std::array<std::string_view, 44> costly{
        "while", "do",    "exp",   "exp2", "exp10", "expm1",  "log",    "log2",   "log10",  "log1p",     "pow",
        "pown",  "powr",  "rootn", "cbrt", "hypot", "sin",    "cos",    "tan",    "sincos", "sinpi",     "cospi",
        "tanpi", "asin",  "acos",  "atan", "atan2", "asinpi", "acospi", "atanpi", "sinh",   "cosh",      "tanh",
        "asinh", "acosh", "atanh", "erf",  "erfc",  "tgamma", "lgamma", "fmod",   "remquo", "remainder", "atan2pi"};
    for (const std::string_view name : costly)
        if (word == name) return costly_from;
    return word == "sqrt" || word == "length" || word == "normalize" || word == "distance" ? cost_of_division : 0;
}

/// Where the bracket at `at` is closed; npos if it is not. Brackets in comments count, too.
UPSWEEP_INLINE std::size_t closing_bracket(std::string_view text, std::size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '(' || text[at] == '{') ++depth;
        if (text[at] == ')' || text[at] == '}')
            if (--depth == 0) return at;
    }
    return std::string_view::npos;
}

/// The number that a text ends with, behind the last `mark`; -1: that is no decimal number of up to four digits.
UPSWEEP_INLINE int number_behind(std::string_view text, char mark) {
    std::size_t at = text.rfind(mark);
    if (at == std::string_view::npos) return -1;
    int number = -1;
    unsigned digits = 0;
    for (++at; at < text.size(); ++at) {
        const char c = text[at];
        if (c == ' ' && digits == 0) continue;
        if ((c == ' ' || c == 'u' || c == 'U') && digits > 0) break;
        if (c < '0' || c > '9' || ++digits > 4) return -1;
        number = (number < 0 ? 0 : number * 10) + (c - '0');
    }
    return text.find_first_not_of(" uU", at) == std::string_view::npos ? number : -1;
}

/// How often a loop runs that counts up by one from a number to a number, as in "int i = 0; i < 8; ++i"; -1: it
/// is no such loop.
UPSWEEP_INLINE int rounds_of(std::string_view head) {
    const std::size_t condition = head.find(';');
    const std::size_t step = condition == std::string_view::npos ? condition : head.find(';', condition + 1);
    if (step == std::string_view::npos || head.find("++", step) == std::string_view::npos) return -1;
    const std::string_view until = head.substr(condition, step - condition);
    const bool is_included = until.find("<=") != std::string_view::npos;
    const int first = number_behind(head.substr(0, condition), '=');
    const int last = number_behind(until, is_included ? '=' : '<');
    return first < 0 || last < first ? -1 : last - first + (is_included ? 1 : 0);
}

/// A `for` in a text: how often it runs (-1: not known), and where its statement lies.
struct counted_loop {
    int rounds;
    std::size_t begin;
    std::size_t last; ///< its last character's place
};

/// The brackets behind a `for`, if `at` is right behind it: where they are, and where what follows them begins. npos:
/// there are none.
struct loop_head {
    std::size_t open, close, behind;
};
UPSWEEP_INLINE loop_head head_at(std::string_view text, std::size_t at) {
    const std::size_t none = std::string_view::npos;
    const char* const blanks = " \t\n\v\f\r";
    const std::size_t open = text.find_first_not_of(blanks, at);
    const std::size_t close = open == none || text[open] != '(' ? none : closing_bracket(text, open);
    return {open, close, close == none ? none : text.find_first_not_of(blanks, close + 1)};
}

/// Reads the loop whose head comes next from `at` on. Where there is none, begin and last are npos.
UPSWEEP_INLINE counted_loop loop_at(std::string_view text, std::size_t at) {
    const std::size_t none = std::string_view::npos;
    const loop_head head = head_at(text, at);
    std::size_t statement = head.behind; // of the innermost loop, if loops are statements of loops
    while (statement != none && (text.compare(statement, 4, "for ") == 0 || text.compare(statement, 4, "for(") == 0))
        statement = head_at(text, statement + 3).behind;
    if (statement == none) return {-1, none, none};
    const std::size_t last = text[statement] == '{' ? closing_bracket(text, statement) : text.find(';', statement);
    if (last == none) return {-1, none, none};
    return {rounds_of(text.substr(head.open + 1, head.close - head.open - 1)), head.behind, last};
}

/// The sum over a text's words and operators, without comments; loops count as often as they run, if their heads say
/// so. Functions count where they are written, not where they are called; `cost_of_operator` counts calls.
/// @param depth  loops around the text
UPSWEEP_INLINE unsigned cost_of(std::string_view text, unsigned depth = 0) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    unsigned cost = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        std::size_t length = 1;
        if (rest.substr(0, 2) == "//") {
            length = rest.find_first_of("\r\n");
        } else if (rest.substr(0, 2) == "/*") {
            length = rest.find("*/", 2);
            if (length != std::string_view::npos) length += 2;
        } else if (is_part(rest[0])) {
            while (length < rest.size() && is_part(rest[length])) ++length;
            if (rest.substr(0, length) != "for") {
                cost += cost_of_word(rest.substr(0, length));
            } else {
                const counted_loop loop = loop_at(rest, length);
                if (loop.rounds < 0 || depth == most_nested) return costly_from;
                const std::string_view body = rest.substr(loop.begin, loop.last + 1 - loop.begin);
                cost = (std::min)(cost + static_cast<unsigned>(loop.rounds) * cost_of(body, depth + 1), most_cost);
                length = loop.last + 1;
            }
        } else if (rest[0] == '/' || rest[0] == '%') {
            cost += cost_of_division;
        } else if (rest[0] == '+' || rest[0] == '-' || rest[0] == '*') {
            ++cost;
        }
        if (length == std::string_view::npos) break;
        i += length;
    }
    return (std::min)(cost, most_cost);
}

/// How often a text calls functions that `functions` mentions with a bracket behind their name, which its definitions
/// have.
UPSWEEP_INLINE unsigned calls_into(std::string_view text, std::string_view functions) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    unsigned calls = 0;
    for (std::size_t i = 0, end = 0; i < text.size(); i = end) {
        for (end = i; end < text.size() && is_part(text[end]);) ++end;
        const bool is_call = end > i && end < text.size() && text[end] == '(';
        const std::string_view called = is_call ? text.substr(i, end + 1 - i) : std::string_view();
        const std::size_t at = is_call ? functions.find(called) : std::string_view::npos;
        if (at != std::string_view::npos && (at == 0 || !is_part(functions[at - 1]))) ++calls;
        if (end == i) ++end;
    }
    return calls;
}

/// The cost of an operator: that of its body, and that of the functions beside it for each call of one of them.
UPSWEEP_INLINE unsigned cost_of_operator(std::string_view body, std::string_view functions) {
    const std::uint64_t calls = (std::max)(1U, calls_into(body, functions));
    return cost_of(body) + static_cast<unsigned>((std::min)(calls * cost_of(functions), std::uint64_t{most_cost}));
}

} // namespace upsweep::detail
