// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/kernels.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::detail {

// What the user writes in OpenCL C is pasted into the middle of a program. Text that is whole in itself cannot change
// the meaning of what stands around it; whether it compiles is the compiler's business.

UPSWEEP_INLINE bool is_identifier_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Whether `word` stands in `text` as an identifier of its own.
UPSWEEP_INLINE bool mentions(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_identifier_part(text[at - 1])) && (end == text.size() || !is_identifier_part(text[end])))
            return true;
    }
    return false;
}

/// A line as the preprocessor sees it, without comments and the insides of literals. One that has no end leaves its
/// opening quote behind.
struct code_line {
    std::size_t number = 0; ///< of the line of text that it begins in
    std::string code;
};

/// What may stand between a backslash and the end of the line that it joins with the next one.
constexpr const char* blanks_before_joint = " \t\v\f";

/// Splits text into lines of code, the way a preprocessor does: lines that end in a backslash are joined, then comments
/// count as a space, so that a line break inside one ends no directive. Lines end with LF, CR LF or, as old files have
/// it, CR: clang takes each for an end.
class line_reader {
public:
    UPSWEEP_INLINE explicit line_reader(std::string_view text)
        : text_(text) {}

    /// False at the end of the text.
    UPSWEEP_INLINE bool next(code_line& line) {
        if (peek() == end) return false;
        line = {number_, {}};
        for (int c = get(); c != end && c != '\n'; c = get()) {
            if (c == '/' && peek() == '/') {
                while (peek() != '\n' && peek() != end) get();
            } else if (c == '/' && peek() == '*') {
                skip_comment();
                line.code += ' ';
            } else if (c == '"' || c == '\'') {
                line.code += skip_literal(c) ? ' ' : static_cast<char>(c);
            } else {
                line.code += meant_by(static_cast<char>(c));
            }
        }
        return true;
    }

    /// The line in which a comment begins that never ends; 0 if there is none.
    std::size_t open_comment() const { return open_comment_; }

private:
    static constexpr int end = -1;

