// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/selection/select_arguments.hpp>
#include <upsweep/detail/source/transform_text.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::detail {

/// How the text of a store hook calls the arrays and parameters of a computed input.
struct source_names {
    std::vector<std::string> arrays;
    std::string prefix; ///< of parameters
};

/// The arrays and numbers of a selection's store hook, always in the same order. They have reserved names, because the
/// user's text before may define macros.
template <class>
class selection_arrays {
public:
    /// @param known  the output of a selection of the same text, which has the names; null: they are made
    UPSWEEP_INLINE selection_arrays(selection what, const selection_arguments& a, const computed_output* known)
        : is_known_(known != nullptr) {
        if (known) {
            out.parts = known->parts;
            out.numbers = known->numbers;
        }
        const std::uint64_t n = a.marks.size;
        for (const selected_column& column : a.columns) add_column(column, what == selection::partition ? n : 0);
        marks = a.marks_source ? sources[0] : add_source(a.marks, "marks");
        const bool is_counted = a.marks.is_counted();
        add_number(is_counted || n == 0 ? n : n - 1, [&] { return is_counted ? "upsweep_most" : "upsweep_last"; });
        add_number(room(what, a), [] { return "upsweep_room"; });
        if (is_counted)
            add(a.marks.counter, 1, access::input, a.marks.counter_type, [] {
                return array_names{"upsweep_number", "number of elements"};
            });
        add(a.count, 1, access::output, a.count_type, [] { return array_names{"upsweep_count", "count"}; });
        if (what == selection::run_length_encode)
            add(a.lengths, 0, access::output, a.length_type, [] { return array_names{"upsweep_lengths", "lengths"}; });
    }

    computed_output out;               ///< of which nothing else is set here
    std::vector<source_names> sources; ///< of the columns; empty names where these are known
    source_names marks;

private:
    struct array_names {
        std::string name;     ///< in the text
        std::string argument; ///< in errors
    };

    template <class Names>
    void add(const untyped_span& array, std::uint64_t needed, access use, const type_text& type, const Names& names) {
        if (!is_known_) {
            const array_names own = names();
            out.parts.push_back({own.name, own.argument, {}, 0, type, use});
        }
        computed_output::part& part = out.parts[arrays_++];
        part.array = array;
        part.needed = needed;
    }
    template <class Name>
    void add_number(std::uint64_t value, const Name& name) {
        if (!is_known_) out.numbers.push_back({name(), 0});
        out.numbers[numbers_++].value = value;
    }

    /// The arrays and parameters of a computed input.
    UPSWEEP_INLINE source_names add_source(const computed_input& in, const char* name) {
        source_names names;
        if (!is_known_) names.prefix = std::string("upsweep_") + name + "_";
        for (const computed_input::part& part : in.parts)
            add(part.array, in.size, access::input, part.type, [&] {
                const std::string letter = transform_name(names.arrays.size());
                names.arrays.push_back(names.prefix + letter);
                return array_names{names.arrays.back(), std::string(in.argument) + " " + letter};
            });
        std::size_t number = 0;
        for_each_parameter(in.stages, [&](std::size_t k, const stage_parameter& parameter) {
            const auto own_name = [&] { return names.prefix + name_in_view(k, parameter.name); };
            const computed_input::parameter& given = in.parameters[number++];
            if (parameter.is_array)
                add(given.array, 0, access::input, parameter.type, [&] {
                    return array_names{own_name(), "parameter \"" + parameter.name + "\""};
                });
            for (std::size_t word = 0; word < parameter.words(); ++word)
                add_number(given.words[word], [&] { return word_name(own_name(), word); });
        });
        return names;
    }

    UPSWEEP_INLINE void add_column(const selected_column& column, std::uint64_t needed) {
        const std::string number = std::to_string(sources.size());
        sources.push_back(add_source(column.source, ("column" + number).c_str()));
        add(column.out, needed, access::output, column.out_type, [&] {
            return array_names{"upsweep_kept" + number, column.argument};
        });
    }

    /// Elements that every output has room for.
    UPSWEEP_INLINE static std::uint64_t room(selection what, const selection_arguments& a) {
        std::uint64_t least = a.marks.size;
        for (const selected_column& column : a.columns) least = (std::min)(least, column.out.size);
        return what == selection::run_length_encode ? (std::min)(least, a.lengths.size) : least;
    }

    const bool is_known_;
    std::size_t arrays_ = 0; ///< of `out` that were set
    std::size_t numbers_ = 0;
};

} // namespace upsweep::detail
