// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/version.hpp>

#include <cstdint>
#include <iosfwd>

namespace upsweep {

/// Every choice a run is made with, `automatic` resolved.
struct tuning {
    upsweep::strategy strategy = strategy::single_tile;  ///< never `automatic`
    tile_algorithm algorithm = tile_algorithm::blelloch; ///< never `automatic`
    tree_reduce reduction = tree_reduce::serial;         ///< never `automatic`
    std::uint32_t work_items = 1;                        ///< per work-group
    std::uint32_t items = 1;                             ///< elements per work-item
    std::uint32_t work_groups = 1;                       ///< for `chunked`: at most this many chunks
    bool one_launch = false; ///< for `chunked` reductions by single work-items: the last work-group combines the sums
    std::uint32_t tree_run = 1; ///< elements that a work-item on its own combines as a tree; 1: left to right
    bool canonical = false;     ///< tiles of many work-items are combined in the canonical order
    bool staged = false;        ///< tiles pass through local memory, so that global accesses are coalesced
    bool bank_padding = true;   ///< local memory is padded against bank conflicts
    /// The interface by which kernels use sub-groups, for `sub_group`.
    detail::lanes_backend lanes = detail::lanes_backend::none;
    std::uint32_t pack = 1;           ///< for `sub_group`: elements moved together, 16 bytes where they fit
    std::uint32_t run_packs = 1;      ///< for `sub_group`: neighbouring accesses that one work-item combines by itself
    std::uint32_t step_rounds = 1;    ///< for reductions by `sub_group`: runs of each lane whose rows form one tree
    bool ptx = false;                 ///< use NVIDIA's instructions
    bool async_copy = false;          ///< packs go to local memory by asynchronous copies
    bool struct_words = false;        ///< kernels move structs as words, and only the operator sees members
    std::uint32_t registers = 0;      ///< with `ptx`: at most so many per work-item; 0: the compiler's choice
    std::uint32_t sub_group_size = 0; ///< that kernels ask for, where `lanes` are sub-groups; 0: they do not ask
    std::uint32_t opencl_c = 12;      ///< the version that programs are compiled as
    std::uint32_t direct_groups = 0;  ///< for `sub_group`: groups of 32 before a tile's own, read tile by tile
    bool one_tile = false;            ///< for `sub_group`: no count of elements needs more than one work-group
    std::uint32_t ahead_tiles = 0;    ///< for `sub_group`: distance of the tile that a tile prefetches, 0: none
    std::uint32_t pause = 0; ///< for `sub_group`: nanoseconds that a tile pauses before it looks back, about; 0: none
    std::uint32_t max_polls = 1U << 14; ///< for `look_back`: polls after which a tile counts as silent

    /// Elements of a tile.
    std::uint32_t tile() const noexcept { return work_items * items; }
};

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Whether all members are equal.
UPSWEEP_DECLARED bool operator==(const tuning& a, const tuning& b);
/// The opposite of `==`.
UPSWEEP_DECLARED bool operator!=(const tuning& a, const tuning& b);
/// Prints strategy, algorithms, sizes and the use of local memory on one line.
UPSWEEP_DECLARED std::ostream& operator<<(std::ostream& out, const tuning& t);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/tuning/tuning_inl.hpp>
#endif
