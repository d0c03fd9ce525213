// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/tuning/choose_costly.hpp>
#include <upsweep/detail/tuning/choose_segments.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <string>

/// The route by sub-groups (resolve_options.hpp).
namespace upsweep::detail {

/// Tiles are prefetched so many bytes ahead. NVIDIA H200, 2^28 int32, 128 x 16: 0 0.757 of a copy, 2 MiB 0.833,
/// 4 MiB 0.846, 6 MiB 0.835, 8 MiB 0.834, 16 MiB 0.64.
constexpr std::uint64_t prefetch_bytes = 4 << 20;

/// Values that sub-groups exchange have so many bytes at most: shuffles and words of state for larger ones would make
/// the compiler unroll without end. NVIDIA's was tried with more.
constexpr std::size_t most_shuffled_bytes = 32;
constexpr std::size_t most_shuffled_bytes_ptx = 128;

inline constexpr const char* registers_need_nvidia = "registers: can be limited on NVIDIA devices only";

/// The tiles of scans of values of 4 bytes whose results are stored once, where a hook decides, on NVIDIA devices.
/// H200, 2^28 int32, us, with the tiles of plain scans and with these: copy_if 865 and 733, partition 1405 and 1215,
/// unique 870 and 809; with 80 registers 748, 1257 and 817, with 112 775, 1236 and 866; runs of 4 741, 1208 and 792;
/// 256 x 16 782, 1214 and 908; 64 x 16 769, 1255 and 869; 128 x 8 910, 1335 and 992. Values of 8 bytes gain nothing:
/// scans of rows 1106 and 1143, by key 1247 and 1362, reduce_by_key 1959 and 1888.
inline constexpr sub_group_config stored_once_config{128, 16, 8, 96, 2, 0};

/// Whether a scan takes these.
/// @param size  of an element or value, the larger one
UPSWEEP_INLINE bool takes_stored_once_config(const problem_size& problem, std::uint64_t size) {
    return problem.op == operation::scan && problem.stores_once && size == 4 && problem.n * size > mebibytes(16);
}

/// The tiles of scans of values of 4 bytes that list marks. H200, 2^28 int32, us, copy_if of 10, 50 and 90 %, by flags,
/// partition and unique in runs of 2: 423, 529, 630, 632, 915 and 512, with 96 registers 425, 529, 622, 718, 954 and
/// 572; without what is brought into the cache ahead 461, 558, 654, 672, 935 and 588.
/// In another run, by direct groups and with a pause (look_back_lanes.cl) or without, copy_if, by flags, unique in
/// runs of 2, 10 and 1000: 2 387, 473, 573, 596, 491, 401 and 370; 4 381, 469, 568, 631, 488, 393 and 365; 2 and a
/// pause 372, 473, 598, 519, 492, 382 and 350; 4 and a pause 351, 452, 556, 548, 467, 361 and 330.
inline constexpr sub_group_config marks_config{128, 16, 8, 80, 4, 0, 2000};

UPSWEEP_INLINE bool takes_marks_config(const problem_size& problem, std::uint64_t size) {
    return problem.lists_marks && size == 4 && problem.n * size > mebibytes(16);
}

/// The same where elements of 8 bytes are listed. H100, 2^27 int64, us, copy_if of all and of none, partition, unique:
/// with places listed 1342, 478, 1703, 1415; elements, 128 x 64 with 80 registers 992, 571, 1346, 1081, 128 x 32 925,
/// 449, 1278, 966, with 64 928, 442, 1276, 996; in runs of 4 with 96 registers 923, 498, 1274, 925, with 64 929, 446,
/// 1334, 1027; 128 x 16 with 80, 64, 56 and 48 registers 932, 852, 860 and 877; 579, 530, 514 and 513; 1285, 1220, 1209
/// and 1250; 1019, 924, 938 and 992; 256 x 32 with 80 938, 491, 1289, 980.
/// H200, 2^26 int64, copy_if of 10, 50 and 90 %, unique in runs of 10: 198, 241, 305 and 206; with a pause of 2000 188,
/// 238, 302 and 204, of 3000 215, 243, 307 and 247; of 2000 and with 4 direct groups 181, 229, 291 and 194. double: as
/// int64.
inline constexpr sub_group_config wide_listed_config{128, 8, 8, 80, 4, 0, 2000};

/// The same of 16 bytes, or of 12 that take the place of 16. H100, 512 MiB, us, copy_if of a tenth, all and half by
/// their places, partition, unique: int4 with places listed 234, 551, 428, 700 and 412; elements, 128 x 16 with 80
/// registers 290, 534, 411, 542 and 295, with 64 309, 552, 430, 563 and 347, with 112 303, 555, 430, 567 and 324;
/// 128 x 8 328, 603, 473, 600 and 338; 64 x 16 314, 541, 432, 552 and 350; 64 x 32 333, 544, 438, 551 and 356; 256 x 8
/// 303, 589, 464, 592 and 327. Structs of 12 bytes with places listed 235, 564, 450, 729 and 358, elements, 128 x 16
/// with 80 265, 513, 354, 532 and 285.
/// H200, 2^26 float4, copy_if of 10, 50 and 90 %: 412, 562 and 744, with a pause of 2000 409, 546 and 726, with that
/// and 4 direct groups 393, 542 and 727; structs of 12 bytes 322, 408 and 527; 302, 399 and 514; 287, 371 and 480.
inline constexpr sub_group_config widest_listed_config{128, 4, 4, 80, 4, 0, 2000};

/// The same of up to 8 bytes, or of places, where marks are counted before (count_marks.cl). H200, partition of 2^28
/// int32, us: 128 x 64 with 80 registers 800, with 64 803, 256 x 64 with 80, 72, 64 and 56 792, 793, 783 and 791, 512 x
/// 64 with 64 927; of 2^27 int64 128 x 32 with 80 and 64 registers 807 and 820, 256 x 32 with 80 and 64 793 and 789,
/// 256 x 16 785 (double 809, 805; 792, 783; 787); of 2^27 uint8, uint16 and float 192, 254, 407 and 187, 237, 401.
inline constexpr sub_group_config counted_marks_config{256, 16, 8, 64, 2, 0};
inline constexpr sub_group_config counted_wide_config{256, 8, 8, 64, 2, 0};

/// Which of these a problem takes.
constexpr const sub_group_config& listed_config(const problem_size& problem) {
    const bool is_wide = problem.listed_size == 8;
    if (problem.listed_size > 8) return widest_listed_config;
    if (problem.counts_marks) return is_wide ? counted_wide_config : counted_marks_config;
    return is_wide ? wide_listed_config : marks_config;
}

/// The tiles of scans of values of 8 bytes that list marks. H200, 2^28 int32, us, run_length_encode in runs of 2, 10
/// and 1000, with the tiles of plain scans 817, 575 and 508, with these 806, 526 and 441; with 72 registers 866, 548
/// and 400, with 80 854, 509 and 419, with 96 812, 530 and 450.
/// In another run 766, 482 and 426; with a pause 714, 473 and 435; with a pause and 4 direct groups 753, 480 and 430.
inline constexpr sub_group_config wide_marks_config{128, 32, 8, 88, 2, 0, 2000};

UPSWEEP_INLINE bool takes_wide_marks_config(const problem_size& problem, std::uint64_t size) {
    return problem.lists_marks && size == 8 && problem.n * size > mebibytes(16);
}

/// Reductions of computed elements of 5 to 32 bytes on NVIDIA devices: what is read is mostly smaller. H200, 2^28, us,
/// with the sizes of plain reductions and with these: min_element of int32 273 and 256, of float 308 and 271,
/// minmax_element of int32 460 and 396, of 2^27 double 380 and 347; count_if 266 and 250.
inline constexpr sub_group_config computed_reduction_config{512, 8, 8, 64, 0, 2};

/// The same where what is read is as large as they are, more than 16 bytes: it takes more registers. H100, 2^29 bytes
/// of elements chosen between those of one array, structs of 24 and 32 bytes, int8, double4, us: with the above 305,
/// 485, 481, 469, with these 229, 237, 225, 229; 2 packs 254, 240, 265, 270; 8 with 255 registers 220, 219, 218, 222;
/// 512 work-items, 64 registers, with 4 packs 273, 306, 296, 302, with 2 263, 274, 259, 263.
inline constexpr sub_group_config large_computed_config{256, 4, 4, 128, 0, 2};

/// Scans of computed elements of 25 to 32 bytes. H100, the same, structs, int8, double4: with the tiles of arrays 798,
/// 751, 771, with these 757, 672, 685.
inline constexpr sub_group_config large_computed_scan_config{128, 16, 8, 168, 0, 0};

/// Elements per pack of such reductions, if lanes combine what they load: what is read is mostly smaller, and enough of
/// it should be under way. H200, us, minmax_element with an index of 64 bits, packs of 4 and of 8: 2^28 int32 308 and
/// 348, float 310 and 348, 2^27 double 301 and 328; but int16 734 and 442, uint8 601 and 379.
constexpr std::uint32_t computed_pack(std::size_t read_size) {
    return read_size == 1 || read_size == 2 ? 8 : 4;
}

/// Whether a reduction takes these. Values of 8 and 16 bytes that are made of as many, or more, have the sizes of plain
/// reductions. H100, 2^29 bytes of elements chosen between those of one array, us, with the above and with these:
/// float4 217 and 184, double2 232 and 184, uchar16 1940 and 393, uchar8 924 and 253, double 187 and 183; but structs
/// of 12 bytes 195 and 203.
UPSWEEP_INLINE bool takes_computed_config(const problem_size& problem, std::uint64_t size) {
    const bool are_as_large = problem.read_size >= size && 16 % size == 0;
    return problem.op == operation::reduce && problem.is_computed && size > 4 && size <= 32 && !are_as_large &&
           problem.n * size > mebibytes(8);
}

/// The table's configuration for elements of `size` bytes.
UPSWEEP_INLINE sub_group_config choose_config(const tuning_request& r, std::size_t size) {
    const problem_size& problem = r.problem;
    const bool is_nvidia = r.device.lanes == lanes_backend::ptx;
    if (problem.segments != segment_tiles::none) return choose_segments_config(problem, size);
    if (is_nvidia && takes_steps(r, size))
        return costly_reduction_config(size, problem.long_operator, problem.n * size);
    if (is_nvidia && takes_costly_rounds_config(problem, size)) return costly_rounds_config;
    if (is_nvidia && takes_marks_config(problem, size)) return listed_config(problem);
    if (is_nvidia && takes_stored_once_config(problem, size)) return stored_once_config;
    if (is_nvidia && takes_wide_marks_config(problem, size))
        return problem.listed_size > 8 ? wide_listed_config : wide_marks_config; // the same items as of 16 bytes
    if (is_nvidia && takes_computed_config(problem, size))
        return size > 16 && problem.read_size >= size ? large_computed_config : computed_reduction_config;
    if (is_nvidia && problem.op == operation::scan && problem.is_computed && size > 24 && size <= 32)
        return large_computed_scan_config;
    return choose_sub_group_config(is_nvidia, problem.op, problem.n * size, size, r.device.tile_memory_bytes);
}

/// Fills in what all runs by sub-groups on elements of `size` bytes have, and returns the table's configuration for
/// them.
UPSWEEP_INLINE sub_group_config choose_lanes(tuning& t, const tuning_request& r, std::size_t size) {
    t.algorithm = tile_algorithm::sub_group;
    use_lanes(t, r.device);
    t.async_copy = t.ptx && r.device.has_async_copy;
    if (r.opts.registers != 0 && !t.ptx) r.refuse(registers_need_nvidia);
    t.pack = r.problem.op == operation::reduce ? reduced_per_pack(size) : elements_per_pack(size);
    const sub_group_config config = choose_config(r, size);
    const std::uint32_t counted = (std::min)(counted_per_pack(size), t.pack);
    t.work_items = r.opts.work_items != 0
                       ? r.opts.work_items
                       : floor_power_of_two(std::min<std::uint64_t>(config.work_items, r.device.max_work_group_size));
    t.run_packs = r.opts.run_packs != 0 ? r.opts.run_packs : (std::max)(1U, config.run_packs * counted / t.pack);
    t.registers = r.opts.registers != 0 ? r.opts.registers : t.ptx ? config.registers : 0;
    check_work_group(r.function, t, r.device);
    if (t.work_items % sub_group_lanes != 0) r.refuse("tile_algorithm sub_group: work_items must be a multiple of 32");
    return config;
}

/// The pause, at most, where elements become larger values: less has to arrive. H200, 2^28, us, with 3000 and with
/// this: float into double 985 and 923, uint8 into uint32 374 and 378.
constexpr std::uint32_t widened_pause = 2000;

/// Fills in tiles of sub-groups, which look back.
UPSWEEP_INLINE void choose_sub_group_tiles(tuning& t, const tuning_request& r) {
    const std::size_t size = (std::max)(r.problem.element_size, r.problem.value_size);
    const sub_group_config config = choose_lanes(t, r, size);
    t.direct_groups = config.direct_groups;
    t.pause = t.ptx ? config.pause : 0;
    if (r.problem.element_size != 0 && r.problem.element_size < size) t.pause = (std::min)(t.pause, widened_pause);
    t.items =
        r.opts.items != 0 ? r.opts.items : (std::max)(config.packs * counted_per_pack(size), t.run_packs * t.pack);
    while (r.opts.items == 0 && t.items / t.pack > t.run_packs &&
           local_bytes(t, size, r.problem) > r.device.tile_memory_bytes)
        t.items /= 2;
    const std::uint32_t run = t.run_packs * t.pack;
    if (!is_power_of_two(t.run_packs) || t.run_packs > most_run_packs || t.items % run != 0 ||
        !is_power_of_two(t.items) || t.items / run > 32)
        r.refuse("tile_algorithm sub_group: run_packs must be 1, 2, 4 or 8, and items a power of two from " +
                 std::to_string(run) + " to " + std::to_string(32 * run));
    t.one_tile = r.problem.n * size <= one_tile_bytes && r.problem.n <= t.tile();
    const std::uint64_t tile_bytes = std::uint64_t{t.tile()} * size;
    if (t.ptx && r.problem.n * size >= 3 * prefetch_bytes)
        t.ahead_tiles = static_cast<std::uint32_t>(prefetch_bytes / tile_bytes);
}

/// Fills in a reduction by sub-groups, step by step.
UPSWEEP_INLINE void choose_sub_group_steps(tuning& t, const tuning_request& r) {
    std::size_t size = r.problem.element_size != 0 ? r.problem.element_size : r.problem.value_size;
    if (r.problem.value_size > most_shuffled_bytes) size = (std::max)(size, r.problem.value_size); // few in registers
    const sub_group_config config = choose_lanes(t, r, size);
    if (takes_steps(r, size)) {
        t.pack = (std::min)(t.pack, counted_per_pack(size));
        t.run_packs = costly_reduction_config(size, r.problem.long_operator, r.problem.n * size).run_packs;
        t.step_rounds = sub_group_lanes / t.run_packs;
    }
    if (t.ptx && r.problem.exact_operator && takes_computed_config(r.problem, size))
        t.pack = computed_pack(r.problem.read_size);
    t.items = t.run_packs * t.pack * t.step_rounds;
    // Such reductions are one work-group's, whose steps are fewer than lanes (plan_once.hpp).
    t.one_tile = r.problem.n * size <= one_tile_bytes && r.problem.n <= t.tile() &&
                 t.work_items < sub_group_lanes * sub_group_lanes;
    t.work_groups = r.opts.work_groups != 0 ? r.opts.work_groups : r.device.compute_units * config.unit_groups;
    if (!is_power_of_two(t.run_packs) || t.run_packs > most_run_packs)
        r.refuse("tile_algorithm sub_group: run_packs must be 1, 2, 4 or 8");
}

UPSWEEP_INLINE tuning choose_sub_groups(const tuning_request& r) {
    tuning t;
    t.bank_padding = r.opts.bank_padding;
    t.strategy = record_of(r.problem.op).in_sub_groups;
    if (t.strategy == strategy::look_back)
        choose_sub_group_tiles(t, r);
    else
        choose_sub_group_steps(t, r);
    return t;
}

/// Whether a call runs by sub-groups.
UPSWEEP_INLINE bool wants_sub_groups(const tuning_request& r) {
    const bool asked = r.opts.algorithm == tile_algorithm::sub_group;
    const std::size_t most_size = r.device.has_ptx ? most_shuffled_bytes_ptx : most_shuffled_bytes;
    const bool fits = r.device.lanes != lanes_backend::none && (r.device.has_ptx || r.device.has_atomics64) &&
                      r.problem.value_size <= most_size && r.opts.reduction == tree_reduce::automatic &&
                      (r.opts.strategy == strategy::automatic ||
                       (r.opts.strategy == strategy::look_back && record_of(r.problem.op).looks_back));
    if (asked && !fits)
        r.refuse("tile_algorithm sub_group needs an NVIDIA device or sub-groups of 32 and 64-bit atomics, values of at "
                 "most 32 bytes (128 on NVIDIA devices), and strategy look_back or automatic");
    // CPUs are faster one work-item at a time. A caller who sets the sizes of the work-group means one of the textbook
    // algorithms.
    const bool open = (r.device.has_ptx || !r.device.is_cpu) && r.opts.algorithm == tile_algorithm::automatic &&
                      r.opts.loading == tile_loading::automatic && r.opts.work_items == 0 && r.opts.items == 0 &&
                      r.opts.work_groups == 0;
    return fits && (asked || open);
}

} // namespace upsweep::detail
