// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/choose_costly.hpp>
#include <upsweep/detail/tuning/choose_sub_groups.hpp>
#include <upsweep/detail/tuning/choose_tiles.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <string>

namespace upsweep::detail {

/// The ways to run a problem, of which one is chosen first.
enum class route {
    sub_groups,    ///< one launch, by sub-groups
    kept_runs,     ///< one launch, by tiles that look back and whose work-items keep their runs
    one_work_item, ///< work-groups of a single work-item, which go through their elements
    tiles          ///< work-groups of several work-items, by textbook algorithms
};

/// Options that mean something in tile algorithm sub_group only are errors in any other.
UPSWEEP_INLINE void refuse_options_of_lanes(const tuning_request& r) {
    if (r.opts.registers != 0 && !r.device.has_ptx) r.refuse(registers_need_nvidia);
    const auto refuse_unless_0 = [&](const char* option, std::uint32_t value) {
        if (value != 0)
            r.refuse(std::string(option) +
                     ": only for tile_algorithm sub_group, which these options or this device rule out");
    };
    refuse_unless_0("registers", r.opts.registers);
    refuse_unless_0("run_packs", r.opts.run_packs);
}

UPSWEEP_INLINE route choose_route(const tuning_request& r) {
    if (wants_sub_groups(r)) return wants_kept_runs(r) ? route::kept_runs : route::sub_groups;
    refuse_options_of_lanes(r);
    return choose_work_groups(r).work_items == 1 ? route::one_work_item : route::tiles;
}

/// The strategy where the size of a tile decides.
UPSWEEP_INLINE strategy strategy_of_tiles(const tuning& t, const problem_size& problem) {
    return problem.n <= t.tile() ? strategy::single_tile : strategy::reduce_then_scan;
}

/// What options ask for, on a device without faults.
UPSWEEP_INLINE tuning resolve_as_asked(const char* function, const options& opts, const device_limits& device,
                                       const problem_size& problem) {
    const tuning_request request{function, opts, device, problem};
    const route way = choose_route(request);
    tuning t;
    if (way == route::sub_groups) {
        t = choose_sub_groups(request);
    } else if (way == route::kept_runs) {
        t = choose_kept_runs(request);
    } else {
        t = choose_work_groups(request);
        if (way == route::one_work_item)
            choose_one_work_item(t, request);
        else
            choose_tiles(t, request);
        if (t.strategy == strategy::automatic) t.strategy = strategy_of_tiles(t, problem);
    }
    check_tuning(function, t, device, problem);
    return t;
}

/// Where a device's compiler may be wrong for work-groups of several work-items: what is automatic with one. It keeps
/// the canonical order wherever several would. Values that are too large for the stacks of a work-item on its own go by
/// small tiles.
UPSWEEP_INLINE tuning resolve_for_one_work_item(const tuning_request& r) {
    options open;
    open.reproducible = r.opts.reproducible;
    open.work_groups = r.opts.work_groups;
    const bool is_large = wants_tiles(r.device, r.problem.value_size);
    if (!is_large && (r.opts.strategy == strategy::look_back || r.opts.strategy == strategy::chunked))
        open.strategy = r.opts.strategy;
    open.work_items = is_large ? 0 : 1;
    tuning t = resolve_as_asked(r.function, open, r.device, r.problem);
    if (!is_large) return t;
    take_one_work_item(t, r.problem.value_size);
    t.strategy = strategy_of_tiles(t, r.problem);
    check_tuning(r.function, t, r.device, r.problem);
    return t;
}

/// Refuses numbers that are no enumerators.
UPSWEEP_INLINE void check_enumerators(const char* function, const options& opts) {
    const auto refuse_unknown = [&](const char* option, auto value) {
        if (!is_enumerator(value))
            reject(function,
                   std::string(option) + ": " + std::to_string(static_cast<long long>(value)) + " is no enumerator");
    };
    refuse_unknown("strategy", opts.strategy);
    refuse_unknown("algorithm", opts.algorithm);
    refuse_unknown("reduction", opts.reduction);
    refuse_unknown("loading", opts.loading);
}

/// The pure function behind every run: (options, device, problem) -> tuning. Throws `upsweep::error` when the options
/// ask for what the device cannot do. `choose_tuning` (loaded_tuning.hpp) looks into tuning files before.
UPSWEEP_INLINE tuning resolve_options(const char* function, const options& opts, const device_limits& device,
                                      const problem_size& problem) {
    check_enumerators(function, opts);
    const tuning t = resolve_as_asked(function, opts, device, problem);
    if (t.work_items <= most_work_items(device)) return t;
    return resolve_for_one_work_item({function, opts, device, problem});
}

} // namespace upsweep::detail
