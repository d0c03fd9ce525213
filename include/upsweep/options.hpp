// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

namespace upsweep {

/// How one work-group scans a tile of w partial results in local memory. All give the same result for exact types. For
/// floating-point types `sub_group`, and `blelloch` where `options` says so, add in the canonical order
/// (reference.hpp), each of the others in a fixed order of its own.
///
/// Sources: G. E. Blelloch, Prefix Sums and Their Applications, CMU-CS-90-190, 1990; W. D. Hillis and G. L. Steele,
/// Data Parallel Algorithms, Communications of the ACM 29(12), 1986; R. P. Brent and H. T. Kung, A Regular Layout for
/// Parallel Adders, IEEE Transactions on Computers C-31(3), 1982.
enum class tile_algorithm {
    automatic,     ///< chosen for the device, the type and n
    blelloch,      ///< up-sweep, clear the root, down-sweep: 2(w-1) operations, 2 log2 w steps (Blelloch 1990)
    hillis_steele, ///< log2 w steps of w operations, double-buffered (Hillis and Steele 1986)
    sub_group,     ///< lanes of a warp or sub-group of 32 exchange values; for `look_back` and reductions
    brent_kung,    ///< inclusive reduce and distribute: 2w operations, 2 log2 w - 1 steps (Brent and Kung 1982)
};

/// How one work-group reduces a tile: the textbook ladder, slowest first. As M. Harris, Optimizing Parallel
/// Reduction in CUDA, NVIDIA, 2007, but keeping the order of operands at every step.
enum class tree_reduce {
    automatic,   ///< `serial`, or no tree at all where `sub_group` or chunks are chosen
    interleaved, ///< every 2s-th work-item adds its neighbour at distance s: divergent, found by modulo
    compacted,   ///< the same additions by the first work-items: no divergence, strided bank conflicts
    sequential,  ///< sequential addressing: partials stored bit-reversed so that order is kept; no conflicts
    serial,      ///< each work-item first folds a long run in registers, then `sequential`; the textbook default
};

/// How tiles become the full array. Elements moved are those read from and written to global memory by a scan of n.
///
/// Sources of `look_back`: D. Merrill and M. Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA
/// NVR-2016-002, 2016; T. Smith, R. Levien and J. D. Owens, Decoupled Fallback: A Portable Single-Pass GPU Scan, 2025.
enum class strategy {
    automatic,           ///< chosen for the device, the operation, the type and n
    single_tile,         ///< one work-group, one launch; n must fit one tile
    scan_then_propagate, ///< scan tiles, scan their sums (recursively), add back: about 4n elements moved
    reduce_then_scan, ///< reduce tiles, scan their sums (recursively), scan tiles from there: about 3n elements moved
    look_back,        ///< one launch, tiles publish their sums: 2n elements moved; scan only
    chunked,          ///< a few work-groups, each streaming one contiguous chunk; for CPU devices
};

/// How a tile travels between global memory and the work-items.
enum class tile_loading {
    automatic, ///< chosen by the class of the device
    direct,    ///< every work-item touches its own run of elements; the choice for CPUs
    staged,    ///< through local memory, so that neighbouring work-items touch neighbouring addresses; for GPUs
};

namespace detail {

/// The names of an enumeration's values, by number.
constexpr auto names_of(tile_algorithm) {
    return std::array{"automatic", "blelloch", "hillis_steele", "sub_group", "brent_kung"};
}
constexpr auto names_of(tree_reduce) {
    return std::array{"automatic", "interleaved", "compacted", "sequential", "serial"};
}
constexpr auto names_of(strategy) {
    return std::array{"automatic", "single_tile", "scan_then_propagate", "reduce_then_scan", "look_back", "chunked"};
}
constexpr auto names_of(tile_loading) {
    return std::array{"automatic", "direct", "staged"};
}

template <class Enum>
constexpr bool is_enumerator(Enum value) {
    return static_cast<std::size_t>(value) < names_of(value).size();
}

template <class Enum>
constexpr const char* name_of(Enum value) {
    return is_enumerator(value) ? names_of(value)[static_cast<std::size_t>(value)] : "?";
}

} // namespace detail

/// The enumerator's name, such as "blelloch"; "?" for a number that is none.
inline const char* to_string(tile_algorithm a) {
    return detail::name_of(a);
}
/// The enumerator's name.
inline const char* to_string(tree_reduce r) {
    return detail::name_of(r);
}
/// The enumerator's name.
inline const char* to_string(strategy s) {
    return detail::name_of(s);
}
/// The enumerator's name.
inline const char* to_string(tile_loading l) {
    return detail::name_of(l);
}

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Prints what `to_string` gives.
UPSWEEP_DECLARED std::ostream& operator<<(std::ostream& out, tile_algorithm a);
/// Prints what `to_string` gives.
UPSWEEP_DECLARED std::ostream& operator<<(std::ostream& out, tree_reduce r);
/// Prints what `to_string` gives.
UPSWEEP_DECLARED std::ostream& operator<<(std::ostream& out, strategy s);

} // namespace UPSWEEP_VERSION_NAMESPACE

