#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/tuning/private_memory.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>
#include <upsweep/error.hpp>
#include <upsweep/options.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

namespace upsweep {

/// Every choice a run is made with, `automatic` resolved.
struct tuning {
    upsweep::strategy strategy = strategy::single_tile;
    tile_algorithm algorithm = tile_algorithm::blelloch;
    tree_reduce reduction = tree_reduce::serial;
    std::uint32_t work_items = 1;  ///< per work-group
    std::uint32_t items = 1;       ///< elements per work-item
    std::uint32_t work_groups = 1; ///< for `chunked`: at most this many chunks
    std::uint32_t tree_run = 1;    ///< elements that a work-item on its own combines as a tree; 1: left to right
    bool canonical = false;        ///< tiles of many work-items are combined in the canonical order
    bool staged = false;           ///< tiles pass through local memory, so that global accesses are coalesced
    bool bank_padding = true;
    /// The interface by which kernels use sub-groups, for `sub_group`.
    detail::lanes_backend lanes = detail::lanes_backend::none;
    std::uint32_t pack = 1;           ///< for `sub_group`: elements per access, 16 bytes where they fit
    std::uint32_t run_packs = 1;      ///< for `sub_group`: neighbouring accesses that one work-item combines by itself
    bool ptx = false;                 ///< use NVIDIA's instructions
    bool async_copy = false;          ///< packs go to local memory by asynchronous copies
    std::uint32_t registers = 0;      ///< with `ptx`: at most so many per work-item; 0: the compiler's choice
    std::uint32_t sub_group_size = 0; ///< that kernels ask for, where `lanes` are sub-groups; 0: they do not ask
    std::uint32_t opencl_c = 12;      ///< the version that programs are compiled as
    std::uint32_t direct_groups = 0;  ///< for `sub_group`: groups of 32 before a tile's own, read tile by tile
    bool one_tile = false;            ///< for `sub_group`: no count of elements needs more than one tile
    std::uint32_t ahead_tiles = 0;    ///< for `sub_group`: distance of the tile that a tile prefetches, 0: none
    std::uint32_t max_polls = 1U << 14; ///< for `look_back`: polls after which a tile counts as silent

    std::uint32_t tile() const noexcept { return work_items * items; }

