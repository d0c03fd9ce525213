// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/sub_groups.hpp>
#include <upsweep/detail/plan/launch_plan.hpp>
#include <upsweep/detail/program/binary_cache.hpp>
#include <upsweep/detail/program/build_log.hpp>
#include <upsweep/detail/program/built_program.hpp>
#include <upsweep/detail/program/program_key.hpp>
#include <upsweep/detail/source/packed_text.hpp>
#include <upsweep/detail/source/segment_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>
#include <upsweep/detail/values/shared_value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// Whether a build log has an error in `file`: "file:3:1: error: ...", "error: file:3:1: ..." or "file", line 3: error.
/// Places that are only mentioned, in notes and within messages, do not count.
UPSWEEP_INLINE bool blames(std::string_view log, const std::string& file) {
    const auto starts = [](std::string_view text, std::string_view part) {
        return text.substr(0, part.size()) == part;
    };
    while (!log.empty()) {
        const std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix((std::min)(line.size() + 1, log.size()));
        if (line.find("error") == std::string_view::npos) continue;
        const std::string_view place = starts(line, "error: ") ? line.substr(7) : line;
        if (starts(place, file + ':') || starts(place, '"' + file + '"')) return true;
    }
    return false;
}

/// What a build log says of a type's size (size_check_of), or nothing: its name and the host's bytes.
UPSWEEP_INLINE std::pair<std::string, std::string> size_mismatch(const std::string& log) {
    const std::string prefix = "upsweep_check_", middle = "_bytes_of_";
    for (std::size_t at = log.find(prefix); at != std::string::npos; at = log.find(prefix, at + 1)) {
        const std::size_t number = at + prefix.size();
        std::size_t end = number;
        while (end < log.size() && log[end] >= '0' && log[end] <= '9') ++end;
        if (end == number || log.compare(end, middle.size(), middle) != 0) continue;
        const std::size_t name = end + middle.size();
        std::size_t name_end = name;
        while (name_end < log.size() && is_identifier_part(log[name_end])) ++name_end;
        return {log.substr(name, name_end - name), log.substr(number, end - number)};
    }
    return {};
}

/// The first type that a build log says is unknown, or nothing.
UPSWEEP_INLINE std::string unknown_type(const std::string& log) {
    constexpr std::string_view words = "unknown type name '";
    const std::size_t at = log.find(words);
    return at == std::string::npos ? std::string() : name_at_beginning(log.substr(at + words.size()));
}

/// The type whose definition a build log blames: one whose size it has not found right, one that it does not know, or
/// else the value's.
UPSWEEP_INLINE std::string broken_type(const program_text& text, const std::string& log) {
    std::string name = size_mismatch(log).first;
    if (name.empty()) name = unknown_type(log);
    if (name.empty()) name = type_in_packed(text.op);
    if (name.empty()) name = users_name(text.value.name);
    const std::string marked = name == flagged_name ? type_in_flagged(text.value) : std::string();
    return marked.empty() ? name : users_name(marked);
}

/// The error for a failed build: whose text was at fault, and the log.
UPSWEEP_INLINE error build_error(const char* function, const program_text& text, const std::string& log,
                                 cl_int status) {
    const auto has = [&](const std::string& part) { return log.find(part) != std::string::npos; };
    const std::string packed = type_in_packed(text.op);
    const std::string name = packed.empty() ? users_name(text.value.name) : packed;
    // A broken type breaks its size and the operator as well, so it is looked for first.
    const auto broken = [&] {
        return error(function, "type " + broken_type(text, log), "its definition does not compile; log:\n" + log,
                     status);
    };
    // NVIDIA's compiler takes an unknown type for a variable where its size is checked.
    std::pair<std::string, std::string> measured = size_mismatch(log);
    const bool is_unknown =
        has("unknown type name '" + name + "'") || has("undeclared identifier '" + measured.first + "'");
    if (blames(log, "type") || is_unknown) return broken();
    if (has("upsweep_check_")) {
        const std::string marked = type_in_flagged(text.value);
        if (!marked.empty() && packed.empty())
            return error(function, "type " + marked,
                         "on the device its size, or its alignment in a struct, is not the host's; log:\n" + log,
                         status);
        if (measured.first.empty()) measured = {name, std::to_string(text.value.size)};
        return error(function, "type " + measured.first,
                     "its size on the device is not the host's " + measured.second + " bytes; log:\n" + log, status);
    }
    for (const char* part : {"keys", "values", "choice", "predicate", "equality"})
        if (blames(log, part)) return error(function, part, "does not compile; log:\n" + log, status);
    if (blames(log, "load")) return error(function, "input", "does not compile; log:\n" + log, status);
    if (blames(log, "store")) return error(function, "output", "does not compile; log:\n" + log, status);
    if (blames(log, "operator") || blames(log, "helpers"))
        return error(function, "operator", "does not compile; log:\n" + log, status);
    if (!unknown_type(log).empty()) return broken();
    const bool own = !text.op.helpers.empty() || !text.value.definition.empty() || is_users(text.op);
    return error(function, own ? "operator or type definition" : "clBuildProgram", "does not compile; log:\n" + log,
                 status);
}