    /// The character at the reading position, after skipping joints of lines; `\n` for any end of a line.
    UPSWEEP_INLINE int peek() {
        while (at_ < text_.size() && text_[at_] == '\\') {
            const std::size_t after = text_.find_first_not_of(blanks_before_joint, at_ + 1);
            if (after == std::string_view::npos || !is_line_end(text_[after])) break;
            const bool is_pair =
                after + 1 < text_.size() && is_line_end(text_[after + 1]) && text_[after + 1] != text_[after];
            at_ = after + (is_pair ? 2 : 1);
            ++number_;
        }
        if (at_ == text_.size()) return end;
        return is_line_end(text_[at_]) ? '\n' : static_cast<unsigned char>(text_[at_]);
    }
    UPSWEEP_INLINE int get() {
        const int c = peek();
        if (c == '\n') {
            at_ += text_.compare(at_, 2, "\r\n") == 0 ? 2U : 1U;
            ++number_;
        } else if (c != end) {
            ++at_;
        }
        return c;
    }
    static bool is_line_end(char c) { return c == '\n' || c == '\r'; }
    /// The character that C means by `c` and the one that follows it: %: is #, for one.
    UPSWEEP_INLINE char meant_by(char c) {
        for (const char* pair : {"%:#", "<%{", "%>}", "<:[", ":>]"})
            if (c == pair[0] && peek() == pair[1]) {
                get();
                return pair[2];
            }
        return c;
    }
    UPSWEEP_INLINE void skip_comment() {
        const std::size_t begin = number_;
        get();
        for (int c = get(); c != end; c = get())
            if (c == '*' && peek() == '/') {
                get();
                return;
            }
        open_comment_ = begin;
    }
    UPSWEEP_INLINE bool skip_literal(int quote) {
        while (peek() != '\n' && peek() != end) {
            const int c = get();
            if (c == quote) return true;
            if (c == '\\' && peek() != '\n' && peek() != end) get();
        }
        return false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t number_ = 1;
    std::size_t open_comment_ = 0;
};

/// A text without its comments and the insides of its literals.
UPSWEEP_INLINE std::string code_of(std::string_view text) {
    std::string code;
    line_reader reader(text);
    for (code_line line; reader.next(line);) code.append(line.code) += '\n';
    return code;
}

/// Whether the kernels' own code uses `word`, which a macro of that name would change.
UPSWEEP_INLINE bool kernels_use(std::string_view word) {
    static const auto* const code = [] {                         // never destroyed: used at exit, perhaps
        auto* const lines = new std::string("smallest largest"); // members of extrema, which operators and hooks name
        for (const char* type :
             {"bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"})
            for (const char* width : {"", "2", "3", "4", "8", "16"}) lines->append(" ").append(type).append(width);
        for (const kernel_file& kernel : kernels::all) lines->append("\n").append(code_of(kernel.text));
        return lines;
    }();
    return mentions(*code, word);
}

/// Whether a macro of that name would change the kernels. Those that prelude.cl offers to tests, which make tiles
/// silent or change their order, may be defined.
UPSWEEP_INLINE bool is_reserved(const std::string& macro) {
    const auto begins = [&](std::string_view part) { return macro.compare(0, part.size(), part) == 0; };
    if (begins("UPSWEEP_SILENT_") || macro == "UPSWEEP_TILE_ORDER") return false;
    return begins("upsweep_") || begins("UPSWEEP_") || kernels_use(macro);
}

/// Finds what in a text would reach beyond its end, or out of its place.
template <class>
class text_checker {
public:
    /// What is wrong, with the line where; empty if nothing is.
    UPSWEEP_INLINE std::string problem_of(std::string_view text) {
        for (const char c : text)
            if (static_cast<unsigned char>(c) < ' ' && std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos)
                return c == '\0' ? "the text contains a null character" : "the text contains a control character";
        for (const char* trigraph : {"?\?=", "?\?/"}) // # and a backslash, to compilers that still know them
            if (text.find(trigraph) != std::string_view::npos) return "the text contains a trigraph";
        const std::size_t last = text.find_last_not_of(" \t\v\f\r");
        if (last != std::string_view::npos && text[last] == '\\')
            return "the text ends in a backslash, which would join the line after it";
        line_reader reader(text);
        for (code_line line; problem_.empty() && reader.next(line);) check_status(line);
        if (!problem_.empty()) return problem_;
        if (reader.open_comment() > 0) return at(reader.open_comment(), "a comment never ends");
        if (!conditionals_.empty()) return at(conditionals_.back().line, "a conditional has no #endif");
        if (judged_ && !open_.empty()) return at(open_.back().line, quoted(open_.back().opener) + " is never closed");
        return {};
    }

private:
    struct bracket {
        char opener;
        std::size_t line;
    };
    struct conditional {
        std::size_t line;
        std::size_t open; ///< brackets that were open before it
    };

    UPSWEEP_INLINE static std::string at(std::size_t line, const std::string& what) {
        return "line " + std::to_string(line) + ": " + what;
    }
    static std::string quoted(char c) { return {'\'', c, '\''}; }

    UPSWEEP_INLINE void check_status(const code_line& line) {
        const std::size_t first = line.code.find_first_not_of(" \t\v\f\r");
        if (first == std::string::npos) return;
        check_meetings(line);
        if (line.code[first] == '#') return check_directive(line, line.code.substr(first + 1));
        // What a condition leaves out need not be code.
        if (conditionals_.empty() && line.code.find_first_of("\"'") != std::string::npos)
            problem_ = at(line.number, "a string or character literal never ends");
        for (const char c : line.code) check_bracket(c, line.number);
    }

