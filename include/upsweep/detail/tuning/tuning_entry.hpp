// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/options_inl.hpp>

#include <cstdint>
#include <string>

namespace upsweep::detail {

/// Whether the order of combination can be seen in a result (problem_size::exact_operator).
enum class operator_kind {
    exact,  ///< integers with the operators of the library
    ordered ///< floats, structs, and operators of one's own
};

/// From 2^from elements up to, but not including, 2^to.
struct size_range {
    std::uint32_t from = 0;
    std::uint32_t to = 0;

    UPSWEEP_INLINE bool contains(std::uint64_t n) const {
        return (n >> from) != 0 && (to >= 64 || (n >> to) == 0); // n = 0 is in no range
    }
    friend bool operator==(size_range a, size_range b) { return a.from == b.from && a.to == b.to; }
};

/// A choice for the problems it names, measured on one device: a line of a tuning file.
struct tuning_entry {
    std::string device;
    std::string driver; ///< that it was measured with: a note, the entry serves any other too
    operation op = operation::scan;
    operator_kind kind = operator_kind::exact;
    std::uint32_t size = 0; ///< bytes of an element, which is a value too
    size_range n;
    options choices;
    double microseconds = 0;         ///< a note: time of a call with these choices, 0: not noted
    double default_microseconds = 0; ///< a note: the same with the library's own
    std::string place;               ///< where it was read, "file:line"; no part of the line

    UPSWEEP_INLINE bool applies_to(const std::string& device_name, const problem_size& problem) const {
        const bool one_type = problem.element_size == 0 || problem.element_size == problem.value_size;
        if (problem.stores_once && !stores_once(choices.strategy)) return false;
        if ((problem.is_counted || problem.has_operands) && !has_input(choices.strategy)) return false;
        if (problem.costly_operator && problem.op == operation::scan) return false; // measured with cheap ones
        if (problem.listed_size > problem.value_size) return false; // takes more local memory than what was measured
        return op == problem.op && (kind == operator_kind::exact) == problem.exact_operator && one_type &&
               size == problem.value_size && n.contains(problem.n) && device == device_name;
    }

    /// Whether everything that the caller decided is as here: then the rest may be as here, too. An entry is one
    /// measured whole, not a heap of parts.
    UPSWEEP_INLINE bool agrees_with(const options& opts) const {
        static const options& open = *new options; // never destroyed: used at exit, perhaps
        bool agrees = true;
        for_each_choice([&](const char*, auto member) {
            agrees = agrees && (opts.*member == open.*member || opts.*member == choices.*member);
        });
        return agrees;
    }
};

/// Calls visit(name, get, required) for every field of a line, in the order in which they are written; get(entry) is
/// the field itself.
template <class Visit>
void for_each_field(Visit&& visit) {
    const auto own = [&](const char* name, auto member, bool required) {
        visit(
            name, [member](auto& e) -> auto& { return e.*member; }, required);
    };
    own("device", &tuning_entry::device, true);
    own("driver", &tuning_entry::driver, false);
    own("operation", &tuning_entry::op, true);
    own("operator", &tuning_entry::kind, true);
    own("size", &tuning_entry::size, true);
    own("n", &tuning_entry::n, true);
    for_each_choice([&](const char* name, auto member) {
        visit(
            name, [member](auto& e) -> auto& { return e.choices.*member; }, false);
    });
    own("microseconds", &tuning_entry::microseconds, false);
    own("default_microseconds", &tuning_entry::default_microseconds, false);
}

} // namespace upsweep::detail
