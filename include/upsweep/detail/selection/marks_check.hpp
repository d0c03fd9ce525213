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
#include <cstring>
#include <string>
#include <vector>

// The self-check of kernels that list marks (sub_group_tile/mark_tiles.cl). A device that fails it scans marks as it
// scans other values, which is checked as scans are.

namespace upsweep::detail {

/// Numbers, and what a selection makes of them: of those below 5 of 8, or of runs of equal ones.
class marks_answers {
public:
    static constexpr std::uint32_t poison = 0xa5a5a5a5U;

    UPSWEEP_INLINE marks_answers(selection what, std::uint64_t n)
        : out(n + 1, poison)
        , lengths(n + 1, poison) {
        std::uint32_t x = 1;
        std::vector<std::uint32_t> others;
        for (std::uint64_t i = 0; i < n; ++i) {
            x = x * 1664525U + 1013904223U;
            const bool is_dense = (i >> 12) % 3 != 1; // stretches with many marks, and with none
            in.push_back(is_dense ? x >> 29 : 7);
            if (what == selection::run_length_encode) {
                const bool begins = i == 0 || in[i] != in[i - 1];
                count += begins ? 1 : 0;
                lengths[count - 1] = begins ? 1 : lengths[count - 1] + 1;
                if (begins) out[count - 1] = in[i];
            } else if (in[i] < 5) {
                out[count++] = in[i];
            } else {
                others.push_back(in[i]);
            }
        }
        if (what == selection::partition) std::copy(others.begin(), others.end(), out.begin() + std::ptrdiff_t(count));
    }

    std::vector<std::uint32_t> in, out, lengths;
    std::uint64_t count = 0;
};

/// What a selection lists, and the elements of its check, each of them a number in every part.
struct marks_elements {
    std::size_t size = 4;   ///< in bytes: 1, 2, 4 or a multiple of 4
    bool are_listed = true; ///< else their places are, because they are computed

    /// @param listed  by the call's store hook
    UPSWEEP_INLINE static marks_elements of(const listed_elements& listed) {
        if (listed.type.empty()) return {4, false};
        return {listed.size, true};
    }

    UPSWEEP_INLINE std::string name() const {
        if (!are_listed) return "by places, ";
        return size == 4 ? "" : "of " + std::to_string(size) + (size == 1 ? " byte, " : " bytes, ");
    }
    UPSWEEP_INLINE type_text type() const {
        if (size <= 4) return {size == 1 ? "uchar" : size == 2 ? "ushort" : "uint", {}, size};
        return {"uint" + std::to_string(size / 4), {}, size};
    }
    /// Numbers below 2^8 as elements.
    UPSWEEP_INLINE std::vector<unsigned char> bytes_of(const std::vector<std::uint32_t>& numbers) const {
        std::vector<unsigned char> bytes(numbers.size() * size);
        for (std::size_t i = 0; i < bytes.size(); i += (std::min)(size, word))
            write_number({number_kind::integer, (std::min)(size, word)}, numbers[i / size], &bytes[i]);
        return bytes;
    }

    static constexpr std::size_t word = sizeof(std::uint32_t);
};

/// The same selection of `n` elements on a device.
class marks_run {
public:
    UPSWEEP_INLINE marks_run(const check_bench& bench, const device_limits& limits, selection what, bool wide,
                             std::uint64_t n, const marks_elements& elements)
        : bench_(bench)
        , limits_(limits)
        , elements_(elements)
        , expected_(what, n)
        , in_(bench.upload(elements.bytes_of(expected_.in)))
        , out_(bench.upload(elements.bytes_of(std::vector<std::uint32_t>(n + 1, marks_answers::poison))))
        , lengths_(bench.upload(std::vector<std::uint32_t>(n + 1, marks_answers::poison)))
        , count_(bench.upload(std::vector<std::uint32_t>(2, 0)))
        , arguments_(make_arguments(what, wide, n))
        , scan_(what, arguments_) {}

