#pragma once

#include <upsweep/detail/program/self_check_verdict.hpp>
#include <upsweep/detail/self_check/arithmetic.hpp>
#include <upsweep/detail/self_check/run.hpp>
#include <upsweep/self_check.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// Checks that were passed, in files beside the binaries. Whatever goes wrong here is no error: the check is run again.
class remembered_check {
public:
    /// @param source  the whole text of what is checked; `what` says what is done with it
    remembered_check(cl_device_id device, const std::string& what, const std::string& options,
                     const std::string& source) {
        quietly([&] {
            folder_ = binary_cache_folder();
            if (!folder_.empty()) key_ = binary_key(device, options, what + '\n' + source);
        });
    }

    bool was_passed() const {
        bool passed = false;
        quietly([&] {
            if (key_.empty()) return;
            const auto content = read_file(folder_ / binary_file_name(key_));
            const auto entry = content ? decode(*content, key_) : std::nullopt;
            passed = entry && entry->kernels == mark;
        });
        return passed;
    }
    void remember() const {
        quietly([&] {
            if (!key_.empty() && write_file(folder_, binary_file_name(key_), encode(key_, {mark, ""})))
                limit_folder(folder_, binary_folder_limit);
        });
    }

private:
    static constexpr const char* mark = "self-check passed";

    template <class Step>
    static void quietly(Step&& step) {
        try {
            step();
        } catch (const std::exception&) { // nothing to report: see above
        }
    }

    std::filesystem::path folder_;
    std::string key_; ///< empty: nothing is remembered
};

/// Finds the verdict for one call. Used by one thread at a time, which holds the table's lock.
class self_checker {
public:
    self_checker(const char* function, const device_limits& limits, const check_subject& subject)
        : function_(function)
        , limits_(limits)
        , subject_(subject) {
        std::ostringstream device;
        device << static_cast<const void*>(subject.key.device) << ", ";
        device_ = device.str();
    }

    /// Where the time is over, nothing was found: kernels stay as chosen, and a report says that they were not checked.
    const self_check_verdict& verdict() {
        const std::string name =
            device_ + kernel_family(subject_.key.tuning, subject_.op) + "; " + class_name(subject_);
        try {
            return verdict_in_time(name);
        } catch (const check_timeout&) {
            found_ = {limits_.name, kernel_family(subject_.key.tuning, subject_.op) + "; " + class_name(subject_),
                      "not checked, because the check did not end within " + std::to_string(time_.limit().count()) +
                          " s (UPSWEEP_SELF_CHECK_SECONDS)",
                      "the same kernels, unchecked"};
            return known(name, [] { return self_check_verdict(); });
        }
    }

    /// What was found wrong, if that was now.
    const std::optional<self_check_report>& found() const { return found_; }

private:
    const self_check_verdict& verdict_in_time(const std::string& name) {
        if (subject_.promises_bits)
            for (const char* type : {"half", "float", "double"}) {
                if (!computes_in(subject_.text, type)) continue;
                const self_check_verdict& arithmetic = verdict_on_arithmetic(type);
                if (!arithmetic.trouble.empty()) return arithmetic;
            }
        return known(name, [&] { return verdict_on_kernels(); });
    }

    template <class Find>
    static const self_check_verdict& known(const std::string& name, const Find& find) {
        auto& verdicts = self_check_table::get().verdicts;
        const auto entry = verdicts.find(name);
        if (entry != verdicts.end()) return *entry->second;
        return *verdicts.emplace(name, std::make_unique<self_check_verdict>(find())).first->second;
    }

    const check_bench& bench() {
        if (!bench_) bench_.emplace(function_, subject_.key.context, subject_.key.device, time_);
        return *bench_;
    }

    const self_check_verdict& verdict_on_arithmetic(const std::string& type) {
        return known(device_ + "arithmetic of " + type, [&] {
            const std::size_t size = type == "half" ? 2 : type == "float" ? 4 : 8;
            const remembered_check memory(subject_.key.device, "arithmetic", build_options(tuning()),
                                          arithmetic_source(type));
            self_check_verdict found;
            if (memory.was_passed()) return found;
            const std::string lack = lack_of_arithmetic(bench(), {type, "", size});
            if (lack.empty())
                memory.remember();
            else
                found.trouble = "its arithmetic of " + type + " cannot give the bits of the canonical order: " + lack +
                                "; a strategy that options ask for promises none";
            return found;
        });
    }

    self_check_verdict verdict_on_kernels() {
        const tuning& chosen = subject_.key.tuning;
        self_check_verdict verdict;
        const std::string wrong = wrong_answer(chosen);
        if (wrong.empty()) return verdict;
        verdict.as_chosen = false;
        const std::string checked = kernel_family(chosen, subject_.op) + "; " + class_name(subject_);
        std::string all = kernel_family(chosen, subject_.op) + ": " + wrong;
        for (const tuning& simpler : simpler_tunings(chosen, subject_.op, limits_, subject_.value.size)) {
            const std::string also_wrong = wrong_answer_or_build(simpler);
            const std::string family = kernel_family(simpler, subject_.op);
            if (also_wrong.empty()) {
                verdict.instead = simpler;
                const bool loses_bits =
                    keeps_canonical_order(chosen, subject_.op) && !keeps_canonical_order(simpler, subject_.op);
                found_ = {limits_.name, checked, wrong,
                          family + (loses_bits ? ", in an order of combination of its own" : "")};
                return verdict;
            }
            all += "; " + family + ": " + also_wrong;
        }
        verdict.trouble =
            "the self-check found no kernels that give right answers for " + class_name(subject_) + ": " + all;
        return verdict;
    }

