#pragma once

#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/options.hpp>

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

    bool contains(std::uint64_t n) const {
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

    bool applies_to(const std::string& device_name, const problem_size& problem) const {
        const bool one_type = problem.element_size == 0 || problem.element_size == problem.value_size;
        return op == problem.op && (kind == operator_kind::exact) == problem.exact_operator && one_type &&
               size == problem.value_size && n.contains(problem.n) && device == device_name;
    }

    /// Whether everything that the caller decided is as here: then the rest may be as here, too. An entry is one
    /// measured whole, not a heap of parts.
    bool agrees_with(const options& opts) const {
        static const options open;
        const auto agree = [&](auto member) { return opts.*member == open.*member || opts.*member == choices.*member; };
        return agree(&options::algorithm) && agree(&options::reduction) && agree(&options::strategy) &&
               agree(&options::work_items) && agree(&options::items) && agree(&options::work_groups) &&
               agree(&options::run_packs) && agree(&options::registers) && agree(&options::loading) &&
               agree(&options::bank_padding);
    }
};

/// Every field of a line, with its name and whether it must be there, in the order in which they are written.
template <class Entry, class Visit>
void for_each_field(Entry& e, Visit&& visit) {
    visit("device", e.device, true);
    visit("driver", e.driver, false);
    visit("operation", e.op, true);
    visit("operator", e.kind, true);
    visit("size", e.size, true);
    visit("n", e.n, true);
    visit("strategy", e.choices.strategy, false);
    visit("algorithm", e.choices.algorithm, false);
    visit("reduction", e.choices.reduction, false);
    visit("loading", e.choices.loading, false);
    visit("work_items", e.choices.work_items, false);
    visit("items", e.choices.items, false);
    visit("work_groups", e.choices.work_groups, false);
    visit("run_packs", e.choices.run_packs, false);
    visit("registers", e.choices.registers, false);
    visit("bank_padding", e.choices.bank_padding, false);
    visit("microseconds", e.microseconds, false);
    visit("default_microseconds", e.default_microseconds, false);
}

} // namespace upsweep::detail
