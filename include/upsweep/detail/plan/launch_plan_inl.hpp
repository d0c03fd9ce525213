// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/launch_plan.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/print.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>

namespace upsweep {
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED std::ostream& operator<<(std::ostream& out, const launch_plan& s) {
    const upsweep::tuning& t = s.tuning;
    detail::print(out, "n = ", s.n, ": ", t.strategy, ", tile ", t.algorithm, " of ", t.work_items, " work-items x ",
                  t.items, " elements = ", t.tile(), '\n');
    for (std::size_t i = 0; i < s.passes.size(); ++i) {
        const pass& p = s.passes[i];
        detail::print(out, "  launch ", i + 1, ": ", to_string(p.what), ", ",
                      p.level == 0 ? "elements" : "sums of level " + std::to_string(p.level - 1), ": ", p.elements,
                      " = ", p.work_groups, p.work_groups == 1 ? " work-group x " : " work-groups x ", t.work_items,
                      " work-items x ");
        if (detail::record_of(p.what).takes == detail::group_elements::chunk)
            detail::print(out, "a chunk of ", p.level == 0 ? s.chunk : p.elements);
        else
            detail::print(out, t.items);
        detail::print(out, " elements\n");
    }
    return detail::print(out, "  scratch: ", s.scratch_bytes, " bytes\n");
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep
