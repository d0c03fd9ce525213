// SPDX-License-Identifier: MIT
#pragma once

// The rows of bench_types and of its peer: calls of the family on values of other types than int32. Keys and offsets
// have 32 bits.

#include "array_rows.hpp"

namespace bench {

template <class Side>
class type_rows : array_rows<Side, 27> {
public:
    static void add_all() {
        rows::add_copy();
        add_plain_scan();
        for (const int percent : {10, 50, 90}) rows::add_copy_if(percent);
        rows::add_partition(50);
        rows::add_unique("10");
        rows::add_reduce_by_key("1000");
        for (const bool exclusive : {false, true}) rows::add_scan_by_key("1000", exclusive);
        rows::add_segmented_reduce("10", static_cast<double>(rows::size()) / 10);
        rows::add_scan_rows("rows4096");
    }

private:
    using rows = array_rows<Side, 27>;
    using element = typename Side::element;

    /// Of values that even out: a float has all their sums exactly.
    static void add_plain_scan() {
        rows::add(
            "plain_scan", "exclusive", rows::bytes(2 * static_cast<double>(rows::size())),
            [](auto m) { return Side::scan(rows::arrays().others, rows::arrays().out, m); },
            [](auto m) { return check_scan_windows<element, element, sum>(0, m, true, rows::read_out()); });
    }
};

/// @tparam Side  of the type of the values
template <template <class> class Side>
void add_types() {
    type_rows<Side<std::uint8_t>>::add_all();
    type_rows<Side<std::uint16_t>>::add_all();
    type_rows<Side<float>>::add_all();
    type_rows<Side<std::int64_t>>::add_all();
    type_rows<Side<double>>::add_all();
}

} // namespace bench
