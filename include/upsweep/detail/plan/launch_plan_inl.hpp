// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/launch_plan.hpp>

#include <ostream>
#include <string>

#if defined(UPSWEEP_COMPILED)
#define UPSWEEP_FUNCTION
#else
#define UPSWEEP_FUNCTION inline
#endif

namespace upsweep {
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_FUNCTION std::ostream& operator<<(std::ostream& out, const launch_plan& s) {
    out << "n = " << s.n << ": " << s.tuning.strategy << ", tile " << s.tuning.algorithm << " of "
        << s.tuning.work_items << " work-items x " << s.tuning.items << " elements = " << s.tuning.tile() << '\n';
    for (std::size_t i = 0; i < s.passes.size(); ++i) {
        const pass& p = s.passes[i];
        out << "  launch " << i + 1 << ": " << to_string(p.what) << ", "
            << (p.level == 0 ? "elements" : "sums of level " + std::to_string(p.level - 1)) << ": " << p.elements
            << " = " << p.work_groups << (p.work_groups == 1 ? " work-group x " : " work-groups x ")
            << s.tuning.work_items << " work-items x ";
        if (detail::record_of(p.what).takes == detail::group_elements::chunk)
            out << "a chunk of " << (p.level == 0 ? s.chunk : p.elements);
        else
            out << s.tuning.items;
        out << " elements\n";
    }
    return out << "  scratch: " << s.scratch_bytes << " bytes\n";
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#undef UPSWEEP_FUNCTION
