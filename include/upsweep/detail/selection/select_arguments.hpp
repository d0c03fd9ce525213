// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>

#include <cstdint>
#include <vector>

namespace upsweep::detail {

/// What becomes of the elements that are marked. `unique` is a `copy_if` of the first of each run.
enum class selection { copy_if, partition, run_length_encode };

/// An input of a selection, and where its elements go.
struct selected_column {
    computed_input source; ///< without stages: the elements of its only array
    type_text element;
    untyped_span out;
    type_text out_type;
    const char* argument = ""; ///< the output in errors
};

/// The arguments of a selection on device memory, types erased. None was checked.
struct selection_arguments {
    const char* function = "";
    cl_command_queue queue = nullptr;
    computed_input marks;      ///< its last stage is a test: whether an element is chosen, or begins a run
    bool marks_source = false; ///< the stages before the test are those of the first column's source
    std::vector<selected_column> columns;
    untyped_span count;
    type_text count_type;
    untyped_span lengths; ///< of runs, where they are asked for
    type_text length_type;
    const wait_list* after = nullptr;
    bool wide = false; ///< places take 64 bits
    untyped_span workspace;
};

} // namespace upsweep::detail
