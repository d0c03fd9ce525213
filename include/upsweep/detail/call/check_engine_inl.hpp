// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/engine/engine.hpp>
#include <upsweep/detail/self_check/bench.hpp>
#include <upsweep/detail/self_check/run.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::detail {

/// An engine of a given tuning, for the self-checks of what is built on scans: its tiles are in the order of
/// self-checks.
class check_engine {
public:
    /// @param n  elements
    UPSWEEP_INLINE check_engine(const check_bench& bench, const device_limits& limits, const call_types& types,
                                std::uint64_t n, const tuning& t, bool wide = false) {
        const queue_facts queue = bench.queue();
        engine_.context = queue.context;
        engine_.device = queue.device;
        engine_.limits = &limits;
        engine_.value_size = types.value.size;
        engine_.counts_marks = types.counts_marks;
        program_key key = key_of(queue, n, types.text);
        key.wide_index = key.wide_index || wide;
        use_tuning(bench.function(), engine_, key, t, n);
        options as_chosen; // a program that does not build is an error here
        as_chosen.algorithm = t.algorithm;
        engine_.programs = find_programs(bench.function(), engine_, key, as_chosen);
        scratch_ = bench.make_scratch(engine_.full.scratch_bytes);
    }

    /// Enqueues a call of so many elements. Scratch memory is this one's.
    UPSWEEP_INLINE cl::Event start(checked_call call) const {
        call.workspace = {scratch_(), engine_.full.scratch_bytes, 0, 1};
        call.request.last_tile_first = true;
        return detail::start(engine_, call);
    }

private:
    engine engine_;
    owned<cl_mem> scratch_;
};

} // namespace upsweep::detail
