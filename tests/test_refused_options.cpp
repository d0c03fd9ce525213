// SPDX-License-Identifier: MIT
// Options that no device runs, or no CPU's stack holds, and texts that read files: no device is touched.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

using namespace upsweep::detail;
using upsweep::options;
using upsweep::strategy;

namespace {

device_limits large_cpu() {
    device_limits limits;
    limits.name = "doctored";
    limits.is_cpu = limits.has_atomics64 = true;
    limits.compute_units = 8;
    limits.max_work_group_size = 4096;
    limits.local_memory_bytes = limits.tile_memory_bytes = std::uint64_t{1} << 24;
    limits.max_allocation_bytes = std::uint64_t{1} << 32;
    return limits;
}

upsweep::tuning choose(const options& opts, std::size_t value_size) {
    return choose_tuning("f", opts, large_cpu(), {operation::scan, 1 << 20, value_size});
}

bool reads_files_of(const std::string& body) {
    const auto op = upsweep::make_operator<std::uint32_t>(body);
    return reads_files(
        {describe_type<std::uint32_t>(), describe_type<std::uint32_t>(), describe_operator<std::uint32_t>(op)});
}

} // namespace

TEST_CASE("tiles that a CPU's stack would not hold are errors, and none is chosen", "[unit]") {
    for (const std::size_t size : {4U, 8U})
        for (const strategy s : {strategy::scan_then_propagate, strategy::reduce_then_scan, strategy::look_back}) {
            CAPTURE(size, s);
            options opts;
            opts.strategy = s;
            opts.items = 4096;
            CHECK(private_bytes(choose(opts, size), large_cpu(), size) <= most_private_bytes);
            opts.items = 0;
            opts.work_items = 4096;
            CHECK(private_bytes(choose(opts, size), large_cpu(), size) <= most_private_bytes);
            opts.items = 1024;
            CHECK_THROWS_AS(choose(opts, size), upsweep::error);
        }
    options opts;
    opts.work_items = 2048;
    opts.strategy = strategy::look_back;
    CHECK_THROWS_AS(choose(opts, 64), upsweep::error);
    opts.strategy = strategy::reduce_then_scan;
    CHECK_NOTHROW(choose(opts, 64));
}

TEST_CASE("structs are taken by one work-item where a CPU's stack does not hold those of four", "[unit]") {
    options any_order, with_reduction, propagated;
    any_order.reproducible = false;
    with_reduction.strategy = strategy::reduce_then_scan;
    propagated.strategy = strategy::scan_then_propagate;
    for (const options& opts : {options(), any_order, with_reduction, propagated})
        for (const bool aborts_on_pairs : {false, true})
            for (const bool is_exact : {false, true})
                for (const std::size_t size : {600U, 8000U, 37600U, 65536U, 80000U, 131072U}) {
                    CAPTURE(opts.strategy, aborts_on_pairs, is_exact, size);
                    device_limits limits = large_cpu();
                    limits.aborts_on_pairs = aborts_on_pairs;
                    const upsweep::tuning t =
                        choose_tuning("f", opts, limits, {operation::scan, 1 << 20, size, is_exact});
                    CHECK(private_bytes(t, limits, size) <= most_private_bytes);
                    if (size > 75000) CHECK(t.work_items == 1);
                    if (aborts_on_pairs) CHECK(t.work_items != 2);
                }
    CHECK_THROWS_AS(choose({}, 200000), upsweep::error);
}

TEST_CASE("what is chosen for a device is never refused for it", "[unit]") {
    for (const bool is_cpu : {false, true})
        for (const std::size_t work_group : {1U, 16U, 64U, 256U, 448U, 1024U})
            for (const std::uint64_t local_memory : {16U << 10, 32U << 10, 48U << 10, 64U << 10}) {
                device_limits limits = large_cpu();
                limits.is_cpu = is_cpu;
                limits.max_work_group_size = work_group;
                limits.local_memory_bytes = limits.tile_memory_bytes = local_memory;
                for (const operation op : {operation::scan, operation::reduce})
                    for (std::size_t size = 1; size <= 640; size += size < 140 ? 1 : 50)
                        for (const std::uint64_t n : {1U, 1000U, 1U << 20}) {
                            CAPTURE(is_cpu, work_group, local_memory, size, n);
                            REQUIRE_NOTHROW(choose_tuning("f", {}, limits, {op, n, size, false}));
                            // Without tiles of many work-items, single ones keep the order.
                            const upsweep::tuning t = choose_tuning("f", {}, limits, {op, n, size, false});
                            if (work_group == 1) CHECK(keeps_canonical_order(t, op));
                        }
            }
}

TEST_CASE("numbers that are no enumerators are errors", "[unit]") {
    const auto refuses = [](auto member, int number) {
        options opts;
        opts.*member = static_cast<std::decay_t<decltype(opts.*member)>>(number);
        CHECK_THROWS_AS(choose(opts, 4), upsweep::error);
    };
    for (const int number : {-1, 6, 77}) {
        refuses(&options::strategy, number);
        refuses(&options::algorithm, number);
        refuses(&options::reduction, number);
        refuses(&options::loading, number);
    }
}

TEST_CASE("texts of semicolons alone say nothing, and constants of OpenCL C are no names of parameters", "[unit]") {
    for (const char* text : {"", " \n", "// return a;", ";", " ; /* */ ;"}) CHECK(says_nothing(text));
    CHECK_FALSE(says_nothing("a"));
    for (const char* name :
         {"M_PI", "M_SQRT1_2_F", "NULL", "half", "true", "_Bool", "generic", "vec_step", "image2d_t", "image1d_array_t",
          "INT_MAX", "CHAR_BIT", "FLT_MAX", "DBL_MAX_10_EXP", "CLK_LOCAL_MEM_FENCE"})
        CHECK(is_keyword(name));
    for (const char* name :
         {"M_P", "M", "null", "pi", "image", "image_t", "image_weight_t", "INT", "DBL_COUNT_MAX", "MAX", "clk"})
        CHECK_FALSE(is_keyword(name));
}

TEST_CASE("a text that reads a file is not kept on disk", "[unit]") {
    for (const char* text :
         {"#include \"a.h\"\nreturn left + right;", "# import <a.h>\nreturn left + right;",
          "#include_next \"a.h\"\nreturn left + right;", "#inc\\\nlude \"a.h\"\nreturn left + right;",
          "#if __has_include(\"a.h\")\n#endif\nreturn left + right;"}) {
        CAPTURE(text);
        CHECK(reads_files_of(text));
    }
    CHECK_FALSE(reads_files_of("// #include\nreturn left + right;"));
    CHECK_FALSE(reads_files_of("uint included = left;\nreturn included + right;"));
}
