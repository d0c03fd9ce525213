// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// Operators that cost more than the memory: scans that keep their runs (kept_runs.cl), which is a route of its own,
/// and reductions that take steps of several rounds (reduce_steps.cl), of the route by sub-groups.
namespace upsweep::detail {

/// What takes such steps has so many bytes at least. H200, 8, 16, 32 and 64 MiB, us, in rounds and in steps: 2 x 2
/// matrices modulo a prime 14.4, 18.7, 26.5, 40.7 and 21.8, 22.5, 24.0, 38.6, float by log(exp(a) + exp(b)) 12.5, 16.4,
/// 23.9, 41.8 and 18.7, 19.3, 23.9, 39.8.
constexpr std::uint64_t costly_reduction_bytes = mebibytes(32);
/// From so many on fewer and larger work-groups are faster, and values of more than 16 bytes take steps. H200, 32, 64,
/// 128 and 256 MiB of products modulo a prime, in rounds and in steps: 6 of uint 42, 90, 92, 176 and 51, 79, 98, 147, 8
/// of uint 31, 50, 83, 140 and 36, 48, 69, 112. But 3 of uint, which take none: 28, 44, 72, 121 and 40, 47, 76, 112.
constexpr std::uint64_t large_costly_bytes = mebibytes(64);
/// Larger values take none, whatever their operators cost: a guess. H100, 768 MiB of 12, 16, 24 and 32 bytes by
/// log(exp(a) + exp(b)) of each float, us, by steps 238, 308, 358 and 335, by rounds 267, 356, 456 and 457.
constexpr std::size_t most_costly_bytes = 32;

/// The least bytes of an array of elements of `size` bytes that is reduced by steps, by an operator whose text is long
/// or not; 0: none is.
constexpr std::uint64_t least_costly_bytes(std::size_t size, bool is_long) {
    if (size > most_costly_bytes) return 0;
    if (is_long || size <= 8 || size == 16) return costly_reduction_bytes;
    return size > 16 ? large_costly_bytes : 0;
}

/// Whether a reduction of elements of `size` bytes takes such steps.
UPSWEEP_INLINE bool takes_steps(const tuning_request& r, std::size_t size) {
    const std::uint64_t least = least_costly_bytes(size, r.problem.long_operator);
    return r.problem.op == operation::reduce && r.problem.costly_operator && r.opts.run_packs == 0 && least != 0 &&
           r.problem.n * size >= least;
}

/// Their shapes on NVIDIA devices; the packs of a round on all.
///
/// log(exp(a) + exp(b)), H100, us: 2^27 float, 256 work-items with 8 packs and 128 registers 282, with 80 323, with 4
/// packs 326; 512 with 8 packs 298, with 4 362. 2^26 double, 512 with 4 packs and 64 registers 587, with 8 614; 256
/// with 4 packs 599, with 8 and more registers 652 and 717. Of a double's time more is the operator's than with CUB,
/// which combines a long sum with one element each time: log1p of small numbers takes one path, log1p of neighbours'
/// two (150 and 240 instructions, measured in a kernel of nothing else). 768 MiB of 12, 16, 24 and 32 bytes, 8 and 4
/// packs: 238 and 340, 308 and 447, 367 and 358, 352 and 335. H200, 2^27 float: 256 with 8 packs and 128 registers 260,
/// four times on a compute unit with 64 225, 512 with 64 222, 1024 220; 128 with 64 250. 2^27 double, 512 and 1024 with
/// 4 packs and 64 registers 1042, 1008.
///
/// Products modulo a prime, H200, 256 MiB: uint, 256 with 8 packs four times, 512 and 1024 with 64 registers 92, 87,
/// 84; two of uint, 512 with 4 and with 8 packs 95, 83, 1024 with 8 85; 4 of uint, 256 with 8 packs, 128 and 80
/// registers, 512 and 1024 with 64 103, 100, 98, 96 (in rounds 109); 2 x 2 matrices likewise 111, 110, 107, 102 (121;
/// CUB 106); 6 of uint, 256 with 4 packs, 128 and 80 registers 157, 147, 512 with 112 163; 8 of uint, 256 with 8 and 4
/// packs and 128 registers 115, 119, 512 with 8 112.
UPSWEEP_INLINE sub_group_config costly_reduction_config(std::size_t size, bool is_long, std::uint64_t bytes) {
    const bool is_large = bytes >= large_costly_bytes;
    if (size <= 4) return is_large ? sub_group_config{1024, 8, 8, 64, 0, 1} : sub_group_config{256, 8, 8, 64, 0, 4};
    if (is_long && size <= 8)
        return is_large ? sub_group_config{1024, 4, 4, 64, 0, 1} : sub_group_config{512, 4, 4, 64, 0, 2};
    if (is_long) return size <= 16 ? sub_group_config{256, 8, 8, 128, 0, 2} : sub_group_config{256, 4, 4, 128, 0, 2};
    if (size == 16 && is_large) return {1024, 8, 8, 64, 0, 1};
    if (size <= 16) return {512, 8, 8, 64, 0, 2};
    return size <= 24 ? sub_group_config{256, 4, 4, 80, 0, 3} : sub_group_config{512, 8, 8, 128, 0, 1};
}

/// Reductions of 16 bytes by costly operators that take no steps, on NVIDIA devices. H200, 2^24 2 x 2 matrices modulo a
/// prime, us: as other values of 16 bytes, but with 128 registers, 125, with these 120; 72 registers 122; 256
/// work-items four times on a compute unit, 64 registers, 124, 128 work-items 131, 512 with 40 registers 132.
inline constexpr sub_group_config costly_rounds_config{256, 8, 8, 80, 0, 3};

UPSWEEP_INLINE bool takes_costly_rounds_config(const problem_size& problem, std::uint64_t size) {
    return problem.op == operation::reduce && problem.costly_operator && size == 16 && problem.n * size > mebibytes(8);
}

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
