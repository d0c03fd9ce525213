// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/engine/engine.hpp>
#include <upsweep/detail/program/program_key.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace upsweep::detail {

/// A plan's calls have no more elements than it was made for.
UPSWEEP_INLINE void check_capacity(const char* function, std::uint64_t n, std::uint64_t most) {
    if (n > most)
        throw error(function, "input",
                    std::to_string(n) + " elements are more than the plan's " + std::to_string(most));
}

/// What a plan keeps. Programs for one kind of scan, and for arrays at multiples of 16 bytes, are smaller and faster
/// (compiles_kinds_apart, compiles_places_apart in engine.hpp). Where kernels have such programs, a plan is made with
/// one for each kind, for such arrays; the first call on other arrays makes one for these. H100, 2^28 elements,
/// exclusive scans of uint16 by one program for all 535 us, by a program of its own 374.
class plan_engines {
public:
    UPSWEEP_INLINE plan_engines(const char* function, const queue_facts& queue, operation op, std::uint64_t n,
                                const call_types& types, const options& opts)
        : text_(text_of(types.text))
        , counter_(types.counter)
        , types_(types)
        , opts_(opts)
        , op_(op)
        , n_(n) {
        types_.text = view_of(text_);
        types_.counter = counter_;
        const bool is_scan = op == operation::scan;
        first_ = make(function, queue, is_scan ? scan_kind::exclusive : scan_kind::any, true);
        if (is_scan && first_.scan != scan_kind::any) second_ = make(function, queue, scan_kind::inclusive, true);
    }
    plan_engines(const plan_engines&) = delete;
    plan_engines& operator=(const plan_engines&) = delete;

    /// The engine whose tuning and launches are the plan's.
    UPSWEEP_INLINE const engine& main() const { return first_; }

    /// Scratch that is enough for calls on arrays at multiples of 16 bytes; for others too, unless a self-check finds
    /// that the device does not run their program.
    UPSWEEP_INLINE std::uint64_t scratch_bytes() const {
        return (std::max)(first_.full.scratch_bytes, second_.full.scratch_bytes);
    }

    /// @param n     of a call
    /// @param load  its load hook; empty: its elements are an array's
    /// @throws upsweep::error where it is not what the plan was made for
    UPSWEEP_INLINE void check_call(const char* function, const queue_facts& queue, std::uint64_t n,
                                   std::string_view load) const {
        check_same_device(function, first_, queue);
        check_capacity(function, n, n_);
        if (load == text_.hooks.load) return;
        throw error(function, "input",
                    load.empty() ? "an array, but the plan was made for computed elements"
                    : text_.hooks.load.empty()
                        ? "computed elements, but the plan was made for an array"
                        : "elements that are computed by another text than the plan was made for");
    }

    /// The engine for a call. Makes it for the first call that is neither of those that the plan was made with.
    /// @param is_aligned  whether its arrays begin at multiples of 16 bytes
    UPSWEEP_INLINE const engine& of(const char* function, const queue_facts& queue, scan_kind kind,
                                    bool is_aligned) const {
        if (serves(first_, kind, is_aligned)) return first_;
        if (serves(second_, kind, is_aligned)) return second_;
        engine& other = others_[kind == scan_kind::inclusive ? 1 : 0];
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (other.limits) return other;
        }
        // Not under the lock: a self-check calls a handler, which may call the plan.
        engine made = make(function, queue, kind, is_aligned);
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!other.limits) other = std::move(made); // else another thread was first
        return other;
    }

private:
    UPSWEEP_INLINE engine make(const char* function, const queue_facts& queue, scan_kind kind, bool is_aligned) const {
        call_types own = of_kind(types_, kind);
        own.text.is_aligned = is_aligned;
        return make_engine(function, queue, op_, n_, own, opts_);
    }
    UPSWEEP_INLINE static bool serves(const engine& e, scan_kind kind, bool is_aligned) {
        return e.limits && (e.scan == scan_kind::any || e.scan == kind) && (is_aligned || !e.is_aligned);
    }

    program_text text_;
    std::string counter_;
    call_types types_; ///< of text_ and counter_
    options opts_;
    operation op_;
    std::uint64_t n_;
    engine first_;
    engine second_; ///< without limits: not made
    mutable std::mutex mutex_;
    mutable engine others_[2];
};

} // namespace upsweep::detail
