// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/initial_value.hpp>
#include <upsweep/detail/call/segment_call.hpp>
#include <upsweep/no_init.hpp>
#include <upsweep/segmented_view.hpp>

#include <type_traits>

namespace upsweep {

namespace detail {

/// What a scan or reduction of segments is given. Refers to the arguments.
/// @param empty  what a segment without elements gives where there is no initial value; null: it does not matter
template <class T, class Out>
segment_arguments arguments_of_segments(const char* function, queue_handle queue, const segmented_view<T>& in,
                                        span<Out> out, segment_results results, const given_value<Out>& init,
                                        const wait_list& after, const value_of_nothing<Out>* empty = nullptr) {
    static_assert(!std::is_const<Out>::value, "upsweep: the output's elements must not be const");
    segment_arguments a;
    a.function = function;
    a.queue = queue.get();
    a.in = &in.input();
    a.out = untyped(out);
    a.results = results;
    a.init = init.value;
    a.empty = empty;
    a.init_on_device = init.on_device;
    a.init_place = untyped(init.place);
    a.after = &after;
    return a;
}

/// The same of a reduction by keys.
template <class T, class Key, class OutKey, class Out, class Count>
segment_arguments arguments_of_keys(queue_handle queue, const keyed_view<T, Key>& in, span<OutKey> keys,
                                    span<Out> values, span<Count> count, const wait_list& after) {
    static_assert(is_same_on_device<Key, OutKey>, "upsweep: keys are written in their own type");
    static_assert(std::is_unsigned<Count>::value && sizeof(Count) >= 4,
                  "upsweep: a count is a std::uint32_t or a std::uint64_t");
    segment_arguments a =
        arguments_of_segments<T, Out>("reduce_by_key", queue, in, values, segment_results::per_key, nullptr, after);
    a.unique = untyped(keys);
    a.total = untyped(count);
    return a;
}

/// One scan or reduction of segments.
template <class T, class Out, class Op>
cl::Event call_of_segments(const char* function, queue_handle queue, const segmented_view<T>& in, span<Out> out,
                           segment_results results, const given_value<Out>& init, const Op& op, const wait_list& after,
                           const options& opts) {
    const value_of_nothing<Out> empty{};
    const segment_arguments a = arguments_of_segments<T, Out>(function, queue, in, out, results, init, after, &empty);
    return cl::Event(call_segments(a, checked_types<T, Out>(op), opts));
}

} // namespace detail

/// Inclusive scan of each segment: out[i] combines the elements from the beginning of i's segment up to i. Otherwise as
/// `inclusive_scan` of a span: arguments, errors, launches.
///
/// @param queue  of the context that the buffers belong to; in-order or out-of-order
/// @param in     the segments
/// @param out    room for as many elements as the input; may be an array of the input (of the same type in OpenCL C),
///               else must not overlap one
/// @param op     associative
/// @param after  events to wait for
/// @param opts   what is not left to the library
/// @return the event of the last command
/// @throws upsweep::error as for a span; also where keys or flags are not as many as the elements, where rows do not
///         fit the input or the output, where keys or flags overlap the output, and where `options` ask for
///         scan_then_propagate
///
/// @par Launches and elements moved
/// Columns: see `columns`. Else the launches of the scan of a span. Where that reads an element, this reads its key or
/// flag as well, and for a key the one before it. Of segments by offsets, a command and a launch before them read each
/// offset once and mark in a bit for each element where segments end; reductions write the results of empty segments
/// there. Of rows of up to 16 KiB that are not scanned in place, devices with sub-groups read what precedes a tile in
/// its row again, less than a row for each tile, in place of waiting for another tile.
///
/// Values are combined in the canonical order (reference.hpp) of the flagged operator over the whole array: of pairs
/// (value, whether a segment begins in it), the right one if a segment begins in it, else both values combined. So the
/// bits of floats depend on where a segment lies in the array; but not those of `columns`.
///
/// @par Source
/// Segmented scans: G. E. Blelloch, Prefix Sums and Their Applications, 1990, section 1.5.
///
/// @par Programs
/// A call with another equality, operator or kind of segments than before builds one; other keys, flags, widths and
/// initial values do not.
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event inclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::call_of_segments<T, Out>("inclusive_scan", queue, in, out, detail::segment_results::inclusive,
                                            nullptr, op, after, opts);
}

/// Inclusive scan of each segment with an initial value, which is combined with each segment's first element; of
/// `columns`, with all that is to the right of it, as in a scan of a span.
template <class T, class Out, class Op>
cl::Event inclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out, const Op& op,
                         const detail::identity_t<detail::initial_value<Out>>& init, const wait_list& after = {},
                         const options& opts = {}) {
    return detail::call_of_segments<T, Out>("inclusive_scan", queue, in, out, detail::segment_results::inclusive,
                                            init.get(), op, after, opts);
}

/// Exclusive scan of each segment: `init` at its first element, then as the inclusive scan with an initial value gives
/// for the element before.
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out,
                         const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::call_of_segments<T, Out>("exclusive_scan", queue, in, out, detail::segment_results::exclusive,
                                            init.get(), op, after, opts);
}

