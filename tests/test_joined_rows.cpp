// SPDX-License-Identifier: MIT
// Reductions of columns whose rows become values of an array, several rows one value where their numbers are small.
#include <upsweep/detail/columns/columns_check.hpp>
#include <upsweep/detail/columns/joined_rows.hpp>
#include <upsweep/detail/columns/regroup_columns.hpp>

#include "canonical.hpp"
#include "columns.hpp"
#include "device_fixture.hpp"
#include "internals.hpp"
#include "segmented.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace detail = upsweep::detail;
using test::column_image;
using test::guarded_array;
using test::queue;
using test::same_bits;

namespace {

template <class Number>
std::vector<Number> random_numbers(std::size_t n, std::uint32_t seed) {
    const std::vector<std::int8_t> small = test::make_input<std::int8_t>(n, seed);
    return std::vector<Number>(small.begin(), small.end());
}

detail::device_limits as_nvidia() {
    detail::device_limits limits = test::limits();
    limits.has_ptx = true;
    limits.is_cpu = false;
    return limits;
}

/// What an array is reduced to, by kernels that this device has.
cl::Event reduce_on_device(const detail::columns_request& columns, const detail::program_text& text) {
    const detail::device_limits& limits = test::limits();
    const detail::columns_layout layout = lay_out_columns(columns, limits);
    const auto key = columns_key(columns, layout, limits, view_of(text), detail::family::reduced_columns);
    return detail::columns_run(columns, layout, *detail::find_program("f", limits, key)).start();
}

cl::Event reduce_joined(const detail::columns_request& given, const detail::program_text& text,
                        const detail::regrouped_columns& joined) {
    const detail::device_limits& limits = test::limits();
    const detail::columns_request rest = detail::behind_joined_rows(given, joined.rows);
    const auto key =
        columns_key(rest, lay_out_columns(rest, limits), limits, view_of(text), detail::family::reduced_columns);
    return detail::reduce_both(rest, joined.rows, limits, *detail::find_program("f", limits, key),
                               [&](cl_mem sums, const upsweep::wait_list& after) {
                                   detail::columns_request values = joined.columns;
                                   values.results = {sums, 0};
                                   values.run.after = &after;
                                   return reduce_on_device(values, joined.text);
                               });
}

/// Reduces columns as NVIDIA devices would take them, and compares.
template <class Number, class Op, class Combine>
void check_rows(const Op& op, Combine combine, std::size_t width, std::size_t rows, const std::string& type) {
    const std::size_t least = detail::least_joined_bytes / (width * sizeof(Number)) + 1;
    const std::vector<Number> init = random_numbers<Number>(1, 8);
    const upsweep::wait_list after;
    for (std::size_t height = least; height < least + rows; ++height)
        for (const bool has_init : {false, true}) {
            CAPTURE(width, height, has_init, Op::name);
            const column_image size{height, width, width};
            const std::vector<Number> all = random_numbers<Number>(size.room(), 3), none(width);
            const guarded_array<Number> in(all, width * 4), out(none, 3);
            detail::columns_request columns = test::request_of_columns(detail::columns_result::reduction, size,
                                                                       in.view(), out.view(), init[0], after);
            columns.run.has_init = has_init;
            const auto text = text_of(detail::view_text<Number, Number>(op));
            const detail::regrouped_columns joined(columns, text, as_nvidia());
            CHECK(joined.rows == rows);
            CHECK(joined.is_apart == (rows > 1 || 3 % width != 0)); // of results that begin at 3
            CHECK(joined.text.value.name == type);
            CHECK(joined.columns.width == 1);
            (joined.is_apart ? reduce_joined(columns, text, joined) : reduce_on_device(joined.columns, joined.text))
                .wait();
            CHECK(same_bits(out.values(),
                            test::columns_on_host<Number>(all, size, combine, has_init ? init.data() : nullptr,
                                                          test::way::reduction, none)));
            CHECK(out.untouched_outside(width));
        }
}

/// Reduces columns by calls of the library, where they begin at a row and where they do not.
template <class Number, class Op, class Combine>
void check_calls(const Op& op, Combine combine, std::size_t width, std::size_t height) {
    CAPTURE(sizeof(Number), width, height, Op::name);
    const column_image size{height, width, width};
    const std::vector<Number> all = random_numbers<Number>(size.room(), 7), none(width);
    const Number init = 3;
    for (const std::size_t guard : {4 * width, std::size_t{1}}) {
        const guarded_array<Number> in(all, guard), out(width, guard), plain(width, guard);
        const auto view = upsweep::columns(in.view(), height, width);
        upsweep::reduce(queue(), view, out.view(), init, op);
        upsweep::reduce(queue(), view, plain.view(), upsweep::no_init, op);
        const auto expected = [&](const Number* first) {
            return test::columns_on_host<Number>(all, size, combine, first, test::way::reduction, none);
        };
        CHECK(same_bits(out.values(), expected(&init)));
        CHECK(same_bits(plain.values(), expected(nullptr)));
        CHECK(out.untouched_outside(width));
        CHECK(plain.untouched_outside(width));
    }
}

constexpr std::size_t heights_of(std::size_t width, std::size_t which) {
    return which == 0 ? 5 : which == 1 ? 301 : detail::least_joined_bytes / width + 3;
}

const auto added = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
const auto larger_of = [](auto a, auto b) { return a < b ? b : a; };

} // namespace

