// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/span.hpp>

#include <type_traits>

namespace upsweep {

/// An initial value that lies in device memory; made by `from`.
template <class T>
struct device_value {
    span<const T> place; ///< its first element is the value
};

/// An initial value that kernels read from device memory, in the place of one from the host: no round trip for what the
/// call before computed. Its first element must be there when the call runs, and must not overlap an output.
///
/// @code
/// upsweep::reduce(queue, x, total, 0.0f);
/// upsweep::exclusive_scan(queue, y, sums, upsweep::from(total));
/// @endcode
///
/// Results are those of the same value from the host, to the last bit. Calls on device memory take it, of arrays, of
/// views and of segments, and plans of segments. Other plans and groups of devices throw `upsweep::error`; calls on
/// host memory, and reductions that return their result, do not compile. A call's first use builds a program of its
/// own.
/// @param place  of the type that elements are combined in
template <class T>
device_value<std::remove_const_t<T>> from(span<T> place) {
    return {place};
}

} // namespace upsweep
