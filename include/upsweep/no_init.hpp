#pragma once

namespace upsweep {

/// Tag: reduce without an initial value.
struct no_init_t {};
inline constexpr no_init_t no_init{};

} // namespace upsweep
