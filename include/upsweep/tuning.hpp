#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/options.hpp>

#include <cstdint>
#include <ostream>

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

} // namespace upsweep
