// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/plan/plan_chunks.hpp>
#include <upsweep/detail/plan/state_bytes.hpp>
#include <upsweep/detail/tuning/memory.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// Runs of a single launch.
namespace upsweep::detail {

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

/// Bytes of the state that tiles publish their sums in, and those of groups up to the largest (look_back_lanes.cl).
UPSWEEP_INLINE std::uint64_t look_back_state_bytes(std::uint64_t tiles, std::size_t value_size) {
    constexpr std::uint64_t group = look_back_group;
    const std::uint64_t groups = tiles / group + tiles / (group * group) + tiles / (group * group * group);
    return state_bytes(tiles + groups, value_size);
}

/// Tiles that look back.
UPSWEEP_INLINE void plan_look_back(launch_plan& s, std::size_t value_size) {
    const std::uint64_t tiles = divide_up(s.n, s.tuning.tile());
    s.passes.push_back(pass::over_elements(pass::kind::look_back, s.n, tiles));
    s.scratch_bytes = tiles > 1 ? look_back_state_bytes(tiles, value_size) : 0;
}

/// Before tiles of marks that look back: their number, with the same tiles and the same state, where a prefix for each
/// tile is added (count_marks.cl).
UPSWEEP_INLINE void plan_count_of_marks(launch_plan& s, std::size_t value_size) {
    pass count = s.passes.front();
    const std::uint64_t tiles = count.work_groups;
    count.what = pass::kind::count_marks;
    s.passes.insert(s.passes.begin(), count);
    if (tiles > 1) s.scratch_bytes += state_bytes(tiles, value_size) - state_bytes(0, value_size);
}

/// Shares the parts of a reduction among its work-groups, and what its sub-groups take one by one, `leftover`.
UPSWEEP_INLINE void share_parts(launch_plan& s, std::uint64_t parts, std::uint64_t leftover) {
    const std::uint64_t most = s.tuning.work_groups;
    const std::uint64_t rounds = std::max<std::uint64_t>(1, divide_up(parts, most));
    const bool is_dynamic = rounds >= reduce_dynamic_from;
    // Where all parts are static: a few work-groups fewer, if then all of them have equally many parts. NVIDIA H200,
    // 2^25 int32: 256 work-groups 38.0 us, 264 38.4. Many fewer are slower: 576 parts, 192 work-groups 14.5, 264 14.3.
    const std::uint64_t even = divide_up(parts, rounds);
    const std::uint64_t for_parts = !is_dynamic && even >= most - most / 8 ? even : parts;
    const std::uint64_t groups =
        (std::min)(most, (std::max)(for_parts, divide_up(leftover, s.tuning.work_items / sub_group_lanes)));
    s.passes.push_back(pass::over_elements(pass::kind::reduce_once, s.n, groups));
    s.static_parts = is_dynamic ? (rounds - reduce_dynamic_rounds) * groups : parts;
}

/// A reduction in one launch: in chunks, or by sub-groups in parts of a power of two of steps (reduce_lanes.cl), at
/// least one step for each sub-group.
UPSWEEP_INLINE void plan_reduce_once(launch_plan& s, std::size_t value_size) {
    const tuning& t = s.tuning;
    if (t.one_launch) return plan_reduce_chunks_once(s, value_size);
    const std::uint64_t sub_groups = t.work_items / sub_group_lanes;
    const std::uint64_t step = std::uint64_t{sub_group_lanes} * t.run_packs * t.step_rounds * t.pack;
    const std::uint64_t steps = s.n / step;
    const std::uint64_t least = reduce_parts(s.n * value_size);
    const std::uint64_t share = floor_power_of_two(std::max<std::uint64_t>(1, steps / sub_groups / least));
    const std::uint64_t staged = floor_power_of_two(reduce_staged_bytes / value_size);
    s.chunk = step * (std::min)(sub_groups * share, staged);
    const std::uint64_t parts = s.n / s.chunk;
    const std::uint64_t leftover = s.n % s.chunk / step;
    if (steps <= std::min<std::uint64_t>(sub_groups, sub_group_lanes - 1)) {
        s.passes.push_back(pass::over_elements(pass::kind::reduce_few, s.n, 1));
        return;
    }
    const std::uint64_t row = std::uint64_t{sub_group_lanes} * t.pack;
    share_parts(s, parts, leftover + s.n % step / row + 1);
    // As many entries as any number of elements up to n needs: parts of one step per sub-group or of what is staged,
    // or fewer than twice as many as asked for, steps of less than a part, fewer rows than lanes, and fewer blocks of
    // less than a row.
    const std::uint64_t most_parts = (std::max)((std::min)(steps / sub_groups, 2 * least), steps / staged);
    const std::uint64_t most_leftover =
        (std::min)(sub_groups * std::max<std::uint64_t>(1, steps / sub_groups / reduce_parts(0)), staged);
    s.scratch_bytes = state_bytes(most_parts + most_leftover + 2 * std::uint64_t{sub_group_lanes}, value_size);
}

} // namespace upsweep::detail
