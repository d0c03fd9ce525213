// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::detail {

/// Where a line of an assembled source comes from.
struct source_place {
    std::string file;
    std::uint64_t line = 0;
};

/// The place of every line of a source text, by its `#line` directives. Element 0 is line 1.
UPSWEEP_INLINE std::vector<source_place> places_of(std::string_view source) {
    std::vector<source_place> places;
    source_place next{"kernel", 1};
    while (!source.empty()) {
        const std::string_view line = source.substr(0, source.find('\n'));
        source.remove_prefix(line.size() < source.size() ? line.size() + 1 : line.size());
        places.push_back(next);
        ++next.line;
        if (line.substr(0, 6) != "#line ") continue;
        const std::size_t open = line.find('"');
        const std::size_t close = line.rfind('"');
        if (open == std::string_view::npos || close == open) continue;
        next = {std::string(line.substr(open + 1, close - open - 1)), std::strtoull(line.data() + 6, nullptr, 10)};
    }
    return places;
}

/// A build log with places that mean something to a reader. NVIDIA's compiler ignores `#line` and counts lines of the
/// whole text, as in "<kernel>:110:7: error"; that becomes "operator:2:7: error". Other logs stay as they are.
UPSWEEP_INLINE std::string translate_log(std::string_view log, std::string_view source) {
    constexpr std::string_view mark = "<kernel>:";
    std::vector<source_place> places;
    std::string out;
    while (true) {
        const std::size_t at = log.find(mark);
        out.append(log.substr(0, at));
        if (at == std::string_view::npos) return out;
        log.remove_prefix(at + mark.size());
        std::uint64_t line = 0;
        std::size_t digits = 0;
        for (; digits < log.size() && digits < 9 && std::isdigit(static_cast<unsigned char>(log[digits])); ++digits)
            line = 10 * line + static_cast<std::uint64_t>(log[digits] - '0');
        if (places.empty()) places = places_of(source);
        if (digits == 0 || line == 0 || line > places.size()) {
            out.append(mark);
            continue;
        }
        const source_place& place = places[static_cast<std::size_t>(line - 1)];
        out.append(place.file).append(":").append(std::to_string(place.line));
        log.remove_prefix(digits);
    }
}

/// Whether a build log warns of a function that can end without returning a value. Compilers that take the warning for
/// an error (see `append_head`) never get here.
UPSWEEP_INLINE bool warns_of_missing_return(std::string_view log) {
    for (const char* words : {"Wreturn-type", "does not return a value", "should return a value",
                              "missing return statement", "control reaches end", "control may reach end"})
        if (log.find(words) != std::string_view::npos) return true;
    return false;
}

} // namespace upsweep::detail