/// What the caller decides; everything left at its default is chosen by the library for the device, the type and n.
///
/// With all at their defaults, floats and operators of one's own are combined in the canonical order (reference.hpp),
/// on every device. So they are where `sub_group` is chosen here, or `single_tile` or `reduce_then_scan` with
/// `blelloch`, several `work_items` and up to 128 `items`, a power of two. Other textbook algorithms, trees and
/// strategies have a fixed order of their own each. If `reproducible` is false, all other choices may use an order of
/// their own, too; it is the same in every run on one device.
struct options {
    tile_algorithm algorithm = tile_algorithm::automatic;      ///< how a work-group scans a tile
    tree_reduce reduction = tree_reduce::automatic;            ///< how a work-group reduces a tile
    upsweep::strategy strategy = upsweep::strategy::automatic; ///< how tiles become the full array
    /// Work-items per work-group, a power of two; 0: chosen. PoCL before 5.0 may abort for 2, so they are an error
    /// there. From 5.0 on its compiler may be wrong for several, so what is automatic with one is run in place of them.
    /// From 4.0 on, `POCL_WORK_GROUP_METHOD=cbs` avoids both.
    std::uint32_t work_items = 0;
    std::uint32_t items = 0;       ///< elements per work-item; 0: chosen
    std::uint32_t work_groups = 0; ///< for `chunked`: so many chunks at most; 0: chosen
    /// For `sub_group`: packs in a work-item's run, or at a time in a reduction: 1, 2, 4, 8; 0: chosen. A pack is 16
    /// bytes of elements where their size divides 16, else one, two or four elements.
    std::uint32_t run_packs = 0;
    /// For `sub_group`, on NVIDIA devices: most registers per work-item; 0: chosen. Both are errors elsewhere.
    std::uint32_t registers = 0;
    tile_loading loading = tile_loading::automatic; ///< how a tile comes from global memory
    bool bank_padding = true;                       ///< pad local memory against bank conflicts
    /// Keep to the canonical order where nothing else is asked for. Off, scans on CPU devices go from left to right,
    /// which is there to measure against: on PoCL, 2^26 float take 65 ms that way, 43 to 50 in the canonical order.
    bool reproducible = true;
    /// For scans and reductions of host ranges: most bytes of device memory for elements and results; 0: as much as the
    /// library likes. A range that needs more is streamed. Scratch, less than a hundredth of that, comes on top.
    std::uint64_t device_memory = 0;
    /// For scans and reductions of host ranges: called in the caller's thread with the number of elements that are done
    /// and that of all, after each piece of a range that is streamed, and at the end. Where it returns false before the
    /// end, the call throws `upsweep::error`; what was done by then is in the output.
    std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
    /// For the compiler of the device: `-D name=value` and `-I folder`, any number of them, for the texts of operators,
    /// types and views. Folders without blanks. A macro may stand for `return` in statements that end with `;` or `}`.
    /// Other options, and macros of names that the library's kernels use or types have, are errors. Each other text
    /// here builds a program; `release_cached` makes a file that was changed be read again.
    std::string build_options = {};
};

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Whether all members are equal; of `progress`, whether both have one.
UPSWEEP_DECLARED bool operator==(const options& a, const options& b);
/// The opposite of `==`.
UPSWEEP_DECLARED bool operator!=(const options& a, const options& b);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/values/options_inl.hpp>
#endif
