// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>

#include <algorithm>
#include <cstdint>

/// The route for scans with operators that cost more than the memory (kept_runs.cl).
namespace upsweep::detail {

/// Whether a scan that could run by sub-groups keeps its runs instead: the operator is costly, and the caller did not
/// ask for sub-groups or for sizes of theirs.
inline bool wants_kept_runs(const tuning_request& r) {
    return r.problem.op == operation::scan && r.problem.costly_operator && r.problem.value_size <= most_kept_bytes &&
           r.opts.algorithm == tile_algorithm::automatic && r.opts.run_packs == 0 && r.opts.registers == 0;
}

inline tuning choose_kept_runs(const tuning_request& r) {
    const std::size_t size = r.problem.value_size;
    const kept_runs_config& config = choose_kept_runs_config(r.problem.n * size, size);
    tuning t;
    t.strategy = strategy::look_back;
    t.algorithm = tile_algorithm::blelloch;
    t.canonical = true;
    t.staged = true;
    t.bank_padding = r.opts.bank_padding;
    t.lanes = r.device.lanes;
    t.ptx = r.device.lanes == lanes_backend::ptx;
    t.sub_group_size = r.device.sub_group_size;
    t.opencl_c = r.device.opencl_c;
    t.direct_groups = config.direct_groups;
    t.registers = t.ptx ? config.registers : 0;
    t.work_items = floor_power_of_two(std::min<std::uint64_t>(config.work_items, r.device.max_work_group_size));
    t.items = config.items;
    while (t.items > 2 && local_bytes(t, size) > r.device.local_memory_bytes) t.items /= 2;
    while (t.work_items > sub_group_lanes && local_bytes(t, size) > r.device.local_memory_bytes) t.work_items /= 2;
    return t;
}

} // namespace upsweep::detail
