// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/plan.hpp>
#include <upsweep/detail/self_check/answers.hpp>
#include <upsweep/detail/self_check/bench.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace upsweep::detail {

/// Largest problem of a check, in elements (twice as many of up to 2 bytes) and in bytes: milliseconds on a CPU.
constexpr std::uint64_t check_elements = std::uint64_t{1} << 21;
constexpr std::uint64_t check_bytes = std::uint64_t{16} << 20;

/// A chunk is checked with more than 2^16 elements: some devices end loops there (tests/GUARANTEES.md).
constexpr std::uint64_t check_chunk = std::uint64_t{1} << 19;

/// Work-groups of a check, where there are several and each is to have more than one chunk before it, or part to sum.
constexpr std::uint32_t checked_groups = 3;

/// What is checked of a tuning: the same kernels, of the same program where that can be, with a look-back that takes
/// the ways that it seldom has to.
/// @param size  bytes of an element or a value, whichever has more
UPSWEEP_INLINE tuning tuning_to_check(tuning t, operation op, std::size_t size) {
    t.strategy = kernels_of(t.strategy, op);
    if (t.strategy == strategy::chunked) {
        // A reduction of parts takes 8 parts per work-group: one makes them long. Of chunks, the last has two before
        // it, unless there is one only, which is a family of its own.
        const bool in_parts = record_of(op).results == result_count::one && t.tree_run > 1;
        t.work_groups = in_parts ? 1 : (std::min)(t.work_groups, checked_groups);
    }
    if (t.strategy == strategy::look_back) {
        t.max_polls = 2;
        // Work-items on their own have no tile size in their program. A CPU's tiles are so large that a group of 32
        // would take long, or more than a check has room for.
        const std::uint64_t room = floor_power_of_two((std::max)(check_bytes / (34 * size), std::uint64_t{1}));
        if (t.work_items == 1 && !keeps_runs(t))
            t.items = static_cast<std::uint32_t>(
                (std::max)((std::min)(room, std::uint64_t{2048}), std::uint64_t{t.tree_run}));
    }
    return t;
}

/// The same for a check of a program's own, whose verdict holds for any number of chunks.
UPSWEEP_INLINE tuning tuning_to_own_check(const tuning& t) {
    constexpr std::size_t largest = 16; // of marks; tiles of segments are not of work-items on their own
    tuning checked = tuning_to_check(t, operation::scan, largest);
    if (checked.strategy == strategy::chunked) checked.work_groups = checked_groups;
    return checked;
}

/// The sizes of the problems of one check, ascending: the edges of runs, tiles and groups of 32 tiles; of an odd number
/// of tiles, which begin in order, so many that the last reads a group's sum; more than one level of sums where tiles
/// are small; a long chunk. Of a program for a single tile, those that it can have.
UPSWEEP_INLINE std::vector<std::uint64_t> sizes_to_check(const tuning& t, const check_subject& s) {
    const std::uint64_t tile = t.tile();
    const std::size_t size = (std::max)(s.element.size, s.value.size);
    const std::uint64_t fit = (std::min)(size <= 2 ? 2 * check_elements : check_elements, check_bytes / size);
    const std::uint64_t most = std::max<std::uint64_t>(1, t.one_tile ? (std::min)(fit, tile) : fit);
    std::vector<std::uint64_t> sizes{1, 2, tile - 1, tile, tile + 1, 2 * tile + 1, 3 * tile + 5};
    if (t.strategy == strategy::chunked) {
        sizes.insert(sizes.end(), {2 * std::uint64_t{4096} + 1, (std::min)(most, check_chunk + 5)});
    } else {
        const std::uint64_t groups = 33 * tile + 1;
        const std::uint64_t behind_group = (std::uint64_t{look_back_group} * (t.direct_groups + 1) + 1) * tile;
        sizes.insert(sizes.end(), {groups - 2, (std::min)(most, groups), behind_group - 1});
        if (tile * tile < check_chunk / 4) sizes.push_back(tile * tile + 1);
    }
    if (t.tree_run > 1) sizes.insert(sizes.end(), {t.tree_run - 1, t.tree_run, 3 * std::uint64_t{t.tree_run} + 7});
    if (tile < 2) sizes = {1}; // tiles of one element can only be a single tile
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    const auto fits = [&](std::uint64_t n) { return n >= 1 && n <= most; };
    sizes.erase(std::remove_if(sizes.begin(), sizes.end(), [&](std::uint64_t n) { return !fits(n); }), sizes.end());
    return sizes;
}

/// The sizes of the problems of a check of scans by other kernels than those of plain scans (own_check.hpp): of an even
/// number of tiles, which begin with the last, and of an odd one, the last of which reads a group's sum. Of a single
/// tile, some of it and all. Of chunks, more than what a work-item lists at a time (tile/serial_marks.cl).
UPSWEEP_INLINE std::array<std::uint64_t, 2> sizes_of_own_check(const tuning& t) {
    const std::uint64_t tile = t.tile();
    if (t.one_tile || t.strategy == strategy::single_tile) return {(std::max)(tile / 3, std::uint64_t{1}), tile};
    if (t.strategy == strategy::chunked) return {1706, 17665};
    const std::uint64_t behind_group = std::uint64_t{look_back_group} * (t.direct_groups + 1) + 2;
    return {3 * tile + tile / 3, behind_group * tile + tile / 2 + 1};
}

