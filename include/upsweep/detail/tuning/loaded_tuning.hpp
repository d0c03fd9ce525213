// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/tuning/resolve_options.hpp>
#include <upsweep/detail/tuning/tuning_entry.hpp>
#include <upsweep/detail/tuning/tuning_text.hpp>
#include <upsweep/detail/values/environment.hpp>
#include <upsweep/detail/values/files.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>
#include <upsweep/detail/values/maybe.hpp>
#include <upsweep/error.hpp>
#include <upsweep/tuning.hpp>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

namespace upsweep::detail {

/// @throws upsweep::error where the file cannot be read or a line is bad
UPSWEEP_INLINE tuning_entries read_tuning_file(const std::string& path) {
    const file_facts facts = facts_of(path);
    if (facts.exists && !facts.is_regular) throw error("load_tuning", path, "is no regular file");
    std::FILE* const file = open_file(path);
    if (!file) throw error("load_tuning", path, "cannot be opened");
    const maybe<std::string> text = read_and_close(file);
    if (!text) throw error("load_tuning", path, "cannot be read");
    return read_tuning(*text, path);
}

/// The entries of this process: what a program loaded, and the file that the environment names, which comes first.
/// Never destroyed: code that runs at exit may still look something up.
class tuning_registry {
public:
    UPSWEEP_INLINE static tuning_registry& get() {
        static auto* const one = new tuning_registry;
        return *one;
    }

    UPSWEEP_INLINE void add(const tuning_entries& some) {
        const std::lock_guard<std::mutex> guard(lock_);
        append_all(loaded_, some);
        is_empty_ = false;
    }

    /// Entries that a program loaded.
    UPSWEEP_INLINE std::size_t size() {
        const std::lock_guard<std::mutex> guard(lock_);
        return loaded_.size();
    }

    /// As at the start of the process: the environment will be asked again.
    UPSWEEP_INLINE void clear() {
        const std::lock_guard<std::mutex> guard(lock_);
        loaded_.clear();
        from_environment_.clear();
        environment_read_ = false;
        is_off_ = false;
        is_empty_ = false;
    }

    /// Whether it is known that nothing can be found: what most calls ask, and all that they pay.
    UPSWEEP_INLINE bool is_empty() {
        const std::lock_guard<std::mutex> guard(lock_);
        return is_empty_;
    }

    /// The entry for a problem; none where none applies or the caller decided otherwise. Of several the last counts.
    /// @throws upsweep::error where the environment's file cannot be read; at every call until it can
    UPSWEEP_INLINE std::shared_ptr<const tuning_entry> find(const char* function, const options& opts,
                                                            const std::string& device, const problem_size& problem) {
        const std::lock_guard<std::mutex> guard(lock_);
        if (!environment_read_) read_environment(function);
        if (is_off_) return nullptr;
        for (const tuning_entries* some : {&from_environment_, &loaded_})
            for (std::size_t i = some->size(); i > 0; --i) {
                const std::shared_ptr<const tuning_entry>& entry = (*some)[i - 1];
                if (entry->applies_to(device, problem) && entry->agrees_with(opts)) return entry;
            }
        return nullptr;
    }

private:
    UPSWEEP_INLINE void read_environment(const char* function) {
        const std::string path(environment("UPSWEEP_TUNING"));
        try {
            if (!path.empty() && !is_off(path)) from_environment_ = read_tuning_file(path);
        } catch (const error& e) {
            throw error(function, "UPSWEEP_TUNING", e.argument() + ": " + e.cause());
        }
        environment_read_ = true;
        is_off_ = is_off(path);
        is_empty_ = is_off_ || (from_environment_.empty() && loaded_.empty());
    }

    std::mutex lock_;
    tuning_entries loaded_;
    tuning_entries from_environment_;
    bool environment_read_ = false;
    bool is_off_ = false;   ///< said the environment
    bool is_empty_ = false; ///< false as long as that is not known
};

/// What an entry makes of a problem.
/// @throws upsweep::error naming the entry, where the device cannot run it, or where it would change the order of
/// combination that `automatic` promises
UPSWEEP_INLINE tuning tuning_of(const char* function, const tuning_entry& entry, const device_limits& device,
                                const problem_size& problem) {
    const auto refuse = [&](const std::string& cause) { throw error(function, "tuning entry " + entry.place, cause); };
    tuning t;
    try {
        t = resolve_options(function, entry.choices, device, problem);
    } catch (const error& e) {
        refuse(e.cause());
    }
    if (!problem.exact_operator && !keeps_canonical_order(t, problem.op) &&
        keeps_canonical_order(resolve_options(function, {}, device, problem), problem.op))
        refuse("its choices would combine in another order than the canonical one, which is promised here for floats "
               "and operators of one's own");
    return t;
}

/// The tuning of a run: that of a loaded entry, where there is one for this device and problem that agrees with what
/// the caller decided, else the library's own.
/// @throws upsweep::error where the options, the entry or the environment's file ask for what cannot be
UPSWEEP_INLINE tuning choose_tuning(const char* function, const options& opts, const device_limits& device,
                                    const problem_size& problem) {
    tuning_registry& registry = tuning_registry::get();
    if (registry.is_empty()) return resolve_options(function, opts, device, problem);
    const auto entry = registry.find(function, opts, device.name, problem);
    return entry ? tuning_of(function, *entry, device, problem) : resolve_options(function, opts, device, problem);
}

} // namespace upsweep::detail
