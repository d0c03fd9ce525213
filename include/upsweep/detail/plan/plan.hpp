#pragma once

#include <upsweep/detail/plan/launch_plan.hpp>
#include <upsweep/detail/tuning/local_memory.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace upsweep::detail {

inline std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0);
}

/// Places the sums of each level behind one another, every array beginning at a multiple of 64 values.
class scratch_layout {
public:
    explicit scratch_layout(launch_plan& s)
        : plan_(s) {}
    void add(std::uint64_t values) {
        plan_.sums_offsets.push_back(end_);
        const std::uint64_t blocks = divide_up(values, 64);
        end_ = blocks > (most - end_) / 64 ? most : end_ + blocks * 64;
    }
    void finish(std::size_t value_size) { plan_.scratch_bytes = end_ > most / value_size ? most : end_ * value_size; }

private:
    /// More than any device has, and what sizes beyond 64 bits count as.
    static constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)();

    launch_plan& plan_;
    std::uint64_t end_ = 0;
};

/// Tiles of every level, from the elements up to the level that is a single tile.
inline std::vector<std::uint64_t> count_levels(std::uint64_t n, std::uint64_t tile) {
    std::vector<std::uint64_t> elements{n};
    while (elements.back() > tile) elements.push_back(divide_up(elements.back(), tile));
    return elements;
}

inline void plan_chunks(launch_plan& s, operation op, scratch_layout& layout) {
    using kind = pass::kind;
    const std::uint64_t smallest = std::max<std::uint64_t>(s.tuning.tile(), 1 << 12);
    const std::uint64_t wanted =
        std::max<std::uint64_t>(1, std::min<std::uint64_t>(s.tuning.work_groups, s.n / smallest));
    const std::uint64_t share = divide_up(s.n, wanted);
    const std::uint64_t whole = std::max<std::uint64_t>(1, divide_up(share, s.tuning.tile())) * s.tuning.tile();
    s.chunk = (std::max)(share, whole); // unless rounding up went past 64 bits
    // In the canonical order the sums of chunks are those of its blocks.
    if (s.tuning.tree_run > 1 && wanted > 1) s.chunk = ceil_power_of_two(s.chunk);
    const std::uint64_t chunks = std::max<std::uint64_t>(1, divide_up(s.n, s.chunk));
    if (chunks > 1) {
        layout.add(wanted); // at least as many, but never less for a larger n
        s.passes.push_back({kind::reduce_chunks, 0, s.n, chunks, false, true});
    }
    if (op == operation::scan)
        s.passes.push_back({kind::scan_chunks, 0, s.n, chunks, chunks > 1, false});
    else
        s.passes.push_back({kind::reduce_chunks, chunks > 1 ? 1U : 0U, chunks > 1 ? chunks : s.n, 1, false, false});
}

/// A reduction in the canonical order by work-items on their own: parts of a power of two, about eight per compute
/// unit, then their sums and the rest.
inline void plan_parts(launch_plan& s, scratch_layout& layout) {
    using kind = pass::kind;
    constexpr std::uint32_t smallest = 1U << 12;
    constexpr std::uint32_t largest = 1U << 16;
    const std::uint64_t wanted = std::max<std::uint64_t>(1, 8 * std::uint64_t{s.tuning.work_groups});
    s.chunk = (std::max)(smallest, (std::min)(largest, floor_power_of_two(s.n / wanted)));
    const std::uint64_t parts = s.n / s.chunk;
    if (parts > 0) {
        layout.add((std::min)(s.n / smallest, (std::max)(2 * wanted, s.n / largest))); // never less for a larger n
        s.passes.push_back({kind::reduce_chunks, 0, parts * s.chunk, parts, false, true});
    }
    s.passes.push_back({kind::finish_parts, 0, s.n, 1, parts > 0, false});
}

inline void plan_scan_tiles(launch_plan& s, scratch_layout& layout) {
    using kind = pass::kind;
    const std::uint64_t tile = s.tuning.tile();
    const auto elements = count_levels(s.n, tile);
    const auto top = static_cast<std::uint32_t>(elements.size() - 1);
    const bool propagate = s.tuning.strategy == strategy::scan_then_propagate;
    const auto tiles = [&](std::uint32_t level) { return divide_up(elements[level], tile); };
    for (std::uint32_t level = 0; level < top; ++level) {
        layout.add(tiles(level));
        s.passes.push_back(
            {propagate ? kind::scan_tiles : kind::reduce_tiles, level, elements[level], tiles(level), false, true});
    }
    s.passes.push_back({kind::scan_tiles, top, elements[top], 1, false, false});
    for (std::uint32_t level = top; level-- > 0;)
        s.passes.push_back(
            {propagate ? kind::propagate_tiles : kind::scan_tiles, level, elements[level], tiles(level), true, false});
}

/// A reduction in the canonical order: the sums of full tiles, level after level, and back down what each level has
/// besides.
inline void plan_canonical_tiles(launch_plan& s, scratch_layout& layout) {
    using kind = pass::kind;
    const std::uint64_t tile = s.tuning.tile();
    std::vector<std::uint64_t> elements{s.n};
    for (; elements.back() > tile; elements.push_back(elements.back() / tile)) {
        const std::uint64_t full = elements.back() / tile;
        const auto level = static_cast<std::uint32_t>(elements.size() - 1);
        layout.add(full);
        s.passes.push_back({kind::reduce_tiles, level, full * tile, full, false, true});
    }
    for (std::size_t level = elements.size(); level-- > 0;) {
        const bool top = level + 1 == elements.size();
        if (top || elements[level] % tile != 0)
            s.passes.push_back({kind::append_tile, static_cast<std::uint32_t>(level), elements[level], 1, !top, false});
    }
}

