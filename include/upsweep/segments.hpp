// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/initial_value.hpp>
#include <upsweep/detail/call/segment_call.hpp>
#include <upsweep/views.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace upsweep {

/// Elements that are cut into segments, each of which is scanned on its own; made by `keyed`, `flagged`,
/// `rows` and `segments`.
/// Holds handles without retaining them.
template <class T>
class segmented_view {
public:
    using value_type = T; ///< of the elements, before they are converted to the output's type

    /// From what stands behind the public functions.
    explicit segmented_view(detail::segmented_input input)
        : input_(std::move(input)) {}

    /// The elements and what cuts them, as calls use them.
    const detail::segmented_input& input() const noexcept { return input_; }

private:
    detail::segmented_input input_;
};

/// Elements that are cut into segments by keys; made by `keyed`.
template <class T, class Key>
class keyed_view : public segmented_view<T> {
public:
    using key_type = Key;
    using segmented_view<T>::segmented_view;
};

namespace detail {

template <class T>
computed_input elements_of(const transform_view<T>& view) {
    return view.input();
}
template <class T>
computed_input elements_of(span<T> view) {
    return transform<std::remove_const_t<T>>("a", view).input();
}

template <class Elements, class Mark>
segmented_input cut_by(segment_cut cut, const Elements& x, span<Mark> marks, std::string equality) {
    segmented_input in;
    in.elements = elements_of(x);
    in.cut = cut;
    in.array = untyped(marks);
    in.type = describe_type<std::remove_const_t<Mark>>();
    in.equality = std::move(equality);
    return in;
}

template <class Elements>
segmented_input cut_to_rows(const Elements& x, std::size_t height, std::size_t width, std::size_t pitch) {
    segmented_input in;
    in.elements = elements_of(x);
    in.cut = segment_cut::rows;
    in.height = height;
    in.width = width;
    in.pitch = pitch;
    return in;
}

/// Whether neighbouring keys are equal, where the caller does not say.
template <class Key>
std::string default_equality() {
    static_assert(is_scalar_type<Key> || is_vector<Key>,
                  "upsweep: keys that are structs need a text that compares `left` and `right`");
    return is_vector<Key> ? "all(left == right)" : "left == right";
}

/// One scan of segments.
template <class T, class Out, class Op>
cl::Event call_of_segments(const char* function, queue_handle queue, const segmented_view<T>& in, span<Out> out,
                           segment_results results, const Out* init, const Op& op, const wait_list& after,
                           const options& opts, const untyped_span& unique = {}, const untyped_span& total = {}) {
    static_assert(!std::is_const<Out>::value, "upsweep: the output's elements must not be const");
    segment_arguments a;
    a.function = function;
    a.queue = queue.get();
    a.in = &in.input();
    a.out = untyped(out);
    a.results = results;
    a.unique = unique;
    a.total = total;
    a.init = init;
    a.after = &after;
    return cl::Event(call_segments(a, checked_types<T, Out>(op), opts));
}

} // namespace detail

/// Segments that are runs of equal neighbouring keys: key i belongs to element i. Equal keys that are no neighbours are
/// of different segments. A NaN is equal to nothing.
///
/// @code
/// upsweep::inclusive_scan(queue, upsweep::keyed(x, keys), sums);
/// @endcode
///
/// @param x         a `span`, or computed elements (`transform`)
/// @param keys      as many as elements; they must not overlap the output
/// @param equality  OpenCL C: an expression on the keys `left` and `right`, or statements that return whether they are
///                  equal. Build logs call it "keys". Needed for structs
template <class T, class Key>
keyed_view<std::remove_const_t<T>, std::remove_const_t<Key>> keyed(span<T> x, span<Key> keys, std::string equality) {
    return keyed_view<std::remove_const_t<T>, std::remove_const_t<Key>>(
        detail::cut_by(detail::segment_cut::keys, x, keys, std::move(equality)));
}
/// The same with `left == right`.
template <class T, class Key>
keyed_view<std::remove_const_t<T>, std::remove_const_t<Key>> keyed(span<T> x, span<Key> keys) {
    return keyed(x, keys, detail::default_equality<std::remove_const_t<Key>>());
}
/// The same of computed elements.
template <class T, class Key>
keyed_view<T, std::remove_const_t<Key>> keyed(const transform_view<T>& x, span<Key> keys, std::string equality) {
    return keyed_view<T, std::remove_const_t<Key>>(
        detail::cut_by(detail::segment_cut::keys, x, keys, std::move(equality)));
}
/// The same of computed elements, with `left == right`.
template <class T, class Key>
keyed_view<T, std::remove_const_t<Key>> keyed(const transform_view<T>& x, span<Key> keys) {
    return keyed(x, keys, detail::default_equality<std::remove_const_t<Key>>());
}

/// Segments that begin at each element whose flag is not zero, and at the first element.
///
/// @param x      a `span`, or computed elements (`transform`)
/// @param flags  as many as elements, of a type of integers; they must not overlap the output
template <class T, class Flag>
segmented_view<std::remove_const_t<T>> flagged(span<T> x, span<Flag> flags) {
    static_assert(std::is_integral<Flag>::value, "upsweep: flags are integers");
    return segmented_view<std::remove_const_t<T>>(detail::cut_by(detail::segment_cut::flags, x, flags, {}));
}
/// The same of computed elements.
template <class T, class Flag>
segmented_view<T> flagged(const transform_view<T>& x, span<Flag> flags) {
    static_assert(std::is_integral<Flag>::value, "upsweep: flags are integers");
    return segmented_view<T>(detail::cut_by(detail::segment_cut::flags, x, flags, {}));
}

