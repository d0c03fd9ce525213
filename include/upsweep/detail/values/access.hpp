// SPDX-License-Identifier: MIT
#pragma once

namespace upsweep::detail {

/// What a call does with an array.
enum class access { input, output };

} // namespace upsweep::detail
