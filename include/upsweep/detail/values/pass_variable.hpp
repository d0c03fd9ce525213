// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::detail {

/// A variable that a program's functions may mention as if it were a global one, which OpenCL C does not have. By its
/// name they have a pointer to it: handed on by value, Intel's CPU runtime got one of 72 bytes wrong.
struct passed_variable {
    std::string type;
    std::string name;
    std::string of_kernel; ///< what it begins with in a kernel whose parameters mention one of `kernel_parameters`
    std::string of_other;  ///< in any other kernel
    std::vector<std::string> kernel_parameters;
};

/// What begins the mark before a text that passing a variable on leaves as it is; its length follows.
inline constexpr std::string_view as_it_is_mark = "/*upsweep as it is: ";

/// A text with that mark. What a user wrote need not be read then, which takes more than balanced brackets: one may
/// stand in a branch of a conditional that is not taken, or in both branches, and lines may be joined in several ways.
/// Nothing in it can end it early, because its length is known. It mentions the variable nowhere.
/// @param text  begins a line: with `#line`, so that build logs do not count the mark's own
UPSWEEP_INLINE std::string as_it_is(const std::string& text) {
    return std::string(as_it_is_mark).append(std::to_string(text.size())).append("*/\n").append(text);
}

/// Makes the pointer a parameter of each function that mentions it, or calls one that does, and the variable one of
/// each such kernel. Pure; the text, but for parts that stay as they are, is OpenCL C whose brackets are balanced in
/// each branch of a conditional.
template <class>
class variable_passing {
public:
    UPSWEEP_INLINE variable_passing(const std::string& text, const passed_variable& variable)
        : text_(text)
        , variable_(variable) {
        read_tokens();
        read_units();
        find_users();
    }

    UPSWEEP_INLINE std::string result() const {
        std::string out;
        std::size_t from = 0;
        const std::vector<std::string> inserted = insertions();
        for (std::size_t t = 0; t < tokens_.size(); ++t) {
            if (inserted[t].empty()) continue;
            out.append(text_, from, tokens_[t].end - from).append(inserted[t]);
            from = tokens_[t].end;
        }
        return out.append(text_, from, std::string::npos);
    }

private:
    struct token {
        std::size_t begin, end;
    };
    /// A function, kernel, prototype, macro or another declaration: tokens from `first` up to `last`.
    struct unit {
        std::size_t first, last;
        std::size_t name; ///< the token; `last`: there is none
        std::size_t body; ///< the token behind the bracket that opens it; `last`: there is none
        bool is_macro, is_kernel;
    };

    UPSWEEP_INLINE std::string_view word(std::size_t t) const {
        return t < tokens_.size() ? std::string_view(text_).substr(tokens_[t].begin, tokens_[t].end - tokens_[t].begin)
                                  : std::string_view();
    }
    static bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

    /// Where a line ends, with those that a backslash joins to it.
    UPSWEEP_INLINE std::size_t end_of_line(std::size_t at) const {
        while (at < text_.size() && (text_[at] != '\n' || text_[at - 1] == '\\')) ++at;
        return at;
    }
    UPSWEEP_INLINE std::size_t end_of_literal(std::size_t at) const {
        const char quote = text_[at++];
        while (at < text_.size() && text_[at] != quote) at += text_[at] == '\\' ? 2 : 1;
        return at + 1;
    }

    /// Where a text ends of which the length is at `at`.
    UPSWEEP_INLINE std::size_t end_of_marked(std::size_t at) const {
        std::size_t length = 0;
        for (; at < text_.size() && text_[at] != '*'; ++at)
            length = length * 10 + static_cast<std::size_t>(text_[at] - '0');
        at += std::string_view("*/\n").size();
        return at + (std::min)(length, text_.size() - (std::min)(at, text_.size()));
    }

    /// Words and brackets, without comments, literals and directives; of a macro its name and what it stands for, which
    /// is a unit.
    UPSWEEP_INLINE void read_tokens() {
        std::size_t macro_end = 0, macro_first = 0;
        for (std::size_t at = 0; at < text_.size();) {
            if (macro_end > 0 && at >= macro_end) {
                macros_.push_back({macro_first, tokens_.size(), macro_first, tokens_.size(), true, false});
                macro_end = 0;
            }
            const char c = text_[at];
            if (text_.compare(at, 2, "//") == 0) {
                at = end_of_line(at);
            } else if (text_.compare(at, as_it_is_mark.size(), as_it_is_mark) == 0) {
                at = end_of_marked(at + as_it_is_mark.size());
            } else if (text_.compare(at, 2, "/*") == 0) {
                at = text_.find("*/", at + 2) + 2;
            } else if (c == '"' || c == '\'') {
                at = end_of_literal(at);
            } else if (c == '#' && macro_end == 0) {
                const std::size_t end = end_of_line(at);
                if (text_.compare(at, 8, "#define ") == 0) {
                    macro_end = end;
                    macro_first = tokens_.size();
                    at += 8;
                } else {
                    at = end;
                }
            } else if (is_part(c)) {
                std::size_t end = at;
                while (end < text_.size() && is_part(text_[end])) ++end;
                tokens_.push_back({at, end});
                at = end;
            } else {
                if (std::string_view("(){};").find(c) != std::string_view::npos) tokens_.push_back({at, at + 1});
                ++at;
            }
        }
        if (macro_end > 0) macros_.push_back({macro_first, tokens_.size(), macro_first, tokens_.size(), true, false});
    }

    /// Cuts what is no macro where a declaration ends.
    UPSWEEP_INLINE void read_units() {
        std::size_t next_macro = 0, depth = 0;
        unit now{0, 0, npos, npos, false, false};
        for (std::size_t t = 0; t < tokens_.size(); ++t) {
            if (next_macro < macros_.size() && macros_[next_macro].first == t) {
                t = macros_[next_macro++].last - 1;
                if (depth == 0) now.first = t + 1;
                continue;
            }
            const std::string_view w = word(t);
            if (depth == 0 && w == "(" && t > now.first) now.name = t - 1;
            if (depth == 0 && w == "{" && now.name != npos) now.body = t + 1;
            if (w == "UPSWEEP_KERNEL" || w == "__kernel") now.is_kernel = true;
            if (w == "(" || w == "{") ++depth;
            if (w == ")" || w == "}") --depth;
            if (depth > 0 || (w != ";" && w != "}")) continue;
            now.last = t + 1;
            units_.push_back(now);
            now = {t + 1, 0, npos, npos, false, false};
        }
        append_all(units_, macros_);
    }

    /// The functions and macros that mention the variable, or one another.
    UPSWEEP_INLINE void find_users() {
        std::vector<std::string_view> mentioned{variable_.name};
        for (bool grows = true; grows;) {
            grows = false;
            for (const unit& u : units_) {
                if (u.name == npos || is_among(mentioned, word(u.name))) continue;
                bool uses = false;
                for (std::size_t t = u.name + 1; t < u.last; ++t) uses = uses || is_among(mentioned, word(t));
                if (!uses) continue;
                mentioned.push_back(word(u.name));
                if (!u.is_macro) users_.push_back(word(u.name));
                grows = true;
            }
        }
    }

    /// The text that is put behind each token.
    UPSWEEP_INLINE std::vector<std::string> insertions() const {
        std::vector<unsigned char> is_header(tokens_.size()); // 0 or 1; one type of vectors less than of bool
        std::vector<std::string> all(tokens_.size());
        for (const unit& u : units_) {
            if (u.is_macro || u.name == npos || !is_among(users_, word(u.name))) continue;
            is_header[u.name] = 1;
            if (u.is_kernel && u.body != npos) all[u.body - 1] = " " + declaration_in(u);
        }
        for (std::size_t t = 0; t + 1 < tokens_.size(); ++t) {
            if (word(t + 1) != "(" || !is_among(users_, word(t)) || is_kernel_name(t)) continue;
            const bool is_empty = word(t + 2) == ")";
            const std::string given =
                is_header[t] != 0 ? "const " + variable_.type + "* " + variable_.name : variable_.name;
            all[t + 1] = given + (is_empty && is_without_text(t + 1) ? "" : ", ");
        }
        return all;
    }

    /// Whether nothing but blanks stands between two brackets.
    UPSWEEP_INLINE bool is_without_text(std::size_t opening) const {
        for (std::size_t at = tokens_[opening].end; at < tokens_[opening + 1].begin; ++at)
            if (text_[at] != ' ') return false;
        return true;
    }
    UPSWEEP_INLINE bool is_kernel_name(std::size_t t) const {
        for (const unit& u : units_)
            if (u.is_kernel && u.name == t) return true;
        return false;
    }
    UPSWEEP_INLINE std::string declaration_in(const unit& kernel) const {
        bool is_given = false;
        for (std::size_t t = kernel.name; t < kernel.body; ++t)
            for (const std::string& parameter : variable_.kernel_parameters)
                is_given = is_given || word(t) == parameter;
        const std::string value = is_given ? variable_.of_kernel : variable_.of_other;
        return "const " + variable_.type + " " + variable_.name + "_here = " + value + "; const " + variable_.type +
               "* " + variable_.name + " = &" + variable_.name + "_here;";
    }

    static constexpr std::size_t npos = static_cast<std::size_t>(-1);

    const std::string& text_;
    const passed_variable& variable_;
    std::vector<token> tokens_;
    std::vector<unit> units_, macros_;
    std::vector<std::string_view> users_;
};

/// The text with the variable passed on.
UPSWEEP_INLINE std::string pass_variable(const std::string& text, const passed_variable& variable) {
    return variable_passing<UPSWEEP_LATER>(text, variable).result();
}

} // namespace upsweep::detail
