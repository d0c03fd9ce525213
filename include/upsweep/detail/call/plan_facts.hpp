// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls.hpp>
#include <upsweep/tuning.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace upsweep::detail {

/// What a plan keeps of its making. A move copies it, so that a plan that was moved from is whole.
template <class T>
class kept_value {
public:
    kept_value(T value)
        : value_(std::move(value)) {}
    kept_value(const kept_value&) = default;
    kept_value& operator=(const kept_value&) = default;

    operator const T&() const noexcept { return value_; }

private:
    T value_;
};

/// What plans say of themselves.
/// @tparam Prepared  what is behind a plan: `plan_engines`, `prepared_selection`
template <class Prepared>
class plan_facts {
public:
    /// The most elements of a call.
    std::size_t capacity() const noexcept { return capacity_; }
    /// What was chosen for the device, the types and the capacity.
    const upsweep::tuning& tuning() const noexcept { return tuning_of(*prepared_); }
    /// The launch plan for `n` elements, up to the capacity, to look at or to print. Nothing is launched.
    upsweep::launch_plan launches(std::size_t n) const { return launches_of(*prepared_, n); }
    /// The launch plan for the capacity.
    const upsweep::launch_plan& launches() const { return launches_of(*prepared_); }
    /// Bytes of scratch that are enough for any number of elements up to the capacity.
    std::size_t workspace_bytes() const { return static_cast<std::size_t>(scratch_bytes_of(*prepared_)); }

protected:
    explicit plan_facts(std::size_t capacity, std::shared_ptr<const Prepared> prepared = nullptr)
        : capacity_(capacity)
        , prepared_(std::move(prepared)) {}

    // Moves are copies, which share what is behind them.
    plan_facts(const plan_facts&) = default;
    plan_facts& operator=(const plan_facts&) = default;

    /// For a plan that was made without.
    void set(std::shared_ptr<const Prepared> prepared) { prepared_ = std::move(prepared); }
    const Prepared& prepared() const noexcept { return *prepared_; }

private:
    std::size_t capacity_;
    std::shared_ptr<const Prepared> prepared_;
};

} // namespace upsweep::detail
