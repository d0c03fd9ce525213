// SPDX-License-Identifier: MIT
// Scans of columns in one launch, whose tiles publish sums to one another.
#include <upsweep/detail/columns/columns_check.hpp>

#include "canonical.hpp"
#include "columns.hpp"
#include "device_fixture.hpp"
#include "internals.hpp"
#include "segmented.hpp"

#include <cstdint>
#include <functional>
#include <string>
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

/// Around runs, tiles and strips; narrow ones with and without a pitch; a number of tiles with many bits.
std::vector<column_image> tiled_images() {
    return {{1, 1, 1},    {63, 3, 3},     {4097, 1, 1},    {2049, 2, 2},   {1300, 5, 5},
            {1300, 5, 7}, {515, 16, 16},  {600, 17, 17},   {129, 31, 31},  {64, 32, 32},
            {65, 33, 40}, {1300, 64, 64}, {259, 100, 101}, {2111, 33, 33}, {70, 257, 257}};
}

upsweep::options looking_back() {
    upsweep::options o;
    o.strategy = upsweep::strategy::look_back;
    return o;
}

bool can_look_back() {
    return test::limits().has_atomics64 && test::limits().rusticl.empty();
}

} // namespace

TEST_CASE("columns are scanned in one launch with the bits of a scan of each alone", "[columns][bits]") {
    if (!can_look_back()) return test::skip("no 64-bit atomics");
    const upsweep::options o = looking_back();
    for (const column_image& size : tiled_images()) {
        check_columns<std::uint32_t>(test::make_input<std::uint8_t>(size.room(), 2), size, 1000U, upsweep::plus{},
                                     std::plus<>{}, o);
        check_columns<float>(test::numbers<float>(size.room(), 3), size, -0.3F, upsweep::plus{}, std::plus<>{}, o);
        check_columns<std::uint8_t>(test::make_input<std::uint8_t>(size.room(), 7), size, std::uint8_t{9},
                                    upsweep::plus{}, std::plus<>{}, o);
        if (test::has_type<double>())
            check_columns<double>(test::numbers<double>(size.room(), 5), size, 0.7, upsweep::plus{}, std::plus<>{}, o);
    }
}

TEST_CASE("columns of structs and of transforms are scanned in one launch, in place", "[columns][bits][oclgrind]") {
    if (!can_look_back()) return test::skip("no 64-bit atomics");
    using test::affine;
    const auto compose = upsweep::make_operator<affine>(
        "affine r = left; r.a = left.a * right.a; r.b = right.a * left.b + right.b; return r;");
    const auto on_host = [](affine left, affine right) {
        return affine{left.a * right.a, right.a * left.b + right.b, 7};
    };
    const affine first{1, 2, 7};
    for (const column_image& size : {column_image{600, 5, 5}, column_image{600, 37, 41}}) {
        CAPTURE(size.width);
        std::vector<affine> maps;
        for (std::uint32_t i = 0; i < size.room(); ++i) maps.push_back({2 * i + 3, i * i, 7});
        const guarded_array<affine> in(maps);
        const auto view = upsweep::columns(in.view(), size.height, size.width, size.pitch);
        upsweep::exclusive_scan(queue(), view, in.view(), first, compose, {}, looking_back());
        CHECK(same_bits(in.values(), columns_on_host<affine>(maps, size, on_host, &first, way::exclusive, maps)));
        CHECK(in.untouched_outside(maps.size()));

        const std::vector<float> all = test::numbers<float>(size.room(), 3);
        std::vector<float> squares = all;
        for (float& f : squares) f *= f;
        const float init = -0.3F;
        const guarded_array<float> x(all), given(std::vector<float>{init}, 5);
        const auto computed = upsweep::transform<float>("a * a", x.view());
        upsweep::inclusive_scan(queue(), upsweep::columns(computed, size.height, size.width, size.pitch), x.view(),
                                upsweep::plus{}, upsweep::from(given.view()), {}, looking_back());
        CHECK(same_bits(x.values(), columns_on_host<float>(squares, size, std::plus<>{}, &init, way::inclusive, all)));
        CHECK(x.untouched_outside(all.size()));
    }
}

