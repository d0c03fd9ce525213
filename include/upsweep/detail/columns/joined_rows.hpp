// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>

// Reductions of columns whose rows were joined to values (row_values.hpp), where their result is not what the caller
// wants: first that of the values, then that of the rows in its result, with those that are in no value.

namespace upsweep::detail {

/// The second reduction. Its first rows are not the input's, but those of the first one's result.
/// @param rows  of a value
UPSWEEP_INLINE columns_request behind_joined_rows(const columns_request& columns, std::uint64_t rows) {
    columns_request rest = columns;
    rest.height = rows + columns.height % rows;
    rest.offset += (columns.height - rest.height) * columns.pitch;
    rest.run.has_init = rows > 1 && columns.run.has_init; // one row begins with it already
    return rest;
}

/// Enqueues both.
/// @param rest           the second, with its program
/// @param rows           of a value
/// @param reduce_values  starts the first one into a buffer, after a wait list
template <class ReduceValues>
cl::Event reduce_both(columns_request rest, std::uint64_t rows, const device_limits& device, built_program& program,
                      const ReduceValues& reduce_values) {
    const run_request run = rest.run;
    const std::size_t bytes = static_cast<std::size_t>(rows * rest.width) * rest.value_size;
    workspace_loan sums(run.function, run.queue.context, run.queue.queue, run.queue.in_order, bytes, nullptr);
    const two_runs runs(run.queue, *run.after);
    const cl::Event reduced = reduce_values(sums.buffer(), runs.first());
    sums.used_until(reduced());
    const wait_list then = runs.second(reduced);
    rest.run.after = &then;
    cl::Event done = columns_run(rest, lay_out_columns(rest, device), program).start_behind(sums.buffer(), rows);
    sums.used_until(done());
    return done;
}

} // namespace upsweep::detail
