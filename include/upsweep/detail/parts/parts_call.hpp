// SPDX-License-Identifier: MIT
#pragma once

namespace upsweep::detail {

/// What is done with the parts.
enum class parts_call { inclusive, exclusive, reduce };

} // namespace upsweep::detail
