// SPDX-License-Identifier: MIT
#pragma once

namespace upsweep {

/// Tag: reduce without an initial value. Not made from `{}`, which could mean a value just as well.
struct no_init_t {
    /// Never from `{}`.
    explicit no_init_t() = default;
};
/// The tag itself: `reduce(queue, first, last, no_init, maximum{})`.
inline constexpr no_init_t no_init{};

} // namespace upsweep
