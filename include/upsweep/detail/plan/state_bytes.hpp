// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// Bytes of the state that `values` values are published in (state.cl).
UPSWEEP_INLINE std::uint64_t state_bytes(std::uint64_t values, std::size_t value_size) {
    return 8 * (state_begin + divide_up(value_size, 4) * values);
}

} // namespace upsweep::detail