TEST_CASE("tiles of columns that begin in reverse order compute what others have not published",
          "[columns][bits][self_check]") {
    if (!can_look_back()) return test::skip("no 64-bit atomics");
    const detail::queue_facts facts = detail::inspect_queue("f", queue()());
    const detail::device_limits limits = detail::limits_of("f", facts.device);
    const detail::check_time time;
    const detail::check_bench bench("f", facts.context, facts.device, time);
    for (const auto how : {detail::columns_way::looked_back, detail::columns_way::narrow})
        for (const auto result : {detail::columns_result::inclusive_scan, detail::columns_result::exclusive_scan})
            for (const bool last_first : {false, true}) {
                CAPTURE(static_cast<int>(how), static_cast<int>(result), last_first);
                CHECK(detail::gives_columns_answers(bench, limits, result, how, {true, false, last_first}));
            }
}

namespace {

/// An integer whose definition keeps work-group 1 of every program silent until three others are done (see prelude.cl).
struct delayed_column {
    std::int32_t value;
};

} // namespace

template <>
struct upsweep::type<delayed_column> {
    static constexpr const char* name = "delayed_column";
    static constexpr const char* definition = "#define UPSWEEP_SILENT_TILE 1\n#define UPSWEEP_SILENT_UNTIL 3\n"
                                              "typedef struct { int value; } delayed_column;";
};

TEST_CASE("a scan of columns ends though a tile stays silent", "[columns]") {
    if (!can_look_back()) return test::skip("no 64-bit atomics");
    if (test::limits().compute_units < 2) return test::skip("one compute unit: a silent tile would keep all others");
    const auto op = upsweep::make_operator<delayed_column>("delayed_column r = {left.value + right.value}; return r;");
    for (const column_image& size : {column_image{20000, 3, 3}, column_image{5000, 20, 20}})
        for (const bool in_place : {false, true}) {
            CAPTURE(size.width, in_place);
            std::vector<delayed_column> all(size.room()), expected(size.room());
            for (std::size_t i = 0; i < all.size(); ++i) {
                all[i] = {static_cast<std::int32_t>(i % 10)};
                expected[i] = {all[i].value + (i < size.width ? 0 : expected[i - size.width].value)};
            }
            const guarded_array<delayed_column> in(all), other(all);
            const guarded_array<delayed_column>& out = in_place ? in : other;
            upsweep::release_cached(); // a state that was used before has counted work-groups
            upsweep::inclusive_scan(queue(), upsweep::columns(in.view(), size.height, size.width), out.view(), op, {},
                                    looking_back());
            CHECK(same_bits(out.values(), expected));
            CHECK(out.untouched_outside(all.size()));
        }
    upsweep::release_cached();
}

