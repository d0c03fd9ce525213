// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/tuning_entry.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The text of tuning files, read and written; tuning_file.hpp says what it looks like.
namespace upsweep::detail {

constexpr const char* tuning_file_head = "upsweep tuning 1";

constexpr auto names_of(operation) {
    std::array<const char*, std::size(operation_records)> names{};
    for (const operation_record& record : operation_records) names[static_cast<std::size_t>(record.op)] = record.name;
    return names;
}
constexpr auto names_of(operator_kind) {
    return std::array{"exact", "ordered"};
}

/// Reads a number that is all of `text`, of digits only.
UPSWEEP_INLINE bool read_digits(std::string_view text, std::uint32_t& number) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return false;
    std::uint64_t value = 0;
    for (const char c : text) {
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
        if (value > 0xffffffffU) return false;
    }
    number = static_cast<std::uint32_t>(value);
    return true;
}

// How each kind of field is read and written. `read_field` returns what the text must be instead; empty if it is right.

UPSWEEP_INLINE std::string read_field(const std::string& text, std::string& field) {
    field = text;
    return {};
}
UPSWEEP_INLINE std::string read_field(const std::string& text, std::uint32_t& field) {
    return read_digits(text, field) && field != 0 ? "" : "a whole number from 1 to 4294967295";
}
UPSWEEP_INLINE std::string read_field(const std::string& text, double& field) {
    const bool plain = text.find_first_not_of("0123456789.") == std::string::npos;
    std::string local = text; // as the process's locale writes it, which strtod reads
    const std::size_t point = local.find('.');
    if (point != std::string::npos) local.replace(point, 1, std::localeconv()->decimal_point);
    char* end = nullptr;
    field = std::strtod(local.c_str(), &end);
    const bool whole = !local.empty() && end == local.c_str() + local.size();
    return plain && whole && field <= (std::numeric_limits<double>::max)() ? "" : "a number such as 12.5";
}
UPSWEEP_INLINE std::string read_field(const std::string& text, bool& field) {
    field = text == "true";
    return field || text == "false" ? "" : "true or false";
}
UPSWEEP_INLINE std::string read_field(const std::string& text, size_range& field) {
    const std::string_view all = text;
    const std::size_t dots = text.find("..2^");
    const bool both = all.substr(0, 2) == "2^" && dots != std::string::npos &&
                      read_digits(all.substr(2, dots - 2), field.from) && read_digits(all.substr(dots + 4), field.to);
    return both && field.from < field.to && field.to <= 64 ? "" : "a range such as 2^16..2^20, up to 2^64";
}
/// A name of an enumeration's values but `automatic`: such a field is left out.
template <class Enum, class = std::enable_if_t<std::is_enum<Enum>::value>>
std::string read_field(const std::string& text, Enum& field) {
    const auto names = names_of(field);
    const auto found = std::find(names.begin(), names.end(), std::string_view(text));
    field = static_cast<Enum>(found - names.begin());
    if (found != names.end() && text != "automatic") return {};
    std::string known;
    for (const std::string_view name : names)
        if (name != "automatic") known.append(known.empty() ? "one of " : ", ").append(name);
    return known;
}

