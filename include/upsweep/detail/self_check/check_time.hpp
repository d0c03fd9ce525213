// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/environment.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

namespace upsweep::detail {

/// Thrown where a self-check's time is over; never reaches the caller.
struct check_timeout {};

/// The time that one self-check may take: `UPSWEEP_SELF_CHECK_SECONDS`, by a clock that only goes forward.
class check_time {
public:
    using clock = std::chrono::steady_clock;

    UPSWEEP_INLINE check_time()
        : limit_(limit_of(std::string(environment("UPSWEEP_SELF_CHECK_SECONDS"))))
        , end_(clock::now() + limit_) {}

    bool is_over() const { return clock::now() >= end_; }
    UPSWEEP_INLINE void throw_if_over() const {
        if (is_over()) throw check_timeout();
    }
    std::chrono::seconds limit() const { return limit_; }

private:
    /// A number of seconds, up to a day; 60 for anything else.
    UPSWEEP_INLINE static std::chrono::seconds limit_of(const std::string& text) {
        const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        constexpr long day = 24 * 60 * 60;
        return std::chrono::seconds(is_number ? (std::min)(std::strtol(text.c_str(), nullptr, 10), day) : 60L);
    }

    std::chrono::seconds limit_;
    clock::time_point end_;
};

} // namespace upsweep::detail
