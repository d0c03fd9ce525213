// SPDX-License-Identifier: MIT
// Scans and reductions down the columns of arrays of two dimensions.
#include <upsweep/detail/columns/columns_check.hpp>

#include "big_struct.hpp"
#include "canonical.hpp"
#include "columns.hpp"
#include "device_fixture.hpp"
#include "internals.hpp"
#include "segmented.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace detail = upsweep::detail;
using test::check_columns;
using test::column_image;
using test::columns_on_host;
using test::guarded_array;
using test::queue;
using test::same_bits;
using test::way;

namespace {

/// Around what is loaded together, and around parts.
std::vector<column_image> column_images() {
    return {{0, 5, 5},     {5, 0, 3},      {1, 1, 1},     {1, 300, 301},  {300, 31, 37},  {3000, 1, 2},
            {127, 31, 31}, {70, 64, 71},   {129, 33, 40}, {32, 65, 65},   {511, 3, 3},    {512, 3, 4},
            {513, 7, 7},   {1024, 64, 64}, {1025, 5, 5},  {1300, 48, 64}, {2049, 17, 17}, {10007, 2, 3}};
}

} // namespace

TEST_CASE("columns are scanned and reduced in one call, and what lies beside them stays as it is", "[columns]") {
    std::vector<upsweep::options> ways{{}, fixture::small_tiles(upsweep::strategy::reduce_then_scan, 1, 8)};
    if (test::has_lanes()) ways.push_back(test::in_sub_groups());
    for (const upsweep::options& opts : ways)
        for (const column_image& size : column_images())
            check_columns<std::uint32_t>(test::make_input<std::uint8_t>(size.room(), 2), size, 1000U, upsweep::plus{},
                                         std::plus<>{}, opts);
}

TEST_CASE("each column of floats has the bits of a scan of it alone", "[columns][bits]") {
    for (const column_image& size : column_images()) {
        check_columns<float>(test::numbers<float>(size.room(), 3), size, -0.3F, upsweep::plus{}, std::plus<>{});
        if (test::has_type<double>())
            check_columns<double>(test::numbers<double>(size.room(), 5), size, 0.7, upsweep::plus{}, std::plus<>{});
    }
    upsweep::options any_order;
    any_order.reproducible = false;
    for (const column_image& size : {column_image{4097, 1, 1}, column_image{4097, 4, 4}})
        check_columns<float>(test::numbers<float>(size.room(), 3), size, -0.3F, upsweep::plus{}, std::plus<>{},
                             any_order);
    const column_image size{1300, 3, 5};
    const std::vector<float> all = test::numbers<float>(size.room(), 3);
    std::vector<float> alone;
    for (std::size_t r = 0; r < size.height; ++r) alone.push_back(all[r * size.pitch + 1]);
    const guarded_array<float> in(all), out(all.size()), column(alone), scanned(alone.size());
    upsweep::inclusive_scan(queue(), upsweep::columns(in.view(), size.height, size.width, size.pitch), out.view());
    upsweep::inclusive_scan(queue(), column.view(), scanned.view());
    std::vector<float> found;
    for (std::size_t r = 0; r < size.height; ++r) found.push_back(out.values()[r * size.pitch + 1]);
    CHECK(same_bits(found, scanned.values()));
}

TEST_CASE("columns of transforms are scanned in place, from an initial value on the device",
          "[columns][bits][oclgrind]") {
    if (!test::limits().rusticl.empty()) return test::skip("rusticl does computed columns wrong");
    const column_image size{1300, 37, 41};
    const std::vector<float> all = test::numbers<float>(size.room(), 3);
    std::vector<float> squares = all;
    for (float& f : squares) f *= f;
    const guarded_array<float> in(all), results(size.width);
    const auto columns =
        upsweep::columns(upsweep::transform<float>("a * a", in.view()), size.height, size.width, size.pitch);
    const float init = -0.3F;
    const guarded_array<float> given(std::vector<float>{init}, 5);
    upsweep::reduce(queue(), columns, results.view(), upsweep::from(given.view()));
    upsweep::inclusive_scan(queue(), columns, in.view(), upsweep::plus{}, init);
    CHECK(same_bits(in.values(), columns_on_host<float>(squares, size, std::plus<>{}, &init, way::inclusive, all)));
    CHECK(in.untouched_outside(all.size()));
    CHECK(same_bits(results.values(), columns_on_host<float>(squares, size, std::plus<>{}, &init, way::reduction,
                                                             std::vector<float>(size.width))));
    CHECK(results.untouched_outside(size.width));
}