TEST_CASE("rows of small numbers are reduced together, as words", "[segments][bits]") {
    check_rows<std::uint8_t>(upsweep::plus{}, added, 2, 2, "uint");
    check_rows<std::uint8_t>(upsweep::plus{}, added, 3, 4, "upsweep_row_struct");
    check_rows<std::int8_t>(upsweep::maximum{}, larger_of, 3, 4, "upsweep_row_struct");
    check_rows<std::uint8_t>(upsweep::bit_xor{}, std::bit_xor<>{}, 6, 2, "upsweep_row_struct");
    check_rows<std::uint8_t>(upsweep::plus{}, added, 5, 4, "upsweep_row_struct");
    check_rows<std::uint8_t>(upsweep::plus{}, added, 6, 2, "upsweep_row_struct");
    check_rows<std::int8_t>(upsweep::plus{}, added, 7, 4, "upsweep_row_struct");
    check_rows<std::uint16_t>(upsweep::plus{}, added, 3, 2, "upsweep_row_struct");
    check_rows<std::int16_t>(
        upsweep::minimum{}, [](auto a, auto b) { return b < a ? b : a; }, 5, 2, "upsweep_row_struct");
}

TEST_CASE("rows of whole words are values of an array that is reduced", "[segments][bits]") {
    check_rows<std::uint8_t>(upsweep::plus{}, added, 4, 1, "uint");
    check_rows<std::uint8_t>(upsweep::plus{}, added, 8, 1, "ulong");
    check_rows<std::uint8_t>(upsweep::plus{}, added, 12, 1, "upsweep_row_struct");
    check_rows<std::uint8_t>(upsweep::plus{}, added, 16, 1, "uint4");
    check_rows<std::int8_t>(upsweep::maximum{}, larger_of, 16, 1, "upsweep_row_struct");
    check_rows<std::int8_t>(upsweep::maximum{}, larger_of, 4, 1, "uint");
    check_rows<std::int32_t>(upsweep::multiplies{}, std::multiplies<>{}, 3, 1, "upsweep_row_struct");
    check_rows<std::int32_t>(upsweep::plus{}, added, 4, 1, "int4");
    check_rows<float>(upsweep::plus{}, added, 5, 1, "upsweep_row_struct");
    check_rows<float>(upsweep::plus{}, added, 2, 1, "float2");
}

TEST_CASE("few columns of bytes are reduced, whatever their number and height", "[segments][bits]") {
    for (const std::size_t width : {1, 2, 3, 4, 5, 7, 16})
        for (const std::size_t which : {0, 1, 2})
            check_calls<std::uint8_t>(upsweep::plus{}, added, width, heights_of(width, which));
    for (const std::size_t width : {3, 16}) check_calls<std::int8_t>(upsweep::maximum{}, larger_of, width, 87383);
}

TEST_CASE("few columns of numbers of two bytes are reduced, whatever their number and height", "[segments][bits]") {
    for (const std::size_t width : {1, 2, 3, 5, 8})
        for (const std::size_t which : {1, 2})
            check_calls<std::uint16_t>(upsweep::plus{}, added, width, heights_of(width, which));
}

TEST_CASE("few columns of floats are reduced, whatever their number and height", "[segments][bits]") {
    for (const std::size_t width : {1, 2, 3, 4, 5, 8})
        for (const std::size_t which : {1, 2})
            check_calls<float>(upsweep::plus{}, added, width, heights_of(width, which));
    check_calls<double>(upsweep::plus{}, added, 3, 301);
    check_calls<double>(upsweep::plus{}, added, 8, 301);
}