/// In quotation marks, with a backslash before those that it contains.
UPSWEEP_INLINE std::string quoted_field(const std::string& field) {
    std::string text = "\"";
    for (const char c : field) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

/// A number with two decimals, whatever the process's locale.
UPSWEEP_INLINE std::string decimal_field(double field) {
    char text[400]; // enough for the largest
    std::snprintf(text, sizeof text, "%.2f", field);
    std::string plain = text;
    const std::string point = std::localeconv()->decimal_point;
    return plain.replace(plain.find(point), point.size(), ".");
}

template <class Field>
std::string text_of_field(const Field& field) {
    if constexpr (std::is_enum<Field>::value)
        return name_of(field);
    else if constexpr (std::is_same<Field, size_range>::value)
        return "2^" + std::to_string(field.from) + "..2^" + std::to_string(field.to);
    else if constexpr (std::is_same<Field, std::string>::value)
        return quoted_field(field);
    else if constexpr (std::is_same<Field, bool>::value)
        return field ? "true" : "false";
    else if constexpr (std::is_same<Field, double>::value)
        return decimal_field(field);
    else
        return std::to_string(field);
}

/// Reads one line. Every function throws the error that names the place.
template <class>
class tuning_line {
public:
    UPSWEEP_INLINE tuning_line(std::string place, std::string_view text)
        : place_(std::move(place))
        , rest_(text) {}

    [[noreturn]] void refuse(const std::string& cause) const { throw error("load_tuning", place_, cause); }

    UPSWEEP_INLINE tuning_entry entry() {
        std::vector<field_text> given = split();
        tuning_entry e;
        e.place = place_;
        for_each_field([&](const char* name, auto get, bool required) {
            const auto found = find(given, name);
            if (found == given.end() && required) refuse(std::string(name) + " is missing");
            if (found == given.end()) return;
            const std::string must_be = read_field(found->value, get(e));
            if (!must_be.empty()) refuse(found->name + "=" + found->value + ": must be " + must_be);
            given.erase(found);
        });
        if (!given.empty()) refuse("unknown field \"" + given.front().name + '"');
        if (e.choices == options{}) refuse("no choice: strategy, algorithm, work_items, items, ...");
        return e;
    }

private:
    struct field_text {
        std::string name;
        std::string value;
    };

    UPSWEEP_INLINE static auto find(std::vector<field_text>& fields, const std::string& name) {
        return std::find_if(fields.begin(), fields.end(), [&](const field_text& f) { return f.name == name; });
    }

    /// The fields as text.
    UPSWEEP_INLINE std::vector<field_text> split() {
        std::vector<field_text> fields;
        skip_spaces();
        while (!rest_.empty()) {
            const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
            const std::size_t equals = word.find('=');
            if (equals == 0 || equals == std::string_view::npos)
                refuse("\"" + std::string(word) + "\" is no field: name=value, without spaces around the =");
            const std::string name(word.substr(0, equals));
            rest_.remove_prefix(equals + 1);
            field_text field{name, value(name)};
            if (find(fields, name) != fields.end()) refuse("field \"" + name + "\" is given twice");
            fields.push_back(std::move(field));
            skip_spaces();
        }
        return fields;
    }

    UPSWEEP_INLINE std::string value(const std::string& name) {
        if (rest_.empty() || rest_.front() != '"') {
            std::string word(rest_.substr(0, rest_.find_first_of(" \t")));
            if (word.find('"') != std::string::npos) refuse(name + ": a quotation mark within a value without any");
            rest_.remove_prefix(word.size());
            if (word.empty()) refuse(name + ": no value");
            return word;
        }
        std::string text;
        for (std::size_t i = 1; i < rest_.size(); ++i) {
            if (rest_[i] == '"') {
                rest_.remove_prefix(i + 1);
                if (text.empty()) refuse(name + ": no value");
                if (!rest_.empty() && rest_.front() != ' ' && rest_.front() != '\t')
                    refuse(name + ": text follows the closing quotation mark");
                return text;
            }
            if (rest_[i] == '\\' && ++i == rest_.size()) break;
            text += rest_[i];
        }
        refuse(name + ": the closing quotation mark is missing");
    }

    void skip_spaces() { rest_.remove_prefix((std::min)(rest_.find_first_not_of(" \t"), rest_.size())); }

    std::string place_;
    std::string_view rest_;
};

/// What is in a stream. A template, so that only a program that calls it needs <istream>, which costs a compiler.
template <class Stream>
std::string lines_of(Stream& in, const std::string& name) {
    std::string text;
    for (std::string line; std::getline(in, line);) text.append(line) += '\n';
    if (in.bad()) throw error("load_tuning", name, "cannot be read");
    return text;
}

/// Shared, because a call may still use an entry that another thread has unloaded.
using tuning_entries = std::vector<std::shared_ptr<const tuning_entry>>;

/// All entries of a file. `name` is what errors call it.
UPSWEEP_INLINE tuning_entries read_tuning(std::string_view text, const std::string& name) {
    tuning_entries entries;
    bool has_head = false;
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = (std::min)(text.find('\n'), text.size());
        std::string line(text.substr(0, end));
        text.remove_prefix((std::min)(end + 1, text.size()));
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.find_first_not_of(" \t") == std::string::npos || line.front() == '#') continue;
        const bool is_head = line == tuning_file_head;
        tuning_line<UPSWEEP_LATER> reader(name + ':' + std::to_string(number), line);
        if (!has_head && !is_head)
            reader.refuse("\"" + line.substr(0, 80) + "\" where \"" + tuning_file_head +
                          "\" is expected: no tuning file, or one of another version");
        has_head = true;
        if (!is_head) // files may be joined, so that heads follow
            entries.push_back(std::make_shared<const tuning_entry>(reader.entry()));
    }
    if (!has_head) throw error("load_tuning", name, std::string("has no line \"") + tuning_file_head + '"');
    return entries;
}

/// An entry as a line of a tuning file, without its end. What is left open is left out.
UPSWEEP_INLINE std::string to_line(const tuning_entry& e) {
    std::string line;
    const tuning_entry open;
    for_each_field([&](const char* name, auto get, bool required) {
        if (!required && get(e) == get(open)) return;
        line.append(line.empty() ? "" : " ").append(name).append("=").append(text_of_field(get(e)));
    });
    return line;
}

} // namespace upsweep::detail
