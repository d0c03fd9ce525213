#pragma once

#include <upsweep/detail/tuning/tuning_entry.hpp>
#include <upsweep/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <iomanip>
#include <istream>
#include <iterator>
#include <locale>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

/// The text of tuning files, read and written; tuning_file.hpp says what it looks like.
namespace upsweep::detail {

constexpr const char* tuning_file_head = "upsweep tuning 1";

inline const char* to_string(operator_kind kind) {
    return kind == operator_kind::exact ? "exact" : "ordered";
}

/// What a field of an enumeration may say, by `to_string`. `automatic` is not among them: such a field is left out.
constexpr auto words(operation) {
    std::array<operation, std::size(operation_records)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = operation_records[i].op;
    return all;
}
constexpr auto words(operator_kind) {
    return std::array{operator_kind::exact, operator_kind::ordered};
}
constexpr auto words(strategy) {
    return std::array{strategy::single_tile, strategy::scan_then_propagate, strategy::reduce_then_scan,
                      strategy::look_back, strategy::chunked};
}
constexpr auto words(tile_algorithm) {
    return std::array{tile_algorithm::blelloch, tile_algorithm::hillis_steele, tile_algorithm::sub_group,
                      tile_algorithm::brent_kung};
}
constexpr auto words(tree_reduce) {
    return std::array{tree_reduce::interleaved, tree_reduce::compacted, tree_reduce::sequential, tree_reduce::serial};
}
constexpr auto words(tile_loading) {
    return std::array{tile_loading::direct, tile_loading::staged};
}

/// Reads one line. Every function throws the error that names the place.
class tuning_line {
public:
    tuning_line(std::string place, std::string_view text)
        : place_(std::move(place))
        , rest_(text) {}

    [[noreturn]] void refuse(const std::string& cause) const { throw error("load_tuning", place_, cause); }

    tuning_entry entry() {
        std::map<std::string, std::string> given = split();
        tuning_entry e;
        e.place = place_;
        for_each_field(e, [&](const char* name, auto& field, bool required) {
            const auto found = given.find(name);
            if (found == given.end()) {
                if (required) refuse(std::string(name) + " is missing");
                return;
            }
            read(name, found->second, field);
            given.erase(found);
        });
        if (!given.empty()) refuse("unknown field \"" + given.begin()->first + '"');
        if (e.choices == options{}) refuse("no choice: strategy, algorithm, work_items, items, ...");
        return e;
    }

private:
    /// The fields as text.
    std::map<std::string, std::string> split() {
        std::map<std::string, std::string> fields;
        skip_spaces();
        while (!rest_.empty()) {
            const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
            const std::size_t equals = word.find('=');
            if (equals == 0 || equals == std::string_view::npos)
                refuse("\"" + std::string(word) + "\" is no field: name=value, without spaces around the =");
            const std::string name(word.substr(0, equals));
            rest_.remove_prefix(equals + 1);
            if (!fields.emplace(name, value(name)).second) refuse("field \"" + name + "\" is given twice");
            skip_spaces();
        }
        return fields;
    }

