// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/check_engine_inl.hpp>
#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/selection/selection_scan.hpp>
#include <upsweep/detail/self_check/bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/run.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The self-check of kernels that list marks (sub_group_tile/mark_tiles.cl). A device that fails it scans marks as it
// scans other values, which is checked as scans are.

namespace upsweep::detail {

/// What is checked of a selection: what decides kernels as the call has it and, where a check can, the types as well.
/// The text of some calls is the check's then, and they share a program: NVIDIA's compiler takes one or two seconds for
/// one.
struct marks_form {
    selection what = selection::copy_if;
    bool wide = false;          ///< places take 64 bits
    bool of_neighbours = false; ///< elements are tested with those before them
    bool are_listed = true;     ///< else their places are: they are computed here, so that they are not
    type_text element = {"uint", {}, 4};
    type_text count = {"ulong", {}, 8}, length = {"uint", {}, 4};

    UPSWEEP_INLINE static marks_form of(const selection_scan& scan) {
        const selection_arguments& call = scan.of();
        const listed_elements& listed = scan.texts()->store.marks.elements;
        marks_form form;
        form.what = scan.what();
        form.wide = call.wide;
        form.of_neighbours = call.marks.stages.back().of_neighbours;
        form.list(listed.type, listed.size, listed.are_words);
        if (call.count_type.size >= 4) form.count = call.count_type;
        if (form.what == selection::run_length_encode && call.length_type.size >= 4) form.length = call.length_type;
        return form;
    }

    /// @param type  of what is listed; empty: places are
    UPSWEEP_INLINE void list(const std::string& type, std::size_t size, bool are_words) {
        are_listed = !type.empty();
        if (!are_listed) return;
        const bool has_own = !are_words && type != "half"; // whose arithmetic few devices have
        const bool is_part = size <= sizeof(std::uint32_t);
        element = {has_own ? type : is_part ? bits_type(size) : "uint" + std::to_string(size / 4), {}, size};
    }

    /// Names what one check covers.
    UPSWEEP_INLINE std::string name() const {
        const std::string size = std::to_string(element.size) + (element.size == 1 ? " byte, " : " bytes, ");
        return "marks " + std::to_string(static_cast<int>(what)) + (wide ? " of 64 bits, " : ", ") +
               (!are_listed         ? "by places, "
                : element.size == 4 ? ""
                                    : "of " + size);
    }

    /// Numbers below 2^7 as elements: in every part of a vector the same.
    UPSWEEP_INLINE std::vector<unsigned char> elements(const std::vector<std::uint32_t>& numbers) const {
        const number_kind kind = !is_scalar(element)         ? number_kind::other
                                 : is_floating(element.name) ? number_kind::floating
                                                             : number_kind::integer;
        return bytes_of({kind, element.size}, numbers);
    }
    UPSWEEP_INLINE std::vector<unsigned char> lengths(const std::vector<std::uint32_t>& numbers) const {
        return bytes_of({number_kind::integer, length.size}, numbers);
    }

private:
    UPSWEEP_INLINE static std::vector<unsigned char> bytes_of(value_class type,
                                                              const std::vector<std::uint32_t>& numbers) {
        scalars all(type, numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) all.put(i, numbers[i]);
        return all.bytes();
    }
};

/// Numbers, and what a selection makes of them: of those below 5 of 8, or of runs of equal ones.
class marks_answers {
public:
    static constexpr std::uint32_t poison = 99;

    UPSWEEP_INLINE marks_answers(const marks_form& form, std::uint64_t n)
        : out(n + 1, poison)
        , lengths(n + 1, poison) {
        std::uint32_t x = 1;
        std::vector<std::uint32_t> others;
        for (std::uint64_t i = 0; i < n; ++i) {
            x = x * 1664525U + 1013904223U;
            const bool is_dense = (i >> 12) % 3 != 1; // stretches with many marks, and with none
            in.push_back(is_dense ? x >> 29 : 7);
            const bool begins = i == 0 || in[i] != in[i - 1];
            if (form.of_neighbours ? begins : in[i] < 5) {
                lengths[count] = 0;
                out[count++] = in[i];
            } else {
                others.push_back(in[i]);
            }
            if (count > 0) ++lengths[count - 1];
        }
        if (form.what == selection::partition)
            std::copy(others.begin(), others.end(), out.begin() + std::ptrdiff_t(count));
    }

