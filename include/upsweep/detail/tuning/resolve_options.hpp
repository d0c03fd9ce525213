#pragma once

#include <upsweep/detail/tuning/choose_sub_groups.hpp>
#include <upsweep/detail/tuning/choose_tiles.hpp>

#include <string>
#include <utility>

namespace upsweep::detail {

/// The ways to run a problem, of which one is chosen first.
enum class route {
    sub_groups,    ///< one launch, by sub-groups
    one_work_item, ///< work-groups of a single work-item, which go through their elements
    tiles          ///< work-groups of several work-items, by textbook algorithms
};

/// Options that mean something in tile algorithm sub_group only are errors in any other.
inline void refuse_options_of_lanes(const char* function, const options& opts, const device_limits& device) {
    if (opts.registers != 0 && !device.has_ptx) reject(function, registers_need_nvidia);
    for (const auto& option :
         {std::make_pair("registers", opts.registers), std::make_pair("run_packs", opts.run_packs)})
        if (option.second != 0)
            reject(function, std::string(option.first) +
                                 ": only for tile_algorithm sub_group, which these options or this device rule out");
}

inline route choose_route(const char* function, const options& opts, const device_limits& device,
                          const problem_size& problem) {
    if (wants_sub_groups(function, opts, device, problem)) return route::sub_groups;
    refuse_options_of_lanes(function, opts, device);
    return choose_work_groups(opts, device, problem).work_items == 1 ? route::one_work_item : route::tiles;
}

/// The pure function behind every run: (options, device, problem) -> tuning. Throws `upsweep::error` when the options
/// ask for what the device cannot do. `choose_tuning` (loaded_tuning.hpp) looks into tuning files before.
inline tuning resolve_options(const char* function, const options& opts, const device_limits& device,
                              const problem_size& problem) {
    const route way = choose_route(function, opts, device, problem);
    tuning t;
    if (way == route::sub_groups) {
        t = choose_sub_groups(function, opts, device, problem);
    } else {
        t = choose_work_groups(opts, device, problem);
        if (way == route::one_work_item)
            choose_one_work_item(t, opts, problem);
        else
            choose_tiles(t, opts, device, problem);
        if (t.strategy == strategy::automatic)
            t.strategy = problem.n <= t.tile() ? strategy::single_tile : strategy::reduce_then_scan;
    }
    check_tuning(function, t, device, problem);
    return t;
}

} // namespace upsweep::detail
