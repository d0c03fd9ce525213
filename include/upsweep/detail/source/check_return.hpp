// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/check_text.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace upsweep::detail {

/// A macro's definition: the words of the line after `#define`, its name first.
using macro_words = std::vector<std::string>;

/// Splits a user's text into the words of its code and the macros that it defines.
class words_of_text {
public:
    UPSWEEP_INLINE explicit words_of_text(std::string_view text) {
        line_reader reader(text);
        for (code_line line; reader.next(line);) {
            const std::vector<std::string> words = split(line.code);
            const std::size_t first = line.code.find_first_not_of(" \t\v\f\r");
            if (first == std::string::npos || line.code[first] != '#')
                code.insert(code.end(), words.begin(), words.end());
            else if (words.size() > 1 && words[0] == "define")
                macros.emplace_back(words.begin() + 1, words.end());
            else if (!words.empty() && words[0] == "include")
                includes = true;
        }
    }

    std::vector<std::string> code;
    std::vector<macro_words> macros;
    bool includes = false;

private:
    UPSWEEP_INLINE static std::vector<std::string> split(const std::string& line) {
        std::vector<std::string> words;
        bool inside = false;
        for (const char c : line) {
            if (is_identifier_part(c)) {
                if (!inside) words.emplace_back();
                words.back() += c;
            }
            inside = is_identifier_part(c);
        }
        return words;
    }
};

/// `return`, and the macros that stand for it, by others perhaps. Each word of each macro is looked at once: of macros
/// in any order there may be thousands. Valid as long as the macros are.
UPSWEEP_INLINE std::unordered_set<std::string_view> returning_words(const std::vector<macro_words>& macros) {
    std::unordered_map<std::string_view, std::vector<std::string_view>> users; // of a word, the macros that have it
    for (const macro_words& macro : macros)
        for (std::size_t i = 1; i < macro.size(); ++i) users[macro[i]].push_back(macro[0]);
    std::unordered_set<std::string_view> returning{"return"};
    for (std::vector<std::string_view> found{"return"}; !found.empty();) {
        const std::vector<std::string_view> next = users[found.back()];
        found.pop_back();
        for (const std::string_view name : next)
            if (returning.insert(name).second) found.push_back(name);
    }
    return returning;
}

/// Whether an operator's body can return something: `return` is a word of its code, or of a macro that it uses. What
/// an included file defines is not known, and then the answer is yes.
/// @param others  texts that stand before the body in the program
UPSWEEP_INLINE bool can_return(std::string_view body, const std::vector<std::string_view>& others) {
    const words_of_text own(body);
    std::vector<macro_words> macros = own.macros;
    bool includes = own.includes;
    for (const std::string_view text : others) {
        const words_of_text words(text);
        macros.insert(macros.end(), words.macros.begin(), words.macros.end());
        includes = includes || words.includes;
    }
    if (includes) return true;
    const std::unordered_set<std::string_view> returning = returning_words(macros);
    for (const std::string& word : own.code)
        if (returning.count(word) > 0) return true;
    return false;
}

} // namespace upsweep::detail
