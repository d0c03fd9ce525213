// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

/// What an operator costs, as far as its text tells.
namespace upsweep::detail {

/// From so many instructions on an operator counts as costly. Guess, from an NVIDIA H200: while it reads and writes a
/// float it executes about 50 instructions, of which a scan's own are some 20, and applies the operator twice or more.
constexpr unsigned costly_from = 32;
/// About what a division, a remainder or a square root takes.
constexpr unsigned cost_of_division = 11;

/// What a word of OpenCL C costs, in instructions. Variants with native_ are cheap: a few instructions.
UPSWEEP_INLINE unsigned cost_of_word(std::string_view word) {
    constexpr std::array<std::string_view, 45> costly{
        "for",   "while",  "do",     "exp",    "exp2",   "exp10", "expm1",  "log",       "log2",
        "log10", "log1p",  "pow",    "pown",   "powr",   "rootn", "cbrt",   "hypot",     "sin",
        "cos",   "tan",    "sincos", "sinpi",  "cospi",  "tanpi", "asin",   "acos",      "atan",
        "atan2", "asinpi", "acospi", "atanpi", "sinh",   "cosh",  "tanh",   "asinh",     "acosh",
        "atanh", "erf",    "erfc",   "tgamma", "lgamma", "fmod",  "remquo", "remainder", "atan2pi"};
    for (const std::string_view name : costly)
        if (word == name) return costly_from;
    return word == "sqrt" || word == "length" || word == "normalize" || word == "distance" ? cost_of_division : 0;
}

/// The sum over a text's words and operators, without comments. Functions count where they are written, not where they
/// are called; `cost_of_operator` counts calls.
UPSWEEP_INLINE unsigned cost_of(std::string_view text) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    unsigned cost = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        std::size_t length = 1;
        if (rest.substr(0, 2) == "//") {
            length = rest.find('\n');
        } else if (rest.substr(0, 2) == "/*") {
            length = rest.find("*/", 2);
        } else if (is_part(rest[0])) {
            while (length < rest.size() && is_part(rest[length])) ++length;
            cost += cost_of_word(rest.substr(0, length));
        } else if (rest[0] == '/' || rest[0] == '%') {
            cost += cost_of_division;
        } else if (rest[0] == '+' || rest[0] == '-' || rest[0] == '*') {
            ++cost;
        }
        if (length == std::string_view::npos) break;
        i += length;
    }
    return cost;
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
    return cost_of(body) + (std::max)(1U, calls_into(body, functions)) * cost_of(functions);
}

} // namespace upsweep::detail
