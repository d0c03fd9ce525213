// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// Reductions of columns whose rows were joined to values (row_values.hpp), where their result is not what the caller
/// wants: first that of the values, then that of the rows in its result, with those that are left over.
class joined_rows {
public:
    /// @param given  the columns as they are; outlives the object
    /// @param rows   of a value
    UPSWEEP_INLINE joined_rows(const columns_request& given, std::uint64_t rows)
        : given_(given)
        , rest_(given)
        , rows_(rows) {
        rest_.height = rows + given.height % rows;
        rest_.offset += (given.height - rest_.height) * given.pitch;
        rest_.run.has_init = rows > 1 && given.run.has_init; // one row begins with it already
    }
    joined_rows(const joined_rows&) = delete;
    joined_rows& operator=(const joined_rows&) = delete;

    /// The second reduction: the first `rows` of its rows are the result of the first one.
    const columns_request& rest() const { return rest_; }

    /// @param reduce_values  starts the reduction of the values into a buffer, after a wait list
    template <class ReduceValues>
    cl::Event start(const columns_layout& layout, built_program& program, const ReduceValues& reduce_values) {
        const run_request& run = given_.run;
        const std::size_t bytes = static_cast<std::size_t>(rows_ * given_.width) * given_.value_size;
        workspace_loan sums(run.function, run.queue.context, run.queue.queue, run.queue.in_order, bytes, nullptr);
        const two_runs runs(run.queue, *run.after);
        const cl::Event reduced = reduce_values(sums.buffer(), runs.first());
        sums.used_until(reduced());
        const wait_list then = runs.second(reduced);
        rest_.run.after = &then;
        cl::Event done = columns_run(rest_, layout, program).start_behind(sums.buffer(), rows_);
        sums.used_until(done());
        return done;
    }

private:
    const columns_request& given_;
    columns_request rest_;
    const std::uint64_t rows_;
};

} // namespace upsweep::detail
