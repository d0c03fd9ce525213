// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/program/self_check_verdict.hpp>
#include <upsweep/detail/self_check/arithmetic.hpp>
#include <upsweep/detail/self_check/run.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>
#include <upsweep/self_check.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::detail {

/// What the cache on disk keeps of a check that was passed, where it keeps the names of a program's kernels.
constexpr const char* passed_mark = "self-check passed";

/// Finds the verdict for one call. Used by one thread at a time, which holds `self_check_table::checking`.
class self_checker {
public:
    UPSWEEP_INLINE self_checker(const char* function, const device_limits& limits, const check_subject& subject)
        : function_(function)
        , limits_(limits)
        , subject_(subject)
        , chosen_(subject.key.tuning) {
        device_ = std::to_string(reinterpret_cast<std::uintptr_t>(subject.key.device)) + ", ";
    }

    /// Where the time is over, nothing was found: kernels stay as chosen, and a report says that they were not checked.
    UPSWEEP_INLINE const self_check_verdict& verdict() {
        const std::string name = subject_.has_own_check
                                     ? device_ + "own check"
                                     : device_ + covered(chosen_) + (subject_.text.is_aligned ? ", aligned" : "");
        try {
            for (const float_format& format : float_formats) {
                if (!subject_.promises_bits || !computes_in(subject_.text, format.name)) continue;
                const self_check_verdict& arithmetic = verdict_on_arithmetic(format);
                if (!arithmetic.trouble.empty()) return arithmetic;
            }
            if (subject_.has_own_check) return known(name, [] { return self_check_verdict(); });
            return known(name, [&] { return verdict_on_kernels(); });
        } catch (const check_timeout&) {
            if (const self_check_verdict* before = self_check_table::get().find(name)) return *before; // told already
            tell((subject_.has_own_check ? std::string("arithmetic ") : std::string()) +
                     "not checked, because the check did not end within " + std::to_string(time_.limit().count()) +
                     " s (UPSWEEP_SELF_CHECK_SECONDS)",
                 "the same kernels, unchecked");
            return known(name, [] { return self_check_verdict(); });
        }
    }

    /// What was found wrong, if that was now.
    const maybe<self_check_report>& found() const { return found_; }

private:
    /// Names the kernels of a tuning and the class of types: what one check covers.
    UPSWEEP_INLINE std::string covered(const tuning& t) const {
        return kernel_family(t, subject_.op) + "; " + class_name(subject_);
    }

    UPSWEEP_INLINE void tell(const std::string& wrong, const std::string& instead) {
        found_ = self_check_report{limits_.name, covered(chosen_), wrong, instead};
    }

    template <class Find>
    static const self_check_verdict& known(const std::string& name, const Find& find) {
        self_check_table& table = self_check_table::get();
        if (const self_check_verdict* known = table.find(name)) return *known;
        return table.add(name, find());
    }

    UPSWEEP_INLINE const check_bench& bench() {
        if (!bench_) bench_.emplace(function_, subject_.key.context, subject_.key.device, time_);
        return *bench_;
    }

    /// What `find` finds wrong with a program; empty if nothing, or if the cache on disk says so.
    template <class Find>
    std::string unless_passed(const std::string& what, const tuning& t, const std::string& source, const Find& find) {
        const cache_entry memory(subject_.key.device, build_options(t), what + '\n' + source);
        const maybe<program_binary> found = memory.read();
        if (found && found->kernels == passed_mark) return {};
        time_.throw_if_over();
        std::string wrong = find();
        if (wrong.empty()) memory.write({passed_mark, {}});
        return wrong;
    }

    UPSWEEP_INLINE const self_check_verdict& verdict_on_arithmetic(const float_format& format) {
        const std::string type = format.name;
        return known(device_ + "arithmetic of " + type, [&] {
            const program_text text{{}, {type, "", format.size}, {}};
            const std::string lack = unless_passed("arithmetic", tuning(), arithmetic_source(text),
                                                   [&] { return lack_of_arithmetic(bench(), format, text); });
            self_check_verdict found;
            if (!lack.empty())
                found.trouble = "its arithmetic of " + type + " cannot give the bits of the canonical order: " + lack +
                                "; a strategy that options ask for promises none";
            return found;
        });
    }

    /// Goes down the ladder until kernels are right.
    UPSWEEP_INLINE self_check_verdict verdict_on_kernels() {
        const operation op = subject_.op;
        const std::vector<tuning> ladder = ladder_of(chosen_, op, limits_, subject_.value.size);
        std::vector<std::string> wrong{wrong_answer_or_launch(chosen_)};
        while (!wrong.back().empty() && wrong.size() < ladder.size())
            wrong.push_back(wrong_answer_or_build(ladder[wrong.size()]));
        const tuning& last = ladder[wrong.size() - 1];
        if (!wrong.back().empty()) {
            std::string trouble = "the self-check found no kernels that give right answers for " + class_name(subject_);
            for (std::size_t i = 0; i < wrong.size(); ++i)
                trouble += (i == 0 ? ": " : "; ") + kernel_family(ladder[i], op) + ": " + wrong[i];
            return {false, trouble, {}};
        }
        if (wrong.size() == 1) return {};
        const bool loses_bits = keeps_canonical_order(chosen_, op) && !keeps_canonical_order(last, op);
        tell(wrong[0], kernel_family(last, op) + (loses_bits ? ", in an order of combination of its own" : ""));
        return {false, {}, last};
    }

    /// A simpler kernel that does not even compile is as good as one that is wrong. So is one for which no time is
    /// left: the chosen one is known to be wrong.
    UPSWEEP_INLINE std::string wrong_answer_or_build(const tuning& t) {
        try {
            return wrong_answer_or_launch(t);
        } catch (const error& e) {
            if (e.status() != CL_BUILD_PROGRAM_FAILURE) throw;
            return "does not compile";
        } catch (const check_timeout&) {
            return "not checked in time";
        }
    }