TEST_CASE("columns take operators that do not commute, on structs, and operators with parameters", "[columns]") {
    using test::affine;
    const auto compose = upsweep::make_operator<affine>(
        "affine r = left; r.a = left.a * right.a; r.b = right.a * left.b + right.b; return r;");
    const auto on_host = [](affine left, affine right) {
        return affine{left.a * right.a, right.a * left.b + right.b, 7};
    };
    for (const column_image& size : column_images()) {
        std::vector<affine> all;
        for (std::uint32_t i = 0; i < size.room(); ++i) all.push_back({2 * i + 3, i * i, 7});
        CAPTURE(size.height, size.width);
        const guarded_array<affine> in(all), results(size.width);
        const auto view = upsweep::columns(in.view(), size.height, size.width, size.pitch);
        const affine init{1, 2, 7};
        upsweep::reduce(queue(), view, results.view(), init, compose);
        CHECK(same_bits(results.values(), columns_on_host<affine>(all, size, on_host, &init, way::reduction,
                                                                  std::vector<affine>(size.width))));
        CHECK(results.untouched_outside(size.width));
        upsweep::exclusive_scan(queue(), view, in.view(), init, compose);
        CHECK(same_bits(in.values(), columns_on_host<affine>(all, size, on_host, &init, way::exclusive, all)));
        CHECK(in.untouched_outside(all.size()));
    }
    if (!test::limits().rusticl.empty()) return test::skip("rusticl does columns by operators with parameters wrong");
    const column_image size{1300, 37, 41};
    const std::vector<std::uint32_t> all = test::make_input<std::uint32_t>(size.room(), 4);
    for (const std::uint32_t modulus : {97U, 1000003U}) {
        const auto op = upsweep::make_operator<std::uint32_t>("return (left + right) % m;").with("m", modulus);
        std::vector<std::uint32_t> small = all;
        for (std::uint32_t& x : small) x %= 90;
        check_columns<std::uint32_t>(small, size, 5U, op,
                                     [=](std::uint32_t a, std::uint32_t b) { return (a + b) % modulus; });
    }
}

namespace {

/// Each column gives what a call on it alone does, or is refused.
template <class T>
void check_large_columns() {
    const column_image size{70, 3, 4};
    const std::vector<T> all = test::big_elements<T>(size.room());
    const T init = test::big_elements<T>(1)[0];
    const auto op = test::big_operator<T>();
    const guarded_array<T> in(all, 1), out(size.room(), 1), sums(size.width, 1);
    const auto view = upsweep::columns(in.view(), size.height, size.width, size.pitch);
    CAPTURE(sizeof(T));
    try {
        upsweep::exclusive_scan(queue(), view, out.view(), init, op);
        upsweep::reduce(queue(), view, sums.view(), init, op);
    } catch (const upsweep::error& e) {
        CAPTURE(e.what());
        CHECK(sizeof(T) > 2000);
        return;
    }
    const std::vector<T> found = out.values();
    for (std::size_t c = 0; c < size.width; ++c) {
        std::vector<T> column, scanned;
        for (std::size_t r = 0; r < size.height; ++r) column.push_back(all[r * size.pitch + c]);
        for (std::size_t r = 0; r < size.height; ++r) scanned.push_back(found[r * size.pitch + c]);
        const guarded_array<T> alone(column, 1), expected(size.height, 1), sum(1, 1);
        upsweep::exclusive_scan(queue(), alone.view(), expected.view(), init, op);
        upsweep::reduce(queue(), alone.view(), sum.view(), init, op);
        CHECK(same_bits(scanned, expected.values()));
        CHECK((sums.values()[c] == sum.values()[0]));
    }
    CHECK(sums.untouched_outside(size.width));
}

} // namespace

