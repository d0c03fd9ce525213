// SPDX-License-Identifier: MIT
// Columns of vectors are columns of their numbers, and neighbouring columns of numbers may be columns of vectors.
#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/columns/columns_check.hpp>
#include <upsweep/detail/columns/regroup_columns.hpp>

#include "canonical.hpp"
#include "columns.hpp"
#include "device_fixture.hpp"
#include "internals.hpp"
#include "segmented.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace detail = upsweep::detail;
using test::column_image;
using test::guarded_array;
using test::queue;
using test::same_bits;
using test::way;

namespace {

template <class T>
constexpr std::size_t numbers_in = 1;
template <>
constexpr std::size_t numbers_in<cl_uchar4> = 4;
template <>
constexpr std::size_t numbers_in<cl_char16> = 16;
template <>
constexpr std::size_t numbers_in<cl_ushort2> = 2;
template <>
constexpr std::size_t numbers_in<cl_int2> = 2;
template <>
constexpr std::size_t numbers_in<cl_float4> = 4;

template <class Number>
std::vector<Number> random_numbers(std::size_t n, std::uint32_t seed) {
    if constexpr (std::is_floating_point<Number>::value) {
        return test::numbers<Number>(n, seed);
    } else {
        const std::vector<std::int8_t> small = test::make_input<std::int8_t>(n, seed);
        return std::vector<Number>(small.begin(), small.end());
    }
}

template <class T, class Number>
std::vector<T> as_values(const std::vector<Number>& numbers) {
    std::vector<T> values(numbers.size() / numbers_in<T>);
    std::memcpy(values.data(), numbers.data(), values.size() * sizeof(T));
    return values;
}

/// What a scan or reduction of columns of T gives, number by number. Each number of a value may have an initial value
/// of its own.
template <class T, class Number, class Combine>
std::vector<T> numbers_on_host(const std::vector<Number>& all, const column_image& size, Combine combine,
                               const std::vector<Number>& init, way what, std::vector<Number> before) {
    constexpr std::size_t count = numbers_in<T>;
    for (std::size_t k = 0; k < count; ++k) {
        std::vector<Number> own(size.room()), place(before.size() / count);
        for (std::size_t i = 0; i < own.size(); ++i) own[i] = all[i * count + k];
        for (std::size_t i = 0; i < place.size(); ++i) place[i] = before[i * count + k];
        place = test::columns_on_host<Number>(own, size, combine, init.empty() ? nullptr : &init[k], what, place);
        for (std::size_t i = 0; i < place.size(); ++i) before[i * count + k] = place[i];
    }
    return as_values<T>(before);
}

/// Widths that make units of every size, and none; rows side by side and with gaps; more rows than a tile has.
std::vector<column_image> images() {
    return {{1, 1, 1},   {700, 1, 1},    {700, 2, 2},   {300, 8, 8},    {513, 3, 3},
            {700, 1, 4}, {3000, 24, 24}, {129, 40, 41}, {70, 256, 256}, {9, 1008, 1008}};
}

/// Scans and reductions of columns, by the device's own choice.
template <class T, class Number, class Op, class Combine>
void check_numbers(const Op& op, Combine combine, bool is_even, std::size_t guard) {
    for (const column_image& size : images()) {
        CAPTURE(upsweep::type<T>::name, size.height, size.width, size.pitch, is_even, guard, Op::name);
        const std::vector<Number> all = random_numbers<Number>(size.room() * numbers_in<T>, 3);
        std::vector<Number> init = random_numbers<Number>(numbers_in<T>, 8);
        if (is_even) std::fill(init.begin(), init.end(), init[0]);
        const std::vector<Number> none(size.width * numbers_in<T>), before(all.size(), Number{1});
        const guarded_array<T> in(as_values<T>(all), guard), sums(size.width, guard);
        const auto view = upsweep::columns(in.view(), size.height, size.width, size.pitch);
        const T first = as_values<T>(init)[0];
        for (const way what : {way::inclusive, way::exclusive}) {
            const guarded_array<T> out(as_values<T>(before), guard);
            if (what == way::inclusive)
                upsweep::inclusive_scan(queue(), view, out.view(), op);
            else
                upsweep::exclusive_scan(queue(), view, out.view(), first, op);
            const std::vector<Number>& given = what == way::inclusive ? std::vector<Number>() : init;
            CHECK(same_bits(out.values(), numbers_on_host<T>(all, size, combine, given, what, before)));
            CHECK(out.untouched_outside(size.room()));
        }
        upsweep::reduce(queue(), view, sums.view(), first, op);
        CHECK(same_bits(sums.values(), numbers_on_host<T>(all, size, combine, init, way::reduction, none)));
        CHECK(sums.untouched_outside(size.width));
    }
}

template <class T, class Number>
void check_sums(bool is_even, std::size_t guard) {
    const auto add = [](Number a, Number b) { return static_cast<Number>(a + b); };
    check_numbers<T, Number>(upsweep::plus{}, add, is_even, guard);
}

/// As a device with NVIDIA's compiler would take them, on this one.
class taken_as_on_nvidia {
public:
    explicit taken_as_on_nvidia(const detail::columns_request& columns, const detail::program_text& text)
        : limits_(test::limits())
        , regrouped_(columns, text, with_ptx()) {}

