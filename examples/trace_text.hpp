// SPDX-License-Identifier: MIT
// Prints a recording as the textbooks do: one row per step, once as formulas and once as numbers.
#pragma once

#include "trace.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>

namespace trace {

/// "a3", "a2+a3", "a0..a3"; "-" for an empty slot, "." for one never written, "?" for operands out of order.
inline std::string symbol(const slot& s) {
    if (s.first == empty) return "-";
    if (s.first == never_written) return ".";
    if (s.first < 0) return "?";
    const std::string first = 'a' + std::to_string(s.first);
    const std::string last = 'a' + std::to_string(s.last);
    return s.first == s.last ? first : first + (s.last - s.first == 1 ? "+" : "..") + last;
}

inline std::string number(const slot& s) {
    return s.first >= 0 ? std::to_string(s.value) : symbol(s);
}

/// The formulas of one step, separated by spaces.
inline std::string symbols(const step& s) {
    std::string row;
    for (const slot& x : s.slots) row += (row.empty() ? "" : " ") + symbol(x);
    return row;
}

/// One row per step; [ ] around what the step changed.
template <class Format>
void print_table(std::ostream& out, const recording& r, Format format) {
    int width = 0;
    int name_width = 0;
    for (const step& s : r.steps) {
        name_width = std::max(name_width, static_cast<int>(s.name.size()));
        for (const slot& x : s.slots) width = std::max(width, static_cast<int>(format(x).size()));
    }
    for (std::size_t i = 0; i < r.steps.size(); ++i) {
        std::ostringstream line;
        line << "  " << std::left << std::setw(name_width) << r.steps[i].name;
        for (std::size_t j = 0; j < r.steps[i].slots.size(); ++j) {
            const slot& now = r.steps[i].slots[j];
            const bool changed = i > 0 && now != r.steps[i - 1].slots[j];
            const std::string text = changed ? '[' + format(now) + ']' : ' ' + format(now) + ' ';
            line << ' ' << std::right << std::setw(width + 2) << text;
        }
        std::string text = line.str();
        out << text.erase(text.find_last_not_of(' ') + 1) << '\n';
    }
}

inline void print(std::ostream& out, const recording& r) {
    out << to_string(r.algorithm) << (is_scan(r.algorithm) ? " scan" : " reduction") << ", n = " << r.input.size()
        << ". [ ] what the step changed";
    if (r.algorithm == algorithm::blelloch) out << ", - empty";
    out << "\n\n";
    print_table(out, r, symbol);
    out << '\n';
    print_table(out, r, number);
    out << '\n';
    if (is_scan(r.algorithm)) {
        out << "  exclusive prefixes:";
        for (const slot& x : r.prefixes) out << ' ' << number(x);
        out << '\n';
    }
    out << "  total: " << number(r.total) << " = " << symbol(r.total) << '\n';
}

} // namespace trace