inline void plan_reduce_tiles(launch_plan& s, scratch_layout& layout) {
    const std::uint64_t tile = s.tuning.tile();
    const auto elements = count_levels(s.n, tile);
    for (std::uint32_t level = 0; level < elements.size(); ++level) {
        const bool last = level + 1 == elements.size();
        const std::uint64_t tiles = std::max<std::uint64_t>(1, divide_up(elements[level], tile));
        if (!last) layout.add(tiles);
        s.passes.push_back({pass::kind::reduce_tiles, level, elements[level], tiles, false, !last});
    }
}

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

/// Bytes of the state that tiles publish their sums in; follows look_back.cl and state.cl.
inline std::uint64_t look_back_state_bytes(std::uint64_t tiles, std::size_t value_size) {
    const std::uint64_t words = divide_up(value_size, 4);
    return 8 * (32 + words * (tiles + tiles / 32 + tiles / 1024 + tiles / 32768));
}

/// Shares the parts of a reduction, and `leftover` steps more, among its work-groups.
inline void share_parts(launch_plan& s, std::uint64_t parts, std::uint64_t leftover) {
    const std::uint64_t most = s.tuning.work_groups;
    const std::uint64_t rounds = std::max<std::uint64_t>(1, divide_up(parts, most));
    const bool is_dynamic = rounds >= reduce_dynamic_from;
    // Where all parts are static: a few work-groups fewer, if then all of them have equally many parts. NVIDIA H200,
    // 2^25 int32: 256 work-groups 38.0 us, 264 38.4. Many fewer are slower: 576 parts, 192 work-groups 14.5, 264 14.3.
    const std::uint64_t even = divide_up(parts, rounds);
    const std::uint64_t for_parts = !is_dynamic && even >= most - most / 8 ? even : parts;
    const std::uint64_t groups =
        (std::min)(most, (std::max)(for_parts, divide_up(leftover + 1, s.tuning.work_items / sub_group_lanes)));
    s.passes.push_back({pass::kind::reduce_once, 0, s.n, groups, false, false});
    s.static_parts = is_dynamic ? (rounds - reduce_dynamic_rounds) * groups : parts;
    s.tickets = parts - s.static_parts + groups;
}

/// One launch: parts of a power of two of steps (reduce_lanes.cl), at least one per sub-group.
inline void plan_reduce_once(launch_plan& s, std::size_t value_size) {
    const tuning& t = s.tuning;
    const std::uint64_t sub_groups = t.work_items / sub_group_lanes;
    const std::uint64_t step = std::uint64_t{sub_group_lanes} * t.run_packs * t.pack;
    const std::uint64_t steps = s.n / step;
    const std::uint64_t least = reduce_parts(s.n * value_size);
    const std::uint64_t share = floor_power_of_two(std::max<std::uint64_t>(1, steps / sub_groups / least));
    const std::uint64_t staged = floor_power_of_two(reduce_staged_bytes / value_size);
    s.chunk = step * (std::min)(sub_groups * share, staged);
    const std::uint64_t parts = s.n / s.chunk;
    const std::uint64_t leftover = s.n % s.chunk / step;
    if (steps <= std::min<std::uint64_t>(sub_groups, sub_group_lanes - 1)) {
        s.passes.push_back({pass::kind::reduce_few, 0, s.n, 1, false, false});
        return;
    }
    share_parts(s, parts, leftover);
    // As many entries as any number of elements up to n needs: parts of one step per sub-group or of what is staged,
    // or fewer than twice as many as asked for, and steps of less than a part.
    const std::uint64_t most_parts = (std::max)((std::min)(steps / sub_groups, 2 * least), steps / staged);
    const std::uint64_t most_leftover =
        (std::min)(sub_groups * std::max<std::uint64_t>(1, steps / sub_groups / reduce_parts(0)), staged);
    s.scratch_bytes = 8 * (32 + divide_up(value_size, 4) * (most_parts + most_leftover + 64));
}

/// The passes for n elements. Pure; n = 0 gives no pass for a scan and one for a reduction (which writes the initial
/// value).
inline launch_plan plan_passes(operation op, std::uint64_t n, const tuning& t, std::size_t value_size) {
    launch_plan s;
    s.tuning = t;
    s.n = n;
    scratch_layout layout(s);
    if (op == operation::scan && n == 0) return s;
    if (t.strategy == strategy::look_back && op == operation::scan) {
        const std::uint64_t tiles = divide_up(n, t.tile());
        s.passes.push_back({pass::kind::look_back, 0, n, tiles, false, false});
        s.scratch_bytes = tiles > 1 ? look_back_state_bytes(tiles, value_size) : 0;
        s.tickets = t.lanes == lanes_backend::ptx ? 0 : tiles; // warps take theirs from the launch's order
        return s;
    }
    if (t.algorithm == tile_algorithm::sub_group) {
        plan_reduce_once(s, value_size);
        return s;
    }
    if (t.strategy == strategy::chunked && op == operation::reduce && t.tree_run > 1)
        plan_parts(s, layout);
    else if (t.strategy == strategy::chunked)
        plan_chunks(s, op, layout);
    else if (op == operation::scan)
        plan_scan_tiles(s, layout);
    else if (t.canonical)
        plan_canonical_tiles(s, layout);
    else
        plan_reduce_tiles(s, layout);
    layout.finish(value_size);
    return s;
}

} // namespace upsweep::detail
