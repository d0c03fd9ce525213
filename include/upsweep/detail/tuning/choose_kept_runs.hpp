// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstdint>

/// The route for scans with operators that cost more than the memory (kept_runs.cl).
namespace upsweep::detail {

/// Scans of larger values do not keep their runs, whatever their operators cost. NVIDIA H200, 4 x 4 matrices of float
/// (64 bytes), 2^22: 64 x 8 with 168 registers 1874 us, by sub-groups 1210. Between 32 and 64 bytes a guess.
constexpr std::size_t most_kept_bytes = 32;

/// The sizes of a tile whose work-items keep their runs (kept_runs.cl).
struct kept_runs_config {
    std::uint32_t work_items;
    std::uint32_t items;         ///< per work-item, a power of two
    std::uint32_t direct_groups; ///< see look_back_lanes.cl
    std::uint32_t registers;     ///< per work-item, on NVIDIA devices
};

/// Of the entries that apply, the first counts.
struct kept_runs_entry {
    std::uint64_t most_size;  ///< bytes of a value
    std::uint64_t most_bytes; ///< of input
    kept_runs_config config;
};

/// A work-item applies the operator 2 * (items - 1) times to its run, and the sweeps over the sums of 256 runs take the
/// time of 3 applications per work-item, so long runs are better. Tiles stay below 48 KiB, and inputs of few bytes are
/// cut into more of them. NVIDIA H200, inclusive scans, us (CUB 717, 757 and 5347), and while runs were in registers:
/// log(exp(a) + exp(b)), 2^27 float: 128 x 64 with 64 registers 703, with 48 719, with 40 738; 256 x 32 with 48 776;
/// 128 x 32 with 40 782; 64 x 64 924; in registers 982. 2 x 2 matrices modulo a prime, 2^24 of 16 bytes: 128 x 16 with
/// 96 registers 441, with 128 452, with 64 474; 64 x 32 469; 64 x 16 557; 256 x 8 about 573; in registers 601.
/// log(exp(a) + exp(b)), 2^27 double: 256 x 16 with 48 registers 2924, with 64 2966; 128 x 32 3191; 128 x 16 3723; in
/// registers 6313. H100, 768 MiB: of 24 and 32 bytes by log(exp(a) + exp(b)) of floats, of doubles, and 2 x 2 matrices
/// of 64-bit integers modulo a prime, 128 x 8 with 96 registers 3712, 4928, 5889, 11722 and 3613, 256 x 4 with 64 3823,
/// 7162, 5937, 10675 and 5630, 128 x 8 with 64 4121, 5396, 10092, 12501 and 3940, 64 x 16 4254, 6036, 13086, 17002 and
/// 3626; by sub-groups the first two 5260 and 6098. The others are guesses.
inline constexpr kept_runs_entry kept_runs_table[] = {
    {4, mebibytes(4), {256, 8, 2, 64}}, {4, unlimited, {128, 64, 2, 64}},  {8, mebibytes(4), {256, 8, 2, 64}},
    {8, unlimited, {256, 16, 2, 48}},   {16, unlimited, {128, 16, 2, 96}}, {32, unlimited, {128, 8, 1, 96}},
};

UPSWEEP_INLINE const kept_runs_config& choose_kept_runs_config(std::uint64_t bytes, std::uint64_t size) {
    const kept_runs_entry* entry = kept_runs_table;
    while (size > entry->most_size || bytes > entry->most_bytes) ++entry;
    return entry->config;
}

/// Whether a scan that could run by sub-groups keeps its runs instead: the operator is costly, and the caller did not
/// ask for sub-groups or for sizes of theirs.
UPSWEEP_INLINE bool wants_kept_runs(const tuning_request& r) {
    return r.problem.op == operation::scan && r.problem.costly_operator && r.problem.value_size <= most_kept_bytes &&
           r.opts.algorithm == tile_algorithm::automatic && r.opts.run_packs == 0 && r.opts.registers == 0;
}

UPSWEEP_INLINE tuning choose_kept_runs(const tuning_request& r) {
    const std::size_t size = r.problem.value_size;
    const kept_runs_config& config = choose_kept_runs_config(r.problem.n * size, size);
    tuning t;
    t.strategy = strategy::look_back;
    t.algorithm = tile_algorithm::blelloch;
    t.canonical = true;
    t.staged = true;
    t.bank_padding = r.opts.bank_padding;
    use_lanes(t, r.device);
    t.direct_groups = config.direct_groups;
    t.registers = t.ptx ? config.registers : 0;
    t.work_items = floor_power_of_two(std::min<std::uint64_t>(config.work_items, r.device.max_work_group_size));
    t.items = config.items;
    while (t.items > 2 && local_bytes(t, size) > r.device.local_memory_bytes) t.items /= 2;
    while (t.work_items > sub_group_lanes && local_bytes(t, size) > r.device.local_memory_bytes) t.work_items /= 2;
    return t;
}

} // namespace upsweep::detail
