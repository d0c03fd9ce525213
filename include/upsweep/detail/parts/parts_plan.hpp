// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/parts/blocks.hpp>
#include <upsweep/detail/parts/fold_program.hpp>
#include <upsweep/detail/parts/parts_call.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep::detail {

/// A part of an array: what is reduced of it, and then scanned. Places are those of the plan's fold program.
struct part_plan {
    struct scan {
        part_range elements;       ///< of the array
        maybe<std::uint32_t> init; ///< place of P(elements.begin); none where nothing stands before
        maybe<std::uint32_t> last; ///< place of the last result, where the scan would not give its bits
    };

    part_range elements;
    std::vector<aligned_block> sums; ///< blocks whose sums are needed
    std::uint32_t first_sum = 0;     ///< place of the first of these, which the others follow
    std::vector<scan> scans;

    /// The values that the scans need.
    UPSWEEP_INLINE std::vector<std::uint32_t> places() const {
        std::vector<std::uint32_t> result;
        for (const scan& each : scans) {
            if (each.init) result.push_back(*each.init);
            if (each.last) result.push_back(*each.last);
        }
        return result;
    }
};

/// How the parts of one array are scanned or reduced in the canonical order: sums of blocks first, then the fold, then
/// scans. Pure; the order is decided here. Place 0 of the fold program is the initial value.
struct parts_plan {
    std::vector<part_plan> parts;
    fold_program fold;
    maybe<std::uint32_t> total; ///< of a reduction: place of the result; none: there is nothing to combine
};

/// Plans one part's scans, with the fold that stands before it; pushes its blocks.
UPSWEEP_INLINE void plan_scans(part_plan& part, const std::vector<aligned_block>& blocks, parts_call call,
                               bool has_init, recorded_fold& fold, std::uint32_t place) {
    const std::vector<part_range> ranges = scan_ranges_of(part.elements);
    auto range = ranges.begin();
    for (const aligned_block& block : blocks) {
        if (range != ranges.end() && range->begin == block.begin) {
            part.scans.push_back({*range, fold.prefix(), {}});
            ++range;
        }
        fold.push(block.log2_size, place++);
        part_plan::scan& latest = part.scans.back();
        // Two halves of the whole array: what stands before is the left half itself.
        const bool is_right_half = !has_init && latest.elements.size() == latest.elements.begin;
        if (call == parts_call::inclusive && is_full(latest.elements) && !is_right_half) latest.last = fold.prefix();
    }
}

/// Leaves out the sums that nothing is made of, and the steps.
UPSWEEP_INLINE void drop_unused(parts_plan& plan) {
    std::vector<std::uint32_t> wanted{0};
    for (const part_plan& part : plan.parts)
        for (std::uint32_t place : part.places()) wanted.push_back(place);
    if (plan.total) wanted.push_back(*plan.total);
    const std::vector<bool> needed = needed_for(plan.fold, wanted);
    std::vector<std::uint32_t> renamed(plan.fold.size());
    std::uint32_t next = 1;
    for (part_plan& part : plan.parts) {
        std::vector<aligned_block> kept;
        const std::uint32_t first = next;
        for (std::size_t i = 0; i < part.sums.size(); ++i) {
            if (!needed[part.first_sum + i]) continue;
            renamed[part.first_sum + i] = next++;
            kept.push_back(part.sums[i]);
        }
        part.sums = kept;
        part.first_sum = first;
    }
    fold_program fold{next, {}};
    for (const fold_step& step : plan.fold.steps) {
        if (!needed[step.to]) continue;
        renamed[step.to] = fold.size();
        fold.steps.push_back({renamed[step.left], renamed[step.right], renamed[step.to]});
    }
    plan.fold = fold;
    for (part_plan& part : plan.parts)
        for (part_plan::scan& scan : part.scans) {
            if (scan.init) scan.init = renamed[*scan.init];
            if (scan.last) scan.last = renamed[*scan.last];
        }
    if (plan.total) plan.total = renamed[*plan.total];
}

/// Plans a call on parts of one array, from left to right.
/// @param counts  elements of each part; their sum is below 2^63
UPSWEEP_INLINE parts_plan plan_parts(const std::vector<std::uint64_t>& counts, parts_call call, bool has_init) {
    parts_plan plan;
    plan.fold.given = 1;
    std::uint64_t begin = 0;
    for (std::uint64_t count : counts) {
        part_plan part;
        part.elements = {begin, begin + count};
        part.sums = blocks_of(part.elements);
        part.first_sum = plan.fold.given;
        plan.fold.given += static_cast<std::uint32_t>(part.sums.size());
        begin += count;
        plan.parts.push_back(part);
    }
    recorded_fold fold{fold_recorder(plan.fold), has_init ? maybe<std::uint32_t>(0U) : maybe<std::uint32_t>()};
    for (part_plan& part : plan.parts) {
        if (call != parts_call::reduce) {
            plan_scans(part, part.sums, call, has_init, fold, part.first_sum);
            continue;
        }
        std::uint32_t place = part.first_sum;
        for (const aligned_block& block : part.sums) fold.push(block.log2_size, place++);
    }
    if (call == parts_call::reduce) plan.total = fold.prefix();
    drop_unused(plan);
    return plan;
}

} // namespace upsweep::detail