    /// Whether the kernels of a tuning give these answers.
    UPSWEEP_INLINE bool is_right(const tuning& t) const {
        const wait_list after;
        const check_engine e(bench_, limits_, scan_.types(), expected_.in.size(), t, arguments_.wide);
        set_count(scan_.what() == selection::partition && !looks_back_in_sub_groups(t));
        const cl::Event done = e.start(check_arguments(scan_.arguments(after), bench_.queue()));
        return holds(out_(), elements_.bytes_of(expected_.out)) && is_count() &&
               (scan_.what() != selection::run_length_encode ||
                holds(lengths_(), marks_elements().bytes_of(expected_.lengths)));
    }

private:
    UPSWEEP_INLINE bool holds(cl_mem buffer, const std::vector<unsigned char>& expected) const {
        return bench_.read(buffer, expected.size()) == expected;
    }
    UPSWEEP_INLINE bool is_count() const {
        std::uint64_t count = 0;
        std::memcpy(&count, bench_.read(count_(), sizeof count).data(), sizeof count);
        return count == expected_.count;
    }

    /// What is there before the call, which makes it.
    /// @param is_given  the call does not, but reads it
    UPSWEEP_INLINE void set_count(bool is_given) const {
        std::vector<unsigned char> bytes(sizeof expected_.count, 0xa5);
        if (is_given) std::memcpy(bytes.data(), &expected_.count, bytes.size());
        bench_.write(count_(), bytes);
    }

    UPSWEEP_INLINE selection_arguments make_arguments(selection what, bool wide, std::uint64_t n) const {
        const type_text element = elements_.type();
        const auto part = [&](const owned<cl_mem>& buffer, std::size_t size) {
            return untyped_span{buffer(), n, 0, size};
        };
        computed_input in;
        in.size = n;
        in.parts = {{part(in_, element.size), element}};
        selection_arguments a;
        a.function = bench_.function();
        a.queue = bench_.queue().queue;
        if (!elements_.are_listed) in.stages.push_back({"a", element, false, false, "self-check"});
        a.columns.push_back({in, element, part(out_, element.size), element, "output"});
        const bool encodes = what == selection::run_length_encode;
        const char* text = encodes ? "left == right" : elements_.size <= 4 ? "a < 5" : "a.x < 5";
        in.stages.push_back({text, {}, !encodes, encodes, "self-check"});
        a.marks = in;
        a.marks_source = true;
        a.count = {count_(), 1, 0, sizeof(std::uint64_t)};
        a.count_type = describe_type<std::uint64_t>();
        a.lengths = part(lengths_, sizeof(std::uint32_t));
        a.length_type = describe_type<std::uint32_t>();
        a.wide = wide;
        return a;
    }

    const check_bench& bench_;
    const device_limits& limits_;
    const marks_elements elements_;
    const marks_answers expected_;
    const owned<cl_mem> in_, out_, lengths_, count_;
    const selection_arguments arguments_;
    const selection_scan scan_;
};

/// Whether kernels of a tuning list marks rightly.
UPSWEEP_INLINE bool gives_marks_answers(const check_bench& bench, const device_limits& limits, selection what,
                                        bool wide, const marks_elements& elements, const tuning& chosen) {
    const tuning t = tuning_to_own_check(chosen);
    for (const std::uint64_t n : sizes_of_own_check(t))
        if (!marks_run(bench, limits, what, wide, n, elements).is_right(t)) return false;
    return true;
}

/// Whether an engine's kernels may list marks: checked at the first use of each kind.
/// @param listed  by the call's store hook
UPSWEEP_INLINE bool are_marks_right(const char* function, const engine& e, const queue_facts& queue, selection what,
                                    bool wide, const listed_elements& listed) {
    const self_check_verdict* known = e.programs.elements->verdict(own_slot);
    if (known || !self_check_wanted()) return !known || known->as_chosen;
    const marks_elements elements = marks_elements::of(listed);
    const own_check marks{"marks " + std::to_string(static_cast<int>(what)) + (wide ? " of 64 bits, " : ", ") +
                              elements.name() + kernel_family(e.tuning, operation::scan),
                          "selections by lists of what is chosen", "scans of marks"};
    const self_check_verdict& verdict = own_verdict(function, *e.limits, queue, marks, [&](const check_bench& bench) {
        return gives_marks_answers(bench, *e.limits, what, wide, elements, e.tuning);
    });
    e.programs.elements->settle(own_slot, verdict);
    return verdict.as_chosen;
}

} // namespace upsweep::detail
