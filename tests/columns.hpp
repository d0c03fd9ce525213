// SPDX-License-Identifier: MIT
// Columns of arrays of two dimensions, and what scans and reductions of them give.
#pragma once

#include <upsweep/detail/columns/columns.hpp>

#include "internals.hpp"
#include "segmented.hpp"

#include <cstddef>
#include <vector>

namespace test {

/// An array of two dimensions.
struct column_image {
    std::size_t height, width, pitch;

    std::size_t room() const { return height * pitch; }
};

enum class way { reduction, inclusive, exclusive };

/// A call without a pitch on columns of one array to another, as those of the library's inside take it.
template <class Number>
upsweep::detail::columns_request request_of_columns(upsweep::detail::columns_result result, const column_image& size,
                                                    const upsweep::span<Number>& in, const upsweep::span<Number>& out,
                                                    const Number& init, const upsweep::wait_list& after) {
    upsweep::detail::columns_request columns;
    columns.run.function = "f";
    columns.run.queue = upsweep::detail::inspect_queue("f", queue()());
    columns.run.has_init = true;
    columns.run.init = {&init, sizeof init};
    columns.run.after = &after;
    columns.in = {in.buffer(), nullptr};
    columns.offset = in.byte_offset() / sizeof(Number);
    columns.results = {out.buffer(), out.byte_offset() / sizeof(Number)};
    columns.result = result;
    columns.height = size.height;
    columns.width = columns.pitch = size.width;
    columns.value_size = sizeof(Number);
    return columns;
}

/// What a call gives: each column as if it were alone. A scan's results are in the array's layout, the others are those
/// of `before`.
template <class T, class In, class Combine>
std::vector<T> columns_on_host(const std::vector<In>& all, const column_image& size, Combine combine, const T* init,
                               way what, std::vector<T> before) {
    for (std::size_t c = 0; c < size.width; ++c) {
        std::vector<T> x, y(size.height);
        for (std::size_t r = 0; r < size.height; ++r) x.push_back(static_cast<T>(all[r * size.pitch + c]));
        if (what == way::exclusive)
            upsweep::reference::exclusive_scan(x.begin(), x.end(), y.begin(), *init, combine);
        else if (init)
            upsweep::reference::inclusive_scan(x.begin(), x.end(), y.begin(), combine, *init);
        else
            upsweep::reference::inclusive_scan(x.begin(), x.end(), y.begin(), combine);
        if (what == way::reduction) before[c] = y.empty() ? (init ? *init : T{}) : y.back();
        for (std::size_t r = 0; what != way::reduction && r < size.height; ++r) before[r * size.pitch + c] = y[r];
    }
    return before;
}

/// Scans and reduces columns, with and without an initial value, and compares with the host.
template <class T, class In, class Op, class Combine>
void check_columns(const std::vector<In>& all, const column_image& size, const T& init, const Op& op, Combine combine,
                   const upsweep::options& opts = {}) {
    CAPTURE(size.height, size.width, size.pitch, opts.strategy);
    const std::size_t guard = 3;
    const guarded_array<In> in(all, guard);
    const auto view = upsweep::columns(in.view(), size.height, size.width, size.pitch);
    const std::vector<T> before(size.room(), make_input<T>(1, 99)[0]);
    const std::vector<T> none(size.width);
    const auto expected = [&](way what, const T* given) {
        return columns_on_host<T>(all, size, combine, given, what, what == way::reduction ? none : before);
    };
    for (const bool has_init : {false, true}) {
        const guarded_array<T> out(before, guard), result(size.width, guard);
        if (has_init) {
            upsweep::inclusive_scan(queue(), view, out.view(), op, init, {}, opts);
            upsweep::reduce(queue(), view, result.view(), init, op, {}, opts);
        } else {
            upsweep::inclusive_scan(queue(), view, out.view(), op, {}, opts);
            upsweep::reduce(queue(), view, result.view(), upsweep::no_init, op, {}, opts);
        }
        CHECK(same_bits(out.values(), expected(way::inclusive, has_init ? &init : nullptr)));
        CHECK(out.untouched_outside(size.room()));
        CHECK(same_bits(result.values(), expected(way::reduction, has_init ? &init : nullptr)));
        CHECK(result.untouched_outside(size.width));
    }
    const guarded_array<T> out(before, guard);
    upsweep::exclusive_scan(queue(), view, out.view(), init, op, {}, opts);
    CHECK(same_bits(out.values(), expected(way::exclusive, &init)));
    CHECK(out.untouched_outside(size.room()));
}

} // namespace test
