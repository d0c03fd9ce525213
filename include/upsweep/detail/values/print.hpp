// SPDX-License-Identifier: MIT
#pragma once

namespace upsweep::detail {

/// Prints things one after another. A template, so that only a program that prints needs <ostream>, which costs a
/// compiler.
template <class Stream, class... Things>
Stream& print(Stream& out, const Things&... things) {
    (out << ... << things);
    return out;
}

} // namespace upsweep::detail