/// The log of a program's build; empty where there is none.
UPSWEEP_INLINE std::string log_of(cl_program program, cl_device_id device) {
    std::size_t size = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS) return {};
    std::string log = std::string(size, '\0'); // not `log(`, a macro of some users'
    if (size > 0 && clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, &log[0], nullptr) != CL_SUCCESS)
        return {};
    while (!log.empty() && log.back() == '\0') log.pop_back();
    return log;
}

/// Called with the log of every build from source that succeeds; null at first. For tests.
UPSWEEP_INLINE shared_value<void (*)(const std::string& log)>& build_log_observer() {
    static auto* const observer = new shared_value<void (*)(const std::string& log)>(nullptr);
    return *observer;
}

UPSWEEP_INLINE cl::Program build_from_source(const char* function, cl_context context, cl_device_id device,
                                             const program_text& text, const std::string& source,
                                             const std::string& options) {
    cl_int status = CL_SUCCESS;
    const char* data = source.data();
    const std::size_t length = source.size();
    cl::Program program(clCreateProgramWithSource(context, 1, &data, &length, &status));
    check_status(status, function, "clCreateProgramWithSource");
    status = clBuildProgram(program(), 1, &device, options.c_str(), nullptr, nullptr);
    const std::string log = log_of(program(), device);
    if (status == CL_SUCCESS) {
        if (const auto observe = build_log_observer().load()) observe(log);
        if (warns_of_missing_return(log))
            throw error(function, "operator", "does not return on every path; log:\n" + translate_log(log, source));
        return program;
    }
    // Without a log it was not the text: the compiler is missing, say, or out of memory.
    if (log.empty() && status != CL_BUILD_PROGRAM_FAILURE) check_status(status, function, "clBuildProgram");
    throw build_error(function, text, translate_log(log, source), status);
}

/// How many programs this process has built, for tests and benchmarks.
struct build_counts {
    shared_value<std::uint64_t> from_source{0};
    shared_value<std::uint64_t> from_binary{0};

    UPSWEEP_INLINE static build_counts& get() {
        static auto* const counts = new build_counts; // never destroyed: see shared_value
        return *counts;
    }
};

/// A built program: from the cache on disk, or else from source.
UPSWEEP_INLINE cl::Program build_program(const char* function, cl_context context, cl_device_id device,
                                         const program_text& text, const std::string& source,
                                         const std::string& options) {
    const cached_program cached = reads_files(text) ? cached_program() : cached_program(device, options, source);
    cl::Program program = cached.load(context);
    if (program()) {
        build_counts::get().from_binary++;
        return program;
    }
    program = build_from_source(function, context, device, text, cached.own_text(source), options);
    build_counts::get().from_source++;
    cached.store(program());
    return program;
}

/// Programs by their keys: those that a plan keeps, or that of the process.
template <class>
class program_cache {
public:
    /// Those built so far in this process. Never destroyed, because drivers may be gone when statics are; emptied by
    /// `release_cached`.
    UPSWEEP_INLINE static program_cache& get() {
        static auto* const cache = new program_cache;
        return *cache;
    }

    /// Held while a program is built: threads with the same first use wait for one build, and those whose programs are
    /// there wait for none.
    std::mutex building;

    /// The program for a key, which is null where there can be none; no value where that is not known yet.
    UPSWEEP_INLINE maybe<std::shared_ptr<built_program>> find(const program_key& key) {
        const std::lock_guard<std::mutex> guard(lock_);
        return find_locked(key);
    }

    UPSWEEP_INLINE void add(const program_key& key, std::shared_ptr<built_program> program) {
        const std::lock_guard<std::mutex> guard(lock_);
        if (find_locked(key)) return;
        entry added{key.fingerprint(), key, std::make_shared<const program_text>(text_of(key.text)),
                    std::move(program)};
        added.key.text = view_of(*added.text);
        added.key.text.hooks.number = key.text.hooks.number;
        const std::size_t place = place_of(added.fingerprint);
        programs_.insert(programs_.begin() + static_cast<std::ptrdiff_t>(place), std::move(added));
    }

