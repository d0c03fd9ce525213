// SPDX-License-Identifier: MIT
// Calls with a tuning that is chosen for another device than the one at hand.
#pragma once

#include <upsweep/detail/tuning/resolve_options.hpp>

#include "device_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace fixture {

/// A device like an NVIDIA H200.
detail::device_limits large_nvidia_gpu();

/// Whether the device is PoCL's of version 5 or later, whose compiler fails on kept runs.
bool breaks_kept_runs();

/// A tuning of an NVIDIA device for the device at hand: unchanged if that is one, else the same sizes and the same
/// order of work, by its own sub-groups or, in tiles, by none. None if the device lacks what it needs.
std::optional<upsweep::tuning> adapted(upsweep::tuning t, const detail::device_limits& to);

/// An engine with this tuning, without a self-check.
detail::engine engine_of(const detail::queue_facts& queue, detail::operation what, std::uint64_t n,
                         const detail::call_types& types, const upsweep::tuning& t);

/// Runs a call of n elements with this tuning, without a self-check; blocking.
/// @param clears_scratch  so that what a launch counts begins at zero
void run_with(const cl::CommandQueue& queue, detail::call_arguments& call, std::uint64_t n,
              const detail::call_types& types, const upsweep::tuning& t, bool clears_scratch);

/// How a call with a tuning differs from the plainest.
struct tuned_form {
    bool exclusive = false;
    bool in_place = false;
    bool clears_scratch = false; ///< of run_with
    std::size_t guard = 64;      ///< elements before the arrays, which decide their alignment
};

/// What a call with this tuning gives: one value per element, or one. Checks the guards.
/// @param init  null: none
template <class T, class Op>
std::vector<T> run_tuned(const cl::CommandQueue& queue, detail::operation what, const std::vector<T>& input,
                         const T* init, const Op& op, const upsweep::tuning& t, const tuned_form& form = {}) {
    const auto results = static_cast<std::size_t>(detail::results_of(what, input.size()));
    const guarded_array<T> from(queue, input, form.guard);
    const guarded_array<T> separate(queue, form.in_place ? 0 : results, form.guard);
    const guarded_array<T>& to = form.in_place ? from : separate;
    const T any{};
    const upsweep::wait_list none;
    detail::call_arguments call;
    call.function = "test";
    call.op = what;
    call.queue = queue();
    call.in = detail::untyped(from.input());
    call.out = detail::untyped(to.view());
    call.exclusive = form.exclusive;
    call.has_init = init != nullptr;
    call.init = init ? init : &any;
    call.after = &none;
    run_with(queue, call, input.size(), detail::types_of<T, T>(op), t, form.clears_scratch);
    CHECK(to.guards_intact());
    return to.values();
}

} // namespace fixture