TEST_CASE("tiles of columns cover all of them, within local memory", "[columns]") {
    detail::device_limits limits;
    limits.max_work_group_size = 1024;
    limits.local_memory_bytes = 48 << 10;
    detail::columns_request columns;
    for (const std::size_t size : {1, 2, 4, 8, 12, 16})
        for (const std::uint64_t width : {1, 3, 9, 16, 17, 20, 31, 32, 33, 48, 100, 259, 1000, 2049, 4096, 5001})
            for (const std::uint64_t height : {1, 64, 65, 1080, 100003, 1 << 28}) {
                limits.has_ptx = height % 2 == 1;
                CAPTURE(size, width, height, limits.has_ptx);
                columns.value_size = size;
                columns.width = columns.pitch = width;
                columns.height = height;
                const detail::look_back_layout layout = detail::lay_out_looking_back(columns, limits);
                CHECK((layout.strips - 1) * layout.strip < width);
                CHECK(layout.strips * layout.strip >= width);
                CHECK(layout.strip << layout.team_bits <= layout.work_items);
                const std::uint64_t rows = std::uint64_t{layout.run_rows} << layout.team_bits;
                CHECK(layout.tiles == (height + rows - 1) / rows);
                CHECK(layout.is_narrow == detail::are_narrow(columns));
                CHECK((width > 16 || size == 8 || layout.is_narrow));
                CHECK(layout.work_items % 32 == 0);
                CHECK(layout.local_bytes + detail::kernel_bytes(columns, layout) <= limits.local_memory_bytes);
                CHECK(detail::look_back_column_bytes(columns, layout) >= 16 * layout.tiles * width);
            }
    limits.local_memory_bytes = 16 << 10;
    columns.value_size = 4;
    columns.width = columns.pitch = 8;
    const detail::look_back_layout small = detail::lay_out_looking_back(columns, limits);
    CHECK(small.is_narrow);
    CHECK(small.team_bits == 3);
    CHECK(small.local_bytes + detail::kernel_bytes(columns, small) <= limits.local_memory_bytes);
}

TEST_CASE("columns are scanned in one launch where that is faster, or asked for", "[columns]") {
    detail::device_limits nvidia;
    nvidia.has_ptx = nvidia.has_atomics64 = true;
    nvidia.compute_units = 132;
    nvidia.max_work_group_size = 1024;
    nvidia.local_memory_bytes = 48 << 10;
    detail::device_limits other = nvidia;
    other.has_ptx = false;
    detail::columns_request columns;
    columns.result = detail::columns_result::inclusive_scan;
    columns.value_size = 4;
    columns.height = 1000;
    columns.width = columns.pitch = 1000;
    const upsweep::options open, asked = looking_back();
    upsweep::options several;
    several.strategy = upsweep::strategy::reduce_then_scan;
    CHECK(detail::looks_back_at_columns(columns, open, nvidia));
    CHECK_FALSE(detail::looks_back_at_columns(columns, several, nvidia));
    CHECK_FALSE(detail::looks_back_at_columns(columns, open, other));
    CHECK(detail::looks_back_at_columns(columns, asked, other));
    columns.width = columns.pitch = 1 << 16;
    CHECK_FALSE(detail::looks_back_at_columns(columns, open, nvidia));
    CHECK(detail::looks_back_at_columns(columns, asked, nvidia));
    columns.value_size = 1;
    columns.width = columns.pitch = 100;
    CHECK_FALSE(detail::looks_back_at_columns(columns, open, nvidia));
    columns.width = columns.pitch = 3;
    CHECK(detail::looks_back_at_columns(columns, open, nvidia));
    columns.pitch = 4;
    CHECK_FALSE(detail::looks_back_at_columns(columns, open, nvidia));
    columns.value_size = 2;
    CHECK(detail::looks_back_at_columns(columns, open, nvidia));
    columns.width = columns.pitch = 40000;
    CHECK_FALSE(detail::looks_back_at_columns(columns, open, nvidia));
    columns.width = columns.pitch = 1000;
    CHECK(detail::looks_back_at_columns(columns, open, nvidia));
    nvidia.local_memory_bytes = 512;
    CHECK_FALSE(detail::looks_back_at_columns(columns, asked, nvidia));
    nvidia.local_memory_bytes = 48 << 10;
    columns.value_size = 20;
    CHECK_FALSE(detail::looks_back_at_columns(columns, asked, nvidia));
    columns.value_size = 4;
    columns.result = detail::columns_result::reduction;
    CHECK_FALSE(detail::looks_back_at_columns(columns, asked, nvidia));
    columns.result = detail::columns_result::exclusive_scan;
    other.has_atomics64 = false;
    CHECK_FALSE(detail::looks_back_at_columns(columns, asked, other));
}