    const detail::regrouped_columns& get() const { return regrouped_; }

    void run() const {
        const detail::columns_request& columns = regrouped_.columns;
        const detail::program_text_view text = view_of(regrouped_.text);
        if (columns.result == detail::columns_result::reduction) {
            const detail::columns_layout layout = lay_out_columns(columns, limits_);
            const auto key = columns_key(columns, layout, limits_, text, detail::family::reduced_columns);
            detail::columns_run(columns, layout, *detail::find_program("f", limits_, key)).start().wait();
            return;
        }
        detail::look_back_layout layout = lay_out_looking_back(columns, with_ptx());
        layout.registers = 0;
        const auto key = columns_key(columns, layout, limits_, text, detail::family::columns_look_back);
        scan_columns_once(columns, layout, *detail::find_program("f", limits_, key)).wait();
    }

private:
    detail::device_limits with_ptx() const {
        detail::device_limits limits = limits_;
        limits.has_ptx = true;
        limits.is_cpu = false;
        return limits;
    }

    detail::device_limits limits_;
    detail::regrouped_columns regrouped_;
};

/// Regroups, runs, and compares.
template <class Number, class Op, class Combine>
void check_units(const Op& op, Combine combine, const std::string& type, std::size_t width, std::size_t guard) {
    const column_image size{700, width, width};
    CAPTURE(type, width, guard, Op::name);
    const std::vector<Number> all = random_numbers<Number>(size.room(), 3);
    const std::vector<Number> init = random_numbers<Number>(1, 8);
    const std::vector<Number> before(all.size(), Number{1}), none(width);
    const upsweep::wait_list after;
    for (const auto& [result, what] : {std::pair(detail::columns_result::reduction, way::reduction),
                                       std::pair(detail::columns_result::inclusive_scan, way::inclusive),
                                       std::pair(detail::columns_result::exclusive_scan, way::exclusive)}) {
        const guarded_array<Number> in(all, guard), out(what == way::reduction ? none : before, guard);
        const auto columns = test::request_of_columns(result, size, in.view(), out.view(), init[0], after);
        const taken_as_on_nvidia taken(columns, text_of(detail::view_text<Number, Number>(op)));
        if (result != detail::columns_result::reduction) CHECK(taken.get().text.value.name == type);
        taken.run();
        const auto expected = test::columns_on_host<Number>(all, size, combine, init.data(), what,
                                                            out.values()); // what lies beside stays
        CHECK(same_bits(out.values(), test::columns_on_host<Number>(all, size, combine, init.data(), what,
                                                                    what == way::reduction ? none : before)));
        CHECK(out.untouched_outside(what == way::reduction ? width : size.room()));
    }
}

} // namespace

TEST_CASE("columns of vectors are those of their numbers, with initial values of each", "[columns][bits]") {
    if (!test::limits().rusticl.empty()) return test::skip("rusticl takes minutes for columns of vectors");
    check_sums<cl_uchar4, std::uint8_t>(true, 8);
    check_sums<cl_uchar4, std::uint8_t>(false, 3);
    check_sums<cl_char16, std::int8_t>(true, 3);
    check_sums<cl_ushort2, std::uint16_t>(true, 8);
    check_sums<cl_float4, float>(true, 8);
    const auto smaller = [](std::int32_t a, std::int32_t b) { return b < a ? b : a; };
    check_numbers<cl_int2, std::int32_t>(upsweep::minimum{}, smaller, false, 8);
}

TEST_CASE("columns of small numbers are scanned in units of 8 bytes, or of 4", "[columns][bits][oclgrind]") {
    if (!test::limits().has_atomics64 || !test::limits().rusticl.empty()) return test::skip("no 64-bit atomics");
    const auto add = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
    const auto larger = [](auto a, auto b) { return a < b ? b : a; };
    check_units<std::uint8_t>(upsweep::plus{}, add, "ulong", 16, 8);
    check_units<std::uint8_t>(upsweep::plus{}, add, "uint", 12, 8);
    check_units<std::uint8_t>(upsweep::plus{}, add, "uint", 16, 4);
    check_units<std::uint8_t>(upsweep::plus{}, add, "uchar", 9, 8);
    check_units<std::uint8_t>(upsweep::plus{}, add, "ushort", 6, 8);
    check_units<std::uint8_t>(upsweep::maximum{}, larger, "ushort", 2, 8);
    check_units<std::int8_t>(upsweep::maximum{}, larger, "ulong", 72, 8);
    check_units<std::int16_t>(upsweep::plus{}, add, "ulong", 36, 4);
    check_units<std::uint16_t>(upsweep::maximum{}, larger, "uint", 34, 4);
    check_units<std::uint16_t>(upsweep::bit_xor{}, std::bit_xor<>{}, "uint", 6, 2);
    check_units<std::uint32_t>(upsweep::multiplies{}, std::multiplies<>{}, "uint2", 6, 2);
    check_units<float>(upsweep::plus{}, add, "float2", 10, 4);
    check_units<float>(upsweep::plus{}, add, "float", 10, 3);
    check_units<float>(upsweep::plus{}, add, "float4", 4, 4);
}