    /// Forgets a context's programs; with nullptr all.
    UPSWEEP_INLINE void release(cl_context context) {
        const std::lock_guard<std::mutex> guard(lock_);
        const auto is_of = [&](const entry& e) { return !context || e.key.context == context; };
        programs_.erase(std::remove_if(programs_.begin(), programs_.end(), is_of), programs_.end());
    }

private:
    struct entry {
        std::uint64_t fingerprint;
        program_key key;
        std::shared_ptr<const program_text> text; ///< what the key refers to
        std::shared_ptr<built_program> program;
    };

    UPSWEEP_INLINE maybe<std::shared_ptr<built_program>> find_locked(const program_key& key) {
        const std::uint64_t fingerprint = key.fingerprint();
        for (std::size_t i = place_of(fingerprint); i < programs_.size(); ++i) {
            if (programs_[i].fingerprint != fingerprint) break;
            if (!(programs_[i].key == key)) continue;
            programs_[i].key.text.hooks.number = key.text.hooks.number; // that of texts which were made again
            return programs_[i].program;
        }
        return {};
    }

    /// Where the first one of such keys is, or would be.
    UPSWEEP_INLINE std::size_t place_of(std::uint64_t fingerprint) const {
        const auto is_before = [](const entry& e, std::uint64_t f) { return e.fingerprint < f; };
        const auto found = std::lower_bound(programs_.begin(), programs_.end(), fingerprint, is_before);
        return static_cast<std::size_t>(found - programs_.begin());
    }

    std::mutex lock_;
    std::vector<entry> programs_; ///< in the order of fingerprints. A std::map would take compilers longer
};

/// True if the sub-groups of a built kernel hold 32 lanes. If the driver cannot report their size, trust the size that
/// the kernel requires: with any other it would not have been built.
UPSWEEP_INLINE bool has_sub_groups(const char* function, const program_key& key, built_program& program) {
    const pass::kind reduces = key.tuning.one_tile ? pass::kind::reduce_few : pass::kind::reduce_once;
    const pass::kind kind = key.kind == family::reduce ? reduces : pass::kind::look_back;
    const char* const own = kernel_that_reads_all(key.kind);
    const char* const name = own ? own : record_of(kind).kernel;
    const cl::Kernel kernel = program.make_kernel(name, function);
    const std::size_t size = sub_group_size_of(kernel(), key.device, key.tuning.work_items);
    return size == 0 ? key.tuning.sub_group_size != 0 : holds_lanes(size);
}

/// The program for a key if there is one.
UPSWEEP_INLINE std::shared_ptr<built_program> built_before(const program_key& key) {
    return program_cache<UPSWEEP_LATER>::get().find(key).value_or(nullptr);
}

/// The program for a key: from the cache, or built. Concurrent first uses of one key build once. Null if the
/// sub-groups that it needs turn out to be missing.
UPSWEEP_INLINE std::shared_ptr<built_program> find_program(const char* function, const device_limits& limits,
                                                           const program_key& key) {
    auto& cache = program_cache<UPSWEEP_LATER>::get();
    if (const auto found = cache.find(key)) return *found;
    const std::lock_guard<std::mutex> guard(cache.building);
    if (const auto found = cache.find(key)) return *found; // meanwhile
    const program_text text = text_of(key.text);
    check_text(function, text, limits);
    const std::string source = build_source(text, key.tuning, key.kind, key.wide_index);
    auto built = std::make_shared<built_program>(
        build_program(function, key.context, key.device, text, source, build_options(key.tuning, text.build_options)));
    if (are_sub_groups(key.tuning.lanes) && !has_sub_groups(function, key, *built)) built = nullptr;
    cache.add(key, built);
    return built;
}

/// The same of a call whose plan keeps programs, which then has it, whatever `release_cached` does.
/// @param kept  null: there is no plan
UPSWEEP_INLINE std::shared_ptr<built_program> find_program(const char* function, const device_limits& limits,
                                                           const program_key& key, program_cache<UPSWEEP_LATER>* kept) {
    if (!kept) return find_program(function, limits, key);
    if (const auto found = kept->find(key)) return *found;
    auto program = find_program(function, limits, key);
    kept->add(key, program);
    return program;
}

} // namespace upsweep::detail
