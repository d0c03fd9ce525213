// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/tuning.hpp>
#include <upsweep/version.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <vector>

namespace upsweep {

/// One launch of a run.
struct pass {
    /// What a launch does; `to_string` says it in words.
    enum class kind {
        scan_tiles,         ///< scans each tile, from the sum of those before it where the launch reads sums
        propagate_tiles,    ///< combines each element of a tile with what precedes the tile
        reduce_tiles,       ///< reduces each tile to its sum
        reduce_chunks,      ///< reduces each chunk to its sum
        scan_chunks,        ///< scans each chunk, from the sum of those before it
        count_marks,        ///< counts the marks of tiles, which publish their sums to the launch that scans them
        look_back,          ///< scans tiles in one launch, which publish their sums to one another
        reduce_once,        ///< reduces parts; the work-group that finishes last reduces their sums
        reduce_chunks_once, ///< reduces each chunk to its sum; the work-group that finishes last combines them
        finish_parts,       ///< combines the sums of parts with the elements that are in no part
        reduce_few,         ///< reduces everything in one work-group
        append_tile         ///< combines a sum with the elements that fill no tile
    };

    kind what = kind::scan_tiles;  ///< what the launch does
    std::uint32_t level = 0;       ///< 0: the caller's elements; k: the sums of level k - 1
    std::uint64_t elements = 0;    ///< that the launch goes through
    std::uint64_t work_groups = 0; ///< its size
    bool reads_sums = false;       ///< begins with the sums of its level
    bool writes_sums = false;      ///< leaves the sums of its level

    /// A pass over the caller's elements, or over the sums of the level below.
    UPSWEEP_INLINE static pass over(kind what, std::uint32_t level, std::uint64_t elements, std::uint64_t work_groups) {
        pass p;
        p.what = what;
        p.level = level;
        p.elements = elements;
        p.work_groups = work_groups;
        return p;
    }
    /// A pass over the caller's elements.
    UPSWEEP_INLINE static pass over_elements(kind what, std::uint64_t elements, std::uint64_t work_groups) {
        return over(what, 0, elements, work_groups);
    }
    /// The same pass, which also reads the sums of its level.
    UPSWEEP_INLINE pass reading_sums(bool reads = true) const {
        pass p = *this;
        p.reads_sums = reads;
        return p;
    }
    /// The same pass, which also writes the sums of its level.
    UPSWEEP_INLINE pass writing_sums(bool writes = true) const {
        pass p = *this;
        p.writes_sums = writes;
        return p;
    }
};

/// The launches of one run, in order, with the scratch memory they share: plain values, made by a pure function of n
/// and the device's limits. Print it to see what will be launched.
struct launch_plan {
    upsweep::tuning tuning;                  ///< what the kernels are built with
    std::uint64_t n = 0;                     ///< elements
    bool is_counted = false;                 ///< n is the most; the number is read on the device
    std::uint64_t chunk = 0;                 ///< elements per chunk; for `sub_group`, of a part
    std::vector<std::uint64_t> sums_offsets; ///< where the sums of each level begin in scratch, in values
    std::vector<pass> passes;                ///< the launches, in order; none for no elements
    std::uint64_t scratch_bytes = 0; ///< never less for more elements: a plan's workspace is enough for fewer, too
    std::uint64_t static_parts = 0;  ///< parts that are assigned to work-groups before the launch (reduce_lanes.cl)
};

namespace detail {

enum class group_elements { tile, chunk };
enum class pass_role {
    step,     ///< one of the launches of a run
    whole_run ///< work-groups share a state; what follows it shares that, too
};

/// What is known of a kind of pass.
struct pass_record {
    pass::kind what;
    const char* kernel;   ///< that runs it
    const char* text;     ///< what it does, for a reader
    group_elements takes; ///< what a work-group goes through
    pass_role role;
};

inline constexpr pass_record pass_records[] = {
    {pass::kind::scan_tiles, "upsweep_scan_tiles", "scan tiles", group_elements::tile, pass_role::step},
    {pass::kind::propagate_tiles, "upsweep_propagate_tiles", "propagate sums to tiles", group_elements::tile,
     pass_role::step},
    {pass::kind::reduce_tiles, "upsweep_reduce_tiles", "reduce tiles", group_elements::tile, pass_role::step},
    {pass::kind::reduce_chunks, "upsweep_reduce_chunks", "reduce chunks", group_elements::chunk, pass_role::step},
    {pass::kind::scan_chunks, "upsweep_scan_chunks", "scan chunks", group_elements::chunk, pass_role::step},
    {pass::kind::finish_parts, "upsweep_finish_parts", "combine sums of parts and the rest", group_elements::chunk,
     pass_role::step},
    {pass::kind::append_tile, "upsweep_append_tile", "combine with what is no full tile", group_elements::tile,
     pass_role::step},
    {pass::kind::count_marks, "upsweep_count_marks", "count marks of tiles", group_elements::tile,
     pass_role::whole_run},
    {pass::kind::look_back, "upsweep_scan_look_back", "scan tiles, looking back", group_elements::tile,
     pass_role::whole_run},
    {pass::kind::reduce_once, "upsweep_reduce_once", "reduce parts, the last work-group their sums",
     group_elements::tile, pass_role::whole_run},
    {pass::kind::reduce_chunks_once, "upsweep_reduce_chunks_once", "reduce chunks, the last work-group their sums",
     group_elements::chunk, pass_role::whole_run},
    {pass::kind::reduce_few, "upsweep_reduce_few", "reduce by one work-group", group_elements::tile,
     pass_role::whole_run},
};

constexpr const pass_record& record_of(pass::kind what) {
    const pass_record* record = pass_records;
    while (record->what != what) ++record;
    return *record;
}

} // namespace detail

/// What a launch does, in words, such as "scan tiles"; "?" for a number that is no kind.
UPSWEEP_INLINE const char* to_string(pass::kind what) {
    for (const detail::pass_record& record : detail::pass_records)
        if (record.what == what) return record.text;
    return "?";
}

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Prints a line for the choices, one for each launch with its sizes, and one for the scratch memory.
UPSWEEP_DECLARED std::ostream& operator<<(std::ostream& out, const launch_plan& s);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/plan/launch_plan_inl.hpp>
#endif