    friend std::ostream& operator<<(std::ostream& out, const tuning& t) {
        return out << t.strategy << ", " << t.algorithm << ", tree " << t.reduction << ", " << t.work_items
                   << " work-items x " << t.items << " elements" << (t.staged ? ", staged" : "")
                   << (t.bank_padding ? ", padded" : "");
    }
};

namespace detail {

/// What depends on a field of a tuning.
struct field_use {
    bool decides_program; ///< programs that differ in it are different programs
    const char* macro;    ///< that its value is defined as in a program's text; null: none, or not just its value
};
constexpr field_use in_launches{false, nullptr};
constexpr field_use in_program{true, nullptr};
constexpr field_use as_macro(const char* name) {
    return {true, name};
}

/// Calls visit(name, pointer to member, field_use) for every field of a tuning. The only list of them: equality,
/// program keys, the macros of a program's text and tests go through it.
template <class Visit>
void for_each_tuning_field(Visit&& visit) {
    visit("strategy", &tuning::strategy, in_launches); // a program's family says what it needs of it
    visit("algorithm", &tuning::algorithm, in_program);
    visit("reduction", &tuning::reduction, in_program);
    visit("work_items", &tuning::work_items, as_macro("UPSWEEP_WORK_ITEMS"));
    visit("items", &tuning::items, as_macro("UPSWEEP_ITEMS"));
    visit("work_groups", &tuning::work_groups, in_launches);
    visit("tree_run", &tuning::tree_run, as_macro("UPSWEEP_TREE_RUN"));
    visit("canonical", &tuning::canonical, as_macro("UPSWEEP_CANONICAL"));
    visit("staged", &tuning::staged, as_macro("UPSWEEP_STAGED"));
    visit("bank_padding", &tuning::bank_padding, in_program);
    visit("lanes", &tuning::lanes, in_program);
    visit("pack", &tuning::pack, as_macro("UPSWEEP_PACK"));
    visit("run_packs", &tuning::run_packs, as_macro("UPSWEEP_RUN_PACKS"));
    visit("ptx", &tuning::ptx, as_macro("UPSWEEP_PTX"));
    visit("async_copy", &tuning::async_copy, as_macro("UPSWEEP_ASYNC_COPY"));
    visit("registers", &tuning::registers, as_macro("UPSWEEP_REGISTERS"));
    visit("sub_group_size", &tuning::sub_group_size, in_program);
    visit("opencl_c", &tuning::opencl_c, in_program);
    visit("direct_groups", &tuning::direct_groups, as_macro("UPSWEEP_DIRECT_GROUPS"));
    visit("one_tile", &tuning::one_tile, as_macro("UPSWEEP_ONE_TILE"));
    visit("ahead_tiles", &tuning::ahead_tiles, as_macro("UPSWEEP_AHEAD_TILES"));
    visit("max_polls", &tuning::max_polls, as_macro("UPSWEEP_MAX_POLLS"));
}

/// Orders tunings by what decides a program: below 0 if `a` comes first, 0 if their programs are the same.
inline int compare_programs(const tuning& a, const tuning& b) {
    int order = 0;
    for_each_tuning_field([&](const char*, auto member, field_use use) {
        if (order == 0 && use.decides_program) order = (b.*member < a.*member) - (a.*member < b.*member);
    });
    return order;
}

} // namespace detail

inline bool operator==(const tuning& a, const tuning& b) {
    bool equal = true;
    detail::for_each_tuning_field(
        [&](const char*, auto member, detail::field_use) { equal = equal && a.*member == b.*member; });
    return equal;
}
inline bool operator!=(const tuning& a, const tuning& b) {
    return !(a == b);
}

namespace detail {

/// log2 of the local-memory banks; 32 on every GPU of the last decade that documents them.
constexpr std::uint32_t bank_bits = 5;

/// Sums that a reduction's only work-group keeps in local memory; follows reduce_lanes.cl.
constexpr std::uint64_t reduce_local_entries = 64;
/// The longest run of a work-item in the canonical order; follows tree.cl.
constexpr std::uint32_t canonical_items = 128;
/// Parts that a reduction of so many bytes is cut into, at least; their sums take the last work-group about a
/// microsecond per 4096. NVIDIA H200, 8192 instead of 4096: 2^30 bytes of int32 238.9 us instead of 237.0, of uint8
/// 240.3 instead of 243.2, 2^31 bytes of double 471.1 instead of 474.2, 2^32 of int64 927 instead of 938, of int32
/// alike.
constexpr std::uint64_t reduce_parts(std::uint64_t bytes) {
    return bytes < std::uint64_t{1} << 31 ? 4096 : 8192;
}
/// Where each work-group would have so many parts, those of the last rounds are assigned dynamically, because some
/// compute units are faster: of an NVIDIA H200's a tenth are done after 177 us of 230, if all parts are static. 2^28
/// int32: all static 237.7 us, one dynamic round more or less than here 237.9 and 237.6, here 236.7. Where there are
/// few rounds, dynamic parts cost a microsecond.
constexpr std::uint64_t reduce_dynamic_from = 8;
constexpr std::uint64_t reduce_dynamic_rounds = 3;
/// Sums that a reduction's work-group stages in local memory, in bytes; follows reduce_lanes.cl.
constexpr std::uint64_t reduce_staged_bytes = 8192;

/// Local memory that a tuning's kernels declare, in bytes: the largest of staging a tile, the scan's slots and the
/// reduction's. Follows the *_SLOTS macros of the kernel files.
inline std::uint64_t local_bytes(const tuning& t, std::size_t value_size) {
    const auto padded = [&](std::uint64_t count) {
        return t.bank_padding ? count + ((count - 1) >> bank_bits) : count;
    };
    if (t.work_items == 1 && t.strategy == strategy::chunked) return 0;
    if (t.algorithm == tile_algorithm::sub_group) {
        const std::uint64_t sub_groups = t.work_items / sub_group_lanes;
        if (t.strategy != strategy::look_back) return reduce_local_entries * value_size + reduce_staged_bytes + 16;
        return std::uint64_t{t.items / t.pack} * t.work_items * std::max<std::size_t>(16, value_size) +
               (sub_groups + 2) * value_size + 16;
    }
    const std::uint64_t staging = t.staged ? padded(t.tile()) : 1;
    const std::uint64_t count =
        t.algorithm == tile_algorithm::hillis_steele ? 2 * std::uint64_t{t.work_items} : padded(t.work_items);
    return (std::max)(staging, count) * value_size;
}

struct problem_size {
    operation op = operation::scan;
    std::uint64_t n = 0;
    std::size_t value_size = 4;
    bool exact_operator = true;   ///< the library's own on integers: exact in any order, so left to right is as good
    std::size_t element_size = 0; ///< of the input; 0: as the values
};

inline std::uint64_t private_bytes(const tuning& t, const device_limits& device, std::size_t value_size) {
    return private_bytes(device, t.work_items, t.items, t.tree_run, value_size);
}

/// Work-items of tiles of large values where the caller leaves them open: as few as memory asks for, but two.
inline void limit_work_items(tuning& t, const device_limits& device, std::size_t value_size) {
    const auto fits = [&] {
        return local_bytes(t, value_size) <= device.local_memory_bytes &&
               private_bytes(t, device, value_size) <= wanted_private_bytes;
    };
    while (t.work_items > 2 && value_size > small_value_bytes && !fits()) t.work_items /= 2;
}

/// Elements per work-item where the caller leaves them open: fewer where local memory is short.
inline std::uint32_t default_items(const tuning& t, const device_limits& device, std::size_t value_size) {
    if (value_size > small_value_bytes && t.work_items > 1) return 1;
    if (!t.staged) return direct_items;
    std::uint32_t items = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(staged_item_bytes / value_size));
    tuning trial = t;
    for (trial.items = items; items > 1 && local_bytes(trial, value_size) > device.local_memory_bytes / 2;)
        trial.items = --items;
    return items;
}

/// Decides whether tiles of many work-items keep the canonical order. Where the caller leaves their size open, it
/// becomes that of one of the order's blocks.
inline void choose_order(tuning& t, const options& opts, const problem_size& problem) {
    const bool in_tiles = t.strategy == strategy::automatic || t.strategy == strategy::single_tile ||
                          t.strategy == strategy::reduce_then_scan;
    const bool may_be = opts.reproducible && !problem.exact_operator && t.work_items > 1 && in_tiles &&
                        t.algorithm == tile_algorithm::blelloch && opts.reduction == tree_reduce::automatic;
    if (!may_be) return;
    if (opts.items == 0) t.items = floor_power_of_two(t.items);
    t.canonical = is_power_of_two(t.items) && t.items <= canonical_items;
}

[[noreturn]] inline void reject(const char* function, const std::string& what) {
    throw error(function, "options", what);
}

inline void check_tuning(const char* function, const tuning& t, const device_limits& device,
                         const problem_size& problem) {
    const auto number = [](std::uint64_t x) { return std::to_string(x); };
    if (!is_power_of_two(t.work_items))
        reject(function, number(t.work_items) + " work-items per work-group: must be a power of two");
    if (t.work_items > device.max_work_group_size)
        reject(function, number(t.work_items) + " work-items per work-group, but device " + device.name + " allows " +
                             number(device.max_work_group_size));
    if ((t.items > 4096 && t.work_items > 1) || std::uint64_t{t.work_items} * t.items > (1U << 24))
        reject(function, "tiles of " + number(t.work_items) + " x " + number(t.items) +
                             " elements: at most 4096 elements per work-item and 2^24 per tile");
    const std::uint64_t local = local_bytes(t, problem.value_size);
    const bool in_lanes = t.algorithm == tile_algorithm::sub_group;
    const std::uint64_t available = in_lanes ? device.tile_memory_bytes : device.local_memory_bytes;
    if (local > available)
        reject(function, number(t.work_items) + " work-items x " + number(t.items) + " elements need " + number(local) +
                             " bytes of local memory, but device " + device.name + " has " + number(available));
    const std::uint64_t own = private_bytes(t, device, problem.value_size);
    if (own > most_private_bytes)
        reject(function, "values of " + number(problem.value_size) + " bytes take about " + number(own) +
                             " bytes of private memory with " + number(t.work_items) + " work-items x " +
                             number(t.items) + " elements: at most " + number(most_private_bytes));
    if (t.strategy == strategy::single_tile && problem.n > t.tile())
        reject(function, "strategy single_tile: " + number(problem.n) + " elements do not fit one tile of " +
                             number(t.work_items) + " work-items x " + number(t.items) + " elements");
    if (t.strategy == strategy::look_back && !device.has_atomics64)
        reject(function, "strategy look_back needs cl_khr_int64_base_atomics, which device " + device.name + " lacks");
    if (t.strategy != strategy::single_tile && t.strategy != strategy::look_back && t.strategy != strategy::chunked &&
        t.tile() < 2)
        reject(function, "tiles of one element: sums would never get fewer");
}

/// Tiles are prefetched so many bytes ahead. NVIDIA H200, 2^28 int32, 128 x 16: 0 0.757 of a copy, 2 MiB 0.833,
/// 4 MiB 0.846, 6 MiB 0.835, 8 MiB 0.834, 16 MiB 0.64.
constexpr std::uint64_t prefetch_bytes = 4 << 20;

inline constexpr const char* registers_need_nvidia = "registers: can be limited on NVIDIA devices only";

/// Fills in what all runs by sub-groups on elements of `size` bytes have, and returns the table's configuration for
/// them.
inline const sub_group_config& choose_lanes(const char* function, tuning& t, const options& opts,
                                            const device_limits& device, const problem_size& problem,
                                            std::size_t size) {
    t.algorithm = tile_algorithm::sub_group;
    t.lanes = device.lanes;
    t.ptx = device.lanes == lanes_backend::ptx;
    t.sub_group_size = device.sub_group_size;
    t.opencl_c = device.opencl_c;
    t.async_copy = t.ptx && device.has_async_copy;
    if (opts.registers != 0 && !t.ptx) reject(function, registers_need_nvidia);
    t.pack = size <= 16 && 16 % size == 0 ? static_cast<std::uint32_t>(16 / size) : 1;
    const sub_group_config& config =
        choose_sub_group_config(t.ptx, problem.op, problem.n * size, size, device.tile_memory_bytes);
    t.work_items = opts.work_items != 0
                       ? opts.work_items
                       : floor_power_of_two(std::min<std::uint64_t>(config.work_items, device.max_work_group_size));
    t.run_packs = opts.run_packs != 0 ? opts.run_packs : config.run_packs;
    t.registers = opts.registers != 0 ? opts.registers : config.registers;
    if (t.work_items > device.max_work_group_size || !is_power_of_two(t.work_items))
        check_tuning(function, t, device, problem); // which says so
    if (t.work_items % sub_group_lanes != 0)
        reject(function, "tile_algorithm sub_group: work_items must be a multiple of 32");
    return config;
}

/// Fills in a look-back scan by sub-groups.
inline void choose_sub_group_scan(const char* function, tuning& t, const options& opts, const device_limits& device,
                                  const problem_size& problem) {
    const std::size_t size = (std::max)(problem.element_size, problem.value_size);
    const sub_group_config& config = choose_lanes(function, t, opts, device, problem, size);
    t.strategy = strategy::look_back;
    t.staged = false;
    t.direct_groups = config.direct_groups;
    t.items = opts.items != 0 ? opts.items : config.packs * t.pack;
    while (opts.items == 0 && t.items / t.pack > t.run_packs && local_bytes(t, size) > device.tile_memory_bytes)
        t.items /= 2;
    const std::uint32_t run = t.run_packs * t.pack;
    if (!is_power_of_two(t.run_packs) || t.run_packs > 8 || t.items % run != 0 || !is_power_of_two(t.items) ||
        t.items / run > 32)
        reject(function, "tile_algorithm sub_group: run_packs must be 1, 2, 4 or 8, and items a power of two from " +
                             std::to_string(run) + " to " + std::to_string(32 * run));
    t.one_tile = problem.n * size <= one_tile_bytes && problem.n <= t.tile();
    const std::uint64_t tile_bytes = std::uint64_t{t.tile()} * size;
    if (t.ptx && problem.n * size >= 3 * prefetch_bytes)
        t.ahead_tiles = static_cast<std::uint32_t>(prefetch_bytes / tile_bytes);
    check_tuning(function, t, device, problem);
}

/// Fills in a reduction in one launch by sub-groups.
inline void choose_sub_group_reduction(const char* function, tuning& t, const options& opts,
                                       const device_limits& device, const problem_size& problem) {
    const std::size_t size = problem.element_size != 0 ? problem.element_size : problem.value_size;
    const sub_group_config& config = choose_lanes(function, t, opts, device, problem, size);
    t.strategy = strategy::reduce_then_scan;
    t.items = t.run_packs * t.pack;
    t.work_groups = opts.work_groups != 0 ? opts.work_groups : device.compute_units * config.unit_groups;
    check_tuning(function, t, device, problem);
    if (!is_power_of_two(t.run_packs) || t.run_packs > 8)
        reject(function, "tile_algorithm sub_group: run_packs must be 1, 2, 4 or 8");
}

/// Whether a call runs by sub-groups.
inline bool wants_sub_groups(const char* function, const options& opts, const device_limits& device, operation op,
                             std::size_t value_size) {
    const bool asked = opts.algorithm == tile_algorithm::sub_group;
    // Shuffles and words of state for large values would make the compiler unroll without end.
    const bool fits =
        device.lanes != lanes_backend::none && (device.has_ptx || device.has_atomics64) && value_size <= 32 &&
        opts.reduction == tree_reduce::automatic &&
        (opts.strategy == strategy::automatic || (opts.strategy == strategy::look_back && op == operation::scan));
    if (asked && !fits)
        reject(function,
               "tile_algorithm sub_group needs an NVIDIA device or sub-groups of 32 and 64-bit atomics, values of at "
               "most 32 bytes, and strategy look_back or automatic");
    // CPUs are faster one work-item at a time. A caller who sets the sizes of the work-group means one of the textbook
    // algorithms.
    const bool open = (device.has_ptx || !device.is_cpu) && opts.algorithm == tile_algorithm::automatic &&
                      opts.loading == tile_loading::automatic && opts.work_items == 0 && opts.items == 0 &&
                      opts.work_groups == 0;
    return fits && (asked || open);
}

/// Options that mean something in tile algorithm sub_group only are errors in any other.
inline void refuse_options_of_lanes(const char* function, const options& opts, const device_limits& device) {
    if (opts.registers != 0 && !device.has_ptx) reject(function, registers_need_nvidia);
    for (const auto& option :
         {std::make_pair("registers", opts.registers), std::make_pair("run_packs", opts.run_packs)})
        if (option.second != 0)
            reject(function, std::string(option.first) +
                                 ": only for tile_algorithm sub_group, which these options or this device rule out");
}

/// The pure function behind every run: (options, device, problem) -> tuning. Throws `upsweep::error` when the options
/// ask for what the device cannot do. `choose_tuning` (loaded_tuning.hpp) looks into tuning files before.
inline tuning resolve_options(const char* function, const options& opts, const device_limits& device,
                              const problem_size& problem) {
    tuning t;
    t.bank_padding = opts.bank_padding;
    if (wants_sub_groups(function, opts, device, problem.op, problem.value_size)) {
        if (problem.op == operation::scan)
            choose_sub_group_scan(function, t, opts, device, problem);
        else
            choose_sub_group_reduction(function, t, opts, device, problem);
        return t;
    }
    refuse_options_of_lanes(function, opts, device);
    t.algorithm = opts.algorithm == tile_algorithm::automatic ? tile_algorithm::blelloch : opts.algorithm;
    t.reduction = opts.reduction == tree_reduce::automatic ? tree_reduce::serial : opts.reduction;
    t.strategy = opts.strategy;
    // A reduction has nothing to look back for.
    if (t.strategy == strategy::look_back && problem.op == operation::reduce) t.strategy = strategy::reduce_then_scan;
    t.ptx = device.has_ptx;
    const bool one_by_one = opts.strategy == strategy::automatic && device.is_cpu && opts.work_items <= 1 &&
                            opts.items == 0 && opts.algorithm == tile_algorithm::automatic &&
                            (opts.work_items == 1 || !wants_tiles(device, problem.value_size));
    const tile_config& config = choose_tile_config(class_of(device), problem.op, problem.exact_operator);
    if (one_by_one)
        t.strategy =
            config.strategy == strategy::look_back && !device.has_atomics64 ? strategy::chunked : config.strategy;

    // CPUs run a work-group's work-items one after another: barriers and staging only cost there.
    t.staged = opts.loading == tile_loading::automatic ? config.staged : opts.loading == tile_loading::staged;
    t.work_items = opts.work_items;
    const bool streams = t.strategy == strategy::chunked || t.strategy == strategy::look_back;
    if (t.work_items == 0)
        t.work_items = floor_power_of_two(std::min<std::uint64_t>(
            device.is_cpu && !streams ? cpu_group_work_items : config.work_items, device.max_work_group_size));
    if (t.work_items == 1) t.staged = false; // a single work-item shares nothing
    const bool textbook_tree = problem.op == operation::reduce && t.reduction != tree_reduce::serial;
    t.items = opts.items;
    if (t.items == 0 && t.work_items == 1 && t.strategy == strategy::look_back && problem.op == operation::scan)
        t.items = std::max<std::uint32_t>(cpu_tree_run, floor_power_of_two(look_back_cpu_bytes / problem.value_size));
    const bool any_order = problem.exact_operator || (problem.op == operation::scan && !opts.reproducible);
    const bool in_order = any_order || textbook_tree || (t.items != 0 && !is_power_of_two(t.items));
    const std::uint32_t tree_run = longest_tree_run(problem.value_size);
    if (t.work_items == 1 && !in_order) t.tree_run = t.items == 0 ? tree_run : (std::min)(t.items, tree_run);
    if (t.items == 0) t.items = textbook_tree ? 1 : default_items(t, device, problem.value_size);
    if (opts.work_items == 0) limit_work_items(t, device, problem.value_size);
    choose_order(t, opts, problem);
    if (opts.items == 0 && t.tile() < 2) t.items = 2; // a work-group of one still has to fold something
    if (t.items == 1 && opts.loading == tile_loading::automatic) t.staged = false; // coalesced as it is

    if (t.strategy == strategy::automatic)
        t.strategy = problem.n <= t.tile() ? strategy::single_tile : strategy::reduce_then_scan;
    t.work_groups = opts.work_groups != 0 ? opts.work_groups : device.compute_units * config.unit_groups;
    check_tuning(function, t, device, problem);
    return t;
}

} // namespace detail
} // namespace upsweep
