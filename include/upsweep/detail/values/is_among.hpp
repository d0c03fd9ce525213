// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

namespace upsweep::detail {

/// Whether a value is in a list, of few values.
template <class List, class Value>
bool is_among(const List& list, const Value& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

} // namespace upsweep::detail
