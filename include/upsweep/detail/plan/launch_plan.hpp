#pragma once

#include <upsweep/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace upsweep {

/// One launch of a run.
struct pass {
    enum class kind {
        scan_tiles,
        propagate_tiles,
        reduce_tiles,
        reduce_chunks,
        scan_chunks,
        look_back,
        reduce_once,
        finish_parts,
        reduce_few,
        append_tile
    };

    kind what = kind::scan_tiles;
    std::uint32_t level = 0; ///< 0: the caller's elements; k: the sums of level k - 1
    std::uint64_t elements = 0;
    std::uint64_t work_groups = 0;
    bool reads_sums = false;
    bool writes_sums = false;
};

/// The launches of one run, in order, with the scratch memory they share: plain values, made by a pure function of n
/// and the device's limits. Print it to see what will be launched.
struct launch_plan {
    upsweep::tuning tuning;
    std::uint64_t n = 0;
    std::uint64_t chunk = 0;                 ///< elements per chunk; for `sub_group`, of a part
    std::vector<std::uint64_t> sums_offsets; ///< where the sums of each level begin in scratch, in values
    std::vector<pass> passes;
    std::uint64_t scratch_bytes = 0; ///< never less for more elements: a plan's workspace is enough for fewer, too
    std::uint64_t static_parts = 0;  ///< parts that are assigned to work-groups before the launch (reduce_lanes.cl)
    std::uint64_t tickets = 0;       ///< that the work-groups of a single launch take from a counter in scratch
};

/// Whether a pass is a run of its own: one launch, whose work-groups may share a state.
inline bool is_whole_run(pass::kind kind) {
    return kind == pass::kind::look_back || kind == pass::kind::reduce_once || kind == pass::kind::reduce_few;
}

inline const char* to_string(pass::kind kind) {
    switch (kind) {
    case pass::kind::scan_tiles:
        return "scan tiles";
    case pass::kind::propagate_tiles:
        return "propagate sums to tiles";
    case pass::kind::reduce_tiles:
        return "reduce tiles";
    case pass::kind::reduce_chunks:
        return "reduce chunks";
    case pass::kind::scan_chunks:
        return "scan chunks";
    case pass::kind::look_back:
        return "scan tiles, looking back";
    case pass::kind::finish_parts:
        return "combine sums of parts and the rest";
    case pass::kind::reduce_once:
        return "reduce parts, the last work-group their sums";
    case pass::kind::reduce_few:
        return "reduce by one work-group";
    case pass::kind::append_tile:
        return "combine with what is no full tile";
    }
    return "?";
}

inline std::ostream& operator<<(std::ostream& out, const launch_plan& s) {
    out << "n = " << s.n << ": " << s.tuning.strategy << ", tile " << s.tuning.algorithm << " of "
        << s.tuning.work_items << " work-items x " << s.tuning.items << " elements = " << s.tuning.tile() << '\n';
    for (std::size_t i = 0; i < s.passes.size(); ++i) {
        const pass& p = s.passes[i];
        out << "  launch " << i + 1 << ": " << to_string(p.what) << ", "
            << (p.level == 0 ? "elements" : "sums of level " + std::to_string(p.level - 1)) << ": " << p.elements
            << " = " << p.work_groups << (p.work_groups == 1 ? " work-group x " : " work-groups x ")
            << s.tuning.work_items << " work-items x ";
        const bool chunked = p.what == pass::kind::reduce_chunks || p.what == pass::kind::scan_chunks ||
                             p.what == pass::kind::finish_parts;
        if (chunked)
            out << "a chunk of " << (p.level == 0 ? s.chunk : p.elements);
        else
            out << s.tuning.items;
        out << " elements\n";
    }
    return out << "  scratch: " << s.scratch_bytes << " bytes\n";
}

} // namespace upsweep
