// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/self_check/bench.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace upsweep::detail {

/// A self-check of kernels that are neither a scan nor a reduction, and that a device can do without.
struct own_check {
    std::string_view name; ///< of the verdict, beside the device and `checked`; outlives the object
    const char* checked;   ///< for the report as well
    const char* instead;   ///< what is used where it fails, for the report
};

/// What an own check found on a device: `is_right`, a function of a check_bench, is called at the first use and its
/// verdict is kept for the process. Direct reductions ask at each call, so what the check is made of is for `is_right`
/// to make. A check that ends too late, or whose program or launch the device refuses, counts as wrong, because there
/// is always another way; the first to find that reports it.
template <class IsRight>
const self_check_verdict& own_verdict(const char* function, const device_limits& limits, const queue_facts& queue,
                                      const own_check& what, const IsRight& is_right) {
    const self_check_verdict* verdict = nullptr;
    const char* wrong = "wrong results";
    self_check_table& table = self_check_table::get();
    const std::string name = std::string(what.checked) + ", " + std::string(what.name) + " on " +
                             std::to_string(reinterpret_cast<std::uintptr_t>(queue.device));
    if (const self_check_verdict* known = table.find(name)) return *known;
    {
        const std::lock_guard<std::mutex> guard(table.checking);
        if (const self_check_verdict* known = table.find(name)) return *known;
        const check_time time;
        bool is_found_right = false;
        try {
            is_found_right = is_right(check_bench(function, queue.context, queue.device, time));
        } catch (const check_timeout&) {
            wrong = "not checked in time";
        } catch (const error& e) {
            if (is_too_large_a_work_group(e.status()))
                wrong = too_large_a_work_group;
            else if (e.status() == CL_BUILD_PROGRAM_FAILURE)
                wrong = "the device's compiler refuses the program";
            else
                throw;
        }
        self_check_verdict found;
        found.as_chosen = is_found_right;
        verdict = &table.add(name, found);
    }
    if (!verdict->as_chosen) report({limits.name, what.checked, wrong, what.instead});
    return *verdict;
}

} // namespace upsweep::detail
