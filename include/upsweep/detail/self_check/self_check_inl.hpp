// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/environment.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/print.hpp>
#include <upsweep/detail/values/shared_value.hpp>
#include <upsweep/self_check.hpp>

#include <cstdio>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace upsweep {

namespace detail {

UPSWEEP_INLINE std::string text_of(const self_check_report& r) {
    return "self-check on device " + r.device + ": " + r.checked + ": " + r.wrong + "; used instead: " + r.instead;
}

} // namespace detail

// Other headers include this one for what is inline here; the rest they have from the library.
#if !defined(UPSWEEP_COMPILED) || defined(UPSWEEP_COMPILED_HERE)
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED std::ostream& operator<<(std::ostream& out, const self_check_report& r) {
    return detail::print(out, detail::text_of(r));
}

} // namespace UPSWEEP_VERSION_NAMESPACE
#endif

namespace detail {

/// The handler of this process. Never destroyed: code that runs at exit may still make a first call.
struct self_check_handling {
    std::mutex lock;
    std::shared_ptr<const self_check_handler> handler;

    UPSWEEP_INLINE static self_check_handling& get() {
        static auto* const handling = new self_check_handling;
        return *handling;
    }
};

/// Hands a report to the handler; without one, prints it. The lock is not held meanwhile.
UPSWEEP_INLINE void report(const self_check_report& r) {
    std::shared_ptr<const self_check_handler> handler;
    {
        self_check_handling& handling = self_check_handling::get();
        const std::lock_guard<std::mutex> guard(handling.lock);
        handler = handling.handler;
    }
    if (!handler) {
        const std::string line = "upsweep: " + text_of(r) + '\n';
        std::fputs(line.c_str(), stderr); // one write, so that lines of several threads stay whole
    } else if (*handler) {
        (*handler)(r);
    }
}

UPSWEEP_INLINE shared_value<bool>& self_check_flag() {
    static auto* const wanted = new shared_value<bool>(true); // never destroyed: see shared_value
    return *wanted;
}

/// Whether first uses are checked. Each call of kernels that were not checked asks, so the environment is read once.
UPSWEEP_INLINE bool self_check_wanted() {
    static const bool allowed = !is_off(environment("UPSWEEP_SELF_CHECK"));
    return allowed && self_check_flag();
}

} // namespace detail

#if !defined(UPSWEEP_COMPILED) || defined(UPSWEEP_COMPILED_HERE)
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED void on_self_check(self_check_handler handler) {
    std::shared_ptr<const self_check_handler> next(new self_check_handler(std::move(handler)));
    detail::self_check_handling& handling = detail::self_check_handling::get();
    const std::lock_guard<std::mutex> guard(handling.lock);
    handling.handler = std::move(next);
}

UPSWEEP_DEFINED void use_self_check(bool use) {
    detail::self_check_flag() = use;
}

} // namespace UPSWEEP_VERSION_NAMESPACE
#endif
} // namespace upsweep