/// Whether a check's work-items have loops of more than 2^15 iterations.
UPSWEEP_INLINE bool goes_through_long_chunks(const tuning& t, const check_subject& s) {
    return t.strategy == strategy::chunked && sizes_to_check(t, s).back() / t.work_groups > (1 << 15);
}

/// One form of a call.
struct check_form {
    bool exclusive; ///< of a reduction: nothing
    bool has_init;
    bool in_place;
};

/// Runs prepared programs on problems of several sizes and compares.
class check_runs {
public:
    UPSWEEP_INLINE check_runs(const check_bench& bench, const check_subject& subject, const tuning& t,
                              const run_programs& programs, const known_answers& answers, std::uint64_t largest)
        : bench_(bench)
        , subject_(subject)
        , tuning_(t)
        , programs_(programs)
        , answers_(answers)
        , out_(bench.make_buffer(bytes(largest) + subject.value.size + guard_bytes)) {
        for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
            if (first == 1 && subject.text.is_aligned) break;
            in_[first] = bench.make_buffer(answers.elements.size() + first * subject.element.size);
            bench.write(in_[first](), answers.elements, first * subject.element.size);
        }
    }

    /// What is wrong with one run; empty if nothing is.
    UPSWEEP_INLINE std::string run(std::uint64_t n, check_form form) const {
        const operation_record& record = record_of(subject_.op);
        const bool reduces = record.results == result_count::one;
        const std::uint64_t count = reduces ? 1 : n;
        // With an initial value, place i of `before` is exclusive, and place i + 1 inclusive.
        const std::uint64_t first = reduces ? (form.has_init ? n : n - 1) : !form.exclusive && form.has_init ? 1 : 0;
        const unsigned char* expected = &(form.has_init ? answers_.before : answers_.through)[bytes(first)];
        const std::uint64_t shift = shift_of(n);
        const std::vector<unsigned char> results = launch(n, count, form);
        const auto wrong = [&](const std::string& what) {
            const char* kind = reduces ? "" : form.exclusive ? "exclusive " : "inclusive ";
            return std::string(kind) + record.noun + " of " + std::to_string(n) + " elements" +
                   (form.in_place ? " in place: " : ": ") + what;
        };
        for (std::uint64_t i = 0; i < count; ++i)
            if (std::memcmp(&results[bytes(shift + i)], expected + bytes(i), subject_.value.size) != 0)
                return wrong("element " + std::to_string(i) + " of the result is wrong");
        for (std::size_t i = bytes(shift + count); i < results.size(); ++i)
            if (results[i] != poison) return wrong("something was written behind the result");
        for (std::size_t i = 0; i < bytes(shift); ++i)
            if (results[i] != poison) return wrong("something was written before the result");
        return {};
    }

private:
    static constexpr std::size_t guard_bytes = 64;
    static constexpr unsigned char poison = 0xa5;

    std::size_t bytes(std::uint64_t values) const { return static_cast<std::size_t>(values) * subject_.value.size; }

    /// Elements before the results. Programs that are not for aligned arrays only have both kinds.
    std::uint64_t shift_of(std::uint64_t n) const { return subject_.text.is_aligned ? 0 : n % 2; }

    /// What the device makes of `count` values, and of what lies around them. Scratch is the check's own: what a wrong
    /// kernel leaves in it never meets another call.
    UPSWEEP_INLINE std::vector<unsigned char> launch(std::uint64_t n, std::uint64_t count, check_form form) const {
        const std::uint64_t shift = shift_of(n);
        const std::uint64_t in_shift = subject_.text.is_aligned || form.exclusive ? shift : 1 - shift;
        std::vector<unsigned char> before(bytes(shift + count) + guard_bytes, poison);
        if (form.in_place) std::memcpy(&before[bytes(shift)], answers_.elements.data(), bytes(n));
        bench_.write(out_(), before);
        const launch_plan plan = plan_passes(subject_.op, n, tuning_, subject_.value.size);
        const owned<cl_mem> scratch = bench_.make_scratch(plan.scratch_bytes);
        const wait_list none;
        run_request r;
        r.function = bench_.function();
        r.queue = bench_.queue();
        r.out = {out_(), shift};
        r.in = {in_[in_shift](), in_shift};
        if (form.in_place) r.in = r.out;
        r.exclusive = form.exclusive;
        r.has_init = form.has_init;
        r.init = {answers_.before.data(), subject_.value.size};
        r.in_place = form.in_place;
        r.last_tile_first = true;
        r.after = &none;
        r.workspace = scratch();
        detail::run(plan, programs_, r);
        return bench_.read(out_(), before.size());
    }

    const check_bench& bench_;
    const check_subject& subject_;
    const tuning& tuning_;
    const run_programs& programs_;
    const known_answers& answers_;
    owned<cl_mem> in_[2]; ///< the elements from the beginning on, and from the second place on
    owned<cl_mem> out_;
};

} // namespace upsweep::detail
