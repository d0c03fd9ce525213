// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/parts/prefix_fold.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <vector>

// An operator may exist as OpenCL C text only. So the host writes down which values are to be combined, and a kernel
// does it (group/fold.hpp).

namespace upsweep::detail {

/// values[to] = values[left] op values[right]
struct fold_step {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t to = 0;
};

/// Combinations of values that are named by their places in an array: those that are given come first. Each result is
/// written once, behind all places that it is made of.
struct fold_program {
    std::uint32_t given = 0; ///< values that are there before
    std::vector<fold_step> steps;

    std::uint32_t size() const { return given + static_cast<std::uint32_t>(steps.size()); }
};

/// Writes a combination down; for `prefix_fold`.
class fold_recorder {
public:
    UPSWEEP_INLINE explicit fold_recorder(fold_program& program)
        : program_(&program) {}

    UPSWEEP_INLINE std::uint32_t operator()(std::uint32_t left, std::uint32_t right) const {
        const std::uint32_t to = program_->size();
        program_->steps.push_back({left, right, to});
        return to;
    }

private:
    fold_program* program_;
};

using recorded_fold = prefix_fold<std::uint32_t, fold_recorder>;

/// Which places the values at `wanted` are made of, themselves included.
UPSWEEP_INLINE std::vector<bool> needed_for(const fold_program& program, const std::vector<std::uint32_t>& wanted) {
    std::vector<bool> needed(program.size());
    for (std::uint32_t place : wanted) needed[place] = true;
    for (auto step = program.steps.rbegin(); step != program.steps.rend(); ++step)
        if (needed[step->to]) needed[step->left] = needed[step->right] = true;
    return needed;
}

/// The steps that the values at `wanted` take.
UPSWEEP_INLINE std::vector<fold_step> steps_for(const fold_program& program, const std::vector<std::uint32_t>& wanted) {
    const std::vector<bool> needed = needed_for(program, wanted);
    std::vector<fold_step> result;
    for (const fold_step& step : program.steps)
        if (needed[step.to]) result.push_back(step);
    return result;
}

} // namespace upsweep::detail