    std::vector<std::uint32_t> in, out;
    std::vector<std::uint32_t> lengths; ///< of runs
    std::uint64_t count = 0;
};

/// The same selection of `n` elements on a device.
class marks_run {
public:
    UPSWEEP_INLINE marks_run(const check_bench& bench, const device_limits& limits, const marks_form& form,
                             std::uint64_t n)
        : bench_(bench)
        , limits_(limits)
        , form_(form)
        , expected_(form, n)
        , in_(bench.upload(form.elements(expected_.in)))
        , out_(bench.upload(form.elements(std::vector<std::uint32_t>(n + 1, marks_answers::poison))))
        , lengths_(bench.upload(form.lengths(std::vector<std::uint32_t>(n + 1, marks_answers::poison))))
        , count_(bench.upload(std::vector<std::uint32_t>(2, 0)))
        , arguments_(make_arguments(n))
        , scan_(form.what, arguments_) {}

    /// Whether the kernels of a tuning give these answers.
    UPSWEEP_INLINE bool is_right(const tuning& t) const {
        const wait_list after;
        const check_engine e(bench_, limits_, scan_.types(), expected_.in.size(), t, form_.wide);
        set_count(form_.what == selection::partition && !looks_back_in_sub_groups(t));
        const cl::Event done = e.start(check_arguments(scan_.arguments(after), bench_.queue()));
        return holds(out_(), form_.elements(expected_.out)) && is_count() &&
               (form_.what != selection::run_length_encode || holds(lengths_(), form_.lengths(expected_.lengths)));
    }

private:
    UPSWEEP_INLINE bool holds(cl_mem buffer, const std::vector<unsigned char>& expected) const {
        return bench_.read(buffer, expected.size()) == expected;
    }
    UPSWEEP_INLINE bool is_count() const {
        std::vector<unsigned char> expected(form_.count.size);
        write_number({number_kind::integer, expected.size()}, expected_.count, expected.data());
        return holds(count_(), expected);
    }

    /// What is there before the call, which makes it.
    /// @param is_given  the call does not, but reads it
    UPSWEEP_INLINE void set_count(bool is_given) const {
        std::vector<unsigned char> bytes(sizeof expected_.count, 0xa5);
        if (is_given) write_number({number_kind::integer, form_.count.size}, expected_.count, bytes.data());
        bench_.write(count_(), bytes);
    }

    UPSWEEP_INLINE selection_arguments make_arguments(std::uint64_t n) const {
        const auto part = [&](const owned<cl_mem>& buffer, std::size_t size) {
            return untyped_span{buffer(), n, 0, size};
        };
        computed_input in;
        in.size = n;
        in.parts = {{part(in_, form_.element.size), form_.element}};
        selection_arguments a;
        a.function = bench_.function();
        a.queue = bench_.queue().queue;
        if (!form_.are_listed) in.stages.push_back({"a", form_.element, false, false, "self-check"});
        a.columns.push_back({in, form_.element, part(out_, form_.element.size), form_.element, "output"});
        const bool is_one = is_scalar(form_.element);
        if (form_.of_neighbours) // scalars as the calls whose equality is the default
            in.stages.push_back({is_one ? "left == right" : "all(left == right)", {}, false, true, "equality"});
        else
            in.stages.push_back({is_one ? "a < 5" : "a.x < 5", {}, true, false, "predicate"});
        a.marks = in;
        a.marks_source = true;
        a.count = {count_(), 1, 0, form_.count.size};
        a.count_type = form_.count;
        a.lengths = part(lengths_, form_.length.size);
        a.length_type = form_.length;
        a.wide = form_.wide;
        return a;
    }

    const check_bench& bench_;
    const device_limits& limits_;
    const marks_form form_;
    const marks_answers expected_;
    const owned<cl_mem> in_, out_, lengths_, count_;
    const selection_arguments arguments_;
    const selection_scan scan_;
};

/// Whether kernels of a tuning list marks rightly.
UPSWEEP_INLINE bool gives_marks_answers(const check_bench& bench, const device_limits& limits, const marks_form& form,
                                        const tuning& chosen) {
    const tuning t = tuning_to_own_check(chosen);
    for (const std::uint64_t n : sizes_of_own_check(t))
        if (!marks_run(bench, limits, form, n).is_right(t)) return false;
    return true;
}

/// Whether an engine's kernels may list a selection's marks: checked at the first use of each kind.
UPSWEEP_INLINE bool are_marks_right(const char* function, const engine& e, const queue_facts& queue,
                                    const selection_scan& scan) {
    const self_check_verdict* known = e.programs.elements->verdict(own_slot);
    if (known || !self_check_wanted()) return !known || known->as_chosen;
    const marks_form form = marks_form::of(scan);
    const std::string name = form.name() + kernel_family(e.tuning, operation::scan);
    const own_check marks{name, "selections by lists of what is chosen", "scans of marks"};
    const self_check_verdict& verdict = own_verdict(function, *e.limits, queue, marks, [&](const check_bench& bench) {
        return gives_marks_answers(bench, *e.limits, form, e.tuning);
    });
    e.programs.elements->settle(own_slot, verdict);
    return verdict.as_chosen;
}

} // namespace upsweep::detail