TEST_CASE("rows of three, five and seven numbers are scanned as structs", "[columns][bits]") {
    if (!test::limits().has_atomics64 || !test::limits().rusticl.empty()) return test::skip("no 64-bit atomics");
    const auto add = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
    const auto larger = [](auto a, auto b) { return a < b ? b : a; };
    check_units<std::uint8_t>(upsweep::plus{}, add, "upsweep_row_struct", 3, 9);
    check_units<std::int8_t>(upsweep::maximum{}, larger, "upsweep_row_struct", 5, 10);
    check_units<std::uint8_t>(upsweep::plus{}, add, "upsweep_row_struct", 7, 14);
    check_units<std::uint16_t>(upsweep::plus{}, add, "upsweep_row_struct", 5, 5);
    check_units<std::int16_t>(upsweep::maximum{}, larger, "upsweep_row_struct", 3, 0);
    check_units<float>(upsweep::plus{}, add, "upsweep_row_struct", 3, 3);
    check_units<std::int32_t>(upsweep::multiplies{}, std::multiplies<>{}, "upsweep_row_struct", 3, 6);
    check_units<std::int32_t>(upsweep::plus{}, add, "int", 3, 4); // begins within a row
    check_units<double>(upsweep::plus{}, add, "double", 3, 3);
}

TEST_CASE("vectors whose numbers begin with other values are not taken apart", "[columns]") {
    const upsweep::wait_list after;
    const cl_float4 even = {{2, 2, 2, 2}}, uneven = {{2, 2, 3, 2}};
    detail::device_limits limits;
    limits.is_cpu = true;
    for (const bool is_even : {false, true})
        for (const bool has_init : {false, true}) {
            detail::columns_request columns;
            columns.run.init = {is_even ? &even : &uneven, sizeof even};
            columns.run.has_init = has_init;
            columns.height = 9;
            columns.width = columns.pitch = 5;
            columns.value_size = sizeof even;
            const auto text = text_of(detail::view_text<cl_float4, cl_float4>(upsweep::plus{}));
            const detail::regrouped_columns regrouped(columns, text, limits);
            const bool is_apart = is_even || !has_init;
            CHECK(regrouped.columns.width == (is_apart ? 20U : 5U));
            CHECK(regrouped.text.value.name == (is_apart ? "float" : "float4"));
        }
}

TEST_CASE("units are no larger than values where arrays lie in the host's memory", "[columns]") {
    std::vector<std::int32_t> host(81);
    cl_int status = CL_SUCCESS;
    const auto context = queue().getInfo<CL_QUEUE_CONTEXT>();
    const cl::Buffer of_host(
        clCreateBuffer(context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 320, host.data() + 1, &status));
    REQUIRE(status == CL_SUCCESS);
    const cl::Buffer of_device(context, CL_MEM_READ_WRITE, 320);
    const detail::queue_facts facts = detail::inspect_queue("f", queue()());
    const upsweep::wait_list after;
    const std::int32_t init = 0;
    detail::device_limits limits;
    limits.has_ptx = true;
    for (const cl_mem in : {of_host(), of_device()})
        for (const cl_mem out : {of_host(), of_device()}) {
            detail::call_arguments call;
            call.in = {in, 80, 0, 4};
            call.out = {out, 80, 0, 4};
            call.after = &after;
            detail::columns_request columns;
            columns.run = detail::check_arguments(call, facts).request;
            columns.run.init = {&init, sizeof init};
            columns.result = detail::columns_result::inclusive_scan;
            columns.height = 8;
            columns.width = columns.pitch = 10;
            columns.value_size = 4;
            const auto text = text_of(detail::view_text<std::int32_t, std::int32_t>(upsweep::plus{}));
            const bool may_join = in == of_device() && out == of_device();
            CHECK(columns.run.begins_anywhere == !may_join);
            const detail::regrouped_columns regrouped(columns, text, limits);
            CHECK(regrouped.text.value.name == (may_join ? "int2" : "int"));
        }
}
