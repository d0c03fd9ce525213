// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/segment_call.hpp>
#include <upsweep/views.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace upsweep {

/// Elements that are cut into segments, each of which is scanned or reduced on its own; made by `keyed`, `flagged`,
/// `rows`, `columns` and `segments`. Holds handles without retaining them. Calls refuse 2^63 elements and more.
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
    using key_type = Key; ///< what `reduce_by_key` writes, too
    using segmented_view<T>::segmented_view;
};

namespace detail {

template <class T>
computed_input elements_of(const transform_view<T>& view) {
    return view.input();
}
/// The texts of views of scalars are made once. (Those of a struct are made at each call: another shared library may
/// have another struct of that name.)
template <class T>
computed_input elements_of(span<T> view) {
    using element = std::remove_const_t<T>;
    if constexpr (is_scalar_type<element>) {
        static const auto* const of_none = new computed_input(transform<element>("a", span<T>()).input());
        computed_input elements = *of_none;
        elements.size = view.size();
        elements.parts[0].array = untyped(view);
        return elements;
    } else {
        return transform<element>("a", view).input();
    }
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

/// @param cut  to rows or to columns
template <class Elements>
segmented_input cut_to_rows(const Elements& x, std::size_t height, std::size_t width, std::size_t pitch,
                            segment_cut cut = segment_cut::rows) {
    segmented_input in;
    in.elements = elements_of(x);
    in.cut = cut;
    in.height = height;
    in.width = width;
    in.pitch = pitch;
    return in;
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

/// Segments that are the columns of the same array: column c has the elements c, c + pitch, c + 2 * pitch ... of the
/// input, and its results lie there in the output. A reduction writes one value for each column. What lies between the
/// rows is neither read nor written. Arguments as for `rows`.
///
/// Each column is in the canonical order (reference.hpp) as if it were alone: its results have the bits of a scan or a
/// reduction of a span of its elements, with the same initial value, whatever the options. Values have at most about
/// 19000 bytes on CPUs and 2300 on other devices; calls throw `upsweep::error` for larger ones.
///
/// @par Launches and elements moved
/// Columns are read along the rows, in launches of their own. Reductions: n elements are read; one launch, or two where
/// columns are divided into parts, which also write and read a value for each part. On NVIDIA devices, rows of up to 48
/// bytes without a pitch are the values of a span that is reduced, of numbers of 1 and 2 bytes several rows a value
/// (detail/columns/row_values.hpp); then, or where results begin anywhere, one launch more. Scans on NVIDIA devices,
/// and where `options::strategy` is `look_back`: one launch, which reads and writes each element once, and publishes a
/// few words for each column of a tile of 32 to 8192 rows; not of values above 16 bytes, nor, unless asked for, of an
/// odd number of more than 7 columns of bytes (detail/columns/columns_look_back.hpp). Other scans: one launch where
/// rows are long enough to give each compute unit of a GPU work, or columns are short; else three, which read each
/// element twice. The scan and the reduction of the only column of an array are those of a span.
///
/// Neighbouring columns of numbers are taken together where the operator is one of the library's: on NVIDIA devices in
/// units of 8, 4 or 2 bytes, where rows and arrays are made of such units (large scans also where only those in the
/// middle are: then what is left over before and behind these takes one to three launches each), and rows of 3, 5 and 7
/// numbers of at most 12 bytes as one value, on CPUs by 16 and the rest together, which takes up to three launches
/// more. Columns of vectors are those of their numbers. On NVIDIA devices most scans take 1.1 to 1.8 times as long as
/// one of a span, reductions 1.1 to 1.7 times; on CPUs both take one to two and a half times as long, computed
/// elements, other types of results and operators of one's own up to ten times (bench/README.md).
template <class T>
segmented_view<std::remove_const_t<T>> columns(span<T> x, std::size_t height, std::size_t width,
                                               std::size_t pitch = 0) {
    return segmented_view<std::remove_const_t<T>>(
        detail::cut_to_rows(x, height, width, pitch == 0 ? width : pitch, detail::segment_cut::columns));
}
/// The same of computed elements.
template <class T>
segmented_view<T> columns(const transform_view<T>& x, std::size_t height, std::size_t width, std::size_t pitch = 0) {
    return segmented_view<T>(
        detail::cut_to_rows(x, height, width, pitch == 0 ? width : pitch, detail::segment_cut::columns));
}

/// Segments of a compressed sparse row format: segment k has the elements from offsets[k] up to offsets[k + 1]. It may
/// be empty.
///
/// @param x        a `span`, or computed elements (`transform`)
/// @param offsets  integers of 32 or 64 bits, one more than there are segments: the first is 0, none is less than the
///                 one before, the last is the number of elements at most. Elements behind it are in no segment:
///                 reductions leave them out, and scans take them for a segment more. What breaks this makes results
///                 wrong; nothing is read or written out of bounds. They must not overlap the output
///
/// Calls take scratch memory of a bit for each element, and reductions 2 bits more.
template <class T, class Offset>
segmented_view<std::remove_const_t<T>> segments(span<T> x, span<Offset> offsets) {
    static_assert(std::is_integral<Offset>::value && sizeof(Offset) >= 4, "upsweep: offsets have 32 or 64 bits");
    return segmented_view<std::remove_const_t<T>>(detail::cut_by(detail::segment_cut::offsets, x, offsets, {}));
}
/// The same of computed elements.
template <class T, class Offset>
segmented_view<T> segments(const transform_view<T>& x, span<Offset> offsets) {
    static_assert(std::is_integral<Offset>::value && sizeof(Offset) >= 4, "upsweep: offsets have 32 or 64 bits");
    return segmented_view<T>(detail::cut_by(detail::segment_cut::offsets, x, offsets, {}));
}

} // namespace upsweep
