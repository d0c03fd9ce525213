// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/check_text.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>
#include <upsweep/error.hpp>
#include <upsweep/type.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What is read from a user's text: whether an operator returns, and what a device aligns a type to, which its compiler
// alone knows. And of build options, which macros they define.

namespace upsweep::detail {

/// The directives that read a file.
inline constexpr const char* directives_of_files[] = {"include", "include_next", "import", "embed"};

UPSWEEP_INLINE bool reads_file(const std::string& directive) {
    return std::find(std::begin(directives_of_files), std::end(directives_of_files), directive) !=
           std::end(directives_of_files);
}

inline constexpr const char* white_space = " \t\n\v\f\r";

/// Whether there is no code in a text.
UPSWEEP_INLINE bool says_nothing(const std::string& text) {
    return code_of(text).find_first_not_of(white_space + std::string(";")) == std::string::npos;
}

/// The words of a body's code, and the macros that it and the texts before it define.
class words_of_text {
public:
    /// @param others  texts that stand before the body in the program
    UPSWEEP_INLINE explicit words_of_text(std::string_view body, const std::vector<std::string_view>& others = {}) {
        includes = add(body, &code);
        for (const std::string_view text : others) others_include = add(text, nullptr) || others_include;
    }

    std::vector<std::string> code;
    /// All macros in one list. Of each: its name, the words that it stands for, and an empty word as its end.
    std::vector<std::string> macros;
    bool includes = false;       ///< the body reads a file
    bool others_include = false; ///< a text before it does

private:
    /// Returns whether the text reads a file.
    UPSWEEP_INLINE bool add(std::string_view text, std::vector<std::string>* code_words) {
        bool reads_files = false;
        line_reader reader(text);
        for (code_line line; reader.next(line);) {
            std::vector<std::string> words = split(line.code);
            const std::size_t first = line.code.find_first_not_of(white_space);
            if (first == std::string::npos || line.code[first] != '#') {
                if (code_words) append_all(*code_words, words);
            } else if (words.size() > 1 && words[0] == "define") {
                words.erase(words.begin());
                words.emplace_back();
                append_all(macros, words);
            } else {
                reads_files = reads_files || (!words.empty() && reads_file(words[0]));
            }
        }
        return reads_files;
    }
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

/// A word of a macro.
struct macro_use {
    std::string_view word;
    std::string_view macro;
};

/// `return`, and the macros that stand for it, by others perhaps, in order. Each word of each macro is looked at once:
/// of macros in any order there may be thousands. Valid as long as the words are.
UPSWEEP_INLINE std::vector<std::string_view> returning_words(const words_of_text& words) {
    std::vector<macro_use> uses;
    std::string_view macro;
    for (const std::string& word : words.macros) {
        if (macro.empty() || word.empty()) // a macro's name, or its end
            macro = word;
        else
            uses.push_back({word, macro});
    }
    std::sort(uses.begin(), uses.end(), [](const macro_use& a, const macro_use& b) { return a.word < b.word; });
    std::vector<std::string_view> returning{"return"};
    for (std::size_t i = 0; i < returning.size(); ++i) {
        const std::string_view word = returning[i];
        auto use = std::lower_bound(uses.begin(), uses.end(), word,
                                    [](const macro_use& a, std::string_view b) { return a.word < b; });
        for (; use != uses.end() && use->word == word; ++use) {
            if (!use->macro.empty()) returning.push_back(use->macro);
            use->macro = {}; // so that nothing is gone through twice
        }
    }
    std::sort(returning.begin(), returning.end());
    returning.erase(std::unique(returning.begin(), returning.end()), returning.end());
    return returning;
}

/// Whether `return` is a word of a body's code, or of a macro that it uses.
UPSWEEP_INLINE bool finds_return(const words_of_text& words) {
    const std::vector<std::string_view> returning = returning_words(words);
    return std::any_of(words.code.begin(), words.code.end(), [&](const std::string_view word) {
        return std::binary_search(returning.begin(), returning.end(), word);
    });
}

/// Whether an operator's body can return something. What an included file defines is not known, and then the answer is
/// yes.
/// @param others  texts that stand before the body in the program
UPSWEEP_INLINE bool can_return(std::string_view body, const std::vector<std::string_view>& others) {
    const words_of_text words(body, others);
    return words.includes || words.others_include || finds_return(words);
}

/// A build option of the user's, such as `-D A=1` or `-DA=1`.
struct build_option {
    std::string word; ///< what it begins with: "-D" or "-DA=1"
    std::string kind; ///< "-D"
    std::string what; ///< "A=1"
};

/// Calls action(option) for each option.
template <class Action>
void for_each_build_option(const std::string& options, const Action& action) {
    std::size_t end = 0;
    const auto next_word = [&] {
        const std::size_t begin = (std::min)(options.find_first_not_of(white_space, end), options.size());
        end = (std::min)(options.find_first_of(white_space, begin), options.size());
        return options.substr(begin, end - begin);
    };
    for (std::string word = next_word(); !word.empty(); word = next_word()) {
        build_option option{word, word.substr(0, 2), word.substr((std::min)(word.size(), std::size_t{2}))};
        const bool is_known = option.kind == "-D" || option.kind == "-I";
        if (is_known && option.what.empty()) option.what = next_word();
        action(std::move(option));
    }
}

/// The identifier that a text begins with; empty if none does.
UPSWEEP_INLINE std::string name_at_beginning(const std::string& text) {
    std::size_t length = 0;
    while (length < text.size() && is_identifier_part(text[length])) ++length;
    return length > 0 && std::isdigit(static_cast<unsigned char>(text[0])) ? std::string() : text.substr(0, length);
}

/// The macros of build options, as a text would define them.
UPSWEEP_INLINE std::string definitions_of_options(const std::string& options) {
    std::string result;
    for_each_build_option(options, [&](build_option option) {
        if (option.kind != "-D") return;
        std::replace(option.what.begin(), option.what.end(), '=', ' '); // the words are what matters
        result.append("#define ").append(option.what) += '\n';
    });
    return result;
}

/// The macros of build options that stand for `return`, by their names in order.
UPSWEEP_INLINE std::vector<std::string> returning_options(const std::string& options) {
    const words_of_text words(definitions_of_options(options));
    std::vector<std::string> names;
    for (const std::string_view name : returning_words(words))
        if (name != "return") names.emplace_back(name);
    return names;
}

/// Begins the name of a macro that a program has for each of `returning_options`.
constexpr const char* returns_macro = "UPSWEEP_RETURNS_";

/// What makes a body return: nothing for statements, `return` for an expression. Build options are known only when a
/// program is built from the text. So where the body ends like statements, each of its words could stand for `return`.
/// @param others  texts that stand before the body
UPSWEEP_INLINE std::string give_text(std::string_view body, const std::vector<std::string_view>& others) {
    const words_of_text words(body, others);
    if (words.includes || finds_return(words)) return {};
    const std::string code = code_of(body);
    const std::size_t last = code.find_last_not_of(white_space);
    std::string conditions;
    if (last != std::string::npos && (code[last] == ';' || code[last] == '}'))
        for (const std::string& word : words.code)
            conditions.append(conditions.empty() ? "#if" : " &&").append(" !defined(" + (returns_macro + word) + ")");
    return conditions.empty() ? "return\n" : conditions + "\nreturn\n#endif\n";
}

/// Rejects build options of the user's that are none, or would change more than the user's own texts.
UPSWEEP_INLINE void check_build_options(const char* function, const std::string& options) {
    const auto refuse = [&](const std::string& cause) { throw error(function, "build_options", cause); };
    for (const char c : options)
        if (static_cast<unsigned char>(c) < ' ' && !std::isspace(static_cast<unsigned char>(c)))
            refuse("the text contains a control character");
    for_each_build_option(options, [&](const build_option& option) {
        const bool is_folder = option.kind == "-I";
        if (!is_folder && option.kind != "-D") refuse("\"" + option.word + "\" is neither -D nor -I");
        if (option.what.empty()) refuse(option.word + " has nothing behind it");
        if (is_folder && option.what[0] == '-') refuse(option.word + " has no folder behind it");
        if (is_folder) return;
        const std::string macro = name_at_beginning(option.what);
        const std::string rest = option.what.substr(macro.size());
        if (macro.empty() || (!rest.empty() && rest[0] != '=' && rest[0] != '('))
            refuse(option.word + " has no name behind it");
        if (is_reserved(macro)) refuse("-D of " + macro + ", a word of the library's kernels");
    });
}

/// Bytes that OpenCL C aligns its widest types to, long16 and double16: what is taken for an alignment that the text
/// does not say in a number. (Where it says `aligned` alone, that is more than compilers take.)
constexpr std::size_t widest_alignment = 128;

/// Bytes that OpenCL C aligns a scalar or a vector of that name to; of other words 1.
UPSWEEP_INLINE std::size_t alignment_of_word(const std::string& word) {
    for (const char* of_64_bits : {"size_t", "ptrdiff_t", "intptr_t", "uintptr_t"})
        if (word == of_64_bits) return 8;
    const numbers_name name = split_numbers_name(word);
    if (name.scalar.empty()) return 1;
    const std::size_t size = size_of_scalar(name.scalar);
    if (name.count == 3) return 4 * size;
    return size * (std::max)(name.count, std::uint32_t{1});
}

/// The number that a text begins with in brackets, such as "(0x10u)"; 0 for anything else, and for binary numbers,
/// which not every C library reads.
UPSWEEP_INLINE std::size_t number_in_brackets(std::string_view text) {
    const auto skip = [&](const char* characters) {
        text.remove_prefix((std::min)(text.find_first_not_of(characters), text.size()));
    };
    skip(" \t\v\f\n");
    if (text.empty() || text[0] != '(') return 0;
    skip(" \t\v\f\n(");
    std::size_t length = 0;
    while (length < text.size() && is_identifier_part(text[length])) ++length;
    const std::string word(text.substr(0, length));
    text.remove_prefix(length);
    skip(" \t\v\f\n");
    if (text.empty() || text[0] != ')') return 0; // an expression
    if (length > 1 && (word[1] == 'b' || word[1] == 'B')) return 0;
    char* end = nullptr;
    const auto number = static_cast<std::size_t>(std::strtoull(word.c_str(), &end, 0)); // 16, 020 or 0x10
    return std::string_view(end).find_first_not_of("uUlL") == std::string_view::npos ? number : 0;
}

/// The alignment that an attribute's or a specifier's name gives, where `rest` stands behind it; 0 of other words.
UPSWEEP_INLINE std::size_t alignment_by_attribute(std::string_view word, std::string_view rest) {
    if (word == "ext_vector_type" || word == "__ext_vector_type__") return widest_alignment;
    if (word != "aligned" && word != "__aligned__" && word != "_Alignas") return 0;
    const std::size_t number = number_in_brackets(rest);
    return is_power_of_two(number) ? number : widest_alignment;
}

/// What a device aligns a type to at most, in bytes, as far as the type's text tells: the host may align it to less.
/// More than the device does costs memory, less is refused (type_in_flagged). So attributes count whatever they are of,
/// and no struct counts as packed.
UPSWEEP_INLINE std::size_t alignment_on_device(const type_text& type) {
    const std::string code = code_of(type.name + "\n" + type.definition);
    std::size_t alignment = code.find("##") == std::string::npos ? 1 : widest_alignment; // else words are pasted
    for (std::size_t begin = 0, end = 0; begin < code.size(); begin = end + 1) {
        for (end = begin; end < code.size() && is_identifier_part(code[end]);) ++end;
        const std::string word = code.substr(begin, end - begin);
        const std::size_t given = alignment_by_attribute(word, std::string_view(code).substr(end));
        alignment = (std::max)({alignment, given, alignment_of_word(word)});
    }
    while (alignment > 1 && type.size % alignment != 0) alignment /= 2; // else the size is wrong, too
    return alignment;
}

} // namespace upsweep::detail