    std::string value(const std::string& name) {
        if (rest_.empty() || rest_.front() != '"') {
            const std::string word(rest_.substr(0, rest_.find_first_of(" \t")));
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

    void read(const char*, const std::string& text, std::string& field) const { field = text; }
    void read(const char* name, const std::string& text, std::uint32_t& field) const {
        const char* const end = text.data() + text.size();
        const auto result = std::from_chars(text.data(), end, field);
        if (result.ec != std::errc() || result.ptr != end || field == 0)
            refuse(std::string(name) + "=" + text + ": must be a whole number from 1 to 4294967295");
    }
    void read(const char* name, const std::string& text, double& field) const {
        std::istringstream in(text);
        in.imbue(std::locale::classic());
        const bool plain = text.find_first_not_of("0123456789.") == std::string::npos;
        if (!plain || !(in >> field) || in.peek() != std::istringstream::traits_type::eof())
            refuse(std::string(name) + "=" + text + ": must be a number such as 12.5");
    }
    void read(const char* name, const std::string& text, bool& field) const {
        if (text != "true" && text != "false") refuse(std::string(name) + "=" + text + ": must be true or false");
        field = text == "true";
    }
    void read(const char* name, const std::string& text, size_range& field) const {
        const std::size_t dots = text.find("..");
        const bool both = dots != std::string::npos && exponent(text.substr(0, dots), field.from) &&
                          exponent(text.substr(dots + 2), field.to);
        if (!both || field.from >= field.to || field.to > 64)
            refuse(std::string(name) + "=" + text + ": must be a range such as 2^16..2^20, up to 2^64");
    }
    template <class Enum>
    std::enable_if_t<std::is_enum<Enum>::value> read(const char* name, const std::string& text, Enum& field) const {
        std::string known;
        for (const Enum word : words(field)) {
            if (text == to_string(word)) {
                field = word;
                return;
            }
            known += (known.empty() ? "" : ", ") + std::string(to_string(word));
        }
        refuse(std::string(name) + "=" + text + ": must be one of " + known);
    }

    static bool exponent(const std::string& text, std::uint32_t& field) {
        if (text.compare(0, 2, "2^") != 0) return false;
        const char* const end = text.data() + text.size();
        const auto result = std::from_chars(text.data() + 2, end, field);
        return result.ec == std::errc() && result.ptr == end;
    }

    std::string place_;
    std::string_view rest_;
};

/// All entries of a file. `name` is what errors call it.
inline std::vector<tuning_entry> read_tuning(std::istream& in, const std::string& name) {
    std::vector<tuning_entry> entries;
    bool has_head = false;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.find_first_not_of(" \t") == std::string::npos || line.front() == '#') continue;
        const bool is_head = line == tuning_file_head;
        tuning_line reader(name + ':' + std::to_string(number), line);
        if (!has_head && !is_head)
            reader.refuse("\"" + line.substr(0, 80) + "\" where \"" + tuning_file_head +
                          "\" is expected: no tuning file, or one of another version");
        has_head = true;
        if (!is_head) entries.push_back(reader.entry()); // files may be joined, so that heads follow
    }
    if (in.bad()) throw error("load_tuning", name, "cannot be read");
    if (!has_head) throw error("load_tuning", name, std::string("has no line \"") + tuning_file_head + '"');
    return entries;
}

inline void write_field(std::ostream& out, const std::string& text) {
    out << '"';
    for (const char c : text) out << (c == '"' || c == '\\' ? "\\" : "") << c;
    out << '"';
}
inline void write_field(std::ostream& out, bool value) {
    out << (value ? "true" : "false");
}
inline void write_field(std::ostream& out, size_range n) {
    out << "2^" << n.from << "..2^" << n.to;
}
template <class Enum>
std::enable_if_t<std::is_enum<Enum>::value> write_field(std::ostream& out, Enum value) {
    out << to_string(value);
}
template <class Number>
std::enable_if_t<std::is_arithmetic<Number>::value> write_field(std::ostream& out, Number value) {
    out << value;
}

inline bool is_open(const std::string& text) {
    return text.empty();
}
inline bool is_open(bool bank_padding) {
    return bank_padding;
}
inline bool is_open(size_range) {
    return false;
}
/// Numbers, and enumerations, whose first value is `automatic`.
template <class Value>
std::enable_if_t<std::is_enum<Value>::value || std::is_arithmetic<Value>::value, bool> is_open(Value value) {
    return value == Value{};
}

/// An entry as a line of a tuning file, without its end. What is left open is left out.
inline std::string to_line(const tuning_entry& e) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << std::fixed << std::setprecision(2);
    for_each_field(e, [&](const char* name, const auto& field, bool required) {
        if (!required && is_open(field)) return;
        out << (out.tellp() > 0 ? " " : "") << name << '=';
        write_field(out, field);
    });
    return out.str();
}

} // namespace upsweep::detail
