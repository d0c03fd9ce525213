// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/choose_kept_runs.hpp>
#include <upsweep/detail/tuning/choose_sub_groups.hpp>
#include <upsweep/detail/tuning/choose_tiles.hpp>

#include <string>
#include <utility>

namespace upsweep::detail {

/// The ways to run a problem, of which one is chosen first.
enum class route {
    sub_groups,    ///< one launch, by sub-groups
    kept_runs,     ///< one launch, by tiles that look back and whose work-items keep their runs
    one_work_item, ///< work-groups of a single work-item, which go through their elements
    tiles          ///< work-groups of several work-items, by textbook algorithms
};

/// Options that mean something in tile algorithm sub_group only are errors in any other.
inline void refuse_options_of_lanes(const tuning_request& r) {
    if (r.opts.registers != 0 && !r.device.has_ptx) r.refuse(registers_need_nvidia);
    for (const auto& option :
         {std::make_pair("registers", r.opts.registers), std::make_pair("run_packs", r.opts.run_packs)})
        if (option.second != 0)
            r.refuse(std::string(option.first) +
                     ": only for tile_algorithm sub_group, which these options or this device rule out");
}

inline route choose_route(const tuning_request& r) {
    if (wants_sub_groups(r)) return wants_kept_runs(r) ? route::kept_runs : route::sub_groups;
    refuse_options_of_lanes(r);
    return choose_work_groups(r).work_items == 1 ? route::one_work_item : route::tiles;
}

/// The pure function behind every run: (options, device, problem) -> tuning. Throws `upsweep::error` when the options
/// ask for what the device cannot do. `choose_tuning` (loaded_tuning.hpp) looks into tuning files before.
inline tuning resolve_options(const char* function, const options& opts, const device_limits& device,
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
        if (t.strategy == strategy::automatic)
            t.strategy = problem.n <= t.tile() ? strategy::single_tile : strategy::reduce_then_scan;
    }
    check_tuning(function, t, device, problem);
    return t;
}

} // namespace upsweep::detail
