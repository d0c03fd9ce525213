// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// Keeps the events of calls that wait for events of the caller until all are complete. Where an event fails, PoCL 3.1
/// fails those that wait for it and aborts the process if nobody else holds them: it unlocks an event that it has just
/// released. The caller holds the last event of a call at most.
template <class>
class event_keeper_of {
public:
    UPSWEEP_INLINE static event_keeper_of& get() {
        static auto* const keeper = new event_keeper_of; // not destroyed: see program_cache
        return *keeper;
    }

    /// Takes the events of one call, all of one context, in the order in which they were enqueued.
    /// Drops those of earlier calls that are done. O(events): looks at no more than two other calls.
    // NOLINTNEXTLINE(performance-unnecessary-value-param): moved from
    UPSWEEP_INLINE void keep(cl_context context, std::vector<owned<cl_event>> events) {
        record fresh;
        fresh.context = context;
        fresh.events = std::move(events);
        const std::lock_guard<std::mutex> guard(lock_);
        for (int looks = 0; looks < 2 && !records_.empty(); ++looks) {
            next_ %= records_.size();
            if (may_drop(records_[next_])) {
                std::swap(records_[next_], records_.back());
                records_.pop_back();
            } else {
                ++next_;
            }
        }
        records_.push_back(std::move(fresh));
    }

    /// Drops what is done, or failed, of one context; with nullptr, of all.
    UPSWEEP_INLINE void release(cl_context context) {
        const std::lock_guard<std::mutex> guard(lock_);
        const auto is_done = [&](const record& r) {
            return (!context || r.context == context) && state_of(r) != state::running;
        };
        records_.erase(std::remove_if(records_.begin(), records_.end(), is_done), records_.end());
    }

private:
    struct record {
        cl_context context = nullptr; ///< held by the events
        std::vector<owned<cl_event>> events;
        bool has_failed = false;
        std::chrono::steady_clock::time_point stays_until; ///< once it has failed
    };
    enum class state { running, failed, complete };

    UPSWEEP_INLINE static state state_of(const record& r) {
        state result = state::complete;
        for (const owned<cl_event>& event : r.events) {
            cl_int status = CL_COMPLETE;
            clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
            if (status > CL_COMPLETE) return state::running;
            if (status < 0) result = state::failed;
        }
        return result;
    }

    /// Failed events may still be in the hands of the thread that fails them, so they stay for a second.
    UPSWEEP_INLINE static bool may_drop(record& r) {
        const state now = state_of(r);
        if (now != state::failed) return now == state::complete;
        const auto time = std::chrono::steady_clock::now();
        if (!r.has_failed) r.stays_until = time + std::chrono::seconds(1);
        r.has_failed = true;
        return time >= r.stays_until;
    }

    std::mutex lock_;
    std::vector<record> records_;
    std::size_t next_ = 0; ///< which is looked at next
};
using event_keeper = event_keeper_of<void>;

} // namespace upsweep::detail
