// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/error.hpp>
#include <upsweep/views.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace upsweep {

namespace detail {

template <class Count>
computed_input counted(computed_input input, span<Count> count) {
    using number = std::remove_const_t<Count>;
    static_assert(is_count<number>, "upsweep: a count is a std::uint32_t or a std::uint64_t");
    if (input.is_counted()) throw error("first", "input", "its number of elements is read on the device already");
    input.counter = untyped(count);
    input.counter_type = describe_type<number>();
    return input;
}

} // namespace detail

/// The first elements of an array, as many as a number on the device says when the call runs: what `copy_if` and its
/// siblings leave there can be scanned, reduced or chosen from at once, without a round trip to the host.
///
/// @code
/// upsweep::copy_if(queue, x, kept, count, "a > 0");
/// upsweep::inclusive_scan(queue, upsweep::first(kept, count), sums);
/// @endcode
///
/// @param x      the array. It has as many elements as there may be at most, and so must the output
/// @param count  its first element is read, by kernels, so it must be there when the call runs; it must not overlap the
///               output. A larger number than there are elements in `x` counts as that many
///
/// Results are those of a call on so many elements, to the last bit where the order is the canonical one. What is
/// behind them is neither read nor written, and the operator sees none of it. With a count of 0 nothing is written by a
/// scan, and a reduction gives its initial value or, without one, Out{}; `copy_if` and its siblings write 0 to their
/// own count.
///
/// What it returns is taken by every function that takes a `transform_view`, and by `transform`. Not by `rows`,
/// `columns`, `segments`, `keyed` and `flagged`, nor as what chooses in a selection: the calls throw `upsweep::error`.
/// Of the inputs of `unique_by_key` the keys may be one.
/// @throws upsweep::error where `x` has a number of elements on the device already
///
/// @par Launches and elements moved
/// Launches are those for as many elements as `x` has; work-groups without elements end at once. A scan with a total is
/// a reduction and the scan. Calls throw `upsweep::error` where `options` ask for scan_then_propagate.
template <class T, class Count>
transform_view<std::remove_const_t<T>> first(span<T> x, span<Count> count) {
    detail::computed_input input;
    input.size = x.size();
    input.parts = {{detail::untyped(x), detail::describe_type<std::remove_const_t<T>>()}};
    return transform_view<std::remove_const_t<T>>(detail::counted(std::move(input), count));
}
/// The same of computed elements.
template <class T, class Count>
transform_view<T> first(const transform_view<T>& x, span<Count> count) {
    return transform_view<T>(detail::counted(x.input(), count));
}

} // namespace upsweep