    /// Kernels may take fewer work-items than the device does, and say so when they are launched.
    UPSWEEP_INLINE std::string wrong_answer_or_launch(const tuning& t) {
        try {
            return wrong_answer(t);
        } catch (const error& e) {
            if (!is_too_large_a_work_group(e.status())) throw;
            return too_large_a_work_group;
        }
    }

    /// Whether the order of combination is to show in the answers, and rounding.
    UPSWEEP_INLINE bool shows_order(const tuning& t) {
        const check_subject& s = subject_;
        if (!keeps_canonical_order(t, s.op)) return false;
        if (uses_words(s)) return words_in(s) == 1;
        return s.value.kind == number_kind::floating && s.value.size >= 4 && s.text.element.name == s.text.value.name &&
               host_keeps_bits() && verdict_on_arithmetic(float_formats[s.value.size == 4 ? 1 : 2]).trouble.empty();
    }

    /// What the kernels of a tuning get wrong; empty if nothing.
    UPSWEEP_INLINE std::string wrong_answer(const tuning& wanted) {
        const bool canonical = shows_order(wanted);
        const tuning t = tuning_to_check(wanted, subject_.op, (std::max)(subject_.element.size, subject_.value.size));
        if (limits_.ends_loops && goes_through_long_chunks(t, subject_))
            return "the device ends loops after 65535 iterations"; // not run: that may end the process
        const family kind = family_of(subject_.op, t);
        program_text text = check_text_of(subject_, canonical);
        const std::string source = build_source(text, compiled_tuning(t, kind), kind, false);
        return unless_passed(covered(t) + (canonical ? "; bits" : ""), t, source,
                             [&] { return run(t, programs_of(text, t, kind, source), canonical); });
    }

    /// The caller's own program where it is the one that a check runs, else one that is not kept.
    UPSWEEP_INLINE run_programs programs_of(const program_text& text, const tuning& t, family kind,
                                            const std::string& source) {
        program_key key = subject_.key;
        key.text = view_of(text);
        key.kind = kind;
        key.wide_index = false;
        key.tuning = compiled_tuning(t, kind);
        const auto build = [&](const program_text& part, const std::string& whole) {
            return std::make_shared<built_program>(bench().build(part, whole, build_options(t)));
        };
        run_programs programs;
        programs.elements = built_before(key);
        if (!programs.elements) programs.elements = build(text, source);
        programs.sums = programs.elements;
        if (needs_program_of_sums(key.text, t, subject_.op)) {
            program_text of_sums = text;
            of_sums.element.name = text.value.name;
            of_sums.element.size = text.value.size;
            programs.sums = build(of_sums, build_source(of_sums, t, kind, false));
        }
        return programs;
    }

    UPSWEEP_INLINE std::string run(const tuning& t, const run_programs& programs, bool canonical) {
        const std::vector<std::uint64_t> sizes = sizes_to_check(t, subject_);
        const known_answers answers = answers_of(subject_, sizes.back(), canonical);
        const bool reduces = record_of(subject_.op).results == result_count::one;
        std::string wrong;
        {
            const check_runs runs(bench(), subject_, t, programs, answers, sizes.back());
            for (const std::uint64_t n : sizes)
                if (wrong.empty()) wrong = run_forms(runs, n);
        }
        // Work-groups of sub-groups have a part each, where there are enough.
        if (!wrong.empty() || !reduces || t.algorithm != tile_algorithm::sub_group || t.work_groups <= checked_groups)
            return wrong;
        tuning with_few = t;
        with_few.work_groups = checked_groups;
        return run_forms(check_runs(bench(), subject_, with_few, programs, answers, sizes.back()), sizes.back());
    }

    /// All forms of a call of n elements. Where an inclusive scan cannot be in place, one more shows its initial value.
    UPSWEEP_INLINE std::string run_forms(const check_runs& runs, std::uint64_t n) {
        const bool reduces = record_of(subject_.op).results == result_count::one;
        const bool in_place = !reduces && subject_.text.element.name == subject_.text.value.name;
        const scan_kind kind = subject_.text.scan;
        std::string wrong;
        for (const bool exclusive : {true, false}) {
            if (kind != scan_kind::any && kind != kind_of(subject_.op, exclusive)) continue;
            if (wrong.empty()) wrong = runs.run(n, {exclusive, exclusive, false});
            if (wrong.empty() && !reduces && (in_place || !exclusive)) wrong = runs.run(n, {exclusive, true, in_place});
        }
        return wrong;
    }

    const char* function_;
    const device_limits& limits_;
    const check_subject& subject_;
    const tuning& chosen_;
    check_time time_;
    std::string device_;
    maybe<check_bench> bench_;
    maybe<self_check_report> found_;
};

/// The verdict for a call: known, or found now by a check.
/// @throws upsweep::error when nothing gives right answers, when the device's arithmetic cannot keep what the call
///         promises, and when an OpenCL call fails; then the next call checks again
UPSWEEP_INLINE const self_check_verdict& self_check(const char* function, const device_limits& limits,
                                                    const check_subject& subject) {
    maybe<self_check_report> found;
    const self_check_verdict* verdict = nullptr;
    {
        const std::lock_guard<std::mutex> guard(self_check_table::get().checking);
        self_checker checker(function, limits, subject);
        verdict = &checker.verdict();
        found = checker.found();
    }
    if (found) report(*found);
    if (!verdict->trouble.empty()) throw error(function, "device " + limits.name, verdict->trouble);
    return *verdict;
}

} // namespace upsweep::detail
