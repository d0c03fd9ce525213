// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/plan_chunks.hpp>
#include <upsweep/detail/plan/plan_once.hpp>
#include <upsweep/detail/plan/plan_tiles.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace upsweep::detail {

/// How an operation's launches are planned: its record of this stage.
struct operation_launches {
    operation op;
    void (*once)(launch_plan& s, std::size_t value_size); ///< launches whose work-groups share a state
    void (*in_chunks)(launch_plan& s, scratch_layout& layout);
    void (*in_tiles)(launch_plan& s, scratch_layout& layout);
};

UPSWEEP_INLINE const operation_launches& launches_of(operation op) {
    static constexpr operation_launches records[] = {
        {operation::scan, plan_look_back, plan_scan_chunks, plan_scan_tiles},
        {operation::reduce, plan_reduce_once, plan_reduce_chunks, plan_reduce_tiles},
    };
    static_assert(std::size(records) == std::size(operation_records), "every operation has launches");
    const operation_launches* launches = records;
    while (launches->op != op) ++launches;
    return *launches;
}

/// The passes for n elements. Pure; n = 0 gives none where each element has a result, else one, which writes the
/// initial value.
/// @param is_counted  there may be fewer elements; their number is read on the device
UPSWEEP_INLINE launch_plan plan_passes(operation op, std::uint64_t n, const tuning& t, std::size_t value_size,
                                       bool is_counted = false) {
    launch_plan s;
    s.tuning = t;
    s.n = n;
    s.is_counted = is_counted;
    const operation_record& record = record_of(op);
    const operation_launches& launches = launches_of(op);
    if (n == 0 && record.results == result_count::per_element) return s;
    if (shares_state(t, op)) {
        launches.once(s, value_size);
        return s;
    }
    scratch_layout layout(s);
    if (t.strategy == strategy::chunked)
        launches.in_chunks(s, layout);
    else
        launches.in_tiles(s, layout);
    layout.finish(value_size);
    return s;
}

} // namespace upsweep::detail
