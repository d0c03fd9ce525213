// SPDX-License-Identifier: MIT
// Kernels that are broken on their way to the compiler, and a context in which they are new.
#pragma once

#include "../environment.hpp"
#include "faults.hpp"
#include "scenarios.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace faults {

/// A change of the kernels' text.
struct change {
    std::string from;
    std::string to;
};

inline std::string changed(std::string text, const std::vector<change>& changes, std::size_t& made) {
    for (const change& c : changes)
        for (std::size_t at = 0; (at = text.find(c.from, at)) != std::string::npos; at += c.to.size(), ++made)
            text.replace(at, c.from.size(), c.to);
    return text;
}

/// Chunks of work-items on their own.
inline upsweep::options chunks(std::uint32_t count) {
    upsweep::options o;
    o.strategy = upsweep::strategy::chunked;
    o.work_groups = count;
    o.work_items = 1;
    return o;
}

/// A context of its own, in which everything is used for the first time, with kernels that are changed until the end of
/// the scope. Nothing is kept on disk, unless a test says so.
class first_uses {
public:
    explicit first_uses(std::vector<change> changes = {})
        : changes_(std::move(changes)) {
        faults::rewrite_sources([this](const std::string& text) { return changed(text, changes_, changes_made); });
        upsweep::on_self_check([this](const upsweep::self_check_report& r) {
            const std::lock_guard<std::mutex> guard(lock_);
            reports.push_back(r);
        });
        forget();
    }
    ~first_uses() {
        faults::rewrite_sources({});
        upsweep::on_self_check({});
        forget();
    }
    first_uses(const first_uses&) = delete;
    first_uses& operator=(const first_uses&) = delete;

    void forget() const {
        upsweep::release_cached(queue.getInfo<CL_QUEUE_CONTEXT>()());
        upsweep::detail::self_check_table::get().forget();
    }

    const test::environment_variable no_cache{"UPSWEEP_CACHE", "off"};
    const fixture::own_context own;
    const cl::CommandQueue queue = own.queue;
    std::vector<upsweep::self_check_report> reports;
    std::size_t changes_made = 0;

private:
    std::vector<change> changes_;
    std::mutex lock_;
};

} // namespace faults