    /// Not all work-items run the text, and not equally often: where one waits for the others there, it waits for ever.
    UPSWEEP_INLINE void check_meetings(const code_line& line) {
        const std::string_view code = line.code;
        for (std::size_t begin = 0, end = 0; begin < code.size(); begin = end + 1) {
            for (end = begin; end < code.size() && is_identifier_part(code[end]);) ++end;
            if (begin == end) continue;
            const std::string_view word = code.substr(begin, end - begin);
            const std::size_t next = code.find_first_not_of(" \t", end);
            if (is_meeting(word, next < code.size() && code[next] == '('))
                problem_ = at(line.number, std::string(word) + ": work-items do not run the text together");
        }
    }
    UPSWEEP_INLINE static bool is_meeting(std::string_view word, bool is_call) {
        for (const char* name : {"barrier", "work_group_barrier", "sub_group_barrier", "wait_group_events"})
            if (word == name) return true;
        for (const char* begin : {"work_group_", "sub_group_", "intel_sub_group_", "async_work_group_"})
            if (is_call && word.rfind(begin, 0) == 0) return true;
        return false;
    }

    UPSWEEP_INLINE void check_directive(const code_line& line, const std::string& directive) {
        std::size_t begin = 0;
        const auto word = [&] {
            while (begin < directive.size() && !is_identifier_part(directive[begin])) ++begin;
            const std::size_t from = begin;
            while (begin < directive.size() && is_identifier_part(directive[begin])) ++begin;
            return directive.substr(from, begin - from);
        };
        const std::string name = word();
        const bool ends = name == "endif";
        if (name == "if" || name == "ifdef" || name == "ifndef") {
            conditionals_.push_back({line.number, open_.size()});
        } else if (ends || name == "else" || name == "elif") {
            if (conditionals_.empty()) {
                problem_ = at(line.number, "#" + name + " without #if");
                return;
            }
            if (open_.size() != conditionals_.back().open) judged_ = false;
            if (ends) conditionals_.pop_back();
        } else if (name == "define" || name == "undef") {
            const std::string macro = word();
            if (is_reserved(macro))
                problem_ = at(line.number, "#" + name + " of " + macro + ", a word of the library's kernels");
            long balance = 0;
            for (const char c : directive)
                balance += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
            if (balance != 0) judged_ = false;
        }
    }

    /// Brackets that depend on a condition or hide in a macro are left to the compiler: then none are judged.
    UPSWEEP_INLINE void check_bracket(char c, std::size_t line) {
        if (!judged_ || !problem_.empty()) return;
        if (c == '(' || c == '[' || c == '{') open_.push_back({c, line});
        if (conditionals_.empty() && open_.size() > deepest)
            problem_ = at(line, "brackets nest more than " + std::to_string(deepest) + " deep");
        if (c != ')' && c != ']' && c != '}') return;
        if (!conditionals_.empty() && open_.size() == conditionals_.back().open) {
            judged_ = false;
        } else if (open_.empty()) {
            problem_ = at(line, quoted(c) + " closes nothing");
        } else {
            const char opener = open_.back().opener;
            if (c != (opener == '(' ? ')' : opener == '[' ? ']' : '}'))
                problem_ =
                    at(line, quoted(c) + " closes " + quoted(opener) + " of line " + std::to_string(open_.back().line));
            open_.pop_back();
        }
    }

    /// Clang's own limit (-fbracket-depth), with which most OpenCL compilers say so; Intel's dies of it.
    static constexpr std::size_t deepest = 256;

    std::vector<bracket> open_;
    std::vector<conditional> conditionals_;
    bool judged_ = true;
    std::string problem_;
};

/// Rejects text that would not stay within itself.
/// @param part  what to call it, as build logs do: "operator", "helpers", "type"
UPSWEEP_INLINE void check_whole(const char* function, const std::string& argument, const char* part,
                                std::string_view text) {
    const std::string problem = text_checker<UPSWEEP_LATER>().problem_of(text);
    if (!problem.empty()) throw error(function, argument, std::string(part) + ": " + problem);
}

} // namespace upsweep::detail