    /// A simpler kernel that does not even compile is as good as one that is wrong. So is one for which no time is
    /// left: the chosen one is known to be wrong.
    std::string wrong_answer_or_build(const tuning& t) {
        try {
            return wrong_answer(t);
        } catch (const error& e) {
            if (e.status() != CL_BUILD_PROGRAM_FAILURE) throw;
            return "does not compile";
        } catch (const check_timeout&) {
            return "not checked in time";
        }
    }

    /// Whether the order of combination and rounding are to show in the answers.
    bool shows_bits(const tuning& t) {
        const check_subject& s = subject_;
        return keeps_canonical_order(t, s.op) && s.value.kind == number_kind::floating && s.value.size >= 4 &&
               s.text.element.name == s.text.value.name && host_keeps_bits() &&
               verdict_on_arithmetic(s.text.value.name).trouble.empty();
    }

    /// What the kernels of a tuning get wrong; empty if nothing.
    std::string wrong_answer(const tuning& wanted) {
        const bool bits = shows_bits(wanted);
        const tuning t = tuning_to_check(wanted, subject_.op);
        const family kind = family_of(subject_.op, t.strategy);
        program_text text = check_text_of(subject_, bits);
        if (kind == family::look_back) add_tile_order(text);
        const std::string source = build_source(text, t, kind, false);
        const remembered_check memory(
            subject_.key.device, kernel_family(t, subject_.op) + "; " + class_name(subject_) + (bits ? "; bits" : ""),
            build_options(t), source);
        if (memory.was_passed()) return {};
        time_.throw_if_over();
        const run_programs programs = programs_of(text, t, kind, source);
        const std::string wrong = run(t, programs, bits);
        if (wrong.empty()) memory.remember();
        return wrong;
    }

    static void add_tile_order(program_text& text) {
        const bool own_type = !text.value.definition.empty();
        text.element.definition = check_tile_order + text.element.definition;
        if (own_type) text.value.definition = text.element.definition;
    }

    /// The caller's own program where it is the one that a check runs, else one that is not kept.
    run_programs programs_of(const program_text& text, const tuning& t, family kind, const std::string& source) {
        run_programs programs;
        if (!subject_.own_operator && subject_.value.kind != number_kind::other && kind != family::look_back) {
            program_key key = subject_.key;
            key.text = view_of(text);
            key.kind = kind;
            key.wide_index = false;
            key.tuning = t;
            programs.elements = built_before(key);
        }
        const auto build = [&](const program_text& part, const std::string& whole) {
            return std::make_shared<built_program>(bench().build(part, whole, build_options(t)));
        };
        if (!programs.elements) programs.elements = build(text, source);
        programs.sums = programs.elements;
        if (text.element.name != text.value.name && t.algorithm != tile_algorithm::sub_group) {
            program_text of_sums = text;
            of_sums.element.name = text.value.name;
            of_sums.element.size = text.value.size;
            programs.sums = build(of_sums, build_source(of_sums, t, kind, false));
        }
        return programs;
    }

    std::string run(const tuning& t, const run_programs& programs, bool bits) {
        const std::vector<std::uint64_t> sizes = sizes_to_check(t, subject_);
        const known_answers answers = answers_of(subject_, sizes.back(), bits);
        const check_runs runs(bench(), subject_, t, programs, answers, sizes.back());
        const bool in_place = record_of(subject_.op).results == result_count::per_element &&
                              subject_.text.element.name == subject_.text.value.name;
        for (const std::uint64_t n : sizes)
            for (const bool exclusive : {true, false}) {
                std::string wrong = runs.run(n, {exclusive, false});
                if (wrong.empty() && in_place) wrong = runs.run(n, {exclusive, true});
                if (!wrong.empty()) return wrong;
            }
        return {};
    }

    const char* function_;
    const device_limits& limits_;
    const check_subject& subject_;
    check_time time_;
    std::string device_;
    std::optional<check_bench> bench_;
    std::optional<self_check_report> found_;
};

/// The verdict for a call: known, or found now by a check.
/// @throws upsweep::error when nothing gives right answers, when the device's arithmetic cannot keep what the call
///         promises, and when an OpenCL call fails; then the next call checks again
inline const self_check_verdict& self_check(const char* function, const device_limits& limits,
                                            const check_subject& subject) {
    std::optional<self_check_report> found;
    const self_check_verdict* verdict = nullptr;
    {
        const std::lock_guard<std::mutex> guard(self_check_table::get().lock);
        self_checker checker(function, limits, subject);
        verdict = &checker.verdict();
        found = checker.found();
    }
    if (found) report(*found);
    if (!verdict->trouble.empty()) throw error(function, "device " + limits.name, verdict->trouble);
    return *verdict;
}

} // namespace upsweep::detail
