// SPDX-License-Identifier: MIT
#pragma once

namespace upsweep::detail {

/// What the kernels of a call do with an array: read it, write it, or both.
enum class access { input, output, both };

} // namespace upsweep::detail