TEST_CASE("columns take structs up to what a work-item's private memory has room for", "[columns][operators]") {
    check_large_columns<test::big_struct<160>>();
    check_large_columns<test::big_struct<600>>();
    check_large_columns<test::big_struct<4004>>();
    const guarded_array<test::big_struct<64 << 10>> x(6, 1), result(3, 1);
    fixture::expect_error("reduce", "type big_struct_65536_4", "", [&] {
        upsweep::reduce(queue(), upsweep::columns(x.view(), 2, 3), result.view(), upsweep::no_init,
                        test::big_operator<test::big_struct<64 << 10>>());
    });
    upsweep::options three;
    three.work_items = 3;
    const guarded_array<int> y(6), z(6);
    fixture::expect_error("inclusive_scan", "options", "power of two", [&] {
        upsweep::inclusive_scan(queue(), upsweep::columns(y.view(), 2, 3), z.view(), upsweep::plus{}, {}, three);
    });
}

TEST_CASE("columns are divided for any device, and taken row after row where that is asked for", "[columns][bits]") {
    const detail::queue_facts facts = detail::inspect_queue("f", queue()());
    detail::device_limits limits = detail::limits_of("f", facts.device);
    const detail::check_time time;
    const detail::check_bench bench("f", facts.context, facts.device, time);
    for (const bool is_cpu : {false, true})
        for (const std::uint32_t units : {1U, 3U, 200U})
            for (const auto how : {detail::columns_way::few, detail::columns_way::many, detail::columns_way::joined})
                for (const bool row_after_row : {false, true})
                    for (const auto result : {detail::columns_result::reduction, detail::columns_result::inclusive_scan,
                                              detail::columns_result::exclusive_scan}) {
                        CAPTURE(is_cpu, units, static_cast<int>(how), row_after_row);
                        limits.is_cpu = is_cpu;
                        limits.compute_units = units;
                        CHECK(detail::gives_columns_answers(bench, limits, result, how, {true, row_after_row, false}));
                    }
}

TEST_CASE("parts of columns cover all rows, and scratch memory does not grow with the number of parts", "[columns]") {
    detail::device_limits limits;
    limits.max_work_group_size = 256;
    detail::columns_request columns;
    columns.value_size = 4;
    for (const bool is_cpu : {false, true})
        for (const std::uint32_t units : {1U, 132U})
            for (const std::uint64_t width : {1, 3, 100, 5000, 1 << 20})
                for (const std::uint64_t height : {0, 1, 127, 128, 129, 1080, 16384, 100003, 1 << 26}) {
                    CAPTURE(is_cpu, units, width, height);
                    limits.is_cpu = is_cpu;
                    limits.compute_units = units;
                    columns.width = width;
                    columns.height = height;
                    const detail::columns_layout layout = detail::lay_out_columns(columns, limits);
                    const std::uint64_t rows = std::uint64_t{1} << layout.part_bits;
                    CHECK(layout.parts == (height + rows - 1) / rows);
                    CHECK(layout.full_parts == (layout.parts > 1 ? height / rows : 0));
                    CHECK(layout.parts <= 2 * detail::most_column_parts(height));
                    CHECK(detail::columns_bytes(columns, layout) == 4 * width * layout.full_parts);
                }
}

TEST_CASE("columns that are more than the input are named", "[columns][errors]") {
    const guarded_array<int> x(100), out(100);
    fixture::expect_error("inclusive_scan", "input", "pitch 9 is less than the width 10",
                          [&] { upsweep::inclusive_scan(queue(), upsweep::columns(x.view(), 10, 10, 9), out.view()); });
    fixture::expect_error("inclusive_scan", "input", "are more than the input's 100 elements",
                          [&] { upsweep::inclusive_scan(queue(), upsweep::columns(x.view(), 11, 10), out.view()); });
    fixture::expect_error("reduce", "results", "9 elements are fewer than the 10 segments",
                          [&] { upsweep::reduce(queue(), upsweep::columns(x.view(), 5, 10), out.view(9), 0); });
    fixture::expect_error("inclusive_scan", "output", "49 elements, but 50 are needed",
                          [&] { upsweep::inclusive_scan(queue(), upsweep::columns(x.view(), 5, 10), out.view(49)); });
    fixture::expect_error("inclusive_scan", "output", "overlaps the input", [&] {
        upsweep::inclusive_scan(queue(), upsweep::columns(x.view(90), 9, 10),
                                upsweep::span<int>(x.view().buffer(), 90, x.view().byte_offset() + sizeof(int)));
    });
    fixture::expect_error("reduce", "results", "overlaps the input",
                          [&] { upsweep::reduce(queue(), upsweep::columns(x.view(), 10, 10), x.view(10), 0); });
    CHECK(out.untouched_outside(0));
}
