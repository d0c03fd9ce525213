// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

namespace upsweep::detail {

/// Whether a value is in a list, of few values.
template <class List, class Value>
bool is_among(const List& list, const Value& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

/// Adds all of `more` behind. (A function of its own, because compilers look into templates of others where they
/// stand.)
template <class T, class More>
void append_all(std::vector<T>& to, const More& more) {
    to.insert(to.end(), more.begin(), more.end());
}

} // namespace upsweep::detail