/// Reduces each segment to one value: results[k] is what the inclusive scan of segments has at the last element of
/// segment k, to the last bit. An empty segment gives `init`; so do rows and columns without elements.
///
/// @param queue    of the context that the buffers belong to; in-order or out-of-order
/// @param in       the segments
/// @param results  room for a value for each row, or for each segment that `segments` has. Of segments by keys or
///                 flags, whose number is not known before, as many are written as there is room for. Must not overlap
///                 the input
/// @param init     combined with each segment's first element
/// @param op       associative
/// @param after    events to wait for
/// @param opts     what is not left to the library
/// @return the event of the last command
/// @throws upsweep::error as `inclusive_scan` of segments, where there is no room for the results, and where there are
///         2^32 - 1 elements or more by keys or flags
///
/// @par Launches and elements moved
/// Columns: see `columns`. Rows of 32 elements and more, on devices with sub-groups: one, which reads each element
/// once; if there are fewer than 32 rows for each compute unit and they are longer than 4096 elements, two, which also
/// write and read a value for each part, of 1024 elements at least, up to 128 for each compute unit; such rows without
/// gaps of values of up to 8 bytes, from 2^17 elements on, one up to as many elements as segments by offsets. Segments
/// by offsets, on devices with sub-groups that are no CPUs, of values of up to 32 bytes, up to 2^18 elements in up to
/// 2^16 segments, or 2^20 in segments of 64 on average, or 2^23 in up to 2^14 segments if their values have 4 bytes at
/// most, 2^21 by a costly operator, larger ones 16 MiB: one, which reads each element and each offset once; from 2^17
/// elements in up to 2^14 segments on, each of its work-groups, two for each compute unit, reads all offsets besides,
/// and up to 2048 values are written and read. Segments by offsets, on such devices, that are long on average or few,
/// by operators that are not costly, 2^18 elements and segments at least: two, which read each element once and write
/// and read a value for each part, of 1024 elements at least, up to 128 for each compute unit. They are long with 256
/// elements where the operator is exact and commutes, else with 1024, of values of more than 4 bytes with 640; and few
/// up to 256 for each compute unit, half as many of such values, twice as many where sums are `plus` on integers.
/// Others, on such devices, of 4 elements and more on average, 2^18 elements and segments at least, with the library's
/// own operators but `plus` on integers of up to 4 bytes, of 8 too where the device is not NVIDIA's: three, which read
/// each element and each offset once and write about 2 KiB for each MiB. Other segments by offsets of values of up to
/// 64 bytes, on devices other than CPUs, 2^18 elements and segments at least: three, and one more for each factor of t
/// in the number of elements above t, which are as many as 4 KiB have, but 1024 at most. They read each element and
/// each offset once and write and read up to 32 KiB for each MiB, and up to 160 KiB of values of more than 8 bytes;
/// combined in the same order as by a scan. The same launches, without offsets, take rows that lie one behind the
/// other, if that scratch can be allocated: of fewer than 32 elements, from 64 MiB on; of values of more than 32 bytes;
/// and of fewer elements than 160 and 1920 bytes have, where their number is no power of two and the operator is not
/// exact or does not commute, from 16 MiB on. Segments by offsets on CPUs of up to 16 cores, and rows on any of them,
/// one for every eight cores at least, of values of up to 256 bytes: one, which reads each element and each offset
/// once; a segment is one core's. Else those of the exclusive scan of one element more, which stores one value for each
/// segment.
///
/// @par Source
/// Of the three launches: D. Merrill, M. Garland, Merge-Based Parallel Sparse Matrix-Vector Multiplication, 2016. Of
/// the four: P. Fenwick, A New Data Structure for Cumulative Frequency Tables, 1994.
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce(queue_handle queue, const segmented_view<T>& in, span<Out> results,
                 const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                 const wait_list& after = {}, const options& opts = {}) {
    return detail::call_of_segments<T, Out>("reduce", queue, in, results, detail::segment_results::per_segment,
                                            init.get(), op, after, opts);
}

/// Reduces each segment without an initial value; an empty one gives Out{}, and so do rows and columns without
/// elements.
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce(queue_handle queue, const segmented_view<T>& in, span<Out> results, no_init_t = no_init,
                 const Op& op = {}, const wait_list& after = {}, const options& opts = {}) {
    return detail::call_of_segments<T, Out>("reduce", queue, in, results, detail::segment_results::per_segment, nullptr,
                                            op, after, opts);
}

/// Reduces each run of equal neighbouring keys: keys[k] is the first key of run k, values[k] its reduction, and
/// count[0] the number of runs.
///
/// @code
/// upsweep::reduce_by_key(queue, upsweep::keyed(x, keys), unique, sums, count);
/// @endcode
///
/// @param queue   of the context that the buffers belong to; in-order or out-of-order
/// @param in      made by `keyed`, of less than 2^32 - 1 elements
/// @param keys    room for the keys, and
/// @param values  for the values; as many of both are written as there is room for in the smaller one
/// @param count   room for one `std::uint32_t` or `std::uint64_t`. No output may overlap an input or another one
/// @param op      associative
/// @param after   events to wait for
/// @param opts    what is not left to the library
/// @return the event of the last command
/// @throws upsweep::error as `reduce` of segments
///
/// @par Launches and elements moved
/// Those of `reduce` of segments; a key more is written for each run.
template <class T, class Key, class Out, class Count, class Op = plus, class = detail::require_operator<Op>,
          class OutKey = Key>
cl::Event reduce_by_key(queue_handle queue, const keyed_view<T, Key>& in, span<OutKey> keys, span<Out> values,
                        span<Count> count, const Op& op = {}, const wait_list& after = {}, const options& opts = {}) {
    const detail::segment_arguments a = detail::arguments_of_keys(queue, in, keys, values, count, after);
    return cl::Event(detail::call_segments(a, detail::checked_types<T, Out>(op), opts));
}

} // namespace upsweep