/// Segments that are the rows of an array of two dimensions: many scans in one call. Row r begins at element r * pitch,
/// in the input as in the output. What lies between the rows is neither read nor written.
///
/// @param x       a `span` of at least (height - 1) * pitch + width elements, or as many computed elements
/// @param height  rows
/// @param width   elements of a row
/// @param pitch   elements from the beginning of a row to that of the next, at least `width`; 0: `width`
template <class T>
segmented_view<std::remove_const_t<T>> rows(span<T> x, std::size_t height, std::size_t width, std::size_t pitch = 0) {
    return segmented_view<std::remove_const_t<T>>(detail::cut_to_rows(x, height, width, pitch == 0 ? width : pitch));
}
/// The same of computed elements.
template <class T>
segmented_view<T> rows(const transform_view<T>& x, std::size_t height, std::size_t width, std::size_t pitch = 0) {
    return segmented_view<T>(detail::cut_to_rows(x, height, width, pitch == 0 ? width : pitch));
}

/// Segments of a compressed sparse row format: segment k has the elements from offsets[k] up to offsets[k + 1]. It may
/// be empty.
///
/// @param x        a `span`, or computed elements (`transform`)
/// @param offsets  integers of 32 or 64 bits, one more than there are segments: the first is 0, none is less than the
/// one
///                 before, the last is the number of elements. What breaks this makes results wrong; nothing is read or
///                 written out of bounds. They must not overlap the output
///
/// Whether a segment begins at an element is found by a binary search, for each element two to four times.
template <class T, class Offset>
segmented_view<std::remove_const_t<T>> segments(span<T> x, span<Offset> offsets) {
    static_assert(std::is_integral<Offset>::value && sizeof(Offset) >= 4, "upsweep: offsets have 32 or 64 bits");
    return segmented_view<std::remove_const_t<T>>(detail::cut_by(detail::segment_cut::offsets, x, offsets, {}));
}
template <class T, class Offset>
segmented_view<T> segments(const transform_view<T>& x, span<Offset> offsets) {
    static_assert(std::is_integral<Offset>::value && sizeof(Offset) >= 4, "upsweep: offsets have 32 or 64 bits");
    return segmented_view<T>(detail::cut_by(detail::segment_cut::offsets, x, offsets, {}));
}

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
///         fit the input or the output, and where keys or flags overlap the output
///
/// @par Launches and elements moved
/// The launches of the scan of a span. Where that reads an element, this reads its key or flag as well, and for a key
/// the one before it.
///
/// Values are combined in the canonical order (reference.hpp) of the flagged operator over the whole array: of pairs
/// (value, whether a segment begins in it), the right one if a segment begins in it, else both values combined. So the
/// bits of floats depend on where a segment lies in the array.
///
/// Strategy scan_then_propagate is none for segments. A call with another equality, operator or kind of segments than
/// before builds a program; other keys, flags, widths and initial values do not.
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event inclusive_scan(queue_handle queue, const segmented_view<T>& in, span<Out> out, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::call_of_segments<T, Out>("inclusive_scan", queue, in, out, detail::segment_results::inclusive,
                                            nullptr, op, after, opts);
}

/// Inclusive scan of each segment with an initial value, which is combined with each segment's first element.
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

/// Reduces each segment to one value, results[k] that of segment k: P(n) of the segment's elements in the order of
/// `inclusive_scan` of segments. An empty segment gives `init`.
///
/// @param results  room for a value for each row, or for each segment that `segments` has. Of segments by keys or
/// flags,
///                 whose number is not known before, as many are written as there is room for. Must not overlap the
///                 input
/// @throws upsweep::error as `inclusive_scan` of segments, and where there is no room for the results
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce(queue_handle queue, const segmented_view<T>& in, span<Out> results,
                 const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                 const wait_list& after = {}, const options& opts = {}) {
    return detail::call_of_segments<T, Out>("reduce", queue, in, results, detail::segment_results::per_segment,
                                            init.get(), op, after, opts);
}

/// Reduces each segment without an initial value; an empty one gives Out{}.
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
/// @param in      made by `keyed`, of less than 2^32 - 1 elements
/// @param keys    room for the keys, and
/// @param values  for the values; as many of both are written as there is room for in the smaller one
/// @param count   room for one `std::uint32_t` or `std::uint64_t`. No output may overlap an input or another one
template <class T, class Key, class Out, class Count, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce_by_key(queue_handle queue, const keyed_view<T, Key>& in, span<Key> keys, span<Out> values,
                        span<Count> count, const Op& op = {}, const wait_list& after = {}, const options& opts = {}) {
    static_assert(std::is_unsigned<Count>::value && sizeof(Count) >= 4,
                  "upsweep: a count is a std::uint32_t or a std::uint64_t");
    return detail::call_of_segments<T, Out>("reduce_by_key", queue, in, values, detail::segment_results::per_key,
                                            nullptr, op, after, opts, detail::untyped(keys), detail::untyped(count));
}

} // namespace upsweep
